"""`interpolate`, `unfold` and `fold` as single operators: nodes, memory formats, mistakes; PyTorch is the oracle."""

import pytest

from tests.both import compare, like_pytorch

MODES = [
    ("nearest", 1),
    ("nearest", 2),
    ("nearest", 3),
    ("nearest-exact", 1),
    ("nearest-exact", 2),
    ("linear", 1),
    ("bilinear", 2),
    ("trilinear", 3),
    ("bicubic", 2),
]


def image(torch, dims, dtype=None):
    size = (2, 3, *(4, 5, 3)[:dims])
    count = torch.Size(size).numel()
    return torch.arange(float(count)).mul(0.37).sin().view(size).to(dtype or torch.float64)


@pytest.mark.parametrize(("mode", "dims"), MODES)
@pytest.mark.parametrize("last", [False, True])
def test_the_node_the_gradient_and_the_layout(mode, dims, last):
    def program(torch):
        x = image(torch, dims)
        if last and dims > 1:
            formats = {2: torch.channels_last, 3: torch.channels_last_3d}
            x = x.to(memory_format=formats[dims])
        x.requires_grad_()
        y = torch.nn.functional.interpolate(x, scale_factor=1.7, mode=mode)
        node = y.grad_fn
        saved = [
            (name, getattr(node, name)) for name in sorted(dir(node)) if name.startswith("_saved_")
        ]
        (first,) = torch.autograd.grad(y.pow(2).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.pow(2).sum(), x)
        return y, y.stride(), node.name(), saved, first.detach(), first.stride(), second

    compare(program)


@pytest.mark.parametrize(("mode", "dims"), MODES)
@pytest.mark.parametrize(
    ("size", "to"), [(None, 0), ((2, 3, 0), 2), ((2, 0, 4), 2), ((0, 3, 4), 2)]
)
def test_empty_images(mode, dims, size, to):
    def program(torch):
        x = image(torch, dims) if size is None else torch.ones(*size[:2], *size[2:] * dims)
        return torch.nn.functional.interpolate(x, size=[to] * dims, mode=mode)

    compare(program)


@pytest.mark.parametrize(("mode", "dims"), MODES)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "uint8", "int32", "bool", "complex64"])
def test_dtypes(mode, dims, dtype):
    def program(torch):
        x = image(torch, dims).mul(100).abs().to(getattr(torch, dtype))
        y = torch.nn.functional.interpolate(x, scale_factor=2, mode=mode)
        return (str(y.dtype), y.shape) if "float16" in dtype else y

    compare(program)


@pytest.mark.parametrize(
    "mistake",
    [
        lambda aten, x: aten.upsample_bilinear2d(x, [2, 2, 2], True),
        lambda aten, x: aten.upsample_bilinear2d(x[0], [2, 2], True),
        lambda aten, x: aten.upsample_bilinear2d_backward(x, [4, 3], [2, 3, 6, 6], True),
        lambda aten, x: aten.upsample_nearest2d_backward(x, [4, 5], [2, 3, 6], None, None),
        lambda aten, x: aten.upsample_nearest2d_backward(x[0], [4, 5], [2, 3, 6, 6], None, None),
        lambda aten, x: aten.im2col(x, [2, 2, 2], [1, 1], [0, 0], [1, 1]),
        lambda aten, x: aten.im2col(x, [2, 2], [1, 1], [0, 0], [1]),
    ],
)
def test_sizes_that_do_not_go_together(mistake):
    def program(torch):
        return mistake(torch.ops.aten, image(torch, 2))

    compare(program)


@like_pytorch
def test_windows_as_columns_and_back(torch):
    x = image(torch, 2).requires_grad_()
    options = {"kernel_size": (2, 3), "dilation": (1, 2), "padding": (1, 2), "stride": (2, 1)}
    columns = torch.nn.functional.unfold(x, **options)
    back = torch.nn.functional.fold(columns * columns, (4, 5), **options)
    (gradient,) = torch.autograd.grad(back.pow(2).sum(), x)
    nodes = columns.grad_fn, back.grad_fn
    alone = torch.nn.functional.unfold(x[0], **options)
    numbers = torch.nn.functional.fold(torch.ones(1, 4, 4, dtype=torch.cfloat), 3, 2)
    return (
        *(columns.detach(), back.detach(), gradient, alone.detach(), numbers),
        *([node.name() for node in nodes], nodes[0]._saved_self_sym_argsize_minus_2),
        torch.nn.functional.unfold(torch.zeros(0, 1, 3, 3), 2).shape,
    )


@like_pytorch
def test_the_namespace_that_layers_are_made_of(torch):
    inner = torch._C._nn
    x = image(torch, 2)
    return (
        *(inner.gelu(x, approximate="tanh"), inner.avg_pool2d(x, 2), inner.linear(x, x[0, 0])),
        *(inner.upsample_nearest2d(x, [3, 3]), inner.upsample_bilinear2d(x, (2, 2), True)),
        inner.scaled_dot_product_attention(x, x, x),
    )
