"""``out=`` of functions that compute first and copy then, beside PyTorch's."""

import warnings

import numpy as np
import pytest

import minitorch

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

CALLS = {
    "all": "x > 0", "any": "x > 0", "aminmax": "x, dim=0", "argmax": "x, 0", "column_stack": "(x, x)",
    "cummax": "x, 0", "cummin": "x, 1", "deg2rad": "x", "diag": "x", "diff": "x", "dstack": "(x, x)",
    "float_power": "x, 2", "hardshrink": "x", "hstack": "(x, x)", "inner": "x, x", "isneginf": "x",
    "kron": "x, x", "kthvalue": "x, 1", "ldexp": "x, x", "log_softmax": "x, 0", "logit": "x",
    "matmul": "x, x.t()", "max": "x, 0", "min": "x, 1", "mode": "x, 0", "msort": "x", "nanmean": "x",
    "nonzero": "x", "outer": "x[0], x[1]", "polar": "x, x", "quantile": "x, 0.5", "rad2deg": "x",
    "sinc": "x", "softmax": "x, 0", "sort": "x", "std": "x, 0", "take_along_dim": "x, x.long() * 0, 1",
    "tensordot": "x, x", "topk": "x, 1", "var": "x, 0", "vstack": "(x, x)", "where": "x > 0, x, x",
    "select_copy": "x, 0, 1", "permute_copy": "x, (1, 0)", "complex": "x, x",
}  # fmt: skip


def run(library, name, dtype, size, requires_grad=False):
    """What a call with ``out=`` gives, or its error."""
    x = library.from_numpy(np.array([[1.0, -2.0, 3.0], [4.0, 0.5, 0.0]], np.float32))
    x.requires_grad = requires_grad
    arguments = eval(f"({CALLS[name]},)", {"x": x.detach() if not requires_grad else x})
    keywords = {"dim": 0} if name == "aminmax" else {}
    arguments = tuple(a for a in arguments if a is not None)
    function = getattr(library, name)
    with library.no_grad():
        plain = function(*arguments, **keywords)
    several = isinstance(plain, tuple)
    outs = tuple(
        library.zeros(size, dtype=t.dtype if dtype is None else getattr(library, dtype))
        for t in (plain if several else (plain,))
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = function(*arguments, **keywords, out=outs if several else outs[0])
        except Exception as error:
            return type(error).__name__, str(error)
    results = result if several else (result,)
    assert all(a is b for a, b in zip(results, outs, strict=True))
    resized = any("resized" in str(w.message) for w in caught)
    arrays = [np.asarray(t.detach().numpy()) for t in results]
    # as text, in which nan is equal to nan
    values = str([(a.round(4) if a.dtype.kind in "fc" else a).tolist() for a in arrays])
    return values, type(result).__name__, resized


CALLS["aminmax"] = "x"


@pytest.mark.parametrize("name", sorted(CALLS))
def test_out_is_written_and_returned(name):
    assert run(minitorch, name, None, (0,)) == run(torch, name, None, (0,))


@pytest.mark.parametrize("name", sorted(CALLS))
def test_out_of_another_size_is_resized_with_a_warning(name):
    assert run(minitorch, name, None, (7,)) == run(torch, name, None, (7,))


@pytest.mark.parametrize("dtype", ["float64", "int64"])
@pytest.mark.parametrize("name", sorted(set(CALLS) - {"nanmean", "ldexp", "argmax"}))
def test_out_of_another_dtype_is_cast_to_or_refused(name, dtype):
    assert run(minitorch, name, dtype, (0,)) == run(torch, name, dtype, (0,))


@pytest.mark.parametrize("name", ["kthvalue", "sinc", "var", "softmax", "where", "kron", "diff"])
def test_results_are_not_recorded(name):
    ours = run(minitorch, name, None, (0,), requires_grad=True)
    assert ours == run(torch, name, None, (0,), requires_grad=True)
