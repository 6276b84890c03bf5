"""The lists of `torch.overrides`: overridable functions, their names and their signatures."""

import functools
import importlib
import inspect
import keyword

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods
from minitorch.autograd.functions.overridable import (
    OverridableAttribute,
    OverridableFunction,
    OverridableMethod,
)
from minitorch.namespace import overridden as _overridden
from minitorch.parsing.signature import parse_signature

_NAMESPACES = ("", "functional", "nn.functional", "nn.init", "Tensor", "linalg", "fft", "special")


def _namespace(path):
    if path == "Tensor":
        return Tensor
    return importlib.import_module(f"minitorch.{path}" if path else "minitorch")


def get_ignored_functions():
    """Return the public functions that a class need not override.

    Modes can still override some of them: ``torch.zeros``, for example, takes no tensor.

    Their arguments may be of any type.

    Returns
    -------
    set of callable

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.zeros in torch.overrides.get_ignored_functions()
    True
    """
    return {
        getattr(_namespace(path), name)
        for path, names in _overridden.IGNORED.items()
        for name in names.split()
        if hasattr(_namespace(path), name)
    }


@functools.cache
def _functions():
    """Return the dict of overridable functions per namespace, and the dict of their names."""
    found, names, ignored = {}, {}, get_ignored_functions()
    for path in _NAMESPACES:
        namespace = _namespace(path)
        offered = dir(namespace) if path in ("", "Tensor") else _public_names(namespace)
        for name in offered:
            value = inspect.getattr_static(namespace, name, None)
            full = ".".join(filter(None, ("torch", path, name)))
            if isinstance(value, OverridableAttribute):
                found[value] = [value.__get__]
                names[value.__get__] = f"{full}.__get__"
                names[value.__set__] = f"{full}.__set__"
            elif _is_callable(path, name, value):
                if value not in names or getattr(value, "__name__", name) == name:
                    names[value] = full
                if _can_be_taken_over(path, name, value) and value not in ignored:
                    found.setdefault(namespace, []).append(value)
    # in PyTorch, these two are one function
    tensor = _namespace("Tensor")
    names[tensor.__rdiv__] = names[tensor.__rtruediv__]
    return found, names


def _public_names(namespace):
    return getattr(namespace, "__all__", None) or [n for n in dir(namespace) if n[0] != "_"]


def _is_callable(path, name, value):
    return callable(value) and (path == "Tensor" or name[0] != "_")


def _can_be_taken_over(path, name, value):
    if path == "Tensor":
        return name in _overridden.DATA_MODEL or isinstance(value, OverridableFunction)
    # functions in place can be overridden too, but are not listed
    return path != "nn.init" and name[-1] != "_" and isinstance(value, OverridableFunction)


def get_overridable_functions():
    """Return all overridable functions.

    A namespace may have any number of functions.

    Returns
    -------
    dict
        Maps a namespace (a module or `Tensor`) to the list of its functions, and an attribute
        of `Tensor` to its getter.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.add in torch.overrides.get_overridable_functions()[torch]
    True
    """
    return {namespace: list(functions) for namespace, functions in _functions()[0].items()}


def name_of_function(f):
    """Return the full name of an overridable function, None for other functions."""
    return _functions()[1].get(f)


@functools.cache
def get_testing_overrides():
    """Return a dict from each overridable function to a stand-in that returns -1.

    The stand-in has the signature of the function's simplest overload, and accepts the arguments of
    any overload.

    Returns
    -------
    dict
        Maps functions to functions that return the int -1.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.overrides.get_testing_overrides()[torch.add](torch.ones(1), torch.ones(1))
    -1
    """
    found, names = _functions()
    every = {function for functions in found.values() for function in functions}
    every.update(getattr(_namespace("nn.init"), name) for name in _overridden.INITIALIZERS)
    return {function: _stand_in(function, names[function]) for function in every}


def _stand_in(function, name):
    signature = _signature(function, name)
    needs_some = bool(_required(signature.parameters.values()))

    def stand_in(*args, **kwargs):
        if needs_some and not args and not kwargs:
            raise TypeError(f"{function.__name__}() missing 1 required positional argument")
        return -1

    stand_in.__signature__ = signature
    stand_in.__name__ = function.__name__
    return stand_in


_SELF = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
_OTHER = inspect.Parameter("other", inspect.Parameter.POSITIONAL_ONLY)
_ANY = (
    inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
    inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD),
)


def _signature(function, name):
    """Return a function's signature, from its argument parser if it has one."""
    method = name.startswith("torch.Tensor.")
    if name.endswith(".__get__"):
        return inspect.Signature([_SELF])
    if method and function.__name__ in _overridden.OPERATORS:
        return inspect.Signature([_SELF, _OTHER])
    # a bound Python function may have the name of a C function, for example `relu`
    in_python = not method and isinstance(function, OverridableMethod)
    texts = () if in_python else _texts(function, method)
    if texts:
        forms = [_parameters(parse_signature(text)) for text in texts]
        simplest = min(forms, key=lambda form: len(_required(form)))
        return inspect.Signature([_SELF, *simplest] if method else simplest)
    try:
        # not that of the public name, which is known for functions in C too
        return inspect.signature(getattr(function, "__wrapped__", function))
    except (TypeError, ValueError):
        return inspect.Signature([_SELF, *_ANY] if method else _ANY)


def _required(parameters):
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p for p in parameters if p.default is p.empty and p.kind not in several]


def _texts(function, method):
    name = function.__name__
    tables = (
        (tensor_methods.method_signatures, tensor_methods.composed_methods)
        if method
        else (tensor_methods.function_signatures, tensor_methods.composed_functions)
    )
    for table in tables:
        if name in table:
            return [table[name]] if isinstance(table[name], str) else table[name]
    return ()


def _parameters(signature):
    parameters, by_name = [], inspect.Parameter.KEYWORD_ONLY
    for p in signature.parameters:
        kind = by_name if p.keyword_only else inspect.Parameter.POSITIONAL_OR_KEYWORD
        default = inspect.Parameter.empty if p.default is None else p.default_value
        if not p.keyword_only and default is inspect.Parameter.empty:
            # in an operator's schema, a parameter with a default may come before one without
            parameters = [q.replace(default=inspect.Parameter.empty) for q in parameters]
        name = f"{p.name}_" if keyword.iskeyword(p.name) else p.name
        parameters.append(inspect.Parameter(name, kind, default=default))
    return parameters
