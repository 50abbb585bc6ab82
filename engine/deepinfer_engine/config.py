"""Model and engine configuration: the released config.json as a typed record; reads files, never the environment."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deepinfer_engine.errors import ConfigError

__all__ = ["EngineConfig", "ModelConfig", "QuantisationPoints", "RopeScaling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RopeScaling:
    """YaRN parameters (`rope_scaling` of the release)."""

    factor: float = 16.0
    beta_fast: float = 32.0
    beta_slow: float = 1.0
    original_max_position_embeddings: int = 65536


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantisationPoints:
    """Which of the trained rounding points are applied.

    `cache`: window KV to FP8, main KV and index vectors to FP4. `linear`: inputs of FP8 and FP4 weights to FP8.
    """

    cache: bool = True
    linear: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfig:
    """`text_config` of the release (same field names) and the few top-level keys that the language model needs."""

    vocab_size: int
    hidden_size: int
    num_hidden_layers: int
    moe_intermediate_size: int
    num_attention_heads: int
    head_dim: int
    qk_rope_head_dim: int
    q_lora_rank: int
    o_lora_rank: int
    o_groups: int
    n_routed_experts: int
    num_experts_per_tok: int
    compress_ratios: tuple[int, ...]
    kv_source_layer_ids: tuple[int, ...]
    index_source_layer_ids: tuple[int, ...]
    index_n_heads: int
    index_head_dim: int
    index_topk: int
    candidate_source_layer_id: int
    candidate_topk_blocks: int
    candidate_block_size: int
    n_shared_experts: int = 1
    routed_scaling_factor: float = 1.5
    swiglu_limit: float = 10.0
    rms_norm_eps: float = 1e-20
    max_position_embeddings: int = 1048576
    rope_theta: float = 10000.0
    compress_rope_theta: float = 160000.0
    rope_scaling: RopeScaling = RopeScaling()
    sliding_window: int = 128
    hc_mult: int = 4
    hc_sinkhorn_iters: int = 20
    hc_eps: float = 1e-6
    engram_layer_ids: tuple[int, ...] = ()
    engram_num_embeddings: tuple[int, ...] = ()
    engram_max_ngram_size: int = 4
    engram_vocab_size: int = 16000000
    engram_n_heads: int = 8
    engram_head_dim: int = 256
    engram_pad_token_id: int = 2
    engram_compressed_vocab_size: int = 99092
    num_nextn_predict_layers: int = 3
    dspark_block_size: int = 5
    dspark_noise_token_id: int = 128799
    dspark_target_layer_ids: tuple[int, ...] = ()
    dspark_markov_rank: int = 256
    dspark_n_routed_experts: int = 128
    dspark_num_experts_per_tok: int = 3
    bos_token_id: int = 0
    eos_token_id: int = 1
    pad_token_id: int = 2
    image_token_id: int | None = None
    weight_block_size: tuple[int, int] = (32, 32)
    expert_dtype: str = "fp4"
    activation_scheme: str | None = "dynamic"

    def __post_init__(self) -> None:
        problems = list(_problems(self))
        if problems:
            raise ConfigError("model config: " + "; ".join(problems))

    @property
    def decoder_start(self) -> int:
        """First decoder layer: the first one of ratio 1 (model-architecture 3.1); the layer count if there is none."""
        ratios = self.compress_ratios[: self.num_hidden_layers]
        return ratios.index(1) if 1 in ratios else self.num_hidden_layers

    @property
    def quantisation_points(self) -> QuantisationPoints:
        """The rounding points the checkpoint was trained with: all of them, or none (`activation_scheme: null`)."""
        trained = self.activation_scheme == "dynamic"
        return QuantisationPoints(cache=trained, linear=trained)

    def kv_source(self, layer: int) -> int | None:
        """Owner of the main KV that `layer` reads: the largest source <= layer; None for window-only layers."""
        return _source(self.compress_ratios[layer], self.kv_source_layer_ids, layer)

    def index_source(self, layer: int) -> int | None:
        """Layer whose indexer selects for `layer`: the largest index source <= layer."""
        return _source(self.compress_ratios[layer], self.index_source_layer_ids, layer)

    @classmethod
    def from_file(cls, path: Path) -> ModelConfig:
        """Read a released `config.json`. Raises ConfigError with the path, the key and what is missing."""
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, json.JSONDecodeError) as cause:
            raise ConfigError(f"cannot read {path}: {cause}") from cause
        return cls.from_dict(raw)

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> ModelConfig:
        """Build from the released nesting: top level, `text_config`, `quantization_config`."""
        text = dict(raw.get("text_config", raw))
        quantisation = raw.get("quantization_config") or {}
        names = {f.name for f in dataclasses.fields(cls)}
        values: dict[str, Any] = {k: v for k, v in {**raw, **text}.items() if k in names}
        values |= {k: quantisation[k] for k in _QUANTISATION_KEYS if k in quantisation}
        for key, value in values.items():
            if isinstance(value, list):
                values[key] = tuple(value)
        if isinstance(scaling := text.get("rope_scaling"), Mapping):
            known = {f.name for f in dataclasses.fields(RopeScaling)}
            values["rope_scaling"] = RopeScaling(**{k: v for k, v in scaling.items() if k in known})
        required = [f.name for f in dataclasses.fields(cls) if f.default is dataclasses.MISSING]
        if missing := sorted(set(required) - values.keys()):
            raise ConfigError(f"model config lacks {', '.join(missing)}")
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """The released nesting; `from_dict(to_dict())` is the identity."""
        flat = dataclasses.asdict(self)
        top = {k: flat.pop(k) for k in ("bos_token_id", "eos_token_id", "pad_token_id", "image_token_id")}
        quantisation = {"quant_method": "fp8", "scale_fmt": "ue8m0"} | {k: flat.pop(k) for k in _QUANTISATION_KEYS}
        flat["rope_scaling"] = {"rope_type": "yarn", **flat["rope_scaling"]}
        text = {"model_type": "deepseek_v41_text", **flat}
        return {
            "architectures": ["DeepseekV41ForCausalLM"],
            "model_type": "deepseek_v41",
            **top,
            "quantization_config": quantisation,
            "text_config": text,
        }


_QUANTISATION_KEYS = ("weight_block_size", "expert_dtype", "activation_scheme")


def _source(ratio: int, sources: tuple[int, ...], layer: int) -> int | None:
    return max((s for s in sources if s <= layer), default=None) if ratio else None


def _problems(c: ModelConfig) -> list[str]:
    """Everything inconsistent at once, so that one error lists it all."""
    found: list[str] = []
    if len(c.compress_ratios) != c.num_hidden_layers + c.num_nextn_predict_layers:
        found.append(
            f"compress_ratios has {len(c.compress_ratios)} entries, want layers + stages = "
            f"{c.num_hidden_layers + c.num_nextn_predict_layers}"
        )
        return found
    for layer, ratio in enumerate(c.compress_ratios[: c.num_hidden_layers]):
        if ratio and (c.kv_source(layer) is None or c.index_source(layer) is None):
            found.append(f"layer {layer} has ratio {ratio} but no KV or index source at or before it")
        elif ratio and c.compress_ratios[c.kv_source(layer) or 0] != ratio:
            found.append(f"layer {layer} has ratio {ratio}, its KV source {c.kv_source(layer)} another one")
    found += [f"KV source {s} has ratio 0" for s in c.kv_source_layer_ids if not c.compress_ratios[s]]
    found += [f"KV source {s} is no index source" for s in c.kv_source_layer_ids if s not in c.index_source_layer_ids]
    if any(layer >= c.decoder_start for layer in c.engram_layer_ids):
        found.append(f"engram layers {c.engram_layer_ids} must lie in the encoder (< {c.decoder_start})")
    if c.num_nextn_predict_layers and not c.dspark_target_layer_ids:
        found.append("DSpark stages without dspark_target_layer_ids")
    if any(not c.decoder_start <= t < c.num_hidden_layers for t in c.dspark_target_layer_ids):
        taps = c.dspark_target_layer_ids
        found.append(f"dspark_target_layer_ids {taps} must lie in the decoder (>= {c.decoder_start})")
    if c.num_attention_heads * c.head_dim % c.o_groups:
        found.append(f"{c.num_attention_heads} heads do not split into {c.o_groups} output groups")
    if c.qk_rope_head_dim % 2 or c.qk_rope_head_dim > min(c.head_dim, c.index_head_dim):
        found.append(f"qk_rope_head_dim {c.qk_rope_head_dim} must be even and fit head_dim and index_head_dim")
    if c.activation_scheme not in ("dynamic", None):
        found.append(f"activation_scheme {c.activation_scheme!r}, want 'dynamic' or null")
    if c.expert_dtype not in ("fp4", "fp8"):
        found.append(f"expert_dtype {c.expert_dtype!r}, want 'fp4' or 'fp8'")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """Limits of one engine; memory follows from them and is allocated once.

    max_batch: requests that run at the same time (window rings are kept for so many).
    cache_bytes: bytes for the paged global KV; what does not fit waits.
    max_draft: most draft tokens a request and step, 0 turns drafting off; at most `dspark_block_size`.
    prefill_tokens: most prompt tokens processed in one step, over all requests.
    replay: SWA bounded replay (model-architecture 3.8): None computes the prompt exactly; else KEEP, the number
        of last prompt tokens that run through the decoder layers.
    quantisation: rounding points to apply; None takes what the checkpoint was trained with.
    page_tokens: positions a page of the global KV; a multiple of every compression ratio.
    mask_drafts: draw drafts under the request's mask; without it they are cut at the first illegal token.
    draft_threshold: a request stops drafting at the first slot whose estimated survival is below this; None takes it
        from `draft_thresholds`, pairs of (requests in the step, threshold): rows cost more in a large batch.
    step_seconds: measured seconds of a step of 0, 1, 2, ... rows; when given, drafts are admitted by it (Algorithm 1).
    """

    max_batch: int = 64
    cache_bytes: int = 256 << 20
    max_draft: int = 5
    prefill_tokens: int = 2048
    replay: int | None = None
    quantisation: QuantisationPoints | None = None
    page_tokens: int = 128
    mask_drafts: bool = True
    draft_threshold: float | None = None
    draft_thresholds: tuple[tuple[int, float], ...] = ((1, 0.2), (16, 0.8), (48, 0.95))
    step_seconds: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        for name in ("max_batch", "cache_bytes", "prefill_tokens", "page_tokens"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} is {getattr(self, name)!r}, want at least 1")
        if self.max_draft < 0:
            raise ConfigError(f"max_draft is {self.max_draft!r}, want 0 or more")

    @property
    def block(self) -> int:
        """Most rows that one verification may have to take back: the drafts and their anchor."""
        return self.max_draft + 1

    def check(self, model: ModelConfig) -> None:
        """Raise ConfigError where these limits cannot hold for `model` (the KEEP rule of model-architecture 3.8)."""
        if self.max_draft > model.dspark_block_size:
            raise ConfigError(f"max_draft is {self.max_draft}, the checkpoint drafts {model.dspark_block_size} at most")
        if self.max_draft and not model.num_nextn_predict_layers:
            raise ConfigError(f"max_draft is {self.max_draft}, but the checkpoint has no DSpark stage; use 0")
        ratios = {model.compress_ratios[s] for s in model.kv_source_layer_ids}
        if uneven := sorted(r for r in ratios if self.page_tokens % r):
            raise ConfigError(f"page_tokens is {self.page_tokens}, want a multiple of the compression ratios {uneven}")
        least = model.sliding_window + self.block
        if self.replay is not None and self.replay < least:
            raise ConfigError(f"replay is {self.replay}, want at least window + largest rollback = {least}")
