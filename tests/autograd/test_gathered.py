"""Operators that are composed of several here and recorded as one node, as PyTorch has them."""

import pytest

import minitorch
from minitorch.autograd.functions.gathered import Result, one_node
from tests.both import compare, like_pytorch


def double(torch, *size):
    values = torch.arange(1.0, 1.0 + torch.Size(size).numel(), dtype=torch.double)
    return (values * 7 % 5 + values / 10).reshape(size).requires_grad_()


def pooled(torch, n):
    functional = torch.nn.functional
    x = double(torch, 1, 2, *(4,) * n)
    values, indices = getattr(functional, f"max_pool{n}d")(x, 2, return_indices=True)
    return getattr(functional, f"max_unpool{n}d")(values, indices, 2)


OPERATORS = {
    "pixel_shuffle": lambda t: t.pixel_shuffle(double(t, 1, 4, 2, 3), 2),
    "pixel_unshuffle": lambda t: t.pixel_unshuffle(double(t, 1, 1, 4, 2), 2),
    "channel_shuffle": lambda t: t.channel_shuffle(double(t, 1, 4, 2, 2), 2),
    "rot90": lambda t: t.rot90(double(t, 2, 3), 1, (0, 1)),
    "rot90, upside down": lambda t: double(t, 2, 3).rot90(2),
    "polar": lambda t: t.view_as_real(t.polar(double(t, 3), double(t, 3) / 5)),
    "max_unpool1d": lambda t: pooled(t, 1),
    "max_unpool2d": lambda t: pooled(t, 2),
    "max_unpool3d": lambda t: pooled(t, 3),
    "multi_margin_loss": lambda t: t.nn.functional.multi_margin_loss(
        double(t, 2, 3), t.tensor([0, 2])
    ),
    "multilabel_margin_loss": lambda t: t.nn.functional.multilabel_margin_loss(
        double(t, 2, 3), t.tensor([[0, -1, 1], [2, 1, -1]])
    ),
    "ctc_loss": lambda t: t.nn.functional.ctc_loss(
        double(t, 4, 1, 3).log_softmax(2), t.tensor([[1, 2]]), (4,), (2,)
    ),
    "safe softmax": lambda t: t.ops.aten._safe_softmax(double(t, 2, 3), -1),
    "segment_reduce": lambda t: t.segment_reduce(
        double(t, 4), "max", lengths=t.tensor([1, 3]), axis=0
    ),
    "bilinear": lambda t: t.nn.functional.bilinear(
        double(t, 2, 3), double(t, 2, 2), double(t, 4, 3, 2), double(t, 4)
    ),
    "interpolate": lambda t: t.nn.functional.interpolate(
        double(t, 1, 1, 5, 5), (3, 2), mode="bilinear", antialias=True
    ),
    "attention": lambda t: t.nn.functional.scaled_dot_product_attention(
        *(double(t, 1, 2, 3, 4) / 9 for _ in range(3)), is_causal=True
    ),
    "attention without heads": lambda t: t.nn.functional.scaled_dot_product_attention(
        *(double(t, 1, 3, 4) / 9 for _ in range(3)), attn_mask=t.ones(3, 3).tril().bool()
    ),
    "foreach with a number": lambda t: t._foreach_mul([double(t, 2), double(t, 3)], 3.0)[1],
    "foreach with numbers": lambda t: t._foreach_add([double(t, 2), double(t, 3)], [1.0, 2.0])[0],
    "foreach with tensors": lambda t: t._foreach_div(
        [double(t, 2), double(t, 3)], [double(t, 2) + 1, double(t, 3)]
    )[0],
    "foreach with one tensor": lambda t: t._foreach_mul([double(t, 2), double(t, 2)], double(t))[1],
    "foreach maximum": lambda t: t._foreach_maximum([double(t, 4)], [double(t, 4).flip(0)])[0],
    "foreach lerp": lambda t: t._foreach_lerp([double(t, 2)], [double(t, 2) * 2], 0.25)[0],
    "foreach norm": lambda t: t._foreach_norm([double(t, 2), double(t, 3)])[1],
}
# what PyTorch does not show, or what is not kept here
UNSEEN = {"MultilabelMarginLossBackward0", "CtcLossBackward0"}


