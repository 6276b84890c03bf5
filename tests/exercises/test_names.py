"""What an answer in Python may name, and what it may not."""

import ast
import collections
import contextlib
import functools
import importlib
import itertools
import os
import sys
import threading
import types

import pytest

import minitorch
from exercises import build_pyx, plugs
from exercises.grader import offered
from exercises.grader.allowed import IMPORTS, STARRED, Forbidden, allows_attribute
from exercises.grader.guards import builtins_for_answer, guard
from exercises.grader.inside.zygote import PRELOADED
from exercises.grader.names import check
from exercises.grader.offered import bring
from exercises.source import FILE, all_sources, answer_numbers, splice

BEGIN = "first = 1\n# --- yours: f\n"
POINT = "@dataclasses.dataclass(frozen=True)\nclass Point:\n    x: int\n    y: int = 0"
END = "# --- end\nlast = 2\n"
SOURCES = all_sources()

REJECTED = {
    "class C: pass\nC.__slots__ = 'a'": "__slots__",
    "setattr(C, '__slots__', 'a')": "__slots__",
    "__name__ = 'minitorch'": "__name__",
    "def __name__(): pass": "__name__",
    "def f(): pass\nf.__name__ = '__globals__'": "__name__",
    "def f(): pass\nsetattr(f, '__qualname__', '__globals__')": "__name__",
    "import gc": "import gc",
    "import numpy": "import numpy",
    "from minitorch import library": "library",
    "from minitorch.autograd import *": r"\*",
    "from . import x": r"import \.",
    "import math as __builtins__": "__builtins__",
    "__import__('os')": "__import__",
    "__builtins__": "__builtins__",
    "open('/etc/passwd')": "open",
    "vars(x)['y']": "vars",
    "a = [eval]": "eval",
    "def g():\n    global open\n    open = 1": "open",
    "os.getpid()": "os",
    "x.sys.path": "sys",
    "x._C": "_C",
    "x.__globals__": "__globals__",
    "x.f_back": "f_back",
    "del x.__dict__": "__dict__",
    "x.__class__ = Y": "__class__",
    "from functools import *": r"\*",
    "copy = functools.wraps": "wraps",
    "from functools import wraps as w": "wraps",
    "from functools import wraps\ncopy = wraps": "wraps in another way",
    "from functools import wraps\n@wraps(f, assigned=('gi_frame',))\ndef g():\n    pass": "wraps",
    "copy = functools.wraps(f)": "wraps",
    "@functools.wraps(f, assigned=('gi_frame',))\ndef g():\n    pass": "wraps",
    "@functools.wraps(f)\n@h\ndef g():\n    pass": "wraps",
    "@functools.wraps(f)\nclass Gate:\n    pass": "wraps",
    "@functools.wraps(*f)\ndef g():\n    pass": "wraps",
    "@functools.wraps(f.sys)\ndef g():\n    pass": "sys",
    "getattr(x, 'f_' + 'back')": "getattr without",
    "getattr(x, 'f_back')": "f_back",
    "hasattr(x, '_impl')": "_impl, which it does not set itself",
    "f = getattr": "getattr without",
    "getattr(*(x, 'f_back'), 'grad')": "getattr without",
    "enum.global_enum(X)": "global_enum",
    "class Odd:\n    __array_interface__ = {}": "__array_interface__",
    "class Odd:\n    def __reduce__(self):\n        pass": "__reduce__",
    "def f(__builtins__):\n    pass": "__builtins__",
    "f(__class__=1)": "__class__",
    "match x:\n    case X(__globals__=g):\n        pass": "__globals__",
    "match x:\n    case X(g):\n        pass": "class pattern without names",
    "match x:\n    case m.X(g):\n        pass": "class pattern without names",
    "int = X\nmatch x:\n    case int(g):\n        pass": "class pattern without names",
    f"{POINT}\nPoint = X\nmatch x:\n    case Point(a, b):\n        pass": "class pattern without",
    f"{POINT}\nmatch x:\n    case Point(a, b, c):\n        pass": "class pattern without",
    "X = namedtuple('X', 'gi_frame')\nmatch x:\n    case X(f):\n        pass": "gi_frame",
    "@dataclass\nclass X(abc.ABC):\n    y: int\nmatch x:\n    case X(y):\n        pass": "class pat",
    "f(x._impl)": "_impl, which it does not set itself",
    "x._given = 1": "_given: the given code uses this",
    "_given = 1\ny = x._given": "_given: the given code",
    "class X:\n    __slots__ = ('_given',)\ny = x._given": "_given: the given code",
    "x.__cache": "__cache, which it does not set itself",
    "x._version = 1\nx._given": "_given",
    "types = 1\nx.types": "types",
    "x.library = 1\nfrom minitorch import library": "library",
    "class X:\n    __match_args__ = ('f_back',)\nmatch x:\n    case X(f):\n        pass": "f_back",
    "class X:\n    y = 1\nX.__match_args__ = 'y'\nmatch x:\n    case X(f):\n        pass": "class pat",
    "import minitorch\nminitorch.autograd.answers.register_autograd_calls(x)": "answers",
    "from minitorch.autograd import forward_grad": "forward_grad",
    "f(**{'a': 1}, __globals__=1)": "__globals__",
    "import minitorch as torch\ntorch.ops.aten.mm = x": "ops",
    "enum.bltns.exec('')": "bltns",
    "try:\n    f()\nexcept AttributeError as error:\n    x = error.obj": "obj",
    "h.hooks_dict_ref()": "hooks_dict_ref",
    "type(h).next_id": "next_id",
    "import minitorch\nminitorch.set_default_tensor_type('x')": "set_default_tensor_type",
    "import minitorch\nminitorch.autograd.attributes('x')": "autograd.attributes",
    "import array": "array",
    "import itertools\nitertools.groupby": "itertools.groupby",
    "from collections import OrderedDict": "OrderedDict from collections",
    "import weakref as w\nw.proxy": "weakref.proxy",
    "class Out(contextlib.redirect_stdout):\n    _stream = 'modules'": "redirect_stdout",
    "match x:\n    case {'a': 1, **__builtins__}:\n        pass": "__builtins__",
    "def f():\n    global __builtins__": "__builtins__",
    "try:\n    pass\nexcept ValueError as __builtins__:\n    pass": "__builtins__",
    "a = f'''\n\n{x\n.f_back}'''": "f_back",
    "a = '{0.f_back}'.format(x)": "format in this way",
    "a = '{:{0.f_back}}'.format(x)": "format in this way",
    "a = '{x[0]}'.format(x=x)": "format in this way",
    "a = text.format(x)": "format",
    "a = str.format('{0.f_back}', x)": "format",
    "a = map('{0}'.format, x)": "format",
    "a = '{0.f_back}'.format_map(x)": "format in this way",
}  # fmt: skip

