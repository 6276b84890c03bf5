"""What formulas ask while they run: whether they are recorded, and who looks at their operators.

Each backward is run plainly, beside a wrapper that has nothing to do with it, under a mode, and on wrappers.
"""

import gc
import importlib
import weakref

import pytest

from tests.both import compare, logging_mode


def ramp(torch, *shape, start=1):
    """Numbers of both signs, none of them a zero."""
    count = torch.empty(shape).numel()
    numbers = torch.arange(count, dtype=torch.float64) * 1.7 % 2.3 - 0.9 + start * 0.013
    return numbers.reshape(shape)


# name: (shapes of the inputs, function)
CASES = {
    "addcmul": ([(2, 3), (2, 3), (2, 3)], lambda torch, a, b, c: torch.addcmul(a, b, c, value=1)),
    "addcmul value": (
        [(2, 3), (2, 3), (2, 3)],
        lambda torch, a, b, c: torch.addcmul(a, b, c, value=2),
    ),
    "mul number one": ([(2, 3)], lambda torch, a: a * 1),
    "mul number": ([(2, 3)], lambda torch, a: a * 3),
    "atanh": ([(2, 3)], lambda torch, a: (a / 3).atanh()),
    "grid_sample": (
        [(1, 2, 3, 4), (1, 2, 2, 2)],
        lambda torch, a, g: torch.nn.functional.grid_sample(a, g, align_corners=False),
    ),
    "grid_sample 3d": (
        [(1, 2, 3, 4, 2), (1, 2, 2, 2, 3)],
        lambda torch, a, g: torch.nn.functional.grid_sample(a, g, align_corners=True),
    ),
    "matmul": ([(2, 3), (3, 2)], lambda torch, a, b: a @ b),
    "linear": (
        [(4, 2, 3), (5, 3), (5,)],
        lambda torch, a, w, b: torch.nn.functional.linear(a, w, b),
    ),
    "slice_scatter": ([(3, 4), (1, 4)], lambda torch, a, b: a.slice_scatter(b, 0, 1, 2)),
    "stack": ([(2, 3), (2, 3)], lambda torch, a, b: torch.stack([a, b], 1)),
    "expand": ([(1, 3)], lambda torch, a: a.expand(4, 3)),
    "expand number": ([()], lambda torch, a: a.expand(4, 3)),
    "expand_copy number": ([()], lambda torch, a: torch.expand_copy(a, (4, 3))),
    "squeeze": ([(1, 3, 1)], lambda torch, a: a.squeeze()),
    "squeeze dim": ([(1, 3, 1)], lambda torch, a: a.squeeze(0)),
    "squeeze dims": ([(1, 3, 1)], lambda torch, a: a.squeeze((0, 2))),
    "squeeze number": ([()], lambda torch, a: a.squeeze(0)),
    "squeeze_copy": ([(1, 3, 1)], lambda torch, a: torch.squeeze_copy(a)),
    "unbind": ([(2, 3)], lambda torch, a: a.unbind(1)[1]),
    "cumprod": ([(2, 3)], lambda torch, a: a.cumprod(1)),
    "cumprod zeros": (
        [(2, 3)],
        lambda torch, a: (a * torch.tensor([1.0, 0.0, 1.0], dtype=torch.float64)).cumprod(1),
    ),
    "cumprod zeros 0": (
        [(3, 2)],
        lambda torch, a: (a * torch.tensor([[1.0], [0.0], [0.0]], dtype=torch.float64)).cumprod(0),
    ),
    "prod zeros": (
        [(3, 2)],
        lambda torch, a: (a * torch.tensor([[1.0], [0.0], [0.0]], dtype=torch.float64)).prod(0),
    ),
    "prod": ([(3, 2)], lambda torch, a: a.prod()),
    "prod one zero": (
        [(3, 2)],
        lambda torch, a: (a * torch.tensor([[1.0, 0.0]], dtype=torch.float64)).prod(0),
    ),
    "prod all one zero": (
        [(3,)],
        lambda torch, a: (a * torch.tensor([1.0, 0.0, 2.0], dtype=torch.float64)).prod(),
    ),
    "max dim": ([(2, 3)], lambda torch, a: a.max(1)[0]),
    "max number": ([()], lambda torch, a: a.max(0)[0]),
    "sort": ([(2, 3)], lambda torch, a: a.sort(1)[0]),
    "sort number": ([()], lambda torch, a: a.sort(0)[0]),
    "median number": ([()], lambda torch, a: a.median(0)[0]),
    "kthvalue number": ([()], lambda torch, a: a.kthvalue(1)[0]),
    "trace": ([(3, 4)], lambda torch, a: a.trace()),
    "trace square": ([(3, 3)], lambda torch, a: a.trace()),
    "gather": ([(2, 3)], lambda torch, a: a.gather(1, torch.tensor([[0, 0], [2, 1]]))),
    "index_select": ([(3, 2)], lambda torch, a: a.index_select(0, torch.tensor([0, 0, 2]))),
    "index_select turned": (
        [(3, 2)],
        lambda torch, a: a.t().index_select(1, torch.tensor([0, 0, 2])),
    ),
    "masked_select": (
        [(2, 3)],
        lambda torch, a: a.masked_select(torch.tensor([True, False, True])),
    ),
    "masked_select bc": (
        [(1, 3)],
        lambda torch, a: a.masked_select(torch.tensor([[True, False, True], [False, True, True]])),
    ),
    "take": ([(2, 3)], lambda torch, a: a.take(torch.tensor([0, 0, 5]))),
    "take turned": ([(2, 3)], lambda torch, a: a.t().take(torch.tensor([0, 0, 5]))),
    "index_add": ([(3, 2), (2, 2)], lambda torch, a, s: a.index_add(0, torch.tensor([0, 2]), s)),
    "index_add alpha": (
        [(3, 2), (2, 2)],
        lambda torch, a, s: a.index_add(0, torch.tensor([0, 2]), s, alpha=2),
    ),
    "index_add number": ([(), ()], lambda torch, a, s: a.index_add(0, torch.tensor([0]), s)),
    "index_add number index": ([(), ()], lambda torch, a, s: a.index_add(0, torch.tensor(0), s)),
    "silu": ([(2, 3)], lambda torch, a: torch.nn.functional.silu(a)),
    "mish": ([(2, 3)], lambda torch, a: torch.nn.functional.mish(a)),
    "logit": ([(2, 3)], lambda torch, a: torch.sigmoid(a).logit()),
    "logit outside": ([(2, 3)], lambda torch, a: a.logit()),
    "logit eps": ([(2, 3)], lambda torch, a: a.logit(0.1)),
    "mvlgamma": ([(2, 3)], lambda torch, a: (a * a + 3).mvlgamma(3)),
    "layer_norm": (
        [(2, 3), (3,), (3,)],
        lambda torch, a, w, b: torch.nn.functional.layer_norm(a, (3,), w, b),
    ),
    "layer_norm turned": (
        [(3, 2), (3,), (3,)],
        lambda torch, a, w, b: torch.nn.functional.layer_norm(a.t(), (3,), w, b),
    ),
    "batch_norm": (
        [(2, 3, 2), (3,), (3,)],
        lambda torch, a, w, b: torch.nn.functional.batch_norm(a, None, None, w, b, training=True),
    ),
    "batch_norm eval": (
        [(2, 3, 2), (3,)],
        lambda torch, a, w: torch.nn.functional.batch_norm(
            a, torch.zeros(3, dtype=torch.float64), torch.ones(3, dtype=torch.float64), w
        ),
    ),
    "group_norm": (
        [(2, 4, 3), (4,), (4,)],
        lambda torch, a, w, b: torch.nn.functional.group_norm(a, 2, w, b),
    ),
    "group_norm bare": ([(2, 4, 3)], lambda torch, a: torch.nn.functional.group_norm(a, 2)),
    "group_norm turned": (
        [(3, 4, 2)],
        lambda torch, a: torch.nn.functional.group_norm(a.permute(2, 1, 0), 2),
    ),
    "group_norm turned gradient": (
        [(2, 4, 3)],
        lambda torch, a: torch.nn.functional.group_norm(a, 2).transpose(1, 2).contiguous(),
    ),
    "solve": ([(3, 3), (3, 2)], lambda torch, a, b: torch.linalg.solve(a, b)),
    "solve vector": ([(3, 3), (3,)], lambda torch, a, b: torch.linalg.solve(a, b)),
    "det": ([(3, 3)], lambda torch, a: torch.linalg.det(a)),
    "det batch": ([(2, 3, 3)], lambda torch, a: torch.linalg.det(a)),
    "det singular": (
        [(2, 3, 3)],
        lambda torch, a: torch.linalg.det(a * torch.tensor([1.0, 0.0, 1.0], dtype=torch.float64)),
    ),
    "slogdet": ([(3, 3)], lambda torch, a: torch.linalg.slogdet(a)[1]),
    "bce": (
        [(2, 3), (2, 3)],
        lambda torch, a, b: torch.nn.functional.binary_cross_entropy(
            torch.sigmoid(a), torch.sigmoid(b)
        ),
    ),
    "bce weight": (
        [(2, 3), (2, 3)],
        lambda torch, a, b: torch.nn.functional.binary_cross_entropy(
            torch.sigmoid(a),
            torch.sigmoid(b),
            weight=torch.tensor(2.0, dtype=torch.float64),
            reduction="sum",
        ),
    ),
    "bce logits": (
        [(2, 3)],
        lambda torch, a: torch.nn.functional.binary_cross_entropy_with_logits(
            a, torch.sigmoid(ramp(torch, 2, 3, start=4))
        ),
    ),
    "bce logits target": (
        [(2, 3), (2, 3)],
        lambda torch, a, b: torch.nn.functional.binary_cross_entropy_with_logits(a, b),
    ),
    "bce logits pos": (
        [(2, 3)],
        lambda torch, a: torch.nn.functional.binary_cross_entropy_with_logits(
            a, torch.sigmoid(ramp(torch, 2, 3, start=4)), pos_weight=ramp(torch, 3, start=9)
        ),
    ),
    "bce logits weight": (
        [(2, 3)],
        lambda torch, a: torch.nn.functional.binary_cross_entropy_with_logits(
            a,
            torch.sigmoid(ramp(torch, 2, 3, start=4)),
            weight=ramp(torch, 3, start=9),
            reduction="sum",
        ),
    ),
    "scatter_reduce prod": (
        [(3, 2), (2, 2)],
        lambda torch, a, b: a.scatter_reduce(0, torch.tensor([[0, 1], [0, 1]]), b, "prod"),
    ),
    "scatter_reduce amax": (
        [(3, 2), (2, 2)],
        lambda torch, a, b: a.scatter_reduce(0, torch.tensor([[0, 1], [0, 1]]), b, "amax"),
    ),
    "scatter_reduce mean": (
        [(3, 2), (2, 2)],
        lambda torch, a, b: a.scatter_reduce(0, torch.tensor([[0, 1], [0, 1]]), b, "mean"),
    ),
    "take_along_dim": ([(3, 2)], lambda torch, a: a.take_along_dim(torch.tensor([[0, 1]]), 0)),
    "renorm": ([(3, 2)], lambda torch, a: a.renorm(2, 0, 0.5)),
    "cdist": ([(3, 2), (4, 2)], lambda torch, a, b: torch.cdist(a, b)),
    "eigvalsh": ([(3, 3)], lambda torch, a: torch.linalg.eigvalsh(a + a.mT)),
}
# PyTorch has an operator, or other steps, for the derivative that is recorded
STEPS = [
    name
    for name in CASES
    if not name.startswith(
        ("group_norm", "index_select", "solve", "slogdet", "scatter_reduce prod")
    )
]

