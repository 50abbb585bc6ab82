"""CSA2 attention: one latent is key and value for all heads; window keys and selected compressed entries share a softmax."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from deepinfer_engine.config import ModelConfig
from deepinfer_engine.model.compressor import Compressor
from deepinfer_engine.model.context import Context
from deepinfer_engine.model.indexer import Indexer
from deepinfer_engine.model.linear import Linear
from deepinfer_engine.model.norm import RMSNorm
from deepinfer_engine.model.quant import round_fp4_e4m3, round_fp8
from deepinfer_engine.model.rope import rotate

__all__ = ["Attention"]


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
        keys = rotate(self.kv_norm(self.wkv(x)), context.rotation(self.ratio > 0))
        return round_fp8(keys) if self.quantise else keys

    def publish(self, x: Tensor, context: Context) -> None:
        """The Full side of a KV source: entries and index keys of every group that closes in these rows."""
        if self.compressor is None or self.indexer is None:
            return
        closing = context.close_groups(self.layer, *self.compressor.project(x), self.ratio)
        if not len(closing.positions):
            return
        latent = self.compressor.pool(closing, x.dtype)
        entries = rotate(latent, context.rotation_at(closing.positions))
        if self.quantise:
            entries = round_fp4_e4m3(entries)
        context.store(self.layer, entries, self.indexer.keys(latent, closing.positions, context), closing)

    def forward(self, x: Tensor, context: Context, *, publish: bool = True) -> Tensor:
        """`x [N, hidden]`, normed -> `[N, hidden]`. `publish=False` when the source has published already."""
        by = context.rotation(self.ratio > 0)
        low_rank = self.q_norm(self.wq_a(x))
        queries = rotate(self.wq_b(low_rank).unflatten(-1, (self.heads, self.size)), by)
        if publish:
            self.publish(x, context)
        if self.indexer is not None:
            context.select(self.layer, *self.indexer.queries(x, low_rank, context))
        attended = context.attend(self.layer, queries, self.window_keys(x, context), self.attn_sink)
        return self.project_out(rotate(attended, by, inverse=True))

    def project_out(self, attended: Tensor) -> Tensor:
        """Grouped output: consecutive heads form a group with its own slice of wo_a."""
        grouped = attended.reshape(len(attended), self.groups, -1).transpose(0, 1)
        if self.wo_a.quantise:
            grouped = round_fp8(grouped)
        slices = self.wo_a.weight.to(grouped.dtype).unflatten(0, (self.groups, -1))
        low_rank = torch.bmm(grouped, slices.transpose(1, 2)).transpose(0, 1).flatten(1)
        out: Tensor = self.wo_b(low_rank)
        return out
