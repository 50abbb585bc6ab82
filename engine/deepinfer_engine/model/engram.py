"""Engram: hashed n-gram embeddings, gated into every row of the stream (model-architecture 3.5)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch
from torch import Tensor, nn

from deepinfer_engine.config import ModelConfig
from deepinfer_engine.model.linear import Linear
from deepinfer_engine.model.norm import rms

__all__ = ["Engram", "NgramHash", "moduli", "multipliers"]


@lru_cache
def moduli(layers: int, orders: int, heads: int, vocabulary: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Distinct primes `[layer][order][head]`: the smallest unused ones above `vocabulary` - 1, each (layer, order)
    run starting over, "used" being global."""
    used: set[int] = set()

    def run() -> tuple[int, ...]:
        found, candidate = [], vocabulary - 1
        for _ in range(heads):
            candidate += 1
            while candidate in used or not _is_prime(candidate):
                candidate += 1
            used.add(candidate)
            found.append(candidate)
        return tuple(found)

    return tuple(tuple(run() for _ in range(orders)) for _ in range(layers))


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % p for p in range(2, int(n**0.5) + 1))


def multipliers(layer: int, ngram: int, compressed_vocabulary: int) -> tuple[int, ...]:
    """Odd multipliers of one layer, small enough that token x multiplier never leaves int64."""
    bound = max(1, (2**63 - 1) // compressed_vocabulary // 2)
    drawn = np.random.default_rng(10007 * layer).integers(0, bound, size=ngram, dtype=np.int64)
    return tuple((drawn * 2 + 1).tolist())


class NgramHash:
    """Row ids of all Engram layers from the last `ngram` token ids of each row; a pure function of the tokens."""

    def __init__(self, config: ModelConfig, token_map: Tensor | None, device: torch.device) -> None:
        c = config
        self.ngram, self.image, self.vocabulary = c.engram_max_ngram_size, c.image_token_id, c.vocab_size
        identity = torch.arange(c.vocab_size, device=device)
        self.token_map = identity if token_map is None else token_map.to(device)
        self.pad = self.token_map[c.engram_pad_token_id]
        primes = moduli(len(c.engram_layer_ids), self.ngram - 1, c.engram_n_heads, c.engram_vocab_size)
        self.primes = torch.tensor(primes, device=device)
        flat = self.primes.flatten(1)
        self.offsets = (flat.cumsum(1) - flat).view_as(self.primes)
        self.multipliers = torch.tensor(
            [multipliers(layer, self.ngram, c.engram_compressed_vocab_size) for layer in c.engram_layer_ids],
            device=device,
        )

    def __call__(self, recent: Tensor) -> Tensor:
        """`recent [N, ngram]` int64, newest first, -1 before the start -> `[layers, N, orders * heads]`.

        A token before the start or behind an image token counts as pad (blocking is sticky).
        """
        blocked = (recent < 0) | (recent >= self.vocabulary)
        if self.image is not None:
            blocked |= recent == self.image
        blocked = blocked.cumsum(1) > 0
        tokens = torch.where(blocked, self.pad, self.token_map[recent.clamp(0, self.vocabulary - 1)])
        scaled = tokens * self.multipliers[:, None]
        mixed, rows = scaled[..., 0], []
        for order in range(1, self.ngram):
            mixed = mixed ^ scaled[..., order]
            index = order - 1
            rows.append(mixed[..., None] % self.primes[:, index, None] + self.offsets[:, index, None])
        return torch.cat(rows, -1)


class Engram(nn.Module):
    """X_j += sigmoid(sign(t) sqrt(|t|)) * value, t a normalised dot product of stream row and key row."""

    def __init__(self, config: ModelConfig, order: int) -> None:
        super().__init__()
        c, self.order = config, order
        self.rows, self.hidden, self.eps = c.hc_mult, c.hidden_size, c.rms_norm_eps
        primes = moduli(len(c.engram_layer_ids), c.engram_max_ngram_size - 1, c.engram_n_heads, c.engram_vocab_size)
        columns = (c.engram_max_ngram_size - 1) * c.engram_n_heads * c.engram_head_dim
        self.embed = NgramTable(sum(map(sum, primes[order])), c.engram_head_dim)
        self.wkv = Linear(columns, (c.hc_mult + 1) * c.hidden_size)
        self.q_weight = nn.Parameter(torch.empty(c.hc_mult, c.hidden_size))
        self.k_weight = nn.Parameter(torch.empty(c.hc_mult, c.hidden_size))

    def forward(self, stream: Tensor, hashes: Tensor) -> Tensor:
        """`stream [N, n, d]`, `hashes [layers, N, orders * heads]` -> `[N, n, d]`."""
        values = self.embed(hashes[self.order]).flatten(1).to(stream.dtype)
        kv: Tensor = self.wkv(values).unflatten(-1, (self.rows + 1, self.hidden))
        key, value = kv[:, :-1], kv[:, -1:]
        match = rms(stream, self.eps) * self.q_weight * rms(key, self.eps) * self.k_weight
        t = match.sum(-1, keepdim=True) * self.hidden**-0.5
        gate = torch.sigmoid(torch.copysign(t.abs().clamp_min(1e-6).sqrt(), t))
        return (stream + gate * value).to(stream.dtype)


class NgramTable(nn.Module):
    """Embedding rows stored FP8 with a scale for every 32 channels of a row."""

    storage = "fp8_rows"

    def __init__(self, rows: int, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(rows, size))

    def forward(self, rows: Tensor) -> Tensor:
        return nn.functional.embedding(rows, self.weight)
