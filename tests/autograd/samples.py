"""Inputs for every row of derivatives/: what gradcheck and the comparison with PyTorch run on.

`SAMPLES` maps a row to a list of `Sample`s. Their arguments are NumPy arrays (float64 and complex128 ones
are differentiated where the row has a formula, others never), `Dtype`s and plain Python values, in the
order of the row's schema.
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tools.records import load_derivatives
from tools.schema import Schema, parse_schema

AUTOGRAD = Path(__file__).parents[2] / "minitorch" / "autograd"


@dataclass
class Row:
    """What the tests need to know of a row."""

    name: str
    schema: Schema
    public_name: str
    variants: list[str]
    inplace_only: bool
    # names of the arguments with a formula
    differentiable: set[str]
    # "not_implemented": there is a formula, and it raises
    raises: bool
    forward: bool
    # forms without a derivative in PyTorch
    not_implemented: list[str]
    # dual tensors are refused
    no_forward_mode: bool


def load_rows():
    table = load_derivatives(AUTOGRAD)
    rows = {}
    for name, row in table.items():
        schema = parse_schema(row["schema"])
        names = {p.name for p in schema.parameters}
        formulas = {}
        for key, text in row.items():
            keys = [k.strip() for k in key.split(",")]
            if set(keys) <= names and isinstance(text, str):
                formulas.update(dict.fromkeys(keys, text))
        differentiable = set(formulas)
        not_implemented = row.get("not_implemented", "").split()
        if "forward" in row or "function" in not_implemented:
            differentiable = {p.name for p in schema.parameters if p.is_tensor or p.is_tensor_list}
        rows[name] = Row(
            name,
            schema,
            row.get("function_name", name),
            row.get("variants", "").split(),
            row.get("inplace_only", False),
            differentiable,
            "function" in not_implemented or any("not_implemented" in f for f in formulas.values()),
            "forward" in row,
            not_implemented,
            not row.get("forward_mode", True),
        )
    return rows


ROWS = load_rows()


@dataclass
class Sample:
    args: tuple
    kwargs: dict = field(default_factory=dict)
    # False where differences say nothing: at a kink, or where a gradient is no derivative by intent
    smooth: bool = True


@dataclass(frozen=True)
class Dtype:
    """Stands for ``torch.<name>`` of either side."""

    name: str


@dataclass(frozen=True)
class Flags:
    """A list of bools, which the table calls a list of integers."""

    values: tuple


class Const(np.ndarray):
    """Floats that are not differentiated: running statistics, weights of classes."""


def const(array):
    return array.view(Const)


def s(*args, **kwargs):
    return Sample(args, kwargs)


def rough(*args, **kwargs):
    """A sample that is compared with PyTorch's and not with differences."""
    return Sample(args, kwargs, smooth=False)


_random = np.random.default_rng(7)


def between(low, high, *shape):
    """Evenly distributed numbers, no two of them close to each other."""
    n = int(np.prod(shape))
    values = low + (high - low) * (_random.permutation(n) + 0.2 + 0.6 * _random.random(n)) / max(
        n, 1
    )
    return values.reshape(shape)


def real(*shape):
    return between(-2, 2, *shape)


def positive(*shape):
    return between(0.3, 2.5, *shape)


def unit(*shape):
    return between(0.05, 0.95, *shape)


def cplx(*shape):
    return real(*shape) + 1j * real(*shape)


def integers(*shape, low=-3, high=4):
    return _random.integers(low, high, shape)


def mask(*shape):
    return np.asarray(_random.random(shape) < 0.5)


def ix(*values):
    """An index tensor."""
    return np.array(values if len(values) > 1 or not isinstance(values[0], list) else values[0])


# rows whose formulas stop at the first derivative, as PyTorch's do
SECOND_DERIVATIVE_RAISES = {
    "hardsigmoid",
    "_embedding_bag",
    "_scaled_dot_product_flash_attention_for_cpu",
}


def log_probabilities(*shape):
    x = real(*shape)
    return x - np.log(np.exp(x).sum(1, keepdims=True))


D64 = Dtype("float64")
SAMPLES = {}


def of_one(names, make, *more):
    """Rows of one tensor that share a domain."""
    for name in names.split():
        SAMPLES[name] = [s(make(2, 3)), s(make()), *(s(f(2, 2)) for f in more)]


