"""The keys by which PyTorch's dispatcher finds kernels, sets of them, and those that a thread adds or passes by.

A set holds names. A key whose work is done in another way here, such as that of a device, is in the sets and does
nothing; passing recording or ``__torch_dispatch__`` by has its effect (`passing_by`), and kernels that a program
registers for a key are found by these sets.
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
# what there is one of for each device, with the prefix of its names
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


# in the order in which sets show them: what comes last is called first
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
    """The number of each key that Python knows."""
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
DispatchKey.__int__ = DispatchKey.__index__ = lambda self: self.value
_KNOWN = {*ORDER, *DispatchKey.__members__}


def parsed(name):
    """The name of a key, given by it or as a `DispatchKey`.

    Raises
    ------
    RuntimeError
        There is none.
    """
    name = getattr(name, "name", name)
    if name not in _KNOWN:
        raise RuntimeError(f"could not parse dispatch key: {name}")
    return name


def key_of_name(name):
    """The `DispatchKey` of a name; raises RuntimeError if there is none."""
    return getattr(DispatchKey, parsed(name))


def key_of_name_or_none(name):
    """The `DispatchKey` of a name, or None."""
    return DispatchKey.__members__.get(name)


class DispatchKeySet:
    """A set of dispatch keys.

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
        """Whether a key is in it."""
        return key.name in self._keys

    def add(self, key):
        """The set with another key."""
        return self._of(self._keys | {key.name})

    def remove(self, key):
        """The set without a key."""
        return self._of(self._keys - {key.name})

    def highestPriorityTypeId(self):
        """The key whose kernel would be called."""
        names = in_order(self._keys)
        return key_of_name(names[-1]) if names else DispatchKey.Undefined

    def raw_repr(self):
        """The set as a number, which `from_raw_repr` takes."""
        return sum(1 << _PLACES[name] for name in self._keys if name in _PLACES)

    @classmethod
    def from_raw_repr(cls, number):
        """The set of a number that `raw_repr` has given."""
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
    """Names of keys as a set of keys shows them; those of no device are not shown."""
    return sorted((name for name in names if name in _PLACES), key=_PLACES.__getitem__)


def full():
    """All keys."""
    return DispatchKeySet._of(ORDER)


def full_after(key):
    """The keys that come after one."""
    if key.name not in _PLACES:
        return DispatchKeySet._of(())
    return DispatchKeySet._of({*ORDER[: _PLACES[key.name]], "PythonDispatcher"})


def up_to(name):
    """A key and those that come after it; a key for recording stands for all of them."""
    place = max(
        (_PLACES[n] for n in _STANDS_FOR.get(name, (name,)) if n in _PLACES), default=len(ORDER)
    )
    return DispatchKeySet._of({*ORDER[: place + 1], "PythonDispatcher"})


# the keys below recording, and below what counts writes and views
AFTER_AUTOGRAD = full_after(DispatchKey.AutogradOther)
AFTER_VIEWS = full_after(DispatchKey.ADInplaceOrView)


def is_alias(key):
    """Whether a key stands for several."""
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
    """Whether a kernel for `alias` is one for `key` too."""
    return key.name in _STANDS_FOR.get(alias.name, ())


_TYPES = {device.lower(): device for device in _DEVICES} | {"privateuseone": "PrivateUse1"}


def key_of_device_type(name):
    """The key of a type of devices, such as ``"CPU"`` of ``"cpu"``.

    Raises
    ------
    RuntimeError
        There is no such type.
    """
    return _TYPES[device(name).type]


# ---- what a thread adds and passes by


class _Thread(threading.local):
    def __init__(self):
        self.included = frozenset()
        self.excluded = frozenset()
        self.passed_by = frozenset()  # what those that are excluded do
        self.lasting = {}  # by names, the contexts of what is excluded until further notice


_thread = _Thread()
_BELOW_RECORDING = frozenset({"AutogradOther", "AutogradFunctionality", "AutogradNestedTensor"})


# what can be passed by
_PASSED_BY = frozenset(
    {*_BELOW_RECORDING, "Python", "ADInplaceOrView", "ZeroTensor", "Negative", "Conjugate"}
)


def _functionality(name):
    """Keys of different devices that do the same are passed by together."""
    return "AutogradFunctionality" if name[:8] == "Autograd" and name[8:] in _DEVICES else name


def included():
    """The names of keys that the program has added on this thread."""
    return _thread.included


def is_passed_by(name):
    """Whether this thread passes the kernels for a key by."""
    return bool(_thread.passed_by) and _functionality(name) in _thread.passed_by


def local_include_set():
    """The keys to which this thread goes, whatever the tensors are."""
    names = {"BackendSelect", *_thread.included}
    if not is_inference_mode_enabled():
        names.add("ADInplaceOrView")
    if python_dispatch.asks_modes():
        names |= {"Python", "PythonTLSSnapshot"}
    return DispatchKeySet._of(names)


def local_exclude_set():
    """The keys that this thread passes by."""
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
    """Inside, these are the keys that this thread passes by, with what they stand for."""
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
    """Inside, kernels for these keys are passed by: nothing is recorded, no mode asked, where they stand for it."""
    return _excluding(_thread.excluded.union(names))


def only(names):
    """Inside, of the keys that can be passed by, all but these are."""
    does = set(map(_functionality, names))
    return passing_by(_PASSED_BY - (_BELOW_RECORDING if does & _BELOW_RECORDING else set()) - does)


@contextlib.contextmanager
def adding(names):
    """Inside, calls go to the kernels for these keys as well."""
    before = _thread.included
    _thread.included = before.union(names)
    try:
        yield
    finally:
        _thread.included = before


@contextlib.contextmanager
def exactly(include, exclude):
    """Inside, these sets of keys are the ones that this thread adds and passes by."""
    before = _thread.included
    # what is added or passed by for another reason, such as a mode of inference, is no matter of these sets
    for_others = local_exclude_set()._keys - _thread.excluded
    with _excluding(exclude._keys - for_others):
        _thread.included = include._keys - (local_include_set()._keys - before)
        try:
            yield
        finally:
            _thread.included = before


def kept():
    """At its end, the keys that this thread adds and passes by are what they were."""
    return exactly(local_include_set(), local_exclude_set())


def below_recording():
    """Inside, nothing is recorded."""
    return passing_by(_BELOW_RECORDING)


def below_views():
    """The same, and kernels that count writes and views are passed by."""
    return passing_by(_BELOW_RECORDING | {"ADInplaceOrView"})


def set_excluded(key, exclude):
    """Pass a key by from now on, or not any more."""
    left = _thread.lasting.pop(key.name, None)
    if left is not None:
        left.__exit__(None, None, None)
    if exclude:
        context = passing_by([key.name])
        context.__enter__()
        _thread.lasting[key.name] = context


def set_included(key, include):
    """Add a key from now on, or not any more."""
    change = _thread.included.union if include else _thread.included.difference
    _thread.included = change([key.name])


def is_excluded(key):
    """Whether this thread passes a key by."""
    return local_exclude_set().has(key)


def is_included(key):
    """Whether this thread goes to a key, whatever the tensors are."""
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
