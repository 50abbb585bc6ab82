"""The Engram token map: which token ids count as the same word in an n-gram (model-architecture 3.5)."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, normalizers
from torch import Tensor

from deepinfer_engine.errors import CheckpointError

__all__ = ["engram_token_map"]

# Stands for a token that is one space, which Strip would take away.
_SPACE = "\ue000"


def engram_token_map(tokenizer_json: Path, size: int) -> tuple[Tensor, int]:
    """Map `[size]` int64 from token id to the id of its normalised text, and how many of these there are.

    New ids count in order of first appearance. Ids that the tokenizer does not know, behind its last one, get 0.
    """
    try:
        tokenizer = Tokenizer.from_file(str(tokenizer_json))
    except Exception as cause:
        raise CheckpointError(f"cannot read {tokenizer_json}: {cause}") from cause
    known = tokenizer.get_vocab_size(with_added_tokens=True)
    if known > size:
        raise CheckpointError(f"{tokenizer_json} has {known} tokens, the model has {size}")
    normalise = _normaliser().normalize_str
    texts = tokenizer.decode_batch([[token] for token in range(known)], skip_special_tokens=False)
    fresh: dict[str, int] = {}
    mapped = [0] * size
    for token, text in enumerate(texts):
        # Bytes that are no text by themselves have no normal form: they keep their own spelling.
        key = (tokenizer.id_to_token(token) or "") if "\ufffd" in text else normalise(text) or text
        mapped[token] = fresh.setdefault(key, len(fresh))
    return torch.tensor(mapped, dtype=torch.int64), len(fresh)


def _normaliser() -> normalizers.Normalizer:
    return normalizers.Sequence(
        [
            normalizers.NFKC(),
            normalizers.NFD(),
            normalizers.StripAccents(),
            normalizers.Lowercase(),
            normalizers.Replace(Regex(r"[ \t\r\n]+"), " "),
            normalizers.Replace(Regex(r"^ $"), _SPACE),
            normalizers.Strip(),
            normalizers.Replace(_SPACE, " "),
        ]
    )
