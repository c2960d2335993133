# Every target runs in .venv, which is made when it is missing or older than uv.lock.
.DEFAULT_GOAL := help
.PHONY: help demo test check conformance bench format clean

PYTHON ?= python3
UV_VERSION := 0.13.9
RUN := .venv/bin
SUITE := .data/conformance
ARGS ?=
WORKERS ?= 2

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: .venv/ready ## Run everything on this machine: database, issuer, server (ARGS=--once: a transcript)
	@$(RUN)/dunning demo $(ARGS)

test: .venv/ready ## Run the tests on a real PostgreSQL
	@$(RUN)/python -m pytest -n $(WORKERS) --dist loadscope $(ARGS)

check: .venv/ready ## Check format, lint, types and import contracts
	@$(RUN)/ruff format --check .
	@$(RUN)/ruff check .
	@$(RUN)/mypy
	@$(RUN)/lint-imports --no-cache

conformance: .venv/ready $(SUITE)/ready ## Run the public MCP conformance suite against the engine (needs npm)
	@$(RUN)/python -m tests.conformance

bench: .venv/ready ## Measure the budgets against bare servers in the same run
	@$(RUN)/python -m tests.budgets $(ARGS)

format: .venv/ready ## Format the code and sort its imports
	@$(RUN)/ruff check --fix-only --exit-zero -q .
	@$(RUN)/ruff format .

clean: ## Remove the environment, the demo's data and caches
	@rm -rf .venv .data .mypy_cache .ruff_cache .hypothesis

.venv/ready: uv.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.13") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv module is missing. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@echo "Making .venv (once, about a minute) ..."
	@test -x .venv/bin/python || $(PYTHON) -m venv .venv
	@$(RUN)/python -m pip install -q --disable-pip-version-check "uv==$(UV_VERSION)"
	@$(RUN)/uv sync -q --locked
	@touch $@

$(SUITE)/ready: tests/conformance/package.json tests/conformance/package-lock.json
	@command -v npm >/dev/null || { echo "npm is missing. On Debian and Ubuntu: apt-get install npm"; exit 1; }
	@echo "Installing the conformance suite in $(SUITE) (once, about a minute) ..."
	@mkdir -p $(SUITE)
	@cp $^ $(SUITE)
	@npm ci --prefix $(SUITE) --no-audit --no-fund --loglevel=error
	@touch $@
