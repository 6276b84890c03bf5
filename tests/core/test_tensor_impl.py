"""Geometry, versions, offsets and sizes of tensors, at the boundaries of each rule, against PyTorch."""

import gc
import itertools

import pytest

import minitorch
from minitorch.core import allocator
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def allocated():
    return allocator.memory_stats()["allocated_bytes"]


# sizes and strides of as_strided: ordinary ones and the ones at the boundaries
GEOMETRIES = [
    ((), ()),
    ((1,), (7,)),
    ((3,), (2,)),
    ((3,), (0,)),
    ((0,), (5,)),
    ((2, 3), (3, 1)),
    ((2, 3), (1, 2)),
    ((2, 3), (4, 1)),
    ((2, 3), (0, 1)),
    ((2, 3), (1, 0)),
    ((2, 3), (1, 1)),
    ((2, 2), (1, 1)),
    ((2, 2), (2, 2)),
    ((3, 2), (2, 2)),
    ((1, 3), (99, 1)),
    ((3, 1), (1, 99)),
    ((3, 1), (1, 0)),
    ((1, 1), (4, 4)),
    ((0, 3), (1, 1)),
    ((3, 0), (9, 9)),
    ((2, 3, 4), (12, 4, 1)),
    ((2, 3, 4), (12, 1, 3)),
    ((2, 3, 4), (1, 2, 6)),
    ((2, 3, 4), (4, 8, 1)),
    ((2, 3, 4), (0, 4, 1)),
    ((2, 3, 4), (4, 0, 1)),
    ((2, 3, 4), (3, 0, 6)),
    ((2, 1, 4), (4, 77, 1)),
    ((2, 3, 4, 5), (60, 20, 5, 1)),
    ((2, 3, 4, 5), (60, 1, 15, 3)),
    ((2, 3, 5, 4), (60, 1, 3, 15)),
    ((2, 1, 4, 5), (20, 20, 5, 1)),
    ((2, 1, 4, 5), (20, 1, 5, 1)),
    ((2, 3, 1, 1), (3, 1, 1, 1)),
    ((2, 3, 1, 1), (3, 1, 3, 3)),
    ((1, 3, 4, 4), (99, 1, 12, 3)),
    ((1, 1, 1, 1), (1, 1, 1, 1)),
    ((2, 3, 4, 5), (1, 2, 6, 24)),
    ((2, 3, 4, 5), (15, 1, 30, 3)),
    ((0, 3, 4, 5), (60, 1, 15, 3)),
    ((2, 3, 2, 2, 2), (24, 8, 4, 2, 1)),
    ((2, 3, 2, 2, 2), (24, 1, 12, 6, 3)),
    ((2, 3, 2, 2, 2), (24, 1, 3, 6, 12)),
    ((2, 3, 4), (12, 1, 3)),
    ((2, 2, 2), (2, 2, 1)),
]


@pytest.mark.parametrize("sizes, strides", GEOMETRIES)
def test_flags_and_the_strides_of_new_tensors(sizes, strides):
    def program(torch):
        x = torch.arange(400.0).as_strided(sizes, strides)
        formats = [torch.contiguous_format]
        formats += [torch.channels_last] if len(sizes) == 4 else []
        formats += [torch.channels_last_3d] if len(sizes) == 5 else []
        results = [
            [x.is_contiguous(memory_format=f) for f in formats],
            x.contiguous().stride(),
            torch.empty_like(x).stride(),
            torch.zeros_like(x, dtype=torch.int64).stride(),
            x.clone().stride(),
            x.to(torch.float64).stride(),
            (x + 1).stride(),
            (x + x).stride(),
            (x * 2 > x).stride(),
            x.contiguous() + x,
            (x.contiguous() + x).stride(),
            x.numel(),
            x.clone(),
        ]
        for f in formats:
            results += [x.to(memory_format=f).stride(), x.contiguous(memory_format=f).stride()]
        return results

    compare(program)


