"""Head rows fit to frozen states: the rows learn their tokens, all others stay as they are."""

import numpy as np
import torch

from deepinfer_engine.training.data import Document
from deepinfer_engine.training.forward import Packed
from deepinfer_engine.training.rows import answer_counts, fit_rows, repair
from tests.engine.training.tiny import copy_document, random_model


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


def test_a_repair_changes_the_head_rows_of_unseen_tokens_alone() -> None:
    numbers = np.random.default_rng(0)
    model = random_model().eval()
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    pieces = [copy_document(numbers) for _ in range(6)]
    shown = answer_counts(pieces, model.config.vocab_size)
    seen = pieces[:1]
    unseen = (answer_counts(seen, model.config.vocab_size) == 0) & (shown > 0)
    unseen[: model.config.eos_token_id + 1] = False
    count = repair(model, Packed(model, 2, 64), seen, pieces, least=1)
    assert count == int(unseen.sum()) > 0
    changed = {name for name, tensor in model.state_dict().items() if not torch.equal(tensor, before[name])}
    assert changed == {"head.weight"}
    rows = (model.head.weight != before["head.weight"]).any(1)
    assert torch.equal(rows, unseen)
