"""Modules as an answer gets them: with some of their names, and no others.

Note [What an import gives an answer]
Many functions of Python's modules read or set attributes by names that they find in the objects
they are given: ``functools.cached_property``, ``dataclasses.replace``, ``typing.get_type_hints``. A
list of those would never be complete. So it is the other way round: ``import functools`` gives an
answer an object with the few functions that are useful to solve an assignment. The check of the
text says early what is not there. This object makes sure of it, whatever the module is called.
What frees an object that it still uses, if a method of the answer wants it so, is not offered
either: ``itertools.groupby``, ``collections.OrderedDict``, ``weakref.proxy`` and the module `array`.
In the place of some functions of `itertools`, there are others in Python. Nor is what gives an answer
the operators themselves, which the tests tell apart: a policy of selective checkpoints.

So it is with the library: ``import minitorch`` gives the functions, the types, and a few modules
with theirs. The given code of an assignment has the same names, and imports what else it needs.
"""

import builtins
import contextlib
import copy
import importlib.util
import operator
import sys
import types

# see the Note
UNSAFE = {"OrderedDict", "create_selective_checkpoint_contexts", "groupby"}

EVERYTHING = "bisect cmath collections collections.abc fractions heapq itertools math random statistics".split()

OFFERED = {
    "abc": "ABC ABCMeta abstractmethod",
    "contextlib": """AbstractContextManager ContextDecorator ExitStack closing contextmanager
        nullcontext suppress""",
    "copy": "copy deepcopy",
    "dataclasses": "FrozenInstanceError InitVar KW_ONLY dataclass field",
    "enum": "Enum Flag IntEnum IntFlag auto unique",
    "functools": "cache cmp_to_key lru_cache partial reduce total_ordering wraps",
    "numbers": "Complex Integral Number Rational Real",
    "operator": """abs add and_ concat contains countOf delitem eq floordiv ge getitem gt iadd iand
        iconcat ifloordiv ilshift imatmul imod imul index indexOf inv invert ior ipow irshift is_
        is_not isub itemgetter itruediv ixor le length_hint lshift lt matmul mod mul ne neg not_ or_
        pos pow rshift setitem sub truediv truth xor""",
    "queue": "Empty Full LifoQueue PriorityQueue Queue SimpleQueue",
    "re": """DOTALL IGNORECASE MULTILINE VERBOSE Match Pattern compile escape findall finditer
        fullmatch match search split sub""",
    "string": "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits punctuation whitespace",
    "time": """monotonic monotonic_ns perf_counter perf_counter_ns process_time process_time_ns sleep
        time time_ns""",
    "typing": """Annotated Any Callable ClassVar Concatenate DefaultDict Deque Dict Final FrozenSet Generator Generic
        Hashable Iterable Iterator List Literal Mapping MutableMapping MutableSequence NamedTuple NewType
        NoReturn Optional ParamSpec Protocol Self Sequence Set Sized SupportsFloat SupportsIndex
        TYPE_CHECKING Tuple Type TypeAlias TypeVar Union assert_never cast final overload
        runtime_checkable""",
    "warnings": "catch_warnings filterwarnings simplefilter warn",
    "weakref": """WeakKeyDictionary WeakMethod WeakSet WeakValueDictionary finalize ref
        ReferenceType""",
}


# modules of the library: classes, and modules that are listed here; functions need no list
LIBRARY = {
    "minitorch": """Generator Size Tensor autograd device dtype enable_grad finfo iinfo
        inference_mode layout linalg memory_format nn no_grad optim set_grad_enabled special
        utils load save""",
    "minitorch.autograd": """Function Variable enable_grad function graph inference_mode no_grad
        set_grad_enabled""",
    "minitorch.autograd.function": "Function FunctionCtx",
    "minitorch.autograd.graph": """GradientEdge Node allow_mutation_on_saved_tensors
        disable_saved_tensors_hooks save_on_cpu saved_tensors_hooks""",
    "minitorch.linalg": "",
    "minitorch.nn": "Module Parameter functional init",
    "minitorch.nn.functional": "",
    "minitorch.nn.init": "",
    "minitorch.optim": "Optimizer",
    "minitorch.special": "",
    "minitorch.utils": "checkpoint",
    "minitorch.utils.checkpoint": "",
}
LIBRARY = {name: names.split() for name, names in LIBRARY.items()}


def _public(name):
    module = importlib.import_module(name)
    names = getattr(module, "__all__", None) or [name for name in vars(module) if name[0] != "_"]
    names = [name for name in names if name not in UNSAFE]
    return [name for name in names if not isinstance(getattr(module, name), types.ModuleType)]


