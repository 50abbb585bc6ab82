# Each target sets itself up: the first one builds .venv with the pinned constraints, later ones reuse it.
#   make demo       text in, typed objects out
#   make test       the suite, under ten minutes on two cores
#   make test-long  the slow tests too
#   make lint       format, lint, types, import contracts
#   make bench      every number in the README

SHELL       := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS   += --no-print-directory
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PYTEST := $(BIN)/pytest -n 2 --dist worksteal

.PHONY: help demo test test-long lint format bench clean

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
