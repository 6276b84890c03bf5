"""What `run_backward` accepts and does, step by step, against PyTorch."""

import importlib
import signal
import subprocess
import sys
import threading
import weakref

import pytest

import minitorch
from minitorch.core import allocator
from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core


def engine(torch):
    return importlib.import_module(f"{torch.__name__}.autograd").Variable._execution_engine


def run(torch, *args, **kwargs):
    return engine(torch).run_backward(*args, **kwargs)


FLAGS = [True, False, 0, 1, 2, 255, 256, -1, -2, 2**40, None, 1.0, "yes"]


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("place", ["keep", "create", "unreachable"])
def test_flags_are_numbers_of_one_byte(place, flag):
    def program(torch):
        x, other = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
        y = (x * x).sum()
        keep, create, unreachable = (
            flag if place == name else name == "keep" for name in ("keep", "create", "unreachable")
        )
        results = run(
            torch,
            (y,),
            (torch.tensor(1.0),),
            keep,
            create,
            (x, other),
            allow_unreachable=unreachable,
        )
        again = run(torch, (y,), (torch.tensor(1.0),), True, False, (x,))
        return results, again

    compare(program)


@pytest.mark.parametrize("count", range(4))
def test_arguments_that_are_missing(count):
    def program(torch):
        y = torch.ones(2, requires_grad=True).sum()
        return run(torch, *((y,), (torch.tensor(1.0),), False, False)[:count])

    compare(program)


def test_arguments_that_are_unknown():
    def program(torch):
        y = torch.ones(2, requires_grad=True).sum()
        return run(torch, (y,), (torch.tensor(1.0),), False, False, more=1)

    compare(program)


@pytest.mark.parametrize("value", [None])
def test_none_is_no_missing_argument(value):
    compare(lambda torch: run(torch, value, (), False, False))
    compare(lambda torch: run(torch, (), value, False, False))
    compare(lambda torch: run(torch, (), (), value, False))


# ---- callbacks


@like_pytorch
def test_callbacks_run_in_order_when_all_else_is_done(torch):
    x, z = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    log = []

    def last():
        log.append(("queued by a callback", torch.is_grad_enabled()))

    def hook(g):
        for k in range(3):
            engine(torch).queue_callback(
                lambda k=k: log.append((k, z.grad is None, x.grad is None))
            )
        engine(torch).queue_callback(lambda: engine(torch).queue_callback(last))

    y = x * 2
    y.register_hook(hook)
    (y * z).sum().backward()
    return log


@like_pytorch
def test_a_callback_outside_of_a_backward(torch):
    engine(torch).queue_callback(lambda: None)


@like_pytorch
def test_a_callback_of_a_nested_backward_runs_at_its_end(torch):
    x = torch.ones(2, requires_grad=True)
    log = []

    def hook(g):
        engine(torch).queue_callback(lambda: log.append("outer"))
        with torch.enable_grad():
            w = torch.ones(2, requires_grad=True)
            v = w * 2
            v.register_hook(lambda g: engine(torch).queue_callback(lambda: log.append("inner")))
            v.sum().backward()
        log.append("after inner")
        engine(torch).queue_callback(lambda: log.append("outer again"))

    y = x * 2
    y.register_hook(hook)
    y.sum().backward()
    log.append("after outer")
    return log


