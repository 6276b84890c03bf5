"""Custom Functions are freed: cycles through their context, long chains, what it holds."""

import gc
import subprocess
import sys
import textwrap
import weakref

import pytest

import minitorch as torch


def keeping(keep):
    """A Function whose forward does ``keep(ctx, input, output)``."""

    class Keeping(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x * 2
            keep(ctx, x, y)
            return y

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    return Keeping


def save_output(ctx, x, y):
    ctx.save_for_backward(y)


def set_output(ctx, x, y):
    ctx.kept = y


def set_output_in_a_list(ctx, x, y):
    ctx.kept = [y]


def save_input(ctx, x, y):
    ctx.save_for_backward(x)


@pytest.mark.parametrize("keep", [save_output, set_output, set_output_in_a_list, save_input])
@pytest.mark.parametrize("used", ["not at all", "backward", "create_graph"])
def test_what_a_context_holds_is_freed(keep, used):
    x = torch.ones(2, requires_grad=True)
    y = keeping(keep).apply(x * 1)
    if used == "backward":
        y.sum().backward(retain_graph=True)
    elif used == "create_graph":
        torch.autograd.grad(y.sum(), x, create_graph=True)
    dead = [weakref.ref(y), weakref.ref(y.grad_fn)]
    del y
    gc.collect()
    assert [r() for r in dead] == [None, None]


@pytest.mark.parametrize("holder", ["attribute", "list", "metadata", "hook", "tensor"])
def test_a_later_tensor_is_freed(holder):
    y = keeping(save_input).apply(torch.ones(2, requires_grad=True))
    z = y.exp().sum()
    if holder == "attribute":
        y.grad_fn.later = z
    elif holder == "list":
        y.grad_fn.later = [z]
    elif holder == "metadata":
        y.grad_fn.metadata["later"] = z
    elif holder == "hook":
        y.register_hook(lambda grad, held=z: None)
    else:
        y.later = z
    dead = [weakref.ref(y), weakref.ref(z)]
    del y, z
    gc.collect()
    assert [r() for r in dead] == [None, None]


def test_a_function_without_cycles_is_freed_at_once():
    gc.disable()
    try:
        y = keeping(save_output).apply(torch.ones(2, requires_grad=True))
        dead = weakref.ref(y.grad_fn)
        del y
        assert dead() is None
    finally:
        gc.enable()


def test_the_class_is_freed():
    cls = keeping(save_input)
    cls.apply(torch.ones(2, requires_grad=True)).sum().backward()
    dead = weakref.ref(cls)
    del cls
    gc.collect()
    assert dead() is None


PROGRAM = """
import gc, resource
import minitorch as torch
resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, 8 << 20))

class Step(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 1

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad

x = torch.ones(1, requires_grad=True)
y = x
for _ in range(100_000):
    y = Step.apply(y)
"""
ENDINGS = {
    "unused": "del y",
    "after a backward": "y.backward(); del y",
    "by the collector": "y.grad_fn.kept = [y]; del y; gc.collect()",
    "under create_graph": "g = torch.autograd.grad(y, x, create_graph=True); del y, g; gc.collect()",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_chain_of_a_hundred_thousand_is_freed(ending):
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM + ENDINGS[ending] + "\nprint('freed')"],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (result.returncode, result.stdout) == (0, "freed\n"), result.stderr[-2000:]


def test_memory_stays_flat():
    program = textwrap.dedent("""
        import gc, resource
        import minitorch as torch
        class Step(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x, x * 2)
                ctx.note = x
                return x * 1
            @staticmethod
            def backward(ctx, grad):
                if grad.sum() > 50:
                    raise ValueError
                return grad * ctx.saved_tensors[0]
        def round():
            x = torch.ones(10, requires_grad=True)
            y = Step.apply(Step.apply(x))
            y.register_hook(lambda grad: grad * 2)
            y.sum().backward(create_graph=True)
            try:
                Step.apply(x * 3).sum().mul(10).backward()
            except ValueError:
                pass
        peaks = []
        for _ in range(6):
            for _ in range(500):
                round()
            gc.collect()
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
        assert peaks[-1] - peaks[2] < 2000, peaks
    """)
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stderr[-2000:]
