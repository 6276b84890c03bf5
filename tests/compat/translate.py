"""PyTorch's test data as data of minitorch: tensors, dtypes, functions, options."""

import functools
import types

import numpy as np
import torch

import minitorch

PLACES = ("", "nn.functional.", "linalg.", "special.", "fft.", "nn.", "Tensor.", "masked.")
CONSTANTS = (torch.dtype, torch.layout, torch.memory_format)


class Untranslatable(Exception):
    """The sample holds something that only PyTorch has, such as a sparse tensor."""


class Missing(Exception):
    """minitorch has no such function."""


def find(path, library=minitorch):
    """What stands under a dotted name in the library."""
    try:
        return functools.reduce(getattr, path.split("."), library)
    except (AttributeError, NotImplementedError):
        raise Missing(f"there is no {path}") from None


def path_of(function):
    """Under which dotted name PyTorch offers a function."""
    name = getattr(function, "__name__", "")
    for place in PLACES:
        try:
            if name and find(place + name, torch) is function:
                return place + name
        except Missing:
            continue
    raise Untranslatable(repr(function))


def rebound(function):
    """A Python function of PyTorch's tests that uses minitorch where it says torch."""
    names = {"torch": minitorch, "F": minitorch.nn.functional, "np": np}
    scope = {**function.__globals__, **names}
    for name in function.__code__.co_names:
        helper = scope.get(name)
        if name == "wrapper_set_seed":
            scope[name] = _seeded
        elif _is_test_helper(helper) and helper is not function:
            scope[name] = rebound(helper)
    cells = tuple(types.CellType(translated(c.cell_contents)) for c in function.__closure__ or ())
    copy = types.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, cells
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _seeded(function, *args, **kwargs):
    minitorch.manual_seed(42)
    return function(*args, **kwargs)


def _is_test_helper(x):
    return isinstance(x, types.FunctionType) and (x.__module__ or "").startswith("torch.testing")


def tensor(t):
    """A leaf of the same values, strides and flag."""
    if t.layout is not torch.strided or t.device.type != "cpu" or t.is_quantized:
        raise Untranslatable(f"a tensor of {t.layout} on {t.device}")
    data = t.detach().resolve_conj().resolve_neg()
    dtype = find(str(data.dtype).removeprefix("torch."))
    if data.dtype is torch.bfloat16:
        values = from_array(data.float()).to(dtype)
    elif data.dtype is torch.complex32 or str(data.dtype).startswith("torch.float8"):
        raise Untranslatable(f"{data.dtype}")
    else:
        values = from_array(data)
    return values.requires_grad_() if t.requires_grad else values


def from_array(data):
    if data.ndim > 64:
        raise Untranslatable("more dimensions than NumPy has")
    array = data.numpy()
    if 0 in array.shape:
        return minitorch.from_numpy(np.empty(array.shape, array.dtype))
    size = data.untyped_storage().nbytes() // data.element_size()
    whole = torch.as_strided(data, (size,), (1,), 0).numpy().copy()
    strided = np.lib.stride_tricks.as_strided(whole[data.storage_offset() :], *_geometry(array))
    return minitorch.from_numpy(strided)


def _geometry(array):
    return array.shape, array.strides


def translated(x, known=None):
    """minitorch's counterpart; `known` maps ids of tensors to theirs, so that each is made once."""
    known = {} if known is None else known
    if isinstance(x, torch.Tensor):
        if id(x) not in known:
            known[id(x)] = tensor(x)
        return known[id(x)]
    if isinstance(x, torch.Size):
        return minitorch.Size(x)
    if isinstance(x, tuple | list) and type(x) in (tuple, list):
        return type(x)(translated(y, known) for y in x)
    if isinstance(x, dict):
        return {key: translated(value, known) for key, value in x.items()}
    if isinstance(x, slice):
        return slice(*(translated(y, known) for y in (x.start, x.stop, x.step)))
    if isinstance(x, CONSTANTS):
        return find(str(x).removeprefix("torch."))
    if isinstance(x, torch.device):
        return minitorch.device(str(x))
    if isinstance(x, functools.partial):
        return functools.partial(
            translated(x.func, known), *translated(x.args, known), **translated(x.keywords, known)
        )
    if _is_test_helper(x):
        return _seeded if x.__name__ == "wrapper_set_seed" else rebound(x)
    if isinstance(x, torch.nn.Module):
        raise Untranslatable(f"a module, {type(x).__name__}")
    if x is torch:
        return minitorch
    if callable(x) and (getattr(x, "__module__", None) or "torch").startswith("torch"):
        return find(path_of(x))
    return x


def copied(x, known):
    """The same for PyTorch: new leaves with the same values and strides."""
    if isinstance(x, torch.Tensor):
        if id(x) not in known:
            if x.layout is not torch.strided:
                raise Untranslatable(f"a tensor of {x.layout}")
            data = x.detach()
            storage = data.untyped_storage().clone()
            copy = torch.empty(0, dtype=x.dtype)
            copy.set_(storage, data.storage_offset(), data.shape, data.stride())
            copy = copy.conj() if data.is_conj() else copy
            known[id(x)] = copy.requires_grad_(x.requires_grad)
        return known[id(x)]
    if type(x) in (tuple, list):
        return type(x)(copied(y, known) for y in x)
    if isinstance(x, dict):
        return {key: copied(value, known) for key, value in x.items()}
    return x