OFFERED = {name: names.split() for name, names in OFFERED.items()}
OFFERED |= {name: _public(name) for name in EVERYTHING}


class Offer:
    """A module of Python as an answer gets it.

    It has no ``__name__``: by that, ``from minitorch import library`` would find the module.
    """

    def __getattr__(self, name):
        raise AttributeError(f"an answer may not use {self._place}.{name}")

    def __setattr__(self, name, value):
        raise AttributeError(f"an answer may not change {self._place}.{name}")

    def __delattr__(self, name):
        raise AttributeError(f"an answer may not change {self._place}.{name}")


class LibraryOffer(Offer):
    """A module of the library as an answer gets it; a name is looked up when it is first used."""

    def __getattr__(self, name):
        if name[:2] == "__":
            super().__getattr__(name)
        inner = f"{self._place}.{name}"
        if inner in LIBRARY:
            value = _OFFERS[inner]
        else:
            module = importlib.import_module(self._place)
            value = getattr(module, name, None)
            if value is None:  # the module's own AttributeError would refer to it
                raise AttributeError(f"module {self._place!r} has no attribute {name!r}")
            if not _gives(module, self._place, name, value):
                super().__getattr__(name)
        vars(self)[name] = value
        return value


def offers(module, name):
    """Return whether a module gives this name to an answer, as far as a text can show it."""
    inner = f"{module}.{name}"
    if module not in LIBRARY:
        return name in OFFERED.get(module, (name,)) or inner in OFFERED
    if inner in LIBRARY:
        return True
    if name in UNSAFE:
        return False
    loaded = sys.modules.get(module)
    if loaded and name in vars(loaded):
        return _gives(loaded, module, name, vars(loaded)[name])
    with contextlib.suppress(ImportError, OSError):  # no files are found in the sandbox
        return inner not in sys.modules and importlib.util.find_spec(inner) is None
    return True


def _gives(module, place, name, value):
    """Return whether a module of the library has this value to be used by everybody."""
    if name in UNSAFE:
        return False
    listed = name in LIBRARY[place]
    return listed or name in getattr(module, "__all__", (name,)) and _is_offered(value)


def _is_offered(value):
    """Return whether a value of the library is a function of it, a kind of layer, or a constant."""
    torch = sys.modules["minitorch"]
    if isinstance(value, (torch.dtype, torch.layout, torch.memory_format, float)):
        return True
    if isinstance(value, type):
        return issubclass(value, torch.nn.Module)
    return callable(value) and str(getattr(value, "__module__", None)).startswith(
        ("minitorch", "torch")
    )


def _offer(name):
    if name in LIBRARY:
        offer = LibraryOffer()
        vars(offer)["_place"] = name
        return offer
    module, offer = importlib.import_module(name), Offer()
    there = [given for given in OFFERED[name] if hasattr(module, given)]  # not in every Python
    vars(offer).update({given: getattr(module, given) for given in there})
    vars(offer).update(_place=name, __all__=there)
    return offer


def accumulate(iterable, func=None, *, initial=None):
    """Yield the first element, then what a function makes of its last result and the next element."""
    elements, func, total = iter(iterable), func or operator.add, initial
    if total is None:
        try:
            total = next(elements)
        except StopIteration:
            return
    yield total
    for element in elements:
        total = func(total, element)
        yield total


def count(start=0, step=1):
    """Yield numbers without an end."""
    while True:
        yield start
        start += step


def pairwise(iterable):
    """Yield each element with the next one."""
    elements = iter(iterable)
    for before in elements:
        for element in elements:
            yield before, element
            before = element


# in the place of C's own, which do not hold an object while they call its methods
REPLACED = {function.__name__: function for function in (accumulate, count, pairwise)}

_OFFERS = {name: _offer(name) for name in (*OFFERED, *LIBRARY)}
vars(_OFFERS["copy"])["deepcopy"] = lambda thing: copy.deepcopy(thing)  # the memo shows objects
vars(_OFFERS["itertools"]).update(REPLACED)
vars(_OFFERS["collections"])["abc"] = _OFFERS["collections.abc"]
_import = builtins.__import__


def bring(name, globals=None, locals=None, fromlist=(), level=0):
    """Import a module for an answer, as ``__import__`` does."""
    top = name.partition(".")[0]
    if name not in OFFERED:
        module = _import(name, globals, locals, fromlist, level)
        if not (name in LIBRARY or top == "minitorch" and not fromlist):
            return module
    return _OFFERS[name if fromlist else top]
