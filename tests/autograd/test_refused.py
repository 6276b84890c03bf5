"""What PyTorch refuses to differentiate: operators without forward mode, arguments without a gradient, and
gradients on another device."""

import pytest

from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core

TANGENTS = {
    "acosh_": lambda torch, x: (x + 2).acosh_(),
    "asinh_": lambda torch, x: (x + 2).asinh_(),
    "atanh_": lambda torch, x: (x / 4).atanh_(),
    "rrelu_": lambda torch, x: torch.nn.functional.rrelu_(x * 1),
    "rrelu_ in training": lambda torch, x: torch.nn.functional.rrelu_(x * 1, training=True),
    "embedding_renorm_": lambda torch, x: torch.embedding_renorm_(
        x * 1, torch.tensor([0]), 1.0, 2.0
    ),
    "_foreach_copy_ of a dual tensor": lambda torch, x: torch._foreach_copy_(
        [torch.zeros(2, 3)], [x]
    ),
    "_foreach_copy_ to a dual tensor": lambda torch, x: torch._foreach_copy_(
        [x * 1], [torch.zeros(2, 3)]
    ),
    "_foreach_mm": lambda torch, x: torch._foreach_mm([torch.ones(3, 2)], [x]),
    "multi_margin_loss": lambda torch, x: torch.nn.functional.multi_margin_loss(
        x, torch.tensor([0, 2])
    ),
    "the weights of multi_margin_loss": lambda torch, x: torch.nn.functional.multi_margin_loss(
        torch.zeros(2, 3), torch.tensor([0, 2]), weight=x[0]
    ),
    "the mask of attention": lambda torch, x: torch.nn.functional.scaled_dot_product_attention(
        *[torch.ones(1, 1, n, 3) for n in (2, 3, 3)], attn_mask=x
    ),
    "histogram": lambda torch, x: torch.histogram(x, 3),
    "the borders of a histogram": lambda torch, x: torch.histogram(torch.ones(2), x[1].sort()[0]),
    "histogramdd": lambda torch, x: torch.histogramdd(x, 2),
    "the weights of histogramdd": lambda torch, x: torch.histogramdd(
        torch.ones(3, 1), [torch.arange(3.0)], weight=x[0]
    ),
    "nonzero_static": lambda torch, x: torch.nonzero_static(x, size=2),
    "_chunk_cat": lambda torch, x: torch._chunk_cat([torch.zeros(2, 3), x], 0, 2),
    "linalg.ldl_factor": lambda torch, x: torch.linalg.ldl_factor(x @ x.T),
    "an argument beside out=": lambda torch, x: torch.clamp(
        torch.zeros(2, 3), x, out=torch.zeros(2, 3)
    ),
}


@pytest.mark.parametrize("name", TANGENTS)
def test_a_tangent_is_refused_or_taken(name):
    def program(torch):
        forward_ad = torch.autograd.forward_ad
        with forward_ad.dual_level():
            x = torch.tensor([[0.1, 0.5, -0.3], [1.0, 2.0, 0.2]])
            dual = forward_ad.make_dual(x, torch.arange(6.0).reshape(2, 3))
            result = TANGENTS[name](torch, dual)
            return None if isinstance(result, (tuple, list)) else forward_ad.unpack_dual(result)

    compare(program)


@pytest.mark.parametrize("operator", ["copysign", "nextafter"])
@pytest.mark.parametrize("dual", [(0,), (1,), (0, 1)])
def test_the_second_operand_gives_no_tangent(operator, dual):
    def program(torch):
        forward_ad = torch.autograd.forward_ad
        found = []
        for name in (operator, operator + "_"):
            with forward_ad.dual_level():
                operands = [torch.tensor([1.0, -2.0]), torch.tensor([-3.0, -2.0])]
                for k in dual:
                    operands[k] = forward_ad.make_dual(operands[k].clone(), torch.ones(2) + k)
                found.append(forward_ad.unpack_dual(getattr(operands[0], name)(operands[1])))
        return found

    compare(program)


@pytest.mark.parametrize("dim", [None, 0, 1])
def test_the_tangent_of_the_mean_of_nothing_is_none(dim):
    def program(torch):
        forward_ad = torch.autograd.forward_ad
        with forward_ad.dual_level():
            x = forward_ad.make_dual(torch.zeros(0, 3), torch.zeros(0, 3))
            var, mean = torch.var_mean(x, dim)
            return forward_ad.unpack_dual(var), forward_ad.unpack_dual(mean)

    compare(program)


