"""vmap as PyTorch has it: checks, texts, randomness, what a sample says of itself, vectorised derivatives."""

import importlib

import pytest

from tests.both import compare, outcome, real

# each is a function of (library, x), x being (2, 3); what it raises is compared too
CHECKS = {
    "in_dim out of range": lambda t, x: t.vmap(lambda x: x + 1, 5)(x),
    "in_dim negative": lambda t, x: t.vmap(lambda x: x + 1, -1)(x),
    "in_dim below the range": lambda t, x: t.vmap(lambda x: x + 1, -3)(x),
    "in_dims None": lambda t, x: t.vmap(lambda x: x + 1, None)(x),
    "in_dims a list": lambda t, x: t.vmap(lambda x: x + 1, [0])(x),
    "in_dims all None": lambda t, x: t.vmap(lambda x: x + 1, (None,))(x),
    "in_dims too many": lambda t, x: t.vmap(lambda x: x + 1, (0, 0))(x),
    "in_dims a string": lambda t, x: t.vmap(lambda x: x + 1, ("a",))(x),
    "no inputs": lambda t, x: t.vmap(lambda: 1)(),
    "a number": lambda t, x: t.vmap(lambda x: x + 1)(3),
    "sizes that differ": lambda t, x: t.vmap(lambda x, y: x, (0, 1))(x, x),
    "structures": lambda t, x: t.vmap(lambda d: d["a"] * d["b"][0], ({"a": 0, "b": [None]},))(
        {"a": x, "b": [x[0]]}
    ),
    "out_dims": lambda t, x: t.vmap(lambda x: (x, {"a": x}), out_dims=(1, {"a": 0}))(x),
    "out_dims that do not fit": lambda t, x: t.vmap(lambda x: (x, x), out_dims=(0, 0, 0))(x),
    "out_dims of one": lambda t, x: t.vmap(lambda x: x, out_dims=(0, 1))(x),
    "out_dims a string": lambda t, x: t.vmap(lambda x: x, out_dims="a")(x),
    "out_dim out of range": lambda t, x: t.vmap(lambda x: x, 0, 5)(x),
    "out_dim below the range": lambda t, x: t.vmap(lambda x: x, 0, -4)(x),
    "out_dim negative": lambda t, x: t.vmap(lambda x: x, 0, -1)(x),
    "out_dim None of a batch": lambda t, x: t.vmap(lambda x: x, out_dims=None)(x),
    "out_dim None": lambda t, x: t.vmap(lambda x: 3, out_dims=None)(x),
    "output a number": lambda t, x: t.vmap(lambda x: 3)(x),
    "output None": lambda t, x: t.vmap(lambda x: None)(x),
    "output without a batch": lambda t, x: t.vmap(lambda x: t.ones(2), out_dims=1)(x),
    "keywords": lambda t, x: t.vmap(lambda x, scale: x * scale)(x, scale=x),
    "chunk_size": lambda t, x: t.vmap(lambda x: x * 2, 1, chunk_size=2)(x),
    "chunk_size too small": lambda t, x: t.vmap(lambda x: x * 2, chunk_size=0)(x),
    "randomness unknown": lambda t, x: t.vmap(lambda x: x, randomness="other")(x),
    "func.vmap": lambda t, x: t.func.vmap is t.vmap,
    "name": lambda t, x: t.vmap(len).__name__,
    "nested": lambda t, x: t.vmap(t.vmap(lambda x: x * 2), 1, 1)(x),
    "outer product": lambda t, x: t.vmap(t.vmap(lambda a, b: a - b, (0, None)), (None, 0))(
        x[0], x[1]
    ),
    "empty": lambda t, x: t.vmap(lambda x: x.sum())(t.ones(0, 3)),
    "empty without a rule": lambda t, x: t.vmap(lambda x: t.histc(x))(t.ones(0, 3)),
    # what differs between samples
    "item": lambda t, x: t.vmap(lambda x: x.item())(x[0]),
    "float": lambda t, x: t.vmap(lambda x: float(x))(x[0]),
    "bool": lambda t, x: t.vmap(lambda x: bool(x))(x[0]),
    "condition": lambda t, x: t.vmap(lambda x: x if x.sum() > 0 else -x)(x),
    "tolist": lambda t, x: t.vmap(lambda x: x.tolist())(x),
    "numpy": lambda t, x: t.vmap(lambda x: x.numpy())(x),
    "data_ptr": lambda t, x: t.vmap(lambda x: x.data_ptr())(x),
    "data": lambda t, x: t.vmap(lambda x: x.data)(x),
    "equal": lambda t, x: t.vmap(lambda x: t.equal(x, x))(x),
    "allclose": lambda t, x: t.vmap(lambda x: t.allclose(x, x))(x),
    "is_nonzero": lambda t, x: t.vmap(lambda x: x.is_nonzero())(x[0]),
    "nonzero": lambda t, x: t.vmap(lambda x: x.nonzero())(x),
    "unique": lambda t, x: t.vmap(lambda x: x.unique())(x),
    "masked_select": lambda t, x: t.vmap(lambda x: t.masked_select(x, x > 0))(x),
    "boolean mask": lambda t, x: t.vmap(lambda x: x[x > 0])(x),
    "the same boolean mask": lambda t, x: t.vmap(lambda x: x[t.tensor([True, False, True])])(x),
    "one_hot": lambda t, x: t.vmap(lambda x: t.nn.functional.one_hot(x.long().abs()))(x),
    "out": lambda t, x: t.vmap(lambda x: t.add(x, 1, out=t.empty(3)))(x),
    # writing
    "setitem": lambda t, x: t.vmap(_set_first)(x),
    "zeros_like": lambda t, x: t.vmap(lambda x: _written(t.zeros_like(x), x))(x),
    "new_zeros": lambda t, x: t.vmap(lambda x: _written(x.new_zeros(3), x))(x),
    "new_full": lambda t, x: t.vmap(lambda x: _written(x.new_full((3,), 2.0), x))(x),
    "zeros": lambda t, x: t.vmap(lambda x: _written(t.zeros(3), x))(x),
    "mul_": lambda t, x: t.vmap(lambda a, b: a.mul_(b), (None, 0))(x[0], x),
    "fill_": lambda t, x: t.vmap(lambda a, b: a.fill_(b), (None, 0))(x[0], x[:, 0]),
    "index_put_": lambda t, x: t.vmap(lambda a, b: a.index_put_((t.tensor([0]),), b), (None, 0))(
        x[0], x[:, 0]
    ),
    "resize_": lambda t, x: t.vmap(lambda x: x.clone().resize_(2))(x),
    # what a sample says of itself
    "facts": lambda t, x: t.vmap(_facts, out_dims=None)(x),
    "facts of another dimension": lambda t, x: t.vmap(_facts, 1, out_dims=None)(x),
    "repr": lambda t, x: t.vmap(lambda x: repr(x * 2) + str(x), out_dims=None)(x),
    "repr nested": lambda t, x: t.vmap(t.vmap(repr, out_dims=None), 1, out_dims=None)(x),
    "indices of a sample": lambda t, x: t.vmap(lambda x: x[x.long().clamp(0, 2)])(x),
    "index out of range": lambda t, x: t.vmap(lambda x: x[3])(x),
    "dimension out of range": lambda t, x: t.vmap(lambda x: x.sum(3))(x),
    "shapes that do not broadcast": lambda t, x: t.vmap(lambda x: x + t.ones(4))(x),
}


