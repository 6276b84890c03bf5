"""`assert_close`: what is close, and the text when it is not."""

import numpy as np
import pytest

from tests.both import compare, like_pytorch

NAN, INF = float("nan"), float("inf")


def cases(torch):
    """name -> (actual, expected, options)."""
    t = torch.tensor
    x = torch.arange(6.0).reshape(2, 3)
    off = x + t([[0, 0, 0.5], [0, -2, 0]])
    return {
        "equal": (x, x.clone(), {}),
        "off": (off, x, {}),
        "off exactly": (off, x, {"rtol": 0, "atol": 0}),
        "off allowed": (off, x, {"rtol": 0, "atol": 3.0}),
        "relative to zero": (t([1.0, 0.0]), t([0.0, 0.0]), {}),
        "within float32": (t([1.0]), t([1.000001]), {}),
        "not within float64": (t([1.0]).double(), t([1.000001]).double(), {}),
        "half": (t([1.0]).half(), t([1.0005]).half(), {}),
        "half off": (t([1.0]).half(), t([1.25]).half(), {}),
        "integers": (t([1, 2, 3]), t([1, 2, 5]), {}),
        "bytes": (t([1, 2], dtype=torch.uint8), t([2, 1], dtype=torch.uint8), {}),
        "truths": (t([True, False]), t([False, False]), {}),
        "complex": (t([1 + 1j]), t([1 + 2j]), {}),
        "scalar": (t(1.0), t(2.0), {}),
        "scalar complex": (t(1j), t(2.0 + 0j), {}),
        "scalar integer": (t(1), t(0), {}),
        "nan": (t([NAN, 1.0]), t([NAN, 1.0]), {}),
        "nan allowed": (t([NAN, 1.0]), t([NAN, 1.0]), {"equal_nan": True}),
        "infinite": (t([INF, -INF]), t([INF, INF]), {}),
        "shapes": (x, x.reshape(3, 2), {}),
        "dtypes": (x, x.double(), {}),
        "dtypes allowed": (x, x.double(), {"check_dtype": False}),
        "integer and float": (t([1]), t([1.5]), {"check_dtype": False}),
        "strides": (x, x.t().contiguous().t(), {"check_stride": True}),
        "strides unchecked": (x, x.t().contiguous().t(), {}),
        "require grad": (x.clone().requires_grad_(), off, {}),
        "only rtol": (x, x, {"rtol": 1e-3}),
        "only atol": (1.0, 1.0, {"atol": 1e-3}),
        "numbers": (1.0, 1.0 + 1e-9, {}),
        "numbers off": (1.0, 1.5, {}),
        "number zero": (1, 0, {}),
        "number types": (1, 1.0, {}),
        "number types checked": (1, 1.0, {"check_dtype": True}),
        "number types unchecked": (1, 1.0, {"check_dtype": False}),
        "number nan": (NAN, NAN, {}),
        "number nan allowed": (NAN, NAN, {"equal_nan": True}),
        "number inf": (INF, INF, {}),
        "number complex": (1j, 2j, {}),
        "numpy number": (np.float32(1.0), 1.0, {}),
        "numpy array": (np.array([1.0, 2.0]), np.array([1.0, 3.0]), {}),
        "number and tensor": (1.0, t(1.0), {}),
        "none": (None, None, {}),
        "none and number": (None, 1, {}),
        "booleans": (True, True, {}),
        "booleans off": (True, False, {}),
        "boolean and number": (True, 1, {}),
        "numpy boolean": (np.bool_(True), False, {}),
        "strings": ("a", "a", {}),
        "objects": (object, 3, {}),
        "lists": ([1.0, 2.0], [1.0, 2.5], {}),
        "list and tuple": ([1.0, t(2.0)], (1.0, t(2.0)), {}),
        "lengths": ([1.0], [1.0, 2.0], {}),
        "deep lengths": ({"a": [[1.0]]}, {"a": [[1.0, 2.0]]}, {}),
        "mapping": ({"a": 1.0, "b": [t([1.0])]}, {"a": 1.0, "b": [t([2.0])]}, {}),
        "keys": ({"a": 1, "b": 2}, {"a": 1, "c": 2}, {}),
        "integer keys": ({0: 1.0}, {0: 2.0}, {}),
        "first of several": ([1.0, 2.0, 3.0], [1.0, 3.0, 4.0], {}),
        "structure before values": ([1.0, [1.0]], [2.0, [1.0, 2.0]], {}),
        "list and mapping": ([1.0], {"a": 1.0}, {}),
        "text": (off, x, {"msg": "not at all"}),
        "text made": ([off], [x], {"msg": lambda text: f"Header\n\n{text}\n\nFooter"}),
        "text of lengths": ([1.0], [], {"msg": "not at all"}),
        "parameter": (torch.nn.Parameter(x), x.clone(), {}),
        "parameter forbidden": (torch.nn.Parameter(x), x.clone(), {"allow_subclasses": False}),
        "empty": (torch.ones(0), torch.ones(0), {}),
    }


class _Names:
    """A library whose tensors are never made: only the names of the cases count."""

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __add__(self, other):
        return self


@pytest.mark.parametrize("name", cases(_Names()))
def test_close_or_not_with_the_same_text(name):
    def program(torch):
        actual, expected, options = cases(torch)[name]
        return torch.testing.assert_close(actual, expected, **options)

    compare(program)


@like_pytorch
def test_allclose_is_looser_and_warns(torch):
    with_warning = torch.testing.assert_allclose(torch.ones(2), [1.0, 1.00005])
    return with_warning, torch.testing.assert_allclose([1.0], torch.ones(1).double())


@like_pytorch
def test_allclose_says_what_is_wrong(torch):
    torch.testing.assert_allclose(torch.ones(2), [1.0, 1.5])
