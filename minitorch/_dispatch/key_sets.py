"""Dispatch keys, sets of them, and the keys that a thread includes or excludes.

A set holds the names of keys. Most keys, such as those of devices, have no effect here: minitorch
does their work in another way. Excluding the keys for autograd or ``__torch_dispatch__`` has its
effect (`passing_by`), and the sets select the kernels that a program registers.
"""

import contextlib
import enum
import threading

from minitorch.amp.autocast_mode import is_autocast_enabled
from minitorch.autograd import python_dispatch
from minitorch.autograd.grad_mode import (
    _not_recording,
    _recording_as_shown,
    is_inference_mode_enabled,
)
from minitorch.core.types import device

_DEVICES = (
    "CPU CUDA HIP XLA MPS IPU XPU HPU VE Lazy MTIA MAIA PrivateUse1 PrivateUse2 PrivateUse3 Meta"
).split()
_AUTOCAST_DEVICES = "CPU MTIA MAIA XPU IPU HPU XLA MPS CUDA PrivateUse1".split()
_ALIASES = (
    "Autograd CompositeImplicitAutograd FuncTorchBatchedDecomposition CompositeImplicitAutogradNestedTensor "
    "CompositeExplicitAutograd CompositeExplicitAutogradNonFunctional"
).split()
# functionalities with one key per device -> prefix of those keys
_FUNCTIONALITIES = {
    "Dense": "",
    "Quantized": "Quantized",
    "Sparse": "Sparse",
    "SparseCsr": "SparseCsr",
    "NestedTensor": "NestedTensor",
    "AutogradFunctionality": "Autograd",
}


def _names(prefix, devices=_DEVICES):
    return [prefix + device for device in devices]


# in the order in which sets print them; a later key has higher priority
ORDER = [
    *_names(""),
    *"FPGA Vulkan Metal".split(),
    *_names("Quantized"),
    *"CustomRNGKeyId MkldnnCPU".split(),
    *_names("Sparse"),
    *_names("SparseCsr"),
    *_names("NestedTensor"),
    *"BackendSelect Fake Python FuncTorchDynamicLayerBackMode Functionalize Conjugate Negative ZeroTensor".split(),
    *"ADInplaceOrView AutogradOther".split(),
    *_names("Autograd"),
    *"AutogradNestedTensor Tracer".split(),
    *_names("Autocast", _AUTOCAST_DEVICES),
    *"FuncTorchBatched BatchedNestedTensor FuncTorchVmapMode Batched VmapMode FuncTorchGradWrapper".split(),
    *"DeferredInit PythonTLSSnapshot FuncTorchDynamicLayerFrontMode TESTING_ONLY_GenericWrapper".split(),
    *"TESTING_ONLY_GenericMode PreDispatch PythonDispatcher".split(),
]
_PLACES = {name: place for place, name in enumerate(ORDER)}


def _numbers():
    """Return the number of each key that `DispatchKey` has."""
    found = {
        "Undefined": 0,
        **{"Dense": 1, "Quantized": 5, "Sparse": 8, "SparseCsr": 9, "NestedTensor": 10},
        **{"BackendSelect": 11, "Python": 13, "FuncTorchDynamicLayerBackMode": 14},
        **{"Functionalize": 15, "Conjugate": 16, "Negative": 17, "ZeroTensor": 18},
        **{"ADInplaceOrView": 19, "AutogradOther": 20, "AutogradFunctionality": 21},
        **{"AutogradNestedTensor": 22, "AutocastCPU": 24, "AutocastXPU": 27, "AutocastIPU": 28},
        **{"AutocastHPU": 29, "AutocastMPS": 31, "AutocastCUDA": 32, "AutocastPrivateUse1": 33},
        **{"FuncTorchBatched": 34, "FuncTorchVmapMode": 36, "FuncTorchGradWrapper": 39},
        **{"PythonTLSSnapshot": 41, "FuncTorchDynamicLayerFrontMode": 42},
        **{"PreDispatch": 45, "PythonDispatcher": 46},
    }
    number = 48
    for functionality, prefix in _FUNCTIONALITIES.items():
        names = _names(prefix)
        found[f"StartOf{functionality}Backends"] = number
        found.update((name, number + place) for place, name in enumerate(names, 1))
        number += len(names)
        found[f"EndOf{functionality}Backends"] = number
        number += 1
    found.update((name, number + place) for place, name in enumerate(_ALIASES))
    return found