@pytest.mark.parametrize("sizes", [(2, 3, 4), (2, 2, 2), (1, 3, 2), (3, 1, 2), (2, 2, 1, 3)])
def test_each_order_of_dimensions_with_and_without_gaps(sizes):
    def program(torch):
        results = []
        n = len(sizes)
        for order in itertools.permutations(range(n)):
            for expanded in [None, *range(n)]:
                base = torch.zeros([2 * sizes[d] for d in order])
                x = base.permute([order.index(d) for d in range(n)])
                x = x[tuple(slice(0, sizes[d]) for d in range(n))]
                if expanded is not None:
                    x = x.narrow(expanded, 0, 1).expand(sizes)
                results.append(
                    (
                        order,
                        expanded,
                        torch.empty_like(x).stride(),
                        x.neg().stride(),
                        (x + x).stride(),
                    )
                )
        return results

    compare(program)


@pytest.mark.parametrize("sizes", [(3,), (2, 5), (0,), (4, 4), (1,), (), (20, 30), (2, 3, 4)])
@pytest.mark.parametrize("offset", [0, 1, 3])
def test_resize_counts_from_the_storage_offset(sizes, offset):
    def program(torch):
        x = torch.arange(12.0)[offset:]
        x.resize_(sizes)
        whole = torch.tensor([], dtype=torch.float32).set_(x.untyped_storage())
        kept = [v.item() for v in x.flatten()[: 12 - offset]]
        return x.stride(), x.storage_offset(), x.untyped_storage().nbytes(), kept, whole[:12]

    compare(program)


@like_pytorch
def test_resize_to_exactly_the_storage_and_one_element_beyond(torch):
    sizes = []
    for n in (9, 10, 11):
        x = torch.zeros(12)[2:]
        before = x.untyped_storage().data_ptr()
        x.resize_(n)
        sizes.append((x.untyped_storage().nbytes(), x.untyped_storage().data_ptr() == before))
    return sizes


@like_pytorch
def test_resize_makes_a_row_major_tensor_of_any_other(torch):
    x = torch.arange(6.0).view(2, 3).t()
    y = x.detach()
    x.resize_(3, 2)
    same = x.stride()
    x.resize_(2, 3)
    return same, x.stride(), x, y.shape, y.stride(), x._version


def test_everything_that_shapes_and_counters_take_is_given_back():
    torch = minitorch

    def once():
        x = torch.zeros(50, 60)
        x.resize_(10, 20)
        x.resize_(100, 200)
        y = x.t()[1:, ::2]
        d = x.data
        e = d.data
        f = e.data
        f.data = y
        z = torch.zeros(3)
        z.data = d
        w = torch.zeros(3).view(3, 1)
        w.data = torch.zeros(5, 5)
        for bad in ((-1,), (2**62, 4), (2**61,)):
            with pytest.raises(RuntimeError):
                x.resize_(bad)
            with pytest.raises(RuntimeError):
                torch.empty(bad)
        v = e.view(-1)
        del d, e
        assert v.add_(1)._version == 1
        u = torch.ones(2, requires_grad=True)
        m = (u * 2).unbind()
        del m, v, f

    once()
    gc.collect()
    before = allocated()
    for _ in range(5):
        once()
    gc.collect()
    assert allocated() == before


@pytest.mark.parametrize(
    "dtype, itemsize", [("uint8", 1), ("float16", 2), ("float32", 4), ("complex128", 16)]
)
def test_a_tensor_takes_its_elements_and_no_more(dtype, itemsize):
    x = minitorch.empty(100_000, dtype=getattr(minitorch, dtype))
    assert x.untyped_storage().nbytes() == 100_000 * itemsize


def test_views_take_no_memory_for_data():
    torch = minitorch
    x = torch.zeros(100_000)
    before = allocated()
    views = [x.view(1000, 100), x[5:], x.detach(), x.data, x.t(), x.expand(3, 100_000)]
    assert allocated() - before <= 128 * len(views)


BOUNDARIES = [2**31, 2**60, 2**61 - 1, 2**61, 2**62 - 1, 2**62, 2**63 - 1]


