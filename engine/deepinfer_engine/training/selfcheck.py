"""Does flex attention agree with plain attention, and do compiled parts agree with eager ones, on this GPU?

`python -m deepinfer_engine.training.selfcheck`; also times one training step of the nano model.
"""

from __future__ import annotations

import argparse
import logging
import random
import time

import numpy as np
import torch
from torch import Tensor

from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.training.data import Batch, Document, Packing, assemble, pack
from deepinfer_engine.training.dspark import Drafting, sample_blocks
from deepinfer_engine.training.flex import FlexAttention
from deepinfer_engine.training.forward import Packed
from deepinfer_engine.training.initial import initialise
from deepinfer_engine.training.nano import nano_config
from deepinfer_engine.training.optimiser import Optimiser, balance, reset_load
from deepinfer_engine.training.packed import PlainAttention
from deepinfer_engine.training.pretrain import show_progress

__all__ = ["main", "random_batch"]

_log = logging.getLogger(__name__)


def random_batch(rows: int, length: int, vocabulary: int, seed: int = 0) -> Batch:
    """Documents of random tokens, packed."""
    numbers = np.random.default_rng(seed)
    lengths = [int(n) for n in numbers.integers(20, length // 2, size=rows * 6)]
    documents = [Document(numbers.integers(20, vocabulary, n).astype(np.uint16), n // 2, None) for n in lengths]
    packing = Packing(rows=rows, length=length)
    bins = pack(lengths, length, packing.align)[:rows]
    random.Random(seed).shuffle(bins)
    return assemble([[documents[i] for i in members] for members in bins], packing)


def _difference(one: Tensor, other: Tensor) -> float:
    return float((one.double() - other.double()).norm() / other.double().norm().clamp_min(1e-30))


def check_attention(device: torch.device, dtype: torch.dtype, limit: float) -> bool:
    """Output and gradients of every kind of layer, against plain attention in fp32."""
    rows, length, heads, size, window, fine = 4, 1024, 4, 128, 512, True
    documents = random_batch(rows, length, 1000).documents.to(device)
    for ratio in (0, 2, 1):
        entries = length // ratio if ratio else 0
        queries = torch.randn(rows, length, heads, size, device=device, dtype=dtype) * size**-0.5
        keys = torch.randn(rows, length + entries, size, device=device, dtype=dtype)
        sink = torch.randn(heads, device=device)
        weight = torch.randn_like(queries, dtype=torch.float32)
        results = []
        for attend, kind in ((FlexAttention, dtype), (PlainAttention, torch.float32)):
            leaves = [queries.to(kind, copy=True), keys.to(kind, copy=True), sink.clone()]
            for leaf in leaves:
                leaf.requires_grad_()
            out = attend(documents, window)(leaves[0], leaves[1], leaves[2], ratio)
            (out.float() * weight).sum().backward()
            results.append([out.detach(), *(leaf.grad for leaf in leaves)])
        gaps = [_difference(a, b) for a, b in zip(*results, strict=True) if a is not None and b is not None]
        fine = fine and max(gaps) < limit
        _log.info("attention %s ratio %d: out %.1e queries %.1e keys %.1e sink %.1e", dtype, ratio, *gaps)
    return fine


def check_step(device: torch.device, rows: int, length: int) -> bool:
    """Loss and gradients of one batch: plain eager fp32 against flex, compiled, bf16; then the speed of steps.

    Tokens are random, so gradients are mostly noise that bf16 and changed routes move by a third: a coarse check.
    """
    config = nano_config()
    batch = random_batch(rows, length, config.vocab_size).to(device)
    values: list[tuple[float, dict[str, Tensor]]] = []
    for fast in (False, True):
        model = Transformer(config)
        initialise(model)
        with torch.no_grad():  # zero outputs would hide the sublayers
            generator = torch.Generator().manual_seed(1)
            for name, parameter in model.named_parameters():
                if name.endswith(("wo_b.weight", "experts.w2", "shared_experts.w2.weight", "head.weight")):
                    parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.02)
        model.to(device).train().mtp.requires_grad_(False)
        if fast:
            model.stream_dtype = torch.bfloat16
        packed = Packed(model, rows, length, flex=fast, compiled=fast)
        reset_load(model)
        began = time.monotonic()
        loss = packed.losses(batch).weighted / batch.weights.sum()
        loss.backward()
        torch.cuda.synchronize()
        _log.info("%s loss %.5f after %.1f s", "fast" if fast else "plain", loss.item(), time.monotonic() - began)
        values.append((loss.item(), {n: p.grad.clone() for n, p in model.named_parameters() if p.grad is not None}))
        if fast:
            _speed(packed, batch)
    gaps = {name: _difference(values[1][1][name], grad) for name, grad in values[0][1].items()}
    worst = sorted(gaps, key=gaps.__getitem__, reverse=True)[:6]
    _log.info("largest relative gradient differences: %s", ", ".join(f"{name} {gaps[name]:.3f}" for name in worst))
    typical = sorted(gaps.values())[len(gaps) // 2]
    _log.info("loss difference %.1e, median gradient difference %.3f", abs(values[0][0] - values[1][0]), typical)
    finite = all(bool(grad.isfinite().all()) for _, grads in values for grad in grads.values())
    return abs(values[0][0] - values[1][0]) < 0.02 and typical < 0.6 and finite


def _speed(packed: Packed, batch: Batch) -> None:
    optimiser = Optimiser(packed.model)
    for phase in ("first", "second"):
        torch.cuda.synchronize()
        began, steps = time.monotonic(), 1 if phase == "first" else 10
        for _ in range(steps):
            losses = packed.losses(batch, packed.probe())
            (losses.weighted / 1e4 + 0.1 * losses.index_loss).backward()
        torch.cuda.synchronize()
        passes = time.monotonic()
        optimiser.step(1e-3)
        balance(packed.model, 1e-3)
        torch.cuda.synchronize()
        tokens = steps * batch.tokens.numel() / (passes - began)
        _log.info("%s: %.2f M tokens/s, optimiser %.3f s", phase, tokens / 1e6, time.monotonic() - passes)
    _log.info("peak memory %.1f GiB", _peak())


def _peak() -> float:
    return float(torch.cuda.max_memory_allocated() / 2**30)


def check_drafts(device: torch.device, rows: int, length: int) -> bool:
    """Draft losses and gradients of one batch: plain eager fp32 against flex, compiled, bf16; then the speed."""
    config = nano_config()
    batch = random_batch(rows, length, config.vocab_size).to(device)
    totals = []
    for fast in (False, True):
        torch.manual_seed(0)
        blocks = sample_blocks(batch, 64, config.dspark_block_size)
        model = Transformer(config)
        initialise(model)
        with torch.no_grad():
            model.head.weight.normal_(0, 0.05, generator=torch.Generator().manual_seed(1))
        model.to(device).train().requires_grad_(False)
        for name, parameter in model.mtp.named_parameters():
            parameter.requires_grad_("gate.bias" not in name)
        model.stream_dtype = torch.bfloat16 if fast else None
        drafting = Drafting(Packed(model, rows, length, flex=fast, compiled=fast), 64, compiled=fast)
        began = time.monotonic()
        losses = drafting.losses(batch, blocks)
        losses.total.backward()
        totals.append(float(losses.total.detach()))
        _log.info(
            "%s drafts: loss %.4f after %.1f s", "fast" if fast else "plain", totals[-1], time.monotonic() - began
        )
    began = time.monotonic()
    for _ in range(10):
        drafting.losses(batch).total.backward()
    torch.cuda.synchronize()
    _log.info("%.3f s a draft step, peak %.1f GiB", (time.monotonic() - began) / 10, _peak())
    return abs(totals[0] - totals[1]) < 0.02


def main(arguments: list[str] | None = None) -> None:
    """Entry point; exit status 1 if something differs."""
    parser = argparse.ArgumentParser(prog="deepinfer_engine.training.selfcheck", description=__doc__)
    parser.add_argument("--rows", type=int, default=32)
    parser.add_argument("--length", type=int, default=1024)
    parser.add_argument("--drafts", action="store_true", help="check a draft step alone")
    options = parser.parse_args(arguments)
    show_progress()
    if not torch.cuda.is_available():
        raise SystemExit("flex attention has no backward on the CPU: this check needs CUDA")
    device = torch.device("cuda")
    if options.drafts:
        torch.set_float32_matmul_precision("high")
        raise SystemExit(0 if check_drafts(device, options.rows, options.length) else 1)
    fine = check_attention(device, torch.float32, 5e-3)
    fine = check_attention(device, torch.bfloat16, 2e-2) and fine
    torch.backends.cuda.matmul.allow_tf32 = True
    fine = check_step(device, options.rows, options.length) and fine
    _log.info("fine" if fine else "DIFFERENT")
    raise SystemExit(0 if fine else 1)


if __name__ == "__main__":
    main()
