"""Functions that are replaced for as long as a program is traced."""

import builtins
import contextlib
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from minitorch.fx.node import map_aggregate
from minitorch.fx.proxy import Proxy

# functions a tracer does not look into: their name, and the globals they are called from
_wrapped_fns_to_patch: dict[tuple[int, str], dict[str, Any]] = {}
_wrapped_methods_to_patch: list[tuple[type, str]] = []


def find_proxy(*objects):
    """A proxy in nested containers; None if there is none."""
    found = []

    def note(leaf):
        if isinstance(leaf, Proxy):
            found.append(leaf)

    map_aggregate(objects, note)
    return found[-1] if found else None


def _wrapped_function(function):
    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        proxy = find_proxy(args, kwargs)
        if proxy is None:
            return function(*args, **kwargs)
        result = proxy.tracer.create_proxy("call_function", function, args, kwargs)
        result.node.meta["is_wrapped"] = True
        return result

    return wrapped


def _wrapped_method(cls, name):
    method = getattr(cls, name)

    @functools.wraps(method)
    def wrapped(*args, **kwargs):
        proxy = find_proxy(args, kwargs)
        if proxy is None:
            return method(*args, **kwargs)
        return proxy.tracer.create_proxy("call_method", name, args, kwargs)

    return wrapped


class _Patch(NamedTuple):
    """A place, and what stands there while a program is traced."""

    put: Callable[[], None]
    take_back: Callable[[], None]


class Patcher:
    """Puts functions into places, and puts back at the end what stood there."""

    def __init__(self):
        self.patches = []
        self.visited = set()

    def patch(self, names, name, function, deduplicate=True):
        """Replace a global.

        Parameters
        ----------
        names : dict
        name : str
        function : callable
        deduplicate : bool
            Whether it is left when another one has replaced it already.
        """
        function.__fx_already_patched = deduplicate
        put = functools.partial(names.__setitem__, name, function)
        if name not in names and hasattr(builtins, name):
            self._do(_Patch(put, functools.partial(names.__delitem__, name)))
        elif not getattr(names[name], "__fx_already_patched", False):
            self._do(_Patch(put, functools.partial(names.__setitem__, name, names[name])))

    def patch_method(self, cls, name, function, deduplicate=True):
        """Replace a method."""
        function.__fx_already_patched = deduplicate
        before = getattr(cls, name)
        if not getattr(before, "__fx_already_patched", False):
            back = functools.partial(setattr, cls, name, before)
            self._do(_Patch(functools.partial(setattr, cls, name, function), back))

    def _do(self, patch):
        self.patches.append(patch)
        patch.put()

    def visit_once(self, names):
        """Whether these globals are seen for the first time."""
        first = id(names) not in self.visited
        self.visited.add(id(names))
        return first

    def revert_all_patches(self):
        """Put everything back, the last one first."""
        for patch in reversed(self.patches):
            patch.take_back()

    def reapply_all_patches(self):
        """Replace everything again."""
        for patch in self.patches:
            patch.put()


_current: Patcher | None = None


@contextlib.contextmanager
def new_patcher():
    """A block with a patcher of its own."""
    global _current
    before, _current = _current, Patcher()
    try:
        yield _current
    finally:
        _current.revert_all_patches()
        _current = before


@contextlib.contextmanager
def _maybe_revert_all_patches():
    """A block in which functions are themselves, also while a program is traced."""
    patcher = _current
    if patcher is not None:
        patcher.revert_all_patches()
    try:
        yield
    finally:
        if patcher is not None:
            patcher.reapply_all_patches()


def patch_wrapped_functions(patcher):
    """Replace what `wrap` was called with."""
    for (_, name), names in _wrapped_fns_to_patch.copy().items():
        function = names[name] if name in names else getattr(builtins, name)
        patcher.patch(names, name, _wrapped_function(function))
    for cls, name in _wrapped_methods_to_patch:
        patcher.patch_method(cls, name, _wrapped_method(cls, name))


def autowrap_check(patcher, names, ids):
    """Replace those of these globals whose identity is given."""
    if patcher.visit_once(names):
        for name, value in list(names.items()):
            if not name.startswith("_") and callable(value) and id(value) in ids:
                patcher.patch(names, name, _wrapped_function(value))
