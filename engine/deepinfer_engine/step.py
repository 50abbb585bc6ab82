"""One step: draft, admit, mask, verify, commit. Everything before `commit` is a question; only `commit` moves state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor

from deepinfer_engine.backbone import Backbone, Chunk
from deepinfer_engine.cache.context import Span
from deepinfer_engine.constraint import Constraint
from deepinfer_engine.errors import ConstraintError, DeadEndError, EngineError
from deepinfer_engine.request import TokenLogprobs
from deepinfer_engine.sampling.choose import token_logprobs
from deepinfer_engine.sampling.process import Law, RowParams, extend_seen, process
from deepinfer_engine.scheduler import Batch
from deepinfer_engine.sequence import Sequence
from deepinfer_engine.speculative.admission import admit_scheduled
from deepinfer_engine.speculative.drafter import Drafter, Proposal
from deepinfer_engine.speculative.masks import MaskRows
from deepinfer_engine.speculative.verify import Verdict, verify_match, verify_rejection

__all__ = ["Plan", "admit", "commit", "forward", "mask_rows", "step", "verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the target runs. `verified` are the sequences that get a token: decoding ones, then prompts that end here.

    `drafts` int64 `[R, K]`; `fed[r]` drafts go in behind the anchor; `tested[r]` were admitted (`fed + 1` when an
    illegal sampled draft waits for its virtual rejection, dspark 9.2); `law [R, K, V]` for rejection sampling.
    """

    batch: Batch
    verified: list[Sequence]
    drafts: Tensor
    fed: list[int]
    tested: list[int]
    law: Tensor | None
    masks: MaskRows


def step(
    batch: Batch, backbone: Backbone, drafter: Drafter, threshold: float, seconds: Tensor | None
) -> list[Sequence]:
    """Advance every sequence of `batch`; returns those that got tokens or ended."""
    proposal = drafter.propose(batch.decoding, threshold)
    plan = mask_rows(admit(proposal, batch, seconds))
    hidden = forward(plan, backbone)
    law = masked_law(plan, backbone.model.logits(hidden))
    return commit(plan, law, verify(plan, law))


def admit(proposal: Proposal, batch: Batch, seconds: Tensor | None) -> Plan:
    """How many drafts to verify, looking only backwards; prompts that end in this step join without drafts."""
    admitted = proposal.lengths
    base = len(batch.decoding) + sum(count for _, count in batch.prompts)
    if seconds is not None and base >= len(seconds):
        admitted = [0] * len(admitted)  # no row beyond the table is admitted
    elif seconds is not None and any(admitted):
        available = torch.tensor(admitted, device=proposal.confidence.device)
        admitted = admit_scheduled(proposal.confidence, available, seconds=seconds, base_rows=base).tolist()
    ending = [s for s, count in batch.prompts if count == s.pending]
    verified = batch.decoding + ending
    masks = MaskRows(verified, proposal.masks.rows.shape[1], proposal.masks.vocabulary)
    masks.take_over(proposal.masks)
    drafts = proposal.tokens.new_zeros(len(verified), proposal.tokens.shape[1])
    drafts[: len(batch.decoding)] = proposal.tokens
    law = proposal.law
    if law is not None and ending:
        law = torch.cat((law, law.new_zeros(len(ending), *law.shape[1:])))
    counts = admitted + [0] * len(ending)
    return Plan(batch=batch, verified=verified, drafts=drafts, fed=counts, tested=counts, law=law, masks=masks)


def mask_rows(plan: Plan) -> Plan:
    """Fill the rows that drafting left open and cut each draft before its first illegal token."""
    fed, tested = list(plan.fed), list(plan.tested)
    drafts = plan.drafts.tolist()
    for r, sequence in enumerate(plan.verified):
        fed[r] = plan.masks.walk(r, drafts[r][: plan.fed[r]])
        if not sequence.request.sampling.rejects:
            tested[r] = fed[r]
        elif fed[r] < tested[r]:
            tested[r] = fed[r] + 1
    return Plan(
        batch=plan.batch,
        verified=plan.verified,
        drafts=plan.drafts,
        fed=fed,
        tested=tested,
        law=plan.law,
        masks=plan.masks,
    )


