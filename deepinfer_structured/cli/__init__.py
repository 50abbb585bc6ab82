"""deepinfer-structured, the command."""

from deepinfer_structured.cli.app import app, main

__all__ = ["app", "main"]
