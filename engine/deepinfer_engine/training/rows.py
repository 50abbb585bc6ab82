"""Fit the head rows of tokens that training hardly showed: `python -m deepinfer_engine.training.rows --help`.

A token that no answer of the training stream held has a head row that only ever learnt to stay low, so that the model
cannot copy it. Here the network stays as it is; documents made of such tokens run through it once, and the rows are fit
to the hidden states in front of them, against hidden states of ordinary answers, where they must stay low.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from deepinfer_engine.model.transformer import Transformer
from deepinfer_engine.training.data import Document, Packing, assemble, pack, read_shard
from deepinfer_engine.training.forward import Packed
from deepinfer_engine.training.parts import save_parts
from deepinfer_engine.training.pretrain import build, show_progress

__all__ = ["answer_counts", "answer_states", "fit_rows", "main", "repair"]

_log = logging.getLogger(__name__)

_CHUNK = 16384


def answer_counts(documents: Iterable[Document], vocabulary: int) -> Tensor:
    """How often each token occurs in answers: int64 `[vocabulary]`."""
    counts = torch.zeros(vocabulary, dtype=torch.int64)
    for document in documents:
        tokens = torch.from_numpy(document.tokens[document.answer :].astype("int64"))
        counts += torch.bincount(tokens, minlength=vocabulary)
    return counts


@torch.no_grad()
def answer_states(packed: Packed, documents: Sequence[Document]) -> tuple[Tensor, Tensor]:
    """Normed hidden states `[n, d]` fp16 in front of every answer token, and these tokens `[n]`."""
    rows, length = packed.layout.rows, packed.layout.length
    device = packed.layout.device
    fitting = [d for d in documents if len(d.tokens) <= length]
    bins = pack([len(d.tokens) for d in fitting], length, 2)
    bins.extend([] for _ in range(-len(bins) % rows))
    packing = Packing(rows=rows, length=length, pad=packed.model.config.pad_token_id)
    states, targets = [], []
    for start in range(0, len(bins), rows):
        batch = assemble([[fitting[i] for i in members] for members in bins[start : start + rows]], packing).to(device)
        hidden = packed.model.norm(packed.run(batch, packed.context(batch.documents)).hidden)
        wanted = batch.weights.roll(-1, 1) == 1
        wanted[:, -1] = False
        states.append(hidden.unflatten(0, (rows, length))[wanted].half())
        targets.append(batch.tokens.roll(-1, 1)[wanted])
        if start // rows % 50 == 0:
            _log.info("%d of %d rows of documents", start, len(bins))
    return torch.cat(states), torch.cat(targets)


def fit_rows(
    head: Tensor,
    states: Tensor,
    targets: Tensor,
    rows: Tensor,
    *,
    epochs: int = 8,
    rate: float = 0.005,
    batch: int = 4096,
) -> Tensor:
    """New weights `[len(rows), d]` of the head's `rows`, all other rows as they are.

    Minimises the cross-entropy over the whole vocabulary of `targets [n]` after `states [n, d]`. What the frozen rows
    add to the normaliser is computed once.
    """
    frozen = torch.ones(len(head), dtype=torch.bool, device=head.device)
    frozen[rows] = False
    base, own = [], []
    with torch.no_grad():
        for start in range(0, len(states), _CHUNK):
            logits = F.linear(states[start : start + _CHUNK].float(), head)
            base.append(logits.masked_fill(~frozen, -torch.inf).logsumexp(-1))
            own.append(logits.gather(1, targets[start : start + _CHUNK, None])[:, 0])
    lse, given = torch.cat(base), torch.cat(own)
    place = torch.full((len(head),), -1, dtype=torch.int64, device=head.device)
    place[rows] = torch.arange(len(rows), device=head.device)
    weight = head[rows].clone().requires_grad_()
    optimiser = torch.optim.Adam([weight], lr=rate)
    steps = epochs * -(-len(states) // batch)
    generator = torch.Generator().manual_seed(0)
    for step in range(steps):
        pick = torch.randint(len(states), (batch,), generator=generator).to(head.device)
        logits = F.linear(states[pick].float(), weight)
        at = place[targets[pick]]
        fitted = logits.gather(1, at.clamp_min(0)[:, None])[:, 0]
        score = torch.where(at >= 0, fitted, given[pick])
        loss = (torch.logaddexp(lse[pick], logits.logsumexp(-1)) - score).mean()
        optimiser.zero_grad()
        loss.backward()
        for group in optimiser.param_groups:
            group["lr"] = rate * (1 - step / steps)
        optimiser.step()
        if step % 100 == 0:
            hit = (at >= 0) & (fitted >= logits.amax(-1)) & (fitted > lse[pick])
            _log.info("step %d of %d: loss %.4f, right %.3f", step, steps, loss.item(), _share(hit, at >= 0))
    return weight.detach()


def _share(hits: Tensor, among: Tensor) -> float:
    return float(hits.sum() / among.sum().clamp_min(1))


def _documents(folder: Path, most: int) -> list[Document]:
    found: list[Document] = []
    for path in sorted(folder.glob("*.safetensors")):
        found.extend(read_shard(path))
        if len(found) >= most:
            break
    return found[:most]


def repair(model: Transformer, packed: Packed, seen: list[Document], pieces: list[Document], least: int) -> int:
    """Fit the rows of every ordinary token with fewer than `least` answers among `seen`; how many these are."""
    counts = answer_counts(seen, model.config.vocab_size)
    counts[: model.config.eos_token_id + 1] = least
    shown = answer_counts(pieces, model.config.vocab_size)
    rows = ((counts < least) & (shown > 0)).nonzero()[:, 0].to(model.head.weight.device)
    # Ordinary answers count twice: there the rows must stay low, and with few of them they do not.
    ordinary = answer_states(packed, seen[: len(pieces)])
    parts = [answer_states(packed, pieces), ordinary, ordinary]
    states, targets = (torch.cat(x) for x in zip(*parts, strict=True))
    fitted = fit_rows(model.head.weight.detach().float(), states, targets, rows)
    with torch.no_grad():
        model.head.weight[rows] = fitted
    return len(rows)


def main(arguments: list[str] | None = None) -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="deepinfer_engine.training.rows", description=__doc__)
    parser.add_argument("--backbone", type=Path, required=True, help="folder of the backbone's parts")
    parser.add_argument("--seen", type=Path, required=True, help="shards of the training stream")
    parser.add_argument("--pieces", type=Path, required=True, help="shards of documents glued from pieces")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, help="tokenizer.json, for the Engram token map")
    parser.add_argument("--least", type=int, default=1, help="answers a token must have had to be left alone")
    parser.add_argument("--documents", type=int, default=2600, help="documents of pieces to run")
    options = parser.parse_args(arguments)
    show_progress()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model, token_map = build(options.tokenizer, options.backbone, device)
    model.eval()
    packed = Packed(model, 8, 512, token_map=token_map)
    seen, pieces = _documents(options.seen, 60_000), _documents(options.pieces, options.documents)
    count = repair(model, packed, seen, pieces, options.least)
    save_parts(model, options.out, without="mtp.")
    _log.info("fitted %d rows", count)


if __name__ == "__main__":
    main()
