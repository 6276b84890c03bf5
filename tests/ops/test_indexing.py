"""gather, scatter, masks, take, embedding against PyTorch: results, strides, errors, inputs."""

import itertools

import numpy as np
import pytest

import minitorch
from tests.ops import impl_oracle
from tests.probes.ops import indexing as probe

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")
impl_oracle.use(torch)

THEIRS = {
    "scatter_src": torch.scatter,
    "scatter_value": torch.scatter,
    "scatter_src_reduce": torch.scatter,
    "scatter_value_reduce": torch.scatter,
    "index_fill_tensor": torch.index_fill,
    "scatter_reduce": torch.scatter_reduce,
    "put": torch.Tensor.put,
    "nonzero_numpy": lambda x: x.nonzero(as_tuple=True),
    "one_hot": torch.nn.functional.one_hot,
    "embedding_dense_backward": torch.ops.aten.embedding_dense_backward,
}
DTYPES = [
    torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32,
    torch.float64, torch.complex64, torch.complex128, torch.bool,
]  # fmt: skip


def check(name, *args, theirs=None, **kwargs):
    theirs = theirs or THEIRS.get(name) or getattr(torch, name)
    return impl_oracle.compare(lambda *a, **k: probe.call(name, *a, **k), theirs, *args, **kwargs)


def in_place(name, x, *args):
    """The operator with the input as its output, against PyTorch's method with an underscore."""
    method = getattr(torch.Tensor, name.removesuffix("_src").removesuffix("_value") + "_")
    impl_oracle.compare(
        lambda x, *a: probe.call(name, x, *a, out=x), lambda x, *a: method(x, *a), x, *args
    )


def numbers(*shape, dtype=torch.float32):
    return torch.arange(1, 1 + int(np.prod(shape))).reshape(shape).to(dtype)


def longs(*values):
    return torch.tensor(values, dtype=torch.int64)


def z(*shape):
    return torch.zeros(shape)


def inputs():
    yield from (
        numbers(2, 3),
        numbers(3, 2).t(),
        numbers(4, 6)[::2, ::2],
        numbers(2, 3, 4),
        numbers(3),
    )
    yield from (torch.tensor(7.0), z(0, 3), z(3, 0), numbers(1, 3).expand(2, 3))


VECTORS = [
    longs(0), longs(1, 0), longs(0, 0, 1), longs(), torch.tensor(0), torch.tensor(1), longs(2),
    longs(-1),
    longs(5), torch.tensor([[0]]), torch.tensor([0.0]), longs(0, 1).int(), longs(0).short(),
    longs(0).byte(), torch.tensor([True]), longs(0, 1, 0, 1)[::2],
]  # fmt: skip


def test_index_select():
    for x, dim, index in itertools.product(inputs(), (0, 1, -1, 2, -4), VECTORS):
        if index.numel() and index.dtype == torch.int64 and not 0 <= index.reshape(-1)[0] < 3:
            continue  # PyTorch has several texts for an index that is out of bounds
        check("index_select", x, dim, index)
    for out in (z(2, 3), z(2, 3).long(), z(2, 3).double(), z(1), z(0), z(3, 2).t()):
        check("index_select", numbers(2, 3), 0, longs(0, 1), out=out)
    x = numbers(2, 3)
    check("index_select", x, 0, longs(0, 1), out=x)


@pytest.mark.parametrize("x", list(inputs()), ids=impl_oracle.show)
def test_an_index_out_of_bounds_is_found_before_anything_is_read(x):
    for value in (-1, 5, 2**62, -(2**63)):
        if x.dim() == 0 or x.shape[0]:
            impl = impl_oracle.Transfer()
            result = impl_oracle.outcome(probe.call, "index_select", impl(x), 0, impl(longs(value)))
            assert result == (IndexError, "index out of range in self")


def sources(x, dim, count):
    shape = list(x.shape)
    if shape:
        shape[dim] = count
    yield numbers(*shape).to(x.dtype)
    yield numbers(*shape).to(x.dtype).t() if len(shape) == 2 else numbers(*shape).double()
    yield numbers(*shape[1:]) if shape else numbers(1)
    yield torch.tensor(3.0)


