"""Run an operator on `TensorImpl`s and its PyTorch counterpart on the same tensors, and compare."""

import warnings

import numpy as np

from tests.probes.ops import elementwise as _probe
from tests.probes.ops import views as _probe_views

torch = None


def use(module):
    """Tell which PyTorch is the oracle (imported by the tests, which skip without it)."""
    global torch
    torch = module


class Transfer:
    """Makes impls of PyTorch's tensors; what shares storage there shares it here."""

    def __init__(self):
        self.bases = {}
        self.impls = {}
        self.kept = []

    def __call__(self, value):
        if isinstance(value, torch.Tensor):
            return self.tensor(value)
        if type(value) in (list, tuple):
            return type(value)(self(v) for v in value)
        return value

    def tensor(self, t):
        if id(t) not in self.impls:
            key = t.untyped_storage().data_ptr(), t.dtype
            if key not in self.bases:
                n = t.untyped_storage().nbytes() // t.element_size()
                # clones: neither side's storage may be one that NumPy keeps from being resized
                flat = t.detach().as_strided((n,), (1,), 0).clone().numpy()
                self.bases[key] = _probe.call("clone", _probe_views.from_array(flat))
            impl = _probe_views.call(
                "as_strided", self.bases[key], tuple(t.shape), t.stride(), t.storage_offset()
            )
            self.impls[id(t)] = impl
            self.kept.append(t)
        return self.impls[id(t)]


def plain(value):
    """What is compared: geometry and elements for tensors of either side."""
    if isinstance(value, torch.Tensor):
        value = value.detach()
        array = value.clone().numpy()
        return tuple(value.shape), value.stride(), str(value.dtype)[6:], elements(array)
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if type(value).__name__ == "TensorImpl":
        sizes, strides, _, dtype = _probe_views.geometry(value)
        return sizes, strides, dtype, elements(_probe_views.to_array(value))
    return value


def elements(array):
    """The elements in a form that == compares: nan equals nan, and 0.0 is not -0.0."""
    array = np.ascontiguousarray(array)
    return repr(array.tolist()) if array.size < 500 else array.tobytes()


def show(value):
    """An argument for a message."""
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype)[6:]}{list(value.shape)}{list(value.stride())}"
    if isinstance(value, dict):
        return {k: show(v) for k, v in value.items()}
    return [show(v) for v in value] if isinstance(value, (list, tuple)) else value


def outcome(function, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return plain(function(*args, **kwargs))
        except Exception as error:
            return type(error), str(error).split("\nException raised from")[0]


def compare(ours, theirs, *args, **kwargs):
    """`ours` on transferred arguments must do what `theirs` does: result, changed inputs, error.

    After an error nothing may be changed here (PyTorch has sometimes resized ``out`` by then).
    Returns PyTorch's outcome.
    """
    transfer = Transfer()
    our_args = transfer(args)
    our_kwargs = {k: transfer(v) for k, v in kwargs.items()}
    before = [plain(transfer.impls[id(t)]) for t in transfer.kept]
    result = outcome(ours, *our_args, **our_kwargs)
    expected = outcome(theirs, *args, **kwargs)
    assert result == expected, f"{show(args)} {show(kwargs)}\n{result}\n{expected}"
    failed = isinstance(expected, tuple) and isinstance(expected[0], type)
    for t, untouched in zip(transfer.kept, before, strict=True):
        after = plain(transfer.impls[id(t)]), untouched if failed else plain(t)
        assert after[0] == after[1], f"changed: {show(args)} {show(kwargs)}\n{after[0]}\n{after[1]}"
    return expected
