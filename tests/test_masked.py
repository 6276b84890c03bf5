"""minitorch.masked beside torch.masked: values, dtypes, gradients, errors."""

import numpy as np
import pytest

import minitorch
from tests.both import compare

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")


X = np.array([[1.5, -2.0, 3.0], [4.0, 0.5, -1.0], [0.25, 2.0, 5.0]])
MASK = np.array([[True, False, True], [False, False, False], [True, True, False]])
NAMES = [
    "amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logsumexp", "mean",
    "median", "norm", "normalize", "prod", "softmax", "softmin", "std", "sum", "var",
]  # fmt: skip


def arguments(name):
    if name == "normalize":
        return (2.0, 1)
    return (2.0, 1) if name == "norm" else (1,)


def outcome(library, name, x, mask, *args, **kwargs):
    """Values, dtype and first gradient, or the error."""
    t = library.from_numpy(x.copy())
    t.requires_grad = x.dtype.kind == "f"
    if mask is not None:
        kwargs["mask"] = library.from_numpy(mask.copy())
    try:
        y = getattr(library.masked, name)(t, *args, **kwargs)
    except Exception as error:
        return type(error).__name__, str(error)
    grad = None
    if y.requires_grad:
        (g,) = library.autograd.grad(y.masked_fill(~y.isfinite(), 0).sum(), t)
        grad = g.numpy().round(6).tolist()
    return y.detach().numpy().round(6).tolist(), str(y.dtype), grad


def equal(a, b):
    return (
        np.array_equal(np.array(a[0]), np.array(b[0]), equal_nan=a[1] == b[1])
        if len(a) == 3 and len(b) == 3
        else a == b
    )


@pytest.mark.parametrize("mask", [None, MASK, MASK[:1]], ids=["without", "full", "broadcast"])
@pytest.mark.parametrize("name", NAMES)
def test_a_masked_function_does_what_pytorch_does(name, mask):
    args = (name, X, mask, *arguments(name))
    ours, theirs = outcome(minitorch, *args), outcome(torch, *args)
    assert equal(ours, theirs), f"{ours}\n{theirs}"
    if len(ours) == 3 and ours[2] is not None:
        assert np.allclose(ours[2], theirs[2], equal_nan=True)


@pytest.mark.parametrize("name", ["sum", "prod", "amax", "amin", "cumsum", "var", "mean", "median"])
def test_integers(name):
    x = (2 * X).astype(np.int64)
    ours, theirs = outcome(minitorch, name, x, MASK[:1], 1), outcome(torch, name, x, MASK[:1], 1)
    assert equal(ours, theirs), f"{ours}\n{theirs}"


@pytest.mark.parametrize("dim", [5, (0, 0), -3])
def test_a_missing_or_repeated_dimension_is_refused(dim):
    ours, theirs = outcome(minitorch, "sum", X, MASK, dim), outcome(torch, "sum", X, MASK, dim)
    assert ours == theirs
    assert len(ours) == 2


def test_a_mask_with_more_dimensions_than_the_input_is_refused():
    mask = MASK[None]
    assert outcome(minitorch, "sum", X, mask, 0) == outcome(torch, "sum", X, mask, 0)


def test_logaddexp_ignores_masked_elements():
    x, y = minitorch.tensor([1.0, 2.0]), minitorch.tensor([0.5, 0.5])
    result = minitorch.masked.logaddexp(x, y, other_mask=minitorch.tensor([True, False]))
    assert result[1] == 2.0
    assert np.isclose(result[0].item(), np.logaddexp(1.0, 0.5))


@pytest.mark.parametrize("name", ["amax", "amin", "argmax", "logsumexp", "softmax"])
@pytest.mark.parametrize("masks", [False, True])
@pytest.mark.parametrize("dtype", ["bool", "complex64"])
def test_bools_and_complex_numbers_have_no_extreme(name, masks, dtype):
    def program(torch):
        x = torch.tensor([[1, 0, 1], [0, 0, 1]], dtype=getattr(torch, dtype))
        mask = torch.tensor([True, False, True]) if masks else None
        return getattr(torch.masked, name)(x, 1, mask=mask)

    compare(program)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("norm", "normalize")])
def test_a_mask_may_be_sparse(name):
    def program(torch):
        x, mask = torch.tensor(X), torch.tensor(MASK)
        return getattr(torch.masked, name)(x[::2], 1, mask=mask[::2].to_sparse())

    compare(program)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "median"])
def test_of_several_dimensions_the_first_counts(name):
    def program(torch):
        return getattr(torch.masked, name)(torch.tensor(X), (1, 0), mask=torch.tensor(MASK).t())

    compare(program)
