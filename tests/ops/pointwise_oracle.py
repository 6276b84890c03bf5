"""Run one operator here and in PyTorch on the same tensors and compare everything visible."""

import warnings

import numpy as np
import torch

from tests.probes.ops import elementwise as _probe

ALL_DTYPES = [
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.float16,
    torch.float32,
    torch.float64,
    torch.complex64,
    torch.complex128,
]

TOLERANCE = {
    torch.float16: 2e-3,
    torch.float32: 2e-6,
    torch.complex64: 5e-6,
    torch.float64: 1e-13,
    torch.complex128: 1e-13,
}


def samples(dtype, *shape, seed=0, low=-3.0, high=3.0):
    """Numbers of both signs, some of them equal, zero among them."""
    rng = np.random.RandomState(seed)
    x = np.round(rng.uniform(low, high, shape) * 4) / 4
    if dtype.is_complex:
        x = x + 1j * np.round(rng.uniform(low, high, shape) * 4) / 4
    x = np.asarray(x)
    if dtype == torch.uint8:
        x = np.abs(x)
    return torch.from_numpy(x).to(dtype)


def ours(argument, made=None):
    """A torch tensor as an impl with the same strides; views of one storage share one here, too."""
    if isinstance(argument, torch.Tensor):
        made = {} if made is None else made
        key = id(argument)
        if key in made:
            return made[key]
        storage = argument.untyped_storage()
        address = (storage.data_ptr(), argument.dtype)
        if address not in made or storage.nbytes() == 0:
            flat = torch.empty(0, dtype=argument.dtype).set_(storage).numpy().copy()
            made[address] = _probe.from_array(flat)
        made[key] = _probe.as_strided(
            made[address], argument.shape, argument.stride(), argument.storage_offset()
        )
        return made[key]
    if isinstance(argument, Number):
        return _probe.number(argument.value)
    return argument


class Number:
    """A Python number that our operator takes as a tensor."""

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return repr(self.value)


def theirs(argument):
    return argument.value if isinstance(argument, Number) else argument


def outcome(function, *args, **kwargs):
    """The result or the exception, and the warnings' texts."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001  whatever it is, it is what gets compared
            result = error
    texts = [str(w.message).split(" (Triggered")[0] for w in caught]
    # this one comes once in a process
    return result, [t for t in texts if not t.startswith("Casting complex values to real")]


def assert_equal(result, expected, tolerance=None, strides=True):
    """Geometry, dtype and values of an impl against a torch tensor."""
    if isinstance(expected, (tuple, list)):
        assert len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            assert_equal(one, other, tolerance, strides)
        return
    sizes, our_strides, dtype = _probe.geometry(result)
    assert dtype == str(expected.dtype).removeprefix("torch.")
    assert sizes == tuple(expected.shape)
    if strides:
        assert our_strides == expected.stride()
    if tolerance is None:
        tolerance = TOLERANCE.get(expected.dtype, 0)
    np.testing.assert_allclose(
        _probe.to_array(result),
        expected.detach().resolve_conj().numpy(),
        rtol=tolerance,
        atol=tolerance,
        equal_nan=True,
    )


def check(name, function, *args, tolerance=None, strides=True, **kwargs):
    """`function` is PyTorch's; the same arguments go to our operator `name`."""
    made = {}
    our_args = [ours(a, made) for a in args]
    our_kwargs = {key: ours(value, made) for key, value in kwargs.items()}
    their_kwargs = {key: theirs(value) for key, value in kwargs.items()}
    expected, their_warnings = outcome(function, *[theirs(a) for a in args], **their_kwargs)
    result, our_warnings = outcome(_probe.call, name, *our_args, **our_kwargs)
    if isinstance(expected, Exception):
        if not isinstance(result, Exception):
            raise AssertionError(f"PyTorch raises {expected!r}")
        assert type(result) is type(expected), (result, expected)
        assert str(result).split("\n")[0] == str(expected).split("\n")[0]
        return
    if isinstance(result, Exception):
        raise result
    assert_equal(result, expected, tolerance, strides)
    assert our_warnings == their_warnings
    # what was written to arguments
    for mine, argument in zip(our_args, args, strict=True):
        if isinstance(argument, torch.Tensor):
            assert_equal(mine, argument, tolerance, strides)
    for key, argument in kwargs.items():
        if isinstance(argument, torch.Tensor):
            assert_equal(our_kwargs[key], argument, tolerance, strides)
