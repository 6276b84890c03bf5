"""The pages for newcomers: their programs do what they promise, and their code grows page by page."""

import ast
import importlib.util
import os
import re
import subprocess
import sys

import pytest

from tests.docs.pages import ROOT

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
START = ROOT / "docs/start"
ZERO = [ROOT / "docs/learn/zero" / f"{name}.md" for name in ("chain_rule", "graph")]
ZERO += [ROOT / "docs/learn/zero" / f"{name}.md" for name in ("accumulation", "vjp")]
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.py"))


@pytest.fixture(scope="module")
def extension():
    pytest.importorskip("sphinx", reason="needs the docs extra: pip install -e '.[docs]'")
    path = ROOT / "docs/_ext/programs.py"
    spec = importlib.util.spec_from_file_location("programs", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name):
    pytest.importorskip("sklearn", reason="needs the demo extra: pip install -e '.[demo]'")
    command = [sys.executable, str(START / "programs" / name)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_digits_are_read_with_98_percent_in_under_a_minute_of_cpu():
    started = os.times()
    printed = run("digits.py")
    ended = os.times()
    seconds = sum(ended[2:4]) - sum(started[2:4])  # user and system time of the child
    assert float(re.findall(r"test accuracy ([\d.]+)%", printed)[-1]) >= 98.0
    assert seconds < 60


@pytest.mark.slow
def test_the_moons_are_told_apart():
    right, points = re.search(r"(\d+) of (\d+) points", run("moons.py")).groups()
    assert int(right) >= 0.95 * int(points)


# --- the directive that runs programs


def runs(path):
    """Return the program and the options of each directive ``run`` of a page."""
    text = path.read_text(encoding="utf-8")
    found = []
    for match in re.finditer(r"^```\{run\} (.*)\n((?::.*\n)*)```$", text, re.MULTILINE):
        found.append((match[1], dict(re.findall(r"^:(\w+): *(.*)$", match[2], re.MULTILINE))))
    return found


PAGES_WITH_RUNS = [path for path in sorted(START.rglob("*.md")) if runs(path)]


def test_every_example_has_a_page_that_runs_it():
    for name in EXAMPLES:
        path = START / "gallery" / f"{name}.md"
        assert {program for program, _ in runs(path)} == {f"../examples/{name}.py"}
        assert f"\n{name}\n" in (START / "gallery/index.md").read_text(encoding="utf-8")
    assert sorted(path.stem for path in (START / "gallery").glob("*.md")) == sorted(
        [*EXAMPLES, "index"]
    )


def test_a_program_is_run_once_for_all_pages():
    settings = {}
    for path in PAGES_WITH_RUNS:
        for program, options in runs(path):
            settings.setdefault(program, set()).add(
                (options.get("arguments", ""), options.get("figures"))
            )
    assert {program: len(found) for program, found in settings.items()} == dict.fromkeys(
        settings, 1
    )


@pytest.mark.parametrize("path", PAGES_WITH_RUNS, ids=lambda path: path.stem)
def test_figures_exist_and_are_described(path):
    for program, options in runs(path):
        assert (ROOT / "docs" / program).resolve().exists()
        if "figure" in options:
            figures = (ROOT / "docs" / options["figures"]).read_text(encoding="utf-8")
            assert f"def draw_{options['figure']}(figure, names, output):" in figures
            assert options["alt"]


PROGRAM = """
import torch


def main():
    values = torch.ones(2).tolist()
    print("printed", values)


if __name__ == "__main__":
    main()
"""
FIGURES = """
def draw_line(figure, names, output):
    assert output == "printed [1.0, 1.0]\\n"
    figure.subplots().plot(names["values"])
"""


def test_a_program_is_run_and_drawn_once(extension, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib", reason="needs the demo extra: pip install -e '.[demo]'")
    program, figures = tmp_path / "program.py", tmp_path / "figures.py"
    program.write_text(PROGRAM)
    figures.write_text(FIGURES)
    monkeypatch.setattr(extension, "DOCS", tmp_path)
    folder = extension.result_of(program, [], figures, 1)
    assert (folder / "output.txt").read_text() == "printed [1.0, 1.0]\n"
    for theme in ("light", "dark"):
        assert "<svg" in (folder / f"line-{theme}.svg").read_text()
    began = (folder / "run.json").stat().st_mtime_ns
    assert extension.result_of(program, [], figures, 1) == folder
    assert (folder / "run.json").stat().st_mtime_ns == began

    program.write_text("raise ValueError('broken')")
    with pytest.raises(subprocess.CalledProcessError) as caught:
        extension.result_of(program, [], figures, 1)
    assert "ValueError: broken" in caught.value.stderr


# --- the code of "Autograd from zero"


def code(path):
    """Return the blocks of a page that define something, as text."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [block for block in found if ">>>" not in block]


def definitions(blocks):
    """Return name -> definition after all blocks; a later one replaces an earlier one."""
    found = {}
    for statement in ast.parse("\n".join(blocks)).body:
        match statement:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = statement
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=method)]):
                replacement = found.pop(statement.value.id)
                body = found[owner].body
                (index,) = [i for i, item in enumerate(body) if getattr(item, "name", "") == method]
                body[index] = replacement
    return {name: ast.unparse(statement) for name, statement in found.items()}


@pytest.mark.parametrize("number", range(1, len(ZERO)))
def test_the_code_so_far_is_that_of_the_pages_before(number):
    assert definitions(code(ZERO[number])[:1]) == definitions(code(ZERO[number - 1]))


def test_the_scalar_program_has_60_lines():
    (program, *_) = code(ZERO[-1])
    assert sum(bool(line.strip()) for line in program.splitlines()) == 60
    graph = sum(bool(line.strip()) for block in code(ZERO[1]) for line in block.splitlines())
    assert f"The code has {graph} lines" in ZERO[1].read_text(encoding="utf-8")