def test_index_add_and_index_copy():
    for x, dim, index in itertools.product(inputs(), (0, 1, -1, -4), VECTORS):
        for source in sources(x, dim if -x.dim() <= dim < x.dim() else 0, index.numel()):
            if x.numel():  # PyTorch fails for nothing, with an internal error
                check("index_copy", x, dim, index, source)
            if x.stride() and 0 in x.stride():
                in_place("index_copy", x.clone()[:1].expand(x.shape), dim, index, source)
            for alpha in (1, 2, 2.5):
                check("index_add", x, dim, index, source, alpha=alpha)
    x = numbers(2, 3)
    for name in ("index_add", "index_copy"):
        in_place(name, numbers(2, 3), 0, longs(1, 0), numbers(2, 3))
        in_place(name, numbers(3, 2).t(), 1, longs(1, 0, 1), numbers(2, 3))
        in_place(name, x, 0, longs(0, 1), x)
        for out in (z(2, 3), z(2, 3).double(), z(1), z(3, 2).t()):
            check(name, numbers(2, 3), 0, longs(0, 1), numbers(2, 3), out=out)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_index_add_in_every_dtype(dtype):
    for alpha in (1, 3):
        check("index_add", numbers(4, 3, dtype=dtype), 0, longs(3, 1, 3, 3, 0),
              numbers(5, 3, dtype=dtype), alpha=alpha)  # fmt: skip


def test_index_fill():
    for x, dim, index in itertools.product(inputs(), (0, 1, -1, -4), VECTORS):
        if x.numel() == 0:
            continue  # where PyTorch fails with an internal error
        for value in (5.0, 5, True, 5j, 1e300):
            check("index_fill", x, dim, index, value)
        check("index_fill_tensor", x, dim, index, torch.tensor(5.0))
        check("index_fill_tensor", x, dim, index, longs(5))
    in_place("index_fill", numbers(2, 3), 0, longs(-1), 9.0)
    in_place("index_fill", numbers(1, 3).expand(2, 3), 0, longs(1), 9.0)


GRIDS = [
    torch.tensor([[0, 1, 1]]), torch.tensor([[0, 1, 2]]), torch.tensor([[0, 1, -1]]),
    torch.tensor([[0], [1]]), torch.tensor([[0], [3]]), longs(0), torch.tensor([[0, 1, 1, 1]]),
    torch.tensor([[0], [0], [0]]), torch.tensor([[0.0]]), torch.tensor([[0]], dtype=torch.int32),
    torch.tensor([[0]], dtype=torch.int16), torch.zeros(0, 3).long(), longs(), torch.tensor(0),
    torch.tensor(1), longs(0, 0), torch.tensor([[1, 0], [0, 1]]).t(), torch.zeros(1, 2, 3).long(),
    torch.zeros(0).float(),
]  # fmt: skip


def test_gather():
    for x, dim, index in itertools.product(inputs(), (0, 1, -1, 2, -4), GRIDS):
        check("gather", x, dim, index)
    for out in (z(1, 3), z(1, 3).long(), z(2), z(0), z(3, 1).t()):
        check("gather", numbers(2, 3), 0, GRIDS[0], out=out)
    x = numbers(2, 3)
    check("gather", x, 0, torch.zeros(2, 3).long(), out=x)


def test_scatter():
    for x, dim, index in itertools.product(inputs(), (0, 1, -1, 2, -4), GRIDS):
        for value in (7.0, 7, 7j):
            if x.dim() and x.numel() or value != 7j:
                check("scatter_value", x, dim, index, value)
        for reduce in ("add", "multiply", "sum"):
            check("scatter_value_reduce", x, dim, index, 2.0, reduce=reduce)
        shapes = {tuple(index.shape), (1, 2), (3,), (2, 3), (4, 5), (2, 3, 4)}
        for shape in sorted(shapes, key=str):
            src = numbers(*shape)
            check("scatter_src", x, dim, index, src)
            check("scatter_add", x, dim, index, src)
            check("scatter_src_reduce", x, dim, index, src, reduce="multiply")
        check("scatter_add", x, dim, index, numbers(*index.shape).double())
    x = numbers(2, 3)
    zeros = torch.zeros(2, 3).long()
    for name in ("scatter_src", "scatter_add"):
        in_place(name, numbers(2, 3), 0, zeros, numbers(2, 3))
        in_place(name, numbers(3, 2).t(), 1, zeros, numbers(2, 3))
        in_place(name, numbers(1, 3).expand(2, 3), 0, zeros, numbers(2, 3))
        in_place(name, x, 0, zeros, x)
        for out in (z(2, 3), z(2, 3).double(), z(1), z(3, 2).t()):
            check(name, numbers(2, 3), 0, zeros, numbers(2, 3), out=out)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_scatter_reduce(dtype):
    x = numbers(3, 4, dtype=dtype)
    index = torch.tensor([[0, 0, 1, 2], [0, 1, 1, 2], [0, 0, 0, 0]])
    src = numbers(3, 4, dtype=dtype) - 5 if dtype.is_signed and not dtype.is_complex else x
    for reduce, include_self, dim in itertools.product(
        ("sum", "prod", "mean", "amax", "amin", "add"), (True, False), (0, 1)
    ):
        check("scatter_reduce", x, dim, index, src, reduce=reduce, include_self=include_self)
        options = {"reduce": reduce, "include_self": include_self}
        check("scatter_reduce", x.t(), dim, index[:, :3], src, **options)
        check("scatter_reduce", x, 0, longs(), src, reduce=reduce, include_self=include_self)


