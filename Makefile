# make demo    set everything up and run the main job, without a key
# make test    set everything up and run the tests
# make check   lint, types, layers, the rules of the house and the site; each is a target too, and `make -k check` goes
#              through all
# make site    build the docs into build/site; any warning fails
# make fuzz    throw bytes at the reader of skills for a while; SECONDS=200 for longer
# make budget  count the instructions of the hot paths and hold them to bench/budget.toml; needs valgrind
# make clean   take away what these leave behind
#
# Set-up goes into .venv, with uv where it is on the PATH, else with python3's venv and pip. It is done again when
# pyproject.toml changes. PYTHON=python3.12 chooses another interpreter; WORKERS=4 gives the tests more processes.

PYTHON ?= python3
WORKERS ?= 2
BIN := .venv/bin
UV := $(shell command -v uv 2>/dev/null)

SECONDS ?= 30

.PHONY: demo test check lint types layers rules site fuzz budget clean
.DELETE_ON_ERROR:

demo: .venv/.installed
	$(BIN)/metier run expense-report --file examples/expenses.csv --yes

test: .venv/.installed-dev
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

check: lint types layers rules site

lint: .venv/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/.installed-dev
	$(BIN)/mypy
	$(BIN)/pyright

layers: .venv/.installed-dev
	$(BIN)/lint-imports --no-cache --no-logo

rules: .venv/.installed-dev
	$(BIN)/python -m pytest -q tests/rules

site: .venv/.installed-dev
	$(BIN)/python -m docs_site build

fuzz: .venv/.installed-dev
	$(BIN)/python -m tests.fuzz.fuzz_reader --seconds $(SECONDS) --into .fuzz

budget: .venv/.installed-dev
	$(BIN)/python bench/count.py --check

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# A stamp says that a set-up reached its end; one that was broken off is done again.
.venv/.installed: pyproject.toml Makefile .venv/.at
ifneq ($(UV),)
	"$(UV)" pip install --quiet --python $(BIN)/python --compile-bytecode --editable .
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
endif
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m compileall -q src
	@touch $@

# `--group` came with pip 25.1; Debian's venv brings an older one.
.venv/.installed-dev: .venv/.installed
ifneq ($(UV),)
	"$(UV)" pip install --quiet --python $(BIN)/python --compile-bytecode --group dev
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
endif
	@touch $@

# .at holds the place that the .venv was made for. It does not fit, and so the .venv is made anew, where the tree was copied
# or moved, or where the interpreter is gone. A .venv that somebody made by hand is taken as it is if it can serve.
AT := $(shell .venv/bin/python -c '' 2>/dev/null && cat .venv/.at 2>/dev/null)
ifneq ($(AT),$(CURDIR))
.PHONY: .venv/.at
endif

FITS := sys.exit(sys.version_info < (3, 11))
MAKE_VENV := $(PYTHON) -m venv --clear .venv
ifneq ($(UV),)
MAKE_VENV := "$(UV)" venv --quiet --clear --python '$(if $(filter file,$(origin PYTHON)),>=3.11,$(PYTHON))' .venv
endif

.venv/.at:
ifeq ($(UV),)
	@$(PYTHON) -c 'import ensurepip, sys, venv; $(FITS)' 2>/dev/null || { \
	  echo 'metier needs Python 3.11 or newer with its venv module; $(PYTHON) is not that. On Debian 12 or newer, as root:' >&2; \
	  echo '    apt-get install python3 python3-venv' >&2; \
	  exit 1; }
endif
	@if test -e $@ || ! $(BIN)/python -c 'import pip, sys; $(FITS)' 2>/dev/null; then $(MAKE_VENV); fi
	@echo '$(CURDIR)' > $@