LINEAR = {
    "inv": lambda t, a: t.vmap(t.linalg.inv)(a),
    "inv of one": lambda t, a: t.vmap(lambda x: t.linalg.inv(x))(a[:1] + t.eye(2)),
    "solve": lambda t, a: t.vmap(t.linalg.solve)(a, a),
    "cholesky": lambda t, a: t.vmap(t.linalg.cholesky)(a),
    "nested": lambda t, a: t.vmap(t.vmap(t.linalg.inv))(a.expand(2, 2, 2, 2)),
    "eigh": lambda t, a: t.vmap(t.linalg.eigh)(a).eigenvalues,
    "lu_factor": lambda t, a: t.vmap(t.linalg.lu_factor)(a + t.eye(2)),
    "max": lambda t, a: t.vmap(lambda x: t.max(x, 0))(a),
}


@pytest.mark.parametrize("name", LINEAR)
def test_results_of_several_parts_and_errors_of_one_matrix(name):
    compare(lambda torch: LINEAR[name](torch, torch.stack([torch.eye(2), torch.zeros(2, 2)])))


def _set_first(x):
    x = x.clone()
    x[0] = x[1]
    return x


def _written(zeros, x):
    zeros[0] = x[1]
    return zeros


def _facts(x):
    return [str(x.shape), str(x.stride()), str(x.dtype), x.dim(), len(x), x.is_contiguous()]


@pytest.mark.parametrize("name", CHECKS)
def test_vmap_is_as_in_pytorch(name):
    def program(torch):
        return CHECKS[name](torch, torch.arange(6.0).reshape(2, 3) - 2)

    compare(program)