# a row without a batching rule is called for each example, with a warning; others lay the batch out otherwise
LOOPS = ("trace", "masked_select", "take", "batch_norm", "solve", "det", "slogdet")
BATCHED = [name for name in CASES if not name.startswith(LOOPS) or name == "take_along_dim"]


def wrapper_class(torch, log):
    pytree = importlib.import_module(f"{torch.__name__}.utils._pytree")

    class Wrapper(torch.Tensor):
        __torch_function__ = torch._C._disabled_torch_function_impl

        @staticmethod
        def __new__(cls, elem):
            made = torch.Tensor._make_wrapper_subclass(
                cls, elem.size(), strides=elem.stride(), dtype=elem.dtype
            )
            made.elem = elem
            return made

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            log.append(str(func))
            args, kwargs = pytree.tree_map(
                lambda x: x.elem if isinstance(x, cls) else x, (args, kwargs or {})
            )
            return pytree.tree_map(
                lambda x: cls(x) if isinstance(x, torch.Tensor) else x, func(*args, **kwargs)
            )

    return Wrapper


def backward(torch, case, way, create_graph=False):
    """The gradients, and the operators that a mode or the class of the inputs is asked for meanwhile."""
    shapes, function = CASES[case]
    inputs = [ramp(torch, *shape, start=k + 1) for k, shape in enumerate(shapes)]
    log = []
    cls = wrapper_class(torch, log)
    if way == "wrapper":
        inputs = [cls(x) for x in inputs]
    inputs = [x.requires_grad_() for x in inputs]
    result = function(torch, *inputs)
    grad = ramp(torch, *result.shape, start=7)
    if way == "wrapper":
        grad = cls(grad)
    log.clear()
    other = cls(ramp(torch, 2)) if way == "beside" else None
    if way == "mode":
        with logging_mode(torch) as mode:
            grads = torch.autograd.grad(result, inputs, grad, create_graph=create_graph)
        log = mode.log
    else:
        grads = torch.autograd.grad(result, inputs, grad, create_graph=create_graph)
    del other
    return [getattr(g, "elem", g) for g in grads], list(log)


