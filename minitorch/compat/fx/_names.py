"""Names of functions, types and variables in generated code.

In generated code, the name ``torch`` refers to this package. A minitorch function is written with
the name that PyTorch uses for it, provided that this name resolves to the same function here.
"""

import builtins
import inspect
import keyword
import math
import re
import sys
import types
from functools import cache
from typing import NamedTuple

from minitorch import functional
from minitorch._tensor import Tensor

_PACKAGE = __name__.partition(".")[0]

# functions of `torch.nn.functional` that PyTorch implements in C++ in `torch._C._nn`
_COMPILED = {
    "avg_pool2d", "avg_pool3d", "elu_", "gelu", "hardtanh_", "leaky_relu_", "linear", "logsigmoid",
    "one_hot", "scaled_dot_product_attention", "softplus", "softshrink",
}  # fmt: skip
# and those that PyTorch takes from `torch`
_COMPILED_IN_TORCH = {
    "adaptive_avg_pool1d", "avg_pool1d", "bilinear", "celu_", "channel_shuffle", "conv1d", "conv2d",
    "conv3d", "conv_tbc", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
    "cosine_similarity", "hardshrink", "pairwise_distance", "pdist", "pixel_shuffle",
    "pixel_unshuffle", "prelu", "relu_", "rrelu_", "selu_", "threshold_",
}  # fmt: skip
_COMPILED_NAMES = {"logsigmoid": "log_sigmoid"}
# the modules of `torch._C` that hold the compiled functions of these namespaces
# Folders of ours whose functions PyTorch has in `torch`.
_OURS = ("composed", "core", "namespace", "tensors")
_NAMESPACES = {"fft": "_fft", "linalg": "_linalg", "special": "_special"}


def package():
    """Return the module that generated code refers to as ``torch``."""
    return sys.modules[_PACKAGE]


def look_up(path):
    """Return the object with a dotted name in the package, or None.

    The first part of the name is ignored.
    """
    found = package()
    for part in path.split(".")[1:]:
        found = getattr(found, part, None)
    return found


def is_from_torch(obj):
    """Return whether generated code can reach an object through ``torch``."""
    module = getattr(obj, "__module__", None)
    if module is not None:
        return module.partition(".")[0] in ("torch", _PACKAGE)
    name = getattr(obj, "__name__", None)
    places = package(), package().nn.functional
    return name not in (None, "torch") and any(getattr(p, name, None) is obj for p in places)


def find_module(func):
    """Return the name of PyTorch's module for a function."""
    module = getattr(func, "__module__", None)
    if module is not None:
        return as_torch(module).replace("torch._ops", "torch.ops")
    for place in ("torch", "torch.nn.functional"):
        if getattr(look_up(place), func.__name__, None) is func:
            return place
    raise RuntimeError(f"cannot find module for {func}")


def as_torch(module):
    """Replace the package name in a module name: ``minitorch.nn`` becomes ``torch.nn``."""
    head, dot, rest = module.partition(".")
    return f"torch{dot}{rest}" if head == _PACKAGE else module


def is_compiled(func):
    """Return whether PyTorch implements a `torch.nn.functional` function in C++.

    Such a function cannot be traced into.
    """
    name = getattr(func, "__name__", None)
    known = name in _COMPILED or name in _COMPILED_IN_TORCH
    return known and getattr(package().nn.functional, name, None) is func


def _candidates(module, name):
    """Yield the names that PyTorch may use for a function."""
    if module == "torch" and name in functional.__all__:
        yield f"torch.functional.{name}"
    if module == "torch.nn.functional" and name in _COMPILED:
        yield f"torch._C._nn.{_COMPILED_NAMES.get(name, name)}"
    place = module.removeprefix("torch.")
    if place in _NAMESPACES:
        yield f"torch._C.{_NAMESPACES[place]}.{name}"
    if place.startswith("_") or place.partition(".")[0] in _OURS:
        yield f"torch.{name}"
        yield f"torch.func.{name}"


def _is_method(func, name):
    method = getattr(Tensor, name, None)
    if func is not method:
        return False
    module = getattr(func, "__module__", None)
    return module is None or as_torch(module) in ("torch", "torch._tensor")


def qualified_name(func):
    """Return the dotted name of a function in generated code.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.fx._names import qualified_name
    >>> qualified_name(len), qualified_name(torch.add), qualified_name(torch.nn.functional.linear)
    ('len', 'torch.add', 'torch._C._nn.linear')
    """
    name = func.__name__
    if getattr(builtins, name, None) is func:
        return name
    if _is_method(func, name):
        return f"torch.Tensor.{name}"
    if name == "<lambda>":
        name = _name_of_lambda(func)
    module = find_module(func)
    for path in _candidates(module, name):
        if look_up(path) is func:
            return path
    return f"{module}.{name}"