# ---- functions of one tensor
of_one("neg exp exp2 expm1 square sin cos tan sinh cosh tanh asinh sigmoid", real, cplx)
of_one("sgn abs conj_physical angle positive conj", real, cplx)
of_one("log log2 log10 log1p sqrt rsqrt reciprocal", positive, cplx)
of_one("atan", real, lambda *n: 0.3 * cplx(*n))
of_one("asin acos atanh", lambda *n: between(-0.9, 0.9, *n), cplx)
of_one("erfinv", lambda *n: between(-0.9, 0.9, *n))
of_one("acosh", lambda *n: between(1.1, 3, *n), cplx)
of_one("erf erfc floor ceil trunc frac sign round nan_to_num", real)
of_one("lgamma digamma", positive)
of_one("isnan isinf isfinite", lambda *n: np.where(mask(*n), np.nan, np.inf), cplx)
of_one("signbit", real)
of_one("bitwise_not", lambda *n: integers(*n), mask)
of_one("logical_not", real, mask, cplx)
of_one("real imag", cplx)
of_one("view_as_real", cplx)
SAMPLES["view_as_complex"] = [s(real(3, 2)), s(real(2))]
SAMPLES["complex"] = [s(real(2, 3), real(3)), s(real(), real())]
SAMPLES["round"] += [s(real(2, 3), decimals=1), s(100 * real(3), decimals=-1)]
SAMPLES["nan_to_num"] += [
    s(np.array([np.nan, np.inf, -np.inf, 1.5]), 1.0, 2.0, -3.0),
    s(np.array([np.nan, np.inf, -np.inf, 1.5])),
]

# ---- two tensors
for _name in ["add", "sub", "rsub"]:
    SAMPLES[_name] = [
        s(real(2, 3), real(3)),
        s(real(2, 3), real(2, 3), alpha=2.5),
        s(cplx(2, 2), cplx(2), alpha=1.5 - 2j),
        s(real(3), 2.5),
        s(cplx(2), real(2)),
        s(integers(3), integers(3), alpha=2),
    ]
SAMPLES["mul"] = [
    s(real(2, 3), real(3)),
    s(cplx(2, 2), cplx(2)),
    s(real(3), cplx(3)),
    s(real(3), 2.5),
    s(real(2), 1j),
    s(integers(3), mask(3)),
]
SAMPLES["div"] = [
    s(real(2, 3), positive(3)),
    s(cplx(2), cplx(2)),
    s(real(3), 2.5),
    s(real(3), positive(3), rounding_mode="floor"),
    s(real(3), positive(3), rounding_mode="trunc"),
    s(integers(3), integers(3, low=1)),
    s(integers(3), integers(3, low=1), rounding_mode="floor"),
    s(integers(3), integers(3, low=1), rounding_mode="trunc"),
]
SAMPLES["floor_divide"] = [
    s(real(2, 3), positive(3)),
    s(integers(3), integers(3, low=1)),
    s(real(3), 2),
]
for _name in ["remainder", "fmod"]:
    SAMPLES[_name] = [
        s(real(2, 3), positive(3)),
        s(real(3), -positive(3)),
        s(real(3), 0.75),
        s(integers(3), integers(3, low=1)),
    ]
SAMPLES["pow_scalar"] = [
    s(positive(2, 3), 2.5),
    s(real(3), 2),
    s(real(3), 3),
    s(real(3), 0),
    s(real(3), 1),
    s(positive(3), -1),
    s(cplx(2), 2),
    s(cplx(2), 1.5 + 0.5j),
    s(positive(2), 1j),
    s(integers(3), 2),
    s(positive(), 0.5),
]
SAMPLES["pow"] = [
    s(positive(2, 3), real(3)),
    s(cplx(2), cplx(2)),
    s(2.5, real(3)),
    s(integers(3), integers(3, low=0)),
    rough(np.array([0.0, 0.0, 1.5]), np.array([2.0, 3.0, 0.0])),
]
for _name in ["maximum", "minimum", "fmax", "fmin"]:
    SAMPLES[_name] = [s(real(2, 3), real(3)), s(real(), real(2)), s(integers(3), integers(3))]
