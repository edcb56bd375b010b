# `make help` lists the targets. Each one sets up what it needs; nothing is installed outside
# this folder and the cache but a browser for tests, where there is none (see `browser`).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
# A version manager's shim may be on the path and still refuse to run.
NEWEST = $(or $(filter-out python3,$(PYTHON)),$(shell for name in python3.1{3,2,1,0}; do $$name -c '' 2> /dev/null && echo $$name && break; done))
NEWEST_ENVIRONMENT = .venv-$(shell $(NEWEST) -c 'import sys; print("py%d.%d" % sys.version_info[:2])')
UV := uv==0.13.7
RELEASE_TOOLS := $(UV) twine==7.0.0 pipx==1.18.4
BIN := .venv/bin
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/goldspan
PEER = $(CACHE)/peer-$(shell { cat benchmarks/peer.txt; $(PYTHON) -VV; } | sha256sum | cut -c1-16)
LABEL_STUDIO = $(CACHE)/label-studio-$(shell { cat tests/e2e/label-studio.txt; $(PYTHON) -VV; } | sha256sum | cut -c1-16)
CONTINUA = $(CACHE)/continua-$(shell sed -n 's/^pygamma-agreement==//p' benchmarks/peer.txt)
# Tests run side by side, each file in one process. Three processes keep two cores busy, because many
# tests wait for a server or a browser. Files come in the order of tests/running_order.py.
SHARED := -n 3 --dist loadfile --no-loadscope-reorder
# constraints.txt has wheels for Python 3.10 to 3.13; a newer Python takes the newest versions.
LOCKED = --disable-pip-version-check -q $(shell $(PYTHON) -c 'import sys; print("-c constraints.txt" * (sys.version_info < (3, 14)))')

# What `make part` tests: engine, adapters, plugin, or e2e for all the rest.
PART ?= engine
# Which versions `make test-versions` takes: lowest-direct or highest.
RESOLUTION ?= lowest-direct

# How long `make fuzz` runs, and which inputs it makes.
SECONDS ?= 60
SEED ?= 1

# What `make wheel` tests, and what only the tree has.
ON_WHEEL := wheel and not (simulation or repository)
WHEEL_ENVIRONMENT := .venv-wheel

.PHONY: help demo demo-label-studio test part test-versions fuzz release bench conformance docs picture site lint lock tree wheel wheel-environment test-newest browser continua label-studio clean

help:  ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 20

demo: .venv/ready  ## two rounds on bundled data with report, trend and gold; says where to look
	$(BIN)/goldspan demo demo

demo-label-studio: .venv/ready  ## a Label Studio with three annotators, two rounds and goldspan, to click through
	@test -e "$(LABEL_STUDIO)/ready" || $(MAKE) -s "$(LABEL_STUDIO)/ready"
	@PYTHONPATH=tests $(BIN)/python examples/label_studio/demo.py $(ARGS)

# Each test runs once here, on the tree or on the wheel: the files of the two are the same byte by
# byte, which a test on the wheel shows. pip waits for disk and network while mypy computes.
test: .venv/ready browser continua label-studio  ## everything: lint, types, tests on the tree and on the built wheel, a minute of fuzzing
	@$(MAKE) -s -j 2 --output-sync=target lint wheel-environment
	$(BIN)/pytest -q $(SHARED) -m "not ($(ON_WHEEL))"
	@$(call test_in,$(WHEEL_ENVIRONMENT),$$($(BIN)/python tests/wheel_tests.py) -m "$(ON_WHEEL)")
	@$(MAKE) -s fuzz

lint: .venv/ready  ## ruff, mypy and the prose check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	MYPYPATH=tests:docs $(BIN)/mypy benchmarks action/comment.py docs/check_prose.py docs/fill_urls.py docs/make_api.py docs/make_coefficients.py docs/make_commands.py docs/make_conformance.py docs/make_curves.py docs/make_notebook.py docs/curve_variants.py docs/papers_said.py docs/make_picture.py docs/make_adjudicate_pictures.py docs/make_open_picture.py docs/make_schema.py docs/stage_pages.py examples/newsroom examples/spacy_project
	MYPYPATH=tests $(BIN)/mypy --follow-imports=silent examples/label_studio
	$(BIN)/python docs/check_prose.py

