"""Each rule of iterator.pyx at its boundaries: broadcasting, order and merging of dimensions, types, overlap."""

import itertools

import pytest

from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core

SHAPES = [
    (),
    (1,),
    (3,),
    (0,),
    (1, 3),
    (2, 3),
    (2, 1),
    (0, 3),
    (2, 0),
    (1, 1),
    (4, 2, 3),
    (1, 2, 3),
    (4, 1, 1),
    (2, 3, 1),
]


@pytest.mark.parametrize("a", SHAPES)
def test_broadcasting_of_two_and_three_operands(a):
    for b in SHAPES:

        def two(torch, b=b):
            x, y = numbers(torch, a), numbers(torch, b) + 10
            return x + y, (x + y).stride(), x < y

        compare(two)
    for b, c in itertools.product(SHAPES[::2], SHAPES[1::2]):

        def three(torch, b=b, c=c):
            x, y, z = numbers(torch, a), numbers(torch, b) + 10, numbers(torch, c) + 20
            return torch.addcmul(x, y, z), torch.where(x < 3, y, z)

        compare(three)


def numbers(torch, shape):
    n = 1
    for size in shape:
        n *= size
    return torch.arange(float(n)).reshape(shape)


LAYOUTS = {
    "row_major": lambda t: t.contiguous(),
    "reversed": lambda t: reversed_order(t),
    "gaps": lambda t: with_gaps(t),
    "reversed_gaps": lambda t: reversed_order(t, with_gaps),
    "rolled": lambda t: rolled(t),
    "rolled_gaps": lambda t: with_gaps(rolled(t)),
    "expanded_first": lambda t: t[:1].expand(t.shape),
    "expanded_last": lambda t: t[..., :1].expand(t.shape),
    "swapped": lambda t: t.transpose(0, 1).contiguous().transpose(0, 1),
    "column": lambda t: t[..., :1],
    "row": lambda t: t[:1],
    "offset": lambda t: shifted(t),
}


def reversed_order(t, change=lambda t: t):
    order = list(reversed(range(t.dim())))
    return change(t.permute(order).contiguous()).permute(order)


def rolled(t):
    n = t.dim()
    return t.permute([*range(1, n), 0]).contiguous().permute([n - 1, *range(n - 1)])


def with_gaps(t):
    return t.repeat_interleave(2, -1)[..., ::2]


def shifted(t):
    return t.new_zeros(t.numel() + 3)[3:].view(t.shape).copy_(t)


def made(torch, shape, layout):
    return LAYOUTS[layout](numbers(torch, shape))


@pytest.mark.parametrize(
    "shape", [(2, 3), (2, 3, 4), (2, 2, 2), (3, 1, 2), (1, 2, 1), (2, 1, 3, 2)]
)
@pytest.mark.parametrize("first", LAYOUTS)
def test_strides_of_a_result_of_two_layouts(first, shape):
    def program(torch):
        results = []
        for second in LAYOUTS:
            x, y = made(torch, shape, first), made(torch, shape, second) + 100
            y = LAYOUTS[second](y) if y.shape == x.shape else y
            both = x + y
            results += [both, both.stride(), (y - x).stride(), torch.where(x < y, y, x).stride()]
        return results

    compare(program)


@pytest.mark.parametrize("first, second", list(itertools.product(LAYOUTS, LAYOUTS)))
def test_outputs_of_any_layout(first, second):
    def program(torch):
        shape = (2, 3, 4)
        x, y = made(torch, shape, first), made(torch, shape, second)
        out = made(torch, shape, second)
        results = []
        if out.shape == torch.Size(shape) and not second.startswith("expanded"):
            torch.add(x, y, out=out)
            results.append(out.clone())
            out.mul_(x)
            results.append(out.clone())
            out.copy_(x)
            results.append(out)
        results.append(torch.add(x, y, out=torch.empty(0)))
        return results

    compare(program)