@like_pytorch
def test_after_an_error_there_is_no_backward_left(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2

    def hook(g):
        raise ValueError("stop")

    y.register_hook(hook)
    try:
        y.sum().backward()
    except ValueError:
        pass
    engine(torch).queue_callback(lambda: None)


@like_pytorch
def test_whether_a_checkpoint_is_valid(torch):
    x = torch.ones(2, requires_grad=True)
    log = [engine(torch).is_checkpoint_valid()]
    y = x * 2
    y.register_hook(lambda g: log.append(engine(torch).is_checkpoint_valid()))
    y.sum().backward()
    (x * 1 + y).sum().backward(inputs=[x])
    torch.autograd.grad((y * 2).sum(), x)
    log.append(engine(torch).is_checkpoint_valid())
    return log


# ---- modes during and after


@pytest.mark.parametrize("create_graph", [True, False])
@pytest.mark.parametrize("mode", [True, False])
def test_grad_mode_is_restored(mode, create_graph):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        y = x * x
        log = []
        y.register_hook(lambda g: log.append((torch.is_grad_enabled(), g.requires_grad)))
        with torch.set_grad_enabled(mode):
            y.sum() if mode else None
            (g,) = torch.autograd.grad(y, x, torch.ones(2), create_graph=create_graph)
            log.append(torch.is_grad_enabled())
            try:
                torch.autograd.grad(
                    y, torch.ones(1, requires_grad=True), torch.ones(2), retain_graph=True
                )
            except RuntimeError:
                log.append(torch.is_grad_enabled())
        return log, g, torch.is_grad_enabled()

    compare(program)


@like_pytorch
def test_hooks_on_saved_tensors_that_a_backward_leaves_behind(torch):
    x = torch.ones(2, requires_grad=True)
    packed = []
    hooks = torch.autograd.graph.saved_tensors_hooks(lambda t: packed.append(t) or t, lambda t: t)
    y = x * x
    y.register_hook(lambda g: hooks.__enter__() and None)
    y.sum().backward()
    z = x.exp()
    return len(packed), z.grad_fn._saved_result


@like_pytorch
def test_a_cycle_is_warned_of_only_where_there_is_one(torch):
    x = torch.ones(2, requires_grad=True)
    (g,) = torch.autograd.grad((x * x).sum(), x, create_graph=True)
    return g


# ---- what is kept and freed


@pytest.mark.parametrize("retain", [True, False, None])
@pytest.mark.parametrize("create_graph", [True, False])
@pytest.mark.parametrize("with_inputs", ["grad", "backward", "backward_inputs"])
def test_what_a_backward_frees(with_inputs, create_graph, retain):
    def program(torch):
        x = torch.ones(3, requires_grad=True)
        y = (x.exp() * x).sum()
        for _ in range(2):
            if with_inputs == "grad":
                torch.autograd.grad(y, x, retain_graph=retain, create_graph=create_graph)
            else:
                inputs = [x] if with_inputs == "backward_inputs" else None
                y.backward(retain_graph=retain, create_graph=create_graph, inputs=inputs)
        return y.grad_fn.next_functions[0][0]._saved_self

    compare(program)


def test_each_slot_of_what_was_saved_is_freed():
    torch = minitorch
    before = allocator.memory_stats()["allocated_bytes"]
    leaves = [torch.ones(1 << 16, requires_grad=True) for _ in range(3)]
    a, b, c = (t * 1 for t in leaves)
    kept = [
        torch.lerp(a, b, c),
        torch.addcmul(a, b, c),
        a.exp(),
        a * b,
        torch.where(a > 0, b, c),
        a / b,
    ]
    kept += [torch.nn.functional.layer_norm(a, (1 << 16,), b, c), torch.cdist(a[None], b[None])]
    del a, b, c
    outputs = len(kept)
    sum(k.sum() for k in kept).backward()
    used = allocator.memory_stats()["allocated_bytes"] - before
    # the leaves, their gradients and the results
    assert used < (3 + 3 + outputs) * (1 << 18) + (1 << 16)


# ---- the walk


@pytest.mark.parametrize("width", [2, 255, 256, 257, 600])
def test_wide_graphs(width):
    def program(torch):
        leaves = [torch.tensor(float(k), requires_grad=True) for k in range(width)]
        total = torch.stack([t * t for t in leaves]).sum()
        total.backward()
        return [t.grad for t in leaves[:3] + leaves[-3:]], torch.autograd.grad(
            torch.stack([t * 2 for t in leaves]).sum(), leaves[-1:]
        )

    compare(program)


@pytest.mark.parametrize("depth", [1, 3, 300, 3000])
def test_deep_graphs(depth):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        y = x
        for _ in range(depth):
            y = y * 1.001
        y.sum().backward()
        (g,) = torch.autograd.grad((y * y).detach().sum() + (x * 3).sum(), x)
        return x.grad, g

    compare(program, tolerance=1e-4)


@like_pytorch
def test_a_graph_with_many_ways_to_each_node(torch):
    x = torch.ones(2, requires_grad=True)
    y = x
    for _ in range(30):
        y = y * 0.5 + y * 0.25 + y * 0.25
    y.sum().backward()
    return x.grad


@pytest.mark.parametrize("roots", [1, 2, 3])
def test_several_roots_each_with_its_gradient(roots):
    def program(torch):
        x = torch.ones(2, requires_grad=True)
        y = [x * (k + 1) for k in range(roots)]
        torch.autograd.backward(y, [torch.full((2,), 10.0**k) for k in range(roots)])
        return x.grad

    compare(program)


@like_pytorch
def test_roots_of_which_one_lies_below_another(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y * 3
    torch.autograd.backward(
        [z, y, y, x], [torch.ones(2), torch.ones(2) * 10, torch.ones(2) * 100, torch.ones(2)]
    )
    return x.grad, torch.autograd.grad(
        [y * 1, y], [x, y], [torch.ones(2), torch.ones(2)], retain_graph=True
    )


@like_pytorch
def test_a_root_without_a_gradient(torch):
    x = torch.ones(2, requires_grad=True)
    y = torch.autograd.graph.get_gradient_edge(x * 2)
    z = (x * 5).sum()
    torch.autograd.backward([y, z], [torch.ones(2), None])
    return x.grad


@like_pytorch
def test_gradients_of_a_node_with_many_edges(torch):
    x = [torch.full((2,), float(k), requires_grad=True) for k in range(7)]
    y = torch.stack([*x, x[0], x[5]])
    (y * torch.arange(18.0).reshape(9, 2)).sum().backward()
    parts = torch.cat([t * 2 for t in x])
    grads = torch.autograd.grad((parts * torch.arange(14.0)).sum(), [x[6], x[3], x[0]])
    return [t.grad for t in x], grads


@like_pytorch
def test_gradients_of_further_outputs(torch):
    x = torch.arange(12.0).reshape(3, 4).requires_grad_()
    a, b, c = x.unbind()
    values, _ = (b * c).sort(descending=True)
    p, q = torch.var_mean(a * b)
    s, i = torch.linalg.slogdet(torch.eye(3) + (x @ x.t()) / 64)
    (values * torch.arange(4.0) + p * 2 + q * 3).sum().backward(retain_graph=True)
    return (
        x.grad,
        torch.autograd.grad(i, x),
        torch.autograd.grad(values.sum() + p, [b, c], allow_unused=True),
    )


@like_pytorch
def test_only_what_leads_to_an_input_runs(torch):
    x, z = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    log = []
    a, b = x * 2, z * 3
    c = b.exp()
    for name, t in (("a", a), ("b", b), ("c", c)):
        t.grad_fn.register_prehook(lambda g, name=name: log.append(name))
        t.register_hook(lambda g, name=name: log.append("tensor " + name))
    loss = (a * c).sum()
    g = torch.autograd.grad(loss, x, retain_graph=True)
    log.append("-")
    h = torch.autograd.grad(loss, [b], retain_graph=True)
    log.append("-")
    loss.backward(inputs=[x], retain_graph=True)
    log.append("-")
    torch.autograd.grad(loss, [a, c])
    return log, g, h, x.grad, z.grad


# ---- hooks around a node


@like_pytorch
def test_hooks_see_and_change_gradients_in_their_order(torch):
    x = torch.ones(2, requires_grad=True)
    log = []
    y = x * 2
    y.register_hook(lambda g: (log.append(("tensor", g.clone())), g * 10)[1])
    y.retain_grad()
    y.grad_fn.register_prehook(lambda g: (log.append(("pre", g[0].clone())), (g[0] * 100,))[1])
    y.grad_fn.register_hook(
        lambda i, o: (
            log.append(("post", [t if t is None else t.clone() for t in i], o[0].clone())),
            (i[0] + 1, *i[1:]),
        )[1]
    )
    y.sum().backward()
    return log, y.grad, x.grad


@like_pytorch
def test_a_post_hook_sees_gradients_that_fit(torch):
    log = []
    x = torch.ones(2, requires_grad=True)
    b = torch.ones(3, 2, dtype=torch.float64)
    y = x * b
    y.grad_fn.register_hook(
        lambda i, o: log.append([(t.shape, str(t.dtype)) for t in i if t is not None])
    )
    y.sum().backward()
    return log, x.grad


@like_pytorch
def test_gradients_are_given_the_dtype_of_their_input(torch):
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return x.sum() + y.sum()

        @staticmethod
        def backward(ctx, g):
            return torch.ones(2, dtype=torch.float64), torch.ones(2, dtype=torch.float16)

    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    seen = []
    for t in (x, y):
        t.register_hook(lambda g: seen.append(str(g.dtype)))
    Wrong.apply(x, y).backward()
    return x.grad, y.grad, seen


@pytest.mark.parametrize("shape", [(3,), (2, 2), (1, 2), (), (3, 2)])
@pytest.mark.parametrize("create_graph", [False, True])
def test_gradients_of_another_shape(shape, create_graph):
    def program(torch):
        class Wrong(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.sum()

            @staticmethod
            def backward(ctx, g):
                return torch.ones(shape)

        x = torch.ones(2, requires_grad=True)
        Wrong.apply(x).backward(create_graph=create_graph)
        return x.grad

    compare(program)


# ---- anomaly mode


@pytest.mark.parametrize("check_nan", [True, False])
@pytest.mark.parametrize("which", [0, 1, 3])
def test_one_nan_among_numbers(which, check_nan):
    def program(torch):
        class Bad(torch.autograd.Function):
            @staticmethod
            def forward(ctx, *x):
                return sum(t.sum() for t in x)

            @staticmethod
            def backward(ctx, g):
                grads = [torch.ones(3) for _ in range(4)]
                grads[which][1] = float("nan")
                return tuple(grads)

        x = [torch.ones(3, requires_grad=True) for _ in range(4)]
        y = Bad.apply(*x)
        with torch.autograd.detect_anomaly(check_nan):
            y.backward()
        return [t.grad for t in x]

    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compare(program)


# ---- unused inputs


@pytest.mark.parametrize("allow", [True, False, None])
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 0, 1), (1,), (1, 2)])
def test_inputs_that_are_not_in_the_graph(order, allow):
    def program(torch):
        leaves = [torch.ones(2, requires_grad=True) for _ in range(3)]
        y = (leaves[0] * 2 + leaves[2]).sum()
        return torch.autograd.grad(y, [leaves[k] for k in order], allow_unused=allow)

    compare(program)


