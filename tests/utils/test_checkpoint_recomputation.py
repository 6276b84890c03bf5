"""When a checkpoint runs its function again, and what happens when it saves something else then."""

import contextlib
import functools
import gc
import importlib
import logging
import weakref

import pytest

import minitorch
from tests.both import compare, like_pytorch, real
from tests.utils.checkpoints import checkpoints_of, numbers


@pytest.fixture(autouse=True)
def _no_records():
    """PyTorch keeps its log of operators in records that pytest's handlers cannot format.

    They are put on loggers that do not propagate, as this one is left by its first use.
    """
    logging.getLogger("LoggingTensor").propagate = True


# ---- the recomputation


@pytest.mark.parametrize("context", (None, True, False))
@pytest.mark.parametrize("early_stop", (None, True, False))
def test_the_recomputation_stops_when_everything_is_there(early_stop, context):
    def program(torch):
        module = checkpoints_of(torch)
        events = []

        def function(t):
            events.append("begin")
            u = t.sin()
            events.append("sin")
            u = u.cos()
            events.append("cos")
            u = u + 1
            events.append("end")
            return u

        x = numbers(torch, 3)
        around = contextlib.nullcontext()
        if context is not None:
            around = module.set_checkpoint_early_stop(context)
        given = {} if early_stop is None else {"early_stop": early_stop}
        with around:
            y = module.checkpoint(function, x, use_reentrant=False, **given)
        y.sum().backward()
        return events, x.grad

    compare(program)


@like_pytorch
def test_the_recomputation_starts_when_the_first_tensor_is_needed(torch):
    events = []
    x = numbers(torch, 3)

    def function(t):
        events.append("run")
        return t.sin()

    y = checkpoints_of(torch).checkpoint(function, x, use_reentrant=False)
    y.register_hook(lambda grad: events.append("gradient of the output"))
    (y * 2).sum().backward()
    saved = checkpoints_of(torch).checkpoint(function, x, use_reentrant=False).grad_fn
    events.append("look")
    values = [saved._saved_self, saved._saved_self]
    return events, values


@like_pytorch
def test_hooks_around_a_checkpoint_see_its_arguments_alone(torch):
    events = []

    def pack(tensor):
        events.append(("pack", tuple(tensor.shape), tensor.requires_grad))
        return tensor

    def unpack(tensor):
        events.append(("unpack", tuple(tensor.shape)))
        return tensor

    x, c, k = numbers(torch, 3), numbers(torch, 1, grad=False), numbers(torch, 7)
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = checkpoints_of(torch).checkpoint(
            lambda a, n, b, c=None: a.sin() * b.exp(), x, 3, c, c=k, use_reentrant=False
        )
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    return events, x.grad


@like_pytorch
def test_hooks_inside_of_a_checkpoint_come_first(torch):
    x = numbers(torch, 3)
    events = []

    def function(t):
        def pack(u):
            events.append("pack")
            return u.detach() * 2

        def unpack(u):
            events.append("unpack")
            return u / 2

        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            v = t.sin()
        return v * v

    checkpoints_of(torch).checkpoint(function, x, use_reentrant=False).sum().backward()
    return events, x.grad


@like_pytorch
def test_a_backward_inside_of_the_function(torch):
    x = numbers(torch, 3)

    def function(t):
        u = t.detach().requires_grad_()
        (grad,) = torch.autograd.grad((u.sin() * u).sum(), u)
        return t * grad * t

    y = checkpoints_of(torch).checkpoint(function, x, use_reentrant=False)
    y.sum().backward()
    return y, x.grad


@pytest.mark.parametrize("early_stop", (True, False))
def test_a_backward_through_the_checkpoint_itself_inside_of_the_function(early_stop):
    def program(torch):
        x = numbers(torch, 3)

        def function(t):
            y = t.sin() * t
            (grad,) = torch.autograd.grad(y.sum(), t, retain_graph=True)
            return y * grad

        y = checkpoints_of(torch).checkpoint(
            function, x, use_reentrant=False, early_stop=early_stop
        )
        y.sum().backward()
        return y, x.grad

    compare(program)


@like_pytorch
def test_a_function_of_the_user_inside(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x, x * x)
            return x * x * x

        @staticmethod
        def backward(ctx, grad):
            _, square = ctx.saved_tensors
            return 3 * square * grad

    x = numbers(torch, 3)
    checkpoints_of(torch).checkpoint(
        lambda t: Cube.apply(t.exp()), x, use_reentrant=False
    ).sum().backward()
    return x.grad


@like_pytorch
def test_saved_tensors_that_are_asked_for_twice(torch):
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            ctx.saved_tensors  # noqa: B018
            return 2 * ctx.saved_tensors[0] * grad

    x = numbers(torch, 3)
    checkpoints_of(torch).checkpoint(Twice.apply, x, use_reentrant=False).sum().backward()


def test_what_was_saved_is_freed_and_what_was_computed_again_too():
    x = minitorch.ones(3, requires_grad=True)
    sizes = []

    def function(t):
        u = t.sin()

        sizes.append(weakref.ref(u))
        return u.cos()

    y = minitorch.utils.checkpoint.checkpoint(function, x, use_reentrant=False)
    gc.collect()
    # nothing but its arguments is kept
    assert sizes[0]() is None
    y.sum().backward()
    gc.collect()
    assert sizes[1]() is None


