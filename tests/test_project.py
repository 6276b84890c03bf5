"""The promises of README, and that nothing is left out where CI runs."""

import importlib
import os
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_readme_gives_both_commands_on_its_first_screen():
    first_screen = "\n".join((ROOT / "README.md").read_text().splitlines()[:40])
    assert 'pip install ".[demo]" && python -m minitorch demo' in first_screen
    assert 'pip install -e ".[test,compat]" && pytest' in first_screen
    assert "unrelated" in first_screen and "Cornell" in first_screen


def test_every_extra_that_the_texts_name_exists():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = set()
    for text in ("README.md", "CONTRIBUTING.md"):
        for extras in re.findall(r"pip install [^\n`]*\.\[([a-z,]+)\]", (ROOT / text).read_text()):
            named.update(extras.split(","))
    assert named
    assert named <= set(project["optional-dependencies"])


def test_every_link_to_a_file_in_the_texts_leads_somewhere():
    missing = []
    for text in ("README.md", "CONTRIBUTING.md"):
        for target in re.findall(r"\]\(([^):#]+)\)", (ROOT / text).read_text()):
            if not (ROOT / target).exists():
                missing.append(f"{text}: {target}")
    assert missing == []


def lines_below(*folders):
    sources = (path for f in folders for path in (ROOT / "minitorch" / f).rglob("*.py*"))
    kinds = (".py", ".pyx", ".pxd", ".pyi")
    return sum(len(p.read_text().splitlines()) for p in sources if p.suffix in kinds)


def test_readme_and_architecture_say_how_large_the_parts_are():
    """To 5,000 lines; generated files are only there after a build and count as well."""
    text = (ROOT / "README.md").read_text().replace("\n", " ")
    said = [
        int(n.replace(",", "")) for n in re.findall(r"([\d,]+),000(?= (?:lines|more|of|in))", text)
    ]
    parts = [("kernels", "ops"), ("nn", "optim"), ("compat",)]
    assert [said[k] for k in (1, 3, 4)] == pytest.approx(
        [lines_below(*folders) / 1000 for folders in parts], abs=5
    )


@pytest.mark.skipif("CI" not in os.environ, reason="guards CI alone")
@pytest.mark.parametrize("module", ["torch", "hypothesis", "sklearn", "tqdm", "matplotlib"])
def test_ci_has_what_tests_would_be_skipped_without(module):
    importlib.import_module(module)