@pytest.mark.parametrize(
    "sizes", [(2, 3, 4, 5), (2, 1, 4, 5), (2, 3, 1, 1), (1, 3, 4, 5), (2, 3, 4, 1)]
)
def test_channels_last_results(sizes):
    def program(torch):
        x = numbers(torch, sizes)
        y = x.to(memory_format=torch.channels_last)
        wide = torch.zeros(400).as_strided(sizes, (100, 1, 20, 4))
        pairs = [
            (x, y),
            (y, x),
            (y, y),
            (y, wide),
            (wide, y),
            (x, wide),
            (wide, wide),
            (y, y[:1]),
            (y[:, :1], y),
        ]
        return [((a + b).stride(), a + b, (-a).stride()) for a, b in pairs]

    compare(program)


@pytest.mark.parametrize("strides", [(1, 1), (99, 1), (1, 99), (0, 1), (1, 0), (3, 3), (5, 5)])
@pytest.mark.parametrize("sizes", [(1, 3), (3, 1), (1, 1)])
def test_strides_of_single_elements(sizes, strides):
    def program(torch):
        x = torch.arange(500.0).as_strided(sizes, strides)
        y = numbers(torch, sizes)
        return [
            t.stride()
            for t in (x + y, y + x, x + x, -x, x * 2, torch.add(x, y, out=torch.empty(0)))
        ], x + y

    compare(program)


@like_pytorch
def test_equal_strides_with_gaps_and_without(torch):
    results = []
    for sizes, strides in [
        ((2, 3), (6, 2)),
        ((2, 3), (1, 2)),
        ((2, 3), (2, 4)),
        ((2, 2, 2), (1, 2, 4)),
        ((3, 3), (1, 1)),
    ]:
        x = torch.arange(60.0).as_strided(sizes, strides)
        y = torch.arange(60.0).as_strided(sizes, strides) * 1
        results += [(x + x).stride(), (x + y).stride(), (y + x).stride(), x + x]
    return results


@like_pytorch
def test_results_of_many_dimensions(torch):
    x = numbers(torch, (2, 1, 3, 1, 2, 2)).permute(5, 0, 4, 1, 2, 3)
    y = numbers(torch, (2, 1, 1))
    return x + x, x + y, (x + y).stride(), x[::2] + x[1::2], x.flip(0) + x


@like_pytorch
def test_rows_of_one_element_and_of_none(torch):
    results = []
    for shape in [(1, 1, 1), (3, 1, 1), (1, 3, 1), (5, 0, 2), (0,), ()]:
        x = numbers(torch, shape)
        results += [x + 1, x.t() + x.t() if len(shape) < 2 else x.transpose(0, 1) + 1, x.exp()]
    return results


# ---- types

DTYPES = [
    "bool",
    "uint8",
    "int8",
    "int16",
    "int32",
    "int64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
]
DTYPES += ["complex64", "complex128", "uint16", "uint32", "uint64", "float8_e4m3fn", "complex32"]


@pytest.mark.parametrize("a", DTYPES)
def test_types_of_pairs_by_rank_and_category(a):
    def program(torch):
        results = []
        for b in DTYPES:
            for left, right in itertools.product([(2,), ()], [(2,), ()]):
                x = torch.empty(left, dtype=getattr(torch, a))
                y = torch.empty(right, dtype=getattr(torch, b))
                try:
                    results.append((b, left, right, str(torch.result_type(x, y))))
                except RuntimeError as error:
                    results.append((b, left, right, str(error)))
        for number in (True, 2, 2.5, 1j):
            for shape in [(2,), ()]:
                x = torch.empty(shape, dtype=getattr(torch, a))
                try:
                    results.append((number, shape, str(torch.result_type(x, number))))
                except RuntimeError as error:
                    results.append((number, shape, str(error)))
        return results

    compare(program)


@pytest.mark.parametrize("default", ["float32", "float64", "float16"])
def test_numbers_have_the_default_dtype(default):
    def program(torch):
        before = torch.get_default_dtype()
        torch.set_default_dtype(getattr(torch, default))
        try:
            i = torch.ones(2, dtype=torch.int32)
            s = torch.ones((), dtype=torch.int64)
            return [str(t.dtype) for t in (i * 2.5, s * 2.5, s / 2, i + 1j, s * 1j, i.bool() * 2.0)]
        finally:
            torch.set_default_dtype(before)

    compare(program)


