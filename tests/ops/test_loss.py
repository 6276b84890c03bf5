"""Losses and their derivatives against PyTorch."""

from functools import partial

import pytest

torch = pytest.importorskip("torch", reason="needs the compat extra: pip install -e '.[compat]'")

from tests.ops.oracle import DTYPES, compare, layouts, sample  # noqa: E402
from tests.probes.ops import loss as probe  # noqa: E402

aten = torch.ops.aten
FLOATS = [torch.float16, torch.float32, torch.float64]
TOLERANCE = {torch.float16: 1e-2, torch.float32: 1e-5}
REDUCTIONS = [0, 1, 2]


def check(name, *args, dtype=torch.float32, **kwargs):
    compare(
        partial(probe.call, name),
        getattr(aten, name),
        *args,
        case=name,
        tolerance=TOLERANCE.get(dtype),
        **kwargs,
    )


def targets(shape, classes):
    return torch.randint(0, classes, shape, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_nll_loss(reduction, dtype):
    for n, c in ((5, 3), (1, 4), (0, 3), (3000, 20)):
        target = targets((n,), c)
        for x in layouts(sample((n, c), dtype)):
            for weight in (None, sample((c,), dtype, 2).abs()):
                for ignore in (-100, 1):
                    if dtype == torch.float16 and n == 3000 and reduction == 2:
                        continue  # the sum is beyond float16's precision
                    check("nll_loss_forward", x, target, weight, reduction, ignore, dtype=dtype)
                    check(
                        "nll_loss_forward", x, target.byte(), weight, reduction, ignore, dtype=dtype
                    )
                    total = aten.nll_loss_forward(x, target, weight, reduction, ignore)[1]
                    grad = sample((n,) if reduction == 0 else (), dtype, 3)
                    check(
                        "nll_loss_backward",
                        grad,
                        x,
                        target,
                        weight,
                        reduction,
                        ignore,
                        total,
                        dtype=dtype,
                    )


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_nll_loss_of_one_example(reduction):
    x, weight = sample((4,)), sample((4,), seed=2).abs()
    for target in (torch.tensor(2), torch.tensor([2])):
        check("nll_loss_forward", x, target, weight, reduction, -100)
        check(
            "nll_loss_backward", sample(()), x, target, weight, reduction, -100, torch.tensor(1.0)
        )


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_nll_loss2d(reduction, dtype):
    target = targets((2, 4, 5), 3)
    for x in layouts(sample((2, 3, 4, 5), dtype)):
        for weight in (None, sample((3,), dtype, 2).abs()):
            for ignore in (-100, 1):
                check("nll_loss2d_forward", x, target, weight, reduction, ignore, dtype=dtype)
                x = x.contiguous()
                total = aten.nll_loss2d_forward(x, target, weight, reduction, ignore)[1]
                grad = sample((2, 4, 5) if reduction == 0 else (), dtype, 3)
                check(
                    "nll_loss2d_backward",
                    grad,
                    x,
                    target,
                    weight,
                    reduction,
                    ignore,
                    total,
                    dtype=dtype,
                )


def test_nll_loss_errors():
    x, y, w, x4, y4 = (
        sample((2, 3)),
        torch.tensor([0, 2]),
        sample((3,)),
        sample((2, 3, 4, 5)),
        targets((2, 4, 5), 3),
    )
    for args in (
        (x, y[:1], None),
        (x, torch.tensor([0, 3]), None),
        (x, torch.tensor([0, -1]), None),
        (x, y.int(), None),
        (x, y.float(), None),
        (x, y, w[:2]),
        (x, y, w.double()),
        (x.long(), y, None),
        (x4, y4, None),
        (x[0, 0], y, None),
        (x, y4, None),
        (w, y, None),
    ):
        check("nll_loss_forward", *args, 1, -100)
    for args in (
        (x4, y4[:1], None),
        (x4, y4[:, :2], None),
        (x, y, None),
        (x4, y, None),
        (x, y4, None),
        (x4, y4 + 7, None),
        (x4, y4, w[:2]),
        (x4.long(), y4, None),
    ):
        check("nll_loss2d_forward", *args, 1, -100)
    one = torch.tensor(1.0)
    check("nll_loss_backward", one, x, y, None, 0, -100, one)
    check("nll_loss_backward", w[:2], x, y, None, 1, -100, one)
    check("nll_loss_backward", w, x, y, None, 0, -100, one)
    check("nll_loss_backward", one, x, y, None, 1, -100, w)


DIFFERENCES = [
    ("mse_loss", ()),
    ("smooth_l1_loss", (1.0,)),
    ("smooth_l1_loss", (0.3,)),
    ("huber_loss", (1.0,)),
    ("huber_loss", (0.3,)),
]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("name, extra", [*DIFFERENCES, ("soft_margin_loss", ())], ids=str)
def test_losses_of_differences(name, extra, reduction, dtype):
    for shape in ((3, 4), (), (0,), (300, 20)):
        for x in layouts(sample(shape, dtype)):
            y = sample(shape, dtype, 2)
            if dtype == torch.float16 and x.numel() > 100 and reduction != 1:
                continue
            # PyTorch's huber_loss takes over even the meaningless strides of an empty input
            check(name, x, y, reduction, *extra, dtype=dtype, strides=x.numel() > 0)
            grad = sample(shape if reduction == 0 else (), dtype, 3)
            check(name + "_backward", grad, x, y, reduction, *extra, dtype=dtype)


@pytest.mark.parametrize("name, extra", [*DIFFERENCES, ("l1_loss", ())], ids=str)
def test_losses_of_differences_broadcast_promote_and_refuse(name, extra):
    x = sample((2, 3))
    for y in (
        sample((3,)),
        sample((2, 1)),
        sample((2, 3), torch.float64),
        sample((4,)),
        sample(()),
    ):
        for reduction in REDUCTIONS:
            check(name, x, y, reduction, *extra)
    for dtype in DTYPES:
        if dtype != torch.bool:
            check(name, sample((2, 3), dtype), sample((2, 3), dtype, 2), 0, *extra, dtype=dtype)


def test_negative_beta_and_delta():
    x = sample((2, 3))
    check("smooth_l1_loss", x, x, 1, -1.0)
    check("huber_loss", x, x, 1, 0.0)
    check("huber_loss", x, x, 1, -1.0)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_binary_cross_entropy(reduction, dtype):
    p, t = sample((3, 4), dtype).sigmoid(), sample((3, 4), dtype, 2).sigmoid()
    for weight in (None, sample((3, 4), dtype, 4), sample((4,), dtype, 4)):
        if weight is not None and weight.dim() == 1 and dtype == torch.float16:
            continue
        check("binary_cross_entropy", p, t, weight, reduction, dtype=dtype)
        if dtype == torch.float16:
            continue
        grad = sample((3, 4) if reduction == 0 else (), dtype, 3)
        check("binary_cross_entropy_backward", grad, p, t, weight, reduction, dtype=dtype)
    edge = torch.tensor([0.0, 1.0, 0.0, 1.0], dtype=dtype)
    check("binary_cross_entropy", edge, edge.flip(0), None, reduction, dtype=dtype)


def test_binary_cross_entropy_errors():
    p = sample((2, 3)).sigmoid()
    check("binary_cross_entropy", p + 1, p, None, 1)
    check("binary_cross_entropy", p - 1, p, None, 1)
    check("binary_cross_entropy", p * float("nan"), p, None, 1)
    check("binary_cross_entropy", p, p.double(), None, 1)
    check("binary_cross_entropy", p, p.long(), None, 1)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_binary_cross_entropy_with_logits(reduction):
    x, t = sample((3, 4)), sample((3, 4), seed=2).sigmoid()
    for weight in (None, sample((3, 4), seed=4), sample((4,), seed=4)):
        for pos_weight in (None, sample((4,), seed=5)):
            check("binary_cross_entropy_with_logits", x, t, weight, pos_weight, reduction)
            leaf = x.clone().requires_grad_()
            loss = aten.binary_cross_entropy_with_logits(leaf, t, weight, pos_weight, reduction)
            grad = sample(loss.shape, seed=3)
            (expected,) = torch.autograd.grad(loss, leaf, grad)
            compare(
                partial(probe.call, "binary_cross_entropy_with_logits_backward"),
                lambda *args, e=expected: e,
                grad,
                x,
                t,
                weight,
                pos_weight,
                reduction,
                tolerance=1e-5,
            )


def test_binary_cross_entropy_with_logits_errors():
    x = sample((2, 3))
    check("binary_cross_entropy_with_logits", x, x[0], None, None, 1)
    check("binary_cross_entropy_with_logits", x, x.long(), None, None, 1)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("log_target", [False, True])
def test_kl_div(reduction, log_target):
    x, t = sample((3, 4)), sample((3, 4), seed=2)
    t = t if log_target else torch.cat([t[:2].softmax(1), torch.eye(4)[:1]])
    check("kl_div", x, t, reduction, log_target=log_target)
    check("kl_div", x, t[0], reduction, log_target=log_target)
