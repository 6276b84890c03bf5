"""Plug a student's piece into the library, and take the library's own piece away.

`forbid` removes what the library offers for the same purpose, everywhere in the process: it deletes
entries of the dictionaries of compiled classes, which ordinary assignments cannot reach.
"""

import collections
import contextlib
import ctypes
import gc
import importlib
import sys
import types
import weakref

import minitorch as torch
import minitorch.utils.hooks
from exercises.grader.allowed import IMPORTS
from exercises.source import FILE
from minitorch._dispatch.mode_stack import exit_this
from minitorch._ops import OpOverload
from minitorch.core import lazy
from minitorch.utils._python_dispatch import TorchDispatchMode

# imported here and not in every fork; what is imported later would keep its functions
_ELSEWHERE = """
    autograd.engine_steps autograd.forward_ad autograd.functional func optim serialization
"""
for _name in _ELSEWHERE.split():
    importlib.import_module(f"minitorch.{_name}")


_TENSORS = (torch.Tensor, torch.nn.Parameter)
# classes with attributes that their own methods set
_CHANGED = {torch.autograd.Variable, weakref.finalize}
_POINTER = ctypes.sizeof(ctypes.c_void_p)
_TP_CALL, _TP_FLAGS, _TP_COMPARE = (k * _POINTER for k in (16, 21, 25))  # places in a type object
_IMMUTABLE = 1 << 8  # of the flags


class Retired(RuntimeError):
    """The library's own implementation is called, in a process in which it is the student's."""


def _gone(name):
    def gone(*arguments, **keywords):
        raise Retired(f"{name} is yours to write; the library's own is switched off here")

    return gone


def _entries(cls):
    """Return the dictionary of a class, which can be changed even if the class cannot."""
    (entries,) = (d for d in gc.get_referents(cls.__dict__) if type(d) is dict)
    return entries


def forbid_attributes(cls, *names):
    """Remove methods from a class and from the classes it inherits from, compiled ones too."""
    for owner in cls.__mro__:
        if owner is object:
            continue
        entries = _entries(owner)
        for name in names:
            if name in entries:
                entries[name] = _gone(name)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))


def set_attribute(cls, name, value):
    """Set an attribute of a class, even of one that is frozen."""
    _entries(cls)[name] = value
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))


def remove_attribute(cls, name):
    """Take an attribute out of a class, even of one that is compiled."""
    _entries(cls).pop(name, None)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))


def empty(cls):
    """Take all attributes out of a class, and let it get no others."""
    _entries(cls).clear()
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))
    make_immutable(cls)


def retire(namespace):
    """Let no answer change the library, and take away what an assignment retires.

    Parameters
    ----------
    namespace : dict
        The code of the tests.
    """
    freeze(namespace)
    namespace["retire"]()  # it may close the way to ctypes


def freeze(namespace):
    """Let no answer change the library, Python's modules, the tests, or the classes in them.

    Otherwise an answer could replace `torch.Tensor.mm` by operators that the tests do not watch, or
    `weakref.ref` by a class whose objects say that nothing is alive.
    """
    frozen, classes = {}, {c for c in namespace.values() if isinstance(c, type)}
    for module in list(sys.modules.values()):
        name, kind = getattr(module, "__name__", ""), type(module)
        if not issubclass(kind, types.ModuleType):
            continue
        package = name.partition(".")[0]
        known = package == "minitorch" or name in IMPORTS or name in _GIVEN
        if known or package == "exercises":
            classes.update(c for c in list(vars(module).values()) if isinstance(c, type))
        if known and not issubclass(kind, _Frozen):
            if kind not in frozen:
                frozen[kind] = type("Frozen", (_Frozen, kind), {})
            module.__class__ = frozen[kind]
    _MODULES.update(frozen.values())
    _keep_methods()
    _keep_handles()
    _compare_as_dict(collections.OrderedDict)
    set_attribute(TorchDispatchMode, "__exit__", exit_this)  # and not whichever is the innermost
    save, load = torch.save, torch.load
    vars(torch)["save"] = lambda thing, file: save(thing, file)  # by the library's own pickle only
    vars(torch)["load"] = lambda file, weights_only=True: load(file, weights_only=True)
    for cls in (classes | _MODULES) - _CHANGED - {types.ModuleType}:
        if issubclass(cls, torch.optim.Optimizer) and cls is not torch.optim.Optimizer:
            continue  # the first object of such a class wraps its `step`
        make_immutable(cls)