REPLACED = [
    "class Given:\n    pass",
    "if True:\n    Given = 1",
    "def given():\n    pass",
    "import math as given",
    "def g():\n    global Given",
    "def g():\n    Given.method = 1",
    "setattr(Given, 'method', 1)",
    "G = Given\nG.method = 1",
    "[Given][0].method = 1",
    "def g(x):\n    type(x).method = 1",
    "def g(x=Given):\n    setattr(x, 'method', 1)",
    "def g():\n    Given().method = 1",
    "with f() as Given.method:\n    pass",
    "with f() as G:\n    G.method = 1",
    "for G in (Given,):\n    del G.method",
    "for state[0].method in x:\n    pass",
    "_, (G, *_) = 1, (Given, 2)\nG.method, y = 1, 2",
    "[0 for G.method in x]",
    "Given.method += 1",
    "torch.autograd.Variable._execution_engine = 1",
    "try:\n    f()\nexcept E as given:\n    pass",
    "match x:\n    case [*Given]:\n        pass",
    "def g(x=(Given := 1)):\n    pass",
    "del Given",
    "[Given := 1 for _ in x]",
    "LIMIT = 2",
]

ALLOWED = [
    "a = '{}, {name!r:>9}'.format(x, name=format(y, '.3f'))",
    "class X:\n    def format(self):\n        return '{{}}'\ny = X().format()",
    "import math, heapq as h\nfrom collections import deque, Counter",
    "import minitorch.nn.functional as F\nfrom minitorch import nn",
    "class Odd:\n    __slots__ = ('seen',)\n    def __init__(self):\n        super().__init__()",
    "def _helper(_, *rest):\n    return type(rest) is tuple and isinstance(rest, type)",
    "@functools.wraps(f)\ndef g():\n    pass",
    "from math import *\nfrom collections import *",
    "y = x.__class__(x.__class__.__name__)",
    "a = getattr(x, 'grad', None) or x.grad_fn._sequence_nr()",
    "from functools import partial, wraps\n@wraps(f)\ndef g():\n    pass",
    "class X:\n    _count = 0\n    def _helper(self):\n        self._cache = self._count\n"
    "    def run(self):\n        del self._cache\n        return self._helper()",
    "class X:\n    def __init__(self):\n        self.__cache = self.types = []\n"
    "    def __helper(self):\n        return self.__cache, self.types, self.__helper",
    "class X:\n    __slots__ = ('_seen',)\ny = getattr(X(), '_seen', None)",
    "class X:\n    __slots__: tuple = ('_seen',)\ny = X()._seen",
    "setattr(x, '_seen', 1)\ny = x._seen",
    "class X:\n    types: int\n    layer = 1\n    def compile(self):\n        return self.types\n"
    "y = X(types=1).compile(), X.layer",
    "def g():\n    dir = 0\n    def h():\n        nonlocal dir\n        dir += 1\n    return h",
    "match x:\n    case [input, *dir]:\n        y = input, dir",
    "try:\n    f()\nexcept ValueError as vars:\n    print(vars)",
    "P = namedtuple('P', 'x y')\ny = P(1, 2)._replace(x=3)._asdict()",
    f"{POINT}\nmatch x:\n    case Point(a, b) | Point(a, y=b):\n        pass",
    "def g(input, *, dir=0):\n    input += dir\n    return [input for vars in input]",
    "import math as _m, copy\nx.copy = copy.copy(_m.pi)",
    "match x:\n    case [int(n), str(s)]:\n        pass",
    "match x:\n    case int() as n:\n        pass\n    case Point(x=0), [y, *_]:\n        pass",
    "a = '''\nos.system\n'''  # and gc",
    "def g(x):\n    f = x\n    Given = [k for k in f]\n    return Given",
    "import math\nstate.task = 1\nGiven.task = 2",
    "import warnings\nwarnings.warn('slow', RuntimeWarning)",
    "def f(cls: type, *rest: type) -> type:\n    return set(map(type, rest)) == {cls}",
    "def f(levels, *, library=1):\n    return library, levels\ny = f(levels=2, library=3)",
    "# nothing",
    "",
]


