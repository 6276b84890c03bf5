"""Check the cost model of data-parallel training against measurements on this machine.

``python -m benchmarks.data_parallel`` trains a perceptron on 1, 2 and 4 ranks. For each number of ranks it
measures what `cost_model` needs (the passes without communication, and sums of several sizes), then whole
steps with `DistributedDataParallel`, and prints them next to the prediction. It ends with projections up to
1,024 ranks for networks whose latency and bandwidth are assumed. ``--json FILE`` writes the numbers as well.

Needs the extra ``distributed``.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.cost_model import Link, Step, efficiency, fit, ring, step_time

WIDTHS = (256, 1024, 1024, 1024, 10)
SIZES = [4 << (2 * k) for k in range(12)]  # of sums, in bytes: 4 to 16 MB
# assumed, not measured: seconds of latency for each message, and bytes a second
NETWORKS = {
    "10 Gbit/s Ethernet": (30e-6, 1.25e9),
    "100 Gbit/s Ethernet": (10e-6, 12.5e9),
    "400 Gbit/s InfiniBand": (2e-6, 50e9),
}
PROJECTED = (1, 2, 8, 64, 512, 1024)


# ---- on a rank


def rank(batch, turns):
    """Measure on this rank; rank 0 prints the numbers as JSON."""
    import minitorch as torch
    import minitorch.distributed as dist

    torch.set_num_threads(1)
    dist.init_process_group("mpi")
    found = {
        "ranks": dist.get_world_size(),
        "sums": [(size, _sum_time(torch, dist, size, turns)) for size in SIZES],
        **_passes(torch, dist, batch, turns),
    }
    if dist.get_rank() == 0:
        print(json.dumps(found))
    dist.destroy_process_group()


def _sum_time(torch, dist, size, turns):
    t = torch.ones(size // 4)
    times = []
    for _ in range(turns):
        dist.barrier()
        start = time.perf_counter()
        dist.all_reduce(t)
        times.append(time.perf_counter() - start)
        t.fill_(1.0)
    return statistics.median(times)


def _network(torch):
    torch.manual_seed(0)
    layers = []
    for wide, narrow in zip(WIDTHS, WIDTHS[1:], strict=False):
        layers += [torch.nn.Linear(wide, narrow), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def _passes(torch, dist, batch, turns):
    """Measure the parts of a step without communication and whole steps with it, by turns."""
    model = _network(torch)
    parallel = torch.nn.parallel.DistributedDataParallel(_network(torch))
    x, labels = torch.randn(batch, WIDTHS[0]), torch.randint(0, WIDTHS[-1], (batch,))
    optimizer, other = (
        torch.optim.SGD(network.parameters(), lr=0.01) for network in (model, parallel)
    )
    loss_function = torch.nn.CrossEntropyLoss()
    arrived = {}
    for index, parameter in enumerate(model.parameters()):
        parameter.register_post_accumulate_grad_hook(
            lambda _, index=index: arrived.__setitem__(index, time.perf_counter())
        )
    rows, arrivals = [], []
    for _ in range(turns):
        optimizer.zero_grad()
        dist.barrier()
        start = time.perf_counter()
        loss = loss_function(model(x), labels)
        middle = time.perf_counter()
        loss.backward()
        end = time.perf_counter()
        optimizer.step()
        parts = [middle - start, end - middle, time.perf_counter() - end]
        arrivals.append([arrived[index] - middle for index in sorted(arrived)])
        gradients = [parameter.grad for parameter in model.parameters()]
        other.zero_grad()
        dist.barrier()
        start = time.perf_counter()
        loss_function(parallel(x), labels).backward()
        other.step()
        parts.append(time.perf_counter() - start)
        dist.barrier()
        rows.append([*parts, _copy_time(torch, gradients)])
    forward, backward, step, whole, copy = map(statistics.median, zip(*rows, strict=True))
    return {
        "forward": forward,
        "backward": backward,
        "optimizer": step,
        "steps": whole,
        "full": _buckets(model, [statistics.median(c) for c in zip(*arrivals, strict=True)]),
        "copy": copy,
    }


def _copy_time(torch, gradients):
    """Return the seconds for each byte of gradients that are copied into a bucket and back."""
    sizes = [gradient.numel() for gradient in gradients]
    bucket = torch.empty(sum(sizes))
    views = [
        part.view_as(gradient)
        for part, gradient in zip(bucket.split(sizes), gradients, strict=True)
    ]
    start = time.perf_counter()
    for view, gradient in zip(views, gradients, strict=True):
        view.copy_(gradient)
        view.mul_(0.5)
    for view, gradient in zip(views, gradients, strict=True):
        gradient.copy_(view)
    return (time.perf_counter() - start) / (4 * bucket.numel())


def _buckets(model, arrivals):
    """Return for each bucket when it is full, and its bytes."""
    from minitorch.nn.parallel.reducer import assign_buckets

    parameters = list(model.parameters())
    return [
        (
            max(arrivals[index] for index in bucket),
            sum(parameters[index].numel() * parameters[index].element_size() for index in bucket),
        )
        for bucket in assign_buckets(parameters, [1 << 20, 25 << 20])
    ]


# ---- all of them


def measure(ranks, batch, turns):
    """Return what rank 0 of so many ranks measures."""
    with tempfile.TemporaryFile("w+") as output:
        subprocess.run(
            [sys.executable, "-m", "minitorch.distributed.run", "--nproc-per-node", str(ranks), "-m",
             "benchmarks.data_parallel", "--rank", "--batch", str(batch), "--turns", str(turns)],
            stdout=output, check=True, cwd=Path(__file__).resolve().parents[1],
        )  # fmt: skip
        output.seek(0)
        return json.loads(output.read())


def step_of(found):
    """Return the `Step` that a measurement describes."""
    buckets = tuple(map(tuple, found["full"]))
    return Step(found["forward"], found["backward"], found["optimizer"], buckets, found["copy"])


def show(found):
    """Print a measurement next to the model's predictions."""
    step = step_of(found)
    alone = found["ranks"] == 1
    link = Link(0.0, 0.0) if alone else fit(found["sums"])
    beside, after = (step_time(step, link, overlap) for overlap in (True, False))
    latency, bandwidth = "-", "-"
    if not alone:
        latency, bandwidth = f"{1e6 * link.latency:.1f}", f"{1e-9 / link.per_byte:.2f}"
    print(
        f"{found['ranks']:5} {1e3 * step.compute:12.2f} {latency:>11} {bandwidth:>9} "
        f"{1e3 * beside:12.2f} {1e3 * after:10.2f} {1e3 * found['steps']:10.2f}"
    )
    return {"beside": beside, "after": after}


def project(step):
    """Print the efficiency for assumed networks, with as much work on each rank as here."""
    print("\nprojected efficiency, one rank for each machine, the work of one rank as measured")
    print(f"{'network':24}" + "".join(f"{ranks:>8,}" for ranks in PROJECTED))
    for name, (latency, bandwidth) in NETWORKS.items():
        found = [efficiency(step, ring(ranks, latency, bandwidth)) for ranks in PROJECTED]
        print(f"{name:24}" + "".join(f"{share:8.2f}" for share in found))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--batch", type=int, default=256, help="samples on each rank")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--rank", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rank:
        return rank(options.batch, options.turns)
    print(f"{os.cpu_count()} cores, {options.batch} samples on each rank, times in milliseconds")
    print("ranks  computation  latency/us     GB/s   predicted:               measured")
    print("                                         sums beside      after")
    results = []
    for ranks in (1, 2, 4):
        found = measure(ranks, options.batch, options.turns)
        results.append({**found, **show(found)})
    project(step_of(results[0]))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return None


if __name__ == "__main__":
    sys.exit(main())