SAMPLES["atan2"] = [s(real(2, 3), real(3)), s(integers(3), integers(3))]
SAMPLES["hypot"] = [s(real(2, 3), real(3))]
SAMPLES["copysign"] = [s(real(2, 3), real(3)), s(real(3), -1.0), s(integers(3), integers(3))]
SAMPLES["nextafter"] = [s(real(2, 3), real(3))]
SAMPLES["heaviside"] = [s(np.array([-1.5, 0.0, 2.0]), real(3)), s(real(2, 3), real())]
SAMPLES["gcd"] = SAMPLES["lcm"] = [s(integers(2, 4, high=30), integers(4, high=30))]
SAMPLES["pow_number"] = [
    s(2.5, real(3)),
    s(2, real(2, 2)),
    rough(0.0, real(2)),
    s(1.5, integers(3)),
]
SAMPLES["logaddexp"] = [s(real(2, 3), real(3)), s(cplx(2), cplx(2))]
SAMPLES["logaddexp2"] = [s(real(2, 3), real(3))]
SAMPLES["xlogy"] = [
    s(real(2, 3), positive(3)),
    s(real(3), 2.5),
    s(2.5, positive(3)),
    s(integers(3), integers(3, low=1)),
]
SAMPLES["addcmul"] = [
    s(real(2, 3), real(3), real(2, 1), value=1.5),
    s(real(3), real(3), real(3)),
    s(cplx(2), cplx(2), cplx(2), value=1 - 2j),
    s(integers(3), integers(3), integers(3), value=2),
]
SAMPLES["addcdiv"] = [
    s(real(2, 3), real(3), positive(2, 1), value=1.5),
    s(cplx(2), cplx(2), cplx(2), value=1 - 2j),
    s(real(3), real(3), positive(3)),
]
SAMPLES["lerp"] = [
    s(real(2, 3), real(3), real(2, 3)),
    s(real(3), real(3), 0.3),
    s(real(3), real(3), 0.7),
    s(cplx(2), cplx(2), cplx(2)),
]
SAMPLES["lerp_scalar"] = SAMPLES["lerp"][1:3]
del SAMPLES["lerp"][1:3]
_few = np.array([[0.3, -1.2, 1.7], [0.8, 2.1, -0.6]])
for _name in ("_add_scalar", "_sub_scalar", "_mul_scalar", "_div_scalar"):
    SAMPLES[_name] = [s(_few, 1.5), s(_few * (1 + 0.5j), 2), s(np.array([1, 2]), 3)]
SAMPLES["subtract_scalar"] = [
    s(_few, 1.5, 2),
    s(_few * (1 + 0.5j), 2, 1 - 2j),
    s(np.array([1, 2]), 3, 2),
]
for _name in ("deg2rad", "rad2deg"):
    SAMPLES[_name] = [s(_few), s(np.array([1, 2]))]
SAMPLES["_isfinite"] = [s(np.array([1.0, np.inf, np.nan])), s(_few + 1j), s(np.array([1, 2]))]
SAMPLES["renorm"] = [s(_few, 2, 0, 1.0), s(_few, 1, 1, 2.5), s(_few * (1 + 0.5j), 3, -1, 1.5)]
SAMPLES["clamp"] = [
    s(real(2, 3), -0.8, 0.9),
    s(real(3), min=-0.5),
    s(real(3), max=0.5),
    s(integers(4), -1, 1),
]
SAMPLES["clamp_tensor"] = [
    s(real(2, 3), between(-1, -0.5, 3), between(0.5, 1, 3)),
    s(real(2, 3), min=real(3)),
    s(real(2, 3), max=real(2, 1)),
]
SAMPLES["clamp_min"] = [s(real(2, 3), -0.3), s(integers(3), 1)]
SAMPLES["clamp_max"] = [s(real(2, 3), 0.4), s(integers(3), 1)]
SAMPLES["clamp_min_tensor"] = SAMPLES["clamp_max_tensor"] = [
    s(real(2, 3), real(3)),
    s(real(2), real()),
]
SAMPLES["where"] = [
    s(mask(2, 3), real(2, 3), real(3)),
    s(mask(3), cplx(3), cplx(3)),
    s(mask(3), 1.5, real(3)),
    s(mask(3), real(3), 2.0),
]
SAMPLES["masked_fill"] = [
    s(real(2, 3), mask(2, 3), real()),
    s(real(2, 3), mask(3), 1.5),
    s(cplx(2), mask(2), 2),
]

# ---- comparison and logic
for _name in "eq ne lt le gt ge".split():
    SAMPLES[_name] = [
        s(real(2, 3), real(3)),
        s(integers(2, 3), integers(3)),
        s(integers(4), 1),
        s(real(3), 0.5),
    ]
for _name in "logical_and logical_or logical_xor".split():
    SAMPLES[_name] = [s(mask(2, 3), mask(3)), s(real(3), integers(3)), s(cplx(2), mask(2))]