def forward(plan: Plan, backbone: Backbone) -> Tensor:
    """One pass over anchors, admitted drafts and prompt chunks; hidden rows of the verified ones, `[rows, d]`."""
    drafts = plan.drafts.tolist()
    chunks: list[tuple[Sequence, Chunk]] = []
    for r, sequence in enumerate(plan.batch.decoding):
        rows = (sequence.anchor, *drafts[r][: plan.fed[r]])
        chunks.append((sequence, _chunk(sequence, rows, wanted=len(rows))))
    for sequence, count in plan.batch.prompts:
        rows = tuple(sequence.tokens[sequence.processed : sequence.processed + count])
        chunks.append((sequence, _chunk(sequence, rows, wanted=int(count == sequence.pending))))
    return backbone.run([chunk for _, chunk in chunks])


def _chunk(sequence: Sequence, tokens: tuple[int, ...], wanted: int) -> Chunk:
    span = Span(cast(int, sequence.slot), sequence.processed, len(tokens), sequence.keep_from)
    return Chunk(span, tokens, tuple(sequence.tokens[max(0, sequence.processed - 8) : sequence.processed]), wanted)


def masked_law(plan: Plan, logits: Tensor) -> Law:
    """Process the live rows, `[rows, V]`: the law of each token, under its mask and its request's settings."""
    params = [s.request.sampling for s, fed in zip(plan.verified, plan.fed, strict=True) for _ in range(fed + 1)]
    request, row = _live(plan)
    masks = plan.masks.on(logits.device)
    seen = None
    if any(p.repetition_penalty != 1 for p in params):
        known = [s.seen_tokens(logits.shape[1], logits.device) for s in plan.verified]
        seen = extend_seen(torch.stack(known), plan.drafts)[request, row]
    return process(
        logits,
        RowParams.of(params, dtype=logits.dtype, device=logits.device),
        mask_rows=None if masks is None else masks[request, row],
        has_mask=None if all(plan.masks.constrained) else plan.masks.has_mask(logits.device)[request],
        seen=seen,
    )


def verify(plan: Plan, law: Law) -> Verdict:
    """Match verification for all, or rejection sampling where a request asks for it."""
    device = law.scores.device
    request, row = _live(plan)
    shape = (len(plan.verified), plan.drafts.shape[1] + 1)
    scores = law.scores.new_zeros(*shape, law.scores.shape[-1])
    scores[request, row] = law.scores
    dead = torch.zeros(shape, dtype=torch.bool, device=device)
    dead[request, row] = law.dead
    sampling = [s.request.sampling for s in plan.verified]
    seeds = torch.tensor([p.seed for p in sampling], dtype=torch.int64, device=device)
    positions = torch.tensor([len(s.tokens) for s in plan.verified], dtype=torch.int64, device=device)
    fed = torch.tensor(plan.fed, dtype=torch.int64, device=device)
    verdict = verify_match(
        scores,
        plan.drafts,
        fed,
        sampled=torch.tensor([not p.greedy for p in sampling], device=device),
        seeds=seeds,
        positions=positions,
        dead=dead,
    )
    rejects = [r for r, p in enumerate(sampling) if p.rejects]
    if not rejects:
        return verdict
    width = plan.drafts.shape[1]
    q = plan.law[rejects] if plan.law is not None else scores.new_zeros(len(rejects), width, scores.shape[-1])
    rejected = verify_rejection(
        scores[rejects].softmax(-1),
        q,
        plan.drafts[rejects],
        fed=fed[rejects],
        tested=torch.tensor(plan.tested, dtype=torch.int64, device=device)[rejects],
        seeds=seeds[rejects],
        positions=positions[rejects],
        dead=dead[rejects],
    )
    return _merge(verdict, rejected, rejects)


