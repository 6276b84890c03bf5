"""The modes of a thread: nesting, decorators, errors, other threads, against PyTorch."""

import importlib
import inspect
import threading

import pytest

from tests.both import compare, like_pytorch

pytestmark = pytest.mark.core

MODES = {
    "no_grad": lambda torch: torch.no_grad(),
    "enable_grad": lambda torch: torch.enable_grad(),
    "set_true": lambda torch: torch.set_grad_enabled(True),
    "set_false": lambda torch: torch.set_grad_enabled(False),
    "inference": lambda torch: torch.inference_mode(),
    "no_inference": lambda torch: torch.inference_mode(False),
}


def state(torch):
    x = (
        torch.ones(2, requires_grad=True)
        if not torch.is_inference_mode_enabled()
        else torch.ones(2)
    )
    y = x * 2
    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch._C._is_fwd_grad_enabled(),
        y.requires_grad,
        y.is_inference(),
    )


@pytest.mark.parametrize("outer", MODES)
def test_each_mode_inside_each_other(outer):
    def program(torch):
        log = [state(torch)]
        with MODES[outer](torch):
            log.append(state(torch))
            for inner in MODES:
                with MODES[inner](torch):
                    log.append((inner, state(torch)))
                    for third in MODES:
                        with MODES[third](torch):
                            log.append((third, state(torch)))
                        log.append(state(torch))
                log.append(state(torch))
        log.append(state(torch))
        return log

    compare(program)


@pytest.mark.parametrize("mode", MODES)
def test_modes_end_with_an_error(mode):
    def program(torch):
        log = []
        for start in (True, False):
            with torch.set_grad_enabled(start):
                try:
                    with MODES[mode](torch):
                        raise ValueError
                except ValueError:
                    log.append(state(torch))
            log.append(state(torch))
        return log

    compare(program)


@pytest.mark.parametrize("mode", MODES)
def test_modes_as_decorators(mode):
    def program(torch):
        log = []

        @MODES[mode](torch)
        def function():
            log.append(state(torch))

        log.append(state(torch))
        for start in (True, False):
            with torch.set_grad_enabled(start):
                function()
                log.append(state(torch))
        return log

    compare(program)


@like_pytorch
def test_a_mode_object_used_again(torch):
    log = []
    for mode in (torch.no_grad(), torch.enable_grad(), torch.inference_mode()):
        for _ in range(2):
            with mode:
                log.append(state(torch))
            log.append(state(torch))
    return log


@like_pytorch
def test_a_mode_that_is_set_and_entered_later(torch):
    log = []
    mode = torch.set_grad_enabled(False)
    log.append(state(torch))
    torch.set_grad_enabled(True)
    with mode:
        log.append(state(torch))
    log.append(state(torch))
    torch.set_grad_enabled(False)
    log.append(state(torch))
    torch.set_grad_enabled(True)
    return log


@pytest.mark.parametrize("value", [1, 0, None, "no", 1.0])
def test_modes_that_are_no_bools(value):
    def program(torch):
        try:
            torch.set_grad_enabled(value)
        finally:
            torch._C._set_grad_enabled(True)

    compare(program)
    compare(lambda torch: torch.autograd.set_multithreading_enabled(value))
    compare(lambda torch: torch.autograd._force_original_view_tracking(value))


def on_another_thread(function):
    result = []
    thread = threading.Thread(target=lambda: result.append(function()))
    thread.start()
    thread.join()
    return result[0]


def everything(torch):
    return (
        *state(torch),
        torch.is_grad_enabled(),
        torch._C._is_multithreading_enabled(),
        torch._C._is_view_replay_enabled(),
        torch.autograd.forward_ad._current_level,
    )


SWITCHES = {
    **MODES,
    "multithreading": lambda torch: torch.autograd.set_multithreading_enabled(False),
    "view_replay": lambda torch: torch.autograd._force_original_view_tracking(True),
}


@pytest.mark.parametrize("switch", SWITCHES)
def test_modes_belong_to_their_thread(switch):
    def program(torch):
        with SWITCHES[switch](torch):
            here, there = everything(torch), on_another_thread(lambda: everything(torch))
        return here, there, everything(torch)

    compare(program)


@pytest.mark.parametrize("switch", SWITCHES)
def test_a_thread_leaves_the_modes_of_others_alone(switch):
    def program(torch):
        inside, done = threading.Event(), threading.Event()

        def run():
            with SWITCHES[switch](torch):
                inside.set()
                done.wait(10)

        thread = threading.Thread(target=run)
        thread.start()
        inside.wait(10)
        during = everything(torch)
        done.set()
        thread.join()
        return during, everything(torch)

    compare(program)


def grad_stride(torch):
    x = torch.zeros(6, 4).t().requires_grad_()
    (x * torch.ones(4, 6)).sum().backward()
    return x.grad.stride()


