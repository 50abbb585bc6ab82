"""Shards: the format, whole files, the same bytes for the same seed."""

import itertools
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from deepinfer_structured.trainset import encode, examples, write_shards
from deepinfer_structured.trainset.__main__ import default_tokenizer
from deepinfer_structured.trainset.tokenizer import NanoTokenizer


def test_a_shard_holds_prompts_answers_and_ends(tmp_path: Path) -> None:
    write_shards(tmp_path, seed=2, tokenizer=default_tokenizer(), documents_per_shard=20, limit=50)
    paths = sorted(tmp_path.iterdir())
    assert [path.name for path in paths] == [f"train-0002-00000{i}-000.safetensors" for i in range(3)]
    shards = [load_file(str(path)) for path in paths]
    assert [len(shard["answers"]) for shard in shards] == [20, 20, 10]
    tokenizer = NanoTokenizer(default_tokenizer())
    made = [encode(example, tokenizer) for example in itertools.islice(examples("train", 2), 20)]
    tokens, starts, answers = (shards[0][key] for key in ("tokens", "starts", "answers"))
    assert [array.dtype for array in (tokens, starts, answers)] == [np.dtype(f"int{bits}") for bits in (16, 64, 64)]
    for index, (prompt, answer) in enumerate(made):
        document = tokens[starts[index] : starts[index + 1]].view(np.uint16).tolist()
        assert document == [*prompt, *answer]
        assert answers[index] == len(prompt)
        assert document[-1] == tokenizer.special["<｜end▁of▁sentence｜>"]


def test_workers_write_the_same_files_again(tmp_path: Path) -> None:
    for name in ("a", "b"):
        out, path = tmp_path / name, default_tokenizer()
        write_shards(out, seed=4, tokenizer=path, workers=2, documents_per_shard=15, limit=40)
    first, second = (sorted((tmp_path / name).iterdir()) for name in ("a", "b"))
    assert [path.name for path in first] == [path.name for path in second]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    written = sum(len(load_file(str(path))["answers"]) for path in first)
    assert 36 <= written <= 40  # a document over the limit of tokens is left out
