"""A GPU, where there is one, draws the tokens that a CPU draws."""

import pytest
import torch

from deepinfer_engine.request import SamplingParams
from deepinfer_engine.sampling.choose import choose
from deepinfer_engine.sampling.noise import ACCEPT, gumbel, uniform
from deepinfer_engine.sampling.process import RowParams, process
from deepinfer_engine.speculative.admission import admit_budget, admit_scheduled
from deepinfer_engine.speculative.verify import verify_match, verify_rejection
from tests.engine.sampling.test_process import pack

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]

each_device = pytest.mark.parametrize("device", DEVICES)
PARAMS = [
    SamplingParams(),
    SamplingParams(temperature=0.7, top_k=5),
    SamplingParams(temperature=1.3, top_p=0.8, min_p=0.01),
    SamplingParams(temperature=1.0, repetition_penalty=1.2),
] * 8


@each_device
def test_noise(device: str) -> None:
    seeds, positions = torch.arange(50) << 55, torch.arange(50) * 977
    there = gumbel(seeds.to(device), positions.to(device), 3000)
    torch.testing.assert_close(there.cpu(), gumbel(seeds, positions, 3000), rtol=1e-5, atol=1e-5)
    assert torch.equal(uniform(seeds.to(device), positions.to(device), ACCEPT).cpu(), uniform(seeds, positions, ACCEPT))


@each_device
def test_tokens(device: str) -> None:
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(32, 500, generator=generator, dtype=torch.float64)
    masks = pack(torch.rand(32, 500, generator=generator) < 0.5)
    seen = torch.rand(32, 500, generator=generator) < 0.1
    drafts = torch.randint(0, 500, (8, 3), generator=generator)
    fed = torch.tensor([0, 1, 2, 3] * 2)

    def run(where: str) -> list[torch.Tensor]:
        params = RowParams.of(PARAMS, dtype=torch.float64, device=where)
        law = process(logits.to(where), params, mask_rows=masks.to(where), seen=seen.to(where))
        seeds, positions = torch.arange(32, device=where), torch.arange(32, device=where) + 9
        scores, p = law.scores.view(8, 4, -1), law.log_probs().exp().view(8, 4, -1)
        keys = {"seeds": seeds[:8], "positions": positions[:8], "dead": law.dead.view(8, 4)}
        limits = {"fed": fed.to(where), "tested": fed.to(where)}
        match = verify_match(scores, drafts.to(where), fed.to(where), sampled=params.sampled[:8], **keys)
        drawn = verify_rejection(p, p[:, :3].roll(1, 0), drafts.to(where), **limits, **keys)
        return [choose(law.scores, params.sampled, seeds, positions).cpu(), match.tokens.cpu(), drawn.tokens.cpu()]

    for here, there in zip(run("cpu"), run(device), strict=True):
        assert torch.equal(here, there)


@each_device
def test_admission(device: str) -> None:
    confidence = torch.rand(6, 5, generator=torch.Generator().manual_seed(1)).to(device)
    available = torch.tensor([5, 4, 3, 2, 1, 0], device=device)
    assert admit_budget(confidence, available, budget=7).cpu().sum() == 7
    seconds = 1 + torch.arange(40, device=device) * 0.02
    there = admit_scheduled(confidence, available, seconds=seconds).cpu()
    assert torch.equal(there, admit_scheduled(confidence.cpu(), available.cpu(), seconds=seconds.cpu()))