def checked(text):
    check(BEGIN + text + "\n" + END + "last._given = 3\n")


@pytest.mark.parametrize("text", REJECTED)
def test_a_name_that_leads_out_of_the_answer_is_rejected(text):
    with pytest.raises(Forbidden, match=REJECTED[text]) as caught:
        checked(text)
    assert caught.value.lineno in range(3, 3 + len(text.splitlines()))


def test_operators_are_refused_after_the_library_has_loaded_them():
    assert minitorch.ops.aten
    with pytest.raises(Forbidden, match="ops"):
        checked("import minitorch as torch\ntorch.ops.aten.mm = x")


@pytest.mark.parametrize("text", ALLOWED)
def test_ordinary_python_is_allowed(text):
    checked(text)


@pytest.mark.parametrize("opening,closing", [("a = '''", "'''"), ("a = (", "1)")])
def test_an_answer_cannot_hide_the_lines_below_it(opening, closing):
    other = BEGIN.replace("yours: f", "yours: g")
    text = BEGIN + opening + "\n" + END.replace("last = 2", "#") + other.replace("first = 1", "#")
    with pytest.raises(Forbidden, match="whole between its marks"):
        check(text + closing + "\n" + END)


def run(text):
    """Return the namespace of an answer."""
    names = {}
    exec(compile(check(f"{BEGIN}{text}\n{END}_given = 2\n"), "x", "exec"), names)
    return names