def _compare_as_dict(cls):
    """Let objects of a class be compared as dictionaries; an OrderedDict's own way is not safe.

    See Note [What an import gives an answer] in `exercises.grader.offered`. The library gives out
    some, such as a `state_dict`.
    """
    for name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
        remove_attribute(cls, name)
    slot, theirs = (ctypes.c_void_p.from_address(id(c) + _TP_COMPARE) for c in (cls, dict))
    slot.value = theirs.value


def make_immutable(cls):
    """Let the attributes of a class be set by `set_attribute` only."""
    flags = ctypes.c_ulong.from_address(id(cls) + _TP_FLAGS)
    if flags.value != cls.__flags__:
        raise RuntimeError("a type object has its flags in another place")
    if not flags.value & _IMMUTABLE:
        flags.value |= _IMMUTABLE
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(cls))


def _keep_methods():
    """Let no attribute of a tensor hide a method, which the tests may call."""
    tensor, methods = torch.Tensor, set()
    for cls in reversed(tensor.__mro__):
        for name, value in vars(cls).items():
            (methods.discard if hasattr(type(value), "__set__") else methods.add)(name)
    set_anything = tensor.__setattr__

    def __setattr__(self, name, value):
        if name in methods:
            raise AttributeError(f"an answer may not replace the method {name} of a tensor")
        set_anything(self, name, value)

    type.__setattr__(tensor, "__setattr__", __setattr__)


def _keep_handles():
    """Let no answer change a handle, so that it removes hooks of others."""

    def __setattr__(self, name, value):
        if sys._getframe(1).f_code.co_filename == FILE:
            raise AttributeError(f"an answer may not change {name} of a handle")
        object.__setattr__(self, name, value)

    handle = torch.utils.hooks.RemovableHandle
    type.__setattr__(handle, "__setattr__", __setattr__)
    # the class counts its objects in what has its name
    count = types.SimpleNamespace(next_id=handle.next_id)
    handle.__init__.__globals__["RemovableHandle"] = count


_GIVEN = {"io", "os", "threading", "uuid"}  # modules that the given code of assignments imports
# what `warnings.catch_warnings` sets
_SET = {("warnings", name) for name in ("filters", "showwarning", "_showwarnmsg_impl")}


_MODULES = {types.ModuleType}  # and what `freeze` makes of it


class _Frozen:
    def __setattr__(self, name, value):
        # a name that is new is a module, or one that the library makes when it is first used;
        # an answer's could hide a builtin
        late = type(value) in _MODULES or sys._getframe(1).f_globals is vars(lazy)
        if not (late and name not in vars(self)) and (self.__name__, name) not in _SET:
            raise AttributeError(f"an answer may not change {self.__name__}.{name}")
        super().__setattr__(name, value)

    def __init__(self, *_):
        raise AttributeError(f"an answer may not change {self.__name__}")

    def __delattr__(self, name):
        raise AttributeError(f"an answer may not delete {self.__name__}.{name}")


def forbid_calls(cls):
    """Make the objects of a class and of all its subclasses uncallable."""
    for sub in (cls, *cls.__subclasses__()):
        ctypes.c_void_p.from_address(id(sub) + _TP_CALL).value = None
        if sub is not cls:
            forbid_calls(sub)


def forbid_functions(*names):
    """Replace functions of these names in every module of the library."""
    for module in list(sys.modules.values()):
        name = getattr(module, "__name__", None)
        if isinstance(name, str) and name.partition(".")[0] in ("minitorch", "torch"):
            for name in names:
                if name in vars(module):
                    vars(module)[name] = _gone(name)  # the module may be frozen


