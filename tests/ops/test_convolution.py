"""Convolutions and their derivatives against PyTorch."""

from functools import partial

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

import minitorch  # noqa: E402
from tests.ops.oracle import compare, outcome, sample, to_impl  # noqa: E402
from tests.probes.ops import vision as probe  # noqa: E402

aten = torch.ops.aten
TOLERANCE = {torch.float16: 2e-2, torch.float32: 5e-5, torch.complex64: 5e-5}


def check(name, *args, dtype=torch.float32, **kwargs):
    compare(
        partial(probe.call, name),
        getattr(aten, name),
        *args,
        case=name,
        tolerance=TOLERANCE.get(dtype, 1e-10),
        **kwargs,
    )


# input, weight, stride, padding, dilation, output padding, groups
PLAIN = [
    ((2, 4, 9), (6, 4, 3), [1], [0], [1], 1),
    ((2, 4, 9), (6, 2, 3), [2], [1], [2], 2),
    ((2, 4, 7, 8), (6, 4, 3, 3), [1], [0], [1], 1),
    ((2, 4, 7, 8), (6, 4, 3, 3), [2, 1], [1, 2], [1, 2], 1),
    ((2, 4, 7, 8), (4, 1, 3, 3), [1, 1], [1, 1], [1, 1], 4),
    ((1, 1, 5, 5), (1, 1, 1, 1), [1], [0], [1], 1),
    ((2, 4, 7, 8), (6, 2, 7, 8), [3], [0], [1], 2),
    ((2, 2, 4, 5, 6), (3, 2, 2, 3, 2), [1, 2, 1], [0, 1, 1], [1], 1),
    ((3, 1, 28, 28), (8, 1, 5, 5), [1], [2], [1], 1),
    ((0, 4, 7, 8), (6, 4, 3, 3), [1], [0], [1], 1),
]
TRANSPOSED = [
    ((2, 4, 9), (4, 6, 3), [1], [0], [1], [0], 1),
    ((2, 4, 9), (4, 3, 3), [3], [1], [2], [2], 2),
    ((2, 4, 7, 8), (4, 6, 3, 3), [1], [0], [1], [0], 1),
    ((2, 4, 5, 6), (4, 6, 3, 3), [2, 3], [1, 0], [1, 2], [1, 2], 1),
    ((2, 4, 5, 6), (4, 2, 3, 3), [2], [1], [1], [1], 4),
    ((2, 2, 3, 4, 5), (2, 3, 2, 3, 2), [2], [1], [1], [1], 1),
]


def cases():
    for x, w, stride, padding, dilation, groups in PLAIN:
        yield x, w, w[0], (stride, padding, dilation, False, [0], groups)
    for x, w, stride, padding, dilation, output_padding, groups in TRANSPOSED:
        yield x, w, w[1] * groups, (stride, padding, dilation, True, output_padding, groups)


CASES = [pytest.param(*case, id=f"{case[0]}-{case[1]}-{case[3]}") for case in cases()]


