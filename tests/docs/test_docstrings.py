"""Every example in a docstring runs, in compiled modules too, and prints what it says.

Examples with a process group run in a process of their own, since MPI starts once in a process and
stays: ``python -m tests.docs.test_docstrings`` prints what is wrong with each of them. Those of messages
need another rank to show more than their syntax.
"""

import doctest
import importlib
import importlib.util
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

import minitorch
from docs._ext.names import NAMESPACES, public_names
from minitorch.core.once import _given
from tests.distributed.ranks import ROOT, needs_mpi, start
from tests.docs.pages import Checker

FOLDER = Path(minitorch.__file__).resolve().parent
# runs a command when it is imported
NOT_IMPORTED = {
    "minitorch.__main__",
    "minitorch._dynamo.test_case",
}  # the latter on PyTorch's tests
# stand on a package that may not be there
if importlib.util.find_spec("tensorboard") is None:
    NOT_IMPORTED |= {
        f"minitorch.utils.tensorboard.{path.stem}".removesuffix(".__init__")
        for path in FOLDER.glob("utils/tensorboard/*.py")
    }
FORMULAS = "minitorch.autograd.formulas."  # read by the generator and never imported


def module_names():
    for path in sorted(FOLDER.rglob("*.py*")):
        if path.suffix in (".py", ".pyx"):
            parts = path.relative_to(FOLDER.parent).with_suffix("").parts
            # `minitorch.fx` is minitorch/compat/fx
            parts = [part for k, part in enumerate(parts) if k != 1 or part != "compat"]
            name = ".".join(parts).removesuffix(".__init__")
            if name not in NOT_IMPORTED and not name.startswith(FORMULAS):
                yield name


def documented(module):
    """``(name, docstring)`` of a module, its functions and classes and their members."""
    yield module.__name__, module.__doc__
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        yield f"{module.__name__}.{name}", getattr(value, "__doc__", None)
        if isinstance(value, type):
            for member_name, member in vars(value).items():
                if member_name != "__doc__":
                    member = getattr(member, "__func__", member)
                    yield f"{module.__name__}.{name}.{member_name}", getattr(member, "__doc__", "")


def examples():
    parser = doctest.DocTestParser()
    for module_name in module_names():
        module = importlib.import_module(module_name)
        for name, text in documented(module):
            if isinstance(text, str) and ">>>" in text:
                # examples of the operators' records call it torch, as programs do, and its names,
                # of which some are Python's, are not theirs
                names = {} if module is minitorch else dict(vars(module))
                names["torch"] = minitorch
                yield parser.get_doctest(text, names, name, module_name, 0)
    # what the modules above do not show: methods of Tensor, and classes that say to come from elsewhere
    for space in NAMESPACES:
        for name, value in public_names(space).items():
            text = getattr(value, "__doc__", None)
            if isinstance(text, str) and ">>>" in text:
                yield parser.get_doctest(
                    text, {"torch": minitorch}, f"{space}.{name}", "minitorch", 0
                )


def once(found):
    """Each docstring once, under the first name that has it."""
    seen = set()
    for test in found:
        if test.docstring not in seen:
            seen.add(test.docstring)
            yield test


def faults(test):
    """Run an example; return what is wrong with it as text."""
    report = io.StringIO()
    runner = doctest.DocTestRunner(Checker(), optionflags=doctest.ELLIPSIS)
    runner.run(test, out=report.write)
    return report.getvalue() if runner.failures else ""


ALL = list(once(examples()))
WITH_GROUP = [test for test in ALL if ">>> dist.init_process_group(" in test.docstring]
EXAMPLES = [test for test in ALL if test not in WITH_GROUP]


def test_there_are_examples_in_python_and_in_compiled_modules():
    names = {test.name for test in EXAMPLES}
    assert "minitorch.autograd.backward" in names
    assert "minitorch.autograd.events.Observer" in names
    assert "minitorch.autograd.node.Node.__call__" in names


@pytest.mark.parametrize("test", EXAMPLES, ids=lambda test: test.name)
def test_example(test):
    before = set(_given)
    found = faults(test)
    _given.intersection_update(before)  # other tests may expect a warning that is given once
    assert found == ""


@pytest.fixture(scope="module")
def faults_with_group():
    command = [sys.executable, "-W", "ignore", "-m", "tests.docs.test_docstrings"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


@needs_mpi
@pytest.mark.parametrize("name", [test.name for test in WITH_GROUP])
def test_example_with_a_process_group(name, faults_with_group):
    assert faults_with_group[name] == ""


@needs_mpi
def test_examples_of_messages_on_two_ranks():
    done = start("-m", 2, "tests.docs.test_docstrings", "distributed.messages.")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]


def main(prefix=None):
    """Print the faults of the examples; with a prefix of names, fail if one of these has a fault.

    The command `run` installs minitorch as `torch`, so that names may begin with either.
    """
    found = {
        test.name: faults(test)
        for test in WITH_GROUP
        if test.name.partition(".")[2].startswith(prefix or "")
    }
    if prefix is None:
        print(json.dumps(found))
    elif not found or any(found.values()):
        sys.exit("".join(found.values()) or "there is no example")


if __name__ == "__main__":
    main(*sys.argv[1:])
