# Needs python3 (3.11, 3.12 or 3.13) with venv, make and a package index. Everything lives in one .venv; a stamp
# beside the packages redoes the set-up when a lock changes. Set-up talks on standard error.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
DEFAULT := .venv/default.stamp
EXTRAS := .venv/extras.stamp

SDK ?= server/sdk
PROTOS := $(wildcard proto/emptychair/v1/*.proto)
POSITION := examples/positions/arctic_scavengers/minimal.json
CLIENT := examples/clients/python/hint.py
NODE := examples/clients/node
MINUTES ?= 10
SECONDS ?= 60
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo serve test lint proto fresh bench scaling scaling-measure fingerprint fuzz soak test-clients node lock

help:  ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

demo: $(DEFAULT)  ## a hint on an example position, then the same from a server
	$(BIN)/emptychair hint $(POSITION)
	.ci/with-server $(BIN)/python $(CLIENT) $(POSITION)

serve: $(DEFAULT)  ## the service; ARGS="--listen 127.0.0.1:50051"
	$(BIN)/emptychair serve $(ARGS)

test: lint  ## all checks, in thirteen minutes; ARGS="-k draw" picks tests
	$(BIN)/emptychair warmup
	$(BIN)/pytest $(ARGS)

lint: fresh  ## style, types, protos, generated code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy engine bots server
	$(BIN)/buf lint proto

proto: $(EXTRAS)  ## regenerate the Python code of proto/
	rm -f $(SDK)/emptychair/v1/*_pb2*
	PATH="$(BIN):$$PATH" $(BIN)/python -m grpc_tools.protoc -Iproto --python_out=$(SDK) --grpc_python_out=$(SDK) \
		--mypy_out=quiet:$(SDK) --mypy_grpc_out=quiet:$(SDK) $(PROTOS)

fresh: $(EXTRAS)  ## fails when the generated code is not that of proto/
	rm -rf build/sdk && mkdir -p build/sdk
	$(MAKE) --no-print-directory proto SDK=build/sdk
	diff -rq -x __init__.py -x __pycache__ -x py.typed build/sdk/emptychair/v1 server/sdk/emptychair/v1

bench: $(EXTRAS)  ## the figures, in twenty minutes; ARGS=--json
	$(BIN)/emptychair bench $(ARGS)

scaling: $(EXTRAS)  ## the tables of docs/scaling.md; ARGS="tables --think-s 10" prints those of another mix
	$(BIN)/python -m server.bench.scaling $(or $(ARGS),document)

scaling-measure: $(EXTRAS)  ## docs/scaling.json of this machine, in ten minutes, then the tables; ARGS=--no-ray
	$(BIN)/emptychair warmup arctic_scavengers
	$(BIN)/python -m server.bench.scaling measure $(ARGS)
	$(BIN)/python -m server.bench.scaling document

fingerprint: $(EXTRAS)  ## keeps what the games do now, after a change that is meant to change it
	$(BIN)/python -c "from server.bench import behaviour; behaviour.write()"

fuzz: $(EXTRAS)  ## inputs nobody meant, led by coverage, SECONDS for each kind; ARGS="world replay"
	$(BIN)/python -m tests.fuzz.guided --seconds $(SECONDS) $(ARGS)

soak: $(EXTRAS)  ## the slow suites in full (hours), then all tests again and again in another order, for MINUTES
	EMPTYCHAIR_SOAK=1 $(BIN)/pytest --quiet -s --timeout=21600 tests/contract tests/fuzz tests/deploy tests/ray \
		tests/bots/test_strength.py
	$(MAKE) --no-print-directory fuzz SECONDS=300 ARGS=
	end=$$(($$(date +%s) + 60 * $(MINUTES))); \
	while [ $$(date +%s) -lt $$end ]; do $(BIN)/pytest --quiet $(ARGS) || exit 1; done

test-clients: $(DEFAULT) $(NODE)/node_modules/.package-lock.json | node  ## the example clients against a server
	npm run --silent --prefix $(NODE) build
	.ci/with-server $(BIN)/python $(CLIENT) $(POSITION)
	.ci/with-server $(BIN)/python examples/clients/python/analysis.py $(POSITION)
	.ci/with-server $(BIN)/python examples/clients/python/host.py kuhn_poker
	.ci/with-server node $(NODE)/build/hint.js $(POSITION)
	.ci/with-server node $(NODE)/build/game.js kuhn_poker
	.ci/with-server node $(NODE)/build/game.js arctic_scavengers

$(NODE)/node_modules/.package-lock.json: $(NODE)/package-lock.json | node
	@npm ci --silent --ignore-scripts --prefix $(NODE) >&2

node:
	@{ node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' && npm --version; } >/dev/null 2>&1 || \
		{ echo "Node.js 18 or newer with npm is needed: sudo apt-get install nodejs npm" >&2; exit 1; }

lock: $(EXTRAS)  ## pin the newest releases that pyproject.toml allows
	$(PIP) uv
	rm -f requirements.lock tests/requirements.lock deploy/*.lock
	$(LOCK) pyproject.toml --group build --all-extras -o tests/requirements.lock
	$(LOCK) pyproject.toml --group build -c tests/requirements.lock -o requirements.lock
	$(LOCK) --group build -c tests/requirements.lock -o deploy/build.lock
	$(LOCK) pyproject.toml --extra fast -c tests/requirements.lock -o deploy/front.lock
	$(LOCK) pyproject.toml --extra fast --extra ray --group cluster -c tests/requirements.lock -o deploy/ray.lock
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
	--no-emit-index-url --no-annotate --no-header

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "No Python 3.11, 3.12 or 3.13 found: install one, or say make PYTHON=/path/to/it" >&2; exit 1; }
	@$(PYTHON) -m venv .venv >&2

$(DEFAULT): requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what requirements.lock lists into .venv ..." >&2
	@$(PIP) --require-hashes -r requirements.lock >&2
	@$(PIP) --no-deps --no-build-isolation -e . >&2
	@touch $@

$(EXTRAS): tests/requirements.lock $(DEFAULT)
	@echo "Installing what tests/requirements.lock lists into .venv ..." >&2
	@$(PIP) --require-hashes -r tests/requirements.lock >&2
	@touch $@