def test_scatter_reduce_with_nan_and_infinity():
    x = torch.tensor([1.0, float("nan"), float("inf"), -float("inf")])
    reductions = ("amax", "amin", "sum", "prod", "mean")
    for reduce, include_self in itertools.product(reductions, (True, False)):
        for index in (longs(0, 1, 2, 3), longs(0, 0, 0, 0), longs(3, 2, 1, 0)):
            check("scatter_reduce", x, 0, index, x, reduce=reduce, include_self=include_self)


def test_take_and_put():
    indices = [
        longs(0, 2, -1), longs(6), longs(-7), torch.tensor([[0, 1], [2, 0]]), torch.tensor([0.0]),
        longs(0).int(), longs(), torch.tensor(1), torch.tensor([[0, 1], [2, 0]]).t(), longs(2**62),
    ]  # fmt: skip
    for x, index in itertools.product(inputs(), indices):
        check("take", x, index)
        values = numbers(*index.shape)
        for source in (values, numbers(index.numel()), z(7), values.double()):
            for accumulate in (False, True):
                check("put", x, index, source, accumulate)
    for out in (z(3), z(3).long(), z(2), z(0), z(6)[::2]):
        check("take", numbers(2, 3), longs(0, 1, 5), out=out)
    x = numbers(2, 3)
    check("take", x, longs(0), out=x)
    for target in (numbers(2, 3), numbers(3, 2).t(), numbers(2, 6)[:, ::2]):
        in_place("put", target, longs(0, 0, 5), numbers(3))
        impl_oracle.compare(
            lambda x, i, s: probe.call("put", x, i, s, accumulate=True, out=x),
            lambda x, i, s: x.put_(i, s, accumulate=True), target, longs(0, 0, 5), numbers(3),
        )  # fmt: skip


def test_take_along_dim():
    indices = [*GRIDS, longs(0, 7), longs(-1), torch.tensor([[0], [-1]]), torch.tensor([[0], [30]])]
    for x, index, dim in itertools.product(inputs(), indices, (None, 0, 1, -1, 4)):
        if x.numel() == 0 and index.numel() and dim is not None:
            continue  # PyTorch divides by zero
        check("take_along_dim", x, index, dim)


MASKS = [
    torch.tensor([[True, False, True], [False, True, True]]), torch.tensor([True, False, True]),
    torch.tensor([[True], [False]]), torch.tensor([True, False]), torch.tensor(True),
    torch.tensor(False),
    torch.tensor([1, 0, 1], dtype=torch.uint8), torch.tensor([1.0, 0, 1]), torch.zeros(2, 3) > 1,
    torch.ones(3, 2, 3) > 0, torch.zeros(0) > 1, torch.ones(3, 2).t() > 0,
]  # fmt: skip


def test_masked_select_and_scatter():
    for x, mask in itertools.product(inputs(), MASKS):
        check("masked_select", x, mask)
        for source in (numbers(30), numbers(2), numbers(2, 3), longs(1, 2), numbers(6, 5).t()):
            check("masked_scatter", x, mask, source)
            if mask.dim() <= x.dim():
                in_place("masked_scatter", x.clone(), mask, source)
    for out in (z(4), z(4).long(), z(2), z(0), z(8)[::2]):
        check("masked_select", numbers(2, 3), MASKS[0], out=out)
    in_place("masked_scatter", numbers(1, 3).expand(2, 3), MASKS[0], numbers(6))
    x = numbers(2, 3)
    in_place("masked_scatter", x, MASKS[0], x)


def test_nonzero():
    for x in (*inputs(), numbers(2, 3) > 3, torch.tensor(0), torch.tensor([1j, 0]), z(3), z(2, 3),
              torch.tensor([float("nan"), 0.0, -0.0]), numbers(40, 50)[:, ::3] % 3):  # fmt: skip
        check("nonzero", x)
        check("argwhere", x)
        check("nonzero_numpy", x)
    for out in (z(6, 2), z(1).long(), z(0).long()):
        check("nonzero", numbers(2, 3), out=out)


