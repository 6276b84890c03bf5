"""``out=`` of functions that compute first and copy then, beside PyTorch's."""

import warnings

import numpy as np
import pytest

import minitorch
from tests.both import compare, like_pytorch

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


LINALG = {
    "inv": "A", "inv_ex": "A", "solve": "A, B", "det": "A", "slogdet": "A", "cholesky": "S",
    "cholesky_ex": "S", "lu": "A", "lu_factor": "A", "ldl_factor": "S", "qr": "A", "eigh": "S",
    "eigvalsh": "S", "eigvals": "A", "svd": "A", "svdvals": "A", "lstsq": "A, B", "pinv": "A",
    "vector_norm": "A", "matrix_norm": "A", "norm": "A", "cond": "A", "matrix_rank": "A",
    "matrix_power": "A, 3", "multi_dot": "(A, A, A)", "vecdot": "A, A", "tensorinv": "A, ind=1",
    "tensorsolve": "A, A[:, 0]", "matmul": "A, B", "householder_product": "A, A[:, 0]",
}  # fmt: skip
TRANSFORMS = {"fft": "A", "irfft": "A", "rfftn": "A", "ifftn": "A", "hfft": "A"}
BOTH = {f"linalg.{name}": call for name, call in LINALG.items()}
BOTH.update({f"fft.{name}": call for name, call in TRANSFORMS.items()})
BOTH.update({"slogdet": "A", "qr": "A", "svd": "A", "matrix_power": "A, 2"})


def call_with(library, name, make_out, requires_grad=False):
    """The layout, version and values of what ``out=`` gives, or the error and what it left."""
    generator = np.random.RandomState(0)
    a = generator.randn(3, 3).astype(np.float32)
    A = library.from_numpy(a)
    B = library.from_numpy(generator.randn(3, 2).astype(np.float32))
    S = library.from_numpy(a @ a.T + np.eye(3, dtype=np.float32))
    names = {"A": A, "B": B, "S": S, "f": library}
    for part in name.split("."):
        names["f"] = getattr(names["f"], part)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        plain = eval(f"f({BOTH[name]})", names)
        several = isinstance(plain, tuple)
        outs = [make_out(library, t) for t in (plain if several else (plain,))]
        names["out"] = tuple(outs) if several else outs[0]
        for x in (A, B, S):
            x.requires_grad_(requires_grad)
        before = [t._version for t in outs]
        try:
            result = eval(f"f({BOTH[name]}, out=out)", names)
        except Exception as error:
            text = type(error).__name__, str(error).split("\n")[0]
            # PyTorch has written to some of svd's outputs by then
            assert library is torch or [t._version for t in outs] == before
            return text
    results = result if several else (result,)
    assert all(one is t for one, t in zip(results, outs, strict=True))
    resized = sum("resized" in str(w.message) for w in caught)
    described = [
        (tuple(t.shape), t.stride(), str(t.dtype).rpartition(".")[2], t.requires_grad) for t in outs
    ]
    # + 0 turns -0 into 0
    values = [(np.asarray(t.detach().numpy()) + 0).round(3).tolist() for t in outs]
    return type(result).__name__, resized, described, str(values).replace("-0.0", "0.0")


def empty(library, t):
    return library.empty(0, dtype=t.dtype)


def too_long(library, t):
    return library.zeros(7, dtype=t.dtype)


def columns(library, t):
    shape = tuple(t.shape)[::-1]
    return library.zeros(shape, dtype=t.dtype).permute(tuple(range(len(shape)))[::-1])


def in_double(library, t):
    dtype = library.complex128 if t.dtype.is_complex else library.float64
    return library.zeros(t.shape, dtype=dtype)


def in_int64(library, t):
    return library.zeros(t.shape, dtype=library.int64)


@pytest.mark.parametrize("make_out", [empty, too_long, columns, in_double, in_int64])
@pytest.mark.parametrize("name", sorted(BOTH))
def test_out_of_linear_algebra_and_transforms(name, make_out):
    assert call_with(minitorch, name, make_out) == call_with(torch, name, make_out)


# of what no formula is known PyTorch makes `out` require a gradient that nothing can compute
@pytest.mark.parametrize("name", sorted(set(BOTH) - {"linalg.ldl_factor", "linalg.eigvals"}))
def test_out_of_what_requires_grad(name):
    assert call_with(minitorch, name, in_place_of, True) == call_with(
        torch, name, in_place_of, True
    )


def in_place_of(library, t):
    return library.zeros(t.shape, dtype=t.dtype)


@pytest.mark.parametrize("name", ["linalg.inv", "fft.fft", "linalg.qr"])
def test_out_keeps_the_memory_that_is_long_enough(name):
    for library in (minitorch, torch):
        buffers = []

        def from_buffer(library, t, buffers=buffers):
            buffers.append(library.zeros(64, dtype=t.dtype))
            return buffers[-1][:0]

        call_with(library, name, from_buffer)
        assert all(bool((buffer != 0).any()) for buffer in buffers)