@pytest.mark.parametrize("dtype", ["uint8", "float32", "complex128"])
@pytest.mark.parametrize("n", BOUNDARIES)
def test_sizes_whose_bytes_overflow(n, dtype):
    torch = minitorch
    before = allocated()
    for sizes in ((n, 2**10), (2**10, n), (n, n), (0, 2**40), (2**40, 0)):
        if 0 in sizes:
            assert torch.empty(sizes, dtype=getattr(torch, dtype)).shape == sizes
        else:
            with pytest.raises(RuntimeError, match="overflow|can't allocate"):
                torch.empty(sizes, dtype=getattr(torch, dtype))
    assert allocated() == before


def test_a_size_whose_product_wraps_around_is_refused():
    torch = minitorch
    for sizes in ((2**32, 2**32), (2**33, 2**33, 2**33), (2**62, 4), (2**61, 2, 2, 2)):
        with pytest.raises(RuntimeError, match="overflow"):
            torch.empty(sizes, dtype=torch.uint8)
        with pytest.raises(RuntimeError, match="overflow"):
            torch.zeros(1, dtype=torch.uint8).expand(sizes)


def test_an_offset_counts_in_the_limit_of_resize():
    torch = minitorch
    x = torch.zeros(8, dtype=torch.uint8)[4:]
    with pytest.raises(RuntimeError, match="overflow|can't allocate") as caught:
        x.resize_(2**62 - 2)
    assert "overflow" in str(caught.value)
    assert x.shape == (4,)


@pytest.mark.parametrize("sizes", [(-1,), (2, -1), (-2, 0), (0, -1)])
def test_negative_sizes(sizes):
    compare(lambda torch: torch.empty(sizes))


@pytest.mark.parametrize("n", [63, 64, 65, 70])
def test_number_of_dimensions(n):
    torch = minitorch
    if n <= 64:
        assert torch.zeros([1] * n).dim() == n
        assert torch.zeros(1).expand([1] * n).sum().item() == 0
    else:
        for make in (
            lambda: torch.zeros([1] * n),
            lambda: torch.zeros(1).expand([1] * n),
            lambda: torch.zeros([1] * 64).unsqueeze(0),
            lambda: torch.zeros(1).reshape([1] * n),
        ):
            with pytest.raises(RuntimeError, match="dimensions"):
                make()


# ---- versions


@like_pytorch
def test_versions_of_views_and_aliases(torch):
    x = torch.zeros(3, 4)
    view, row, detached, data = x.view(-1), x[1], x.detach(), x.data
    log = []
    for t in (x, view, row, detached, data):
        t.add_(1)
        log.append([u._version for u in (x, view, row, detached, data)])
    late = x.t()
    more = data.view(-1)
    more.add_(1)
    log.append([u._version for u in (x, late, data, more, data.detach(), x.data)])
    return log


@like_pytorch
def test_versions_when_data_are_assigned(torch):
    x, y = torch.zeros(3), torch.ones(4)
    x.add_(1)
    y.add_(1).add_(1)
    before = x._version, y._version
    x.data = y
    between = x._version, y._version
    x.add_(1)
    return before, between, x._version, y, x


def test_a_counter_outlives_the_tensor_that_it_was_made_for():
    torch = minitorch
    for _ in range(20):
        x = torch.zeros(3)
        data = x.data
        views = [data.view(3, 1), data.detach(), data[1:]]
        del data
        x = None
        fill = [torch.zeros(2).data for _ in range(10)]
        for k, v in enumerate(views):
            v.add_(1)
            assert [u._version for u in views] == [k + 1] * 3
        assert all(f._version == 0 for f in fill)


@like_pytorch
def test_data_may_be_a_view_of_another_dtype(torch):
    x = torch.zeros(2)
    y = torch.arange(10, dtype=torch.float64)
    x.data = y[3:7]
    return x, x.storage_offset(), str(x.dtype), x.untyped_storage().nbytes()


