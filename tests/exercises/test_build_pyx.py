"""Answers in Cython: what they may name, and what a student reads if one cannot be built."""

import re
import sys
import types

import pytest

import minitorch as torch
from exercises import build_pyx, check_pyx
from exercises.build_pyx import BuildError, build, check, load
from exercises.source import FILE

HEAD = "import cython\n"


def answer(text):
    """Return a file whose only answer is a text; it begins in line 3."""
    return f"{HEAD}# --- yours: helpers\n{text}\n# --- end\n"


def message_of(text, function=check):
    with pytest.raises(BuildError) as caught:
        function(answer(text))
    return str(caught.value), caught.value.line


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "minitorch" / "course" / "cython"


@pytest.mark.parametrize(
    "text",
    [
        "import heapq, math\nfrom collections import deque",
        "from cython.cimports.minitorch.autograd.node import Node",
        "@cython.cclass\nclass Box:\n    k: cython.Py_ssize_t\n    names: list",
        "@cython.cfunc\n@cython.inline\ndef f(k: cython.int) -> cython.ulong:\n    return k",
        "@cython.exceptval(-1)\n@cython.cfunc\ndef f(x: dict) -> cython.int:\n    return len(x)",
        "def f(x: int | None):\n    'a text that is no annotation'\n    return 'x' + x",
        "import cython",
        "x = cython.declare(cython.int, 0)",
        "@cython.locals(k=cython.int, x=list)\n@cython.returns(cython.int)\ndef f(k, x):\n    return k",
        "def f(x: 'Box', y: list[int] | None, z: tuple[int, ...]):\n    pass\nclass Box:\n    pass",
        "from collections import deque\ndef f(x: deque):\n    x.append(1)",
        "def f(input, dir=[1]):\n    open: list = dir\n    return [input for x in open]",
        "x = '{} {:>3}'.format(1, 2)",
        "class Box:\n    def __init__(self, k):\n        self.k = k\ndef f(b):\n    b.k = 1",
        "def f(x):\n    return type(x) is int, type(x).__name__, x.__class__ is not int",
        "def f(x):\n    yield 1\n    try:\n        pass\n    finally:\n        x.close = 2\n"
        "class Box:\n    close = 1",
        "def f(x):\n    return getattr(x, 'append'), hasattr(x, 'get'), isinstance(x, (list, Node))\n"
        "from cython.cimports.minitorch.autograd.node import Node",
    ],
)
def test_types_and_decorators_may_be_named(text):
    check(answer(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = [].nothing", "may not use nothing, which none of its classes defines"),
        ("class A:\n    _k = 1\nA._k", "may not use _k; give it a name without an underscore"),
        ("class A:\n    modules = 1\nA.modules", "may not use modules; give it another name"),
        ("x = nothing", "may not use nothing"),
        ("def f(open=open):\n    pass", "may not use open"),
        ("def f(x):\n    [0 for open in x]\n    return open", "may not use open"),
        ("def f(x):\n    class A:\n        open = 1\n    return open", "may not use open"),
        ("def f():\n    open = 1\n    def g():\n        return open", "may not use open"),
        ("def f(x: [1]):\n    pass", "may not use [1] as a type"),
        ("x: cython.declare = 1", "may not use cython.declare as a type"),
        ("x = [cython.declare]", "cython.declare may only be called"),
        ("def f(cython):\n    pass", "may not replace cython"),
        ("class A(metaclass=type):\n    pass", "may not give arguments to a class"),
        ("def f(x):\n    x.__class__ = 1", "may not use __class__"),
        ("x = (1).__class__.__class__('A', (), {})", "may not use __class__ but to compare it"),
        ("x = type('A', (), {})", "may not use type but to compare"),
        ("class A(type):\n    pass", "may not use type but to compare"),
        (
            "class A:\n    def __eq__(self, other):\n        pass\ntype(A) == A()",
            "may not use type",
        ),
        ("x = type(1) is type(1) == A()\nclass A:\n    pass", "may not use type"),
        ("def isinstance(a, b):\n    return b", "may not replace isinstance"),
        ("type = 3", "may not replace type"),
        ("isinstance(1, A() | type)\nclass A:\n    pass", "may not use type"),
        ("isinstance(1, A()[type])\nclass A:\n    pass", "may not use type"),
        ("x = cython.declare(object, type)", "may not use type"),
        (
            "class A:\n    def declare(self, x):\n        pass\nA().declare(type)",
            "may not use type",
        ),
        ("class A:\n    def __del__(self):\n        pass", "may not use __del__"),
        ("class A:\n    pass\nA.__del__ = print", "may not use __del__"),
        ("def f():\n    try:\n        yield\n    finally:\n        pass", "may not use yield"),
        ("def f(x):\n    with x:\n        yield x", "may not use yield inside"),
        ("def f(x):\n    yield from x", "may not use yield from"),
        ("async def f():\n    pass", "may not use async"),
        ("x = slice(1).start", "may not use slice"),
        ("x = getattr([], '_k')", "getattr needs a name"),
        ("def f(x):\n    return x + id((x := None))", "may not use nonlocal, := and match"),
        ("def f(x):\n    def g():\n        nonlocal x\n        x = None", "may not use nonlocal"),
        ("def f():\n    \f    x = 1", "may have no tabs"),
        ("def f():\n\\\n    x = 1", "no line that is only"),
        (
            "class extern: pass\nx = cython.declare(cython.ulong, visibility='extern')",
            "no arguments with names",
        ),
        ("import array", "may not import array"),
        ("import itertools\nitertools.groupby", "may not use groupby"),
        ("import heapq\nfrom heapq import merge, nothing", "may not import nothing"),
    ],
)
def test_what_is_not_listed_is_rejected(text, message):
    assert message in message_of(text)[0]