def commit(plan: Plan, law: Law, verdict: Verdict) -> list[Sequence]:
    """Move sequences, constraints and counters. What fails here fails alone."""
    for sequence, count in plan.batch.prompts:
        if count < sequence.pending:
            sequence.processed += count
    tokens, accepted, dead = verdict.tokens.tolist(), verdict.accepted.tolist(), verdict.dead.tolist()
    starts = [0]
    for fed in plan.fed:
        starts.append(starts[-1] + fed + 1)
    single = plan.masks.single()
    for r, sequence in enumerate(plan.verified):
        usage = sequence.usage
        usage.verifications += r < len(plan.batch.decoding)
        usage.drafted += plan.tested[r]
        emitted = tokens[r][: accepted[r] + (not dead[r])]
        kept = 0
        for slot, token in enumerate(emitted):
            if not _take(sequence, token, plan.masks.fault(r, slot), forced=single[r][slot]):
                break
            kept = slot + 1
        usage.accepted += min(kept, accepted[r])
        # The anchor and the drafts that stand are in the cache; the newest token is not.
        sequence.processed = len(sequence.tokens) - 1
        _record_logprobs(sequence, law, starts[r], emitted[:kept])
        if dead[r] and sequence.finish is None:
            _fail(sequence, DeadEndError("no legal token has a finite score; the text so far is kept"))
    return plan.verified


def _take(sequence: Sequence, token: int, fault: Exception | None, *, forced: bool) -> bool:
    """Commit one token; False when the sequence ended before it."""
    if sequence.finish is not None:
        return False
    constraint, ended = sequence.request.constraint, False
    if constraint is not None:
        try:
            ended = _advance(constraint, token, fault)
        except ConstraintError as error:
            _fail(sequence, error)
            return False
        sequence.usage.forced += forced
    sequence.append(token)
    if ended or token in sequence.request.stop_tokens:
        sequence.finish = "stop"
    elif sequence.remaining == 0:
        sequence.finish = "length"
    return True


def _advance(constraint: Constraint, token: int, fault: Exception | None) -> bool:
    """Move a constraint over a committed token; whether that ended it. Raises ConstraintError for whatever it raises
    now, or raised (`fault`) when it was asked for the token's mask."""
    try:
        if fault is not None:
            raise fault
        if constraint.accept(token):
            return constraint.terminated
    except Exception as raised:
        raise ConstraintError(f"the constraint failed at token {token!r}: {raised!r}") from raised
    raise ConstraintError(f"the constraint refused token {token!r}, which its own mask allowed")


def _fail(sequence: Sequence, error: EngineError) -> None:
    sequence.finish, sequence.error = "error", error


def _record_logprobs(sequence: Sequence, law: Law, first: int, emitted: list[int]) -> None:
    top = sequence.request.sampling.logprobs
    if not top or not emitted:
        return
    rows = torch.log_softmax(law.scores[first : first + len(emitted)], -1)
    own, ids, values = token_logprobs(rows, torch.tensor(emitted, device=rows.device), top)
    for token, logprob, best, scores in zip(emitted, own.tolist(), ids.tolist(), values.tolist(), strict=True):
        sequence.logprobs.append(TokenLogprobs(token=token, logprob=logprob, top=tuple(zip(best, scores, strict=True))))


def _live(plan: Plan) -> tuple[Tensor, Tensor]:
    """Request and slot of every verified row, in the order of the forward pass."""
    device = plan.drafts.device
    request = [r for r, fed in enumerate(plan.fed) for _ in range(fed + 1)]
    row = [slot for fed in plan.fed for slot in range(fed + 1)]
    long = torch.int64
    return torch.tensor(request, dtype=long, device=device), torch.tensor(row, dtype=long, device=device)


def _merge(verdict: Verdict, part: Verdict, rows: list[int]) -> Verdict:
    """`verdict` with `rows` replaced by `part`."""

    def put(whole: Tensor, some: Tensor) -> Tensor:
        out = whole.clone()
        out[rows] = some
        return out

    return Verdict(
        accepted=put(verdict.accepted, part.accepted),
        next_token=put(verdict.next_token, part.next_token),
        tokens=put(verdict.tokens, part.tokens),
        dead=put(verdict.dead, part.dead),
    )
