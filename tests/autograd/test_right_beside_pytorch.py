"""Results that are kept on purpose where PyTorch's are wrong. docs/project/compatibility.md lists them.

Each test states the right result, and that PyTorch's is another one: a new PyTorch may have repaired it.
"""

import importlib
import math

import numpy as np
import pytest

import minitorch
from tests.both import real


def numbers(tensor):
    return tensor.detach().numpy(force=True)


def test_embedding_bag_divides_each_gradient_by_the_count_of_its_own_index():
    def gradient(torch):
        weight = torch.zeros(4, 1, dtype=torch.float64, requires_grad=True)
        torch.nn.functional.embedding_bag(
            torch.tensor([2, 1, 1]), weight, torch.tensor([0]), mode="sum", scale_grad_by_freq=True
        ).sum().backward()
        return numbers(weight.grad).ravel()

    right = [0.0, 1.0, 1.0, 0.0]
    np.testing.assert_allclose(gradient(minitorch), right)
    assert not np.allclose(gradient(real), right)


def test_the_tangent_of_a_complex_power_of_a_real_number_is_complex():
    exponent = 1 + 2j

    def tangent(torch):
        x = torch.tensor([2.0], dtype=torch.float64)
        return numbers(torch.func.jvp(lambda x: x**exponent, (x,), (torch.ones_like(x),))[1])

    right = exponent * 2.0 ** (exponent - 1)
    np.testing.assert_allclose(tangent(minitorch), [right])
    assert not np.allclose(tangent(real), [right])