def test_embedding():
    table = numbers(3, 4)
    indices = [
        longs(0, 2), longs(0, 3), longs(0, -1), torch.tensor([[0.0]]), torch.tensor([[0]]).int(),
        torch.tensor([[0]]).short(), torch.tensor(0), longs(), torch.tensor([[0, 1], [2, 1]]).t(),
    ]  # fmt: skip
    for weight, index in itertools.product((table, numbers(4, 3).t(), z(3), z(3, 4, 5)), indices):
        check("embedding", weight, index)
    for index in indices:
        grad = numbers(*index.shape, 4)
        for padding, scale in itertools.product((-1, 0, 2), (False, True)):
            if index.numel() == 0 or -1 < index.min() and index.max() < 3:
                check("embedding_dense_backward", grad, index, 3, padding, scale)
    for args in [(torch.ones(2, 4), longs(0, 3), 3, -1, False)]:
        with pytest.raises(IndexError, match="out of range"):
            probe.call("embedding_dense_backward", *impl_oracle.Transfer()(args))


def test_one_hot():
    for index, classes in itertools.product(
        (longs(0, 2), longs(0, -2), longs(), torch.tensor(1), torch.tensor([[0, 1], [2, 0]]),
         torch.tensor([1.0]), longs(1).int(), longs(0, 9, 1, 9)[::2]),
        (-1, 4, 3, 2, 0, -2),
    ):  # fmt: skip
        check("one_hot", index, classes)


@pytest.mark.parametrize(
    "ours, theirs, args",
    [
        ("index_select_backward", lambda x, *a: x.index_select(*a), (1, longs(0, 2, 0))),
        ("gather_backward", lambda x, *a: x.gather(*a), (0, torch.tensor([[0, 1, 1], [0, 0, 0]]))),
        ("take_backward", lambda x, *a: x.take(*a), (longs(0, 5, 5, -1),)),
    ],
)
def test_gradients_are_added_up(ours, theirs, args):
    x = z(2, 3).double().requires_grad_()
    y = theirs(x, *args)
    grad = numbers(*y.shape, dtype=torch.float64)
    (expected,) = torch.autograd.grad(y, x, grad)
    transfer = impl_oracle.Transfer()
    result = probe.call(ours, transfer(grad), (2, 3), *transfer(args))
    assert impl_oracle.plain(result) == impl_oracle.plain(expected)


def test_the_gradients_of_masks():
    x, source = z(2, 3).requires_grad_(), z(7).requires_grad_()
    for mask in MASKS[:3]:
        y = x.masked_select(mask)
        (expected,) = torch.autograd.grad(y, x, numbers(*y.shape))
        transfer = impl_oracle.Transfer()
        result = probe.call(
            "masked_select_backward", transfer(numbers(*y.shape)), transfer(x), transfer(mask)
        )
        assert impl_oracle.plain(result) == impl_oracle.plain(expected)
        y = x.masked_scatter(mask, source)
        (expected,) = torch.autograd.grad(y, source, numbers(2, 3))
        result = probe.call(
            "masked_scatter_backward", transfer(numbers(2, 3)), transfer(mask), (7,)
        )
        assert impl_oracle.plain(result) == impl_oracle.plain(expected)


def test_large_tensors():
    generator = torch.Generator().manual_seed(0)
    x = torch.randint(0, 99, (300, 400), generator=generator).float()
    rows = torch.randint(0, 300, (300, 400), generator=generator)
    vector = torch.randint(0, 300, (1000,), generator=generator)
    for dim in (0, 1):
        check("gather", x, dim, rows)
        check("scatter_add", x, dim, rows, x.clone())
        check("index_select", x, dim, vector)
        for reduce in ("amax", "mean"):
            check("scatter_reduce", x, dim, rows, x.clone(), reduce=reduce)
    check("index_add", x, 0, vector, x[vector])
    check("index_add", x, 1, vector, x[:, vector])
    check("masked_select", x, x > 50)
    check("masked_scatter", x, x > 50, x.clone())
    check("nonzero", x > 50)
    check("take", x, rows)
    check("embedding", x, rows)
    check("embedding_dense_backward", x, vector[:300], 300, -1, False)


def test_filling_an_expanded_tensor_is_warned_of_and_done():
    for library in (torch, minitorch):
        shared = library.zeros(2, 1).expand(2, 3)
        mask = library.tensor([[True, False, True], [False, False, False]])
        with pytest.warns(UserWarning, match="Use of masked_fill_ on expanded tensors"):
            shared.masked_fill_(mask, 2.0)
        assert shared.tolist() == [[2, 2, 2], [0, 0, 0]]
