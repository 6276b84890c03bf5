"""A sample of a batch gets the very numbers that the call on the whole batch gets."""

import platform

import pytest

import minitorch as torch
from minitorch.func import jacrev, jvp, vjp, vmap
from minitorch.nn import functional as F

pytestmark = pytest.mark.skipif(
    platform.machine() not in ("x86_64", "AMD64"),
    reason="elsewhere the products are those of BLAS, which may round a sum with a start otherwise",
)


def layer(samples, outputs, inputs, dtype=torch.float32):
    torch.manual_seed(0)
    numbers = (samples + (inputs,), (outputs, inputs), (outputs,))
    return [torch.randn(*shape, dtype=dtype) for shape in numbers]


MATRICES = {
    "linear": lambda x, w, b: F.linear(x, w, b),
    "linear inside of vjp": lambda x, w, b: vjp(lambda x: F.linear(x, w, b), x)[0],
    "linear inside of jvp": lambda x, w, b: jvp(lambda x: F.linear(x, w, b), (x,), (x,))[0],
    "addmm": lambda x, w, b: torch.addmm(b, x, w.t()),
}
VECTORS = {
    "linear": lambda x, w, b: F.linear(x, w, b),
    "addmv": lambda x, w, b: torch.addmv(b, w, x),
}
SIZES = [(64, 33, 31), (16, 128, 300), (3, 7, 5)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("name", MATRICES)
def test_a_layer_of_matrices(name, sizes, dtype):
    samples, outputs, inputs = sizes
    x, w, b = layer((samples, 4), outputs, inputs, dtype)
    assert torch.equal(vmap(MATRICES[name], (0, None, None))(x, w, b), F.linear(x, w, b))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("name", VECTORS)
def test_a_layer_of_vectors(name, sizes, dtype):
    samples, outputs, inputs = sizes
    x, w, b = layer((samples,), outputs, inputs, dtype)
    assert torch.equal(vmap(VECTORS[name], (0, None, None))(x, w, b), F.linear(x, w, b))


def test_the_jacobian_of_samples_is_that_of_their_sum():
    x, w, b = layer((64,), 33, 31)

    def predict(w, b, x):
        return F.linear(x, w, b).tanh()

    one_by_one = vmap(jacrev(predict, argnums=2), in_dims=(None, None, 0))(w, b, x)
    summed = jacrev(lambda x: predict(w, b, x).sum(0))(x).movedim(1, 0)
    assert torch.equal(one_by_one, summed)