DispatchKey = enum.Enum("DispatchKey", _numbers())  # type: ignore[misc]
DispatchKey.__module__ = "minitorch._C"
DispatchKey.__doc__ = """The keys of PyTorch's dispatcher, for which a program can register kernels.

    Parameters
    ----------
    value : int
        The number of a key.
    names, module, qualname, type, start, boundary
        Parameters of any `enum.Enum`, for making another enumeration.

    Raises
    ------
    ValueError
        If no key has this number.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.DispatchKey["CPU"] is torch.DispatchKey.CPU
    True
    """
DispatchKey.__int__ = DispatchKey.__index__ = lambda self: self.value
_KNOWN = {*ORDER, *DispatchKey.__members__}


def parsed(name):
    """Return the name of a key, given as a name or as a `DispatchKey`.

    Raises
    ------
    RuntimeError
        There is no such key.
    """
    name = getattr(name, "name", name)
    if name not in _KNOWN:
        raise RuntimeError(f"could not parse dispatch key: {name}")
    return name


def key_of_name(name):
    """Return the `DispatchKey` of a name; raise RuntimeError if there is none."""
    return getattr(DispatchKey, parsed(name))


def key_of_name_or_none(name):
    """Return the `DispatchKey` of a name, or None."""
    return DispatchKey.__members__.get(name)


class DispatchKeySet:
    """Set of dispatch keys.

    Parameters
    ----------
    key : DispatchKey or str
    """

    def __init__(self, key):
        self._keys = frozenset([parsed(key)])

    @classmethod
    def _of(cls, names):
        made = object.__new__(cls)
        made._keys = frozenset(names)
        return made

    def has(self, key):
        """Return whether the set contains a key."""
        return key.name in self._keys

    def add(self, key):
        """Return the set with another key."""
        return self._of(self._keys | {key.name})

    def remove(self, key):
        """Return the set without a key."""
        return self._of(self._keys - {key.name})

    def highestPriorityTypeId(self):
        """Return the key of highest priority."""
        names = in_order(self._keys)
        return key_of_name(names[-1]) if names else DispatchKey.Undefined

    def raw_repr(self):
        """Return the set as a number for `from_raw_repr`."""
        return sum(1 << _PLACES[name] for name in self._keys if name in _PLACES)

    @classmethod
    def from_raw_repr(cls, number):
        """Return the set of a number from `raw_repr`."""
        return cls._of(name for name, place in _PLACES.items() if number >> place & 1)

    def __or__(self, other):
        return self._of(self._keys | other._keys)

    def __and__(self, other):
        return self._of(self._keys & other._keys)

    def __sub__(self, other):
        return self._of(self._keys - other._keys)

    def __eq__(self, other):
        return isinstance(other, DispatchKeySet) and self._keys == other._keys

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self):
        return f"DispatchKeySet({', '.join(in_order(self._keys))})"


DispatchKeySet.__module__ = "minitorch._C"


def in_order(names):
    """Sort names of keys by priority, and drop those without a place in `ORDER`."""
    return sorted((name for name in names if name in _PLACES), key=_PLACES.__getitem__)


def full():
    """Return the set of all keys."""
    return DispatchKeySet._of(ORDER)


def full_after(key):
    """Return the keys of lower priority than `key`, and ``PythonDispatcher``."""
    if key.name not in _PLACES:
        return DispatchKeySet._of(())
    return DispatchKeySet._of({*ORDER[: _PLACES[key.name]], "PythonDispatcher"})


