"""What is made and written to inside `vmap`, while a transform further out differentiates."""

import functools
import importlib
import warnings

import pytest

import minitorch as torch
from tests.both import compare


def copied(torch, x):
    return torch.zeros_like(x).copy_(x)


def added(torch, x):
    return x.new_zeros(3).add_(1).mul_(x)


def in_part(torch, x):
    y = torch.zeros_like(x)
    y[1:] = x[1:] * 2
    y[:2].add_(x[1:])
    return y


def no_differences(torch, x):
    return torch.diff(x, 0)


@pytest.mark.parametrize("program", [copied, added, in_part, no_differences])
def test_gradients_of_what_is_written_to(program):
    def run(torch):
        x = torch.arange(6.0).reshape(2, 3)
        batched = torch.func.vmap(lambda x: program(torch, x))
        value, pullback = torch.func.vjp(batched, x)
        return value, pullback(torch.ones(2, 3)), torch.func.jacrev(batched)(x)

    compare(run)


def test_a_tensor_made_without_a_batch_belongs_to_the_outer_level():
    def run(torch):
        def sample(x, weight):
            total = torch.zeros(3)
            total += weight * 2
            return total * x + torch.tensor([1.0, 2.0, 3.0])

        def loss(weight):
            batched = torch.func.vmap(sample, in_dims=(0, None))
            return batched(torch.arange(6.0).reshape(2, 3), weight).sum()

        return torch.func.grad(loss)(torch.ones(3))

    compare(run)


@pytest.mark.parametrize("name", ["eigvalsh", "svdvals", "cond", "matrix_norm"])
def test_eigenvalues_of_a_batch_further_in(name):
    def run(torch):
        x = torch.tensor([[[2.0, 1.0], [1.0, 3.0]], [[4.0, 0.5], [0.5, 1.0]]])
        function = getattr(torch.linalg, name)
        more = ("nuc",) if name == "matrix_norm" else ()
        batched = torch.func.vmap(lambda x: function(x, *more))
        value, pullback = torch.func.vjp(batched, x)
        return value, pullback(torch.ones_like(value))

    compare(run, tolerance=1e-4)


def test_quantiles_of_each_sample():
    def run(torch):
        x, q = torch.arange(10.0).reshape(2, 5), torch.tensor([[0.1, 0.5], [0.2, 0.7]])
        with warnings.catch_warnings():  # PyTorch has no rule, and says so
            warnings.simplefilter("ignore")
            return torch.func.vmap(torch.quantile)(x, q)

    compare(run)


def test_a_bad_quantile_of_a_sample():
    compare(lambda torch: torch.func.vmap(torch.quantile)(torch.ones(2, 5), torch.tensor([0.5, 2])))


def test_as_strided_counts_from_the_start_of_the_memory():
    def run(torch):
        x = torch.arange(12.0).reshape(3, 4).t()[1:]
        return torch.func.vmap(lambda x: x.as_strided((2,), (1,), 1))(x)

    compare(run)


def test_as_strided_scatter_has_no_rule():
    def run(torch):
        x = torch.ones(2, 3)
        return torch.func.vmap(lambda x: x.as_strided_scatter(x, (3,), (1,), 0))(x)

    compare(run)


def test_second_derivatives_of_a_half_hermitian_transform():
    def run(torch):
        def slope(x):
            value, pullback = torch.func.vjp(torch.fft.hfft, x)
            return pullback(torch.ones_like(value) * x.sum())[0]

        return torch.func.vjp(slope, torch.ones(4))[1](torch.ones(4))

    compare(run)


@pytest.mark.parametrize("cotangents", ["two", "tuples"])
def test_cotangents_given_one_by_one(cotangents):
    def run(torch):
        x = torch.ones(2)
        if cotangents == "two":
            return torch.func.vjp(torch.sin, x)[1](x, x)
        return torch.func.vjp(lambda x: (x, x), x)[1]((x, x), (x, x))

    compare(run)


@pytest.mark.parametrize("format", ["channels_last", "contiguous_format"])
def test_the_order_of_a_samples_dimensions_in_memory(format):
    def run(torch):
        x, chosen = torch.ones(2, 1, 2, 3, 4), getattr(torch, format)
        return torch.func.vmap(lambda x: x + x.is_contiguous(memory_format=chosen))(x)

    compare(run)