@like_pytorch
def test_the_tangent_of_the_logarithm_of_a_large_complex_sum(torch):
    forward_ad = torch.autograd.forward_ad
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.tensor([1600.0 + 1j]), torch.tensor([2.0 - 1j]))
        return forward_ad.unpack_dual(x.logsumexp(0))


@pytest.mark.parametrize("bag", [False, True])
def test_shortened_rows_keep_their_tangents(bag):
    def program(torch):
        forward_ad = torch.autograd.forward_ad
        functional = torch.nn.functional
        indices = torch.tensor([[0, 1]])
        with forward_ad.dual_level():
            weight = forward_ad.make_dual(torch.full((2, 3), 3.0), torch.ones(2, 3))
            if bag:
                functional.embedding_bag(indices, weight.detach(), max_norm=1.0)
                return forward_ad.unpack_dual(weight)
            return forward_ad.unpack_dual(functional.embedding(indices, weight, max_norm=1.0))

    compare(program)


ARGUMENTS = {
    "batch_norm": lambda torch, only: torch.nn.functional.batch_norm(
        torch.arange(12.0).reshape(2, 2, 3), **_wanted(torch, only), training=True
    ),
    "batch_norm in evaluation": lambda torch, only: torch.nn.functional.batch_norm(
        torch.arange(12.0).reshape(2, 2, 3), **_wanted(torch, only)
    ),
    "instance_norm": lambda torch, only: torch.nn.functional.instance_norm(
        torch.arange(12.0).reshape(2, 2, 3), **_wanted(torch, only)
    ),
}


def _wanted(torch, only):
    return {
        name: torch.ones(2, requires_grad=name == only) for name in ("running_mean", "running_var")
    }


@pytest.mark.parametrize("only", ["running_mean", "running_var"])
@pytest.mark.parametrize("name", ARGUMENTS)
@pytest.mark.parametrize("recorded", [True, False])
def test_running_statistics_must_not_require_grad(name, only, recorded):
    def program(torch):
        with torch.set_grad_enabled(recorded):
            return ARGUMENTS[name](torch, only)

    compare(program, tolerance=1e-5)


OTHER_ARGUMENTS = {
    "multi_margin_loss": lambda torch, leaf: torch.nn.functional.multi_margin_loss(
        torch.zeros(2, 3), torch.tensor([0, 2]), weight=leaf(3)
    ),
    "fractional_max_pool2d": lambda torch, leaf: torch.nn.functional.fractional_max_pool2d(
        torch.ones(1, 1, 4, 4), 2, output_size=2, _random_samples=leaf(1, 1, 2)
    ),
    "fractional_max_pool3d": lambda torch, leaf: torch.nn.functional.fractional_max_pool3d(
        torch.ones(1, 1, 4, 4, 4), 2, output_size=2, _random_samples=leaf(1, 1, 3)
    ),
    "pinv, rtol": lambda torch, leaf: torch.linalg.pinv(torch.eye(2), rtol=leaf()),
    "pinv, atol": lambda torch, leaf: torch.linalg.pinv(torch.eye(2), atol=leaf()),
}


@pytest.mark.parametrize("name", OTHER_ARGUMENTS)
@pytest.mark.parametrize("recorded", [True, False])
def test_arguments_without_a_gradient_must_not_require_grad(name, recorded):
    def program(torch):
        def leaf(*size):
            return torch.full(size, 0.5, requires_grad=True)

        with torch.set_grad_enabled(recorded):
            return OTHER_ARGUMENTS[name](torch, leaf)

    compare(program)


@pytest.mark.parametrize(
    "name, arguments", [("kthvalue", (1,)), ("cummax", (0,)), ("cummin", (0,)), ("mode", ())]
)
@pytest.mark.parametrize("requires_grad", [True, False])
def test_selecting_from_a_complex_number_is_not_differentiable(name, arguments, requires_grad):
    def program(torch):
        x = torch.tensor(1 + 2j, requires_grad=requires_grad)
        return tuple(getattr(x, name)(*arguments))

    compare(program)


@like_pytorch
def test_a_factorization_without_a_derivative_has_the_node_of_these(torch):
    found = torch.linalg.ldl_factor(torch.eye(2, requires_grad=True))
    assert found.LD.grad_fn.name() == "torch::autograd::NotImplemented"
    found.LD.sum().backward()


