"""Layers over windows and sequences raise PyTorch's errors for bad arguments."""

import pytest

from tests.both import compare

MISTAKES = """
F.max_pool1d(x(1, 1, 3), ())
F.max_pool1d(x(1, 1, 3), (2, 2))
F.max_pool1d(x(1, 1, 3), 2, stride=(1, 1))
F.max_pool1d(x(1, 1, 3), 2, padding=(1, 1))
F.max_pool1d(x(1, 1, 3), 2, dilation=(1, 1))
F.max_pool1d(x(1, 1, 3), (2, 2), return_indices=True)
F.avg_pool1d(x(1, 1, 3), ())
F.avg_pool1d(x(1, 1, 3), 2, stride=(1, 1))
F.fold(x(1, 12, 12), (4,), (2, 2))
F.fold(x(1, 12, 12), (4, 5), (2, 2), stride=(1, 1, 1))
F.unfold(x(1, 2, 4, 4), (2, 2, 2))
F.max_unpool2d(x(2, 2), zeros(2, 2), 2)
F.max_unpool1d(x(1, 1, 2), zeros(1, 2), 2)
F.max_unpool1d(x(1, 1, 2), zeros(1, 1, 2) + 4, 2)
F.max_unpool2d(x(1, 0, 2), zeros(1, 0, 2), 2)
F.max_unpool2d(x(0, 1, 2, 2), zeros(0, 1, 2, 2), 2)
F.max_unpool3d(x(1, 2, 2), zeros(1, 2, 2), 2)
F.max_unpool3d(x(1, 2, 2, 2), zeros(1, 2, 2, 2), 2, stride=0)
F.fractional_max_pool2d(x(1, 3, 3), 2, output_ratio=0.5)
F.fractional_max_pool2d(x(3, 3), 2, output_size=2)
F.fractional_max_pool2d(x(0, 4, 4), 2, output_size=2)
F.fractional_max_pool3d(x(0, 0, 4, 4), 2, output_size=2)
F.fractional_max_pool2d(x(3), 2, output_size=2)
F.fractional_max_pool2d(x(3), 2, output_ratio=0.5)
F.fractional_max_pool2d(x(), 2, output_ratio=0.5)
F.fractional_max_pool3d(x(3), 2, output_ratio=0.5)
F.fractional_max_pool3d(x(), 2, output_size=2)
F.ctc_loss(x(3), zeros(2), (2,), (1,))
F.ctc_loss(x(1, 1, 2, 2), zeros(2), (2,), (1,))
F.fractional_max_pool2d(x(1, 0, 3, 3), 2, output_size=2)
F.fractional_max_pool2d(x(1, 1, 3, 3), (2,), output_size=2)
F.fractional_max_pool2d(x(1, 1, 3, 3), 2, output_size=(2,))
F.fractional_max_pool2d(x(1, 3, 3), 2, output_size=2, _random_samples=x(1, 1, 3))
F.fractional_max_pool2d(x(1, 3, 3), 2, output_size=2, _random_samples=x(1, 2, 2))
F.fractional_max_pool2d(x(2, 1, 3, 3), 2, output_size=2, _random_samples=x(1, 1, 2))
F.fractional_max_pool2d(x(1, 3, 3), 2, output_size=2, _random_samples=x(1, 2))
F.fractional_max_pool2d(x(1, 3, 3), 2, output_size=2, _random_samples=x(1, 1, 2).double())
F.fractional_max_pool3d(x(1, 3, 3, 3), 4, output_size=2)
F.fractional_max_pool3d(x(1, 3, 3, 3), (1, 1), output_size=2)
F.interpolate(x(1, 0, 3), size=2)
F.interpolate(x(1, 0, 3, 3), size=2, mode="bicubic")
F.interpolate(x(1, 0, 3, 3, 3), size=2, mode="trilinear")
F.conv2d(x(1, 2, 3, 3), x(2, 2, 2, 2), dilation=0)
F.conv1d(x(1, 2, 3), x(2, 2, 2), dilation=0)
F.conv_transpose1d(x(1, 2, 3), x(2, 2, 2), dilation=0)
F.conv_transpose3d(x(1, 2, 3, 3, 3), x(2, 2, 2, 2, 2), dilation=(1, 0, 1))
F.conv_transpose1d(x(1, 2, 3), x(2, 2, 2), padding=9)
F.conv_tbc(x(3, 1, 2), x(2, 3, 2), x(2))
F.conv_tbc(x(3, 1, 2), x(2, 2, 2), x(3))
F.ctc_loss(x(5, 2, 3), zeros(1, 2, 2), (5, 5), (2, 2))
F.ctc_loss(x(5, 2, 3), zeros(3, 2), (5, 5), (2, 2))
F.ctc_loss(x(5, 2, 3), zeros(2, 2), torch.tensor([5.0, 5.0]), torch.tensor([2, 2]))
F.ctc_loss(x(0, 2, 3), zeros(2, 2), (0, 0), (2, 2))
F.multilabel_margin_loss(x(2, 3), zeros(2, 3) + 3)
F.binary_cross_entropy(x(3, 2), x(3, 2), weight=x(3))
F.rrelu(x(2), float("nan"), 0.2, True)
F.rrelu(x(2), 0.1, float("inf"), True)
torch.nn.RNN(2, 3)(x(0, 2, 2))
torch.nn.LazyLinear(3).share_memory()
torch.nn.InstanceNorm1d(3).load_state_dict({"running_mean": x(3), "running_var": x(3)})
"""