@pytest.mark.parametrize("call", ["sin", "sin_", "sum", "__add__", "mul_", "detach"])
def test_a_sample_that_has_escaped(call):
    def run(torch):
        kept = []
        torch.func.vmap(lambda x: kept.append(x) or x)(torch.ones(2, 3))
        method = getattr(kept[0], call)
        return method(1) if call in ("__add__", "mul_") else method()

    compare(run)


@pytest.mark.parametrize(
    "size, stride, offset", [((2,), (1,), 2), ((2, 2), (1, 1), 0), ((4,), (1,), None)]
)
def test_as_strided_stays_inside_of_the_sample(size, stride, offset):
    def run(torch):
        x = torch.arange(6.0).reshape(2, 3)
        return torch.func.vmap(lambda x: x.as_strided(size, stride, offset))(x)

    compare(run)


def test_one_truth_value_as_a_mask():
    def run(torch):
        def written(x):
            y = x * 2
            y[x > 0] = 3.0
            return y + x

        def read(x):
            return (torch.ones_like(x)[x > 0] * x).sum()

        x = torch.tensor(1.0)
        return torch.func.grad(written)(x), torch.func.grad(written)(-x), torch.func.grad(read)(x)

    compare(run)


def test_tangents_of_products_of_each_sample():
    def product(x, src):
        return x.scatter_reduce(0, torch.tensor([0, 0, 1]), src, "prod")

    x, src = torch.ones(2, 2), torch.tensor([[2.0, 0.0, 1.0], [0.0, 0.0, 3.0]])
    _, tangent = torch.func.vmap(lambda *a: torch.func.jvp(product, a, a))(x, src)
    assert tangent.tolist() == [[0.0, 2.0], [0.0, 6.0]]


@pytest.mark.parametrize("randomness", ["error", "same", "different"])
@pytest.mark.parametrize("function", ["feature_alpha_dropout", "alpha_dropout", "dropout"])
def test_dropout_of_what_has_no_batch(function, randomness):
    def program(torch):
        torch.manual_seed(0)
        drop = getattr(torch.nn.functional, function)
        x = torch.ones(2, 3, 2)
        return torch.vmap(lambda y: drop(x, 0.5, True) * y, randomness=randomness)(torch.ones(2))

    compare(program)


@pytest.mark.parametrize("batched", [True, False])
@pytest.mark.parametrize("randomness", ["error", "same", "different"])
def test_dropout_outside_of_training_draws_nothing(randomness, batched):
    def program(torch):
        x, y = torch.arange(6.0).view(2, 3), torch.ones(3)

        def f(x):
            result, mask = torch.native_dropout(x if batched else y, 0.5, False)
            return result * x, mask * x

        return torch.vmap(f, randomness=randomness)(x)

    compare(program)


ESCAPED = {
    "a sample in grad": lambda torch, kept: torch.vmap(
        torch.func.grad(lambda x: (kept.append(x), x.sum())[1])
    )(torch.ones(2, 3)),
    "a tensor of grad": lambda torch, kept: torch.func.grad(lambda x: (kept.append(x), x.sum())[1])(
        torch.ones(3)
    ),
    "a tensor of grad in a sample": lambda torch, kept: torch.func.grad(
        lambda x: torch.vmap(lambda y: (kept.append(y), y)[1])(x).sum()
    )(torch.ones(3)),
}


@pytest.mark.parametrize("call", ["sin", "detach", "__repr__"])
@pytest.mark.parametrize("case", ESCAPED)
def test_what_has_escaped_from_a_gradient(case, call):
    def run(torch):
        kept = []
        ESCAPED[case](torch, kept)
        return getattr(kept[0], call)()

    compare(run)


DRAWN = {
    "like a sample": lambda torch, x: torch.rand_like(x) * x,
    "like a captured one": lambda torch, x: torch.randn_like(torch.ones(3)) * x,
    "of a size": lambda torch, x: torch.rand(3) * x,
    "integers": lambda torch, x: torch.randint(9, (3,)) * x,
    "a permutation": lambda torch, x: torch.randperm(3) * x,
}