# ---- gradients on another device


def gradient_of_meta(torch):
    x = torch.ones(2, device="meta", requires_grad=True)
    (x * 2).backward(torch.ones(2))


def gradient_of_meta_leaf(torch):
    torch.ones(2, device="meta", requires_grad=True).backward(torch.ones(2))


def meta_gradient(torch):
    x = torch.ones(2, requires_grad=True)
    torch.autograd.grad(x * 2, x, torch.ones(2, device="meta"))


def gradient_of_other_dtype_too(torch):
    x = torch.ones(2, device="meta", requires_grad=True)
    (x * 2).backward(torch.ones(2, dtype=torch.float64))


def gradient_of_other_shape_too(torch):
    x = torch.ones(2, device="meta", requires_grad=True)
    (x * 2).backward(torch.ones(3))


def number(torch):
    x = torch.ones((), device="meta", requires_grad=True)
    (x * 2).backward(torch.ones(()))
    return str(x.grad.device)


def meta_number(torch):
    x = torch.ones((), requires_grad=True)
    (x * torch.ones(3, device="meta")).sum().backward()


def _returning(torch, gradient):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return gradient(grad)

    return Doubled.apply


def function_returns_meta(torch):
    x = torch.ones(2, requires_grad=True)
    _returning(torch, lambda grad: grad.to("meta"))(x * 1).sum().backward()


def function_returns_data(torch):
    x = torch.ones(2, device="meta", requires_grad=True)
    _returning(torch, lambda grad: torch.ones(2))(x * 1).sum().backward()


def meta_from_end_to_end(torch):
    x = torch.ones(2, 3, device="meta", requires_grad=True)
    weight = torch.ones(3, device="meta", requires_grad=True)
    y = torch.nn.functional.layer_norm(x, (3,), weight) @ torch.ones(3, device="meta")
    y.softmax(0).sum().backward()
    return [(str(t.grad.device), tuple(t.grad.shape)) for t in (x, weight)]


def on_the_way_to_meta(torch):
    x = torch.ones(2, device="meta", requires_grad=True)
    y = (x * 2).to(torch.float64).to("meta")
    y.backward(torch.ones_like(y))
    return str(x.grad.device), x.grad.dtype is torch.float32


def to_meta_from_data(torch):
    x = torch.ones(2, requires_grad=True)
    x.to("meta").sum().backward()


def zeros_of_formulas(torch):
    x = torch.ones(4, 2, device="meta", requires_grad=True)
    results = [
        x.sort(0)[0],
        x.topk(2, 0)[0],
        x.max(0)[0],
        x.kthvalue(1)[0],
        x.split(2)[0],
        x.chunk(2)[1],
        x.unbind(1)[1],
        x.repeat(0, 1),
        torch.nn.functional.max_pool1d(x, 2),
        torch.nn.LSTM(2, 3, device="meta")(x)[1][1],
    ]
    grads = [torch.autograd.grad(y.sum(), x)[0] for y in results]
    return [(str(g.device), tuple(g.shape)) for g in grads]


def zeros_for_an_output_without_a_gradient(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2, x * 3

        @staticmethod
        def backward(ctx, first, second):
            return first + second

    x = torch.ones(2, device="meta", requires_grad=True)
    Twice.apply(x)[0].sum().backward()
    return str(x.grad.device)


def metadata(torch):
    x = torch.ones(2, device="meta", requires_grad=True)
    found = [(x * 2).grad_fn, torch.ones(2, requires_grad=True).exp().grad_fn]
    return [str(node._input_metadata[0].device) for node in found]


@pytest.mark.parametrize(
    "program",
    [
        gradient_of_meta,
        gradient_of_meta_leaf,
        meta_gradient,
        gradient_of_other_dtype_too,
        gradient_of_other_shape_too,
        number,
        meta_number,
        function_returns_meta,
        function_returns_data,
        meta_from_end_to_end,
        on_the_way_to_meta,
        to_meta_from_data,
        zeros_of_formulas,
        zeros_for_an_output_without_a_gradient,
        metadata,
    ],
    ids=lambda program: program.__name__,
)
def test_a_gradient_must_be_on_the_device_of_its_tensor(program):
    compare(program)


@like_pytorch
def test_a_gradient_is_refused_in_a_transform_too(torch):
    x = torch.ones(2, device="meta")
    _, pull = torch.func.vjp(lambda x: x * 2, x)
    pull(torch.ones(2))
