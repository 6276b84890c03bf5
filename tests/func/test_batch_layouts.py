"""How `vmap` lays out what it computes, in which order it draws, and what it says of wrong sizes."""

import warnings

import pytest

from tests.both import compare, like_pytorch


def images(torch):
    return torch.linspace(-1, 1, 48).view(1, 3, 4, 4)


def grids(torch):
    return torch.linspace(-1, 1, 16).view(1, 2, 4, 2)


LAYOUTS = {
    "zeros_like": lambda torch, x: torch.zeros_like(x),
    "full_like": lambda torch, x: torch.full_like(x, 2.0),
    "contiguous ones_like": lambda torch, x: torch.ones_like(
        x, memory_format=torch.contiguous_format
    ),
    "new_zeros": lambda torch, x: x.new_zeros(x.shape),
    "mv": lambda torch, x: torch.mv(torch.ones(4, 3), x[0]),
    "addr": lambda torch, x: torch.addr(x, torch.ones(2), torch.ones(3), beta=2, alpha=3),
    "addmm": lambda torch, x: torch.addmm(torch.ones(2, 2), x, x.mT, beta=0.5, alpha=2),
    "select_scatter": lambda torch, x: x.select_scatter(torch.zeros(3), 0, 1),
    "grid_sample": lambda torch, x: torch.nn.functional.grid_sample(
        images(torch) * x[0, 0], grids(torch), align_corners=False
    ),
    "grid_sample of grids": lambda torch, x: torch.nn.functional.grid_sample(
        images(torch), grids(torch) * x[0, 0] / 12, align_corners=False
    ),
    "layer_norm with a weight": lambda torch, x: torch.native_layer_norm(
        torch.ones(2, 3), (3,), x[0], None, 1e-5
    ),
    "maximum": lambda torch, x: torch.func.grad(lambda y: (y * 0).max())(x),
    "searchsorted": lambda torch, x: torch.searchsorted(x, torch.tensor([[2.0], [5.0]])),
    "bucketize": lambda torch, x: torch.bucketize(torch.tensor([[2.0], [5.0]]), x[0]),
}


LEAST_SQUARES = {
    "both": (lambda torch, a, b: torch.linalg.lstsq(a, b), (0, 0)),
    "the matrix": (lambda torch, a, b: torch.linalg.lstsq(a, b[0]), (0, None)),
    "the matrix, of many": (lambda torch, a, b: torch.linalg.lstsq(a, b), (0, None)),
    "the right side": (lambda torch, a, b: torch.linalg.lstsq(a[0], b), (None, 0)),
    "the right side, of many": (lambda torch, a, b: torch.linalg.lstsq(a, b), (None, 0)),
    "a driver": (lambda torch, a, b: torch.linalg.lstsq(a, b, driver="gelsd"), (0, 0)),
    "another size": (lambda torch, a, b: torch.linalg.lstsq(a, b[0, :3]), (0, None)),
    "a vector": (lambda torch, a, b: torch.linalg.lstsq(a, b[0, :, 0]), (0, None)),
    "vectors": (lambda torch, a, b: torch.linalg.lstsq(a, b[:, 0]), (0, 0)),
    "a number": (lambda torch, a, b: torch.linalg.lstsq(a, b.sum()), (0, 0)),
}


@pytest.mark.parametrize("case", LEAST_SQUARES)
def test_least_squares(case):
    def program(torch):
        function, in_dims = LEAST_SQUARES[case]
        a, b = torch.arange(24.0).view(2, 4, 3).sin(), torch.arange(16.0).view(2, 4, 2).cos()
        found = torch.vmap(lambda a, b: tuple(function(torch, a, b)), in_dims)(a, b)
        return found, [part.stride() for part in found]

    compare(program, tolerance=1e-4)


@pytest.mark.parametrize("dim", [0, -1])
@pytest.mark.parametrize("case", LAYOUTS)
def test_layout(case, dim):
    def program(torch):
        x = torch.arange(1.0, 13.0).view(2, 2, 3).movedim(0, dim).contiguous()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return torch.vmap(lambda y: LAYOUTS[case](torch, y), in_dims=dim)(x)

    compare(program, tolerance=1e-5)