def forbid_node_calls():
    """Make nodes uncallable; the engine calls them in another way."""
    node = type(torch.ones((), requires_grad=True).exp().grad_fn).__mro__[-2]
    forbid_attributes(node, "__call__")
    forbid_calls(node)
    forbid_functions("call_function", "_apply")


def forbid_backward():
    """Take every way to a backward pass away."""
    engine = torch.autograd.Variable._execution_engine
    forbid_attributes(type(engine), "run_backward")
    forbid_attributes(torch.Tensor, "backward", "grad_fn")
    forbid_node_calls()
    forbid_functions(
        *("backward", "grad", "grad_and_value", "call_function", "_apply", "vjp", "jacrev"),
        *("jacobian", "jvp", "jacfwd", "linearize", "make_dual", "hessian", "hvp", "vhp"),
    )


def _name_of(operator):
    """Return the name that an operator has in its schema; its ``__name__`` can be changed."""
    return OpOverload.name(operator).partition("::")[2].partition(".")[0]


class Only(TorchDispatchMode):
    """Let operators of a few names through, and raise `Retired` at all others."""

    def __init__(self, allowed):
        super().__init__()
        self.allowed = allowed

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = _name_of(func)
        if name not in self.allowed:
            raise Retired(f"{name} may not be used to write this piece")
        return func(*args, **(kwargs or {}))


class Replaced(TorchDispatchMode):
    """Send operators to functions of the student, below autograd.

    Parameters
    ----------
    pieces : dict of str to callable
        By the operator's name, such as "transpose"; called with the operator's arguments. It may
        return NotImplemented to have the library's own operator called.
    """

    def __init__(self, pieces):
        super().__init__()
        self.pieces = pieces

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        piece = self.pieces.get(_name_of(func))
        result = NotImplemented if piece is None else piece(*args, **(kwargs or {}))
        return func(*args, **(kwargs or {})) if result is NotImplemented else result


def guarded(function, allowed=()):
    """Return `function` so that it can only use a few operators of the library."""

    def call(*arguments, **keywords):
        with Only(allowed):
            return settled(function(*arguments, **keywords))

    return call


def settled(value):
    """Return a result whose parts are all there, so that no code of the student makes them later.

    Raises
    ------
    TypeError
        For anything but tensors, numbers, texts, and what can be iterated over to get them. So a
        student's function cannot return NotImplemented, which calls the library's own operator.
    """
    if type(value) in (int, float, str, bool, type(None), *_TENSORS):
        return value
    if isinstance(value, torch.Tensor) or not hasattr(value, "__iter__"):
        raise TypeError(f"a {type(value).__name__} is returned, and not tensors, numbers or tuples")
    return (list if isinstance(value, list) else tuple)([settled(item) for item in value])


@contextlib.contextmanager
def loading():
    """Let no operator work while an answer is loaded, so that it makes no table.

    The garbage collector stays off afterwards: it could run a finalizer of the answer at a time when
    operators work.
    """
    gc.disable()
    with Only(()):
        yield


def forbid_escapes():
    """Take away what leads around the modes, and what leads to NumPy."""
    forbid_functions(
        *("disabled", "_disable_current_modes", "_pop_mode", "_pop_mode_temporarily", "from_numpy"),
        *("frombuffer", "_DisableTorchDispatch", "from_dlpack", "asarray", "as_tensor"),
        *("_pop_torch_dispatch_stack", "no_dispatch"),
    )
    for name in list(sys.modules):
        if name.partition(".")[0] in ("numpy", "scipy"):
            sys.modules[name] = None  # importing it raises
    forbid_attributes(torch.Tensor, "numpy", "__array__", "__dlpack__", "__array_interface__")


# what the first use of a mode and of a library imports is imported here, and not in every fork
with Replaced({}):
    torch.ones(2).requires_grad_().exp().view(2).sum().backward()
