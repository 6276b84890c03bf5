"""What a mode of ``__torch_dispatch__`` writes down: PyTorch's operators, in its order."""

import importlib
import warnings

import pytest

from tests.both import compare, like_pytorch, logging_mode

DIFFERENTIABLE = {
    "quotient": lambda torch, x: (x / x.detach()).sum(),
    "of a number": lambda torch, x: (2 / x).sum(),
    "clamped": lambda torch, x: x.clamp(min=0.5).sum(),
    "chosen": lambda torch, x: torch.where(x > 0.5, x, 0).sum(),
    "maximum": lambda torch, x: x.max(0)[0].sum(),
    "sorted": lambda torch, x: x.sort()[0].sum(),
    "silu": lambda torch, x: torch.nn.functional.silu(x).sum(),
    "mish": lambda torch, x: torch.nn.functional.mish(x).sum(),
    "softsign": lambda torch, x: torch.nn.functional.softsign(x).sum(),
    "tan": lambda torch, x: x.tan().sum(),
    "erf": lambda torch, x: x.erf().sum(),
    "variance": lambda torch, x: x.var(),
    "norm": lambda torch, x: x.norm(),
    "rsqrt": lambda torch, x: x.rsqrt().sum(),
    "log of sigmoid": lambda torch, x: torch.nn.functional.logsigmoid(x).sum(),
    "turned": lambda torch, x: x.rot90(3).sum(),
    "the real part": lambda torch, x: torch.complex(x, x).real.sum(),
    "taken along": lambda torch, x: x.take_along_dim(torch.zeros(2, 1, dtype=torch.long), 1).sum(),
    "joined at the end": lambda torch, x: torch.cat([x, x], -1).sum(),
    "root mean square": lambda torch, x: torch.nn.functional.rms_norm(x, (3,)).sum(),
    "margins": lambda torch, x: torch.nn.functional.multi_margin_loss(x, torch.zeros(2).long(), 2),
    "channels in another order": lambda torch, x: torch.nn.functional.channel_shuffle(
        x.reshape(1, 6, 1), 2
    ).sum(),
    "pixels of channels": lambda torch, x: torch.nn.functional.pixel_unshuffle(
        torch.nn.functional.pixel_shuffle(x[:, :2].reshape(4, 1, 1), 2), 2
    ).sum(),
    "unpooled": lambda torch, x: torch.nn.functional.max_unpool2d(
        x[None], torch.arange(6).view(1, 2, 3), 2
    ).sum(),
    "clamped between": lambda torch, x: x.clamp(0.5, 0.8).sum(),
    "a quadrant": lambda torch, x: torch.atan2(x, x + 1).sum(),
    "repeated": lambda torch, x: x.repeat(2, 1, 3).sum(),
    "tiled once": lambda torch, x: x.tile(1, 1).sum(),
    "filled with a tensor": lambda torch, x: x.masked_fill(x.detach() > 0.8, x[0, 0]).sum(),
    "a logarithm of a number": lambda torch, x: (torch.xlogy(x, 2) + torch.xlogy(x, -2)).nansum(),
    "reflected at the ends": lambda torch, x: torch.nn.functional.pad(x, (1, 1), "reflect").sum(),
    "continued at the ends": lambda torch, x: torch.nn.functional.pad(x, (1, 2), "replicate").sum(),
    "cosine": lambda torch, x: torch.nn.functional.cosine_similarity(x, x * 2, 0).sum(),
    "softmax in its own dtype": lambda torch, x: x.softmax(0, dtype=torch.float32).sum(),
    "a target with weights": lambda torch, x: torch.nn.functional.binary_cross_entropy_with_logits(
        x.detach(), x, pos_weight=torch.full((3,), 2.0)
    ),
    "a product of no elements": lambda torch, x: x[:, :0].prod(1).sum(),
    "a vector times a batch": lambda torch, x: (x[0] @ x.expand(2, 2, 3).mT).sum(),
    "a matrix times a batch": lambda torch, x: (x @ x.expand(4, 2, 3).mT).sum(),
    "batches": lambda torch, x: (x.expand(2, 2, 3) @ x.expand(2, 2, 3).mT).sum(),
    "memory seen several times": lambda torch, x: x.as_strided((4, 2), (1, 1)).sum(),
    "an expanded view of memory": lambda torch, x: x.as_strided((4, 1, 2), (0, 1, 1)).sum(),
    "a spectrum of frames": lambda torch, x: (
        torch.stft(x.reshape(6), 4, 2, return_complex=True, window=torch.ones(4)).abs().sum()
    ),
    "quantiles": lambda torch, x: x.quantile(0.3) + x.nanquantile(0.6, 1).sum(),
    "covariance": lambda torch, x: x.cov().sum() + x.corrcoef().sum(),
    "covariance of weights": lambda torch, x: torch.cov(x, fweights=torch.tensor([1, 2, 1])).sum(),
    "a row of what is written to": lambda torch, x: x.clone().t()[0].rsqrt_().sum(),
}


