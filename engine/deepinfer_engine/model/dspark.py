"""DSpark: stages that read the backbone's taps, a Markov head that makes drafts sequential, and a confidence head."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from deepinfer_engine.config import ModelConfig
from deepinfer_engine.model.block import Block
from deepinfer_engine.model.context import Context
from deepinfer_engine.model.linear import Linear
from deepinfer_engine.model.norm import RMSNorm

__all__ = ["ConfidenceHead", "DraftStage", "MarkovHead", "build_stages"]


class MarkovHead(nn.Module):
    """Low-rank bigram bias: logits_k += head @ embed[x_{k-1}]."""

    def __init__(self, vocabulary: int, rank: int) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, rank, _weight=torch.empty(vocabulary, rank))
        self.head = Linear(rank, vocabulary, "bf16")

    def forward(self, previous: Tensor) -> tuple[Tensor, Tensor]:
        """Bias `[R, vocabulary]` fp32 and the embedding `[R, rank]` of the previous token `[R]`."""
        embedded = self.embed(previous)
        return self.head(embedded).to(_wide(embedded)), embedded


class ConfidenceHead(nn.Module):
    """Logit of the conditional acceptance from the hidden state BEFORE the final norm and the Markov embedding."""

    def __init__(self, hidden: int, rank: int) -> None:
        super().__init__()
        self.proj = Linear(hidden + rank, 1, "bf16")

    def forward(self, hidden: Tensor, embedded: Tensor) -> Tensor:
        wide = _wide(hidden)
        joined = torch.cat((hidden.to(wide), embedded.to(wide)), -1)
        return F.linear(joined, self.proj.weight.to(wide))[..., 0]


class DraftStage(Block):
    """A block of ratio 0 under the name `mtp.{stage}`; the first stage owns the tap projection, the last the heads."""

    def __init__(self, config: ModelConfig, stage: int) -> None:
        c = config
        super().__init__(c, c.num_hidden_layers + stage, c.dspark_n_routed_experts, c.dspark_num_experts_per_tok)
        if stage == 0:
            self.main_proj = Linear(c.hidden_size * len(c.dspark_target_layer_ids), c.hidden_size)
            self.main_norm = RMSNorm(c.hidden_size, c.rms_norm_eps)
        if stage == c.num_nextn_predict_layers - 1:
            self.norm = RMSNorm(c.hidden_size, c.rms_norm_eps)
            self.markov_head = MarkovHead(c.vocab_size, c.dspark_markov_rank)
            self.confidence_head = ConfidenceHead(c.hidden_size, c.dspark_markov_rank)

    def seed(self, taps: Tensor, context: Context) -> Tensor:
        """Stage keys `[N, head_dim]` of rows that the backbone has processed, from projected taps `[N, hidden]`."""
        return self.attn.window_keys(taps, context)


def build_stages(config: ModelConfig) -> nn.ModuleList:
    """All stages, in order."""
    return nn.ModuleList(DraftStage(config, stage) for stage in range(config.num_nextn_predict_layers))


def _wide(x: Tensor) -> torch.dtype:
    return x.dtype if x.dtype.itemsize >= 4 else torch.float32