@like_pytorch
def test_detach_keeps_offset_and_strides(torch):
    x = torch.arange(12.0).view(3, 4).t()[1:]
    y = x.detach()
    return y, y.storage_offset(), y.stride(), y.data_ptr() == x.data_ptr(), x.data.storage_offset()


@like_pytorch
def test_detach_of_a_conjugate(torch):
    x = torch.tensor([1 + 2j]).conj()
    return x.detach().is_conj(), x.detach(), x.data.is_conj()


def test_assigned_data_give_back_the_memory_before():
    torch = minitorch
    before = allocated()
    x = torch.zeros(100_000)
    x.data = torch.zeros(5)
    assert allocated() - before < 2000
    del x
    assert allocated() == before


# ---- numbers


@pytest.mark.parametrize(
    "number",
    [True, False, 2, -3, 2.5, 1 + 2j, 2**62, -(2**63), 2**63 - 1, float("inf")],
)
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int32", "float16", "float32", "complex64"])
def test_numbers_promote_weakly(dtype, number):
    def program(torch):
        t = torch.ones(2, dtype=getattr(torch, dtype))
        s = torch.ones((), dtype=getattr(torch, dtype))
        return [
            str(torch.result_type(t, number)),
            str((s * number).dtype),
            (t == number).tolist(),
            t.add(number),
        ]

    compare(program)


@like_pytorch
def test_numbers_from_two_to_the_63rd_on(torch):
    return [
        str(torch.tensor([1]).eq(2**63 - 1).dtype),
        torch.full((1,), 2**63 - 1),
        torch.tensor(1.0) * (2**64 - 1),
    ]


def test_a_new_tensor_is_no_number():
    torch = minitorch
    for _ in range(50):
        torch.ones(3, dtype=torch.int32) * 2.5
        torch.ones(3) * 2
    half = torch.ones((), dtype=torch.float64)
    assert (torch.ones(3) * half).dtype == torch.float32
    assert (torch.ones((), dtype=torch.float32) * half).dtype == torch.float64
    assert [torch.zeros((), dtype=torch.float64).mul(half).dtype for _ in range(5)] == [
        torch.float64
    ] * 5


@pytest.mark.parametrize("dim", [-4, -3, -2, -1, 0, 1, 2, 3])
@pytest.mark.parametrize("sizes", [(), (2,), (2, 3), (2, 3, 4)])
def test_dimensions_counted_from_both_ends(sizes, dim):
    def program(torch):
        return torch.arange(24.0)[: max(1, [1, 2, 6, 24][len(sizes)])].reshape(sizes).sum(dim)

    compare(program)
    compare(lambda torch: torch.zeros(sizes).unsqueeze(dim).shape)
    compare(lambda torch: torch.zeros(sizes).transpose(dim, 0).shape)
    compare(lambda torch: torch.zeros(sizes).softmax(dim))
    compare(lambda torch: torch.zeros(sizes).size(dim))


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize("ndim", [0, 1, 3])
@pytest.mark.parametrize("dim", range(-5, 5))
def test_wrapping_of_dimensions(dim, ndim, wrap):
    from minitorch.core.tensor_impl import maybe_wrap_dim

    count = ndim if ndim or not wrap else 1
    if -count <= dim < count:
        assert maybe_wrap_dim(dim, ndim, wrap) == dim % count
    else:
        with pytest.raises(IndexError, match="no dimensions" if count == 0 else "out of range"):
            maybe_wrap_dim(dim, ndim, wrap)


@like_pytorch
def test_shapes_of_different_length_are_different(torch):
    x = torch.zeros(2, 3, requires_grad=True)
    try:
        x.grad = torch.zeros(2)
    except RuntimeError as error:
        first = str(error)
    try:
        x.grad = torch.zeros(2, 3, 1)
    except RuntimeError as error:
        return first, str(error), x.grad


@like_pytorch
def test_no_elements_beyond_the_end_need_no_memory(torch):
    x = torch.arange(4.0)
    part = x[2:]
    x.untyped_storage().resize_(0)
    part.resize_(0, 3)
    return part.shape, part.storage_offset(), part.untyped_storage().nbytes()