def nodes_of(result):
    """Names, edges and attributes of all nodes, from the result on."""
    numbers, waiting, found = {result.grad_fn: 0}, [result.grad_fn], []
    for node in waiting:
        edges = []
        for below, output in node.next_functions:
            if below is not None and below not in numbers:
                numbers[below] = len(numbers)
                waiting.append(below)
            edges.append((numbers.get(below), output))
        shown = [a for a in dir(node) if a.startswith("_saved_") and node.name() not in UNSEEN]
        found.append((node.name(), edges, [a for a in shown if a != "_saved_logsumexp"]))
    return found


@pytest.mark.parametrize("name", OPERATORS)
def test_the_graph_is_pytorchs(name):
    compare(lambda torch: nodes_of(OPERATORS[name](torch)))


# PyTorch's own gradient of a tensor for all of a list fails; those of the others are laid out otherwise
COMPARED = [
    name for name in OPERATORS if name not in ("attention", "foreach with one tensor", "polar")
]


@pytest.mark.parametrize("name", COMPARED)
def test_gradients_are_pytorchs(name):
    def program(torch):
        leaves = []
        make = torch.Tensor.requires_grad_

        def noting(t, *more):
            leaves.append(make(t, *more))
            return leaves[-1]

        torch.Tensor.requires_grad_ = noting
        try:
            result = OPERATORS[name](torch)
        finally:
            torch.Tensor.requires_grad_ = make
        return result, torch.autograd.grad(result.square().sum(), leaves)

    compare(program)


@like_pytorch
def test_what_goes_into_one_node_can_depend_on_something_else_that_does(torch):
    x = double(torch, 3)
    y = x * 2
    first, second = torch._foreach_mul([x, y], [y, x])
    again = torch.autograd.grad((first * second).sum(), x, create_graph=True)[0]
    return again, torch.autograd.grad(again.sum(), x)


@like_pytorch
def test_a_second_backward_needs_what_the_first_one_has_freed(torch):
    shuffled = torch.pixel_shuffle(double(torch, 1, 4, 1, 1), 2)
    shuffled.sum().backward()
    shuffled.sum().backward()  # nothing was saved
    exponentials = torch._foreach_exp([double(torch, 2)])
    exponentials[0].sum().backward()
    exponentials[0].sum().backward()


@like_pytorch
def test_a_result_that_is_written_to_is_noticed(torch):
    (result,) = torch._foreach_exp([double(torch, 2)])
    result.add_(1)
    result.sum().backward()


@like_pytorch
def test_an_input_that_is_written_to_is_noticed(torch):
    x = double(torch, 1, 2) * 2
    shuffled = torch.pixel_shuffle(double(torch, 1, 4, 1, 1), 2)
    result = torch._foreach_sin([x, shuffled])
    with torch.no_grad():
        shuffled.add_(1)
    result[1].sum().backward()


@like_pytorch
def test_attention_keeps_the_layout_of_the_query(torch):
    query = torch.rand(2, 5, 3, 4, dtype=torch.double).transpose(1, 2).requires_grad_()
    result = torch.nn.functional.scaled_dot_product_attention(query, query, query)
    (gradient,) = torch.autograd.grad(result.transpose(1, 2).view(2, 5, 12).sum(), query)
    return result.stride(), gradient.shape


@like_pytorch
def test_attention_with_everything_masked_is_zero(torch):
    attention = torch.nn.functional.scaled_dot_product_attention
    x = double(torch, 1, 2, 3, 4)
    unseen = torch.full((3, 3), -float("inf"), dtype=torch.double)
    results = [attention(t, t, t, attn_mask=unseen) for t in (x, x[0])]
    return results, torch.autograd.grad(sum(r.sum() for r in results), x)[0].contiguous()


