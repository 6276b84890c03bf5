"""Kernels that a program puts in the place of those of PyTorch's own operators, and fallbacks for all operators.

A call finds them in the order of the keys: those that the program added on this thread, those for recording, those
for what a tensor is (zeros, a lazy conjugate), and below ``__torch_dispatch__`` those of the device.
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

# (overload, key) -> the kernels, the newest last; a fallback's overload is None. Whether there are any is asked at
# every operator that a mode sees.
kernels_in_place: dict = {}


class _Thread(threading.local):
    def __init__(self):
        self.hidden = frozenset()  # the kernels that are not found now, by operator and key


_thread = _Thread()


def replace(overload, key, kernel):
    """Have `kernel` compute an operator, on tensors of the key; gives the function that undoes it.

    Parameters
    ----------
    overload : OpOverload or None
        None: `kernel` is called for every operator, which it is handed first.
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
    """Whether a program's kernel for a key is found when PyTorch's own operator is called."""
    if key in ABOVE:
        # what is composed of operators is a function here, and its operators are what is recorded
        return overload._row is not None and not is_composite(overload)
    return key in BETWEEN or key in DEVICES


@contextlib.contextmanager
def hidden(overload, key):
    """Inside, the operator's own kernel is called, whatever stands in its place."""
    before = _thread.hidden
    _thread.hidden = before | {(overload, key)}
    try:
        yield
    finally:
        _thread.hidden = before


def find(overload, key):
    """The kernel that stands in the place of an operator's; None: there is none."""
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
    """The kernel for a key that the program has added on this thread; None: there is none."""
    return _first(overload, included()) if kernels_in_place and included() else None


def above_recording(overload, tensors):
    """The kernel that is called before anything is recorded; None: there is none."""
    kernel = added(overload)
    if kernel is None and tensors and not _shows_another_mode():
        device = "AutogradMeta" if any(t.is_meta for t in tensors) else "AutogradCPU"
        kernel = _first(overload, (device, "Autograd"))
    return kernel


def between(tensors):
    """The keys between those for recording and ``__torch_dispatch__`` that a call of these tensors goes to."""
    asked = (
        not any(t.is_inference() for t in tensors),
        any(t._is_zerotensor() for t in tensors),
        any(t.is_neg() for t in tensors),
        any(t.is_conj() for t in tensors),
    )
    return [key for key, ask in zip(BETWEEN, asked, strict=True) if ask and not is_passed_by(key)]


def for_what_tensors_are(overload, tensors):
    """The kernel for writes and views, zeros, lazy negatives or lazy conjugates; None: there is none."""
    return _first(overload, between(tensors))


def for_device(overload, tensors):
    """The kernel of the tensors' device; None: there is none."""
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
