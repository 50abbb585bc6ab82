"""The whole network: embedding, encoder, decoder, head, and the draft stages beside it."""

from __future__ import annotations

from typing import NamedTuple, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from deepinfer_engine.config import ModelConfig, QuantisationPoints
from deepinfer_engine.model.attention import Attention
from deepinfer_engine.model.block import Block
from deepinfer_engine.model.context import Context
from deepinfer_engine.model.dspark import DraftStage, build_stages
from deepinfer_engine.model.engram import NgramHash
from deepinfer_engine.model.hyper_connections import collapse, first_mix
from deepinfer_engine.model.indexer import Indexer
from deepinfer_engine.model.linear import Linear
from deepinfer_engine.model.moe import Experts
from deepinfer_engine.model.norm import RMSNorm

__all__ = ["Decoded", "Drafted", "Transformer"]


class Decoded(NamedTuple):
    """Hidden state after the last layer, collapsed `[K, d]`, and the taps `[K, taps * d]`, of the K kept rows."""

    hidden: Tensor
    taps: Tensor


class Drafted(NamedTuple):
    """A draft block: hidden before the final norm `[R, B, d]` and base logits `[R, B, vocabulary]` fp32."""

    hidden: Tensor
    logits: Tensor


class Transformer(nn.Module):
    """DeepSeek-V4.1 (model-architecture section 3). Parameter names are the released tensor names, experts stacked."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        c = self.config = config
        self.embed = nn.Embedding(c.vocab_size, c.hidden_size, _weight=torch.empty(c.vocab_size, c.hidden_size))
        self.layers = nn.ModuleList(
            Block(c, layer, c.n_routed_experts, c.num_experts_per_tok) for layer in range(c.num_hidden_layers)
        )
        self.norm = RMSNorm(c.hidden_size, c.rms_norm_eps)
        self.head = Linear(c.hidden_size, c.vocab_size, "bf16")
        self.mtp = build_stages(c)
        # Dtype of the stream where it differs from that of the weights (training: bf16 over fp32 weights).
        self.stream_dtype: torch.dtype | None = None
        self.set_quantisation(c.quantisation_points)

    def set_quantisation(self, points: QuantisationPoints) -> None:
        """Switch the trained rounding points on or off."""
        for module in self.modules():
            if isinstance(module, Linear | Experts):
                module.quantise = points.linear
            elif isinstance(module, Attention | Indexer):
                module.quantise = points.cache

    def ngram_hash(self, token_map: Tensor | None = None) -> NgramHash | None:
        """The Engram hash for this model, or None without Engram layers. `token_map [vocabulary]` int64."""
        if not self.config.engram_layer_ids:
            return None
        return NgramHash(self.config, token_map, self.embed.weight.device)

    def start(self, tokens: Tensor) -> tuple[Tensor, Tensor]:
        """Stream `[N, n, d]` (the embedding in every row) and the first pre-mix."""
        rows = self.config.hc_mult
        embedded = self.embed(tokens)
        stream = embedded.to(self.stream_dtype or embedded.dtype)[:, None].expand(-1, rows, -1)
        return stream, first_mix(len(tokens), rows, tokens.device)

    def encode(self, tokens: Tensor, hashes: Tensor | None, context: Context) -> tuple[Tensor, Tensor]:
        """Layers before the decoder, on every row."""
        stream, pre = self.start(tokens)
        for layer in self.layers[: self.config.decoder_start]:
            stream, pre = self._layer(layer, stream, pre, hashes, context)
        return stream, pre

    def publish_decoder(self, stream: Tensor, pre: Tensor, context: Context) -> None:
        """Write the decoder's main KV and index keys for rows that will not run through the decoder (3.7)."""
        first = cast(Block, self.layers[self.config.decoder_start])
        first.attn.publish(first.attention_input(stream, pre), context)

    def decode(self, stream: Tensor, pre: Tensor, context: Context, *, published: bool = False) -> Decoded:
        """Decoder layers on the given rows; `published` when `publish_decoder` has run for them."""
        start, taps = self.config.decoder_start, []
        for index, layer in enumerate(self.layers[start:], start):
            if index in self.config.dspark_target_layer_ids:
                taps.append(stream.mean(1, dtype=pre.dtype).to(stream.dtype))
            stream, pre = layer(stream, pre, context, publish=not (published and index == start))
        hidden = collapse(stream, pre)
        return Decoded(hidden, torch.cat(taps, -1) if taps else hidden.new_empty(len(hidden), 0))

    def forward(self, tokens: Tensor, hashes: Tensor | None, context: Context) -> Decoded:
        """Every layer on every row: `tokens [N]` int64, `hashes` from `ngram_hash`."""
        return self.decode(*self.encode(tokens, hashes, context), context)

    def logits(self, hidden: Tensor) -> Tensor:
        """fp32 logits `[..., vocabulary]` of collapsed hidden states."""
        return self._project(self.norm(hidden))

    def project_taps(self, taps: Tensor) -> Tensor:
        """Shared context features of the draft stages: `[N, taps * d]` -> `[N, d]`."""
        first = cast(DraftStage, self.mtp[0])
        out: Tensor = first.main_norm(first.main_proj(taps))
        return out

    def draft(self, anchors: Tensor, length: int, context: Context) -> Drafted:
        """Run the stages over blocks `[anchor, noise, ...]` of `length` rows: `anchors [R]` -> one block a request."""
        noise = self.config.dspark_noise_token_id
        tokens = torch.full((len(anchors), length), noise, dtype=torch.int64, device=anchors.device)
        tokens[:, 0] = anchors
        return self.run_stages(tokens, context)

    def run_stages(self, tokens: Tensor, context: Context) -> Drafted:
        """The stages over token blocks `[R, B]`."""
        stream, pre = self.start(tokens.flatten())
        for stage in self.mtp:
            stream, pre = stage(stream, pre, context)
        hidden = collapse(stream, pre)
        last = cast(DraftStage, self.mtp[-1])
        logits = self._project(last.norm(hidden))
        return Drafted(hidden.unflatten(0, tokens.shape), logits.unflatten(0, tokens.shape))

    def _layer(
        self, layer: nn.Module, stream: Tensor, pre: Tensor, hashes: Tensor | None, context: Context
    ) -> tuple[Tensor, Tensor]:
        block = cast(Block, layer)
        if block.engram is not None and hashes is not None:
            stream = block.engram(stream, hashes)
        out: tuple[Tensor, Tensor] = block(stream, pre, context)
        return out

    def _project(self, hidden: Tensor) -> Tensor:
        # The head is stored bf16 and multiplied in fp32.
        wide = hidden.float() if hidden.dtype.itemsize < 4 else hidden
        return F.linear(wide, self.head.weight.to(wide.dtype))