for _name in "bitwise_and bitwise_or bitwise_xor".split():
    SAMPLES[_name] = [s(mask(2, 3), mask(3)), s(integers(2, 3), integers(3)), s(integers(4), 3)]
for _name in "bitwise_left_shift bitwise_right_shift".split():
    SAMPLES[_name] = [s(integers(2, 3, low=0, high=9), integers(3, low=0)), s(integers(4), 2)]

# ---- activation functions
of_one(
    "relu relu6 hardtanh leaky_relu elu selu celu gelu silu mish softplus log_sigmoid "
    "hardsigmoid hardswish hardshrink softshrink",
    lambda *n: between(-4, 4, *n),
)
SAMPLES["threshold"] = [s(real(2, 3), 0.5, 1.5), s(integers(3), 1, 2)]
SAMPLES["hardtanh"] += [s(real(2, 3), -0.5, 0.7)]
SAMPLES["leaky_relu"] += [s(real(2, 3), 0.2)]
SAMPLES["elu"] += [s(real(2, 3), 1.5, 0.8, 1.2)]
SAMPLES["celu"] += [s(real(2, 3), 1.5)]
SAMPLES["gelu"] += [s(real(2, 3), approximate="tanh")]
SAMPLES["softplus"] += [s(real(2, 3), 2.0, 1.0)]
SAMPLES["hardshrink"] += [s(real(2, 3), 0.3)]
SAMPLES["softshrink"] += [s(real(2, 3), 0.3)]
SAMPLES["_prelu_kernel"] = [s(real(2, 3), real(1, 3)), s(real(4), real(1))]
SAMPLES["tanh_backward"] = [s(real(2, 3), unit(2, 3)), s(cplx(2), 0.4 * cplx(2))]
SAMPLES["sigmoid_backward"] = [s(real(2, 3), unit(2, 3)), s(cplx(2), 0.4 * cplx(2))]
SAMPLES["threshold_backward"] = [s(real(2, 3), real(2, 3), 0.5)]
SAMPLES["hardtanh_backward"] = [s(real(2, 3), real(2, 3), -0.5, 0.7)]
SAMPLES["leaky_relu_backward"] = [s(real(2, 3), real(2, 3), 0.2, False)]
SAMPLES["elu_backward"] = [
    s(real(2, 3), 1.5, 0.8, 1.2, False, real(2, 3)),
    s(real(2, 3), 1.5, 0.8, 1.2, True, between(-1, 2, 2, 3)),
]
SAMPLES["gelu_backward"] = [
    s(real(2, 3), real(2, 3)),
    s(real(2, 3), real(2, 3), approximate="tanh"),
]
for _name in "silu_backward mish_backward log_sigmoid_backward hardsigmoid_backward hardswish_backward".split():
    SAMPLES[_name] = [s(real(2, 3), between(-4, 4, 2, 3))]
_share = np.random.default_rng(3).uniform(0.1, 0.9, (2, 3))
SAMPLES["logit_backward"] = [s(_share - 0.5, _share), s(_share - 0.5, _share, 0.2)]
SAMPLES["softplus_backward"] = [s(real(2, 3), real(2, 3), 2.0, 1.0), s(real(3), real(3), 1, 20)]
SAMPLES["hardshrink_backward"] = [s(real(2, 3), real(2, 3), 0.5)]
SAMPLES["softshrink_backward"] = [s(real(2, 3), real(2, 3), 0.5)]

# ---- softmax
for _name in ["_softmax", "_log_softmax"]:
    SAMPLES[_name] = [
        s(real(2, 3), 1, False),
        s(real(2, 3, 2), 0, False),
        s(real(3), -1, False),
        s(real(), 0, False),
    ]
SAMPLES["_softmax_backward_data"] = [s(real(2, 3), unit(2, 3), 1, D64)]
SAMPLES["_log_softmax_backward_data"] = [s(real(2, 3), -positive(2, 3), 1, D64)]

# the other rows' samples stand in files of their own, which fill the same table
from tests.autograd import (  # noqa: E402, F401
    samples_linalg,
    samples_nn,
    samples_scatter,
    samples_shapes,
    samples_special,
)

# last, so that the numbers of the others do not change
SAMPLES["glu_backward"] = [s(real(2, 3), real(4, 3), 0), s(real(2, 2), real(2, 4), -1)]
of_one("_neg_view", real)
SAMPLES["_once_differentiable"] = [rough(real(2, 3), "no second derivative")]
SAMPLES["_delayed_error"] = [rough(real(2, 3), real(2), "no second derivative", False)]
