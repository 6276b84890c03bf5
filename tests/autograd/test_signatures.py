"""Every public name of autograd's modules: there, and called in the same way as PyTorch's."""

import functools
import importlib
import inspect
import typing

import pytest

pytest.importorskip("torch", reason="needs PyTorch as the reference: pip install -e '.[compat]'")

MODULES = [
    "autograd",
    "autograd.forward_ad",
    "autograd.function",
    "autograd.functional",
    "autograd.gradcheck",
    "autograd.graph",
    "autograd.anomaly_mode",
    "autograd.grad_mode",
    "autograd.profiler",
    "autograd.profiler_legacy",
    "autograd.profiler_util",
    "autograd.variable",
    "func",
    "overrides",
    "profiler",
    "profiler.profiler",
    "utils._pytree",
    "utils._python_dispatch",
    "utils.module_tracker",
    "utils.checkpoint",
    "utils.benchmark",
    "utils.benchmark.utils.fuzzer",
    "utils.flop_counter",
    "utils.hooks",
    "utils.weak",
]
# `from ... import` at the head of a module is not its interface
EVERYWHERE = {"annotations"}


def public(module, theirs):
    """The names that a module defines or lists, with their values."""
    listed = set(getattr(theirs, "__all__", ()))
    for name, value in sorted(vars(theirs).items()):
        if name.startswith("_") or name in EVERYWHERE or inspect.ismodule(value):
            continue
        if isinstance(value, (typing.TypeVar, typing.ParamSpec)):
            continue
        if name in listed or getattr(value, "__module__", None) == theirs.__name__:
            yield name, value


def parameters(function):
    """Names, order, kinds and defaults; None where Python cannot tell."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    found = []
    for p in signature.parameters.values():
        default = p.default
        if callable(default) and default is not p.empty:
            default = getattr(default, "__name__", default)
        found.append((p.name, p.kind.name, "required" if default is p.empty else repr(default)))
    return found


def members(cls):
    """`__init__` and the public methods that a class itself defines."""
    for name, value in sorted(vars(cls).items()):
        if hasattr(cls, "__members__") and name in ("name", "value"):
            continue  # of a member; an enumeration in Python has them in its own way
        if name == "__init__" or not name.startswith("_"):
            if isinstance(value, (staticmethod, classmethod)) or inspect.isfunction(value):
                yield name, getattr(cls, name)
            elif isinstance(value, (property, functools.cached_property)):
                yield name, None


def difference(ours, theirs):
    """How the two are called differently, or None."""
    expected, found = parameters(theirs), parameters(ours)
    if expected is None or expected == found:
        return None
    return f"{found} instead of {expected}"


def found_gaps(name):
    theirs = importlib.import_module("torch." + name)
    ours = importlib.import_module("minitorch." + name)
    gaps = {}
    for attribute, value in public(name, theirs):
        path = f"{name}.{attribute}"
        if not hasattr(ours, attribute):
            gaps[path] = "missing"
            continue
        mine = getattr(ours, attribute)
        if isinstance(value, type):
            if not isinstance(mine, type):
                gaps[path] = "no class"
                continue
            for method, function in members(value):
                if not hasattr(mine, method):
                    gaps[f"{path}.{method}"] = "missing"
                elif function is not None:
                    differs = difference(getattr(mine, method), function)
                    if differs:
                        gaps[f"{path}.{method}"] = differs
        elif callable(value):
            differs = difference(mine, value)
            if differs:
                gaps[path] = differs
    return gaps


@pytest.mark.parametrize("name", MODULES)
def test_names_and_signatures(name):
    assert found_gaps(name) == {}