def test_an_answer_is_whole_between_its_marks():
    text = f"{answer('x = 1')}y = 2\n# --- yours: more\n{{}}\n# --- end\n"
    with pytest.raises(BuildError, match="whole between its marks") as caught:
        check(text.format("z = 3").replace("x = 1", "x = '''").replace("z = 3", "'''"))
    assert caught.value.line == 3


def test_the_names_of_pythons_types_are_not_those_of_a_nodes_fields():
    text = (build_pyx.parent_of_minitorch() / "minitorch" / "autograd" / "node.pxd").read_text()
    text = text.partition("\ncdef class Node:\n")[2].partition("\ncdef ")[0]
    fields = set(re.findall(r"^    cdef .*?(\w+)(?:\(.*|  +#.*)?$", text, re.MULTILINE))
    assert {"edge0", "saved0", "next_function", "hooks", "ins"} < fields
    assert fields & check_pyx.ATTRIBUTES == check_pyx.NODE


def test_no_listed_attribute_leads_to_a_module():
    names = check_pyx.ATTRIBUTES | check_pyx.METHODS_OF_CLASSES
    powers = (getattr, setattr, eval, exec, compile, open, vars, dir, __import__, type)
    node = (torch.ones(2, requires_grad=True) * 2).grad_fn
    stack = [(sys.modules[name], name) for name in check_pyx.MODULES]
    stack += [(thing, str(thing)) for thing in (*check_pyx.OBJECTS, node, print, lambda: 0)]
    seen = {id(thing) for thing, _ in stack}
    while stack:
        thing, path = stack.pop()
        for name in names:
            found = getattr(thing, name, None)
            assert not isinstance(found, types.ModuleType), f"{path}.{name}"
            assert not any(found is power for power in powers), f"{path}.{name}"
            if id(found) not in seen and path.count(".") < 3 and not isinstance(found, str):
                seen.add(id(found))
                stack.append((found, f"{path}.{name}"))


def test_the_types_of_expressions_are_checked(cache):
    text = "@cython.cfunc\ndef f(k: cython.int):\n    return k\ndef g():\n    return "
    message, line = message_of(f"{text}[\n\nf]", build)
    assert "may only be called" in message and line == 9
    assert load(build(answer(f"{text}f(3), (f(4), 5)"))).g() == (3, (4, 5))


@pytest.mark.parametrize(
    "lines",
    [
        "    try:\n        raise KeyError(3)\n    except KeyError as x:\n        return x[0]",
        "    class x:\n        pass\n    return x[0]",
    ],
)
def test_a_variable_with_a_type_is_no_exception_and_no_class(lines, cache):
    message, _ = message_of(f"def f():\n    x: list\n{lines}", build)
    assert "may be no exception and no class" in message
    assert load(build(answer(f"def f():\n{lines.replace('[0]', '')}"))).f()


