"""A speculative mixture-of-experts inference engine that knows token ids only: no text, no schema."""

from deepinfer_engine.config import EngineConfig, ModelConfig
from deepinfer_engine.engine import Engine
from deepinfer_engine.request import Output, Request, SamplingParams

__all__ = ["Engine", "EngineConfig", "ModelConfig", "Output", "Request", "SamplingParams"]