def up_to(name):
    """Return a key and the keys of lower priority; an alias counts as its highest key."""
    place = max(
        (_PLACES[n] for n in _STANDS_FOR.get(name, (name,)) if n in _PLACES), default=len(ORDER)
    )
    return DispatchKeySet._of({*ORDER[: place + 1], "PythonDispatcher"})


# the keys below autograd, and below ``ADInplaceOrView``
AFTER_AUTOGRAD = full_after(DispatchKey.AutogradOther)
AFTER_VIEWS = full_after(DispatchKey.ADInplaceOrView)


def is_alias(key):
    """Return whether a key is an alias of several keys."""
    return key.name in _ALIASES


_COMPOSED = {*_names(""), *_names("Quantized"), *_names("Sparse"), *_names("SparseCsr")}
_ALL_AUTOGRAD = {"AutogradOther", "AutogradNestedTensor", *_names("Autograd")}
_STANDS_FOR = {
    "Autograd": _ALL_AUTOGRAD,
    "CompositeExplicitAutograd": _COMPOSED,
    "CompositeExplicitAutogradNonFunctional": {
        name for name in _COMPOSED if not name.startswith("Sparse") or name.startswith("SparseCsr")
    }
    - {prefix + lazy for prefix in ("", "Quantized", "SparseCsr") for lazy in ("XLA", "Lazy")},
    "CompositeImplicitAutograd": {
        *_COMPOSED,
        *_ALL_AUTOGRAD,
        *_names("NestedTensor"),
    },
    "CompositeImplicitAutogradNestedTensor": {*_names("NestedTensor"), "AutogradNestedTensor"},
    "FuncTorchBatchedDecomposition": {"FuncTorchBatched"},
}


def is_included_in_alias(key, alias):
    """Return whether a kernel for `alias` is a kernel for `key` too."""
    return key.name in _STANDS_FOR.get(alias.name, ())


_TYPES = {device.lower(): device for device in _DEVICES} | {"privateuseone": "PrivateUse1"}


def key_of_device_type(name):
    """Return the key of a device type, such as ``"CPU"`` for ``"cpu"``.

    Raises
    ------
    RuntimeError
        There is no such device type.
    """
    return _TYPES[device(name).type]


# ---- the keys that a thread includes and excludes


class _Thread(threading.local):
    def __init__(self):
        self.included = frozenset()
        self.excluded = frozenset()
        self.passed_by = frozenset()  # the excluded keys by functionality, see `_functionality`
        self.lasting = {}  # name -> context manager entered by `set_excluded`


_thread = _Thread()
_BELOW_RECORDING = frozenset({"AutogradOther", "AutogradFunctionality", "AutogradNestedTensor"})


# the keys whose exclusion has an effect
_PASSED_BY = frozenset(
    {*_BELOW_RECORDING, "Python", "ADInplaceOrView", "ZeroTensor", "Negative", "Conjugate"}
)


def _functionality(name):
    """Return the name under which a key is excluded: one for the autograd keys of all devices."""
    return "AutogradFunctionality" if name[:8] == "Autograd" and name[8:] in _DEVICES else name


def included():
    """Return the names of the keys that the program has included on this thread."""
    return _thread.included


def is_passed_by(name):
    """Return whether this thread skips the kernels for a key."""
    return bool(_thread.passed_by) and _functionality(name) in _thread.passed_by


def local_include_set():
    """Return the keys that this thread adds to those of the tensors."""
    names = {"BackendSelect", *_thread.included}
    if not is_inference_mode_enabled():
        names.add("ADInplaceOrView")
    if python_dispatch.asks_modes():
        names |= {"Python", "PythonTLSSnapshot"}
    return DispatchKeySet._of(names)


def local_exclude_set():
    """Return the keys that this thread excludes."""
    names = {f"Autocast{name}" for name in _AUTOCAST_DEVICES} | _thread.excluded
    if is_autocast_enabled("cpu"):
        names.discard("AutocastCPU")
    if is_inference_mode_enabled():
        names |= _BELOW_RECORDING
    if python_dispatch.dispatch_is_off():
        names |= {"Python", "PythonTLSSnapshot", "PreDispatch"}
    return DispatchKeySet._of(names)


