# The commands of a working day; CONTRIBUTING.md says when to use which.
PYTHON ?= python
BUILD = $(PYTHON) setup.py build_ext --inplace

.PHONY: dev debug sanitize test lint cython-lint docs annotate clean

dev:
	$(BUILD)

debug:
	MINITORCH_DEBUG=1 $(BUILD) --force

# CPython and NumPy leak by design; what NumPy's own loops do is theirs
SANITIZED = LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
SANITIZED_TESTS ?= tests/core tests/kernels tests/ops tests/autograd

sanitize:
	MINITORCH_SANITIZE=1 $(BUILD)
	$(SANITIZED) $(PYTHON) -m pytest -p no:cacheprovider $(SANITIZED_TESTS)

test:
	$(PYTHON) -m pytest

lint:
	ruff check .
	ruff format --check .
	$(MAKE) --no-print-directory cython-lint
	mypy
	codespell

# a parameter may bear the name of a helper that the module has as well
cython-lint:
	@! cython-lint minitorch 2>&1 | grep -v "shadows global import"

docs:
	$(PYTHON) -m sphinx -W -n docs docs/_build

annotate:
	MINITORCH_ANNOTATE=1 MINITORCH_ONLY='minitorch/autograd/engine.pyx' $(BUILD)
	@echo open minitorch/autograd/engine.html

clean:
	rm -rf build dist *.egg-info docs/_build docs/_generated docs/reference/derivatives docs/reference/*.rst docs/learn/exercises/a[0-9]*.md
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f minitorch/autograd/functions/generated/*.pyx minitorch/autograd/functions/generated/*.pxd minitorch/autograd/functions/tensor_methods.*
	rm -f minitorch/autograd/functions/call_table.py minitorch/autograd/functions/documentation.json minitorch/autograd/functions/overloads.json minitorch/autograd/functions/signature_table.py
	rm -f minitorch/core/module_table.py minitorch/__init__.pyi $(addprefix minitorch/,$(addsuffix /__init__.pyi,fft linalg special))
	find minitorch \( -name '*.so' -o -name '*.c' -o -name '*.html' \) -delete
	find minitorch tests tools benchmarks docs exercises -name __pycache__ -type d -prune -exec rm -rf {} +
