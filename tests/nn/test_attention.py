"""Attention and the transformer against PyTorch's."""

import importlib

import pytest

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.both import compare  # noqa: E402
from tests.nn.differential import errors, real, run  # noqa: E402

SCOPE = {
    "q": lambda t: real(t, 3, 2, 4),
    "k": lambda t: real(t, 5, 2, 4),
    "v": lambda t: real(t, 5, 2, 6),
    "mask": lambda t: t.tensor([[False, True, False, False, False]] * 3),
    "bias": lambda t: real(t, 4, 3, 5, grad=False),
    "padding": lambda t: t.tensor([[False] * 4 + [True], [False] * 3 + [True] * 2]),
}
CALLS = [
    ("nn.MultiheadAttention(4, 2)", "m(q, k, k)"),
    ("nn.MultiheadAttention(4, 2)", "m(q, q, q, need_weights=False)"),
    ("nn.MultiheadAttention(4, 2, bias=False)", "m(q, k, k, attn_mask=mask)"),
    ("nn.MultiheadAttention(4, 2)", "m(q, k, k, attn_mask=bias, average_attn_weights=False)"),
    ("nn.MultiheadAttention(4, 2)", "m(q, k, k, key_padding_mask=padding, need_weights=False)"),
    ("nn.MultiheadAttention(4, 2, add_bias_kv=True, add_zero_attn=True)",
     "m(q, k, k, key_padding_mask=padding, attn_mask=mask)"),
    ("nn.MultiheadAttention(4, 2, vdim=6)", "m(q, k, v)"),
    ("nn.MultiheadAttention(4, 2, batch_first=True)", "m(q, q, q)"),
    ("nn.MultiheadAttention(4, 2)", "m(q[:, 0], k[:, 0], k[:, 0])"),
    ("nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0)", "m(q)"),
    ("nn.TransformerEncoderLayer(4, 2, 8, 0.0, 'gelu', norm_first=True, bias=False)", "m(q)"),
    ("nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, 0.0), 2, nn.LayerNorm(4))",
     "m(k, src_key_padding_mask=padding)"),
    ("nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0)", "m(q, k, memory_mask=mask)"),
    ("nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 8, 0.0, norm_first=True), 2)",
     "m(q, k, memory_key_padding_mask=padding)"),
    ("nn.Transformer(4, 2, 1, 1, 8, 0.0)",
     "m(k, q, tgt_mask=nn.Transformer.generate_square_subsequent_mask(3).double())"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "call"), CALLS)
def test_outputs_weights_and_gradients_are_pytorchs(make, call):
    run(SCOPE, make, call)


def test_without_gradients_the_output_at_padding_is_zero():
    layer = "nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)"
    call = "torch.no_grad()(m)(k.transpose(0, 1), src_key_padding_mask=padding)"
    run(SCOPE, f"nn.TransformerEncoder({layer}, 2).eval()", call)


ERRORS = [
    "nn.MultiheadAttention(4, 3)",
    "nn.MultiheadAttention(0, 1)",
    "nn.MultiheadAttention(4, 2)(*[torch.zeros(4)] * 3)",
    "nn.MultiheadAttention(4, 2)(torch.zeros(2, 4), *[torch.zeros(2, 1, 4)] * 2)",
    "nn.MultiheadAttention(4, 2)(*[torch.zeros(2, 1, 3)] * 3)",
    "nn.MultiheadAttention(4, 2)(*[torch.zeros(2, 1, 4)] * 3, attn_mask=torch.zeros(3, 3))",
    "nn.MultiheadAttention(4, 2)(*[torch.zeros(2, 1, 4)] * 3, attn_mask=torch.zeros(3, 3, 3))",
    "nn.MultiheadAttention(4, 2)(*[torch.zeros(2, 1, 4)] * 3, is_causal=True)",
    "nn.MultiheadAttention(4, 2)(*[torch.zeros(2, 1, 4)] * 3, key_padding_mask=torch.zeros(2))",
    "nn.TransformerEncoderLayer(4, 2, activation='foo')",
    "nn.Transformer(4, 2, 1, 1, 8)(torch.zeros(2, 1, 4), torch.zeros(2, 2, 4))",
    "nn.Transformer(4, 2, 1, 1, 8)(torch.zeros(2, 1, 3), torch.zeros(2, 1, 4))",
]


