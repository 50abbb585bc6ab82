"""The bundled model's configuration, and how large a checkpoint of a configuration is."""

from __future__ import annotations

import json
import math
from typing import Any

from deepinfer_engine.config import ModelConfig, RopeScaling
from deepinfer_engine.model.engram import moduli
from deepinfer_engine.weights.names import released_tensors

__all__ = ["checkpoint_bytes", "nano_config"]

_BYTES = {"F8_E4M3": 1, "F8_E8M0": 1, "I8": 1, "BF16": 2, "F32": 4}

_LAYERS, _STAGES = 8, 2
_ENGRAM = {"layers": 1, "ngram": 3, "heads": 2, "vocabulary": 3072}


def nano_config(*, compressed_vocabulary: int = 8192, **changes: Any) -> ModelConfig:
    """DeepSeek-V4.1 at 8 layers of width 384: encoder 0-3 (window, window + Engram, ratio 2 twice), decoder 4-7.

    compressed_vocabulary: how many classes the Engram token map of the tokenizer has.
    changes: fields to set otherwise, for experiments.
    """
    primes = moduli(_ENGRAM["layers"], _ENGRAM["ngram"] - 1, _ENGRAM["heads"], _ENGRAM["vocabulary"])
    fields: dict[str, Any] = {
        "vocab_size": 8192,
        "hidden_size": 384,
        "num_hidden_layers": _LAYERS,
        "moe_intermediate_size": 160,
        "num_attention_heads": 4,
        "head_dim": 128,
        "qk_rope_head_dim": 32,
        "q_lora_rank": 192,
        "o_lora_rank": 192,
        "o_groups": 2,
        "n_routed_experts": 8,
        "num_experts_per_tok": 2,
        "compress_ratios": (0, 0, 2, 2, 1, 1, 1, 1) + (0,) * _STAGES,
        "kv_source_layer_ids": (2, 4),
        "index_source_layer_ids": (2, 4, 6),
        "index_n_heads": 4,
        "index_head_dim": 64,
        "index_topk": 512,
        "candidate_source_layer_id": 4,
        "candidate_topk_blocks": 128,
        "candidate_block_size": 8,
        "rms_norm_eps": 1e-6,
        "max_position_embeddings": 4096,
        "rope_scaling": RopeScaling(),
        "sliding_window": 256,
        "hc_mult": 2,
        "hc_sinkhorn_iters": 2,
        "engram_layer_ids": (1,),
        "engram_num_embeddings": tuple(sum(map(sum, layer)) for layer in primes),
        "engram_max_ngram_size": _ENGRAM["ngram"],
        "engram_vocab_size": _ENGRAM["vocabulary"],
        "engram_n_heads": _ENGRAM["heads"],
        "engram_head_dim": 64,
        "engram_compressed_vocab_size": compressed_vocabulary,
        "num_nextn_predict_layers": _STAGES,
        "dspark_block_size": 5,
        "dspark_noise_token_id": 10,
        "dspark_target_layer_ids": (5, 6, 7),
        "dspark_markov_rank": 64,
        "dspark_n_routed_experts": 4,
        "dspark_num_experts_per_tok": 1,
        "expert_dtype": "fp8",
        "activation_scheme": None,
    }
    return ModelConfig(**(fields | changes))


def checkpoint_bytes(config: ModelConfig) -> int:
    """Size of model.safetensors in the released storage formats, but for some digits of offsets in its header."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, (dtype, shape) in released_tensors(config).items():
        begin, end = end, end + _BYTES[dtype] * math.prod(shape)
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}
    text = len(json.dumps(header, separators=(",", ":")))
    return 8 + -(-text // 8) * 8 + end
