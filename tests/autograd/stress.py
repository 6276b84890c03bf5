"""Several threads at once, with hooks, backwards inside a backward and exceptions.

``python -m tests.autograd.stress --seconds 60 --threads 8`` works on one shared graph and on graphs of
each thread's own, and ends with status 1 when a gradient is wrong or memory has grown.
"""

import argparse
import sys
import threading
import time
from dataclasses import dataclass, field

import minitorch as torch


class Descend(torch.autograd.Function):
    """The gradient of x comes from a backward inside this one, of x - 1, down to 0."""

    @staticmethod
    def forward(ctx, x):
        ctx.below = x.detach() - 1
        return ctx.below.clone()

    @staticmethod
    def backward(ctx, grad):
        if ctx.below >= 0:
            with torch.enable_grad():
                Descend.apply(ctx.below.requires_grad_()).backward()
        return grad.clone()


class Planted(Exception):
    """What the hooks of odd threads raise."""


@dataclass
class Counts:
    rounds: int = 0
    planted: int = 0
    caught: int = 0
    wrong: list = field(default_factory=list)


def work(number, shared, parameter, end, counts):
    """Rounds of one thread, until `end`; what reaches the shared leaf is ``number + 1`` for each that was not planted."""
    plain = torch.ones(2, requires_grad=True)

    def hook(grad):
        if number % 2 and counts.rounds % 3 == 0:
            counts.planted += 1
            raise Planted(number)

    while time.monotonic() < end:
        counts.rounds += 1
        depth = 70 if counts.rounds % 500 == 0 else number % 3
        leaf = torch.tensor(float(depth), requires_grad=True)
        Descend.apply(leaf).backward()
        if leaf.grad.item() != 1:
            counts.wrong.append(("descending", depth, leaf.grad.item()))

        plain.grad = None
        seen = []
        y = (plain * 3).exp()
        y.grad_fn.register_prehook(seen.append)
        (first,) = torch.autograd.grad(y.sum(), plain, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), plain)
        if not torch.equal(second, 9 * y) or len(seen) != 2:
            counts.wrong.append(("second", second.tolist(), len(seen)))

        z = shared * (number + 1)
        z.register_hook(hook)
        try:
            (z + parameter.detach()).sum().backward(retain_graph=True)
        except Planted as error:
            counts.caught += error.args == (number,)


def run(seconds, threads, watch=lambda: None):
    """Counts of each thread; the shared leaf's gradient is compared with what they add up to.

    ``watch`` is called once a sixth of the time is over and again at the end.
    """
    leaf = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    shared = leaf * 1
    counts = [Counts() for _ in range(threads)]
    end = time.monotonic() + seconds
    team = [
        threading.Thread(target=work, args=(number, shared, leaf, end, counts[number]))
        for number in range(threads)
    ]
    for thread in team:
        thread.start()
    time.sleep(seconds / 6)
    watch()
    for thread in team:
        thread.join()
    watch()
    expected = sum((number + 1) * (c.rounds - c.planted) for number, c in enumerate(counts))
    if leaf.grad.tolist() != [expected] * 2:
        counts[0].wrong.append(("shared", leaf.grad.tolist(), expected))
    return counts


def resident():
    """Megabytes of memory that this process has."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:")) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int, default=8)
    options = parser.parse_args()
    megabytes = []
    counts = run(options.seconds, options.threads, lambda: megabytes.append(resident()))
    wrong = [w for c in counts for w in c.wrong]
    print(
        f"{sum(c.rounds for c in counts)} rounds in {options.threads} threads, {options.seconds:g} s"
    )
    print(
        f"{sum(c.planted for c in counts)} exceptions planted, {sum(c.caught for c in counts)} caught"
    )
    print(f"{len(wrong)} wrong gradients {wrong[:5]}")
    print("memory in MB after a sixth of the time, at the end: {:.1f}, {:.1f}".format(*megabytes))
    lost = sum(c.planted != c.caught for c in counts)
    return 1 if wrong or lost or megabytes[1] > 1.05 * megabytes[0] + 2 else 0


if __name__ == "__main__":
    sys.exit(main())