# ---- other tensors than in the forward pass


def _sines(counts):
    """A function that takes one sine more or less each time."""
    left = iter(counts)

    def function(t):
        for _ in range(next(left)):
            t = t.sin()
        return t

    return function


@pytest.mark.parametrize("check", ("default", "none"))
@pytest.mark.parametrize("early_stop", (True, False))
@pytest.mark.parametrize("counts", ((2, 2), (1, 3), (3, 1), (1, 0), (2, 1)))
def test_more_or_fewer_saved_tensors(counts, early_stop, check):
    def program(torch):
        x = numbers(torch, 3)
        y = checkpoints_of(torch).checkpoint(
            _sines(counts), x, use_reentrant=False, early_stop=early_stop, determinism_check=check
        )
        y.sum().backward()
        return x.grad

    compare(program)


@pytest.mark.parametrize("check", ("default", "none"))
@pytest.mark.parametrize("change", ("t[:2]", "t.double()", "t.reshape(2, 2)", "t.clone()", "t + 1"))
def test_saved_tensors_of_other_shape_or_dtype(change, check):
    def program(torch):
        again = []

        def function(t):
            t = t * 1
            if again:
                t = eval(change, {"t": t})
            again.append(1)
            return (t.sin() * t).exp().sum()

        x = numbers(torch, 4)
        y = checkpoints_of(torch).checkpoint(
            function, x, use_reentrant=False, determinism_check=check
        )
        y.backward()
        return x.grad

    compare(program)


@like_pytorch
def test_saved_tensors_in_another_order(torch):
    order = iter((0, 1))

    def function(a, b):
        if next(order):
            a, b = b, a
        return (a.sin().sum() + b.exp().sum() * 2) * 3

    a, b = numbers(torch, 3), numbers(torch, 2, 2)
    checkpoints_of(torch).checkpoint(function, a, b, use_reentrant=False).backward()


@like_pytorch
def test_the_error_is_a_runtime_error_of_this_module(torch):
    module = checkpoints_of(torch)
    x = numbers(torch, 3)
    try:
        module.checkpoint(_sines((3, 1)), x, use_reentrant=False).sum().backward()
    except module.CheckpointError as error:
        names = type(error).__module__.split(".")[1:], type(error).__name__
        return names, isinstance(error, RuntimeError)


HEADERS = (
    "1. Stack traces of the operators that ran in the original forward",
    "2. Stack traces of the operators that ran during recomputation",
    "3. Log of operators in the original forward and recomputation",
    "Operations executed during the original forward:",
    "Operations executed during recomputation:",
    "ERROR: Detected non-determinism while running activation checkpointing",
    "You are seeing this error because you passed `debug=True` to checkpoint",
)


@pytest.mark.parametrize("switch", ("argument", "context", "off"))
@pytest.mark.parametrize("counts", ((3, 1), (1, 3)))
def test_debug_lists_the_operators_that_ran(counts, switch):
    def program(torch):
        module = checkpoints_of(torch)
        x = numbers(torch, 3)
        around = contextlib.nullcontext()
        if switch != "argument":
            around = module.set_checkpoint_debug_enabled(switch == "context")
        with around:
            y = module.checkpoint(
                _sines(counts),
                x,
                use_reentrant=False,
                early_stop=False,
                debug=switch in ("argument", "off"),
            )
        try:
            y.sum().backward()
        except module.CheckpointError as error:
            text = str(error)
            cause = error.__cause__
            return [header in text for header in HEADERS], str(cause), type(cause).__name__

    compare(program)


def test_debug_names_the_lines_of_the_program():
    x = minitorch.ones(3, requires_grad=True)
    module = minitorch.utils.checkpoint
    y = module.checkpoint(_sines((2, 1)), x, use_reentrant=False, debug=True)
    with pytest.raises(module.CheckpointError) as caught:
        y.sum().backward()
    text = str(caught.value)
    assert "$2: f32[3] = torch._ops.aten.sin.default($1)   (2 of 2 in original)" in text
    assert "(1 of 2 in recompute)" in text
    assert "test_checkpoint_recomputation.py" in text and "t = t.sin()" in text
    assert "minitorch/utils" not in text


# ---- groups of backward passes


def _branches(torch, runs, early_stop):
    def function(t):
        runs.append("run")
        u = t.exp()
        return u.sin(), u.cos()

    x = numbers(torch, 3)
    first, second = checkpoints_of(torch).checkpoint(
        function, x, use_reentrant=False, early_stop=early_stop
    )
    return x, first, second


@pytest.mark.parametrize("grouped", (True, False))
def test_backwards_of_a_group_share_a_recomputation(grouped):
    def program(torch):
        runs = []
        x = numbers(torch, 3)

        def function(t):
            runs.append("run")
            return t.sin(), t.cos()

        first, second = checkpoints_of(torch).checkpoint(function, x, use_reentrant=False)
        with checkpoints_of(torch).GraphExecGroup() if grouped else contextlib.nullcontext():
            first.sum().backward(retain_graph=True)
            second.sum().backward()
        return runs, x.grad

    compare(program)


