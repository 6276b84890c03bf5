"""Send SIGINT again and again while a workload runs: afterwards no level, mode or switch is left behind."""

import os
import signal
import sys
import threading
import time

import minitorch as torch
from minitorch._subclasses.fake_tensor import FakeTensorMode
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


WORKLOADS = {
    "grad": lambda: torch.func.grad(lambda x: (x * x).sum())(torch.ones(3)),
    "vmap": lambda: torch.func.vmap(torch.sin)(torch.ones(3)),
    "jvp": lambda: torch.func.jvp(torch.sin, (torch.ones(3),), (torch.ones(3),)),
    "modes": modes,
    "saved": saved,
    "autocast": autocast,
    "fake": fake,
    "proxy": proxy,
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
x = torch.ones(2, requires_grad=True)
(x * 2).sum().backward()
assert x.grad.tolist() == [2.0, 2.0]
print("ok")
