"""Every block of Python in the texts runs, and prints what it says."""

import contextlib
import doctest
import io
import re

import pytest

from tests.docs.pages import PAGES, Checker, blocks, name_of

FLAGS = doctest.ELLIPSIS
WITH_PYTHON = [path for path in PAGES if blocks(path, "python")]


def test_the_texts_have_examples():
    assert {"README.md", "docs/start/tensors.md", "docs/learn/backward/index.md"} <= {
        name_of(path) for path in WITH_PYTHON
    }


@pytest.mark.parametrize("path", WITH_PYTHON, ids=name_of)
def test_examples(path, tmp_path, monkeypatch):
    # what an example saves is saved there
    monkeypatch.chdir(tmp_path)
    # one namespace for a page: its blocks follow on each other
    namespace = {"__name__": "__main__"}
    for line, text in blocks(path, "python"):
        if "torch.testing._internal" in text:
            pytest.importorskip(
                "torch", reason="needs the compat extra: pip install -e '.[compat]'"
            )
        if ">>>" in text:
            run_session(text, namespace, name_of(path), line)
        else:
            run_script(text, namespace, name_of(path), line)


def run_session(text, namespace, name, line):
    test = doctest.DocTestParser().get_doctest(text, namespace, f"{name}:{line}", name, line - 1)
    report = io.StringIO()
    runner = doctest.DocTestRunner(Checker(), optionflags=FLAGS)
    runner.run(test, out=report.write, clear_globs=False)
    namespace.update(test.globs)
    assert runner.failures == 0, report.getvalue()


def run_script(text, namespace, name, line):
    """A block without prompts: the comments behind its prints are what they print."""
    wanted = "".join(f"{shown}\n" for shown in re.findall(r"^print\(.*\)  # (.*)$", text, re.M))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * (line - 1) + text, name, "exec"), namespace)
    same = doctest.OutputChecker().check_output(wanted, printed.getvalue(), FLAGS)
    assert same, f"{name}:{line}: {printed.getvalue()!r} is not {wanted!r}"