tree: .venv/ready browser continua label-studio  ## the tests on the working tree
	$(BIN)/pytest -q $(SHARED)

wheel: wheel-environment browser continua label-studio  ## build the wheel and run the tests of tests/wheel_tests.py on it in an environment of its own
	@$(call test_in,$(WHEEL_ENVIRONMENT),$$($(BIN)/python tests/wheel_tests.py) -m "$(ON_WHEEL)")

wheel-environment: .venv/ready
	@$(call install_wheel,$(PYTHON),$(WHEEL_ENVIRONMENT))

test-newest: .venv/ready browser continua label-studio  ## nearly all tests on the wheel with the newest Python, or with PYTHON=/path/to/python3.13
	@test -n "$(NEWEST)" || { echo "no newer Python was found; name one: make test-newest PYTHON=/path/to/python3.13" >&2; exit 2; }
	@$(call install_wheel,$(NEWEST),$(NEWEST_ENVIRONMENT))
	@$(call test_in,$(NEWEST_ENVIRONMENT),--hypothesis-profile=quick -m "wheel or not (e2e or simulation or repository)")

part: .venv/ready browser continua  ## the tests of one part on the working tree: make part PART=engine|adapters|plugin|e2e
ifeq ($(PART),e2e)
	@$(MAKE) -s label-studio
	$(BIN)/pytest -q $(SHARED) tests --ignore=tests/engine --ignore=tests/adapters --ignore=tests/plugin
else
	$(BIN)/pytest -q $(SHARED) tests/$(PART)
endif

# What other packages warn of is an error only with the versions of constraints.txt.
test-versions: continua  ## engine and adapters with the oldest versions that are allowed, or RESOLUTION=highest
	@scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
	$(PYTHON) -m venv "$$scratch/tools"; "$$scratch/tools/bin/pip" install --disable-pip-version-check -q '$(UV)'; \
	uv="$$scratch/tools/bin/uv"; \
	"$$uv" venv -q --seed --python "$$(command -v $(PYTHON))" "$$scratch/env"; \
	"$$uv" pip compile -q --python "$$scratch/env/bin/python" --resolution $(RESOLUTION) --no-header --no-annotate \
	  pyproject.toml --extra all -o "$$scratch/versions.txt"; \
	"$$uv" pip install -q --compile-bytecode --python "$$scratch/env/bin/python" -r "$$scratch/versions.txt" --group test hatchling; \
	"$$uv" pip install -q --python "$$scratch/env/bin/python" --no-build-isolation --no-deps -e .; \
	grep -iE '^(numpy|scipy|numba|highspy|pulp|msgspec|spacy|lxml)==' "$$scratch/versions.txt"; \
	"$$scratch/env/bin/pytest" -q $(SHARED) -p no:cacheprovider -W default --hypothesis-profile=quick -m "not simulation" tests/engine tests/adapters

fuzz: .venv/ready  ## damaged files of every format, for a minute; make fuzz SECONDS=3600 SEED=2
	PYTHONPATH=tests $(BIN)/python -m fuzz --seconds $(SECONDS) --seed $(SEED)

# The one thing that is installed outside: reports are tested in a real browser.
browser:
	@for name in chromium chromium-browser google-chrome; do command -v $$name > /dev/null && exit 0; done; \
	if test "$$(id -u)" = 0 && command -v apt-get > /dev/null; then \
	  echo "installing chromium, for the tests of reports (once)"; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } > /dev/null 2>&1 && exit 0; \
	fi; \
	echo "*** THERE IS NO CHROMIUM AND IT CANNOT BE INSTALLED: THE TESTS OF REPORTS IN A BROWSER ARE SKIPPED ***" >&2

# The continua on which published disorders are known come with pygamma-agreement's sources.
continua: .venv/ready
	@test -e "$(CONTINUA)/ready" || $(MAKE) -s "$(CONTINUA)/ready" || \
	echo "*** THE PUBLIC CONTINUA CANNOT BE DOWNLOADED: THE TESTS WITH THEIR DISORDERS ARE SKIPPED ***" >&2

# Nor does one go without a real Label Studio unseen: 1 GB in the cache, made once.
label-studio:
	@test -e "$(LABEL_STUDIO)/ready" || $(MAKE) -s "$(LABEL_STUDIO)/ready" || \
	echo "*** LABEL STUDIO CANNOT BE INSTALLED: THE TESTS WITH A REAL LABEL STUDIO ARE SKIPPED ***" >&2