policy = pytest.mark.skipif(
    not hasattr(pytest.importorskip("torch").autograd, "enforce_grad_layout_policy"),
    reason="PyTorch has no such policy",
)


@policy
@like_pytorch
def test_the_layout_policy_belongs_to_its_thread(torch):
    with torch.autograd.enforce_grad_layout_policy(False):
        here, there = grad_stride(torch), on_another_thread(lambda: grad_stride(torch))
    return here, there, grad_stride(torch)


@policy
@like_pytorch
def test_layout_policies_inside_each_other_and_as_decorators(torch):
    set_policy = torch.autograd.enforce_grad_layout_policy
    log = []
    for outer in (True, False):
        for inner in (True, False):
            with set_policy(outer):
                with set_policy(inner):
                    log.append(grad_stride(torch))
                log.append(grad_stride(torch))

                @set_policy(inner)
                def decorated():
                    return grad_stride(torch)

                log.append(grad_stride(torch))
                log.append(decorated())
                log.append(grad_stride(torch))
        log.append(grad_stride(torch))
    return log


@policy
@pytest.mark.parametrize("value", [1, None, "no"])
def test_a_layout_policy_that_is_no_bool(value):
    compare(lambda torch: torch.autograd.enforce_grad_layout_policy(value))


@pytest.mark.parametrize("name", ["set_multithreading_enabled", "_force_original_view_tracking"])
def test_switches_inside_each_other_and_as_decorators(name):
    def program(torch):
        switch = getattr(torch.autograd, name)
        log = []
        for outer in (True, False):
            for inner in (True, False):
                with switch(outer):
                    with switch(inner):
                        log.append(everything(torch))
                    log.append(everything(torch))
                    if name.startswith("_force"):
                        decorated = switch(inner)(lambda: everything(torch))
                        log += [everything(torch), decorated(), everything(torch)]
            log.append(everything(torch))
        return log

    compare(program)


@like_pytorch
def test_the_replay_of_views_on_one_of_two_threads(torch):
    def history():
        x = torch.ones(4, requires_grad=True)
        base = x * 1
        view = base.view(2, 2)
        base.mul_(2)
        return view.grad_fn.name()

    with torch.autograd._force_original_view_tracking(True):
        inner = on_another_thread(lambda: _with_replay(torch, history))
        here = history()
    return inner, here, history(), on_another_thread(history)


def _with_replay(torch, history):
    with torch.autograd._force_original_view_tracking(True):
        a = history()
    with torch.autograd._force_original_view_tracking(False):
        return a, history()


def dispatch_mode(torch, inside):
    module = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")

    class Mode(module.TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            inside()
            return func(*args, **(kwargs or {}))

    return Mode()


@pytest.mark.parametrize("enabled", [True, False])
def test_the_mode_that_a_dispatch_mode_sees_and_switches(enabled):
    def program(torch):
        log = []

        def inside():
            log.append(torch.is_grad_enabled())
            log.append(on_another_thread(torch.is_grad_enabled))
            with torch.set_grad_enabled(not torch.is_grad_enabled()):
                log.append(torch.is_grad_enabled())
            log.append(torch.is_grad_enabled())

        x = torch.ones(2, requires_grad=True)
        with torch.set_grad_enabled(enabled), dispatch_mode(torch, inside):
            y = x * 2
        return log, y.requires_grad, torch.is_grad_enabled(), state(torch)

    compare(program)


@like_pytorch
def test_inference_tensors_of_one_thread(torch):
    with torch.inference_mode():
        x = torch.ones(2)
        other = on_another_thread(lambda: torch.ones(2))
        view_of_normal = other.view(2, 1)
        same = x.view(2, 1)
    return (
        x.is_inference(),
        other.is_inference(),
        view_of_normal.is_inference(),
        same.is_inference(),
    )


@like_pytorch
def test_recording_inside_a_backward_is_that_of_create_graph(torch):
    x = torch.ones(2, requires_grad=True)
    log = []
    for outer in (True, False):
        for create_graph in (True, False):
            y = x * x
            y.register_hook(lambda g: log.append(torch.is_grad_enabled()))
            with torch.set_grad_enabled(outer):
                torch.autograd.grad(y, x, torch.ones(2), create_graph=create_graph)
                log.append(torch.is_grad_enabled())
    return log


def test_a_decorated_generator_is_a_generator_function():
    """It does not even call the function before its first step."""

    def program(torch):
        @torch.no_grad()
        def steps(n):
            got = yield torch.is_grad_enabled()
            for _ in range(n):
                got = yield got, torch.is_grad_enabled()
            return "end"

        def outer():
            return (yield from steps(1))

        def refused():
            try:
                steps()
                next(steps())
            except TypeError:
                return "at the first step"

        sent, seen = steps(2), []
        seen += [next(sent), sent.send(5), torch.is_grad_enabled()]
        sent.close()
        return inspect.isgeneratorfunction(steps), seen, list(outer()), refused()

    compare(program)
