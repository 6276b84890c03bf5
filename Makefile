# The commands of a working day; CONTRIBUTING.md says when to use which.
PYTHON ?= python
BUILD = $(PYTHON) setup.py build_ext --inplace

.PHONY: dev debug test lint docs annotate clean

dev:
	$(BUILD)

debug:
	MINITORCH_DEBUG=1 $(BUILD) --force

test:
	$(PYTHON) -m pytest

lint:
	ruff check .
	ruff format --check .
	cython-lint minitorch
	mypy

docs:
	$(PYTHON) -m sphinx -W -n docs docs/_build

annotate:
	MINITORCH_ANNOTATE=1 MINITORCH_ONLY='minitorch/autograd/engine.pyx' $(BUILD)
	@echo open minitorch/autograd/engine.html

clean:
	rm -rf build dist *.egg-info docs/_build docs/_generated
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f minitorch/autograd/functions/_generated.* minitorch/autograd/functions/tensor_methods.*
	find minitorch \( -name '*.so' -o -name '*.c' -o -name '*.html' \) -delete
	find minitorch tests tools benchmarks docs exercises -name __pycache__ -type d -prune -exec rm -rf {} +