@pytest.mark.parametrize("expression", MISTAKES.strip().splitlines())
def test_a_mistake_is_refused_as_in_pytorch(expression):
    def program(torch):
        known = {"torch": torch, "F": torch.nn.functional, "x": torch.ones}
        known["zeros"] = lambda *shape: torch.zeros(shape, dtype=torch.int64)
        return eval(expression, known)

    compare(program)


INNER = """
torch._convolution(x, w, None, [1], [0], [1], False, [0], 1, False, False, True, False)
torch._convolution_mode(x, w, None, [1], "same", [2], 1)
torch._scaled_dot_product_attention_math(q, q, q, is_causal=True, scale=2.0)
torch.ops.aten._scaled_dot_product_attention_math(q, q, q, q.new_ones(2, 2, dtype=torch.bool))
torch._fused_sdp_choice(q, q, q)
torch._fused_sdp_choice(q, q, q, dropout_p=0.5)
torch._fused_sdp_choice(q[0], q[0], q[0])
torch._fused_sdp_choice(q, q, q[..., :2])
torch._fused_sdp_choice(q, q, q, torch.ones(2, 2, requires_grad=True))
torch.nn.functional.scaled_dot_product_attention(q[..., :0], q[..., :0], q)
"""


@pytest.mark.parametrize("expression", INNER.strip().splitlines())
def test_what_layers_are_made_of(expression):
    def program(torch):
        known = {"torch": torch, "x": torch.arange(6.0).view(1, 2, 3), "w": torch.ones(2, 2, 2)}
        known["q"] = torch.arange(12.0).view(1, 2, 2, 3).sin()
        return eval(expression, known)

    compare(program)


def test_math_alone_is_chosen_inside_of_its_context():
    def program(torch):
        attention = torch.nn.attention
        q = torch.ones(1, 2, 2, 3)
        with attention.sdpa_kernel(attention.SDPBackend.MATH):
            return torch._fused_sdp_choice(q, q, q)

    compare(program)


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("lead", [(2, 0), (0, 2), (0, 0), (2, 2), (2,)])
@pytest.mark.parametrize("last", [0, 3])
def test_convolutions_of_no_images_no_channels_and_no_elements(dims, lead, last):
    def program(torch):
        x = torch.ones(*lead, *(3,) * (dims - 1), last, requires_grad=True)
        weight = torch.ones(4, lead[-1], *(2,) * dims, requires_grad=True)
        bias = torch.ones(4, requires_grad=True)
        convolution = getattr(torch.nn.functional, f"conv{dims}d")
        y = convolution(x, weight, bias, padding=1)
        y.sum().backward()
        return y, x.grad, weight.grad, bias.grad

    compare(program)