HOLDER = """
@cython.cclass
class Holder:
    items: list
    table: dict
    inner: Holder
    number: cython.long

def drop(holder: Holder):
    holder.items = holder.table = holder.inner = None
    return 0

def dropping(holder: Holder):
    drop(holder)
    for k in range(1000):
        yield k

class Key:
    def __init__(self, holder):
        self.holder = holder
    def __hash__(self):
        return drop(self.holder)

def fresh():
    holder: Holder = Holder()
    holder.items, holder.table, holder.inner = [1, 2], {1: 2}, Holder()
    holder.inner.items, holder.inner.number = [3], 4
    return holder

def run():
    h: Holder = fresh()
    kept: Holder = h.inner
"""


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["return h.items[drop(h)]"], 1),
        (["return h.items[drop(h):2]"], [1, 2]),
        (["return h.inner.items[drop(h)]"], 3),
        (["h.items.append(drop(h))", "return h.items"], None),
        (["h.items.extend(dropping(h))", "return h.items"], None),
        (["h.items += dropping(h)", "return len(h.items)"], 1002),
        (["h.inner.items += dropping(h)", "return len(kept.items)"], 1001),
        (["h.inner.number += drop(h)", "return h.inner, kept.number"], (None, 4)),
        (["h.inner.items[drop(h)] += 5", "return kept.items"], [8]),
        (["h.table[Key(h)] = 3", "return h.table"], None),
        (["return h.table.get(Key(h), 7)"], 7),
        (["return Key(h) in h.table"], False),
        (["return [h.items, drop(h), h.items]"], [[1, 2], 0, None]),
        (["return {**h.table, 2: drop(h)}"], {1: 2, 2: 0}),
        (["return [x for x in h.items if drop(h) == 0]"], [1, 2]),
        (["h.items, h.inner.items = h.inner.items, h.items", "return h.items, kept.items"],
         ([3], [1, 2])),
        (["for h.items in [[7], [8]]:", "    pass", "del h.items[0]", "return h.items"], []),
        (["return h.items and not h.inner.items or h.items is None"], False),
    ],
)  # fmt: skip
def test_an_object_of_a_field_lives_while_it_is_used(lines, expected, cache):
    text = HOLDER + "".join(f"    {line}\n" for line in lines)
    assert load(build(answer(text))).run() == expected


def test_a_method_tests_what_it_is_called_on(cache):
    text = "@cython.cclass\nclass Box:\n    k: cython.ulong\n    def get(self):\n        return self.k\n"
    text += "    def all(self):\n        yield self.k\n"
    text += "def run(call):\n    return [Box.get, lambda x: list([Box.all][0](x))][call]"
    box = load(build(answer(text)))
    assert (box.run(0)(box.Box()), box.run(1)(box.Box())) == (0, [0])
    for call in range(2):
        for other in (3.5, None):
            with pytest.raises(TypeError, match="incorrect type|must not be None"):
                box.run(call)(other)


@pytest.mark.parametrize(
    "line",
    ["x: Box = VALUE", "x: Box\n    x, y = VALUE, 4", "take(VALUE)", "x: Box\n    x = y = VALUE"],
)
@pytest.mark.parametrize("value", ["3.5", "True", "'a'"])
def test_a_constant_is_of_the_type_of_its_variable(line, value, cache):
    text = "@cython.cclass\nclass Box:\n    k: cython.ulong\n"
    text += "@cython.cfunc\ndef take(x: Box) -> cython.ulong:\n    return x.k\n"
    text += f"def run():\n    {line.replace('VALUE', value)}"
    try:
        library = load(build(answer(text)))
    except BuildError as error:
        assert "Cannot" in str(error)
        return
    with pytest.raises(TypeError):
        library.run()


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("[0] * odd", 3),
        ("(0,) * odd", 3),
        ("x * e", 3),
        ("e * 2", 3),
        ("'a' % text", 3),
        ("f'' % text", 3),
        ("b'' + bytearray(b'a')", b"a"),
        ("'%d %s' % (1, 'a')", "1 a"),
        ("[0] * k + [1]", [0, 0, 1]),
        ("'ab' * k", "abab"),
    ],
)
def test_an_operation_has_the_type_of_its_result(operation, expected, cache):
    text = "class Odd:\n    def __rmul__(self, other):\n        return 3\n    __rmod__ = __mul__ = __rmul__\n"
    text += "class Text(Odd, str):\n    pass\nclass Error(Odd, ValueError):\n    pass\n"
    text += "def run(x: list, k: cython.int):\n    odd, text = Odd(), Text('x')\n"
    text += "    try:\n        raise Error\n    except ValueError as e:\n"
    text += f"        value = {operation}\n        return value, value.__class__ is list"
    value, is_list = load(build(answer(text))).run([0], 2)
    assert value == expected and is_list == (type(expected) is list)