@pytest.mark.parametrize("transform", ["vmap", "vmap(grad)", "grad(vmap)"])
@pytest.mark.parametrize("randomness", ["error", "same", "different"])
@pytest.mark.parametrize("draw", DRAWN)
def test_a_trace_has_the_numbers_of_all_samples(draw, randomness, transform):
    def run(torch):
        proxies = importlib.import_module(f"{torch.__name__}.fx.experimental.proxy_tensor")
        vmap, grad = functools.partial(torch.func.vmap, randomness=randomness), torch.func.grad
        program = {
            "vmap": lambda x: vmap(lambda x: DRAWN[draw](torch, x))(x),
            "vmap(grad)": lambda x: vmap(grad(lambda x: DRAWN[draw](torch, x).sum()))(x),
            "grad(vmap)": lambda x: grad(lambda x: vmap(lambda x: DRAWN[draw](torch, x))(x).sum())(
                x
            ),
        }[transform]
        x = torch.arange(6.0).view(2, 3)
        traced = proxies.make_fx(program)(x)
        torch.manual_seed(0)
        return [str(node.target) for node in traced.graph.nodes], traced(x).contiguous()

    compare(run)


@pytest.mark.parametrize("given", ["sample", "captured"])
@pytest.mark.parametrize("function", ["rrelu", "rrelu_"])
def test_rrelu_is_not_batched(function, given):
    def run(torch):
        held = -torch.ones(3)

        def sample(x):
            return getattr(torch.nn.functional, function)(x if given == "sample" else held) + x

        return torch.func.vmap(sample, randomness="different")(torch.ones(2, 3))

    compare(run)


MADE_OF_SAMPLES = {
    "tensor": lambda torch, x: torch.tensor(x),
    "tensor of a number": lambda torch, x: torch.tensor(x.sum()),
    "tensor of a captured one": lambda torch, x: torch.tensor(torch.ones(3)) + x,
    "new_tensor": lambda torch, x: x.new_tensor(x),
    "as_tensor": lambda torch, x: torch.as_tensor(x),
    "as_tensor of numbers": lambda torch, x: torch.as_tensor([x.sum(), 1.0]),
    "set_": lambda torch, x: x.set_(torch.ones(3)),
    "set_ to nothing": lambda torch, x: x.clone().set_(),
    "set_ to a sample": lambda torch, x: torch.ones(3).set_(x),
}


@pytest.mark.parametrize("make", MADE_OF_SAMPLES)
def test_tensors_made_of_samples(make):
    compare(lambda torch: torch.vmap(lambda x: MADE_OF_SAMPLES[make](torch, x))(torch.ones(2, 3)))


def test_a_copy_of_what_is_differentiated_for_each_sample():
    def run(torch):
        func = torch.func
        return func.vmap(lambda x: func.vjp(lambda y: torch.tensor(y), x)[0])(torch.ones(2, 3))

    compare(run)


@pytest.mark.parametrize("outer", ["same", "different"])
@pytest.mark.parametrize("inner", ["same", "different"])
@pytest.mark.parametrize("name", ["uniform_", "normal_", "exponential_", "geometric_"])
def test_numbers_drawn_in_place_for_each_sample_of_samples(name, inner, outer):
    def run(torch):
        def sample(x):
            return getattr(x, name)(*[0.5] * (name == "geometric_"))

        torch.manual_seed(0)
        x = torch.zeros(2, 3, 2, 2).transpose(0, 3)
        vmap = functools.partial(torch.vmap, in_dims=-1)
        return vmap(vmap(sample, randomness=inner), randomness=outer)(x)

    compare(run)


@pytest.mark.parametrize("transform", ["vjp", "jvp"])
def test_numbers_of_samples_are_read_for_no_tensor(transform):
    def run(torch):
        func = torch.func

        def numbers(x):
            return torch.tensor([x.sum(), 1.0])

        apply = {
            "vjp": lambda x: func.vjp(numbers, x)[0],
            "jvp": lambda x: func.jvp(numbers, (x,), (x,)),
        }[transform]
        return func.vmap(apply)(torch.ones(2, 3))

    compare(run)


@pytest.mark.parametrize("outer", ["same", "different"])
@pytest.mark.parametrize("inner", ["same", "different"])
@pytest.mark.parametrize("batched", ["both", "inner", "outer", "none"])
@pytest.mark.parametrize("name", ["dropout", "alpha_dropout", "feature_alpha_dropout"])
def test_dropout_in_a_batch_of_batches(name, batched, inner, outer):
    def run(torch):
        dropout = getattr(torch.nn.functional, name)
        torch.manual_seed(0)
        x = torch.arange(24.0).view(2, 3, 4)

        def sample(a, b):
            given = {"both": b, "inner": b, "outer": a, "none": x[1, 2]}[batched]
            return dropout(given[None], training=True), a + b

        def samples(a):
            rows = a if batched == "both" else x[0]
            return torch.vmap(lambda b: sample(a[0], b), randomness=inner)(rows)

        return torch.vmap(samples, randomness=outer)(x)

    compare(run)