@pytest.mark.parametrize("case", DIFFERENTIABLE)
def test_operators_of_a_function_and_its_gradient(case):
    def program(torch):
        x = torch.full((2, 3), 0.75).add(torch.arange(3.0) / 8).requires_grad_()
        with logging_mode(torch) as mode:
            DIFFERENTIABLE[case](torch, x).backward()
        return mode.log, x.grad

    compare(program)


ONE = {
    "equal": lambda torch, x: torch.equal(x, x),
    "allclose": lambda torch, x: torch.allclose(x, x),
    "isin": lambda torch, x: torch.isin(x, x[0]),
    "isin of a number": lambda torch, x: torch.isin(x, 1.0),
    "to meta": lambda torch, x: x.to("meta").shape,
    "isclose of integers": lambda torch, x: torch.isclose(x.long(), x.long() + 1),
    "isfinite of integers": lambda torch, x: x.long().isfinite(),
    "isreal": lambda torch, x: x.isreal(),
    "spread with a dimension": lambda torch, x: (x.var(1), x.std(0), torch.var_mean(x, 1)),
    "norm": lambda torch, x: (x.norm(), torch.linalg.norm(x), x.norm(2.0, 0)),
    "trapezoid": lambda torch, x: (torch.trapezoid(x), torch.cumulative_trapezoid(x)),
    "combinations": lambda torch, x: torch.combinations(x[0]),
    "inner": lambda torch, x: torch.inner(x, x),
    "einsum": lambda torch, x: torch.einsum("ij,kj->ik", x, x),
    "float_power": lambda torch, x: x.float_power(True),
    "padded": lambda torch, x: torch.nn.functional.pad(x, (1, 1)),
    "elu": lambda torch, x: torch.nn.functional.elu(x),
    "diagonal": lambda torch, x: (x[0].diag(), torch.diag_embed(x, 1, 0, 1)),
    "hinge": lambda torch, x: torch.nn.functional.hinge_embedding_loss(x, x),
    "data": lambda torch, x: x.data.mul_(2),
    "differences of truths": lambda torch, x: torch.diff(x > 0),
    "an index of one truth": lambda torch, x: (
        x[x[0, 0] > 0],
        x[x[0, 0] > 2],
        x[0, 0][x[0, 0] > 0],
    ),
    "a write where one truth says so": lambda torch, x: (
        x.__setitem__(x[0, 0] > 0, 2.0),
        x.__setitem__(x[0, 0] > 5, torch.ones(1, 2, 3)),
    ),
    "resized": lambda torch, x: (x.resize_(2), x.resize_as_(torch.ones(3))),
    "runs": lambda torch, x: torch.unique_consecutive(x),
    "statistics of examples": lambda torch, x: torch.nn.functional.instance_norm(
        torch.stack([x, x * 2], 2), torch.zeros(3), torch.ones(3)
    ),
    "a checkpoint": lambda torch, x: torch.utils.checkpoint.checkpoint(
        torch.sin, x.requires_grad_(), use_reentrant=False
    ),
    "a state of random numbers": lambda torch, x: torch.set_rng_state(torch.get_rng_state()),
    "a device by name": lambda torch, x: torch.zeros_like(x, device="cpu"),
    "made on meta": lambda torch, x: torch.empty(2, device="meta").shape,
}


