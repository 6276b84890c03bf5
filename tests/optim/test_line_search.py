"""L-BFGS's line search looks at the same lengths as PyTorch's, on smooth and on awkward functions."""

import importlib

import pytest

from tests.both import compare

# of one variable along the direction; start at 0, slope there negative
FUNCTIONS = {
    "parabola": "(x - 3) ** 2",
    "far parabola": "(x - 300) ** 2",
    "near parabola": "(x - 1e-3) ** 2 * 1e4",
    "quartic": "(x - 2) ** 4 + (x - 2) ** 2",
    "wave": "(3 * x).sin().neg() + 0.1 * x ** 2",
    "fast wave": "(30 * x).sin().neg() + 0.1 * x ** 2",
    "steep wall": "(5 * x - 4).exp() - x",
    "kink": "(x - 1).abs() + 0.1 * x ** 2",
    "steps": "(x * 2 - 1).clamp(-1, 0.2).neg() + 0.0 * x - 0.01 * x",
    "without end": "-x",
    "flat": "-(x / 100).tanh()",
    "nan far": "(1.7 - x).sqrt() + 0.0 * x",
    "hole": "-1 / ((x - 2) ** 2 + 0.01)",
    "two minima": "(x ** 2 - 4) ** 2 - x",
}


@pytest.mark.parametrize("max_ls", [0, 1, 2, 3, 25])
@pytest.mark.parametrize("first", [1.0, 0.1, 10.0, 1e-6])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_lengths(name, first, max_ls):
    def program(torch):
        looked = []

        def value(x):
            return eval(FUNCTIONS[name], {"x": x})

        def evaluate(length):
            looked.append(float(length))
            x = torch.tensor([float(length)], dtype=torch.float64, requires_grad=True)
            y = value(x).sum()
            y.backward()
            return float(y.detach()), x.grad

        direction = torch.ones(1, dtype=torch.float64)
        loss, grad = evaluate(0.0)
        slope = grad.dot(direction)
        looked.clear()
        search = importlib.import_module(torch.optim.LBFGS.__module__)._strong_wolfe
        found = search(
            lambda x, t, d: evaluate(t),
            None,
            first,
            direction,
            loss,
            grad,
            slope,
            max_ls=max_ls,
        )
        return looked, [float(part) for part in found]

    compare(program, tolerance=1e-9)


@pytest.mark.parametrize("bounds", [None, (0.0, 0.4)])
def test_the_minimum_of_a_cubic(bounds):
    def program(torch):
        cubic = importlib.import_module(torch.optim.LBFGS.__module__)._cubic_interpolate
        slopes = torch.tensor(-1.0), torch.tensor(0.5)
        return [
            float(cubic(0.0, 1.0, slopes[0], 1.0, 0.7, slopes[1], bounds)),
            float(cubic(1.0, 0.7, slopes[1], 0.0, 1.0, slopes[0], bounds)),
            float(cubic(0.0, 1.0, slopes[0], 1.0, 2.0, -slopes[1], bounds)),
        ]

    compare(program)