@pytest.mark.parametrize("text", ERRORS)
def test_errors_are_pytorchs(text):
    theirs, ours = errors(text)
    assert ours == theirs


def test_a_causal_bias_is_a_mask_known_by_its_shape():
    def program(torch):
        bias = importlib.import_module(f"{torch.__name__}.nn.attention.bias")
        q, k = torch.arange(24.0).view(1, 2, 3, 4) / 24, torch.arange(40.0).view(1, 2, 5, 4) / 40
        masks = bias.causal_lower_right(3, 5), bias.causal_upper_left(3, 5)
        attend = torch.nn.functional.scaled_dot_product_attention
        bias.causal_lower_right(5, 3)  # warns
        return [
            (attend(q, k, k, m), attend(q, k, k, attn_mask=m, scale=0.3), repr(m)) for m in masks
        ]

    compare(program, tolerance=1e-5)


def test_a_causal_bias_and_is_causal_exclude_each_other():
    def program(torch):
        bias = importlib.import_module(f"{torch.__name__}.nn.attention.bias")
        x = torch.ones(1, 1, 2, 2)
        mask = bias.causal_upper_left(2, 2)
        torch.nn.functional.scaled_dot_product_attention(x, x, x, mask, is_causal=True)

    compare(program)


def test_the_ways_to_compute_attention_are_restored():
    def program(torch):
        attention = torch.nn.attention

        def allowed():
            return sorted(map(str, attention._cur_sdpa_kernel_backends()))

        with attention.sdpa_kernel(attention.SDPBackend.MATH):
            inside = allowed()
        with torch.backends.cuda.sdp_kernel(enable_flash=False):
            without = allowed()
        return inside, without, allowed()

    compare(program)


def test_the_order_of_preference_is_restored():
    def program(torch):
        attention = torch.nn.attention

        def preferred():
            return list(map(str, attention._cur_sdpa_kernel_backends(with_priority=True)))

        ways = [attention.SDPBackend.MATH, attention.SDPBackend.EFFICIENT_ATTENTION]
        with attention.sdpa_kernel(ways, set_priority=True):
            inside = preferred()
        return inside, preferred()

    compare(program)


def test_attention_without_a_way_that_is_allowed():
    def program(torch):
        x = torch.ones(1, 1, 2, 2)
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.CUDNN_ATTENTION):
            torch.nn.functional.scaled_dot_product_attention(x, x, x)

    compare(program)


def test_attention_is_refused_between_devices():
    def program(torch):
        x = torch.ones(1, 2, 2)
        torch.nn.functional.scaled_dot_product_attention(x.to("meta"), x, x)

    compare(program)


def test_a_causal_bias_has_the_shape_that_its_arguments_make():
    def program(torch):
        bias = importlib.import_module(f"{torch.__name__}.nn.attention.bias")
        return [bias.causal_upper_left(3, 4).shape, bias.causal_lower_right(3, 4).shape]

    compare(program)


def test_implementations_of_flash_attention_are_put_in_place_and_taken_away():
    def program(torch):
        attention, told = torch.nn.attention, []

        class Handle:
            def remove(self):
                told.append("removed")

        attention.register_flash_attention_impl("own", register_fn=Handle)
        attention.activate_flash_attention_impl("own")
        told.append(attention.current_flash_attention_impl())
        attention.restore_flash_attention_impl()
        return told, "own" in attention.list_flash_attention_impls()

    compare(program)
