"""Places along a dimension, inside of `vmap`: what is refused, and how, is said by the operators that PyTorch takes."""

import pytest

from tests.both import compare

OPERATORS = {
    "index_fill": lambda torch, t, dim, index: t.index_fill(dim, index, 2.0),
    "index_fill of a tensor": lambda torch, t, dim, index: t.index_fill(
        dim, index, torch.tensor(2.0)
    ),
    "index_fill_": lambda torch, t, dim, index: t.clone().index_fill_(dim, index, 2.0),
    "index_select": lambda torch, t, dim, index: t.index_select(dim, index),
    "index_add": lambda torch, t, dim, index: t.index_add(dim, index, _one(t, dim)),
    "index_add_": lambda torch, t, dim, index: t.clone().index_add_(dim, index, _one(t, dim)),
    "index_copy": lambda torch, t, dim, index: t.index_copy(dim, index, _one(t, dim) * 2),
    "gather": lambda torch, t, dim, index: t.gather(dim, index),
    "scatter_add": lambda torch, t, dim, index: t.scatter_add(dim, index, t.reshape(-1)[:1]),
}
INDICES = {
    "fits": [0],
    "the last": [-1],
    "too large": [9],
    "too small": [-9],
    "two dimensions": [[0]],
    "none": [],
    "a number": 0,
}


def _one(t, dim):
    return t.narrow(dim, 0, 1) if t.dim() else t


def _told(function):
    """The result, or the error, whose text names the library's own class of sizes."""
    try:
        return function()
    except (RuntimeError, IndexError, ValueError, AssertionError) as error:
        return type(error).__name__, str(error).replace("minitorch", "torch")


@pytest.mark.parametrize("batch", [0, -1])
@pytest.mark.parametrize("shape", [(), (3,), (3, 4)])
@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("name", OPERATORS)
def test_places_along_a_dimension(name, index, shape, batch):
    def program(torch):
        t = torch.arange(24.0)[: 2 * max(1, _numel(shape))].reshape(2, *shape).movedim(0, batch)
        given = torch.tensor(INDICES[index], dtype=torch.int64)
        found = []
        for dim in (0, -1, 1):
            found.append(
                _told(
                    lambda dim=dim: torch.vmap(
                        lambda sample: OPERATORS[name](torch, sample, dim, given), in_dims=batch
                    )(t).contiguous(),
                )
            )
        return found

    compare(program)


def _numel(shape):
    return shape[0] * _numel(shape[1:]) if shape else 1


@pytest.mark.parametrize("dtype", ["float32", "int32"])
@pytest.mark.parametrize("name", ["index_fill", "index_add", "index_select"])
def test_the_dtype_of_places(name, dtype):
    def program(torch):
        index = torch.zeros(1, dtype=getattr(torch, dtype))
        return _told(
            lambda: torch.vmap(lambda t: OPERATORS[name](torch, t, 0, index))(torch.ones(2, 3)),
        )

    compare(program)


def test_more_places_than_dimensions():
    def program(torch):
        index = torch.tensor([0])
        return [
            _told(
                lambda f=f: torch.vmap(lambda t: f(t, (index, index), torch.tensor(5.0)))(
                    torch.ones(2, 3)
                ),
            )
            for f in (torch.index_put, lambda t, *given: t.clone().index_put_(*given))
        ]

    compare(program)


WITHOUT_DIMENSIONS = {
    "split": lambda torch, t: t.split(1),
    "split at sizes": lambda torch, t: t.split([1]),
    "flip": lambda torch, t: t.flip(0),
    "roll": lambda torch, t: t.roll(1, 0),
    "tril": lambda torch, t: t.tril(),
    "triu": lambda torch, t: t.triu(),
    "select_scatter": lambda torch, t: t.select_scatter(t, 0, 0),
    "slice_scatter": lambda torch, t: t.slice_scatter(t, 0),
    "select_scatter of a number": lambda torch, t: torch.zeros(3).select_scatter(t, 0, 1),
    "view_as_complex": lambda torch, t: torch.view_as_complex(t),
    "index_put": lambda torch, t: t.index_put((torch.tensor([0]),), t),
    "gather": lambda torch, t: t.gather(0, torch.zeros(2, dtype=torch.int64)),
    "scatter": lambda torch, t: t.scatter(0, torch.zeros(1, dtype=torch.int64), 2.0),
    "scatter_": lambda torch, t: t.clone().scatter_add_(0, torch.tensor([0]), t[None]),
}


@pytest.mark.parametrize("case", WITHOUT_DIMENSIONS)
def test_samples_without_dimensions(case):
    compare(
        lambda torch: _told(
            lambda: torch.vmap(lambda t: WITHOUT_DIMENSIONS[case](torch, t))(
                torch.tensor([1.0, 2.0])
            ),
        )
    )


@pytest.mark.parametrize(
    "shape, classes",
    [
        ((3,), ()),
        ((4, 3), (4,)),
        ((2, 3, 4), (2, 4)),
        ((3,), (1,)),
        ((3,), (2, 1)),
        ((2, 3), (3,)),
        ((2, 0), (2,)),
        ((), ()),
    ],
)
@pytest.mark.parametrize("in_dims", [(0, 0, None), (0, None, 0), (None, 0, None)])
def test_classes_of_samples(shape, classes, in_dims):
    def program(torch):
        scores = torch.arange(2.0 * _numel(shape)).sin().reshape(2, *shape)
        target = (torch.arange(2 * _numel(classes)) % 3).reshape(2, *classes)
        weight = torch.tensor([[0.5, 1.0, 2.0], [1.0, 3.0, 0.1]])
        given = [
            t if d == 0 else t[0] for t, d in zip((scores, target, weight), in_dims, strict=True)
        ]
        functional, found = torch.nn.functional, []
        for loss in (functional.nll_loss, functional.cross_entropy):
            for options in (
                {},
                {"ignore_index": 1},
                {"reduction": "none"},
                {"reduction": "sum"},
            ):

                def f(a, b, w, loss=loss, options=options):
                    return loss(a, b, **options), loss(a, b, weight=w, **options)

                found.append(_told(lambda f=f: torch.vmap(f, in_dims)(*given)))
                found.append(
                    _told(
                        lambda f=f: torch.vmap(
                            torch.func.grad(lambda *xs: sum(t.sum() for t in f(*xs))), in_dims
                        )(*given),
                    )
                )
        return found

    compare(program, 1e-5)
