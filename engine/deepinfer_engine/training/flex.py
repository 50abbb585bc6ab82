"""`Attend` by flex attention: block masks built once a batch, the sink applied to the result by its log-sum-exp."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import torch
from torch import Tensor
from torch.nn.attention.flex_attention import AuxRequest, BlockMask, flex_attention

from deepinfer_engine.training.packed import visibility

__all__ = ["FlexAttention"]

_BLOCK = 128


def _attend(queries: Tensor, keys: Tensor, sink: Tensor, mask: BlockMask) -> Tensor:
    """softmax with a sink = softmax without, times sigmoid(lse - sink): the sink only joins the denominator."""
    shared = keys[:, None]
    result: Any = flex_attention(
        queries.transpose(1, 2),
        shared,
        shared,
        block_mask=mask,
        scale=1.0,
        enable_gqa=True,
        return_aux=AuxRequest(lse=True),
    )
    out, lse = result[0], result[1].lse
    kept = torch.sigmoid(lse.float() - sink[:, None])
    heads_first: Tensor = (out * kept[..., None]).to(queries.dtype)
    return heads_first.transpose(1, 2)


@lru_cache(maxsize=1)
def _compiled() -> Any:
    return torch.compile(_attend, dynamic=False)


class FlexAttention:
    """One batch of `documents [B, T]`; the mask of each kind of layer is made when its first layer asks."""

    def __init__(self, documents: Tensor, window: int) -> None:
        self.documents, self.window = documents, window
        self._masks: dict[int, BlockMask] = {}

    def __call__(self, queries: Tensor, keys: Tensor, sink: Tensor, ratio: int) -> Tensor:
        if ratio not in self._masks:
            self._masks[ratio] = block_mask(self.documents, self.window, ratio)
        out: Tensor = _compiled()(queries, keys, sink, self._masks[ratio])
        return out


def block_mask(documents: Tensor, window: int, ratio: int) -> BlockMask:
    """Blocks of 128 x 128: which are empty, full or partial, from a mask made by two comparisons an element."""
    length = documents.shape[1]
    place = torch.arange(length, device=documents.device)
    band = (place[None] <= place[:, None]) & (place[:, None] - place[None] < window)
    documents = documents.to(torch.int32)
    of_keys = documents
    if ratio:
        band = torch.cat((band, (place[None, ::ratio] + ratio - 1) <= place[:, None]), 1)
        of_keys = torch.cat((documents, documents[:, ::ratio]), 1)
    seen = (documents[:, :, None] == of_keys[:, None]) & band
    tiles = seen.unflatten(2, (-1, _BLOCK)).unflatten(1, (-1, _BLOCK)).transpose(2, 3).flatten(3)
    some, full = tiles.any(-1), tiles.all(-1)
    partial_count, partial = _ordered(some & ~full)
    full_count, whole = _ordered(full)
    return BlockMask.from_kv_blocks(
        partial_count,
        partial,
        full_count,
        whole,
        BLOCK_SIZE=_BLOCK,
        mask_mod=visibility(documents, window, ratio),
        seq_lengths=(length, of_keys.shape[1]),
    )


def _ordered(blocks: Tensor) -> tuple[Tensor, Tensor]:
    """`[B, q, k]` -> counts `[B, 1, q]` and indices `[B, 1, q, k]`, chosen blocks first, in order; both int32."""
    counts = blocks.sum(-1, dtype=torch.int32)
    order = blocks.to(torch.int8).argsort(dim=-1, descending=True, stable=True).to(torch.int32)
    return counts[:, None].contiguous(), order[:, None].contiguous()
