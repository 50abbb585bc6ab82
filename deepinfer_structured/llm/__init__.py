"""LLM and generate: prompts and types in, typed objects out."""

from deepinfer_structured.llm.model import LLM
from deepinfer_structured.llm.shared import generate

__all__ = ["LLM", "generate"]