FORMS = {
    "lu_unpack": "LU, pivots", "ormqr": "A, A[0], B", "triangular_solve": "B, A",
    "_chunk_cat": "[A, B], 0, 2", "nn.functional.linear": "A, A", "histogram": "A, 3",
    "max": "A", "min": "A, A", "diag": "A[0]", "softmax": "A, 0", "inner": "A, A", "quantile": "A, 0.5",
    "hstack": "[A, B]", "linspace": "0, 1, 6", "logspace": "0, 1, 6", "arange": "6.0", "eye": "3",
    "ones": "2, 2", "randn": "2, 2", "permute_copy": "A, (1, 0)", "conj_physical": "A",
    "floor_divide": "A, A", "heaviside": "A, A", "eq": "A, A", "bitwise_not": "A > 0",
    "narrow_copy": "A, 0, 0, 2", "addbmm": "A, A[None], A[None]", "frexp": "A",
    "special.bessel_j0": "A",
}  # fmt: skip


@pytest.mark.parametrize("form", ["empty", "long", "float64", "int64", "leaf"])
@pytest.mark.parametrize("name", sorted(FORMS))
def test_forms_with_out(name, form):
    def program(torch):
        generator = np.random.RandomState(0)
        A = torch.from_numpy(generator.rand(3, 3).astype(np.float32))
        B = torch.from_numpy(generator.rand(3, 2).astype(np.float32))
        LU, pivots = torch.linalg.lu_factor(A)
        names = {"A": A, "B": B, "LU": LU, "pivots": pivots, "f": torch}
        for part in name.split("."):
            names["f"] = getattr(names["f"], part)
        plain = eval(f"f({FORMS[name]})", names)
        outs = [
            torch.empty(
                (2, 3) if form == "long" else (0,),
                dtype=getattr(torch, form) if "64" in form else t.dtype,
                requires_grad=form == "leaf" and t.dtype.is_floating_point,
            )
            for t in (plain if isinstance(plain, tuple) else (plain,))
        ]
        names["out"] = tuple(outs) if isinstance(plain, tuple) else outs[0]
        if form == "leaf" and not outs[0].requires_grad:
            return None
        if name == "histogram":
            outs[1].resize_(4)  # PyTorch resizes it first
        eval(f"f({FORMS[name]}, out=out)", names)
        return [t.detach() * (name != "randn") for t in outs]

    compare(program)


def test_out_has_memory_for_the_strides_of_a_slice():
    def program(torch):
        A = torch.arange(24.0).reshape(2, 4, 3) % 5
        out = torch.empty(0), torch.empty(0), torch.empty(0, dtype=torch.int64), torch.empty(0)
        torch.linalg.lstsq(A, A + torch.eye(4, 3), driver="gelsd", out=out)
        return out[0].stride(), out[0].untyped_storage().nbytes() >= 23 * 4

    compare(program)


def test_a_result_that_is_an_operand_of_another_size():
    cases = [
        (lambda a, out: minitorch.mv(a, minitorch.ones(3), out=out), (2, 3), [3.0, 3.0]),
        (lambda a, out: minitorch.mm(a, minitorch.ones(3, 1), out=out), (2, 3), [[3.0], [3.0]]),
        (lambda a, out: minitorch.dot(a, a, out=out), (3,), 3.0),
        (lambda a, out: minitorch.vdot(minitorch.ones(3), a, out=out), (3,), 3.0),
        (lambda a, out: minitorch.sum(a, 0, out=out), (3, 3), [3.0, 3.0, 3.0]),
        (lambda a, out: minitorch.amax(a, (0, 1), out=out), (5, 3), 1.0),
        (lambda a, out: minitorch.outer(a, minitorch.ones(3), out=out), (2,), [[1.0] * 3] * 2),
        (lambda a, out: minitorch.norm(a, out=out), (3, 3), 3.0),
    ]
    for function, shape, expected in cases:
        a = minitorch.ones(shape)
        assert function(a, a).tolist() == expected
        assert a.tolist() == expected


@pytest.mark.parametrize("shape", [(0,), (0, 6)])
def test_an_empty_operand_of_cat_that_is_the_result_is_refused(shape):
    def program(torch):
        x = torch.zeros(shape)
        return torch.cat((x, torch.ones(4, 6)), out=x)

    compare(program)


@like_pytorch
def test_classes_of_results_are_listed_with_those_for_out(torch):
    classes = torch.return_types.all_return_types
    there = [getattr(torch.return_types, cls.__name__) is cls for cls in classes]
    return sorted((cls.__name__, cls.n_fields) for cls in classes), all(there)