def test_equal_extremes_have_one_gradient():
    def program(torch):
        x = torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, float("nan")]], requires_grad=True)
        both = torch.vmap(torch.max)(x) + torch.vmap(torch.min)(x)
        return torch.autograd.grad(both.sum(), x)

    compare(program)


DRAWN = {
    "rand_like": lambda torch, x: torch.rand_like(x),
    "randn_like": lambda torch, x: torch.randn_like(x),
    "randint_like": lambda torch, x: torch.randint_like(x, 9),
    "bernoulli_": lambda torch, x: torch.empty_like(x).bernoulli_(0.5),
    "dropout": lambda torch, x: torch.nn.functional.dropout(x, 0.5),
    "alpha_dropout": lambda torch, x: torch.nn.functional.alpha_dropout(x, 0.5, True),
    "gumbel_softmax": lambda torch, x: torch.nn.functional.gumbel_softmax(x),
    "nested": lambda torch, x: torch.vmap(
        lambda y: torch.rand_like(y), in_dims=1, randomness="different"
    )(x),
    "equal inside": lambda torch, x: torch.vmap(
        lambda y: torch.rand_like(y), in_dims=1, randomness="same"
    )(x),
}


@pytest.mark.parametrize("randomness", ["same", "different"])
@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("case", DRAWN)
def test_the_order_in_which_is_drawn(case, dim, randomness):
    def program(torch):
        torch.manual_seed(3)
        x = torch.arange(1.0, 9.0).view(2, 2, 2)
        function = torch.vmap(lambda y: DRAWN[case](torch, y), in_dims=dim, randomness=randomness)
        return function(x)

    compare(program, tolerance=1e-5)


MISTAKES = {
    "mm of vectors": lambda torch, x: torch.mm(x, torch.ones(3)),
    "mm": lambda torch, x: torch.mm(x, torch.ones(2, 3)),
    "mm of both": lambda torch, x: torch.mm(x, x),
    "mm of dtypes": lambda torch, x: torch.mm(x, torch.ones(3, 2, dtype=torch.float64)),
    "bmm": lambda torch, x: torch.bmm(x, x),
    "mv": lambda torch, x: torch.mv(x, torch.ones(4)),
    "mv of a batch of vectors": lambda torch, x: torch.mv(torch.ones(2, 2), x[0]),
    "dot": lambda torch, x: torch.dot(x[0], torch.ones(4)),
    "dot of matrices": lambda torch, x: torch.dot(x, x),
    "addmm": lambda torch, x: torch.addmm(torch.ones(4, 4), x, x.mT),
    "addr": lambda torch, x: torch.addr(torch.ones(2, 2), x[0], x[1]),
    "addr of matrices": lambda torch, x: torch.addr(torch.ones(2, 2), x, x[1]),
    "layer_norm": lambda torch, x: torch.nn.functional.layer_norm(torch.ones(2, 3), (3,), x),
    "select_scatter": lambda torch, x: x.select_scatter(torch.zeros(3).double(), 0, 1),
    "index_copy": lambda torch, x: x.index_copy(0, torch.tensor([0]), torch.ones(1, 3).double()),
    "channels_last": lambda torch, x: x.view(1, 1, 2, 3).contiguous(
        memory_format=torch.channels_last
    ),
    "add_": lambda torch, x: torch.zeros(3).add_(x[0]),
    "copysign_": lambda torch, x: torch.zeros(2).copysign_(x[:, 0]),
    "add_ inside": lambda torch, x: torch.vmap(lambda y: torch.zeros(3).add_(y))(x),
    "add_ to another batch": lambda torch, x: torch.vmap(lambda y: x[0].clone().add_(y))(x),
    "heaviside of dtypes": lambda torch, x: torch.heaviside(x[0, 0], torch.ones(2).double()),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case):
    def program(torch):
        return torch.vmap(lambda y: MISTAKES[case](torch, y))(torch.arange(1.0, 13.0).view(2, 2, 3))

    compare(program)


