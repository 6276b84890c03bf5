"""Send SIGINT again and again while a workload runs: afterwards no level, mode or switch is left behind."""

import gc
import os
import signal
import sys
import threading
import time

import minitorch as torch
from minitorch._subclasses.fake_tensor import FakeTensorMode
from minitorch.autograd.calls import are_calls_watched
from minitorch.autograd.events import Observer
from minitorch.autograd.profiler_legacy import profile as former_profile
from minitorch.core import memory_log
from minitorch.fx.experimental.proxy_tensor import make_fx
from minitorch.utils._python_dispatch import TorchDispatchMode, _len_torch_dispatch_stack


class Passing(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


class Calls(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def modes():
    with torch.no_grad(), torch.inference_mode(), Passing(), Calls():
        torch.ones(2) + 1


def autocast():
    with torch.autocast("cpu"), torch.autocast("cuda", enabled=False), torch.autocast("cpu"):
        torch.ones(2, 2) @ torch.ones(2, 2)


def fake():
    mode = FakeTensorMode()
    with mode, mode:
        torch.ones(2) + 1


def proxy():
    make_fx(torch.sin)(torch.ones(2))


def saved():
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        (x * x).sum().backward()


def watched():
    """Run inside the profiler, in each way to start it, and inside a trace."""
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.profiler.profile(profile_memory=True):
        (x * x).sum().backward()
    with torch.profiler.profile(record_shapes=True):
        with torch.profiler.record_function("block"):
            (x * x).sum().backward()
    with former_profile():
        x + 1
    with torch.profiler.profile(
        schedule=torch.profiler.schedule(wait=0, warmup=1, active=1), acc_events=True
    ) as steps:
        for _ in range(3):
            x + 1
            steps.step()
    with torch.autograd.trace(values=2):
        (x * x).sum().backward()


WORKLOADS = {
    "grad": lambda: torch.func.grad(lambda x: (x * x).sum())(torch.ones(3)),
    "vmap": lambda: torch.func.vmap(torch.sin)(torch.ones(3)),
    "jvp": lambda: torch.func.jvp(torch.sin, (torch.ones(3),), (torch.ones(3),)),
    "modes": modes,
    "saved": saved,
    "autocast": autocast,
    "fake": fake,
    "proxy": proxy,
    "watched": watched,
}
workload = WORKLOADS[sys.argv[1]]
seconds = float(sys.argv[2])
for _ in range(3):
    workload()
stopped = threading.Event()
armed = False


def interrupt(number, frame):
    """Raise, once for each run of the workload, so that nothing strikes between the runs."""
    global armed
    if armed:
        armed = False
        raise KeyboardInterrupt


def storm():
    while not stopped.wait(0.0003):
        os.kill(os.getpid(), signal.SIGINT)


signal.signal(signal.SIGINT, interrupt)
thread = threading.Thread(target=storm, daemon=True)
end = time.monotonic() + seconds
interrupted = 0
thread.start()
while time.monotonic() < end:
    try:
        armed = True
        workload()
        armed = False
    except KeyboardInterrupt:
        interrupted += 1
stopped.set()
thread.join()
assert interrupted > 20, interrupted
assert torch.is_grad_enabled() and not torch.is_inference_mode_enabled()
assert _len_torch_dispatch_stack() == 0
assert torch._C._len_torch_function_stack() == 0
assert (
    not torch.is_autocast_enabled("cpu")
    and (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.float32
)
assert torch.autocast_increment_nesting() == 1
result = torch.func.grad(lambda x: (x * x).sum())(torch.ones(3))
assert "Tensor(" not in repr(result), result
assert not are_calls_watched()
assert not [o for o in gc.get_objects() if isinstance(o, Observer) and o.is_watching]
assert not torch.autograd._profiler_enabled() and not torch.autograd.profiler._is_profiler_enabled
noted = memory_log.count()
x = torch.ones(2, requires_grad=True)
(x * 2).sum().backward()
assert memory_log.count() == noted
assert "origin_" not in (x * 2).grad_fn.metadata
with torch.autograd.profiler.profile() as profile:
    x * 2
events = [(event.name, event.cpu_parent) for event in profile.function_events]
assert events == [("aten::mul", None)], events
assert x.grad.tolist() == [2.0, 2.0]
print("ok")
