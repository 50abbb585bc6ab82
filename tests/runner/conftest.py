"""The toy checkpoint and a shared LLM over it."""

from tests.toy_llm import llm, toy_folder

__all__ = ["llm", "toy_folder"]
