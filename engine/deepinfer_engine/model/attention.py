"""CSA2 attention: one latent is key and value for all heads; window keys and selected entries share a softmax."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from deepinfer_engine.config import ModelConfig
from deepinfer_engine.model.compressor import Compressor
from deepinfer_engine.model.context import Context
from deepinfer_engine.model.indexer import Indexer
from deepinfer_engine.model.linear import Linear
from deepinfer_engine.model.norm import RMSNorm
from deepinfer_engine.model.quant import round_fp4_e4m3, round_fp8
from deepinfer_engine.model.rope import Rotation, rotate

__all__ = ["Attention", "AttentionInputs"]


class AttentionInputs(NamedTuple):
    """What one row brings to attention: its normed hidden state `[N, hidden]`, low-rank query `[N, q_rank]`,
    rotated queries `[N, H, d]` and window key `[N, d]`."""

    x: Tensor
    low_rank: Tensor
    queries: Tensor
    window: Tensor


class Attention(nn.Module):
    """One attention sublayer (model-architecture 3.4); `layer` is its index, stages count on after the layers.

    Full layers own a compressor and an indexer that makes keys, Reindex layers an indexer alone, Reuse layers neither.
    """

    def __init__(self, config: ModelConfig, layer: int) -> None:
        super().__init__()
        c, self.layer = config, layer
        self.ratio = c.compress_ratios[layer]
        self.heads, self.size, self.groups = c.num_attention_heads, c.head_dim, c.o_groups
        self.quantise = False
        self.wq_a = Linear(c.hidden_size, c.q_lora_rank)
        self.q_norm = RMSNorm(c.q_lora_rank, c.rms_norm_eps)
        self.wq_b = Linear(c.q_lora_rank, self.heads * self.size)
        self.wkv = Linear(c.hidden_size, self.size)
        self.kv_norm = RMSNorm(self.size, c.rms_norm_eps)
        self.attn_sink = nn.Parameter(torch.empty(self.heads))
        self.wo_a = Linear(self.heads * self.size // self.groups, self.groups * c.o_lora_rank)
        self.wo_b = Linear(self.groups * c.o_lora_rank, c.hidden_size)
        is_source = layer in c.kv_source_layer_ids
        self.compressor = Compressor(c, self.ratio) if is_source else None
        self.indexer = Indexer(c, makes_keys=is_source) if layer in c.index_source_layer_ids else None

    def window_keys(self, x: Tensor, context: Context) -> Tensor:
        """`[N, head_dim]`: normed, rotated and rounded latents of the rows."""
        return self._window_keys(x, context.rotation(self.ratio > 0))

    def publish(self, x: Tensor, context: Context) -> None:
        """The Full side of a KV source: entries and index keys of every group that closes in these rows."""
        if self.compressor is None or self.indexer is None:
            return
        closing = context.close_groups(self.layer, *self.compressor.project(x), self.ratio)
        if not len(closing.positions):
            return
        latent = self.compressor.pool(closing, x.dtype)
        by = context.rotation_at(closing.positions)
        entries = rotate(latent, by)
        if self.quantise:
            entries = round_fp4_e4m3(entries)
        context.store(self.layer, entries, self.indexer.keys(latent, by), closing)

    def inputs(self, x: Tensor, by: Rotation) -> AttentionInputs:
        """The part before rows see each other; `x [N, hidden]`, normed."""
        low_rank = self.q_norm(self.wq_a(x))
        queries = rotate(self.wq_b(low_rank).unflatten(-1, (self.heads, self.size)), by)
        return AttentionInputs(x, low_rank, queries, self._window_keys(x, by))

    def exchange(self, rows: AttentionInputs, context: Context, *, publish: bool = True) -> Tensor:
        """Rows see each other: `[N, H, d]`, still rotated. `publish=False` when the source has published already."""
        if publish:
            self.publish(rows.x, context)
        if self.indexer is not None:
            context.select(self.layer, *self.indexer.queries(rows.x, rows.low_rank, context.rotation(True)))
        return context.attend(self.layer, rows.queries, rows.window, self.attn_sink)

    def output(self, attended: Tensor, by: Rotation) -> Tensor:
        """The part after: `[N, H, d]` -> `[N, hidden]`."""
        return self.project_out(rotate(attended, by, inverse=True))

    def forward(self, x: Tensor, context: Context, *, publish: bool = True) -> Tensor:
        """`x [N, hidden]`, normed -> `[N, hidden]`."""
        by = context.rotation(self.ratio > 0)
        return self.output(self.exchange(self.inputs(x, by), context, publish=publish), by)

    def project_out(self, attended: Tensor) -> Tensor:
        """Grouped output: consecutive heads form a group with its own slice of wo_a."""
        grouped = attended.reshape(len(attended), self.groups, -1).transpose(0, 1)
        if self.wo_a.quantise:
            grouped = round_fp8(grouped)
        slices = self.wo_a.weight.to(grouped.dtype).unflatten(0, (self.groups, -1))
        low_rank = torch.bmm(grouped, slices.transpose(1, 2)).transpose(0, 1).flatten(1)
        out: Tensor = self.wo_b(low_rank)
        return out

    def _window_keys(self, x: Tensor, by: Rotation) -> Tensor:
        keys = rotate(self.kv_norm(self.wkv(x)), by)
        return round_fp8(keys) if self.quantise else keys
