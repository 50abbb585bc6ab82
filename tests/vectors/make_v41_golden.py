"""Make v41_golden.safetensors from the executable restatement of the model and the data it dumps.

    python tests/vectors/make_v41_golden.py RESTATEMENT.py DUMP.pt

Weights are not stored: `tests/engine/model/golden.py` draws them again from the seed, in the order of the stored names.
"""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

OUT = Path(__file__).with_name("v41_golden.safetensors")
# Every second row of the wide taps is kept.
TAP_ROWS = 2
REPLAY_TOKENS, REPLAY_ROLLBACK = 39, 3


def main(restatement: Path, dump: Path) -> None:
    spec = importlib.util.spec_from_file_location("restatement", restatement)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    data = torch.load(dump)
    config, weights, ids = data["config"], data["weights"], data["ids"]
    redrawn = module.random_weights(config)
    assert list(redrawn) == list(weights)
    assert all(torch.equal(redrawn[name], weights[name]) for name in weights)
    tensors = {"ids": torch.tensor(ids)}
    for quantised in (False, True):
        run, tag = data[f"quant={quantised}"], "on" if quantised else "off"
        tensors[f"{tag}.logits"] = run["logits"]
        tensors[f"{tag}.taps"] = run["taps"][::TAP_ROWS]
        tensors[f"{tag}.draft"] = torch.tensor(run["draft"])
        tensors[f"{tag}.draft_logits"] = run["draft_logits"]
        tensors[f"{tag}.confidence"] = run["confidence"]
        tensors |= {f"{tag}.{name}": value for name, value in replay(module, config, weights, ids, quantised).items()}
    names = {"config": json.dumps(config), "names": json.dumps(list(weights)), "check": repr(total(weights))}
    save_file({name: value.clone().contiguous() for name, value in tensors.items()}, OUT, metadata=names)


def replay(module: Any, config: Any, weights: Any, ids: list[int], quantised: bool) -> dict[str, torch.Tensor]:
    """Prefill with bounded replay, then two decoded tokens."""
    model = module.Model(config, weights, quantised)
    logits, taps = model.prefill_ced(ids[:REPLAY_TOKENS], config["window"] + REPLAY_ROLLBACK)
    after = torch.cat([model.forward([token])[0] for token in ids[REPLAY_TOKENS : REPLAY_TOKENS + 2]])
    return {"replay_logits": logits, "replay_taps": taps, "replay_after": after}


def total(weights: dict[str, torch.Tensor]) -> float:
    """A sum that shows whether weights drawn again are the same."""
    return sum(float(value.double().sum()) for value in weights.values())


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
