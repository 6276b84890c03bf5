"""Which modules setup.py compiles again."""

import os
import runpy
from pathlib import Path

import pytest
from setuptools import Distribution, Extension

ROOT = Path(__file__).resolve().parents[2]


class Compiler:
    """Notes what it compiles."""

    def __init__(self):
        self.compiled = []

    def object_filenames(self, sources, output_dir):
        return [str(Path(output_dir, source).with_suffix(".o")) for source in sources]

    def compile(self, sources, **settings):
        self.compiled += sources


@pytest.fixture
def build(tmp_path, monkeypatch):
    """The command build_ext of setup.py, for a checkout with the C file of one module."""
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.chdir(tmp_path)
    settings = runpy.run_path(str(ROOT / "setup.py"), run_name="settings")
    monkeypatch.setitem(settings["BuildExt"].build_extensions.__globals__, "ROOT", tmp_path)
    Path("package").mkdir()
    Path("package", "sample.c").write_text("")
    os.utime(Path("package", "sample.c"), (1000, 1000))
    library = Extension("package._compiled", [])
    command = settings["BuildExt"](Distribution({"name": "sample", "ext_modules": [library]}))
    command.finalize_options()
    command.compiler = Compiler()
    return command


SAMPLE = Extension("package.sample", ["package/sample.c"])


@pytest.mark.parametrize(("age", "compiled"), [(500, ["package/sample.c"]), (2000, [])])
def test_a_module_is_compiled_if_its_object_is_older(age, compiled, build):
    made = Path(build.build_temp, "package", "sample.o")
    made.parent.mkdir(parents=True)
    made.write_text("")
    os.utime(made, (age, age))
    assert build.compile_module(SAMPLE) == str(made)
    assert build.compiler.compiled == compiled


def test_a_module_is_compiled_if_it_has_no_object(build):
    build.compile_module(SAMPLE)
    assert build.compiler.compiled == ["package/sample.c"]


def test_a_library_of_one_module_is_removed(build):
    own = Path(build.get_ext_filename("package.sample"))
    built = Path(build.build_lib, own)
    built.parent.mkdir(parents=True)
    for path in (own, built):
        path.write_text("Python would find it before the library of the folder")
    build.remove_own_library(SAMPLE, build.extensions[0])
    assert not own.exists()
    assert not built.exists()
    build.remove_own_library(SAMPLE, build.extensions[0])  # nor does it have to be there


def test_modules_are_linked_by_folder(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    library_of = runpy.run_path(str(ROOT / "setup.py"), run_name="settings")["library_of"]
    assert library_of("minitorch.core.dtype") == "minitorch.core._compiled"
    assert library_of("minitorch.ops.nn.loss") == "minitorch.ops.nn._compiled"
    assert library_of("tests.probes.ops.loss") == "tests.probes.ops.loss"


def test_kinds_of_builds_differ(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    settings = runpy.run_path(str(ROOT / "setup.py"), run_name="settings")
    kind, compiler = settings["kind_of_build"], settings["Compiler"]
    plain, threaded = compiler(False, [], [], False), compiler(False, ["-fopenmp"], [], True)
    monkeypatch.delenv("CFLAGS", raising=False)
    kinds = [kind(plain), kind(threaded)]
    monkeypatch.setenv("CFLAGS", "-O0")
    kinds.append(kind(threaded))
    assert len(set(kinds)) == 3