@like_pytorch
def test_chunks_of_what_has_no_batch(torch):
    function = torch.vmap(lambda x: (x, x.sum()), in_dims=1, out_dims=(1, 0), chunk_size=2)
    return function(torch.arange(15.0).view(3, 5))


SEEN = {
    "a number to compare with": lambda torch, x: x > 2,
    "a number on the left": lambda torch, x: 2 > x,
    "a tensor to compare with": lambda torch, x: x > torch.ones(2, 3),
    "fmod": lambda torch, x: x.fmod(2),
    "remainder": lambda torch, x: x % 2,
    "rsub": lambda torch, x: 1 - x,
    "xlogy": lambda torch, x: torch.xlogy(x, 2),
    "a power of a number": lambda torch, x: 2**x,
    "isfinite": lambda torch, x: torch.isfinite(x),
    "frexp": lambda torch, x: torch.frexp(x).mantissa,
    "logsigmoid": lambda torch, x: torch.nn.functional.logsigmoid(x),
    "conj": lambda torch, x: torch.complex(x, x).conj(),
    "view_as_real": lambda torch, x: torch.view_as_real(torch.complex(x, x)),
    "places in front": lambda torch, x: x[torch.tensor([0, 1])],
    "places behind": lambda torch, x: x[..., torch.tensor([0, 1])],
    "places apart": lambda torch, x: x[:, None, torch.tensor([0, 1])],
    "a mask": lambda torch, x: x[:, torch.tensor([True, False, True])],
    "index_fill": lambda torch, x: x.index_fill(0, torch.tensor([0]), 2.0),
    "index_add": lambda torch, x: x.index_add(0, torch.tensor([0]), x[:1]),
    "kron": lambda torch, x: torch.kron(x, x),
    "kron of a row": lambda torch, x: torch.kron(x[0], torch.ones(2)),
    "_unsafe_view": lambda torch, x: torch.ops.aten._unsafe_view(x, [3, 2]),
}


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("case", SEEN)
def test_strides_that_a_program_sees(case, dim):
    def program(torch):
        seen = []

        def f(y):
            result = SEEN[case](torch, y)
            seen.append(result.stride())
            return result * 1

        x = torch.arange(1.0, 13.0).view(2, 2, 3).movedim(0, dim).contiguous()
        torch.vmap(f, in_dims=dim)(x)
        return seen

    compare(program)


@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("place", [-3, -1, 0, 1, 2])
def test_a_dimension_that_is_put_into_the_batch_itself(place, dim):
    def program(torch):
        x = torch.arange(24.0).view(2, 3, 4)
        result = torch.vmap(lambda y: y.unsqueeze_(place) * 1, in_dims=dim)(x)
        return x, result

    compare(program)


@pytest.mark.parametrize("shape", [(0, 3), (0,), (0, 2, 3), (2, 0)])
@pytest.mark.parametrize(
    "name", ["sum", "prod", "max", "median", "nanmedian", "argmax", "amax", "std", "all", "aminmax"]
)
def test_reductions_of_no_samples_and_of_no_elements(name, shape):
    compare(lambda torch: torch.vmap(getattr(torch, name))(torch.zeros(shape)))


@pytest.mark.parametrize("dim", [None, 0, -1, 1, -3])
@pytest.mark.parametrize("shape", [(2,), (2, 3), (2, 3, 4), (2, 0), (2, 3, 0)])
def test_the_least_and_greatest_of_a_sample(shape, dim):
    def program(torch):
        x = torch.ones(shape).cumsum(0).sin()
        least, greatest = torch.vmap(lambda x: torch.aminmax(x, dim=dim))(x)
        slope = torch.vmap(torch.func.grad(lambda x: torch.aminmax(x, dim=dim)[1].sum()))(x)
        return least, greatest, slope

    compare(program)