def test_a_method_is_not_called_on_none(cache):
    text = "def run(x: list | None, y: set | None):\n    return x.copy(), y.isdisjoint([1])"
    library = load(build(answer(text)))
    assert [library.run([0], {1}) for _ in range(3)] == [([0], False)] * 3
    for _ in range(3):
        with pytest.raises(AttributeError, match="NoneType"):
            library.run(None, {1})
        with pytest.raises(AttributeError, match="NoneType"):
            library.run([0], None)


def test_a_type_of_a_parameter_is_no_variable_of_its_function():
    assert (
        "may not use slice" in message_of("def f(slice, x: slice = None):\n    return x.start")[0]
    )


def test_a_default_argument_may_be_computed(cache):
    text = "K = 3\ndef f(x, seen=[], k=K):\n    return [*seen, x, k]\ng = lambda k=K: k"
    library = load(build(answer(text)))
    assert library.f(1) == [1, 3] and library.g() == 3


def test_the_line_is_that_of_the_answer():
    assert message_of("x = 1\ny = cython.cast(cython.int, x)") == (
        "an answer may not use cython.cast",
        4,
    )
    assert message_of("x = (") == ("SyntaxError: '(' was never closed", 3)
    assert message_of("def f(\n    a,\n    b: cython.p_int,\n): pass")[1] == 5


def test_the_file_around_the_answers_is_not_checked():
    check(f"{HEAD}x = cython.cast(cython.int, 1)\n{answer('y = 1')}")


def test_a_library_is_built_once(cache):
    text = answer("def double(k: cython.long):\n    return 2 * k")
    path = build(text)
    stamp = path.stat().st_mtime_ns
    assert build(text) == path and path.stat().st_mtime_ns == stamp
    assert path.parent == cache
    assert load(path).double(21) == 42
    assert build(text + "# changed\n") != path


def test_the_cache_keeps_the_newest_libraries(cache, monkeypatch):
    monkeypatch.setattr(build_pyx, "KEPT", 1)
    first = build(answer("x = 1"))
    second = build(answer("x = 2"))
    assert second.exists() and not first.exists()


def test_a_mistake_that_cython_finds_has_the_students_line(cache):
    message, line = message_of("\ndef f():\n    k: cython.int = 'ab'\n    return k", build)
    assert line == 5 and message.startswith("Cython: ")
    assert not list(cache.glob("*.so"))


def test_without_a_compiler_a_sentence_says_what_to_install(cache, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setenv("CC", "no-such-compiler")
    message, line = message_of("x = 1", build)
    assert "there is no C compiler. Install one" in message and line is None


def test_without_cython_a_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "Cython.Compiler", None)
    (tmp_path / FILE).write_text(answer("x = 1"))
    assert build_pyx.outcome_of(tmp_path) == (build_pyx.NO_CYTHON, None)


def test_a_build_that_takes_too_long_ends(cache, monkeypatch):
    monkeypatch.setattr(build_pyx, "SECONDS", 3)
    message, _ = message_of("x = 10 ** 10 ** 9", build)
    assert "takes more than 3 s" in message


def test_errors_at_run_time_have_the_line_of_the_answer(cache):
    module = load(build(answer("def f(x: list):\n    return x[3]")))
    with pytest.raises(IndexError) as caught:
        module.f([])
    assert caught.traceback[-1].lineno + 1 == 4
    with pytest.raises(TypeError):
        module.f(())