@contextlib.contextmanager
def _excluding(names):
    """Exclude exactly these keys inside the block, with their effect on recording and modes."""
    excluded, before = _thread.excluded, _thread.passed_by
    after = frozenset(map(_functionality, names))
    with contextlib.ExitStack() as stack:
        if "AutogradFunctionality" in after - before:
            stack.enter_context(_not_recording())
        elif "AutogradFunctionality" in before - after:
            stack.enter_context(_recording_as_shown())
        if "Python" in before ^ after:
            off = "Python" in after
            python_dispatch.switch_dispatch(off)
            stack.callback(python_dispatch.switch_dispatch, not off)
        _thread.excluded, _thread.passed_by = frozenset(names), after
        try:
            yield
        finally:
            _thread.excluded, _thread.passed_by = excluded, before


def passing_by(names):
    """Exclude these keys inside the block.

    Excluding the keys for autograd stops recording, and excluding ``Python`` stops the dispatch to
    modes and classes.
    """
    return _excluding(_thread.excluded.union(names))


def only(names):
    """Exclude all keys in `_PASSED_BY` but these inside the block."""
    does = set(map(_functionality, names))
    return passing_by(_PASSED_BY - (_BELOW_RECORDING if does & _BELOW_RECORDING else set()) - does)


@contextlib.contextmanager
def adding(names):
    """Include these keys inside the block, so that calls reach their kernels."""
    before = _thread.included
    _thread.included = before.union(names)
    try:
        yield
    finally:
        _thread.included = before


@contextlib.contextmanager
def exactly(include, exclude):
    """Make `include` and `exclude` the thread's key sets inside the block."""
    before = _thread.included
    # keys that another state includes or excludes, such as inference mode, do not count here
    for_others = local_exclude_set()._keys - _thread.excluded
    with _excluding(exclude._keys - for_others):
        _thread.included = include._keys - (local_include_set()._keys - before)
        try:
            yield
        finally:
            _thread.included = before


def kept():
    """Restore the thread's included and excluded keys at the end of the block."""
    return exactly(local_include_set(), local_exclude_set())


def below_recording():
    """Exclude the keys for autograd inside the block, so that nothing is recorded."""
    return passing_by(_BELOW_RECORDING)


def below_views():
    """Exclude the keys for autograd and ``ADInplaceOrView`` inside the block."""
    return passing_by(_BELOW_RECORDING | {"ADInplaceOrView"})


def set_excluded(key, exclude):
    """Exclude a key from now on, or end its exclusion."""
    left = _thread.lasting.pop(key.name, None)
    if left is not None:
        left.__exit__(None, None, None)
    if exclude:
        context = passing_by([key.name])
        context.__enter__()
        _thread.lasting[key.name] = context


def set_included(key, include):
    """Include a key from now on, or end its inclusion."""
    change = _thread.included.union if include else _thread.included.difference
    _thread.included = change([key.name])


def is_excluded(key):
    """Return whether this thread excludes a key."""
    return local_exclude_set().has(key)


def is_included(key):
    """Return whether this thread includes a key."""
    return local_include_set().has(key)


__all__ = [
    "AFTER_AUTOGRAD",
    "AFTER_VIEWS",
    "DispatchKey",
    "DispatchKeySet",
    "ORDER",
    "adding",
    "below_recording",
    "below_views",
    "exactly",
    "full",
    "full_after",
    "in_order",
    "included",
    "only",
    "is_alias",
    "is_excluded",
    "is_included",
    "is_included_in_alias",
    "is_passed_by",
    "kept",
    "key_of_device_type",
    "key_of_name",
    "key_of_name_or_none",
    "local_exclude_set",
    "local_include_set",
    "parsed",
    "passing_by",
    "set_excluded",
    "set_included",
    "up_to",
]
