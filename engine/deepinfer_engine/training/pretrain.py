"""Train the backbone on token shards for a given time: `python -m deepinfer_engine.training.pretrain --help`."""

from __future__ import annotations

import argparse
import logging
import sys
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.training.data import Batch, Loader, Packing
from deepinfer_engine.training.forward import Losses, Packed
from deepinfer_engine.training.initial import initialise
from deepinfer_engine.training.nano import nano_config
from deepinfer_engine.training.optimiser import Optimiser, balance, reset_load
from deepinfer_engine.training.parts import load_parts, save_parts
from deepinfer_engine.training.schedule import Clock, Schedule
from deepinfer_engine.weights.tokens import engram_token_map

__all__ = ["Trainer", "build", "main", "show_progress"]

_log = logging.getLogger(__name__)


def build(tokenizer: Path | None, resume: Path | None, device: torch.device) -> tuple[Transformer, Tensor | None]:
    """The nano model, fresh or from parts, with fp32 weights and a bf16 stream on CUDA; and its Engram token map."""
    token_map, config = None, nano_config()
    if tokenizer is not None:
        token_map, count = engram_token_map(tokenizer, config.vocab_size)
        config = nano_config(compressed_vocabulary=count)
    model = Transformer(config)
    initialise(model)
    if resume is not None:
        load_parts(model, resume)
    model.to(device).train()
    if device.type == "cuda":
        model.stream_dtype = torch.bfloat16
        torch.backends.cuda.matmul.allow_tf32 = True
    return model, token_map


@dataclass
class Trainer:
    """The loop: micro-batches to a step, loads balanced, progress shown, weights saved."""

    packed: Packed
    optimiser: Optimiser
    batches: Loader
    clock: Clock
    schedule: Schedule
    out: Path
    index_weight: float = 0.1
    balance_rate: float = 1e-3
    report_every: int = 20
    save_every: float = 150.0
    rewarm: int = 40
    """Steps over which the rate rises at the start of every run: a resumed one begins with empty moments."""
    tokens: int = 0
    sums: list[Tensor] = field(default_factory=list)

    def run(self) -> None:
        """Until the clock is over."""
        device = self.packed.layout.device
        reset_load(self.packed.model)
        self._backward([next(self.batches).to(device)])  # compiles; its gradient is dropped
        for parameter in self.optimiser.parameters:
            parameter.grad = None
        balance(self.packed.model, 0.0)
        _log.info("ready after %.0f s", self.clock.elapsed)
        step, saved, since = 0, self.clock.elapsed, (self.clock.elapsed, 0)
        while not self.clock.over:
            fraction = self.clock.fraction()
            micro = [next(self.batches).to(device) for _ in range(self.schedule.micro_batches(fraction))]
            self.sums.append(self._backward(micro))
            norm = self.optimiser.step(self.schedule.rate(fraction) * min(1.0, (step + 1) / self.rewarm))
            uneven = balance(self.packed.model, self.balance_rate)
            self.tokens += sum(batch.tokens.numel() for batch in micro)
            step += 1
            if step % self.report_every == 0 or step <= 3:
                now, count = since
                self._report(step, fraction, norm, uneven, (self.tokens - count) / (self.clock.elapsed - now))
                since = (self.clock.elapsed, self.tokens)
            if self.clock.elapsed - saved > self.save_every:
                save_parts(self.packed.model, self.out, without="mtp.")
                saved = self.clock.elapsed
        save_parts(self.packed.model, self.out, without="mtp.")
        _log.info("saved after %d steps, %.1f M tokens, %.0f s", step, self.tokens / 1e6, self.clock.elapsed)

    def _backward(self, micro: list[Batch]) -> Tensor:
        """Accumulate the gradient of one step; its detached sums."""
        total = sum(batch.weights[:, 1:].sum() for batch in micro)
        sums: list[Losses] = []
        for batch in micro:
            losses = self.packed.losses(batch, self.packed.probe())
            (losses.weighted / total + self.index_weight / len(micro) * losses.index_loss).backward()
            sums.append(Losses(*(x.detach() for x in losses)))
        return torch.stack([torch.stack([x.float() for x in losses]) for losses in sums]).sum(0)

    def _report(self, step: int, fraction: float, norm: Tensor, uneven: Tensor, speed: float) -> None:
        count = len(self.sums)
        _, answers, prompts, answer_count, prompt_count, index = torch.stack(self.sums).sum(0).tolist()
        self.sums.clear()
        memory = torch.cuda.max_memory_allocated() / 2**30 if torch.cuda.is_available() else 0
        _log.info(
            "step %d at %.3f: answers %.4f prompts %.4f index %.3f | norm %.2f load %.2f | %.1f M tokens, %.3f M/s, "
            "%.1f GiB, waited %.1f s, dropped %d",
            *(step, fraction, answers / max(answer_count, 1), prompts / max(prompt_count, 1)),
            *(index / count / self.schedule.micro_batches(fraction), float(norm), float(uneven)),
            *(self.tokens / 1e6, speed / 1e6, memory, self.batches.waited, self.batches.dropped),
        )


def show_progress() -> None:
    """Log lines to standard output."""
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s", force=True)


def main(arguments: list[str] | None = None) -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="deepinfer_engine.training.pretrain", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of token shards; new ones may appear in it")
    parser.add_argument("--out", type=Path, required=True, help="where the weights go, in parts")
    parser.add_argument("--minutes", type=float, required=True, help="wall-clock time, compilation included")
    parser.add_argument("--resume", type=Path, help="folder of parts, or one of them")
    parser.add_argument("--tokenizer", type=Path, help="tokenizer.json, for the Engram token map")
    parser.add_argument("--schedule-start", type=float, default=0.0)
    parser.add_argument("--schedule-end", type=float, default=1.0)
    parser.add_argument("--rows", type=int, default=32, help="rows of a micro-batch")
    parser.add_argument("--step-tokens", type=int, default=131072, help="tokens of a step after the first 8 %%")
    parser.add_argument("--length", type=int, default=1024, help="tokens of a row")
    parser.add_argument("--rate", type=float, default=3e-3, help="AdamW")
    parser.add_argument("--muon-rate", type=float, default=2e-3)
    parser.add_argument("--consume", action="store_true", help="delete shards once read")
    parser.add_argument("--repeat", action="store_true", help="read the shards again instead of waiting for new ones")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--no-flex", action="store_true")
    options = parser.parse_args(arguments)
    show_progress()
    clock = Clock(options.minutes * 60, options.schedule_start, options.schedule_end)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    on_gpu = device.type == "cuda"
    # This process only trains: its fp32 products (loss, mixing coefficients) may round to TF32.
    torch.set_float32_matmul_precision("high")
    model, token_map = build(options.tokenizer, options.resume, device)
    model.mtp.requires_grad_(False)
    packed = Packed(
        model,
        options.rows,
        options.length,
        token_map=token_map,
        flex=on_gpu and not options.no_flex,
        compiled=on_gpu and not options.no_compile,
    )
    optimiser = Optimiser(model, rate=options.rate, muon_rate=options.muon_rate)
    packing = Packing(rows=options.rows, length=options.length, pad=model.config.pad_token_id)
    loader = Loader(options.data, packing, consume=options.consume, repeat=options.repeat, pin=on_gpu)
    try:
        full = max(1, round(options.step_tokens / (options.rows * options.length)))
        schedule = Schedule(ramp=((0.08, max(1, full // 2)), (1.0, full)))
        Trainer(packed, optimiser, loader, clock, schedule, options.out).run()
    finally:
        loader.close()


if __name__ == "__main__":
    main()
