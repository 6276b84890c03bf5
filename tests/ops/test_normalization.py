"""layer_norm, batch_norm and group_norm against PyTorch."""

from functools import partial

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.ops.oracle import compare, layouts, sample, to_impl  # noqa: E402
from tests.probes.ops import nn as probe  # noqa: E402

aten = torch.ops.aten
TOLERANCE = {torch.float16: 4e-3, torch.float32: 2e-5, torch.float64: 1e-11}
ALL = [True, True, True]
PARAMETERS = [(True, True), (True, False), (False, True), (False, False)]


def check(name, *args, dtype=torch.float32, **kwargs):
    compare(
        partial(probe.call, name),
        getattr(aten, name),
        *args,
        case=name,
        tolerance=TOLERANCE.get(dtype),
        **kwargs,
    )


def vector(shape, dtype, wanted=True, seed=3):
    return sample(shape, dtype, seed) if wanted else None


@pytest.mark.parametrize("dtype", list(TOLERANCE), ids=str)
@pytest.mark.parametrize(
    "shape, normalized",
    [
        ((2, 3, 4), [4]),
        ((2, 3, 4), [3, 4]),
        ((5,), [5]),
        ((0, 4), [4]),
        ((2, 3, 1), [1]),
        ((3, 200), [200]),
        ((2, 4, 3, 5), [4, 3, 5]),
    ],
    ids=str,
)
def test_layer_norm(shape, normalized, dtype):
    for x in layouts(sample(shape, dtype)):
        for has_weight, has_bias in PARAMETERS:
            weight = vector(normalized, dtype, has_weight)
            bias = vector(normalized, dtype, has_bias, seed=4)
            check("native_layer_norm", x, normalized, weight, bias, 1e-5, dtype=dtype)
        grad = sample(shape, dtype, seed=9)
        weight = bias = vector(normalized, dtype)
        _, mean, rstd = aten.native_layer_norm(x, normalized, weight, bias, 1e-5)
        for mask in (ALL, [True, False, False], [False, True, True]):
            check(
                "native_layer_norm_backward",
                grad,
                x,
                normalized,
                mean,
                rstd,
                weight,
                bias,
                mask,
                dtype=dtype,
            )


def test_layer_norm_errors():
    x, w = sample((2, 3, 4)), sample((4,))
    for shape, weight, bias in (
        ([5], None, None),
        ([], None, None),
        ([4], w[:3], None),
        ([4], None, w[:3]),
        ([2, 2, 3, 4], None, None),
        ([4], w.double(), None),
        ([4], w, w.double()),
        ([4], w.half(), None),
    ):
        check("native_layer_norm", x, shape, weight, bias, 1e-5)
    check("native_layer_norm", x.long(), [4], None, None, 1e-5)
    check("native_layer_norm", x.half(), [4], w, w, 1e-5, dtype=torch.float16)


def running(c, dtype):
    return sample((c,), dtype, 7), sample((c,), dtype, 8).abs() + 0.5


@pytest.mark.parametrize("dtype", list(TOLERANCE), ids=str)
@pytest.mark.parametrize(
    "shape", [(6, 4), (2, 4, 3), (2, 4, 3, 5), (2, 4, 3, 2, 2), (1, 4, 1, 5)], ids=str
)
def test_batch_norm(shape, dtype):
    inputs = list(layouts(sample(shape, dtype)))
    if len(shape) == 4:
        inputs.append(inputs[0].to(memory_format=torch.channels_last))
    for x in inputs:
        for training in (True, False):
            for has_weight, has_bias in PARAMETERS:
                check(
                    "native_batch_norm",
                    x,
                    vector((4,), dtype, has_weight),
                    vector((4,), dtype, has_bias, seed=4),
                    *running(4, dtype),
                    training,
                    0.1,
                    1e-5,
                    dtype=dtype,
                )
        check("native_batch_norm", x, None, None, None, None, True, 0.1, 1e-5, dtype=dtype)


