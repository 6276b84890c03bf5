"""View operators against PyTorch: sizes, strides, offset, values, errors."""

import itertools

import numpy as np
import pytest

import minitorch
from tests.probes.ops import views as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

CODES = {
    torch.uint8: 0, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float16: 5,
    torch.float32: 6, torch.float64: 7, torch.complex64: 9, torch.complex128: 10, torch.bool: 11,
}  # fmt: skip
SHAPES = [(), (1,), (3,), (0,), (3, 4), (1, 3), (3, 1), (2, 3, 4), (1, 2, 1, 3), (2, 0, 3), (1, 1)]


def layouts(shape):
    """(how the base is made, how the input is viewed from it), for several memory layouts."""
    yield shape, []
    if len(shape) >= 2:
        yield shape[::-1], [("permute", *range(len(shape) - 1, -1, -1))]
        yield (shape[0], 2 * shape[1] + 1, *shape[2:]), [("slice", 1, 1, None, 2)]
    if shape:
        yield (2 * shape[0] + 1, *shape[1:]), [("slice", 0, 1, None, 2)]
        yield (1, *shape[1:]), [("expand", *shape)]


TORCH = {
    "view": lambda x, *size: x.view(size),
    "view_dtype": lambda x, code: x.view({c: d for d, c in CODES.items()}[code]),
    "reshape": lambda x, *size: x.reshape(size),
    "expand": lambda x, *size: x.expand(size),
    "broadcast_tensors": lambda *ts: torch.broadcast_tensors(*ts),
    "squeeze_dim": lambda x, d: x.squeeze(d),
    "squeeze_dims": lambda x, d: x.squeeze(d),
    "permute": lambda x, *d: x.permute(d),
    "slice": lambda x, *a: torch.ops.aten.slice(x, *a),
    "select": lambda x, *a: torch.ops.aten.select(x, *a),
    "split": lambda x, *a: x.split(*a),
    "split_with_sizes": lambda x, n, d=0: x.split(list(n), d),
    "tensor_split_sections": lambda x, *a: x.tensor_split(*a),
    "tensor_split_indices": lambda x, *a: x.tensor_split(*a),
    "tensor_split_tensor": lambda x, *a: x.tensor_split(*a),
}


def torch_call(name, x, *args):
    function = TORCH.get(name) or getattr(torch.Tensor, name, None) or getattr(torch.ops.aten, name)
    return function(x, *args)


def outcome(function):
    try:
        result = function()
    except Exception as error:
        return type(error), str(error).split("\nException raised from")[0]
    results = result if isinstance(result, (list, tuple)) else [result]
    if isinstance(results[0] if results else None, torch.Tensor):
        return [
            (tuple(t.shape), t.stride(), t.storage_offset(), str(t.dtype)[6:], t.numpy().tolist())
            for t in results
        ]
    return [(*probe.geometry(t), probe.to_array(t).tolist()) for t in results]


def inputs(base_shape, steps, dtype=np.float32):
    array = np.arange(int(np.prod(base_shape))).reshape(base_shape).astype(dtype)
    theirs = torch.from_numpy(array)
    theirs, ours = (
        torch.empty(base_shape, dtype=theirs.dtype).copy_(theirs),
        probe.from_array(array),
    )
    for name, *args in steps:
        theirs, ours = torch_call(name, theirs, *args), probe.call(name, ours, *args)
    return theirs, ours


def check(base_shape, steps, name, *args, dtype=np.float32):
    theirs, ours = inputs(base_shape, steps, dtype)
    expected = outcome(lambda: torch_call(name, theirs, *args))
    result = outcome(lambda: probe.call(name, ours, *args))
    assert result == expected, (base_shape, steps, name, args)
    return expected


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "target",
    [
        (), (1,), (-1,), (3,), (12,), (4, 3), (3, 4), (-1, 3), (3, -1, 1), (2, 6), (6, 2, 2),
        (2, 2, 3, 2), (1, 3, 1), (0,), (0, -1), (-1, -1), (-2, 3), (5,), (3, 0, 7), (1, 1, 1),
        (24,), (2, 12), (2, -1, 4),
    ],
)  # fmt: skip
def test_view_and_reshape(shape, target):
    for base, steps in layouts(shape):
        check(base, steps, "view", *target)
        check(base, steps, "reshape", *target)