@like_pytorch
def test_backwards_of_a_group_must_not_need_the_same_tensor(torch):
    _, first, second = _branches(torch, [], True)
    with checkpoints_of(torch).GraphExecGroup():
        first.sum().backward(retain_graph=True)
        second.sum().backward()


@like_pytorch
def test_groups_one_after_the_other(torch):
    runs = []
    x, first, _ = _branches(torch, runs, True)
    group = checkpoints_of(torch).GraphExecGroup
    for keep in (True, False):
        with group() as entered:
            assert entered is group._get_current_group()
            first.sum().backward(retain_graph=keep)
    return runs, x.grad, group._get_current_group()


@pytest.mark.parametrize("torch", (real, minitorch))
def test_groups_cannot_be_nested(torch):
    group = checkpoints_of(torch).GraphExecGroup
    with group() as outer:
        with pytest.raises(RuntimeError) as caught, group():
            pass
    assert str(caught.value) == (
        f"GraphExecGroup contexts cannot be nested. Already inside group {outer}"
    )
    assert group._get_current_group() is None


@pytest.mark.parametrize("allow", (True, False))
def test_a_selective_checkpoint_with_a_write_in_place(allow):
    def program(torch):
        module = checkpoints_of(torch)

        def policy(ctx, op, *args, **kwargs):
            keep = op is torch.ops.aten.sin.default
            return (
                module.CheckpointPolicy.MUST_SAVE
                if keep
                else module.CheckpointPolicy.PREFER_RECOMPUTE
            )

        contexts = functools.partial(
            module.create_selective_checkpoint_contexts, policy, allow_cache_entry_mutation=allow
        )
        x = numbers(torch, 3)
        y = module.checkpoint(
            lambda t: t.sin().mul_(2).cos().exp(), x, use_reentrant=False, context_fn=contexts
        )
        y.sum().backward()
        return x.grad

    compare(program)


@pytest.mark.parametrize("function", ("exp", "view_clone_relu", "softmax"))
def test_a_mode_around_the_recomputation_sees_results_detached_when_they_are_used(function):
    def program(torch):
        seen = []

        class Log(torch.utils._python_dispatch.TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                seen[-1].append(func.__name__)
                return func(*args, **(kwargs or {}))

        functions = {
            "exp": torch.exp,
            "view_clone_relu": lambda t: t.view(-1).clone().relu(),
            "softmax": lambda t: t.softmax(0),
        }
        for contexts in (
            lambda: (Log(), contextlib.nullcontext()),
            lambda: (contextlib.nullcontext(), Log()),
        ):
            seen.append([])
            x = numbers(torch, 3)
            y = checkpoints_of(torch).checkpoint(
                functions[function], x, use_reentrant=False, context_fn=contexts
            )
            y.sum().backward()
        return seen

    compare(program)


@pytest.mark.parametrize("use_reentrant", [True, False])
@pytest.mark.parametrize("enabled", [True, False])
def test_autocast_is_repeated_in_the_backward(use_reentrant, enabled):
    @like_pytorch
    def program(torch):
        def function(x, w):
            y = torch.mm(x, w)
            dtypes.append(str(y.dtype))
            return torch.mm(y, w)

        dtypes = []
        x, w = (torch.eye(3).mul(k).requires_grad_() for k in (1.5, 0.3))
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=enabled):
            y = torch.utils.checkpoint.checkpoint(function, x, w, use_reentrant=use_reentrant)
        y.float().sum().backward()
        return dtypes, x.grad, w.grad, torch.is_autocast_enabled("cpu")

    program()


LAYERS = {
    "layer_norm": lambda torch, x, w: torch.nn.functional.layer_norm(x, (4,), w),
    "cross_entropy": lambda torch, x, w: torch.nn.functional.cross_entropy(
        x * w, torch.tensor([0, 3])
    ),
    "var": lambda torch, x, w: (x * w).var(0),
    "mse_loss": lambda torch, x, w: torch.nn.functional.mse_loss(x * w, x),
    "amax": lambda torch, x, w: (x * w).amax(0),
}


@pytest.mark.parametrize("layer", LAYERS)
def test_a_checkpoint_in_forward_mode(layer):
    def program(torch):
        checkpoint = importlib.import_module(f"{torch.__name__}.utils.checkpoint").checkpoint
        forward_ad = torch.autograd.forward_ad
        w = torch.tensor([1.0, 3.0, -2.0, 0.5], requires_grad=True)
        with forward_ad.dual_level():
            x = forward_ad.make_dual(torch.arange(8.0).reshape(2, 4).cos(), torch.eye(2, 4))
            y = checkpoint(lambda x: LAYERS[layer](torch, x, w), x, use_reentrant=False)
            primal, tangent = forward_ad.unpack_dual(y)
            grads = torch.autograd.grad(primal.sum(), w)
        return primal, tangent, grads

    compare(program, tolerance=1e-5)
