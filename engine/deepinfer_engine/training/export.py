"""Join the parts of backbone and stages to a checkpoint folder: `python -m deepinfer_engine.training.export --help`."""

from __future__ import annotations

import argparse
import logging
import shutil
from pathlib import Path

from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.training.initial import initialise
from deepinfer_engine.training.nano import nano_config
from deepinfer_engine.training.parts import load_parts
from deepinfer_engine.training.pretrain import show_progress
from deepinfer_engine.weights.checkpoint import save
from deepinfer_engine.weights.tokens import engram_token_map

__all__ = ["export", "main"]

_log = logging.getLogger(__name__)


def export(backbone: Path, draft: Path | None, tokenizer: Path, out: Path) -> Path:
    """Write `out` (config.json, model.safetensors in the released formats, tokenizer.json); its weight file.

    Without `draft` the stages are the backbone's own, or start values: usable, but no help.
    """
    _, count = engram_token_map(tokenizer, nano_config().vocab_size)
    model = Transformer(nano_config(compressed_vocabulary=count))
    initialise(model)
    load_parts(model, backbone)
    if draft is not None:
        load_parts(model.mtp, draft, stem="draft")
    save(model, out)
    if tokenizer.resolve() != (out / "tokenizer.json").resolve():
        shutil.copyfile(tokenizer, out / "tokenizer.json")
    return out / "model.safetensors"


def main(arguments: list[str] | None = None) -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="deepinfer_engine.training.export", description=__doc__)
    parser.add_argument("--backbone", type=Path, required=True, help="folder of weights-*-of-*.safetensors")
    parser.add_argument("--draft", type=Path, help="folder of draft-*-of-*.safetensors")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    show_progress()
    path = export(options.backbone, options.draft, options.tokenizer, options.out)
    _log.info("%s: %.2f MiB", path.name, path.stat().st_size / 2**20)


if __name__ == "__main__":
    main()
