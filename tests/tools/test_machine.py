"""What a machine lacks is said in one sentence before anything is translated."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy
import pytest
from setuptools.errors import PlatformError

from tools import machine

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def find():
    """``find_compiler`` without the answer of an earlier call."""
    return machine.find_compiler.__wrapped__


def test_on_windows_the_error_names_wsl2(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(PlatformError, match=r"does not build on Windows: install WSL2"):
        machine.check_platform()


def test_on_free_threaded_python_the_error_names_the_ordinary_build(monkeypatch):
    monkeypatch.setattr(sysconfig, "get_config_var", lambda name: name == "Py_GIL_DISABLED")
    with pytest.raises(PlatformError, match=r"free-threaded Python: use the ordinary build"):
        machine.check_platform()


def test_this_machine_passes(find):
    machine.check_platform()
    assert isinstance(find().openmp, bool)


def test_a_build_without_a_compiler_says_so_and_writes_nothing(tmp_path):
    before = {path: path.stat().st_mtime_ns for path in (ROOT / "minitorch").rglob("*.c")}
    environment = {**os.environ, "PATH": str(tmp_path)}
    environment.pop("CC", None)
    run = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert run.stderr.startswith("error: minitorch needs a C compiler and found no `")
    assert len(run.stderr.splitlines()) == 1
    assert {path: path.stat().st_mtime_ns for path in (ROOT / "minitorch").rglob("*.c")} == before


def test_the_machine_is_checked_before_pip_fetches_requirements(tmp_path):
    environment = {**os.environ, "PATH": str(tmp_path)}
    environment.pop("CC", None)
    program = "from tools import backend; backend.get_requires_for_build_wheel()"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 1
    assert run.stderr.startswith("error: minitorch needs a C compiler")
    assert len(run.stderr.splitlines()) == 1


def test_a_compiler_that_cc_names_and_is_missing_is_not_replaced(find, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    with pytest.raises(PlatformError, match="found no `no-such-compiler -O2` on the PATH"):
        find()


@pytest.mark.skipif(sys.platform == "darwin", reason="builds without threads there")
def test_a_compiler_without_openmp_is_refused_unless_threads_are_not_wanted(find, monkeypatch):
    monkeypatch.setattr(machine, "_ways_to_openmp", lambda: [(["-no-such-option"], [])])
    with pytest.raises(PlatformError, match="has no OpenMP: install it"):
        find()
    monkeypatch.setenv("MINITORCH_OPENMP", "0")
    assert not find().openmp


def test_without_headers_the_error_names_their_package(find, monkeypatch):
    monkeypatch.setattr(machine, "WITH_PYTHON", "#include <NoPython.h>\n")
    with pytest.raises(PlatformError, match=r"Python\.h.*apt install python3-dev"):
        find()


def test_ufuncs_of_this_numpy_read_as_python_shows_them(find):
    find()
    machine.check_ufuncs(ROOT)


def test_ufuncs_that_read_differently_stop_the_build(find, monkeypatch):
    find()
    monkeypatch.setattr(machine, "expected_fields", lambda ufunc: (2, 3, 1, b""))
    with pytest.raises(PlatformError, match=rf"NumPy {numpy.__version__} lays out its ufuncs"):
        machine.check_ufuncs(ROOT)
