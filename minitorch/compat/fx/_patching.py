"""Functions that are patched while a program is traced."""

import builtins
import contextlib
import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from minitorch.fx.node import map_aggregate
from minitorch.fx.proxy import Proxy

# functions recorded as single nodes: (id of the globals, name) -> globals they are called from
_wrapped_fns_to_patch: dict[tuple[int, str], dict[str, Any]] = {}
_wrapped_methods_to_patch: list[tuple[type, str]] = []


def find_proxy(*objects):
    """Return a proxy in nested containers, or None."""
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
    """One patch: functions that apply and revert it."""

    put: Callable[[], None]
    take_back: Callable[[], None]


class Patcher:
    """Applies patches and reverts them at the end."""

    def __init__(self):
        self.patches = []
        self.visited = set()

    def patch(self, names, name, function, deduplicate=True):
        """Patch a global function.

        Parameters
        ----------
        names : dict
        name : str
        function : callable
        deduplicate : bool
            Whether a later patch of the same name is skipped.
        """
        function.__fx_already_patched = deduplicate
        put = functools.partial(names.__setitem__, name, function)
        if name not in names and hasattr(builtins, name):
            self._do(_Patch(put, functools.partial(names.__delitem__, name)))
        elif not getattr(names[name], "__fx_already_patched", False):
            self._do(_Patch(put, functools.partial(names.__setitem__, name, names[name])))

    def patch_method(self, cls, name, function, deduplicate=True):
        """Patch a method of a class."""
        function.__fx_already_patched = deduplicate
        before = getattr(cls, name)
        if not getattr(before, "__fx_already_patched", False):
            back = functools.partial(setattr, cls, name, before)
            self._do(_Patch(functools.partial(setattr, cls, name, function), back))

    def _do(self, patch):
        self.patches.append(patch)
        patch.put()

    def visit_once(self, names):
        """Return whether these globals have not been visited before."""
        first = id(names) not in self.visited
        self.visited.add(id(names))
        return first

    def revert_all_patches(self):
        """Revert all patches in reverse order."""
        for patch in reversed(self.patches):
            patch.take_back()

    def reapply_all_patches(self):
        """Apply all patches again."""
        for patch in self.patches:
            patch.put()


_current: Patcher | None = None


@contextlib.contextmanager
def new_patcher():
    """Create a patcher for the block and revert its patches on exit."""
    global _current
    before, _current = _current, Patcher()
    try:
        yield _current
    finally:
        _current.revert_all_patches()
        _current = before


@contextlib.contextmanager
def _maybe_revert_all_patches():
    """Revert the patches of the current trace inside the block."""
    patcher = _current
    if patcher is not None:
        patcher.revert_all_patches()
    try:
        yield
    finally:
        if patcher is not None:
            patcher.reapply_all_patches()


def patch_wrapped_functions(patcher):
    """Patch the functions that were registered with `wrap`."""
    for (_, name), names in _wrapped_fns_to_patch.copy().items():
        function = names[name] if name in names else getattr(builtins, name)
        patcher.patch(names, name, _wrapped_function(function))
    for cls, name in _wrapped_methods_to_patch:
        patcher.patch_method(cls, name, _wrapped_method(cls, name))


def autowrap_check(patcher, names, ids):
    """Patch the public functions in `names` whose ids are in `ids`."""
    if patcher.visit_once(names):
        for name, value in list(names.items()):
            if not name.startswith("_") and callable(value) and id(value) in ids:
                patcher.patch(names, name, _wrapped_function(value))
