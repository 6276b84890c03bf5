"""Which C files `tools/translate.py` has translated again."""

import os

import pytest
from setuptools import Extension

from tools.translate import expire

NOW = 10**9


def write(path, text, age):
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    os.utime(path, (NOW - age, NOW - age))


def is_expired(folder, monkeypatch):
    monkeypatch.chdir(folder)
    write(folder / "user.c", "", age=10)
    expire([Extension("user", ["user.pyx"])])
    return (folder / "user.c").stat().st_mtime == 0


@pytest.mark.parametrize(
    "cimport",
    [
        "from package cimport numbers",
        "from package cimport other, numbers",
        "from package cimport (\n    other,\n    numbers)",
        "from package cimport numbers as renamed",
        "from package.numbers cimport ONE",
    ],
)
@pytest.mark.parametrize(("age", "expired"), [(5, True), (15, False)])
def test_a_newer_module_of_a_package_expires_the_file(cimport, age, expired, tmp_path, monkeypatch):
    write(tmp_path / "package" / "numbers.pxd", "cdef enum:\n    ONE = 1\n", age)
    write(tmp_path / "user.pyx", f"{cimport}\n", age=20)
    assert is_expired(tmp_path, monkeypatch) is expired


def test_a_newer_dependency_of_a_module_of_a_package_expires_the_file(tmp_path, monkeypatch):
    write(tmp_path / "package" / "basic.pxd", "cdef enum:\n    ONE = 1\n", age=5)
    write(tmp_path / "package" / "numbers.pxd", "from package.basic cimport ONE\n", age=20)
    write(tmp_path / "user.pyx", "from package cimport numbers\n", age=20)
    assert is_expired(tmp_path, monkeypatch)


def test_a_file_that_was_not_translated_yet_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "user.pyx", "", age=20)
    expire([Extension("user", ["user.pyx"])])
    assert not (tmp_path / "user.c").exists()
