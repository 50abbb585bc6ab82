"""Train the draft stages on the backbone's own answers: `python -m deepinfer_engine.training.draft --help`."""

from __future__ import annotations

import argparse
import logging
from dataclasses import dataclass
from pathlib import Path

import torch

from deepinfer_engine.training.data import Loader, Packing
from deepinfer_engine.training.dspark import Drafting, DraftLosses
from deepinfer_engine.training.forward import Packed
from deepinfer_engine.training.optimiser import Optimiser, balance, reset_load
from deepinfer_engine.training.parts import load_parts, save_parts
from deepinfer_engine.training.pretrain import build, show_progress
from deepinfer_engine.training.schedule import Clock, Schedule

__all__ = ["DraftTrainer", "main"]

_log = logging.getLogger(__name__)


@dataclass
class DraftTrainer:
    """The loop; only the stages change, and only they are saved (`draft-1-of-1.safetensors`)."""

    drafting: Drafting
    optimiser: Optimiser
    batches: Loader
    clock: Clock
    schedule: Schedule
    out: Path
    report_every: int = 50
    save_every: float = 120.0

    def run(self) -> None:
        """Until the clock is over."""
        stages, device = self.drafting.model.mtp, self.drafting.packed.layout.device
        reset_load(stages)
        step, saved = 0, self.clock.elapsed
        while not self.clock.over:
            batch = next(self.batches).to(device)
            losses = self.drafting.losses(batch)
            losses.total.backward()
            fraction = self.clock.fraction() if step else self.clock.start
            norm = self.optimiser.step(self.schedule.rate(fraction))
            uneven = balance(stages, 1e-3)
            step += 1
            if step % self.report_every == 0 or step <= 3:
                self._report(step, fraction, losses, float(norm), float(uneven))
            if self.clock.elapsed - saved > self.save_every:
                save_parts(stages, self.out, stem="draft")
                saved = self.clock.elapsed
        save_parts(stages, self.out, stem="draft")
        _log.info("saved after %d steps, %.0f s", step, self.clock.elapsed)

    def _report(self, step: int, fraction: float, losses: DraftLosses, norm: float, uneven: float) -> None:
        accept = " ".join(f"{x:.3f}" for x in losses.accept.tolist())
        _log.info(
            "step %d at %.3f: loss %.4f accept %s | tau %.3f greedy %.3f | confidence off by %+.3f | "
            "norm %.2f load %.2f | %.0f s, waited %.1f s",
            *(step, fraction, float(losses.total.detach()), accept, float(losses.tau), float(losses.greedy)),
            *(float(losses.confidence), norm, uneven, self.clock.elapsed, self.batches.waited),
        )


def main(arguments: list[str] | None = None) -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="deepinfer_engine.training.draft", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of token shards with the model's own answers")
    parser.add_argument("--backbone", type=Path, required=True, help="folder of the backbone's parts")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--resume", type=Path, help="folder of draft parts")
    parser.add_argument("--tokenizer", type=Path, help="tokenizer.json, for the Engram token map")
    parser.add_argument("--schedule-start", type=float, default=0.0)
    parser.add_argument("--schedule-end", type=float, default=1.0)
    parser.add_argument("--rows", type=int, default=32)
    parser.add_argument("--length", type=int, default=1024)
    parser.add_argument("--anchors", type=int, default=64, help="blocks a row")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="AdamW")
    parser.add_argument("--muon-rate", type=float, default=1e-3)
    parser.add_argument("--wait", action="store_true", help="wait for new shards instead of reading the shards again")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--no-flex", action="store_true")
    options = parser.parse_args(arguments)
    show_progress()
    clock = Clock(options.minutes * 60, options.schedule_start, options.schedule_end)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    on_gpu = device.type == "cuda"
    torch.set_float32_matmul_precision("high")
    model, token_map = build(options.tokenizer, options.backbone, device)
    if options.resume is not None:
        load_parts(model.mtp, options.resume, stem="draft")
    model.requires_grad_(False)
    for name, parameter in model.mtp.named_parameters():
        parameter.requires_grad_("gate.bias" not in name)
    compiled = on_gpu and not options.no_compile
    packed = Packed(
        model,
        options.rows,
        options.length,
        token_map=token_map,
        flex=on_gpu and not options.no_flex,
        compiled=compiled,
    )
    optimiser = Optimiser(model.mtp, rate=options.rate, muon_rate=options.muon_rate)
    packing = Packing(rows=options.rows, length=options.length, pad=model.config.pad_token_id, pool=2048)
    loader = Loader(options.data, packing, repeat=not options.wait, pin=on_gpu)
    try:
        drafting = Drafting(packed, options.anchors, compiled=compiled)
        DraftTrainer(drafting, optimiser, loader, clock, Schedule(warmup=0.03, decay=0.5), options.out).run()
    finally:
        loader.close()


if __name__ == "__main__":
    main()
