"""`orthogonal_`, `dirac_`, `sparse_`, and the names of initializers without an underscore."""

import pytest

from tests.both import compare

OLD_NAMES = """uniform normal constant eye dirac xavier_uniform xavier_normal kaiming_uniform kaiming_normal
    orthogonal sparse""".split()
FURTHER = {"constant": (2.5,), "sparse": (0.3,)}


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 4), (3, 2, 2), (2, 2, 3), (1, 7), (0, 3)])
@pytest.mark.parametrize("gain", [1, 0.5])
def test_orthogonal(shape, gain):
    def program(torch):
        torch.manual_seed(3)
        w = torch.empty(shape, requires_grad=True)
        assert torch.nn.init.orthogonal_(w, gain) is w
        return w, torch.rand(2)

    compare(program, tolerance=1e-5)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_orthogonal_with_a_generator_into_a_transposed_weight(dtype):
    def program(torch):
        w = torch.zeros(4, 6, dtype=getattr(torch, dtype)).t()
        return torch.nn.init.orthogonal_(w, generator=torch.Generator().manual_seed(1))

    compare(program, tolerance=1e-5)


@pytest.mark.parametrize("shape", [(4, 2, 3), (2, 4, 5), (4, 4, 3, 2), (2, 2, 3, 3, 4), (6, 2, 1)])
@pytest.mark.parametrize("groups", [1, 2, 3])
def test_dirac(shape, groups):
    def program(torch):
        return torch.nn.init.dirac_(torch.ones(shape, requires_grad=True), groups)

    compare(program)


@pytest.mark.parametrize("sparsity", [0, 0.1, 0.5, 1])
def test_sparse(sparsity):
    def program(torch):
        torch.manual_seed(5)
        w = torch.nn.init.sparse_(torch.empty(7, 4), sparsity, std=2.0)
        return w, torch.nn.init.sparse_(
            torch.empty(3, 3), sparsity, generator=torch.Generator().manual_seed(1)
        )

    compare(program)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 3, 4), (1, 1, 1, 1, 1, 1)])
@pytest.mark.parametrize("name", ["orthogonal_", "dirac_", "sparse_"])
def test_shapes_that_are_refused(name, shape):
    def program(torch):
        arguments = (0.5,) if name == "sparse_" else ()
        torch.manual_seed(0)
        return getattr(torch.nn.init, name)(torch.empty(shape), *arguments)

    compare(program, tolerance=1e-5)


@pytest.mark.parametrize("name", OLD_NAMES)
def test_old_names(name):
    def program(torch):
        torch.manual_seed(1)
        w = torch.empty((3, 2, 2) if name == "dirac" else (3, 4))
        function = getattr(torch.nn.init, name)
        return function(w, *FURTHER.get(name, ())), function.__name__

    compare(program, tolerance=1e-5)