def test_view_keeps_the_stride_rules_for_dimensions_of_one_element():
    for stride in itertools.product((1, 3, 7), repeat=3):
        for size in [(3, 1, 1), (1, 3, 1), (1, 1, 3), (1, 1, 1)]:
            steps = [("as_strided", size, stride)]
            for target in [(3,), (1,), (1, 3), (3, 1), (1, 1), (1, 1, 3, 1)]:
                check((30,), steps, "view", *target)


@pytest.mark.parametrize("shape", SHAPES)
def test_expand(shape):
    targets = [(), (3,), (-1,), (4, 3), (2, -1), (-1, 3), (2, 3, 4), (2, -1, -1, -1), (0,), (0, 3)]
    for base, steps in layouts(shape):
        for target in [*targets, (-2,), (3, -2), (2, 1, 1), (5, 2, 3, 4)]:
            check(base, steps, "expand", *target)


@pytest.mark.parametrize("shape", SHAPES)
def test_squeeze_unsqueeze_flatten(shape):
    for base, steps in layouts(shape):
        check(base, steps, "squeeze")
        for d in range(-5, 5):
            check(base, steps, "squeeze_dim", d)
            check(base, steps, "unsqueeze", d)
        for dims in [(), (0,), (0, 1), (0, -1), (0, 0), (0, 5)]:
            check(base, steps, "squeeze_dims", dims)
        for a, b in itertools.product(range(-4, 4), repeat=2):
            check(base, steps, "flatten", a, b)
        for d in range(-2, 3):
            for part in [(3, 1), (-1,), (1, -1), (2, 2), (), (-1, -1), (0, -1), (-3,)]:
                check(base, steps, "unflatten", d, part)


@pytest.mark.parametrize("shape", SHAPES)
def test_order_of_dimensions(shape):
    for base, steps in layouts(shape):
        for a, b in itertools.product(range(-3, 3), repeat=2):
            check(base, steps, "transpose", a, b)
            check(base, steps, "movedim", (a,), (b,))
        check(base, steps, "t")
        for dims in [(), (0,), (1, 0), (0, 0), (-1, 0, 1), (2, 0, 1), (3, 1, 0, 2), (0, 5)]:
            check(base, steps, "permute", *dims)
        pairs = [((0, 1), (1, 0)), ((0, 0), (0, 1)), ((0, 1), (0, 0)), ((0, 1), (0,))]
        for a, b in [*pairs, ((2, 0), (0, 1))]:
            check(base, steps, "movedim", a, b)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.filterwarnings("ignore")
def test_matrix_transposes(shape):
    theirs, impl = inputs(shape, [])
    assert outcome(lambda: probe.call("mT", impl)) == outcome(lambda: theirs.mT)
    ours = minitorch.zeros(shape)
    for attribute in ("T", "mT", "H", "mH"):
        assert seen(lambda a=attribute: getattr(ours, a)) == seen(
            lambda a=attribute: getattr(theirs, a)
        )
    assert seen(ours.adjoint) == seen(theirs.adjoint)


def seen(function):
    """The shape and strides of a view, or what is raised."""
    try:
        view = function()
    except Exception as error:
        return type(error).__name__, str(error)
    return tuple(view.shape), view.stride()


@pytest.mark.parametrize("shape", SHAPES)
def test_select_slice_narrow(shape):
    bounds = [None, 0, 1, 2, 3, 7, -1, -2, -7, 2**63 - 1, -(2**63) + 1]
    for base, steps in layouts(shape):
        for d in range(-3, 3):
            for i in range(-4, 4):
                check(base, steps, "select", d, i)
            for i, n in itertools.product((-4, -1, 0, 1, 3, 4), (-1, 0, 1, 2, 5)):
                check(base, steps, "narrow", d, i, n)
        for start, end, step in itertools.product(bounds, bounds, (1, 2, 5, 0, -1)):
            check(base, steps, "slice", 0, start, end, step)


@pytest.mark.parametrize("shape", SHAPES)
def test_several_parts(shape):
    for base, steps in layouts(shape):
        for d in (0, 1, -1, 4):
            for n in (-1, 0, 1, 2, 3, 5):
                check(base, steps, "split", n, d)
                check(base, steps, "chunk", n, d)
                check(base, steps, "tensor_split_sections", n, d)
            for sizes in [(), (1, 2), (3,), (1, -1, 3), (0, 3), (2, 2), (0,)]:
                check(base, steps, "split_with_sizes", sizes, d)
            for at in [(), (1,), (1, 2), (2, 1), (-1,), (1, 9, -2)]:
                check(base, steps, "tensor_split_indices", at, d)
            check(base, steps, "unbind", d)