def compare_logs(function, make):
    """Of ``function(torch, x)`` for the tensor ``make(torch)``: the operators and the result."""

    def program(torch):
        x = make(torch)
        with logging_mode(torch) as mode:
            result = function(torch, x)
        return mode.log, result

    compare(program)


@pytest.mark.parametrize("case", ONE)
def test_what_is_one_operator(case):
    compare_logs(ONE[case], lambda torch: torch.ones(2, 3))


@like_pytorch
def test_two_leaves_do_not_share_a_gradient(torch):
    x, y = torch.ones((), requires_grad=True), torch.ones((), requires_grad=True)
    with logging_mode(torch):
        (x + y).backward()
    x.grad.add_(1)
    return x.grad, y.grad


LIKE_PYTORCHS = {
    "attention": lambda torch, x: torch.nn.functional.scaled_dot_product_attention(x, x, x),
    "attention with a mask": lambda torch, x: torch.nn.functional.scaled_dot_product_attention(
        x, x, x, attn_mask=torch.zeros(3, 3)
    ),
    "attention with dropout": lambda torch, x: torch.nn.functional.scaled_dot_product_attention(
        x, x, x, dropout_p=1.0
    ),
    "attention of one head": lambda torch, x: torch.nn.functional.scaled_dot_product_attention(
        x[0], x[0], x[0], attn_mask=torch.ones(3, 3, dtype=torch.bool)
    ),
    "causal attention of one head": lambda torch, x: (
        torch.nn.functional.scaled_dot_product_attention(x[0], x[0], x[0], is_causal=True)
    ),
    "causal attention": lambda torch, x: torch.nn.functional.scaled_dot_product_attention(
        x, x, x, is_causal=True, scale=0.5
    ),
    "argwhere": lambda torch, x: x.argwhere(),
    "one-hot": lambda torch, x: torch.nn.functional.one_hot(torch.tensor([0, 2]), 3),
    "one-hot of all": lambda torch, x: torch.nn.functional.one_hot(torch.tensor([0, 2])),
    "positive": lambda torch, x: x.positive(),
    "isposinf": lambda torch, x: x.isposinf(),
}


