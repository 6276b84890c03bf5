"""Kernels that a program registers for PyTorch's own operators, and fallbacks for all operators.

A call looks for them in the order of the keys: keys that the program included on this thread, keys
for autograd, keys for ``ADInplaceOrView`` and lazy properties of tensors (zeros, conjugates), and
after ``__torch_dispatch__`` the key of the device.
"""

import contextlib
import functools
import threading

from minitorch._dispatch.key_sets import included, is_passed_by
from minitorch._dispatch.own_kernels import is_composite, keys_of
from minitorch.autograd import python_dispatch
from minitorch.autograd.grad_mode import _shows_another_mode

ABOVE = ("AutogradCPU", "AutogradMeta", "Autograd")
BETWEEN = ("ADInplaceOrView", "ZeroTensor", "Negative", "Conjugate")
_ANY_DEVICE = "CompositeExplicitAutograd"
DEVICES = ("CPU", "Meta", _ANY_DEVICE)

# (overload, key) -> the kernels, the newest last; a fallback's overload is None. Every operator
# that a mode sees checks whether this is empty.
kernels_in_place: dict = {}


class _Thread(threading.local):
    def __init__(self):
        self.hidden = frozenset()  # (overload, key) of kernels that `find` skips


_thread = _Thread()


def replace(overload, key, kernel):
    """Register `kernel` for an operator and a key; return a function that undoes it.

    Parameters
    ----------
    overload : OpOverload or None
        None registers a fallback for all operators, called with the overload as first argument.
    key : str
    kernel : callable
    """
    python_dispatch.replace_kernels(1)
    kernels_in_place.setdefault((overload, key), []).append(kernel)

    def undo():
        python_dispatch.replace_kernels(-1)
        kernels = kernels_in_place[overload, key]
        kernels.remove(kernel)
        if not kernels:
            del kernels_in_place[overload, key]

    return undo


def is_replaceable(overload, key):
    """Return whether a program's kernel for a key takes effect for one of PyTorch's operators."""
    if key in ABOVE:
        # a composite operator is a function here, and autograd records the operators that it calls
        return overload._row is not None and not is_composite(overload)
    return key in BETWEEN or key in DEVICES


@contextlib.contextmanager
def hidden(overload, key):
    """Skip the program's kernel for an operator and a key inside the block."""
    before = _thread.hidden
    _thread.hidden = before | {(overload, key)}
    try:
        yield
    finally:
        _thread.hidden = before


def find(overload, key):
    """Return the program's kernel or fallback for an operator and a key, or None."""
    if (overload, key) in _thread.hidden:
        return None
    kernels = kernels_in_place.get((overload, key))
    if kernels:
        return kernels[-1]
    fallbacks = kernels_in_place.get((None, key))
    return functools.partial(fallbacks[-1], overload) if fallbacks else None


def _first(overload, keys):
    for key in keys:
        kernel = None if is_passed_by(key) else find(overload, key)
        if kernel is not None:
            return kernel
    return None


def added(overload):
    """Return the kernel for a key that the program included on this thread, or None."""
    return _first(overload, included()) if kernels_in_place and included() else None


def above_recording(overload, tensors):
    """Return the kernel to call before autograd records, or None."""
    kernel = added(overload)
    if kernel is None and tensors and not _shows_another_mode():
        device = "AutogradMeta" if any(t.is_meta for t in tensors) else "AutogradCPU"
        kernel = _first(overload, (device, "Autograd"))
    return kernel


def between(tensors):
    """Return the keys of these tensors between autograd and ``__torch_dispatch__``."""
    asked = (
        not any(t.is_inference() for t in tensors),
        any(t._is_zerotensor() for t in tensors),
        any(t.is_neg() for t in tensors),
        any(t.is_conj() for t in tensors),
    )
    return [key for key, ask in zip(BETWEEN, asked, strict=True) if ask and not is_passed_by(key)]


def for_what_tensors_are(overload, tensors):
    """Return the kernel for a key in `BETWEEN` that these tensors have, or None."""
    return _first(overload, between(tensors))


def for_device(overload, tensors):
    """Return the kernel for the device of the tensors, or None."""
    keys = ["Meta" if any(t.is_meta for t in tensors) else "CPU"]
    if _ANY_DEVICE in keys_of(overload.name()):
        keys.append(_ANY_DEVICE)
    return _first(overload, keys)


__all__ = [
    "BETWEEN",
    "above_recording",
    "added",
    "between",
    "find",
    "for_device",
    "for_what_tensors_are",
    "hidden",
    "is_replaceable",
    "kernels_in_place",
    "replace",
]