@like_pytorch
def test_the_result_is_no_view(torch):
    turned = torch.rot90(double(torch, 2, 2))
    views = turned._is_view()
    turned[0].mul_(2)
    turned.sum().backward()
    return views, turned.grad_fn.name(), turned


@like_pytorch
def test_hooks_see_the_gradients_of_the_whole_operator(torch):
    x, seen = double(torch, 1, 4, 1, 1), []
    result = torch.pixel_shuffle(x, 2)
    result.grad_fn.register_hook(lambda into, out: seen.append((into[0].shape, out[0].shape)))
    result.grad_fn.register_prehook(lambda out: seen.append(out[0].shape))
    result.retain_grad()
    result.sum().backward()
    return seen, result.grad, x.grad


@like_pytorch
def test_one_of_several_results_alone_can_be_asked_for(torch):
    x, y = double(torch, 2), double(torch, 3)
    results = torch._foreach_exp([x, y])
    return torch.autograd.grad(results[1].sum(), [x, y], allow_unused=True), [
        (r.grad_fn is results[0].grad_fn, r.output_nr) for r in results
    ]


@like_pytorch
def test_numbers_on_the_left_are_the_second_operand(torch):
    x = double(torch, 2)
    results = [2 * x, 2 + x, x.__rmul__(torch.ones(2)), x // 2, 2 // x, x.heaviside(x.detach())]
    return [[(f and f.name(), n) for f, n in r.grad_fn.next_functions] for r in results]


LAYERS = {
    "encoder": lambda t: t.nn.TransformerEncoderLayer(4, 2, 8, 0.0)(t.ones(3, 2, 4)),
    "decoder": lambda t: t.nn.TransformerDecoderLayer(4, 2, 8, 0.0)(
        t.ones(3, 2, 4), t.ones(5, 2, 4)
    ),
    "attention with weights": lambda t: t.nn.MultiheadAttention(4, 2)(
        *[t.ones(3, 2, 4)] * 3, attn_mask=t.ones(3, 3).triu(1).bool()
    )[0],
    "LSTM": lambda t: t.nn.LSTM(3, 4).double()(double(t, 2, 1, 3))[0],
    "GRUCell": lambda t: t.nn.GRUCell(3, 4)(t.ones(2, 3)),
    "RNN": lambda t: t.nn.RNN(3, 4, num_layers=2)(t.ones(2, 1, 3))[0],
    "local_response_norm": lambda t: t.nn.LocalResponseNorm(2)(double(t, 1, 3, 2, 2)),
    "cosine_embedding_loss": lambda t: t.nn.CosineEmbeddingLoss()(
        double(t, 2, 3), double(t, 2, 3) + 1, t.tensor([1, -1])
    ),
    "margin_ranking_loss": lambda t: t.nn.MarginRankingLoss(0.5)(
        double(t, 3), double(t, 3) * 2, t.tensor([1, -1, 1])
    ),
}


@pytest.mark.parametrize("name", LAYERS)
def test_the_graph_of_a_layer_is_pytorchs(name):
    def program(torch):
        torch.manual_seed(0)
        return [node[:2] for node in nodes_of(LAYERS[name](torch))]

    compare(program)


USED_TWICE = {
    "attention": lambda t, x: t.nn.functional.scaled_dot_product_attention(x, x * 2, x, x @ x.mT),
    "shuffle": lambda t, x: t.nn.functional.pixel_shuffle(x.reshape(1, 4, 2, -1), 2),
    "polar": lambda t, x: t.polar(x, x).abs(),
    "lists": lambda t, x: t._foreach_mul([x, x], [x, x])[1],
}


@pytest.mark.parametrize("name", [*USED_TWICE, "bilinear"])
def test_second_derivatives_reach_the_node_and_what_it_stands_for(name):
    def program(torch):
        x = torch.linspace(0.1, 1, 24, dtype=torch.float64).reshape(2, 3, 4).requires_grad_()
        if name == "bilinear":
            weight = (
                torch.linspace(-1, 1, 32, dtype=torch.float64).reshape(2, 4, 4).requires_grad_()
            )
            y = torch.nn.functional.bilinear(x, x, weight)
        else:
            y = USED_TWICE[name](torch, x)
        (first,) = torch.autograd.grad((y.sin() * y).sum(), x, create_graph=True)
        return torch.autograd.grad((first.cos() * first).sum(), x)

    compare(program)


NO_SECOND = {
    "margin": lambda t, x: t.nn.functional.multi_margin_loss(x, t.tensor([0, 1])),
    "labels": lambda t, x: t.nn.functional.multilabel_margin_loss(
        x, t.tensor([[0, -1, 1], [1, 2, -1]])
    ),
    "segments": lambda t, x: t.segment_reduce(x, "sum", lengths=t.tensor([1, 1])).sum(),
    "ctc": lambda t, x: t.nn.functional.ctc_loss(
        x[:, None].log_softmax(2), t.tensor([[1]]), t.tensor([2]), t.tensor([1])
    ),
}


@pytest.mark.parametrize("name", NO_SECOND)
@pytest.mark.parametrize("asked", [False, True])
def test_a_second_derivative_that_pytorch_lacks(name, asked):
    def program(torch):
        x = torch.arange(6.0).reshape(2, 3).requires_grad_()
        (first,) = torch.autograd.grad(NO_SECOND[name](torch, x), x, create_graph=True)
        return torch.autograd.grad(first.sum(), x) if asked else first

    compare(program)


@pytest.mark.parametrize("name", ["shuffle", "polar"])
def test_a_second_run_needs_what_was_saved(name):
    def program(torch):
        x = torch.ones(2, 3, 4, requires_grad=True)
        y = USED_TWICE[name](torch, x).sum()
        y.backward()
        y.backward()
        return x.grad

    compare(program)


@pytest.mark.parametrize("reduce", ["sum", "mean", "prod", "max", "min"])
@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0)])
def test_segments_of_no_elements(reduce, shape):
    def program(torch):
        x = torch.ones(shape, requires_grad=True)
        lengths = torch.tensor([0, 0, shape[0]])
        y = torch.segment_reduce(x, reduce, lengths=lengths)
        return y, y.grad_fn.name(), torch.autograd.grad(y.sum(), x)

    compare(program)


