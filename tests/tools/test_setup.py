"""Which modules setup.py compiles again."""

import os
import runpy
from pathlib import Path

import pytest
from setuptools import Distribution, Extension

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def build(tmp_path, monkeypatch):
    """The command build_ext of setup.py, for a checkout with the C file of one module."""
    monkeypatch.syspath_prepend(str(ROOT))
    monkeypatch.chdir(tmp_path)
    settings = runpy.run_path(str(ROOT / "setup.py"), run_name="settings")
    monkeypatch.setitem(settings["BuildExt"].build_extension.__globals__, "ROOT", tmp_path)
    Path("sample.c").write_text("")
    os.utime("sample.c", (1000, 1000))
    command = settings["BuildExt"](
        Distribution({"name": "sample", "ext_modules": [Extension("sample", ["sample.c"])]})
    )
    command.build_lib, command.build_temp = "lib", "temp"
    command.finalize_options()
    command.force = False
    return command


def place(command, time):
    """Put a module into the checkout; return where it is."""
    path = Path(command.get_ext_filename("sample"))
    path.write_text("the module of the checkout")
    os.utime(path, (time, time))
    return path


def compiles(command):
    """Return whether the command tries to compile; there is no compiler, so that it fails."""
    try:
        command.build_extension(command.extensions[0])
    except Exception:  # noqa: BLE001 (setuptools' versions raise different ones)
        return True
    return False


def test_a_module_of_the_checkout_that_is_newer_than_its_source_is_taken(build):
    place(build, 2000)
    assert not compiles(build)
    built = Path("lib", build.get_ext_filename("sample"))
    assert built.read_text() == "the module of the checkout"


@pytest.mark.parametrize("change", ["older", "forced", "missing"])
def test_another_is_compiled(build, change):
    if change != "missing":
        place(build, 500 if change == "older" else 2000)
    build.force = change == "forced"
    assert compiles(build)


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
