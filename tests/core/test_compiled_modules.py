"""The compiled modules of a folder are found in the folder's library."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import minitorch
from minitorch.core.compiled_modules import LIBRARY, CompiledModuleFinder, install
from minitorch.core.module_table import MODULES

PACKAGE = Path(minitorch.__file__).parent


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_compiled_module_comes_from_the_library_of_its_folder(name):
    module = importlib.import_module(name)
    folder = PACKAGE.joinpath(*name.split(".")[1:-1])
    assert module.__file__ == str(folder / LIBRARY)
    assert module.__spec__.origin == module.__file__
    assert module.__spec__.name == module.__name__ == name


def test_every_source_is_in_the_table():
    sources = {path.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("*.pyx")}
    names = {".".join(path.with_suffix("").parts) for path in sources}
    assert names | {"minitorch.core.cython_shared"} == MODULES


def test_a_library_is_no_module():
    with pytest.raises(ImportError, match="PyInit__compiled"):
        importlib.import_module("minitorch.core._compiled")


@pytest.mark.parametrize("name", ["minitorch.core.nothing", "minitorch.nothing.dtype"])
def test_other_names_are_not_found(name):
    with pytest.raises(ModuleNotFoundError, match="No module named"):
        importlib.import_module(name)
    assert CompiledModuleFinder.find_spec(name, minitorch.core.__path__) is None


def test_a_folder_without_a_library_has_no_compiled_modules(tmp_path):
    assert CompiledModuleFinder.find_spec("minitorch.core.dtype", [str(tmp_path)]) is None
    assert CompiledModuleFinder.find_spec("minitorch.core.dtype", None) is None


def test_the_finder_is_installed_once_and_last():
    install()
    assert sys.meta_path.count(CompiledModuleFinder) == 1
    program = "import minitorch, sys; print(sys.meta_path[-1].__name__)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout == "CompiledModuleFinder\n", run.stderr


def test_a_compiled_module_can_be_imported_first():
    program = "from minitorch.autograd.engine import read_flag; print(read_flag(True))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stdout == "True\n", run.stderr
