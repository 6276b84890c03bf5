"""Attention as the one operator that PyTorch has for it on the CPU."""

import math

import pytest

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

import minitorch  # noqa: E402
from tests.both import compare, like_pytorch, logging_mode  # noqa: E402


def _heads(torch, *sizes, dtype=None, beside=False):
    """Heads one after the other, or `beside` each other as behind a linear layer."""
    b, h, n, e = sizes
    count = b * h * n * e
    t = torch.sin(torch.arange(float(count)) * 1.7 + n).to(dtype or torch.float32)
    return t.reshape(b, n, h, e).transpose(1, 2) if beside else t.reshape(sizes)


MASKS = {
    "none": lambda torch: {},
    "causal": lambda torch: {"is_causal": True, "scale": 0.3},
    "added": lambda torch: {"attn_mask": _heads(torch, 1, 4, 1, 70)},
    "of two dimensions": lambda torch: {"attn_mask": torch.arange(67.0).reshape(67, 1).sin()},
    "boolean": lambda torch: {"attn_mask": torch.arange(67 * 70).reshape(67, 70) % 3 == 0},
    "that leaves nothing": lambda torch: {"attn_mask": torch.zeros(67, 70, dtype=torch.bool)},
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("groups", [4, 2])
@pytest.mark.parametrize("mask", MASKS)
def test_values_and_gradients(mask, groups, dtype):
    def program(torch):
        kind = getattr(torch, dtype)
        q = _heads(torch, 2, 4, 67, 8, dtype=kind, beside=True).requires_grad_()
        k = _heads(torch, 2, groups, 70, 8, dtype=kind).requires_grad_()
        v = _heads(torch, 2, groups, 70, 8, dtype=kind, beside=True).requires_grad_()
        options = MASKS[mask](torch)
        if dtype == "float64" and "attn_mask" in options:
            bias = options["attn_mask"]
            options["attn_mask"] = bias if bias.dtype == torch.bool else bias.to(kind)
        function = torch.nn.functional.scaled_dot_product_attention
        out = function(q, k, v, enable_gqa=groups != 4, **options)
        grads = torch.autograd.grad((out * out.detach().cos()).sum(), (q, k, v))
        node = out.grad_fn
        return out, grads, node.name(), node._saved_logsumexp, node._saved_scale

    compare(program, tolerance=2e-5)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_sixteen_bits(dtype):
    def program(torch):
        heads = [_heads(torch, 1, 2, n, 8, dtype=getattr(torch, dtype)) for n in (5, 6, 6)]
        out, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(*heads)
        return out, lse

    compare(program, tolerance=1e-2)


@like_pytorch(tolerance=1e-5)
def test_the_derivative_is_an_operator(torch):
    forward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
    q, k, v = (_heads(torch, 2, 3, n, 4) for n in (5, 6, 6))
    out, lse = forward(q, k, v, 0.0, True)
    backward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward
    return out, lse, backward(out, q, k, v, out, lse, 0.0, True)


BAD = {
    "dimensions": lambda torch, one: [one[0]] * 3,
    "head sizes": lambda torch, one: [one, one, one[..., :2]],
    "dropout": lambda torch, one: [one, one, one, 0.5],
    "dtypes": lambda torch, one: [one, one, one.double()],
    "integers": lambda torch, one: [one.int()] * 3,
    "a mask of three dimensions": lambda torch, one: [one, one, one, torch.zeros(1, 3, 3)],
    "a boolean mask": lambda torch, one: [one, one, one, torch.ones(3, 3, dtype=torch.bool)],
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case):
    def program(torch):
        q, k, v, *rest = BAD[case](torch, torch.ones(1, 2, 3, 4))
        options = {"attn_mask": rest.pop()} if rest and isinstance(rest[0], torch.Tensor) else {}
        torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, *rest, **options)

    compare(program)


CORNERS = {
    "a mask beside the causal one": [(2, 4, 3, 5), (2, 4, 6, 5), (2, 4, 6, 5), (3, 6)],
    "the same of three dimensions": [(2, 3, 5), (2, 6, 5), (2, 6, 5), (3, 6)],
    "no queries": [(2, 1, 0, 5), (2, 1, 3, 5), (2, 1, 3, 5), None],
    "no values": [(2, 2, 3, 4), (2, 2, 0, 4), (2, 2, 0, 5), None],
    "no heads": [(2, 0, 3, 4), (2, 0, 3, 4), (2, 0, 3, 4), (7, 9)],
    "keys of no size": [(2, 3, 0), (2, 4, 0), (2, 4, 5), None],
    "heads that do not divide": [(1, 2, 3, 4), (1, 3, 3, 4), (1, 3, 3, 4), None],
    "a mask larger than the scores": [(2, 1, 3), (2, 4, 3), (2, 4, 3), (2, 4)],
}


@pytest.mark.parametrize("options", [{"is_causal": True}, {"enable_gqa": True}, {}])
@pytest.mark.parametrize("case", CORNERS)
def test_corners(case, options):
    def program(torch):
        *sizes, mask = CORNERS[case]
        q, k, v = (torch.linspace(-1, 1, math.prod(n)).reshape(n).requires_grad_() for n in sizes)
        mask = None if mask is None else torch.linspace(-1, 1, math.prod(mask)).reshape(mask)
        out = torch.nn.functional.scaled_dot_product_attention(q, k, v, mask, **options)
        out.sum().backward()
        return out, q.grad, k.grad, v.grad

    compare(program)


@like_pytorch
def test_which_way_is_taken(torch):
    t = torch.ones(2, 2, 3, 4)
    wide = torch.ones(2, 2, 3, 1).expand(2, 2, 3, 4)
    masks = [torch.ones(3, 3).double(), torch.ones(3, 1), torch.ones(3, 3).t()]
    ways = [
        torch._fused_sdp_choice(*a) for a in ((wide, t, t), (t, wide, t), (t[:0], t[:0], t[:0]))
    ]
    ways += [torch._fused_sdp_choice(t, t, t, mask) for mask in masks]
    double = torch.nn.functional.scaled_dot_product_attention(
        *[t.double()] * 3, attn_mask=torch.eye(3)
    )
    return ways, double


@like_pytorch
def test_the_second_derivative_is_refused(torch):
    q = _heads(torch, 1, 1, 2, 2).requires_grad_()
    out = torch.nn.functional.scaled_dot_product_attention(q, q, q)
    (grad,) = torch.autograd.grad(out.sum(), q, create_graph=True)
    grad.sum().backward()


@like_pytorch
def test_modes_see_the_operators(torch):
    q = _heads(torch, 1, 2, 3, 4).requires_grad_()
    seen = torch.ones(3, 3, dtype=torch.bool).tril()
    with logging_mode(torch) as mode:
        torch.nn.functional.scaled_dot_product_attention(q, q, q, attn_mask=seen).sum().backward()
    return mode.log, q.grad


def test_results_of_another_call_are_refused():
    one = minitorch.ones(1, 2, 3, 4)
    out, lse = minitorch.ops.aten._scaled_dot_product_flash_attention_for_cpu(one, one, one)
    backward = minitorch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward
    with pytest.raises(RuntimeError, match="not that of the output"):
        backward(out[:, :1], one, one, one, out, lse, 0.0, False)
    with pytest.raises(RuntimeError, match="not those of the query"):
        backward(out, one, one, one, out, lse[..., :2], 0.0, False)
    with pytest.raises(RuntimeError, match="not those of the query"):
        backward(out, one, one, one, out, lse.double(), 0.0, False)
