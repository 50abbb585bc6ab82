"""One layer: two sublayers around a stream of hyper-connected rows; also the body of a DSpark stage."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from deepinfer_engine.config import ModelConfig
from deepinfer_engine.model.attention import Attention, AttentionInputs
from deepinfer_engine.model.context import Context
from deepinfer_engine.model.engram import Engram
from deepinfer_engine.model.hyper_connections import HyperConnection, Mix, collapse, parameters, spread
from deepinfer_engine.model.moe import MixtureOfExperts
from deepinfer_engine.model.norm import RMSNorm
from deepinfer_engine.model.rope import Rotation

__all__ = ["Block"]


class Block(nn.Module):
    """Attention and mixture of experts, each fed by the pre-mix of the sublayer before it (model-architecture 3.3)."""

    def __init__(self, config: ModelConfig, layer: int, experts: int, top: int) -> None:
        super().__init__()
        c, self.layer = config, layer
        self.connect = HyperConnection(c.hc_mult, c.hc_sinkhorn_iters, c.hc_eps, c.rms_norm_eps)
        self.hc_attn_fn, self.hc_attn_base, self.hc_attn_scale = parameters(c.hc_mult, c.hidden_size)
        self.hc_ffn_fn, self.hc_ffn_base, self.hc_ffn_scale = parameters(c.hc_mult, c.hidden_size)
        self.attn_norm = RMSNorm(c.hidden_size, c.rms_norm_eps)
        self.ffn_norm = RMSNorm(c.hidden_size, c.rms_norm_eps)
        self.attn = Attention(c, layer)
        self.ffn = MixtureOfExperts(
            c.hidden_size, c.moe_intermediate_size, experts, top, c.routed_scaling_factor, c.swiglu_limit
        )
        in_engram = layer in c.engram_layer_ids
        self.engram = Engram(c, c.engram_layer_ids.index(layer)) if in_engram else None

    def attention_input(self, stream: Tensor, pre: Tensor) -> Tensor:
        """rms(collapse(X, A)), what the attention of this layer (and its compressor) reads: `[N, hidden]`."""
        out: Tensor = self.attn_norm(collapse(stream, pre))
        return out

    def forward(self, stream: Tensor, pre: Tensor, context: Context, *, publish: bool = True) -> tuple[Tensor, Tensor]:
        """`stream [N, n, d]` and the pre-mix `[N, n]` of the sublayer before -> the same for the next layer."""
        by = context.rotation(self.attn.ratio > 0)
        rows, mix = self.before(stream, pre, by)
        return self.after(stream, mix, self.attn.exchange(rows, context, publish=publish), by)

    def before(self, stream: Tensor, pre: Tensor, by: Rotation) -> tuple[AttentionInputs, Mix]:
        """Up to the point where rows see each other."""
        mix = self._mix(stream, self.hc_attn_fn, self.hc_attn_base, self.hc_attn_scale)
        return self.attn.inputs(self.attention_input(stream, pre), by), mix

    def after(self, stream: Tensor, mix: Mix, attended: Tensor, by: Rotation) -> tuple[Tensor, Tensor]:
        """From there to the end of the layer; `attended [N, H, d]`."""
        stream, pre = spread(stream, mix, self.attn.output(attended, by)), mix.pre
        mix = self._mix(stream, self.hc_ffn_fn, self.hc_ffn_base, self.hc_ffn_scale)
        stream = spread(stream, mix, self.ffn(self.ffn_norm(collapse(stream, pre))))
        return stream, mix.pre

    def _mix(self, stream: Tensor, fn: Tensor, base: Tensor, scale: Tensor) -> Mix:
        if stream.dtype.itemsize >= 4:
            return self.connect(stream, fn, base, scale)
        with torch.autocast(stream.device.type, enabled=False):
            return self.connect(stream.float(), fn, base, scale)