def test_polar_has_the_cosine_of_the_angle_as_slope_of_any_length():
    def gradient(torch):
        length = torch.tensor([0.0, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
        angle = torch.full((3,), 0.5, dtype=torch.float64)
        torch.polar(length, angle).real.sum().backward()
        return numbers(length.grad)

    right = [math.cos(0.5)] * 3
    np.testing.assert_allclose(gradient(minitorch), right)
    assert not np.allclose(gradient(real), right)


def test_a_softmax_can_be_differentiated_backwards_in_a_dual_level():
    forward_ad = importlib.import_module("minitorch.autograd.forward_ad")
    values, direction = np.array([1.0, 2.0, 4.0]), np.array([1.0, 0.0, 0.0])
    with forward_ad.dual_level():
        x = minitorch.tensor(values, requires_grad=True)
        y = forward_ad.make_dual(x, minitorch.tensor(direction)).softmax(0)
        (gradient,) = minitorch.autograd.grad(y[0], x, create_graph=True)
        gradient, tangent = forward_ad.unpack_dual(gradient)
    s = np.exp(values) / np.exp(values).sum()
    np.testing.assert_allclose(numbers(gradient), s[0] * (np.eye(3)[0] - s))
    # the derivative of s_0 (delta_0j - s_j) along e_0
    change = s * (direction - s[0])
    np.testing.assert_allclose(numbers(tangent), change[0] * (np.eye(3)[0] - s) - s[0] * change)


def test_cdist_keeps_a_nan_in_the_largest_difference():
    def distance(torch, p=math.inf):
        return torch.cdist(torch.tensor([[math.nan, 1.0]]), torch.zeros(1, 2), p).item()

    assert math.isnan(distance(minitorch))
    assert not math.isnan(distance(real))
    rows = real.tensor([[math.nan, 1.0], [0.0, 0.0]])
    assert math.isnan(real.nn.functional.pdist(rows, math.inf).item()), "as PyTorch's own pdist"


def test_bessel_functions_are_exact_to_float64():
    right = 0.15064525725099692  # Abramowitz and Stegun, table 9.1
    point = [6.0]
    ours = minitorch.special.bessel_j0(minitorch.tensor(point, dtype=minitorch.float64)).item()
    theirs = real.special.bessel_j0(real.tensor(point, dtype=real.float64)).item()
    assert abs(ours - right) < 1e-15 < abs(theirs - right)


@pytest.mark.parametrize("name", ["fmod", "remainder"])
def test_remainders_of_quotients_that_overflow_are_exact(name):
    def of(torch, count):
        a = torch.full((count,), 3e38)
        return getattr(torch, name)(a, torch.full((count,), 3e-20))[0].item()

    right = math.fmod(np.float32(3e38), np.float32(3e-20))
    assert of(minitorch, 1) == of(minitorch, 64) == of(real, 1) == right
    assert math.isnan(of(real, 64))


def test_rolling_samples_without_dimensions_keeps_them_apart():
    def rolled(torch):
        return torch.vmap(lambda sample: sample.roll(1))(torch.arange(3)).tolist()

    assert rolled(minitorch) == [0, 1, 2]
    assert rolled(real) == [2, 0, 1]


def test_forward_mode_differentiates_the_jvp_of_a_function():
    def second(torch):
        class Cube(torch.autograd.Function):
            generate_vmap_rule = True

            @staticmethod
            def forward(x):
                return x * x * x

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.save_for_forward(*inputs)

            @staticmethod
            def jvp(ctx, tangent):
                (x,) = ctx.saved_tensors
                return tangent * 3 * x * x

        x = torch.tensor(0.7, dtype=torch.float64)
        return torch.func.jacfwd(torch.func.jacfwd(Cube.apply))(x).item()

    right = 6 * 0.7
    assert second(minitorch) == pytest.approx(right)
    assert second(real) != pytest.approx(right)


def test_the_tangent_of_a_real_power_of_a_complex_number_is_complex():
    base, exponent = 1 + 2j, 1.5

    def tangent(torch):
        x = torch.tensor([exponent], dtype=torch.float64)
        constant = torch.tensor([base], dtype=torch.complex128)
        return numbers(torch.func.jvp(lambda x: constant**x, (x,), (torch.ones_like(x),))[1])

    right = base**exponent * np.log(base)
    np.testing.assert_allclose(tangent(minitorch), [right])
    assert not np.allclose(tangent(real), [right])


@pytest.mark.parametrize("name", ["solve", "det"])
def test_the_tangent_of_solve_or_det_has_the_gradient_of_its_differences(name):
    start = np.array([[1.7, 2.0], [1.3, 0.1]])

    def loss(torch, x):
        def of(x):
            if name == "det":
                return torch.linalg.det(x)
            return torch.linalg.solve(x @ x.mT + 3 * torch.eye(2, dtype=torch.float64), x)

        tangent = torch.func.jvp(of, (x,), (torch.ones_like(x),))[1]
        return (tangent * tangent).sum()

    def gradient(torch):
        return numbers(torch.func.grad(lambda x: loss(torch, x))(torch.tensor(start)))

    def slope(row, column):
        step = np.zeros((2, 2))
        step[row, column] = 1e-5
        ends = [loss(real, real.tensor(start + step * sign)).item() for sign in (1, -1)]
        return (ends[0] - ends[1]) / 2e-5

    right = [[slope(row, column) for column in range(2)] for row in range(2)]
    np.testing.assert_allclose(gradient(minitorch), right, rtol=1e-6)
    assert not np.allclose(gradient(real), right, rtol=1e-2)


def test_a_jacobian_by_forward_mode_inside_a_transform_can_be_differentiated():
    def second(torch):
        def jacobian(x):
            return torch.autograd.functional.jacobian(
                lambda x: x * x, x, vectorize=True, strategy="forward-mode"
            ).sum()

        x = torch.tensor(1.5, requires_grad=True)
        out = torch.func.grad_and_value(lambda x: x * jacobian(x))(x)[1]
        return torch.autograd.grad(out, x)[0].item() if out.requires_grad else None

    assert second(minitorch) == pytest.approx(4 * 1.5)
    assert second(real) is None


def test_a_product_of_a_matrix_with_itself_is_written_after_it_was_read():
    def written(torch):
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.complex128)
        return numbers(x.addmm_(x, x))

    right = [[8, 12], [18, 26]]
    np.testing.assert_allclose(written(minitorch), right)
    assert not np.allclose(written(real), right)


def test_the_gradient_of_an_empty_cummax_is_no_part_of_the_graph():
    def gradient(torch):
        middle = torch.ones(0, requires_grad=True) * 2
        return torch.autograd.grad(torch.cummax(middle, 0).values.sum(), middle)[0]

    assert not gradient(minitorch).requires_grad
    assert gradient(real).requires_grad


def test_the_second_derivative_of_weight_norm():
    def second(torch, normalized):
        v = torch.tensor([[1.0, 2.0], [-3.0, 0.5]], dtype=torch.float64, requires_grad=True)
        g = torch.tensor([[2.0], [0.7]], dtype=torch.float64, requires_grad=True)
        weights = torch.tensor([[1.0, -2.0], [3.0, 4.0]], dtype=torch.float64)
        first = torch.autograd.grad((normalized(v, g) * weights).sum(), (v, g), create_graph=True)
        return numbers(torch.autograd.grad(sum((x * x).sum() for x in first), v)[0])

    right = second(real, lambda v, g: v * (g / v.norm(dim=1, keepdim=True)))
    np.testing.assert_allclose(
        second(minitorch, lambda v, g: minitorch._weight_norm(v, g, 0)), right
    )
    assert not np.allclose(second(real, lambda v, g: real._weight_norm(v, g, 0)), right, rtol=1e-2)


def test_the_jacobian_of_cdist_by_func():
    def jacobian(torch, of):
        x = torch.arange(6.0, dtype=torch.float64).view(3, 2) * 0.3
        return numbers(of(lambda x: torch.cdist(x, x + 1), x))

    right = jacobian(real, real.autograd.functional.jacobian)
    np.testing.assert_allclose(jacobian(minitorch, lambda f, x: minitorch.func.jacrev(f)(x)), right)
    assert not jacobian(real, lambda f, x: real.func.jacrev(f)(x)).any()


def test_the_tangent_of_the_gradient_of_mse_loss():
    def product(torch):
        slope = torch.func.grad(lambda w: torch.nn.functional.mse_loss(w, torch.zeros(2)))
        return numbers(torch.func.jvp(slope, (torch.ones(2),), (torch.tensor([1.0, 3.0]),))[1])

    np.testing.assert_allclose(product(minitorch), [1.0, 3.0])
    with pytest.raises(RuntimeError, match="ZeroTensors are immutable"):
        product(real)


def test_the_jacobians_of_prelu_for_each_sample():
    def jacobians(torch):
        x = torch.tensor([[[1.0, -1.0, 1.0]], [[-1.0, 1.0, 1.0]], [[1.0, 1.0, -1.0]]])
        each = torch.func.jacrev(lambda x: torch.nn.functional.prelu(x, torch.tensor([0.25])))
        return numbers(torch.func.vmap(each)(x)), numbers(torch.stack([each(t) for t in x]))

    np.testing.assert_array_equal(*jacobians(minitorch))
    batched, right = jacobians(real)
    np.testing.assert_array_equal(jacobians(minitorch)[1], right)
    assert not np.allclose(batched, right)


@pytest.mark.parametrize("name", ["nansum", "nanmean"])
def test_a_vectorised_jacobian_by_forward_mode_of_one_number(name):
    def jacobian(torch):
        return torch.autograd.functional.jacobian(
            getattr(torch, name), torch.tensor(1.5), vectorize=True, strategy="forward-mode"
        )

    assert jacobian(minitorch).item() == 1
    with pytest.raises(RuntimeError, match="Could not allocate memory to change Tensor"):
        jacobian(real)


def test_linearize_of_a_function_that_changes_the_shape_of_its_argument():
    def linear(torch):
        return torch.func.linearize(lambda x: x.unsqueeze_(0).sin(), torch.zeros(2))

    y, jvp_fn = linear(minitorch)
    assert y.shape == jvp_fn(minitorch.ones(2)).shape == (1, 2)
    y, jvp_fn = linear(real)
    assert (y.shape, jvp_fn(real.ones(1, 2)).shape) == ((1, 2), (1, 1, 2))
    with pytest.raises(RuntimeError, match="doesn't match the shape"):
        jvp_fn(real.ones(2))


def test_solve_of_samples_of_batches_of_different_length():
    A = np.random.default_rng(0).random((3, 4, 2, 2)) + 2 * np.eye(2)
    B = np.random.default_rng(1).random((3, 2, 2))
    solutions = minitorch.func.vmap(minitorch.linalg.solve)(*map(minitorch.tensor, (A, B)))
    np.testing.assert_allclose(numbers(solutions), np.linalg.solve(A, B[:, None]))
    with pytest.raises(RuntimeError, match="must match the size of tensor b"):
        real.func.vmap(real.linalg.solve)(*map(real.tensor, (A, B)))
