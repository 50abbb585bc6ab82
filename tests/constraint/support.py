"""Small vocabularies and compile calls for the tests of masks."""

from functools import lru_cache
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from deepinfer_structured.constraint.compiler import Compiler
from deepinfer_structured.constraint.constraint import Constraint
from deepinfer_structured.constraint.vocabulary import Vocabulary

SPECIAL = (
    "<｜begin▁of▁sentence｜>",
    "<｜end▁of▁sentence｜>",
    "<｜▁pad▁｜>",
    "<｜System｜>",
    "<｜User｜>",
    "<｜Assistant｜>",
    "<think>",
    "</think>",
)
CORPUS = [
    '{"name":"Ann","price":12.50,"date":"2024-02-29","items":[{"a":1},{"b":true}],"note":null}',
    '{"total":0.99,"id":"x-1","tags":["a","b"],"ok":false}]]}}',
    "the quick brown fox jumps over the lazy dog, 0123456789 times; naïve café 漢字 😀 https://example.org",
]


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """A byte-level tokenizer of 420 tokens, trained here."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=420,
        special_tokens=[AddedToken(text, special=True) for text in SPECIAL],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS * 8, trainer)
    return Vocabulary(tokenizer, name="test")


@lru_cache(maxsize=1)
def compiler() -> Compiler:
    """One compiler for every test."""
    return Compiler(vocabulary())


def compiled(schema: Any, *, strict: bool = True) -> Constraint:
    """A constraint over the small vocabulary."""
    constraint = compiler().compile(schema, strict=strict)
    assert isinstance(constraint, Constraint)
    return constraint