# ---- nested backwards


@pytest.mark.parametrize("depth", [1, 2, 59, 60, 61, 70])
def test_errors_and_modes_come_out_of_nested_backwards(depth):
    def program(torch):
        log = []

        class Nest(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, n):
                ctx.n = n
                return x * 1

            @staticmethod
            def backward(ctx, g):
                if ctx.n == 0:
                    log.append(torch.is_grad_enabled())
                    raise ValueError("innermost")
                try:
                    with torch.enable_grad():
                        w = torch.ones(1, requires_grad=True)
                        Nest.apply(w, ctx.n - 1).backward()
                finally:
                    if ctx.n in (1, depth):
                        log.append(torch.is_grad_enabled())
                return g, None

        x = torch.ones(1, requires_grad=True)
        try:
            Nest.apply(x, depth).backward()
        except ValueError as error:
            log.append(str(error))
        log.append(torch.is_grad_enabled())
        return log

    compare(program)


def test_a_backward_runs_on_the_calling_thread_however_many_there_were():
    torch = minitorch
    threads = set()
    for _ in range(80):
        x = torch.ones(1, requires_grad=True)
        x.register_hook(lambda g: threads.add(threading.current_thread()))
        (x * 2).backward()
    assert threads == {threading.current_thread()}


def test_a_callback_deep_inside_belongs_to_its_backward():
    torch = minitorch
    log = []

    class Nest(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, n):
            ctx.n = n
            return x * 1

        @staticmethod
        def backward(ctx, g):
            engine(torch).queue_callback(lambda: log.append(ctx.n))
            if ctx.n:
                with torch.enable_grad():
                    Nest.apply(torch.ones(1, requires_grad=True), ctx.n - 1).backward()
            engine(torch).queue_callback(lambda: log.append(-ctx.n))
            return g, None

    Nest.apply(torch.ones(1, requires_grad=True), 65).backward()
    assert log == [k for n in range(66) for k in (n, -n)]


