"""Head rows fit to frozen states: the rows learn their tokens, all others stay as they are."""

import numpy as np
import torch

from deepinfer_engine.training.data import Document
from deepinfer_engine.training.rows import answer_counts, fit_rows


def test_only_answers_are_counted() -> None:
    documents = [Document(np.array([3, 3, 5, 7, 1], dtype=np.uint16), 2, None)]
    assert answer_counts(documents, 9).tolist() == [0, 1, 0, 0, 0, 1, 0, 1, 0]


def test_rows_that_were_never_trained_learn_their_tokens() -> None:
    torch.manual_seed(0)
    size, vocabulary, rows = 24, 40, torch.tensor([4, 17, 31])
    centres = torch.nn.functional.normalize(torch.randn(vocabulary, size), dim=1) * 4
    targets = torch.randint(vocabulary, (3000,))
    states = (centres[targets] + 0.3 * torch.randn(3000, size)).half()
    head = centres.clone()
    head[rows] = -0.5 * head[rows]
    before = head.clone()

    def right(weights: torch.Tensor) -> float:
        return float(((states.float() @ weights.T).argmax(-1) == targets).float().mean())

    fitted = head.clone()
    fitted[rows] = fit_rows(head, states, targets, rows, epochs=40, rate=0.05, batch=512)
    assert torch.equal(head, before)
    assert right(head) < 0.95 < right(fitted)
