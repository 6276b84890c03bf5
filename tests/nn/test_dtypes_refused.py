"""Dtypes without a kernel in PyTorch raise an error that names the kernel."""

import pytest

from tests.both import compare

CALLS = {
    "rms_norm": lambda torch, x: torch.nn.functional.rms_norm(x.view(2, 3), (3,)),
    "unfold": lambda torch, x: torch.nn.functional.unfold(x.view(1, 1, 2, 3), (1, 2)),
    "rrelu": lambda torch, x: torch.nn.functional.rrelu(x, training=True) > 99,
    "nearest": lambda torch, x: torch.nn.functional.interpolate(x.view(1, 1, 6), 3),
    "linear": lambda torch, x: torch.nn.functional.interpolate(x.view(1, 1, 6), 3, mode="linear"),
    "bicubic": lambda torch, x: torch.nn.functional.interpolate(
        x.view(1, 1, 2, 3), 3, mode="bicubic"
    ),
    "unpooled": lambda torch, x: torch.nn.functional.max_unpool1d(
        x.view(1, 1, 6), torch.arange(0, 12, 2).view(1, 1, 6), 2
    ),
    "unpooled in space": lambda torch, x: torch.nn.functional.max_unpool3d(
        x.view(1, 1, 6, 1, 1), torch.arange(0, 12, 2).view(1, 1, 6, 1, 1), (2, 1, 1)
    ),
    "margins": lambda torch, x: torch.nn.functional.multi_margin_loss(
        x.view(2, 3), torch.tensor([0, 1])
    ),
    "labels": lambda torch, x: torch.nn.functional.multilabel_margin_loss(
        x.view(2, 3), torch.tensor([[0, 1, -1]] * 2)
    ),
    "windows with gaps": lambda torch, x: torch.conv1d(
        x.view(1, 1, 6), x[:2].view(1, 1, 2), dilation=[2]
    ),
    "polar": lambda torch, x: torch.polar(x, x),
    "vander": lambda torch, x: torch.linalg.vander(x),
    "nll of gaussians": lambda torch, x: torch.nn.functional.gaussian_nll_loss(x, x, x + 1),
    "bilinear": lambda torch, x: torch.nn.functional.bilinear(x, x, x.new_ones(1, 6, 6)),
    "soft margins": lambda torch, x: torch.nn.functional.soft_margin_loss(x, x),
    "pooled to nothing": lambda torch, x: torch.nn.functional.adaptive_avg_pool1d(
        x.view(1, 6), [0]
    ),
    "pooled to less": lambda torch, x: torch.nn.functional.adaptive_avg_pool1d(x.view(1, 6), [-1]),
}
DTYPES = "bool uint8 int16 int64 float16 float32 complex64".split()


# refused there too, by the name of another kernel
OTHER_KERNEL = {("windows with gaps", "bool"), ("bilinear", "bool")}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("call", CALLS)
def test_a_dtype_is_taken_or_refused(call, dtype):
    if (call, dtype) in OTHER_KERNEL:
        pytest.skip("the name of the kernel is another one")

    def program(torch):
        x = torch.tensor([1.0, 2.0, 3.0, 1.0, 2.0, 3.0]).to(getattr(torch, dtype))
        return CALLS[call](torch, x)

    compare(program, tolerance=1e-3)


@pytest.mark.parametrize("name", ["bilinear", "soft margins", "polar"])
def test_no_gradient_of_complex_numbers(name):
    def program(torch):
        x = torch.ones(6, dtype=torch.complex64, requires_grad=True)
        CALLS[name](torch, x)

    compare(program)


@pytest.mark.parametrize("bits", ["float32", "int64"])
@pytest.mark.parametrize(
    "name", ["gelu", "softplus", "softshrink", "logsigmoid", "avg_pool2d", "avg_pool3d"]
)
@pytest.mark.parametrize("shape", [(0,), (1, 2, 2, 2), (3,)])
def test_out(name, bits, shape):
    def program(torch):
        x = torch.arange(16.0).view(1, 2, 2, 2, 2) / 8
        x = x.squeeze(0) if name == "avg_pool2d" else x
        args = (2,) if "pool" in name else ()
        out = torch.empty(shape, dtype=getattr(torch, bits))
        result = getattr(torch.nn.functional, name)(x, *args, out=out)
        return result is out, out

    compare(program, tolerance=1e-5)
