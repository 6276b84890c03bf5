"""Free chains of 200,000 objects of which each owns the next, and end 500 threads that have computed."""

import gc
import sys
import threading

import numpy as np

import minitorch as torch

LENGTH = 200_000


def from_dlpack(t):
    return torch.from_dlpack(t)


def from_numpy(t):
    return torch.from_numpy(t.numpy())


def as_array(t):
    return torch.from_numpy(np.asarray(t))


def frombuffer(t):
    return torch.frombuffer(memoryview(t.numpy()), dtype=torch.float32)


OWNERS = {
    "from_dlpack": from_dlpack,
    "from_numpy": from_numpy,
    "as_array": as_array,
    "frombuffer": frombuffer,
    "view": lambda t: t[:],
    "detach": lambda t: t.detach(),
    "data": lambda t: t.data,
}


def owned(make):
    t = torch.zeros(4)
    for _ in range(LENGTH):
        t = make(t)
    del t


def graph():
    x = torch.ones(2, requires_grad=True)
    y = x
    for _ in range(LENGTH):
        y = y * 1
    y.sum().backward()
    del y


def gradients():
    t = torch.ones(2)
    for _ in range(LENGTH):
        outer = torch.ones(2)
        outer.grad = t
        t = outer
    del t


def metadata():
    t = torch.ones(2, requires_grad=True)
    node = None
    for _ in range(LENGTH):
        newer = (t * 1).grad_fn
        newer.metadata["older"] = node
        node = newer
    del node, newer


def threads():
    def compute():
        (torch.ones(3, requires_grad=True) * 2).sum().backward()
        torch.func.vmap(torch.func.grad(torch.sum))(torch.ones(2, 2))

    def run(count):
        for _ in range(count):
            thread = threading.Thread(target=compute)
            thread.start()
            thread.join()

    run(50)
    gc.collect()
    before = len(gc.get_objects())
    run(500)
    gc.collect()
    kept = len(gc.get_objects()) - before
    assert kept < 100, f"{kept} objects of 500 threads are kept"


PROGRAMS = {
    **{name: lambda make=make: owned(make) for name, make in OWNERS.items()},
    "graph": graph,
    "gradients": gradients,
    "metadata": metadata,
    "threads": threads,
}
if __name__ == "__main__":
    PROGRAMS[sys.argv[1]]()
    gc.collect()
    print("ok")