release: .venv/ready  ## build and check what would be published; install it with pip, pipx and uv; publishes nothing
	@rm -rf dist; $(BIN)/python -m build --no-isolation --outdir dist > /dev/null; \
	scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
	$(PYTHON) -m venv "$$scratch/tools"; \
	"$$scratch/tools/bin/pip" install --disable-pip-version-check -q $(RELEASE_TOOLS); \
	"$$scratch/tools/bin/twine" check --strict dist/*; \
	wheel=$$(echo "$$PWD"/dist/*.whl); \
	export PIPX_HOME="$$scratch/pipx" PIPX_BIN_DIR="$$scratch/pipx-bin" PIPX_MAN_DIR="$$scratch/pipx-man"; \
	export UV_TOOL_DIR="$$scratch/uv" UV_TOOL_BIN_DIR="$$scratch/uv-bin"; \
	echo "installing with pip"; $(PYTHON) -m venv "$$scratch/pip"; \
	"$$scratch/pip/bin/pip" install --disable-pip-version-check -q "$$wheel"; \
	echo "installing with pipx"; "$$scratch/tools/bin/pipx" install -q --python "$(PYTHON)" "$$wheel"; \
	echo "installing with uv"; "$$scratch/tools/bin/uv" tool install -q --python "$$(command -v $(PYTHON))" "$$wheel"; \
	for bin in pip/bin pipx-bin uv-bin; do \
	  "$$scratch/$$bin/goldspan" --version; "$$scratch/$$bin/goldspan" demo "$$scratch/demo-$${bin%%/*}" > "$$scratch/demo.txt"; \
	  tail -n 5 "$$scratch/demo.txt"; \
	done; ls -l dist

bench: .venv/ready label-studio  ## compare speed with pygamma-agreement and write docs/benchmarks.md (about 30 minutes)
	@$(MAKE) -s "$(PEER)/ready"
	$(BIN)/python -m benchmarks --peer "$(PEER)" $(ARGS)

conformance: .venv/ready  ## take pygamma-agreement's answers to the conformance set, and write its page
	@$(MAKE) -s "$(PEER)/ready"
	"$(PEER)/bin/python" -m benchmarks.peer_answers plugin/goldspan/plugin/conformance/set.json 2> /dev/null > benchmarks/pygamma-answers.json.part
	mv benchmarks/pygamma-answers.json.part benchmarks/pygamma-answers.json
	$(BIN)/python docs/make_conformance.py

docs: .venv/ready  ## write docs/commands.md from the command line, docs/api.md from the docstrings, the schema and docs/json.md from the types
	$(BIN)/python docs/make_commands.py
	$(BIN)/python docs/make_api.py
	$(BIN)/python docs/make_coefficients.py
	$(BIN)/python docs/make_schema.py
	$(BIN)/python docs/make_conformance.py
	$(BIN)/python docs/make_notebook.py

site: .venv/ready  ## build the documentation as a site in build/site; a warning is an error
	$(BIN)/python docs/stage_pages.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "open build/site/index.html"

picture: .venv/ready browser  ## take the pictures of the demo's report and of the pages in the browser
	PYTHONPATH=tests $(BIN)/python docs/make_picture.py
	PYTHONPATH=tests $(BIN)/python docs/make_adjudicate_pictures.py
	PYTHONPATH=tests $(BIN)/python docs/make_open_picture.py

lock:  ## resolve the newest versions of everything for Python 3.10 to 3.13 into constraints.txt
	@scratch=$$(mktemp -d); trap 'rm -rf "$$scratch"' EXIT; \
	$(PYTHON) -m venv "$$scratch"; \
	"$$scratch/bin/pip" install --disable-pip-version-check -q '$(UV)'; \
	resolve() { "$$scratch/bin/uv" pip compile -q --universal --python-version 3.10 \
	  --no-header --no-annotate --no-emit-index-url "$$@"; }; \
	{ echo '# What goldspan is tested with, Python 3.10 to 3.13. Written by `make lock`.'; \
	  resolve pyproject.toml --extra all --group dev; } > "$$scratch/constraints.txt"; \
	{ echo '# The tool that `make bench` compares with. Written by `make lock`.'; \
	  echo 'pygamma-agreement==0.5.9' | resolve - -c "$$scratch/constraints.txt"; } > "$$scratch/peer.txt"; \
	{ echo '# The Label Studio that goldspan is tested with and shown on. Written by `make lock`.'; \
	  echo 'label-studio==1.23.2' | resolve -; } > "$$scratch/label-studio.txt"; \
	mv "$$scratch/constraints.txt" constraints.txt; mv "$$scratch/peer.txt" benchmarks/peer.txt; \
	mv "$$scratch/label-studio.txt" tests/e2e/label-studio.txt

clean:  ## remove what the other targets made here
	rm -rf .venv .venv-* dist build demo demo-label-studio .mypy_cache .ruff_cache .pytest_cache .hypothesis

# pip is upgraded first: the one a system ships may know neither groups nor these markers. Tools come
# before goldspan, because those without a wheel are built in an environment of their own.
.venv/ready: pyproject.toml constraints.txt
	@echo "setting up .venv (once; a few minutes on a fresh machine)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install $(LOCKED) pip hatchling
	@$(BIN)/python -m pip install $(LOCKED) --group dev
	@$(BIN)/python -m pip install $(LOCKED) --no-build-isolation -e '.[all]'
	@touch $@

# install_wheel PYTHON FOLDER: the wheel is built from the source distribution, so both are tested.
# A test there builds a package, hence hatchling.
define install_wheel
rm -rf dist; $(BIN)/python -m build --no-isolation --outdir dist > /dev/null; \
test -x $(2)/bin/python || $(1) -m venv $(2); \
$(2)/bin/python -m pip install $(LOCKED) pip hatchling; \
$(2)/bin/python -m pip install $(LOCKED) "$$(echo dist/*.whl)[all]" --group test; \
$(2)/bin/python -m pip install $(LOCKED) --force-reinstall --no-deps dist/*.whl
endef

# test_in FOLDER TESTS: on the wheel that is installed there.
define test_in
echo "testing $$(basename dist/*.whl) on $$($(1)/bin/python -V)"; \
$(1)/bin/pytest -q $(SHARED) -o "pythonpath=tests ." -o cache_dir=$(1)/pytest_cache $(2)
endef

# The peer's own test continua come with its source distribution. The folder's name says what is
# in it, so it is made once.
$(CACHE)/peer-%/ready:
	@echo "setting up $(@D) (once)"
	@rm -rf "$(@D)"; mkdir -p "$(@D)/source"
	@$(PYTHON) -m venv "$(@D)"
	@"$(@D)/bin/pip" install --disable-pip-version-check -q -r benchmarks/peer.txt
	@"$(@D)/bin/pip" download --disable-pip-version-check -q --no-deps --no-binary pygamma-agreement \
	  -d "$(@D)/source" "$$(grep pygamma benchmarks/peer.txt)"
	@tar -xzf "$(@D)"/source/*.tar.gz -C "$(@D)/source" --strip-components=1
	@touch "$@"

$(CACHE)/continua-%/ready:
	@echo "downloading the public continua (once)"
	@rm -rf "$(@D)"; mkdir -p "$(@D)"
	@$(BIN)/pip download --disable-pip-version-check -q --no-deps --no-binary pygamma-agreement \
	  -d "$(@D)" "pygamma-agreement==$*"
	@tar -xzf "$(@D)"/*.tar.gz -C "$(@D)" --strip-components=1
	@touch "$@"

# An empty database goes with it: to make one takes half a minute, to copy it nothing.
$(CACHE)/label-studio-%/ready:
	@echo "setting up $(@D) (once; a few minutes)"
	@rm -rf "$(@D)"; mkdir -p "$(@D)"
	@$(PYTHON) -m venv "$(@D)"
	@"$(@D)/bin/pip" install --disable-pip-version-check -q -r tests/e2e/label-studio.txt
	@LABEL_STUDIO_BASE_DATA_DIR="$(@D)/data" COLLECT_ANALYTICS=false LATEST_VERSION_CHECK=false SENTRY_DSN= \
	  "$(@D)/bin/label-studio" version > "$(@D)/migration.log" 2>&1
	@cp tests/e2e/label-studio.txt "$(@D)/requirements.txt"
	@touch "$@"
