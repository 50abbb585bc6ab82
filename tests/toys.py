"""Tiny random models with every mechanism of the release, and a tiny grammar: what tests run the real engine with."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from deepinfer_engine.config import ModelConfig, RopeScaling
from deepinfer_engine.model.transformer import Transformer

EOS = 1

# A window-only layer, then ratio 2 (Full, Reuse, Full, Reuse), then the decoder: Full, Reuse, Reindex, Reuse.
_TOY = ModelConfig(
    vocab_size=96,
    hidden_size=64,
    num_hidden_layers=9,
    moe_intermediate_size=32,
    num_attention_heads=4,
    head_dim=32,
    qk_rope_head_dim=16,
    q_lora_rank=32,
    o_lora_rank=16,
    o_groups=2,
    n_routed_experts=8,
    num_experts_per_tok=2,
    compress_ratios=(0, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0),
    kv_source_layer_ids=(1, 3, 5),
    index_source_layer_ids=(1, 3, 5, 7),
    index_n_heads=8,
    index_head_dim=32,
    index_topk=4,
    candidate_source_layer_id=5,
    candidate_topk_blocks=3,
    candidate_block_size=2,
    swiglu_limit=0.2,
    max_position_embeddings=512,
    rope_scaling=RopeScaling(original_max_position_embeddings=64),
    sliding_window=8,
    hc_mult=4,
    engram_layer_ids=(0, 3),
    engram_max_ngram_size=4,
    engram_vocab_size=50,
    engram_n_heads=2,
    engram_head_dim=32,
    engram_pad_token_id=2,
    engram_compressed_vocab_size=96,
    num_nextn_predict_layers=3,
    dspark_block_size=5,
    dspark_noise_token_id=5,
    dspark_target_layer_ids=(6, 7, 8),
    dspark_markov_rank=8,
    dspark_n_routed_experts=4,
    dspark_num_experts_per_tok=2,
    eos_token_id=EOS,
)


def toy_config(**overrides: Any) -> ModelConfig:
    """The toy configuration with some fields replaced; `engram_compressed_vocab_size` follows `vocab_size`."""
    if "vocab_size" in overrides:
        overrides.setdefault("engram_compressed_vocab_size", overrides["vocab_size"])
    return dataclasses.replace(_TOY, **overrides)


def toy_model(seed: int = 0, dtype: torch.dtype = torch.float32, **overrides: Any) -> Transformer:
    """A random model in evaluation mode: every parameter matters (no zero bias, no neutral norm)."""
    with torch.device("meta"):
        model = Transformer(toy_config(**overrides))
    model.to_empty(device="cpu")
    randomise(model, seed)
    return model.to(dtype).requires_grad_(False).eval()


@torch.no_grad()
def randomise(model: Transformer, seed: int = 0) -> None:
    """Fill every parameter, in the scale that keeps activations of order one."""
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in model.named_parameters():
        draw = torch.randn(parameter.shape, generator=generator)
        if name.endswith(("norm.weight", "q_weight", "k_weight")):
            draw = 1 + 0.2 * draw
        elif name.endswith(("_base", "gate.bias", "gate.bias_vl")):
            draw = 0.4 * draw
        elif name.endswith("_scale"):
            draw = 0.7 + 0.2 * draw.abs()
        elif not name.endswith(("attn_sink", "embed.weight")):
            draw = draw * (0.8 / math.sqrt(parameter.shape[-1]))
        parameter.copy_(draw)


def toy_tokens(count: int, seed: int = 7, vocabulary: int = 96) -> list[int]:
    """Random ordinary tokens: no special one among them."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(6, vocabulary, (count,), generator=generator).tolist()


class ToyConstraint:
    """A deterministic automaton over token ids that satisfies the engine's `Constraint` by shape.

    `edges[state]` maps a legal token to the next state; the end of sequence is legal in `accepting` states.
    """

    def __init__(
        self,
        edges: Sequence[Mapping[int, int]],
        accepting: frozenset[int] = frozenset(),
        *,
        eos: int = EOS,
        start: int = 0,
    ) -> None:
        for state, row in enumerate(edges):
            assert row or state in accepting, f"state {state} is a dead end"
        self.edges, self.accepting, self.eos = edges, accepting, eos
        self.trail = [start]
        self.ended = False

    @property
    def state(self) -> int:
        """The automaton's state behind the last accepted ordinary token."""
        return self.trail[-1]

    @property
    def terminated(self) -> bool:
        return self.ended

    def legal(self) -> list[int]:
        """Legal next tokens, in order."""
        return sorted([*self.edges[self.state], *([self.eos] if self.state in self.accepting else [])])

    def fill(self, row: Tensor) -> None:
        assert not self.ended, "fill after the end"
        words = [0] * len(row)
        for token in self.legal():
            words[token // 32] |= 1 << token % 32
        row.copy_(torch.tensor([word - (1 << 32) if word >> 31 else word for word in words], dtype=torch.int32))

    def accept(self, token: int) -> bool:
        if self.ended:
            return False
        if token == self.eos and self.state in self.accepting:
            self.ended = True
            return True
        if token not in self.edges[self.state]:
            return False
        self.trail.append(self.edges[self.state][token])
        return True

    def rollback(self, count: int) -> None:
        assert 0 <= count <= len(self.trail) - 1 + self.ended, f"rollback of {count} behind the start"
        if count and self.ended:
            self.ended, count = False, count - 1
        if count:
            del self.trail[-count:]


def toy_constraint(repeats: int = 3) -> ToyConstraint:
    """`repeats` times a letter (8-39) and one or two digits (40-49), with a forced comma (50) between, then the end."""
    edges: list[dict[int, int]] = []
    for index in range(repeats):
        letter, digit, after, comma = (4 * index + step for step in range(4))
        last = index == repeats - 1
        edges.append(dict.fromkeys(range(8, 40), digit))
        edges.append(dict.fromkeys(range(40, 50), after))
        edges.append(dict.fromkeys(range(40, 50), comma) | ({} if last else {50: letter + 4}))
        edges.append({} if last else {50: letter + 4})
    return ToyConstraint(edges, frozenset({4 * repeats - 2, 4 * repeats - 1}))