def test_what_is_computed_of_no_tensor_has_no_node():
    x = minitorch.ones(2, requires_grad=True)
    for shown in ({}, {"result": Result()}):
        y = one_node("ConstantBackward0", lambda x: minitorch.zeros(3), (x,), **shown)
        assert y.grad_fn is None


@pytest.mark.parametrize("k", [-1, 1, 2, 3])
@pytest.mark.parametrize("dims", [(0, 1), (1, 0), (0, 2), (2, 1), (-1, 0)])
def test_the_gradient_of_a_turn_is_laid_out_as_a_turned_one(k, dims):
    def program(torch):
        found = []
        for x in (torch.arange(24.0).reshape(2, 3, 4), torch.arange(24.0).reshape(4, 3, 2).mT):
            x.requires_grad_()
            y = torch.rot90(x, k, dims)
            (flat,) = torch.autograd.grad(y.sum(), x)
            (full,) = torch.autograd.grad(torch.rot90(x, k, dims), x, torch.sin(y.detach()))
            found += [y, flat, full]
        return found

    compare(program)


@pytest.mark.parametrize("k", [-1, 1, 2, 3])
@pytest.mark.parametrize("sizes", [(3, 1), (1, 4), (1, 1)])
def test_the_gradient_of_a_turned_expanded_tensor_has_pytorchs_strides(k, sizes):
    def program(torch):
        x = torch.rand(sizes, generator=torch.Generator().manual_seed(0)).requires_grad_()
        expanded = x.expand(3, 4)
        y = torch.rot90(expanded, k)
        gradients = [
            torch.autograd.grad(g, expanded, retain_graph=True)[0] for g in (y.sum(), y.sin().sum())
        ]
        return y.stride(), [g.stride() for g in gradients], gradients

    compare(program)
