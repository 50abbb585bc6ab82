"""Lightning indexer: scores compressed entries for a query and, at a source, makes their index keys."""

from __future__ import annotations

from torch import Tensor, nn

from deepinfer_engine.config import ModelConfig
from deepinfer_engine.model.linear import Linear
from deepinfer_engine.model.norm import RMSNorm
from deepinfer_engine.model.quant import round_fp4_e8m0
from deepinfer_engine.model.rope import Rotation, rotate

__all__ = ["Indexer"]


class Indexer(nn.Module):
    """score(i, j) = sum_h w_ih relu(q_ih . k_j) over the KV source's index keys (model-architecture 3.4).

    It learns from its own loss, which leaves the rest of the network alone: its inputs carry no gradient.
    """

    def __init__(self, config: ModelConfig, *, makes_keys: bool) -> None:
        super().__init__()
        self.heads, self.size = config.index_n_heads, config.index_head_dim
        self.quantise = False
        self.wq_b = Linear(config.q_lora_rank, self.heads * self.size)
        self.weights_proj = Linear(config.hidden_size, self.heads, "bf16")
        if makes_keys:
            self.wk = Linear(config.head_dim, self.size, "bf16")
            self.k_norm = RMSNorm(self.size, config.rms_norm_eps)

    def keys(self, latent: Tensor, by: Rotation) -> Tensor:
        """Index keys `[E, index_dim]` of latents `[E, head_dim]` (after norm, before RoPE)."""
        key = rotate(self.k_norm(self.wk(latent.detach())), by)
        return round_fp4_e8m0(key) if self.quantise else key

    def queries(self, x: Tensor, low_rank: Tensor, by: Rotation) -> tuple[Tensor, Tensor]:
        """Queries `[N, heads, index_dim]` and head weights `[N, heads]`."""
        query = rotate(self.wq_b(low_rank.detach()).unflatten(-1, (self.heads, self.size)), by)
        weights = self.weights_proj(x.detach()) * (self.size * self.heads) ** -0.5
        return round_fp4_e8m0(query) if self.quantise else query, weights