@pytest.mark.parametrize("way", ["plain", "beside", "mode", "wrapper"])
@pytest.mark.parametrize("case", CASES)
def test_gradients_and_the_operators_that_are_seen(case, way):
    compare(lambda torch: backward(torch, case, way))


@pytest.mark.parametrize("way", ["mode", "wrapper"])
@pytest.mark.parametrize("case", STEPS)
def test_recorded_gradients_and_the_operators_that_are_seen(case, way):
    compare(lambda torch: backward(torch, case, way, create_graph=True))


@pytest.mark.parametrize("case", BATCHED)
def test_batched_gradients(case):
    """`vmap` of a plain backward, which records nothing: operators are those of one example, for all at once."""

    def program(torch):
        shapes, function = CASES[case]
        inputs = [
            ramp(torch, *shape, start=k + 1).requires_grad_() for k, shape in enumerate(shapes)
        ]
        result = function(torch, *inputs)
        grads = torch.stack([ramp(torch, *result.shape, start=k) for k in (7, 9)])
        return torch.autograd.grad(result, inputs, grads, is_grads_batched=True)

    compare(program)


# ---- which graphs need Tensors


def _roots():
    return importlib.import_module("minitorch.autograd.roots")


def test_an_ordinary_graph_runs_on_bare_data_beside_a_wrapper():
    import minitorch as torch

    wrapper = wrapper_class(torch, [])(torch.ones(2))
    x = torch.ones(2, requires_grad=True)
    ordinary = (x * 2).cumprod(0).sum()
    assert not _roots()._runs_on_tensors(ordinary)
    assert _roots()._runs_on_tensors(x * wrapper)