@like_pytorch
def test_a_backward_over_the_graph_that_is_running(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * x
    z = y * 3
    log = []

    def hook(g):
        if len(log) < 2:
            log.append(None)
            log[-1] = torch.autograd.grad(z, x, torch.ones(2), retain_graph=True)[0].clone()

    y.register_hook(hook)
    z.backward(torch.ones(2) * 10, retain_graph=True)
    (g,) = torch.autograd.grad(z, x, torch.ones(2))
    return [t for t in log if t is not None], x.grad, g


def test_a_signal_ends_a_long_backward():
    torch = minitorch

    class Stop(Exception):
        pass

    def stop(*ignored):
        raise Stop

    x = torch.ones(1, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y * 1.0
    y.register_hook(lambda g: signal.setitimer(signal.ITIMER_REAL, 0.002) and None)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        with pytest.raises(Stop):
            y.backward()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert x.grad is None


def test_what_is_queued_when_an_error_comes_is_freed():
    torch = minitorch

    class Fail(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            raise ValueError

    x = torch.ones(1, requires_grad=True)
    branches = [x.exp() * k for k in range(10)]
    nodes = [weakref.ref(b) for b in branches]
    last = Fail.apply(x)
    loss = torch.stack([*branches, last]).sum()
    with pytest.raises(ValueError):
        loss.backward()
    before = allocator.memory_stats()["allocated_bytes"]
    del branches, last, loss
    assert all(n() is None for n in nodes)
    # ten products and ten exponentials, of two blocks each
    assert before - allocator.memory_stats()["allocated_bytes"] >= 20 * 64


def test_what_went_into_a_node_is_free_before_the_next_ones_run():
    a = minitorch.ones(1, 1, requires_grad=True) * 1
    first, second = a.expand(2, 1 << 20).unbind()  # each has a gradient of 4 MB
    loss = (first * second).sum()
    start = allocator.memory_stats()["allocated_bytes"]
    held = []
    a.register_hook(lambda g: held.append(allocator.memory_stats()["allocated_bytes"] - start))
    loss.backward()
    assert held[0] < 1 << 16


@pytest.mark.parametrize("call", ["backward", "grad"])
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_warning_of_the_cycle_that_backward_makes(call, create_graph):
    """It is given once in a process, so each case has its own."""
    text = f"""
import sys, warnings
import {{}} as torch
x = torch.ones((), requires_grad=True)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(2):
        y = x * x
        if {call!r} == "grad":
            torch.autograd.grad(y, x, create_graph={create_graph})
        else:
            y.backward(create_graph={create_graph})
print([str(w.message)[:60] for w in caught])
"""
    ours, theirs = (
        subprocess.run(
            [sys.executable, "-c", text.format(name)], capture_output=True, text=True, check=True
        ).stdout
        for name in ("minitorch", "torch")
    )
    assert ours == theirs


@like_pytorch
def test_what_run_backward_returns(torch):
    x = torch.ones(2, requires_grad=True)
    ones = torch.ones(2)
    found = [
        run(torch, (x * 2,), (ones,), False, False, (), True, True),
        run(torch, (x * 2,), (ones,), False, False, (x,), True, True),
        run(torch, (x * 2,), (ones,), False, False, (x,), True, False),
    ]
    return [(type(each).__name__, each) for each in found]


@like_pytorch
def test_where_checkpoints_are_valid(torch):
    valid = engine(torch).is_checkpoint_valid
    found = [valid()]
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: found.append(valid()))
    y.sum().backward(retain_graph=True)
    torch.autograd.grad(y.sum(), x, retain_graph=True)
    y.sum().backward(inputs=[x])
    return found, valid()