def test_a_private_name_of_an_answer_leads_to_its_own_attributes_only():
    text = """
class Library:
    pass

def f(x):
    x._impl = 1
    return x._impl
class Mine:
    __slots__ = ("_seen", "told", "__double", "_version", "types")
    _count = 3
    def __init__(self, _start=0):
        self._seen = _start
        self.__double = 2
        self._version = self.types = 3
    def _next(self):
        assert self.__double == 2 and self._version == self.types == 3
        self._seen += self._count
        return getattr(self, "_seen"), hasattr(self, "_other"), _given
def g():
    input = open = 1
    assert input == open == 1
    try:
        h()
    except NameError as error:
        assert "'open_yours'" in str(error)
    global _total
    mine = Mine(_start=4)
    match mine:
        case Mine(_seen=_total):
            return _total, mine._next()
    mine._other = 1
def h():
    return open("/etc/passwd")
"""
    names = run(text)
    names["first"] = library = names["Library"]()
    library._impl = "the library's"
    assert names["f"](library) == 1 and library._impl == "the library's"
    assert names["g"]() == (4, (7, False, 2))


def test_a_class_pattern_by_position_reads_the_fields_in_their_order():
    text = f"""
import collections
import dataclasses
from typing import NamedTuple
{POINT}
Pair = collections.namedtuple("Pair", "left, right")
Three = collections.namedtuple("Three", ["a", "b", "c"])
class Explicit:
    __match_args__ = ("b", "a")
    a, b = 1, 2
class Last(NamedTuple):
    x: int
    y: int
def f(x):
    match x:
        case Point(a, y=0):
            return a
        case Point(a, b) | Pair(a, b) | Three(_, b, a) | Last(a, b):
            return a, b
        case Explicit(b, a):
            return b, a
        case int(n) | str(n):
            return n
"""
    names = run(text)
    f, Point, Pair, Three, Last = (names[n] for n in ("f", "Point", "Pair", "Three", "Last"))
    assert [f(x) for x in (Point(1), Point(1, 2), Pair(3, 4))] == [1, (1, 2), (3, 4)]
    assert [f(x) for x in (Three(5, 6, 7), Last(8, 9))] == [(7, 6), (8, 9)]
    assert f(names["Explicit"]()) == (2, 1)
    assert [f(x) for x in (8, "9", 1.5)] == [8, "9", None]