GRAPHS = {
    "a wrapper among the leaves": lambda torch, x, w: w.requires_grad_() * x,
    "a wrapper that is saved": lambda torch, x, w: (x * w).sin(),
    "a lazy conjugate": lambda torch, x, w: torch.view_as_complex(x).conj() * 2j,
    "a Function": lambda torch, x, w: doubled(torch).apply(x),
    "a sparse .grad": lambda torch, x, w: sparse_grad(torch, x) * 2,
}


def doubled(torch):
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    return Doubled


def sparse_grad(torch, x):
    x.grad = torch.ones(2).to_sparse()
    return x


@pytest.mark.parametrize("graph", GRAPHS)
def test_a_graph_that_meets_something_special_runs_on_tensors(graph):
    import minitorch as torch

    wrapper = wrapper_class(torch, [])(torch.ones(2))
    x = torch.ones(2, requires_grad=True)
    result = GRAPHS[graph](torch, x, wrapper)
    assert _roots()._runs_on_tensors(result)


@pytest.mark.parametrize(
    "write", ["x.mul_(x)", "x.mul_(x.view(2))", "x.add_(1).mul_(x)", "x.div_(x)"]
)
def test_a_wrapper_that_multiplies_itself_is_let_go_of(write):
    import minitorch as torch

    x = wrapper_class(torch, [])(torch.ones(2)).requires_grad_().clone()
    eval(write, {"x": x})
    gone = weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("write", ["x.mul_(x)", "x.div_(x)"])
def test_what_a_wrapper_has_written_over_is_an_error(write):
    def program(torch):
        x = wrapper_class(torch, [])(torch.ones(2)).requires_grad_().clone()
        eval(write, {"x": x})
        x.backward(wrapper_class(torch, [])(torch.ones(2)))

    compare(program)


def test_a_hook_may_give_a_wrapper():
    def program(torch):
        log = []
        cls = wrapper_class(torch, log)
        wrapper = cls(torch.ones(2, dtype=torch.float64))
        x = torch.ones(2, dtype=torch.float64, requires_grad=True)
        y = x * 2
        y.register_hook(lambda grad: wrapper)
        y.sum().backward()
        return type(x.grad).__name__, log

    compare(program)