@pytest.mark.parametrize("dtype", list(TOLERANCE), ids=str)
def test_batch_norm_moves_the_running_statistics(dtype):
    x = sample((5, 4, 3), dtype)
    mean, var = running(4, dtype)
    for layout in (slice(None), slice(None, None, 2)):
        mean, var = (
            (t.repeat_interleave(2)[::2] for t in running(4, dtype)) if layout.step else (mean, var)
        )
        ours = to_impl(mean), to_impl(var)
        probe.call("native_batch_norm", to_impl(x), None, None, *ours, True, 0.3, 1e-5)
        aten.native_batch_norm(x, None, None, mean, var, True, 0.3, 1e-5)
        for a, b in zip(ours, (mean, var), strict=True):
            compare(lambda t, a=a: a, lambda t: t, b, tolerance=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", list(TOLERANCE), ids=str)
@pytest.mark.parametrize("train", [True, False])
def test_batch_norm_derivative(train, dtype):
    image = sample((3, 4, 3, 5), dtype)
    for x in (image, image.to(memory_format=torch.channels_last)):
        grad = sample(x.shape, dtype, seed=9)
        for weight in (vector((4,), dtype), None):
            mean, var = running(4, dtype)
            _, save_mean, save_invstd = aten.native_batch_norm(
                x, weight, None, mean, var, train, 0.1, 1e-5
            )
            for mask in (ALL, [True, False, False], [False, True, True]):
                check(
                    "native_batch_norm_backward",
                    grad,
                    x,
                    weight,
                    mean,
                    var,
                    save_mean,
                    save_invstd,
                    train,
                    1e-5,
                    mask,
                    dtype=dtype,
                )


def test_batch_norm_errors():
    def theirs(*args):
        return torch.batch_norm(*args, False), torch.empty(0), torch.empty(0)

    x, w = sample((2, 4, 3)), sample((4,))
    for args in (
        (x, w[:2], w, w, w, True),
        (x, w, w[:2], w, w, True),
        (x, w, w, w[:2], w, True),
        (x, w, w, w, w[:2], True),
        (x, w, w, None, None, False),
        (x, w, w, w, None, False),
        (x.double(), w, w, w, w, True),
    ):
        compare(partial(probe.call, "native_batch_norm"), theirs, *args, 0.1, 1e-5)
    check("native_batch_norm", x[:0], w, w, w, w, True, 0.1, 1e-5)
    check("native_batch_norm", x.long(), None, None, None, None, True, 0.1, 1e-5)


@pytest.mark.parametrize("dtype", list(TOLERANCE), ids=str)
@pytest.mark.parametrize("shape", [(2, 4), (2, 4, 3), (2, 4, 3, 5)], ids=str)
@pytest.mark.parametrize("group", [1, 2, 4])
def test_group_norm(group, shape, dtype):
    inputs = [sample(shape, dtype)]
    if len(shape) == 4:
        inputs.append(inputs[0].to(memory_format=torch.channels_last))
    n, c = shape[:2]
    for x in inputs:
        positions = x.numel() // (n * c)
        for has_weight, has_bias in PARAMETERS:
            check(
                "native_group_norm",
                x,
                vector((c,), dtype, has_weight),
                vector((c,), dtype, has_bias, seed=4),
                n,
                c,
                positions,
                group,
                1e-5,
                dtype=dtype,
            )
        weight = vector((c,), dtype)
        _, mean, rstd = aten.native_group_norm(x, weight, weight, n, c, positions, group, 1e-5)
        grad = torch.empty_like(x).copy_(sample(shape, dtype, seed=9))
        # PyTorch crashes when it is asked for parts of the derivative of a channels-last input
        masks = [ALL] if not x.is_contiguous() else [ALL, [True, False, False], [False, True, True]]
        for mask in masks:
            check(
                "native_group_norm_backward",
                grad,
                x,
                mean,
                rstd,
                weight,
                n,
                c,
                positions,
                group,
                mask,
                dtype=dtype,
            )


def test_group_norm_errors():
    x, w = sample((2, 4, 3)), sample((4,))
    check("native_group_norm", x, w, None, 2, 4, 3, 3, 1e-5)
    check("native_group_norm", x.long(), None, None, 2, 4, 3, 2, 1e-5)
    for args in ((x, w, w.double()), (x.double(), w, w)):
        check("native_group_norm", *args, 2, 4, 3, 2, 1e-5)