OLDER = {
    "random": lambda v, t, x: v(lambda x: x + t.randn(3))(x),
    "bernoulli": lambda v, t, x: v(lambda x: x.bernoulli())(x),
    "in_dim negative": lambda v, t, x: v(lambda x: x + 1, -1)(x),
    "in_dims None": lambda v, t, x: v(lambda x: x + 1, None)(x),
    "in_dims all None": lambda v, t, x: v(lambda x: x + 1, (None,))(x),
    "out_dim": lambda v, t, x: v(lambda x: x + 1, 0, 3)(x),
    "out_dims None": lambda v, t, x: v(lambda x: x + 1, 0, None)(x),
    "out_dims too many": lambda v, t, x: v(lambda x: x + 1, 0, (0, 1))(x),
    "output a list": lambda v, t, x: v(lambda x: [x + 1])(x),
    "output a number": lambda v, t, x: v(lambda x: (x + 1, 2))(x),
    "two outputs": lambda v, t, x: v(lambda x: (x + 1, t.ones(2)), 0, (0, 1))(x),
    "None": lambda v, t, x: v(lambda x: (x + 1, None), 0, 0, True)(x),
}


@pytest.mark.parametrize("name", OLDER)
def test_the_older_vmap_is_as_in_pytorch(name):
    def program(torch):
        vmap = importlib.import_module(f"{torch.__name__}._vmap_internals")._vmap
        return OLDER[name](vmap, torch, torch.arange(6.0).reshape(2, 3))

    compare(program)


def test_the_older_vmap_warns():
    def program(torch):
        vmap = importlib.import_module(f"{torch.__name__}._vmap_internals").vmap
        return vmap(lambda x: x + 1)(torch.ones(2))

    compare(program)


RANDOM = {
    "rand": lambda t, x: t.rand(2),
    "randn": lambda t, x: t.randn(20),
    "randn double": lambda t, x: t.randn(3, dtype=t.float64),
    "randint": lambda t, x: t.randint(3, (2,)),
    "randperm": lambda t, x: t.randperm(3),
    "rand_like": lambda t, x: t.rand_like(x),
    "randn_like": lambda t, x: t.randn_like(t.ones(2)),
    "randint_like": lambda t, x: t.randint_like(x, 3),
    "normal": lambda t, x: t.normal(0.0, 1.0, (3,)),
    "normal mean": lambda t, x: t.normal(x, 1.0),
    "normal both": lambda t, x: t.normal(x, x + 3),
    "normal deviation": lambda t, x: t.normal(0.0, t.ones(2)),
    "bernoulli": lambda t, x: t.bernoulli(x * 0.1),
    "bernoulli of no batch": lambda t, x: t.bernoulli(t.ones(2) * 0.5),
    "multinomial": lambda t, x: t.multinomial(x + 1, 2),
    "multinomial of no batch": lambda t, x: t.multinomial(t.ones(3), 2),
    "poisson": lambda t, x: t.poisson(x),
    "dropout": lambda t, x: t.dropout(x, 0.5, True),
    "dropout of no batch": lambda t, x: t.dropout(t.ones(3), 0.5, True),
    "dropout1d": lambda t, x: t.nn.functional.dropout1d(x.expand(2, 3), 0.5, True),
    "alpha_dropout": lambda t, x: t.nn.functional.alpha_dropout(x, 0.5, True),
    "rrelu": lambda t, x: t.nn.functional.rrelu(x, training=True),
    "uniform_ of no batch": lambda t, x: t.ones(3).uniform_(),
    "uniform_": lambda t, x: x.clone().uniform_(),
    "normal_": lambda t, x: x.new_empty(3).normal_(),
    "random_": lambda t, x: x.clone().random_(5),
    "exponential_": lambda t, x: x.clone().exponential_(),
    "geometric_": lambda t, x: x.clone().geometric_(0.5),
    "bernoulli_": lambda t, x: x.clone().bernoulli_(0.5),
    "bernoulli_ of probabilities": lambda t, x: t.ones(3).bernoulli_(x * 0.1),
}


@pytest.mark.parametrize("randomness", ["error", "same", "different"])
@pytest.mark.parametrize("name", RANDOM)
def test_numbers_of_samples_are_those_of_pytorch(name, randomness):
    def program(torch):
        torch.manual_seed(3)
        x = torch.arange(6.0).reshape(2, 3)
        mapped = torch.vmap(lambda x: RANDOM[name](torch, x), randomness=randomness)
        # and the next number, for the state
        return mapped(x), torch.rand(1)

    compare(program)


def test_chunks_with_the_same_randomness_draw_the_same():
    def program(torch):
        torch.manual_seed(3)
        mapped = torch.vmap(lambda x: x + torch.rand(3), randomness="same", chunk_size=2)
        return mapped(torch.zeros(5, 3))

    compare(program)


def test_randomness_of_nested_levels():
    def program(torch):
        torch.manual_seed(3)
        inner = torch.vmap(lambda x: x + torch.rand(2), randomness="different")
        return torch.vmap(inner, randomness="different")(torch.zeros(3, 2, 2))

    compare(program)


