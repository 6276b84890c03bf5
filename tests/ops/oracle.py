"""Running one operator here and in PyTorch on the same inputs, and comparing what comes out."""

import warnings

import numpy as np
import torch

from tests.probes.ops import elementwise as _probe

CODES = {
    torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float16: 5,
    torch.float32: 6, torch.float64: 7, torch.complex64: 9, torch.complex128: 10, torch.bool: 11,
}  # fmt: skip
DTYPES = list(CODES)
FLOATS = [torch.float16, torch.float32, torch.float64]
TOLERANCE = {torch.float16: 2e-3, torch.float32: 3e-6, torch.complex64: 3e-6}


def sample(shape, dtype=torch.float32, seed=0):
    """Values of a PyTorch tensor of this dtype, with ties and, for floats, no integers only."""
    generator = torch.Generator().manual_seed(seed)
    if dtype == torch.bool:
        return torch.randint(0, 2, shape, generator=generator).bool()
    if dtype.is_complex:
        real = torch.float32 if dtype == torch.complex64 else torch.float64
        return torch.complex(sample(shape, real, seed), sample(shape, real, seed + 1))
    if dtype.is_floating_point:
        return torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)
    low = 0 if dtype == torch.uint8 else -5
    return torch.randint(low, 6, shape, generator=generator).to(dtype)


def layouts(x):
    """The tensor in several memory layouts."""
    yield x.contiguous()
    if x.dim() >= 2:
        yield x.transpose(0, -1).contiguous().transpose(0, -1)
    if x.dim() >= 1:
        wide = torch.zeros(*x.shape[:-1], 2 * x.shape[-1] + 1, dtype=x.dtype)
        view = wide[..., 1::2]
        yield view.copy_(x)


def to_impl(x):
    """A TensorImpl with the values, sizes and strides of a PyTorch tensor."""
    if x.numel() == 0:
        flat = np.zeros(0, x.clone().numpy().dtype)
        return _probe.as_strided(_probe.call("clone", _probe.from_array(flat)), x.shape, x.stride())
    extent = 1 + sum((n - 1) * s for n, s in zip(x.shape, x.stride(), strict=True))
    # a clone: NumPy's view of it would keep PyTorch from resizing x
    flat = x.detach().as_strided((extent,), (1,)).clone().numpy()
    return _probe.as_strided(_probe.call("clone", _probe.from_array(flat)), x.shape, x.stride())


def convert(argument):
    if isinstance(argument, torch.Tensor):
        return to_impl(argument)
    if isinstance(argument, torch.dtype):
        return CODES[argument]
    if isinstance(argument, (tuple, list)):
        return type(argument)(convert(item) for item in argument)
    return argument


def describe(argument):
    """An argument for a message."""
    if isinstance(argument, torch.Tensor):
        return f"{str(argument.dtype)[6:]}{list(argument.shape)}{list(argument.stride())}"
    if isinstance(argument, (tuple, list)):
        return ", ".join(describe(item) for item in argument)
    if isinstance(argument, dict):
        return ", ".join(f"{key}={describe(value)}" for key, value in argument.items())
    return repr(argument)


def outcome(function):
    """(results, None, warnings) or (None, (type, text), warnings)."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            results, error = function(), None
        except Exception as raised:  # noqa: BLE001 (whatever it is, it is compared)
            text = str(raised).split("\nException raised from")[0]
            results, error = None, (type(raised), text)
    texts = [str(w.message).split(" (Triggered internally")[0] for w in caught]
    if results is not None and not isinstance(results, (tuple, list)):
        results = (results,)
    return results, error, texts


def assert_same(ours, theirs, case, tolerance=None, strides=True):
    """One of our results against PyTorch's: dtype, shape, strides, values."""
    if theirs is None or ours is None:
        assert ours is None and (theirs is None or theirs.numel() == 0), case
        return
    size, stride, dtype = _probe.geometry(ours)
    assert dtype == str(theirs.dtype).removeprefix("torch."), case
    assert size == tuple(theirs.shape), case
    if strides:
        assert stride == theirs.stride(), case
    if theirs.dtype.is_floating_point or theirs.dtype.is_complex:
        limit = tolerance or TOLERANCE.get(theirs.dtype, 1e-12)
        np.testing.assert_allclose(
            _probe.to_array(ours), theirs.detach().resolve_conj().numpy(), rtol=limit, atol=limit,
            err_msg=str(case),
        )  # fmt: skip
    else:
        np.testing.assert_array_equal(_probe.to_array(ours), theirs.numpy(), err_msg=str(case))


def compare(ours, theirs, *args, tolerance=None, strides=True, case=None, **kwargs):
    """Run `ours` on the converted arguments and `theirs` on the arguments; compare everything."""
    case = f"{case}({describe(args)}, {describe(kwargs)})"
    converted_args = convert(args)
    converted = {key: convert(value) for key, value in kwargs.items()}
    expected = outcome(lambda: theirs(*args, **kwargs))
    got = outcome(lambda: ours(*converted_args, **converted))
    assert got[1] == expected[1], f"{case}: {got[1]}, {expected[1]}"
    if expected[1] is None:
        assert set(got[2]) == set(expected[2]), case
        assert len(got[0]) == len(expected[0]), case
        for a, b in zip(got[0], expected[0], strict=True):
            assert_same(a, b, case, tolerance, strides)
