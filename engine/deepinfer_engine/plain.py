"""The plain loop: one request, one token a pass, no drafts. The specification that the engine is held to."""

from __future__ import annotations

import torch
from torch import Tensor

from deepinfer_engine.backbone import Backbone, Chunk
from deepinfer_engine.cache.context import Span
from deepinfer_engine.config import EngineConfig
from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.request import Request
from deepinfer_engine.sampling.choose import choose
from deepinfer_engine.sampling.process import RowParams, process

__all__ = ["generate"]


@torch.inference_mode()
def generate(model: Transformer, request: Request, *, token_map: Tensor | None = None) -> list[int]:
    """Output tokens of `request`, the stop token included. The request's constraint is advanced over them.

    Law of each token: penalty, mask, temperature, truncation, then greedy or the noise of (seed, position, token).
    Raises RuntimeError where no token is legal.
    """
    length = len(request.prompt) + request.max_tokens
    backbone = Backbone(model, _one_request(model, length), token_map)
    slot = backbone.pages.take_slot()
    backbone.pages.grow(slot, length)
    tokens, done, sampling = list(request.prompt), 0, request.sampling
    rows = RowParams.of([sampling], dtype=backbone.dtype, device=backbone.device)
    mask = torch.empty(1, -(-model.config.vocab_size // 32), dtype=torch.int32)
    while len(tokens) < length:
        chunk = Chunk(Span(slot, done, len(tokens) - done), tuple(tokens[done:]), tuple(tokens[:done]), 1)
        logits = model.logits(backbone.run([chunk]))
        done = len(tokens)
        if request.constraint is not None:
            request.constraint.fill(mask[0])
        seen = torch.zeros(1, model.config.vocab_size, dtype=torch.bool, device=backbone.device)
        seen[0, torch.tensor(tokens, device=backbone.device)] = True
        masked = None if request.constraint is None else mask.to(backbone.device)
        law = process(logits, rows, mask_rows=masked, seen=seen)
        if bool(law.dead.any()):
            raise RuntimeError(f"no legal token after {len(tokens)} tokens")
        seeds = torch.tensor([sampling.seed], dtype=torch.int64, device=backbone.device)
        at = torch.tensor([len(tokens)], dtype=torch.int64, device=backbone.device)
        token = int(choose(law.scores, rows.sampled, seeds, at)[0])
        if request.constraint is not None and not request.constraint.accept(token):
            raise RuntimeError(f"the constraint refused token {token}, which its own mask allowed")
        tokens.append(token)
        if token in request.stop_tokens or (request.constraint is not None and request.constraint.terminated):
            break
    return tokens[len(request.prompt) :]


def _one_request(model: Transformer, length: int) -> EngineConfig:
    """Limits that hold exactly one request of `length` tokens."""
    page = 128
    entries = sum(page // model.config.compress_ratios[s] for s in model.config.kv_source_layer_ids)
    width = model.config.head_dim + model.config.index_head_dim
    pages = -(-length // page) + 1
    itemsize = model.embed.weight.dtype.itemsize
    return EngineConfig(max_batch=1, max_draft=0, cache_bytes=max(1, pages * entries * width * itemsize))