# ---- derivatives


def model(torch, x):
    weight = torch.arange(12.0).reshape(4, 3) / 7
    return torch.tanh(weight @ x).exp() * x.sum()


JACOBIANS = {
    "one": (lambda t, x: model(t, x), 1),
    "a number": (lambda t, x: model(t, x).sum(), 1),
    "two inputs": (lambda t, x, y: x * y.sum(), 2),
    "two outputs": (lambda t, x: (x**2, x.sum()), 1),
    "unused": (lambda t, x, y: (x.exp(), x.cos()), 2),
    "no dependence": (lambda t, x: (x, t.ones(2)), 1),
}


@pytest.mark.parametrize(
    "options",
    [{}, {"create_graph": True}, {"strategy": "forward-mode"}, {"strict": True}],
    ids=str,
)
@pytest.mark.parametrize("name", JACOBIANS)
def test_vectorised_jacobians(name, options):
    function, count = JACOBIANS[name]

    def program(torch):
        inputs = tuple(torch.linspace(0.1, 1.0, 3) + k for k in range(count))
        return torch.autograd.functional.jacobian(
            lambda *x: function(torch, *x),
            inputs if count > 1 else inputs[0],
            vectorize=True,
            **options,
        )

    outcome(program, real)  # it warns of its own use of torch.jit once
    compare(program, tolerance=1e-5)


@pytest.mark.parametrize("strategy", ["reverse-mode", "forward-mode"])
def test_vectorised_hessians(strategy):
    def program(torch):
        hessian = torch.autograd.functional.hessian(
            lambda x: model(torch, x).sum(),
            torch.linspace(0.1, 1.0, 3),
            vectorize=True,
            outer_jacobian_strategy=strategy,
        )
        return hessian.detach()

    compare(program, tolerance=1e-5)


GRADIENTS = {
    "batched": lambda t, x, y: t.autograd.grad(y, x, t.eye(3), is_grads_batched=True),
    "shape": lambda t, x, y: t.autograd.grad(y, x, t.ones(3), is_grads_batched=True),
    "larger shape": lambda t, x, y: t.autograd.grad(y, x, t.ones(2, 4), is_grads_batched=True),
    "two": lambda t, x, y: t.autograd.grad(
        (y, y.sum()), x, (t.eye(3), t.arange(3.0)), is_grads_batched=True
    ),
    "sizes that differ": lambda t, x, y: t.autograd.grad(
        (y, y.sum()), x, (t.eye(3), t.arange(2.0)), is_grads_batched=True
    ),
    "none given": lambda t, x, y: t.autograd.grad(y.sum(), x, is_grads_batched=True),
    "graph": lambda t, x, y: t.autograd.grad(
        y, x, t.eye(3), create_graph=True, is_grads_batched=True
    )[0].detach(),
    "unused": lambda t, x, y: t.autograd.grad(
        y, (x, t.ones(2, requires_grad=True)), t.eye(3), is_grads_batched=True, allow_unused=True
    ),
    "materialized": lambda t, x, y: t.autograd.grad(
        y,
        (x, t.ones(2, requires_grad=True)),
        t.eye(3),
        is_grads_batched=True,
        materialize_grads=True,
    ),
    "complex": lambda t, x, y: t.autograd.grad(
        y, x, t.eye(3, dtype=t.complex64), is_grads_batched=True
    ),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_of_several_vectors(name):
    def program(torch):
        x = torch.arange(1.0, 4.0).requires_grad_()
        return GRADIENTS[name](torch, x, x * x.sum())

    compare(program)


def test_gradcheck_of_batched_gradients():
    def program(torch):
        x = torch.arange(1.0, 4.0, dtype=torch.float64).requires_grad_()
        return torch.autograd.gradcheck(
            lambda x: x.exp().cumsum(0),
            x,
            check_batched_grad=True,
            check_forward_ad=True,
            check_batched_forward_grad=True,
        )

    compare(program)


def test_per_sample_gradients_of_a_network():
    def program(torch):
        functional = torch.nn.functional
        weight = (torch.arange(54.0).reshape(2, 3, 3, 3) / 50).sin().requires_grad_()
        images = (torch.arange(600.0).reshape(4, 2, 3, 5, 5) / 9).cos()

        def features(image):
            hidden = functional.conv2d(image, weight, padding=1)
            hidden = functional.max_pool2d(functional.relu(hidden), 2)
            hidden = functional.group_norm(hidden, 1)
            return functional.log_softmax(hidden.flatten(1), 1).sum(0)

        out = torch.vmap(features)(images)
        return out, torch.autograd.grad(out[:, 0].sum(), weight)

    compare(program, tolerance=1e-5)