@pytest.mark.parametrize("at", [2, 0, [1, 2], [], [[1]], 2.0, [1.0]])
def test_tensor_split_by_a_tensor(at):
    x = np.arange(12.0).reshape(4, 3)
    at = np.array(at, dtype=np.int64 if at == [] else None)
    expected = outcome(lambda: torch.from_numpy(x).tensor_split(torch.from_numpy(at)))
    ours = probe.from_array(x), probe.from_array(at)
    assert outcome(lambda: probe.call("tensor_split_tensor", *ours)) == expected


@pytest.mark.parametrize("shape", SHAPES)
def test_diagonal_and_unfold(shape):
    for base, steps in layouts(shape):
        for offset, (a, b) in itertools.product(
            range(-3, 4), [(0, 1), (1, 0), (0, 0), (0, -1), (-2, -1), (0, 2)]
        ):
            check(base, steps, "diagonal", offset, a, b)
        for d, size, step in itertools.product(range(-2, 3), (-1, 0, 1, 2, 3, 4), (-1, 0, 1, 2, 9)):
            check(base, steps, "unfold", d, size, step)


def test_as_strided():
    cases = [
        ((2, 2), (1, 2), None), ((2, 2), (1, 2), 3), ((2,), (1, 1), None), ((2,), (-1,), None),
        ((13,), (1,), None), ((13,), (1,), 2), ((3,), (1,), -2), ((0,), (1,), 200), ((), (), 12),
        ((), (), 11), ((3, 5), (0, 0), 11), ((-2,), (1,), None), ((2**40,), (2**40,), 0),
        ((3,), (2**62,), 0), ((4, 3), (3, 1), None), ((2, 3), (1, 1), 0),
    ]  # fmt: skip
    for case in cases:
        check((3, 4), [], "as_strided", *case)
        check((3, 4), [("slice", 1, 1, None, 1)], "as_strided", *case)


@pytest.mark.parametrize(
    "dtype", ["uint8", "int16", "float16", "float32", "complex64", "complex128", "bool"]
)
def test_view_as_another_dtype(dtype):
    for shape in [(), (4,), (2, 16), (3, 2), (2, 3, 8), (0, 4), (3, 0)]:
        for base, steps in layouts(shape):
            if int(np.prod(base)) == 0 or not base or base[0] == 1:
                continue
            for code in CODES.values():
                if code == 11 and dtype not in ("bool", "uint8"):
                    continue  # bytes other than 0 and 1 are no booleans
                theirs, ours = inputs(base, steps, np.dtype(dtype))
                expected = outcome(lambda c=code, x=theirs: torch_call("view_dtype", x, c))
                result = outcome(lambda c=code, x=ours: probe.call("view_dtype", x, c))
                if isinstance(expected, list):  # nan is not equal to itself
                    expected, result = [e[:-1] for e in expected], [r[:-1] for r in result]
                assert result == expected, (base, steps, code)


def test_broadcast_tensors():
    for shapes in [
        [(2, 3), (3,)], [(2, 1), (1, 3), ()], [(2, 3), (4, 1, 2)], [(5, 1, 1), (2, 3)],
        [(0, 1), (1, 4)],
        [(2, 3), (4, 1), (5, 1, 1)], [()], [(0,), (3,)],
    ]:  # fmt: skip
        pairs = [inputs(s, []) for s in shapes]
        expected = outcome(lambda p=pairs: torch.broadcast_tensors(*[t for t, _ in p]))
        result = outcome(lambda p=pairs: probe.call("broadcast_tensors", *[t for _, t in p]))
        assert result == expected


def test_views_share_storage_and_version_and_reshape_copies_only_when_it_must():
    _, x = inputs((3, 4), [])
    for view in [
        probe.call("view", x, 4, 3), probe.call("t", x), probe.call("select", x, 0, 1),
        probe.call("reshape", x, 12), probe.call("detach", x), probe.call("view_dtype", x, 7),
    ]:  # fmt: skip
        assert probe.shares_storage(view, x)
    assert not probe.shares_storage(probe.call("reshape", probe.call("t", x), 12), x)


def test_T_warns_once():
    import subprocess
    import sys

    program = (
        "import warnings, minitorch\n"
        "x = minitorch.zeros(3)\n"
        "with warnings.catch_warnings(record=True) as given:\n"
        "    warnings.simplefilter('always')\n"
        "    x.T; x.T\n"
        "assert len(given) == 1 and 'dimension other than 2' in str(given[0].message)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
