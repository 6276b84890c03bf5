"""`FileCheck` finds in a text what PyTorch's finds, and says the same of what it does not."""

import ctypes
import importlib

import pytest

from tests.both import compare, like_pytorch

TEXT = "one two\nthree four\nfive two six\n"

CHECKS = {
    "in order": lambda f: f.check("one").check("two").check_next("three"),
    "missing": lambda f: f.check("ten"),
    "in another order": lambda f: f.check("three").check("one"),
    "on the same line": lambda f: f.check("one").check_same("two"),
    "not on the same line": lambda f: f.check("one").check_same("three"),
    "on the line after the next": lambda f: f.check("one").check_next("five"),
    "not on the next line": lambda f: f.check("three").check_next("ten"),
    "absent at the beginning": lambda f: f.check_not("two").check("three"),
    "absent at the end": lambda f: f.check("three").check_not("two"),
    "absent between": lambda f: f.check("one").check_not("four").check("six"),
    "absent where it is not looked for": lambda f: f.check("three").check_not("one"),
    "twice": lambda f: f.check_count("two", 2),
    "more than once": lambda f: f.check_count("two", 1, exactly=True),
    "less than three times": lambda f: f.check_count("two", 3),
    "never": lambda f: f.check_count("seven", 0, exactly=True),
    "in any order": lambda f: f.check_dag("three").check_dag("one").check("five"),
    "one of several is missing": lambda f: f.check_dag("three").check_dag("ten"),
    "after all of several": lambda f: f.check_dag("five").check_dag("one").check("three"),
    "a pattern": lambda f: f.check_regex(r"t[hw]\w+").check("four"),
    "no such pattern": lambda f: f.check_regex("q+"),
    "not underlined": lambda f: f.check_source_highlighted("one"),
    "nothing": lambda f: f,
}


def file_check(torch):
    return importlib.import_module(f"{torch.__name__}.testing").FileCheck()


@pytest.mark.parametrize("name", CHECKS)
def test_a_text(name):
    compare(lambda torch: CHECKS[name](file_check(torch)).run(TEXT))


@like_pytorch
def test_the_lines_about_a_place(torch):
    file_check(torch).check("6").check_not("7").run("\n".join(map(str, range(12))))


@like_pytorch
def test_what_is_underlined(torch):
    file_check(torch).check_source_highlighted("one").run("x one y\n  ~~~ <--- HERE")


@pytest.mark.parametrize("text", ["one\ntwo\nthree\n", "one\ntwo\ntwo\n", "one\nthree\n", ""])
def test_checks_in_a_text(text):
    checks = "# CHECK: one\n# CHECK-COUNT-EXACTLY-1: two\n# CHECK-NOT: four\n"
    compare(lambda torch: file_check(torch).run(checks, text))


def test_checks_that_were_not_run_are_printed(capfd):
    def program(torch):
        check = file_check(torch).check("one").check_not("two")
        del check
        ctypes.CDLL(None).fflush(None)  # PyTorch prints in C++, whose buffer may be kept
        return capfd.readouterr().out.strip()

    compare(program)