def _name_of_lambda(func):
    try:
        return inspect.getsource(func).split("=")[0].strip()
    except Exception as error:
        raise RuntimeError("Unable to represent lambda") from error


def type_name(obj):
    """Return the name of a type in the text of a graph."""
    if isinstance(obj, type) and not isinstance(obj, types.GenericAlias):
        if obj.__module__ == "builtins":
            return obj.__qualname__
        return f"{as_torch(obj.__module__)}.{obj.__qualname__}"
    if obj is ...:
        return "..."
    if isinstance(obj, types.FunctionType):
        return obj.__name__
    return repr(obj)


# ---- names of variables


class CustomBuiltin(NamedTuple):
    """An object available in all generated code, and the statement that imports it."""

    import_str: str
    obj: object


@cache
def custom_builtins():
    """Return the objects available in all generated code by name."""
    from minitorch.fx import _pytree as fx_pytree
    from minitorch.utils import _pytree as pytree

    return {
        "inf": CustomBuiltin("from math import inf", math.inf),
        "nan": CustomBuiltin("from math import nan", math.nan),
        "NoneType": CustomBuiltin("NoneType = type(None)", type(None)),
        "torch": CustomBuiltin(f"import {_PACKAGE} as torch", package()),
        "device": CustomBuiltin(f"from {_PACKAGE} import device", package().device),
        "fx_pytree": CustomBuiltin(f"import {_PACKAGE}.fx._pytree as fx_pytree", fx_pytree),
        "pytree": CustomBuiltin(f"import {_PACKAGE}.utils._pytree as pytree", pytree),
    }


@cache
def _taken():
    """Return reserved names; a variable may use one only if it is that object."""
    words = {word: object() for word in keyword.kwlist}
    builtin = {name: entry.obj for name, entry in custom_builtins().items()}
    return {**words, **vars(builtins), **builtin}


def snake_case(name):
    """Convert ``pascalCase`` to ``pascal_case``."""
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()


_BASE_AND_NUMBER = re.compile(r"^([a-zA-Z_][0-9a-zA-Z_]*?)(?:_(\d+))?$")


def _as_identifier(text):
    text = re.sub("[^0-9a-zA-Z_]+", "_", text) or "_unnamed"
    return f"_{text}" if text[0].isdigit() else text


class Namespace:
    """A set of unique names and the objects they are associated with.

    Examples
    --------
    >>> from minitorch.fx._names import Namespace
    >>> names = Namespace()
    >>> [names.create_name("x", None) for _ in range(3)], names.create_name("sum", None)
    (['x', 'x_1', 'x_2'], 'sum_1')
    """

    def __init__(self):
        self._obj_to_name = {}
        self._used_names = set()
        self._base_count = {}

    def create_name(self, candidate, obj):
        """Return an unused name: the candidate, with a number appended if needed.

        Parameters
        ----------
        candidate : str
        obj : object or None
            Object to associate with the name. An object that already has a name keeps it.
        """
        if obj is not None and obj in self._obj_to_name:
            return self._obj_to_name[obj]
        match = _BASE_AND_NUMBER.match(candidate)
        if match is None:
            candidate = _as_identifier(candidate)
            match = _BASE_AND_NUMBER.match(candidate)
        candidate = self._numbered(candidate, *match.groups(), obj)
        if obj is not None:
            self._obj_to_name[obj] = candidate
        return candidate

    def _numbered(self, candidate, base, number, obj):
        if number is None or candidate in self._used_names:
            number = self._base_count.get(base, 0)
            if _taken().get(candidate, obj) is not obj:
                number += 1
                candidate = f"{base}_{number}"
        number = int(number)
        while candidate in self._used_names:
            number += 1
            candidate = f"{base}_{number}"
        self._used_names.add(candidate)
        self._base_count[base] = number
        return candidate

    def associate_name_with_obj(self, name, obj):
        """Associate a name with an object that has none."""
        if self._obj_to_name.setdefault(obj, name) is not name:
            raise AssertionError("obj is already associated")

    def _rename_object(self, obj, name):
        if obj not in self._obj_to_name:
            raise AssertionError(f"Object {obj} is not in _obj_to_name")
        self._obj_to_name[obj] = name
        self._used_names.add(name)
