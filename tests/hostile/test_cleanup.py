"""Nothing that can raise stands where an exception would be lost, or a state of the thread not restored.

Cython prints what is raised in a ``__dealloc__`` or in a ``noexcept`` function and goes on, with whatever is left. What
a ``finally`` or an ``__exit__`` raises keeps the lines below it from running.
"""

import re
from pathlib import Path

import pytest

import minitorch

PACKAGE = Path(minitorch.__file__).parent
SOURCES = [path for kind in ("pyx", "pxd") for path in sorted(PACKAGE.rglob(f"*.{kind}"))]
# in C or Python, and cannot fail
_SAFE = {"free", "range", "Py_LeaveRecursiveCall"}
# the thread's state is as it should be when these are reached
_CHECKS = {
    "if _innermost() is not self:",
    "switch(self.device, enabled)",  # compiled, and writes to keys that are there
    "self._forget()",  # only `return False` follows
}


def _source_of(path):
    return re.sub(r'(?s)""".*?"""', lambda text: "\n" * text[0].count("\n"), path.read_text())


def functions_that_cannot_raise():
    """Return the names of the ``noexcept`` functions of all modules."""
    names = set(_SAFE)
    for path in SOURCES:
        signatures = re.findall(
            r"\bcdef [^=\n]*?(\w+)\((?:[^()]|\([^()]*\))*\)\s+noexcept", path.read_text()
        )
        names.update(signatures)
    return names


def blocks(source, start):
    """Return the lines of each block whose first line fits a pattern, with their numbers."""
    lines = source.split("\n")
    for number, line in enumerate(lines):
        if re.match(start, line.lstrip()):
            indent = len(line) - len(line.lstrip())
            block = []
            for k in range(number + 1, len(lines)):
                inner = lines[k].split("#")[0].rstrip()
                if inner and len(inner) - len(inner.lstrip()) <= indent:
                    break
                if inner:
                    block.append((k + 1, inner.strip()))
            yield block


def test_no_compiled_function_prints_an_exception_and_goes_on():
    compiled = [path.with_suffix(".c") for path in SOURCES if path.suffix == ".pyx"]
    compiled = [path for path in compiled if path.exists()]
    if not compiled:
        pytest.skip("the C files are not beside the modules: this is no build in place")
    found = [path.name for path in compiled if b"__Pyx_WriteUnraisable(" in path.read_bytes()]
    assert found == []


@pytest.mark.parametrize("start", ["finally:", "def __exit__"])
def test_what_can_raise_comes_last_in_cleanup(start):
    if not SOURCES:
        pytest.skip("the package was installed without its sources")
    safe = functions_that_cannot_raise()
    found = [
        f"{path.relative_to(PACKAGE)}:{number}: {line}"
        for path in SOURCES
        if path.name != "context.pyx"  # runs the program's own generators
        for block in blocks(_source_of(path), start)
        for number, line in block[:-1]
        if line not in _CHECKS and not line.startswith("raise ")
        if not set(re.findall(r"([\w.\]]+)\(", line)) <= safe
    ]
    assert found == []
