"""minitorch/compat/README.md lists every compatibility module and what needs it."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "minitorch" / "compat"


def rows(columns):
    """The rows of the table with so many columns: lists of cells."""
    if not (FOLDER / "README.md").exists():
        pytest.skip("wants the checkout: the table is not installed")
    lines = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    found = [
        [cell.strip() for cell in line[1:-1].split("|")] for line in lines if line[:3] == "| `"
    ]
    return [cells for cells in found if len(cells) == columns]


def test_every_compatibility_module_is_in_the_table():
    modules = sorted(
        path.stem
        for path in FOLDER.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    )
    assert [cells[0].strip("`") for cells in rows(4)] == modules


def test_every_module_of_this_kind_elsewhere_exists():
    listed = [cells[0].strip("`") for cells in rows(3)]
    assert len(listed) >= 7
    assert [name for name in listed if not (FOLDER.parent / name).exists()] == []


def test_every_module_in_the_table_is_needed():
    assert [cells[0] for cells in rows(4) + rows(3) if not any(cells[2:])] == []


def test_the_testing_modules_in_the_table_import_the_module():
    torch = pytest.importorskip(
        "torch", reason="needs the compat extra: pip install -e '.[compat]'"
    )
    files = {
        path.name: path.read_text(encoding="utf-8")
        for path in (Path(torch.__file__).parent / "testing" / "_internal").rglob("*.py")
    }
    for name, _, _, users in rows(4):
        module = name.strip("`")
        used = re.compile(
            rf"\btorch\.{module}\b|^\s*from torch import .*\b{module}\b", re.MULTILINE
        )
        for user in re.findall(r"`(\w+\.py)`", users):
            assert used.search(files[user]), f"{user} does not import {module}"
