# Each target sets itself up: the first one builds .venv with the pinned constraints, later ones reuse it.
#   make demo       text in, typed objects out
#   make test       the suite, under ten minutes on two cores
#   make test-long  the slow tests too
#   make lint       format, lint, types, import contracts
#   make bench      every number in the README
#   make checkpoint the bundled model from nothing; wants one CUDA GPU for half an hour

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS   += --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PYTEST := $(BIN)/pytest -n 2 --dist worksteal

.PHONY: help demo test test-long lint format bench checkpoint clean

help:
	@sed -n 's/^#   //p' Makefile

demo: $(READY)
	@$(BIN)/python examples/01_invoices.py

test: $(READY)
	$(PYTEST) -m "not slow"

test-long: $(READY)
	$(PYTEST)

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python "$$script"; done

# The stages of docs/concepts/checkpoint.md, in order. RUNS keeps what they hand on; OUT gets the checkpoint.
RUNS      ?= runs
OUT       ?= $(RUNS)/nano
WORKERS   ?= 12
TOKENIZER := engine/deepinfer_engine/checkpoints/nano/tokenizer.json
SDK       := $(BIN)/python -m deepinfer_structured.trainset
TRAIN     := $(BIN)/python -m deepinfer_engine.training

checkpoint: $(READY)
	@mkdir -p $(RUNS)
	$(SDK) shards --out $(RUNS)/seen --seed 3 --limit 60000
	$(SDK) shards --out $(RUNS)/stream --seed 1 --workers $(WORKERS) & stream=$$!; \
	trap "kill $$stream" EXIT; \
	$(TRAIN).pretrain --data $(RUNS)/stream --consume --tokenizer $(TOKENIZER) --rows 64 --muon-rate 3e-3 \
	    --out $(RUNS)/first --minutes 9.5 --schedule-end 0.6; \
	$(TRAIN).pretrain --data $(RUNS)/stream --consume --tokenizer $(TOKENIZER) --rows 64 --muon-rate 3e-3 \
	    --resume $(RUNS)/first --out $(RUNS)/second --minutes 7.2 --schedule-start 0.6
	$(SDK).pieces --seen $(RUNS)/seen --out $(RUNS)/pieces
	$(TRAIN).rows --backbone $(RUNS)/second --seen $(RUNS)/seen --pieces $(RUNS)/pieces --tokenizer $(TOKENIZER) \
	    --out $(RUNS)/backbone
	$(TRAIN).export --backbone $(RUNS)/backbone --tokenizer $(TOKENIZER) --out $(RUNS)/undrafted
	$(SDK).answers --checkpoint $(RUNS)/undrafted --out $(RUNS)/answers --limit 7200 --workers 11 --batch 96 \
	    --per-shard 128 --device cuda
	$(TRAIN).draft --data $(RUNS)/answers --backbone $(RUNS)/backbone --tokenizer $(TOKENIZER) --anchors 96 \
	    --out $(RUNS)/draft --minutes 5.4
	$(TRAIN).export --backbone $(RUNS)/backbone --draft $(RUNS)/draft --tokenizer $(TOKENIZER) --out $(OUT)

clean:
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

# The first interpreter that is new enough and can make virtual environments; PYTHON=/path/to/python overrides.
$(READY): pyproject.toml constraints.txt
	@python=""; \
	for candidate in $(PYTHON) python3.11 python3.12 python3.13 python3.14 python3 python; do \
	    if "$$candidate" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	        python="$$candidate"; break; \
	    fi; \
	done; \
	if [ -z "$$python" ]; then \
	    echo "No Python >= 3.11 with the venv module found. Install one, or name it: make PYTHON=/path/to/python" >&2; \
	    exit 1; \
	fi; \
	if ! $(BIN)/python -c 'import pip' >/dev/null 2>&1; then \
	    echo "Making $(VENV) with $$("$$python" --version)"; \
	    "$$python" -m venv --clear $(VENV); \
	fi
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