@pytest.mark.parametrize("x, w, outputs, rest", CASES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_convolution_and_its_derivative(x, w, outputs, rest, dtype):
    x, w, b = sample(x, dtype), sample(w, dtype, 1), sample((outputs,), dtype, 2)
    check("convolution", x, w, b, *rest, dtype=dtype)
    check("convolution", x, w, None, *rest, dtype=dtype)
    grad = sample(aten.convolution(x, w, None, *rest).shape, dtype, 3)
    for mask in ([True, True, True], [True, False, False], [False, True, False]):
        check("convolution_backward", grad, x, w, [outputs], *rest, mask, dtype=dtype)


@pytest.mark.parametrize(
    "dtype", [torch.float16, torch.int64, torch.complex64, torch.complex128], ids=str
)
def test_other_dtypes(dtype):
    for shapes in (((2, 4, 7, 8), (6, 4, 3, 3), False), ((2, 4, 5, 5), (4, 2, 3, 3), True)):
        x, w = sample(shapes[0], dtype), sample(shapes[1], dtype, 1)
        b = sample((6 if not shapes[2] else 2,), dtype, 2)
        rest = ([1], [1], [1], shapes[2], [0], 1)
        if (
            dtype.is_complex
        ):  # PyTorch takes complex numbers apart in the functions above convolution
            theirs = (
                torch.nn.functional.conv_transpose2d if shapes[2] else torch.nn.functional.conv2d
            )
            compare(
                partial(probe.call, "convolution"),
                lambda x, w, b, *_, f=theirs: f(x, w, b, padding=1),
                x,
                w,
                b,
                *rest,
                tolerance=TOLERANCE.get(dtype),
            )
            leaves = x.clone().requires_grad_(), w.clone().requires_grad_()
            y = theirs(*leaves, padding=1)
            grad = sample(y.shape, dtype, 3)
            expected = torch.autograd.grad(y, leaves, grad)
            compare(
                partial(probe.call, "convolution_backward"),
                lambda *args, e=expected: e + (None,),
                grad,
                x,
                w,
                None,
                *rest,
                [True, True, False],
                tolerance=TOLERANCE.get(dtype),
            )
        else:
            check("convolution", x, w, b, *rest, dtype=dtype)


@pytest.mark.parametrize("channels", [4, 1])
def test_memory_formats(channels):
    x, w = sample((2, channels, 7, 8)), sample((6, channels, 3, 3), seed=1)
    for a in (
        x,
        x.to(memory_format=torch.channels_last),
        x.transpose(2, 3).contiguous().transpose(2, 3),
    ):
        for b in (w, w.to(memory_format=torch.channels_last)):
            strides = channels > 1  # one channel: PyTorch's strides depend on the kernel it picks
            check("convolution", a, b, None, [1], [0], [1], False, [0], 1, strides=strides)
            grad = sample((2, 6, 5, 6), seed=2)
            check(
                "convolution_backward",
                grad,
                a,
                b,
                None,
                [1],
                [0],
                [1],
                False,
                [0],
                1,
                [True] * 3,
                strides=strides,
            )


def test_errors():
    x, w, b = sample((2, 4, 7, 8)), sample((6, 4, 3, 3)), sample((6,))
    plain = ([1], [0], [1], False, [0], 1)
    for args in (
        (x, w, b[:5], *plain),
        (x, w[:, :3], None, *plain),
        (x, w[:5, :2], None, [1], [0], [1], False, [0], 2),
        (x, w, b, [0, 1], [0], [1], False, [0], 1),
        (x, w, b, [1], [-1], [1], False, [0], 1),
        (x[:1], w, b, [1], [0], [0, 1], False, [0], 1),
        (x, w, b, [1, 1, 1], [0], [1], False, [0], 1),
        (x, w, b, [1], [0, 0, 0], [1], False, [0], 1),
        (x, w, b, [1], [0], [1], False, [0], 0),
        (x, w, b, [1], [0], [1], False, [0], 3),
        (x, w, b, [1], [0], [1], False, [0], 7),
        (x, sample((6, 4, 9, 9)), b, *plain),
        (x[0], w, b, *plain),
        (x[0, 0], w[0, 0], None, *plain),
        (x, w, b[:, None], *plain),
        (x, w.double(), b, *plain),
        (x.double(), w, b, *plain),
        (x, w[:0], b[:0], *plain),
        (x, w[:4], b, [1], [0], [1], True, [-1], 1),
        (x, w[:5], None, [1], [0], [1], True, [0], 1),
        (x, w[:4], b, [1], [0], [1], True, [0], 1),
        (x, w[:4], None, [2, 2], [0], [1], True, [2, 1], 1),
        (x[..., 0], w[:4, :, :, 0], None, [2], [0], [1], True, [2], 1),
    ):
        check("convolution", *args)
    compare(
        partial(probe.call, "convolution"),
        lambda x, w, b, *_: torch.nn.functional.conv2d(x, w, b),
        x,
        w,
        b.double(),
        *plain,
    )


def test_a_gradient_of_the_wrong_size_is_refused():
    x, w = to_impl(sample((2, 4, 7, 8))), to_impl(sample((6, 4, 3, 3)))
    for shape in ((2, 6, 5, 5), (1, 6, 5, 6), (2, 5, 5, 6), (2, 6, 5)):
        _, error, _ = outcome(
            lambda shape=shape: probe.call(
                "convolution_backward",
                to_impl(sample(shape)),
                x,
                w,
                None,
                [1],
                [0],
                [1],
                False,
                [0],
                1,
                [True] * 3,
            )
        )
        assert error[0] is RuntimeError


# size, kernel, padding, stride, dilation of one dimension: nearly all that is read is padding
FAR = {
    "stride": (5, 2, 2**61, 2**61, 1),
    "padding": (5, 1, 2**62 - 4, 2**62 - 3, 2),
    "dilation": (3, 3, 2**60, 1, 2**60),
    "both": (6, 3, 2**40 + 1, 2**39, 2**39),
    "no value": (3, 2, 2**33, 2**33 + 7, 3),
}


@pytest.mark.parametrize("channels", [1, 40])
@pytest.mark.parametrize("far", FAR)
def test_padding_that_is_not_read_takes_no_memory(far, channels):
    size, kernel, padding, stride, dilation = FAR[far]
    x, w = sample((2, channels, 3, size)), sample((16, channels, 2, kernel))
    for turned in (False, True):
        if turned:
            x, w = x.transpose(2, 3).contiguous(), w.transpose(2, 3).contiguous()
        geometry = [
            pair[::-1] if turned else pair for pair in ([1, stride], [0, padding], [1, dilation])
        ]
        check("convolution", x, w, None, *geometry, False, [0, 0], 1)


@pytest.mark.parametrize("channels", [1, 40])
@pytest.mark.parametrize("far", FAR)
def test_gradients_through_padding_that_is_not_read(far, channels):
    # PyTorch's gradient ends with a segmentation fault here; the same windows by index arithmetic
    size, kernel, padding, stride, dilation = FAR[far]
    x = sample((2, channels, size), torch.float64).requires_grad_()
    w = sample((16, channels, kernel), torch.float64).requires_grad_()
    count = (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1
    at = [[o * stride + t * dilation - padding for t in range(kernel)] for o in range(count)]
    padded = torch.cat([x, x.new_zeros(2, channels, 1)], 2)
    windows = padded[
        :, :, torch.tensor([[i if 0 <= i < size else size for i in row] for row in at])
    ]
    out = torch.einsum("ncok,rck->nro", windows, w)
    grad = sample(tuple(out.shape), torch.float64)
    expected = torch.autograd.grad(out, (x, w), grad)
    leaves = [minitorch.from_numpy(t.detach().numpy()).requires_grad_() for t in (x, w)]
    y = minitorch.nn.functional.conv1d(*leaves, stride=stride, padding=padding, dilation=dilation)
    found = minitorch.autograd.grad(y, leaves, minitorch.from_numpy(grad.numpy()))
    for ours, theirs in zip(found, expected, strict=True):
        torch.testing.assert_close(torch.from_numpy(ours.numpy()), theirs)