@pytest.mark.parametrize("case", LIKE_PYTORCHS)
def test_what_is_computed_otherwise_here(case):
    compare_logs(LIKE_PYTORCHS[case], lambda torch: torch.arange(24.0).reshape(1, 2, 3, 4) / 24)


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
def test_second_gradients_of_pads(mode):
    def program(torch):
        x = torch.arange(6.0).reshape(2, 3).requires_grad_()
        y = torch.nn.functional.pad(x, (1, 2), mode)
        (grad,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad((grad * grad).sum(), x)
        # PyTorch has no operator for the circular one
        return mode == "circular" or type(grad.grad_fn).__name__, grad, second

    compare(program)


@like_pytorch
def test_statistics_of_examples_are_counted_under_a_mode(torch):
    mean, var = torch.zeros(3), torch.ones(3)
    with logging_mode(torch):
        torch.nn.functional.instance_norm(torch.arange(12.0).reshape(2, 3, 2), mean, var)
    return mean, mean._version, var, var._version


@like_pytorch
def test_a_kernel_in_the_place_of_pytorchs(torch):
    library = importlib.import_module(f"{torch.__name__}.library")
    warnings.simplefilter("ignore")  # PyTorch names places in its sources
    own = library.Library("aten", "IMPL")
    own.impl("mul.Tensor", lambda a, b: a + b, "CPU")
    x = torch.full((2,), 5.0, requires_grad=True)
    inside = x * torch.ones(2)
    (gradient,) = torch.autograd.grad(inside.sum(), x, torch.tensor(3.0))
    own.impl("mul.Tensor", lambda a, b: a.clone(), "CPU")
    newest = x * torch.ones(2)
    own._destroy()
    return inside, gradient, newest, x * torch.ones(2)


@like_pytorch
def test_a_dual_tensor_is_an_alias_of_its_class(torch):
    forward_ad = torch.autograd.forward_ad
    seen = []

    class Told(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            seen.append(str(func))
            return torch.Tensor.__torch_dispatch__(func, types, args, kwargs or {})

    with forward_ad.dual_level():
        forward_ad.make_dual(torch.ones(3).as_subclass(Told), torch.ones(3))
    return seen


STEPS = {
    "sgd": lambda optim, p: optim.SGD([p], momentum=0.9, nesterov=True, weight_decay=0.1),
    "adam": lambda optim, p: optim.Adam([p], amsgrad=True, weight_decay=0.1),
    "adamw": lambda optim, p: optim.AdamW([p]),
    "adamax": lambda optim, p: optim.Adamax([p]),
    "nadam": lambda optim, p: optim.NAdam([p]),
    "radam": lambda optim, p: optim.RAdam([p]),
    "rmsprop": lambda optim, p: optim.RMSprop([p], centered=True, momentum=0.1),
    "adagrad": lambda optim, p: optim.Adagrad([p]),
    "adadelta": lambda optim, p: optim.Adadelta([p]),
    "adafactor": lambda optim, p: optim.Adafactor([p]),
    "asgd": lambda optim, p: optim.ASGD([p]),
    "rprop": lambda optim, p: optim.Rprop([p]),
    "muon": lambda optim, p: optim.Muon([p]),
}


@pytest.mark.parametrize("case", STEPS)
def test_steps_of_optimizers(case):
    def program(torch):
        p = torch.tensor([[1.0, -2.0], [0.5, 3.0]], requires_grad=True)
        optimizer = STEPS[case](torch.optim, p)
        with logging_mode(torch) as mode:
            for sign in (1, -1, 0):
                p.grad = torch.tensor([[1.0, 2.0], [-3.0, 0.5]]) * sign
                optimizer.step()
        return mode.log, p

    compare(program, tolerance=1e-5)


@like_pytorch
def test_labels_of_profiles_are_seen(torch):
    tracing = importlib.import_module(f"{torch.__name__}.fx.experimental.proxy_tensor")
    p = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.SGD([p])

    def doubled(x):
        with torch.profiler.record_function("twice"):
            return x * 2

    with logging_mode(torch) as mode:
        optimizer.zero_grad()
        doubled(p).sum().backward()
        optimizer.step()
    traced = tracing.make_fx(doubled)(torch.ones(2))
    return mode.log, traced.code, traced(torch.ones(2))


@like_pytorch
def test_lists_are_clipped_by_operators_over_lists(torch):
    layer = torch.nn.Linear(2, 2)
    for p in layer.parameters():
        p.grad = torch.ones_like(p)
    with logging_mode(torch) as mode:
        total = torch.nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
        torch.nn.utils.clip_grad_value_(layer.parameters(), 0.1)
    return mode.log, total, [p.grad for p in layer.parameters()]


NETWORKS = {
    "dropout for selu": lambda torch, x: torch.nn.functional.alpha_dropout(x[0], 0.5, True),
    "a cell": lambda torch, x: torch.nn.RNNCell(4, 3)(x[0]),
    "a gated cell": lambda torch, x: torch.nn.GRUCell(4, 3)(x[0]),
    "normalization": lambda torch, x: torch.nn.BatchNorm1d(4)(x[0]),
    "a layer of what is transposed": lambda torch, x: torch.nn.Linear(4, 3)(x.transpose(0, 1)),
    "a network of batches": lambda torch, x: torch.nn.RNN(4, 3, batch_first=True)(x)[0],
    "a transformer": lambda torch, x: torch.nn.TransformerEncoderLayer(4, 2, 8, 0.0)(x),
    "a plain network": lambda torch, x: torch.nn.RNN(4, 3)(x)[0],
}


@pytest.mark.parametrize("case", NETWORKS)
def test_what_networks_are_made_of(case):
    def program(torch):
        torch.manual_seed(0)
        x = torch.arange(24.0).reshape(2, 3, 4).sin()
        with logging_mode(torch) as mode:
            result = NETWORKS[case](torch, x)
        return mode.log, result

    compare(program, tolerance=1e-5)