@pytest.mark.parametrize("dtype", DTYPES[:13])
def test_types_of_three_operands(dtype):
    def program(torch):
        t = torch.ones(2, dtype=getattr(torch, dtype))
        condition = torch.tensor([True, False])
        others = [
            2,
            2.5,
            torch.tensor(2),
            torch.tensor(2.5, dtype=torch.float64),
            torch.ones(2, dtype=torch.int16),
        ]
        return [torch.where(condition, t, o) for o in others] + [
            torch.where(condition, o, t) for o in others
        ]

    compare(program)


@pytest.mark.parametrize("a, b", list(itertools.product(DTYPES[:12], DTYPES[:12])))
def test_what_may_be_written_into_what(a, b):
    def program(torch):
        out = torch.zeros(2, dtype=getattr(torch, a))
        x = torch.ones(2, dtype=getattr(torch, b))
        return [str(torch.can_cast(x.dtype, out.dtype)), torch.add(x, x, out=out)]

    compare(program)

    def in_place(torch):
        out = torch.zeros(2, dtype=getattr(torch, a))
        return out.mul_(torch.ones(2, dtype=getattr(torch, b)))

    compare(in_place)


# ---- overlap


def written(torch, make):
    """The result, or the error and what was there before."""
    base = torch.arange(24.0)
    try:
        make(torch, base)
    except RuntimeError as error:
        return str(error), base
    return base


