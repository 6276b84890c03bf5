"""The functions of PyTorch's gradcheck module that programs and its own tests call one by one."""

import importlib

import pytest

pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.autograd.test_gradcheck import leaf  # noqa: E402
from tests.autograd.test_gradcheck_faults import assert_same, complex_  # noqa: E402


def module(t):
    return importlib.import_module(f"{t.__name__}.autograd.gradcheck")


def first(args):
    return args[0] * args[0] * 2


def nothing(t):
    return leaf(t).detach()


CALLS = {
    "numerical": lambda t, m: m.get_numerical_jacobian(first, (leaf(t),)),
    "numerical of two": lambda t, m: m.get_numerical_jacobian(
        lambda x: (x[0] * x[1], x[0]), (leaf(t), leaf(t)), eps=1e-6
    ),
    "numerical of a complex input": lambda t, m: m.get_numerical_jacobian(
        lambda z: z[0].abs(), (complex_(t),), eps=1e-6
    ),
    "numerical of a complex output": lambda t, m: m.get_numerical_jacobian(first, (complex_(t),)),
    "numerical of a target": lambda t, m: (
        lambda x: m.get_numerical_jacobian(lambda args: x * args[0], (leaf(t).detach(),), x)
    )(leaf(t)),
    "numerical, single": lambda t, m: m.get_numerical_jacobian(lambda x: x[0].sum(), leaf(t)),
    "numerical, grad_out": lambda t, m: m.get_numerical_jacobian(first, (leaf(t),), grad_out=2.0),
    "numerical without grad": lambda t, m: m.get_numerical_jacobian(first, (nothing(t),)),
    "analytical": lambda t, m: (lambda x: m.get_analytical_jacobian((x,), x * x))(leaf(t)),
    "analytical of two": lambda t, m: (
        lambda x, y: m.get_analytical_jacobian((x, nothing(t), y), (x * y.exp()).sum(0))
    )(leaf(t), leaf(t)),
    "analytical, unused": lambda t, m: (
        lambda x, y: m.get_analytical_jacobian((x, y), x.sin(), 1e-3)
    )(leaf(t), leaf(t)),
    "analytical of a complex input": lambda t, m: (
        lambda z: m.get_analytical_jacobian((z,), (z * z).real)
    )(complex_(t)),
    "analytical of a complex output": lambda t, m: (
        lambda z: m.get_analytical_jacobian((z,), z * z)
    )(complex_(t)),
    "analytical, grad_out": lambda t, m: (
        lambda x: m.get_analytical_jacobian((x,), x * x, grad_out=0.5)
    )(leaf(t)),
    "specific": lambda t, m: (
        lambda x, y: m.get_numerical_jacobian_wrt_specific_input(
            lambda x, y: (x * y, y.sum(), y > 0), 1, (x, y), (x * y, y.sum(), y > 0), 1e-6
        )
    )(leaf(t), leaf(t, "float32").detach().double().requires_grad_()),
    "specific without grad": lambda t, m: m.get_numerical_jacobian_wrt_specific_input(
        lambda x: x, 0, (nothing(t),), (nothing(t),), 1e-6
    ),
    "specific, complex of real": lambda t, m: m.get_numerical_jacobian_wrt_specific_input(
        lambda x: x * 1j, 0, (leaf(t),), (leaf(t) * 1j,), 1e-6
    ),
    "specific, complex of real, forward": lambda t, m: m.get_numerical_jacobian_wrt_specific_input(
        lambda x: x * 1j, 0, (leaf(t),), (leaf(t) * 1j,), 1e-6, is_forward_ad=True
    ),
    "specific, complex of complex": lambda t, m: m.get_numerical_jacobian_wrt_specific_input(
        lambda z: z * 1j, 0, (complex_(t),), (complex_(t),), 1e-6
    ),
    "forward": lambda t, m: m._get_analytical_jacobian_forward_ad(
        lambda x, n, y: (x * y * n, y.sum(), x > 0),
        (leaf(t), 3, leaf(t)),
        (leaf(t), leaf(t).sum(), leaf(t) > 0),
    ),
    "forward of a complex input": lambda t, m: m._get_analytical_jacobian_forward_ad(
        lambda z: z, (complex_(t),), (complex_(t),)
    ),
    "attributes": lambda t, m: (
        lambda x: m._check_analytical_jacobian_attributes((x,), x.exp(), 0.0, False)
    )(leaf(t)),
    "attributes, fast": lambda t, m: (
        lambda x: m._check_analytical_jacobian_attributes(
            (x,), x.exp(), 0.0, True, True, t.ones(4, dtype=t.float64)
        )
    )(leaf(t)),
    "multiplied": lambda t, m: (
        lambda x: m._test_backward_mul_by_grad_output((x * 2,), (x,), False) or True
    )(leaf(t)),
    "multiplied, no grad": lambda t, m: m._test_backward_mul_by_grad_output(
        (leaf(t) * 2,), (nothing(t),), False
    ),
    "undefined": lambda t, m: (
        lambda x: m._test_undefined_backward_mode(lambda x: (x * 2, x.exp()), (x, x), (x,))
    )(leaf(t)),
    "undefined, no grad": lambda t, m: m._test_undefined_backward_mode(
        lambda x: x * 2, (leaf(t),), (nothing(t),)
    ),
    "numerical, all outputs": lambda t, m: m._get_numerical_jacobian(
        lambda x, y: (x * y, y.sum()), (leaf(t), leaf(t)), eps=1e-6
    ),
    "numerical of a nested target": lambda t, m: (
        lambda x, y: m._get_numerical_jacobian(
            lambda a: a * x * y, nothing(t), target=[x, y], eps=1e-6
        )
    )(leaf(t), leaf(t)),
    "tensors": lambda t, m: list(m._iter_tensors([leaf(t), ("text", {"key": 1}, nothing(t)), 3])),
    "tensors with grad": lambda t, m: list(m._iter_tensors((nothing(t), [leaf(t)]), True)),
    "the error": lambda t, m: (issubclass(m.GradcheckError, RuntimeError), m.GradcheckError("a")),
    "names": lambda t, m: sorted(m.__all__),
}


def plain(value):
    """A tuple of tensors or a list of such: the tensors' texts say dtype and values."""
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return repr(value)


@pytest.mark.parametrize("name", CALLS)
def test_a_function_of_the_module_does_as_in_pytorch(name):
    assert_same(lambda t: plain(CALLS[name](t, module(t))))


def test_atol_is_adjusted_by_the_directions():
    def program(t):
        ones = t.ones(2, dtype=t.float64)
        adjusted = module(t)._adjusted_atol
        return adjusted(0.5, ones, ones * 3), adjusted(0.5, (ones, ones * 2), None)

    assert_same(program)
