"""The map between PyTorch and minitorch: each name is looked up where the page says it is."""

import functools
import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, source_finder

PAGE = ROOT / "docs" / "learn" / "map.md"
LIBRARIES = ("libtorch_cpu.so", "libc10.so")


def sections():
    """Yield ``(PyTorch's files, our files, rows)`` of each table."""
    for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        if match := re.search(r"^PyTorch: (.*?)\s+^Here: (.*?)\.$", part, re.M | re.S):
            theirs, ours = (re.findall(r"`([^`]+)`", text) for text in match.groups())
            rows = re.findall(r"^\| (.*?) ?\| (.*?) ?\| (.*?) ?\|$", part, re.M)[1:]
            yield theirs, ours, rows


ROWS = [
    pytest.param(theirs, ours, row, id=f"{row[0]} {row[1]}".replace("`", ""))
    for theirs, ours, rows in sections()
    for row in rows
]


def name_in(cell):
    match = re.match(r"`([^`]+)`", cell)
    return match and match[1]


@functools.cache
def folder_of_pytorch():
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        pytest.skip("PyTorch is not installed")
    return Path(spec.origin).parent


@functools.cache
def symbols():
    """Return the functions that PyTorch's libraries define, without their parameters."""
    paths = [folder_of_pytorch() / "lib" / name for name in LIBRARIES]
    if shutil.which("nm") is None or not all(path.exists() for path in paths):
        pytest.skip("there is no nm, or PyTorch's libraries are not those of Linux")
    found = set()
    for path in paths:
        listed = subprocess.run(
            ["nm", "-DC", "--defined-only", path], check=True, capture_output=True, text=True
        )
        for line in listed.stdout.splitlines():
            _, kind, name = line.split(" ", 2)
            if kind == "T":
                name = re.sub(r"\[abi:\w+\]", "", name).partition("(")[0]
                found |= {name.split("::", k)[-1] for k in range(name.count("::") + 1)}
    return found


def text_of(file):
    """Return the text of a header or module of PyTorch; None for a file that is not installed."""
    folder = folder_of_pytorch()
    if file.endswith(".py"):
        path = folder.parent / file
        return path.read_text(encoding="utf-8")
    if file.endswith(".h"):
        inside = file if "/" in file and not file.startswith("functions/") else None
        path = folder / "include" / (inside or f"torch/csrc/autograd/{file}")
        return path.read_text(encoding="utf-8")
    return None


def test_the_page_has_rows():
    assert len(ROWS) >= 45
    assert len(list(sections())) == PAGE.read_text(encoding="utf-8").count("\nHere: ")


@pytest.mark.parametrize("theirs, ours, row", ROWS)
def test_pytorch_has_the_name(theirs, ours, row):
    name = name_in(row[0])
    if name is None:
        return
    if row[0].endswith("†"):
        assert name not in symbols(), f"{name} has a symbol"
        return
    plain = name.rpartition("::")[2].rpartition(".")[2]
    texts = [text for file in theirs if (text := text_of(file)) is not None]
    defined = re.compile(rf"^\s*(?:async )?(?:def|class|struct)\b.*\b{plain}\b", re.M)
    inline = re.compile(rf"\b{plain}\s*\(")
    assert name in symbols() or any(
        defined.search(text) or ("::" not in name and inline.search(text)) for text in texts
    )


@pytest.mark.parametrize("theirs, ours, row", ROWS)
def test_minitorch_has_the_name(theirs, ours, row):
    paths = [ROOT / "minitorch" / file for file in ours]
    assert all(path.exists() for path in paths)
    name = name_in(row[1])
    if name is not None:
        assert any(name in source_finder.objects(str(path)) for path in paths)
    for other in re.findall(r"in `([^`]+)`", row[2]):
        assert (ROOT / "minitorch" / other).exists()