OVERLAPS = {
    "itself": lambda torch, b: torch.add(b, b, out=b),
    "in_place": lambda torch, b: b.mul_(b),
    "the_same_view": lambda torch, b: torch.add(b[2:], 1, out=b[2:]),
    "next_to_it": lambda torch, b: torch.exp(b[:12], out=b[12:]),
    "before_it": lambda torch, b: torch.exp(b[12:], out=b[:12]),
    "one_element_after": lambda torch, b: torch.exp(b[:12], out=b[11:23]),
    "one_element_before": lambda torch, b: torch.exp(b[11:23], out=b[:12]),
    "shifted": lambda torch, b: torch.add(b[:-1], b[1:], out=b[1:]),
    "shifted_back": lambda torch, b: torch.add(b[1:], 1, out=b[:-1]),
    "longer_input": lambda torch, b: torch.add(b[:1], 1, out=b[0:1]),
    "inside": lambda torch, b: torch.add(b[4:8], 0, out=b[5:9]),
    "transposed": lambda torch, b: torch.exp(b[:16].view(4, 4), out=b[:16].view(4, 4).t()),
    "transposed_in_place": lambda torch, b: b[:16].view(4, 4).add_(b[:16].view(4, 4).t()),
    "one_row": lambda torch, b: b.view(4, 6).add_(b[:6]),
    "another_row": lambda torch, b: b.view(4, 6)[0].add_(b.view(4, 6)[1]),
    "every_other": lambda torch, b: b[::2].add_(b[1::2]),
    "interleaved_gaps": lambda torch, b: torch.add(b[::2], 1, out=b[1::2]),
    "gaps_over_dense": lambda torch, b: torch.add(b[:12], 1, out=b[::2]),
    "expanded_output": lambda torch, b: b[:1].expand(3).add_(1),
    "expanded_pair": lambda torch, b: b[:1].expand(2).add_(1),
    "expanded_single": lambda torch, b: b[:1].expand(1).add_(1),
    "stride_0_single": lambda torch, b: b.as_strided((1, 3), (0, 1)).add_(1),
    "stride_0_columns": lambda torch, b: b.as_strided((3, 2), (1, 0)).add_(1),
    "stride_0_second": lambda torch, b: b.as_strided((2, 3), (0, 2)).fill_(1),
    "overlapping_rows": lambda torch, b: b.as_strided((3, 3), (1, 1)).fill_(7),
    "overlapping_out": lambda torch, b: torch.exp(
        b[:9].view(3, 3), out=b.as_strided((3, 3), (1, 1))
    ),
    "empty": lambda torch, b: torch.exp(b[3:3], out=b[3:3]),
    "empty_in_between": lambda torch, b: torch.exp(b[5:5], out=b[0:0]),
    "other_dtype": lambda torch, b: b.view(torch.int32)[:12].add_(b.view(torch.int32)[12:]),
    "wider_input": lambda torch, b: torch.add(b.view(torch.float64)[:3], 0, out=b[5:8]),
    "wider_input_apart": lambda torch, b: torch.add(b.view(torch.float64)[:3], 0, out=b[6:9]),
    "wider_output": lambda torch, b: torch.add(b[5:8], 0, out=b.view(torch.float64)[:3]),
    "wider_output_apart": lambda torch, b: torch.add(b[6:9], 0, out=b.view(torch.float64)[:3]),
    "cumsum_into_itself": lambda torch, b: torch.cumsum(b, 0, out=b),
    "gather_itself": lambda torch, b: torch.gather(b, 0, torch.arange(24), out=b),
    "gather_part": lambda torch, b: torch.gather(b[:12], 0, torch.arange(12), out=b[6:18]),
    "gather_apart": lambda torch, b: torch.gather(b[:12], 0, torch.arange(12), out=b[12:]),
    "index_select_part": lambda torch, b: torch.index_select(
        b[:12], 0, torch.arange(12), out=b[6:18]
    ),
    "index_select_apart": lambda torch, b: torch.index_select(
        b[:12], 0, torch.arange(12), out=b[12:]
    ),
    "scatter_itself": lambda torch, b: b.scatter_(0, torch.arange(24), b),
    "scatter_part": lambda torch, b: b[:12].scatter_(0, torch.arange(12), b[6:18]),
    "index_add_itself": lambda torch, b: b.index_add_(0, torch.arange(24), b),
    "index_copy_part": lambda torch, b: b[:12].index_copy_(0, torch.arange(12), b[6:18]),
    "masked_fill_expanded": lambda torch, b: (
        b[:1].expand(3).masked_fill_(torch.tensor([True] * 3), 1.0)
    ),
    "cat_into_itself": lambda torch, b: torch.cat([b[:12], b[12:]], out=b),
    "cat_into_part": lambda torch, b: torch.cat([b[:4], b[4:8]], out=b[2:10]),
    "copy_itself": lambda torch, b: b.copy_(b),
    "copy_shifted": lambda torch, b: b[1:].copy_(b[:-1]),
    "addcmul_out": lambda torch, b: torch.addcmul(b[:8], b[8:16], b[16:], out=b[4:12]),
    "sort_into_itself": lambda torch, b: torch.take(b, torch.arange(24), out=b),
}


@pytest.mark.parametrize("case", OVERLAPS)
def test_an_output_that_shares_memory(case):
    compare(lambda torch: written(torch, OVERLAPS[case]))


@like_pytorch
def test_a_product_into_its_operand_is_not_refused(torch):
    x = torch.ones(4, 4)
    return torch.mm(x, x, out=x).shape  # what it writes depends on the library of matrix products


@pytest.mark.parametrize("shape", [(2, 1), (1, 2), (2, 2)])
@pytest.mark.parametrize("strides", [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1)])
def test_outputs_that_show_an_element_twice(shape, strides):
    compare(lambda torch: written(torch, lambda torch, b: b.as_strided(shape, strides).add_(1)))


@like_pytorch
def test_one_element_with_a_stride_of_zero_does_not_overlap_itself(torch):
    x = torch.ones(3)
    one = x.as_strided((1,), (0,))
    one.add_(1)
    x.as_strided((1, 2), (0, 1)).mul_(3)
    return x, torch.exp(x, out=torch.zeros(3).as_strided((1, 3), (0, 1))[0])


@like_pytorch
def test_empty_parts_of_one_memory_do_not_overlap(torch):
    x = torch.arange(4.0)
    torch.exp(x[1:1], out=x[0:0])
    x[2:2].add_(x[1:1])
    torch.add(x[0:0], x[3:3], out=x[1:1])
    return x