def run_guarded(text):
    """Run a text as an answer in a fork, and return its error as a text, which may be empty."""
    reader, writer = os.pipe()
    if (pid := os.fork()) == 0:
        error = ""
        try:
            names = {"__builtins__": builtins_for_answer(range(1, 1000)), "__name__": "piece"}
            guard()
            exec(compile(text, FILE, "exec", dont_inherit=True), names)
        except BaseException as raised:
            error = f"{type(raised).__name__}: {raised}"
        finally:
            os.write(writer, error.encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        os.waitpid(pid, 0)
        return file.read()


@pytest.mark.parametrize("name", ["__getattribute__", "_x", "sys", "x, eval, y"])
def test_a_field_leads_to_no_attribute_that_an_answer_may_not_use(name):
    text = "import dataclasses\nfield = dataclasses.field()\n@dataclasses.dataclass\n"
    text += f"class Record:\n    x: int = field\nfield.name = {name!r}"
    assert run_guarded(text).startswith("Forbidden: a field may not have the name")


OPTIONS = [
    {},
    {"frozen": True, "order": True},
    {"slots": True, "unsafe_hash": True, "kw_only": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_an_answer_may_have_data_classes_of_all_kinds(options):
    text = f"""
import dataclasses
@dataclasses.dataclass(**{options})
class Record:
    x: int
    _seen_yours: list = dataclasses.field(default_factory=list)
    start: dataclasses.InitVar[int] = 3

    def __post_init__(self, start):
        self._seen_yours.append(start)

assert Record(x=1) == Record(x=1, start=3)
"""
    assert not run_guarded(text)


def test_what_a_class_of_an_answer_defines_may_have_any_name():
    text = """
import dataclasses
@dataclasses.dataclass
class Entry:
    input: int
    types: list
    _seen: int = 0
    def open(self):
        return self.input, self.types, self._seen
class Slots:
    __slots__ = {"_a": "what it is"}
class More:
    __slots__ = ["_a"] + ["_b"]
def f():
    slots = Slots(), More()
    for one in slots:
        setattr(one, "_a", 1)
    return Entry(input=1, types=2).open(), [one._a for one in slots]
def g(pair):
    dir = 0
    def up():
        nonlocal dir
        dir += 1
    up()
    match pair:
        case (input, *vars):
            return dir, input, vars
"""
    names = run(text)
    assert names["f"]() == ((1, 2, 0), [1, 1])
    assert names["g"]((2, 3)) == (1, 2, [3])


def test_an_import_gives_an_answer_only_what_is_on_the_list():
    text = """
import collections.abc
import copy as other, functools, weakref
from math import *
from functools import partial as part, cache
from collections import abc, deque
assert abc is collections.abc and deque is collections.deque and sqrt(4) == 2
assert functools.cache is cache and other.copy([part]) == [part] == other.deepcopy([part])
import minitorch.nn.functional as F, minitorch
"""
    names = {"__builtins__": builtins_for_answer(())}
    exec(text, names)
    with pytest.raises(AttributeError, match=r"may not use functools.cached_property"):
        exec("functools.cached_property", names)
    with pytest.raises(AttributeError, match=r"may not change functools.cache"):
        exec("functools.cache = 1", names)
    with pytest.raises(ImportError):
        exec("from functools import cached_property", names)
    with pytest.raises(TypeError):
        exec("other.deepcopy([], {})", names)
    assert names["functools"] is not functools and names["F"].relu is minitorch.nn.functional.relu
    for name in ("library", "autograd.functional", "nn.functional.has_torch_functions", "nn.utils"):
        with pytest.raises(AttributeError):
            exec(f"minitorch.{name}", names)
    for name in ("autograd.attributes", "linalg.override_namespace", "no_such_name"):
        with pytest.raises(AttributeError) as caught:
            exec(f"minitorch.{name}", names)
        assert not isinstance(caught.value.obj, types.ModuleType)
    for name in ("autograd.function.CodeType", "autograd.graph.functools", "nn.Sequential.x"):
        with pytest.raises(AttributeError):
            exec(f"minitorch.{name}", names)
    given = names["minitorch"]
    assert given.float32 is minitorch.float32 and given.Tensor is minitorch.Tensor
    assert (
        given.nn.LayerNorm is minitorch.nn.LayerNorm and given.linalg.norm is minitorch.linalg.norm
    )


NOT_OFFERED = {
    "import dataclasses as d\nd.replace": "dataclasses.replace",
    "import collections.abc as c\nc.deque": "collections.abc.deque",
    "import collections.abc\ncollections.abc.deque": "collections.abc.deque",
    "from dataclasses import fields": "fields from dataclasses",
    "from collections import abc, proxy": "proxy from collections",
    "import minitorch.nn\nimport copy\ncopy.replace": "copy.replace",
}


@pytest.mark.parametrize("arguments", [([3, 1, 2],), ([],), ("abc", lambda a, b: b + a)])
def test_what_is_written_in_python_gives_what_itertools_gives(arguments):
    sums = offered.REPLACED["accumulate"]
    assert list(sums(*arguments)) == list(itertools.accumulate(*arguments))
    assert list(sums([1], initial=4)) == list(itertools.accumulate([1], initial=4))
    pairs = offered.REPLACED["pairwise"]
    assert list(pairs(arguments[0])) == list(itertools.pairwise(arguments[0]))
    ours, theirs = offered.REPLACED["count"](5, -2), itertools.count(5, -2)
    assert [next(ours) for _ in range(3)] == [next(theirs) for _ in range(3)]


@pytest.mark.parametrize("text", NOT_OFFERED)
def test_what_a_module_does_not_offer_is_found_in_the_text(text):
    with pytest.raises(Forbidden, match=NOT_OFFERED[text]):
        check(BEGIN + text + "\n" + END)


def test_a_variable_may_be_called_like_a_module():
    check("import copy, time\n" + BEGIN + "copy = time = []\ncopy.replace, time.x\n" + END)


NAMED = {"__getattr__": None, "_x": None}
MADE = {
    f"abc.ABCMeta('X', (), {NAMED})": "may not have the name __getattr__",
    f"type('X', (), {NAMED})": "may not have the name __getattr__",
    f"type(int)('X', (), {NAMED})": "may not have the name __getattr__",
    "type('X', (), {'__name__': '__globals__'})": "may not have the name __name__",
    f"type(torch.autograd.Function)('X', (), {NAMED})": "may not have the name __getattr__",
    f"torch.no_grad()(functools.partial(type, 'X', (), {NAMED}))()": "have the name __getattr__",
    f"list(map(type, ['X'], [()], [{NAMED}]))": "may not have the name __getattr__",
    f"enum.Enum('Y', map(type, ['X'], [()], [{NAMED}]))": "may not have the name __getattr__",
    f"class Y:\n    __slots__ = map(type, ['Y'], [()], [{NAMED}])": "have the name __getattr__",
    "collections.namedtuple('Y', map(type, ['X'], [(type(dataclasses.field()),)], [{}]))": "Field",
    "class E:\n    __eq__ = lambda *_: True\ntype('X', (), {'__getattribute__': E()})": "getattribute",
    "class E:\n    __eq__ = lambda *_: True\nclass X(metaclass=E()):\n    pass": "no keywords but",
    "enum.Enum('X', {}, type=torch.Tensor)": "a kind of Tensor",
    "type('X', (type(typing.List[int]),), {}, _root=True)": "a kind of _GenericAlias",
    "class X:\n    __slots__ = ['__getattribute__']": "the name __getattribute__",
    "type('X', (), {'__dataclass_fields__': {}})": "the name __dataclass_fields__",
    "class X(int, metaclass=lambda n, b, d: type(n, b, d)):\n    pass": "no keywords but",
    "class X(minitorch.Tensor):\n    pass": "a kind of Tensor",
    "class X(torch.nn.Parameter):\n    pass": "a kind of Parameter",
    "class X(type):\n    pass": "a kind of type",
    "class X(super):\n    pass": "a kind of super",
    "class X(type(list[int])):\n    pass": "a kind of GenericAlias",
    "class X(type(dataclasses.field())):\n    pass": "a kind of Field",
    "class X(functools.partial):\n    pass": "a kind of partial",
    "enum.Enum('X', {'A': 1, '__getattr__': f})": "__getattr__",
    "enum.Enum('X', {'A': 1, '_named': f})": "_named",
    "class X(int, extra=1):\n    pass": "no keywords but",
}
CLASSES = """
import abc, collections, contextlib, dataclasses, enum, typing
import minitorch as torch
Pair = collections.namedtuple("Pair", "a b")
class Named(typing.NamedTuple):
    x: int
class Kind(enum.Flag):
    A = enum.auto()
Other = enum.Enum("Other", ["A", "B"])
@dataclasses.dataclass(slots=True, frozen=True, order=True)
class Record:
    x: int
class Pile(typing.Generic[typing.TypeVar("T")]):
    def __len__(self):
        return 0
class Sized(typing.Protocol):
    def size(self): ...
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, grad):
        return grad * 2
class Layer(torch.nn.Module):
    pass
class Last(contextlib.ContextDecorator, metaclass=abc.ABCMeta):
    def __eq__(self, other):
        return True
class Made(Last, Pair, Exception if 0 else collections.abc.Sized):
    pass
class Wrong(ValueError):
    pass
class Big(dict[str, int]):
    pass
x = torch.ones(2, requires_grad=True)
Double.apply(x).sum().backward()
assert x.grad.tolist() == [2, 2] and Made(1, 2) == 1 and Record(1) < Record(2)
"""


@pytest.mark.parametrize("text", MADE)
def test_a_class_has_bases_and_names_on_the_list_however_it_is_made(text):
    start = "import abc, collections, dataclasses, enum, functools, typing\n"
    start += "import minitorch, minitorch as torch\nf = lambda *_: None\n"
    error = run_guarded(start + text)
    assert error.startswith("Forbidden: ") and MADE[text] in error


def test_a_class_may_derive_from_a_given_one():
    own = "def own():\n    class Mine(Given):\n        pass\n"
    given = "class Given:\n    __getattr__ = None\nown()"
    assert not run_guarded(own + "\n" * 1000 + given)
    assert "__getattr__" in run_guarded(own + given)


def test_ordinary_classes_are_made_as_usual():
    assert not run_guarded(CLASSES)


@pytest.mark.parametrize("start", ["def hide():", "if x:\n        pass\nelse:"])
def test_an_answer_cannot_take_the_methods_below_it_out_of_their_class(start):
    text = "class Given:\n    def f(self):\n        # --- yours: f\n"
    text += f"        x = 1\n{start}\n    if x:\n        x = 2\n        # --- end\n"
    with pytest.raises(Forbidden, match="indented like its marks") as caught:
        check(text + "\n    def method(self):\n        pass\n")
    assert caught.value.lineno == 5


def test_what_is_given_may_name_anything():
    check("import os\n" + BEGIN + "a = 1\n" + END + "b = os.sys._getframe().f_back\n")


@pytest.mark.parametrize("name", SOURCES)
def test_all_known_answers_are_allowed(name):
    source = SOURCES[name]
    answers = [source.solution(), *map(source.wrong_answer, source.wrong_names())]
    allowed = build_pyx.check if source.about.language == "cython" else check
    for text in answers:
        allowed(splice(source, text).text)


def what_an_answer_gets():
    """Yield the names and the values that the offered modules have, and the classes among them."""
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    classes, seen = [], set()
    for place in sorted(IMPORTS):
        offer = bring(place, fromlist=("x",))
        for name in filter(allows_attribute, {*dir(sys.modules[place]), *vars(offer)}):
            with contextlib.suppress(AttributeError):
                yield f"{place}.{name}", (value := getattr(offer, name))
                classes += [(f"{place}.{name}", value)] * isinstance(value, type)
    while classes:
        path, cls = classes.pop()
        if cls not in seen:
            seen.add(cls)
            for name, value in list(vars(cls).items()):
                if allows_attribute(name):
                    yield f"{path}.{name}", value
                    classes += [(f"{path}.{name}", value)] * isinstance(value, type)


def test_what_an_answer_gets_leads_to_no_module_and_to_no_strong_function():
    powers = {id(f) for f in (getattr, setattr, eval, exec, compile, open, vars, dir, __import__)}
    powers.add(id(types.CodeType))
    got = dict(what_an_answer_gets())
    assert not [p for p, v in got.items() if id(v) in powers or isinstance(v, types.ModuleType)]
    assert "minitorch.nn.functional.relu" in got and "functools.reduce" in got


@pytest.mark.parametrize("module", sorted(STARRED))
def test_a_star_imports_no_name_that_is_notallows_attribute(module):
    names = {}
    exec(f"from {module} import *", names)
    assert all(allows_attribute(name) for name in names if name != "__builtins__")
    assert not any(isinstance(value, types.ModuleType) for value in names.values())


def test_a_parameter_may_be_passed_by_the_name_of_a_builtin():
    text = """
def f(x, input=1, *, dir=0):
    \'\'\'Add.\'\'\'
    def up():
        nonlocal input
        input += 1
        return input
    return x.g(input=up()) + [input for _ in range(2)], [dir]
class Layer:
    def g(self, input):
        return [input]
def h():
    return f(Layer(), input=2, dir=3), f(Layer())
def leak():
    return input
"""
    names = run(text)
    assert names["h"]() == (([3, 3, 3], [3]), ([2, 2, 2], [0]))
    assert names["f"].__doc__ == "Add."
    with pytest.raises(NameError, match="input_yours"):
        names["leak"]()


@pytest.mark.parametrize("text", REPLACED)
def test_an_answer_may_not_replace_what_is_given(text):
    given = (
        "import math\nLIMIT = 1\nstate = []\nclass Given:\n    def method(self):\n        pass\n"
    )
    given += "def given():\n    pass\n"
    with pytest.raises(Forbidden, match="may not replace"):
        check(f"{given}# --- yours: helpers\n{text}\n# --- end\n")


def test_given_code_imports_what_an_answer_cannot_change():
    for source in SOURCES.values():
        inside = answer_numbers(source.solution())
        for node in ast.parse(source.solution()).body:
            if isinstance(node, ast.Import) and node.lineno not in inside:
                for name in (alias.name for alias in node.names):
                    known = name in IMPORTS or name in plugs._GIVEN
                    assert known or name in ("cython", "minitorch"), (source.name, name)


def test_handles_and_given_modules_stay_as_they_are():
    text = """
import minitorch
handle = minitorch.ones(1, requires_grad=True).register_hook(print)
for change in (lambda: setattr(handle, "id", 0), lambda: setattr(threading, "Thread", 0)):
    try:
        change()
    except AttributeError as error:
        told.append(str(error))
handle.remove()
"""
    assert in_frozen_fork(text, lambda names: len(names["told"]) == 2)


def test_an_ordered_dictionary_is_compared_without_its_own_code():
    text = """
class Key:
    def __hash__(self):
        return 1
    def __eq__(self, other):
        given.clear()
        return True
given[Key()] = 1
told = [given == type(given)({Key(): 1}), given.__eq__({}), given != {1: 2}]
"""
    assert in_frozen_fork(text, lambda names: names["told"] == [True, True, True])


def in_frozen_fork(text, question):
    """Return the answer to a question about the names of a text that runs where nothing can change."""
    if (pid := os.fork()) == 0:
        status = 1
        try:
            plugs.freeze({})
            names = {"threading": threading, "told": [], "given": collections.OrderedDict()}
            exec(compile(text, FILE, "exec"), names)
            status = not question(names)
        finally:
            os._exit(status)
    return os.waitpid(pid, 0)[1] == 0


def test_a_class_may_not_have_a_method_that_a_function_of_the_library_made():
    text = "import minitorch\nclass A:\n    pass\n"
    text += "A = type('A', (), {'__new__': minitorch.no_grad()(lambda cls: 1)})"
    assert "may not have the name __new__" in run_guarded(text)
