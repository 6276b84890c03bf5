"""Functions without a batching rule in PyTorch: called for each sample, with a warning, or refused."""

import importlib
import re
import warnings

import pytest

from tests.both import compare

NAME = re.compile(r"batching rule for (\S+)\. Please")


def told(torch, function, *inputs, **options):
    """What `vmap` of a function gives, with its strides, or its error, and the operators it warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = torch.vmap(function, **options)(*inputs)
            parts = [result] if isinstance(result, torch.Tensor) else list(result)
            outcome = [(t.stride(), t) for t in parts]
        except Exception as error:
            outcome = type(error).__name__, str(error)
    found = [m[1] for w in caught if (m := NAME.search(str(w.message)))]
    return outcome, list(dict.fromkeys(found))


def matrices(torch):
    return torch.arange(1.0, 13.0).view(2, 2, 3)


def in_place(name, *values):
    return lambda torch, x: getattr(x.clone(), name)(*values)


FUNCTIONS = {
    "isclose": lambda torch, x: torch.isclose(x, x + 1e-9),
    "isin": lambda torch, x: torch.isin(x, torch.tensor([1.0, 7.0])),
    "quantile": lambda torch, x: torch.quantile(x, 0.3),
    "quantile of tensors": lambda torch, x: torch.quantile(x, torch.tensor([0.3, 0.5])),
    "nanquantile": lambda torch, x: x.nanquantile(0.5, 0),
    "kl_div": lambda torch, x: torch.nn.functional.kl_div(x.log(), x, reduction="sum"),
    "bilinear": lambda torch, x: torch.nn.functional.bilinear(x, x, torch.ones(1, 3, 3)),
    "gradient of bilinear": lambda torch, x: torch.func.grad(
        lambda y: torch.nn.functional.bilinear(y, y, torch.ones(1, 3, 3)).sum()
    )(x),
    "margin_ranking_loss": lambda torch, x: torch.nn.functional.margin_ranking_loss(x, x + 1, x),
    "triplet_margin_loss": lambda torch, x: torch.nn.functional.triplet_margin_loss(x, x + 1, x),
    "multi_margin_loss": lambda torch, x: torch.nn.functional.multi_margin_loss(
        x, torch.tensor([0, 1])
    ),
    "gradient of multi_margin_loss": lambda torch, x: torch.func.grad(
        lambda y: torch.nn.functional.multi_margin_loss(y, torch.tensor([0, 1]))
    )(x),
    "multilabel_margin_loss": lambda torch, x: torch.nn.functional.multilabel_margin_loss(
        x, torch.tensor([[0, 1, -1], [2, -1, 0]])
    ),
    "gradient of multilabel_margin_loss": lambda torch, x: torch.func.grad(
        lambda y: torch.nn.functional.multilabel_margin_loss(
            y, torch.tensor([[0, 1, -1], [2, -1, 0]])
        )
    )(x),
    "pdist": lambda torch, x: torch.pdist(x),
    "gradient of pdist": lambda torch, x: torch.func.grad(lambda y: torch.pdist(y).sum())(x),
    "max_unpool1d": lambda torch, x: torch.nn.functional.max_unpool1d(
        x.unsqueeze(0), torch.tensor([[[0, 2, 4], [1, 3, 5]]]), 2
    ),
    "embedding_bag": lambda torch, x: torch.nn.functional.embedding_bag(
        x.long() % 3, torch.ones(3, 2)
    ),
    "gradient of embedding_bag": lambda torch, x: torch.func.grad(
        lambda y: torch.nn.functional.embedding_bag(torch.tensor([[0, 1]]), y).sum()
    )(x),
    "tangent of glu": lambda torch, x: torch.func.jvp(
        lambda y: torch.nn.functional.glu(y, 0), (x,), (x,)
    ),
    "samples of tangents of glu": lambda torch, x: torch.func.jacfwd(
        lambda y: torch.nn.functional.glu(y, 0)
    )(x),
    "to_dense": lambda torch, x: x.to_dense(),
    "coalesce": lambda torch, x: x.coalesce(),
    "sparse.mm": lambda torch, x: torch.sparse.mm(torch.eye(2).to_sparse(), x),
    "segment_reduce": lambda torch, x: torch.segment_reduce(x, "sum", lengths=torch.tensor([1, 1])),
    "histogram": lambda torch, x: torch.histogram(x, 3),
    "histogramdd": lambda torch, x: torch.histogramdd(x, 3),
    "stft": lambda torch, x: torch.view_as_real(
        torch.stft(x.flatten(), 4, window=torch.ones(4), return_complex=True)
    ),
    "diagflat": lambda torch, x: torch.diagflat(x),
    "vander": lambda torch, x: torch.vander(x[0]),
    "argwhere": lambda torch, x: torch.argwhere(x),
    "repeat_interleave": lambda torch, x: torch.repeat_interleave(x[0].long() * 0 + 2),
    "linalg.cond": lambda torch, x: torch.linalg.cond(x[:, :2], "fro"),
    "linalg.matrix_rank": lambda torch, x: torch.linalg.matrix_rank(x, torch.tensor(0.1)),
    "weight_norm": lambda torch, x: torch._weight_norm(x, torch.ones(2, 1), 0),
    "channel_shuffle": lambda torch, x: torch.native_channel_shuffle(x.view(1, 2, 3, 1), 2),
    "square_": in_place("square_"),
    "clip_": in_place("clip_", 2.0),
    "fix_": in_place("fix_"),
    "negative_": in_place("negative_"),
    "subtract_": in_place("subtract_", 2.0),
    "greater_": in_place("greater_", 2.0),
    "not_equal_": lambda torch, x: x.clone().not_equal_(x),
    "float_power_": lambda torch, x: x.double().float_power_(2),
    "float_power_ of what has no batch": lambda torch, x: torch.ones(
        2, 3, dtype=torch.float64
    ).float_power_(x),
    "fill_diagonal_": in_place("fill_diagonal_", 0.5),
    "as_strided_": in_place("as_strided_", (2,), (1,)),
    "addmm_": lambda torch, x: torch.ones(2, 2).expand(2, 2).clone().addmm_(x, x.T),
    "moveaxis of ints": lambda torch, x: x.moveaxis(0, 1),
    "moveaxis of tuples": lambda torch, x: x.moveaxis((0,), (1,)),
    "narrow from a tensor": lambda torch, x: torch.narrow(x, 0, torch.tensor(0), 1),
    "tensor_split at a tensor": lambda torch, x: torch.tensor_split(x, torch.tensor([1])),
    "column_stack": lambda torch, x: torch.column_stack([x, x]),
    "chain_matmul": lambda torch, x: torch.chain_matmul(x, x.mT),
    "pad_sequence": lambda torch, x: torch.nn.utils.rnn.pad_sequence([x, x]),
    "is_set_to": lambda torch, x: x.is_set_to(x),
    "is_pinned": lambda torch, x: x.is_pinned(),
    "nonzero": lambda torch, x: torch.nonzero(x),
    "nonzero as a tuple": lambda torch, x: torch.nonzero(x, as_tuple=True),
    "where of a condition": lambda torch, x: torch.where(x > 1),
    "rrelu": lambda torch, x: torch.nn.functional.rrelu(x),
    "rrelu_": lambda torch, x: torch.nn.functional.rrelu(x.clone(), inplace=True),
    "gradient of rrelu": lambda torch, x: torch.func.grad(
        lambda y: torch.nn.functional.rrelu(y).sum()
    )(x),
    "interpolate to the exactly nearest": lambda torch, x: torch.nn.functional.interpolate(
        x.unsqueeze(0), scale_factor=2, mode="nearest-exact"
    ),
    "gradient of interpolate": lambda torch, x: torch.func.grad(
        lambda y: torch.nn.functional.interpolate(y[None], size=4, mode="nearest-exact").sum()
    )(x),
    "attention": lambda torch, x: torch.nn.functional.scaled_dot_product_attention(
        *(x.expand(1, 1, 2, 3),) * 3
    ),
    "covariance of weights": lambda torch, x: torch.cov(x, aweights=x[0]),
    "maximum of what is no sample": lambda torch, x: torch.func.vjp(torch.max, x)[1](
        torch.tensor(1.0)
    )[0],
    "median of what is no sample": lambda torch, x: torch.func.vjp(torch.median, x)[1](
        torch.tensor(1.0)
    )[0],
    "gradient of masked_select": lambda torch, x: torch.func.vjp(
        lambda y: y.masked_select(torch.tensor([True, False, True])), x
    )[1](torch.ones(4))[0],
    "segments of wrong offsets": lambda torch, x: torch.segment_reduce(
        x[:, 0], "sum", offsets=torch.tensor([2, 0])
    ),
    "conj_physical": lambda torch, x: torch.view_as_real(torch.complex(x, x).conj_physical()),
    "conj_physical of reals": lambda torch, x: x.conj_physical(),
    "polynomial": lambda torch, x: torch.special.hermite_polynomial_h(x, 2),
    "jacobian of cummax": lambda torch, x: torch.func.jacrev(lambda y: y.cummax(0)[0])(x),
    "gradient of cummin": lambda torch, x: torch.func.grad(lambda y: y.cummin(0)[0].sum())(x),
    "vector and jacobian of cummin": lambda torch, x: torch.func.vjp(lambda y: y.cummin(0)[0], x)[
        1
    ](x)[0],
    "maximum of all": lambda torch, x: torch.func.grad(lambda y: y.max())(x),
    "trace": lambda torch, x: torch.func.grad(lambda y: y.trace())(x),
}


@pytest.mark.parametrize("dim", [0, -1])
@pytest.mark.parametrize("case", FUNCTIONS)
def test_a_function(case, dim):
    def program(torch):
        x = matrices(torch).movedim(0, dim)
        return told(torch, lambda sample: FUNCTIONS[case](torch, sample), x, in_dims=dim)

    compare(program, tolerance=1e-5)


@pytest.mark.parametrize("case", ["isclose", "pdist", "square_", "quantile", "polynomial"])
def test_there_are_no_samples(case):
    def program(torch):
        return told(torch, lambda sample: FUNCTIONS[case](torch, sample), torch.ones(0, 2, 3))

    compare(program)


@pytest.mark.parametrize("case", ["isclose", "kl_div", "bilinear", "square_", "clip_"])
def test_nested(case):
    def program(torch):
        inner = torch.vmap(lambda sample: FUNCTIONS[case](torch, sample), in_dims=1)
        result, names = told(torch, inner, matrices(torch).unsqueeze(0).expand(2, 2, 2, 3).clone())
        return result, sorted(set(names))

    compare(program, tolerance=1e-5)


GRADIENTS = {
    "unfold": lambda torch, x: x.unfold(0, 2, 1),
    "take": lambda torch, x: x.take(torch.tensor([0, 1])),
    "margin": lambda torch, x: torch.nn.functional.multi_margin_loss(
        x.view(2, 3), torch.tensor([0, 1])
    ),
}


@pytest.mark.parametrize("case", GRADIENTS)
def test_the_older_vmap_does_not_warn(case):
    def program(torch):
        x = torch.arange(1.0, 7.0)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return torch.autograd.functional.jacobian(
                lambda y: GRADIENTS[case](torch, y), x, vectorize=True
            )

    compare(program)


OLDER = {
    "atan2": lambda torch, x: torch.atan2(x, x),
    "sin": lambda torch, x: torch.sin(x),
    "maximum": lambda torch, x: torch.maximum(x, x),
    "nonzero": lambda torch, x: torch.nonzero(x),
    "add_": lambda torch, x: torch.ones(3).add_(x),
    "mul_": lambda torch, x: torch.ones(3).mul_(x),
}


@pytest.mark.parametrize("case", OLDER)
def test_the_older_vmap_warns_on_request(case):
    def program(torch):
        older = importlib.import_module(f"{torch.__name__}._vmap_internals").vmap
        before = torch._C._debug_only_are_vmap_fallback_warnings_enabled()
        torch._C._debug_only_display_vmap_fallback_warnings(True)
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                result = older(lambda y: OLDER[case](torch, y))(torch.ones(2, 3))
        finally:
            torch._C._debug_only_display_vmap_fallback_warnings(False)
        return before, result, [str(w.message).split(" (Triggered")[0] for w in caught]

    compare(program)


@pytest.mark.parametrize("other", [2, 2.5, True])
def test_isclose_with_a_number_is_an_error_and_no_slow_call(other):
    compare(lambda torch: torch.vmap(lambda x: torch.isclose(x, other))(torch.ones(2, 3)))

    def caught(torch):
        try:
            torch.vmap(lambda x: torch.isclose(x, other))(torch.ones(2, 3))
        except TypeError:
            return "raised"

    compare(caught)  # with the warnings


@pytest.mark.parametrize("recorded", [True, False])
def test_the_derivative_of_mish_has_a_rule_if_it_is_recorded(recorded):
    def program(torch):
        def pulled(x):
            pull = torch.func.vjp(torch.nn.functional.mish, x)[1]
            with torch.set_grad_enabled(recorded):
                return pull(torch.ones(3))[0]

        return told(torch, pulled, torch.ones(2, 3))

    compare(program)
