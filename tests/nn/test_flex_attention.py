"""Attention with changed scores, and scans of associative functions."""

import importlib

import pytest

from tests.both import compare

pytestmark = pytest.mark.filterwarnings("ignore")


def flex(torch):
    return importlib.import_module(f"{torch.__name__}.nn.attention.flex_attention")


def causal(b, h, q, k):
    return q + 2 >= k


def inputs(torch, heads=4):
    torch.manual_seed(0)
    return torch.randn(2, 4, 6, 8), torch.randn(2, heads, 9, 8), torch.randn(2, heads, 9, 5)


def slopes(torch):
    bias = torch.arange(4.0)
    return lambda score, b, h, q, k: score + bias[h] * (q - k)


CALLS = {
    "plain": lambda torch, f: f.flex_attention(*inputs(torch)),
    "scale": lambda torch, f: f.flex_attention(*inputs(torch), scale=0.3),
    "scores": lambda torch, f: f.flex_attention(*inputs(torch), slopes(torch)),
    "groups": lambda torch, f: f.flex_attention(*inputs(torch, 2), slopes(torch), enable_gqa=True),
    "other heads": lambda torch, f: f.flex_attention(*inputs(torch, 2)),
    "three dimensions": lambda torch, f: f.flex_attention(*(x[0] for x in inputs(torch))),
    "mask": lambda torch, f: f.flex_attention(
        *inputs(torch), block_mask=f.create_block_mask(causal, 2, None, 6, 9, device="cpu")
    ),
    "nothing": lambda torch, f: f.flex_attention(
        *inputs(torch),
        block_mask=f.create_block_mask(lambda b, h, q, k: q > 3, 1, 1, 6, 9, device="cpu"),
    ),
}


@pytest.mark.parametrize("case", CALLS)
def test_attention(case):
    def program(torch):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return CALLS[case](torch, flex(torch)).contiguous()

    compare(program)


def test_masks():
    def program(torch):
        f = flex(torch)
        mask = f.and_masks(causal, f.or_masks(lambda b, h, q, k: k > h, f.noop_mask))
        block = f.create_block_mask(mask, 2, 3, 70, 50, device="cpu", BLOCK_SIZE=16)
        return (
            f.create_mask(mask, 2, 3, 5, 4, device="cpu"),
            *(block.to_dense(), block.kv_num_blocks, block.full_kv_num_blocks),
            *(block.sparsity(), block.shape, block.numel(), block.BLOCK_SIZE),
        )

    compare(program)


def test_a_gradient_goes_through_the_scores():
    import minitorch

    f = flex(minitorch)
    q, k, v = (x.double().requires_grad_() for x in inputs(minitorch))
    f.flex_attention(q, k, v).sum().backward()
    mine = q.grad.clone()
    q.grad = None
    minitorch.nn.functional.scaled_dot_product_attention(q, k, v).sum().backward()
    assert minitorch.allclose(mine, q.grad, atol=1e-5)


@pytest.mark.parametrize("length", [1, 2, 3, 8, 13])
@pytest.mark.parametrize("reverse", [False, True])
def test_associative_scan(length, reverse):
    def program(torch):
        name = f"{torch.__name__}._higher_order_ops.associative_scan"
        scan = importlib.import_module(name).associative_scan
        torch.manual_seed(0)
        x = torch.rand(2, length, 3)
        both = scan(
            lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]),
            (x, x + 1),
            1,
            reverse=reverse,
            combine_mode="generic",
        )
        return [part.contiguous() for part in both]

    compare(program)
