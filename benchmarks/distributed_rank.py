"""One rank of the ``distributed`` suite: ``distributed_rank.py LIBRARY PORT``, started by a launcher.

It answers one JSON object per line of a socket with another, until the socket is closed.
"""

from __future__ import annotations

import importlib
import json
import socket
import sys
import time
import warnings
from typing import Any

clock = time.perf_counter


def measure(dist: Any, tensor: Any, number: int) -> float:
    """Return the seconds that `number` calls take, after all ranks have met."""
    dist.barrier()
    start = clock()
    for _ in range(number):
        dist.all_reduce(tensor)
    return clock() - start


def answer(torch: Any, dist: Any, request: dict[str, Any]) -> dict[str, Any]:
    count = request["bytes"] // 4
    if request["do"] == "sample":
        tensor = torch.arange(count, dtype=torch.float32) + dist.get_rank()
        dist.all_reduce(tensor)
        return {"values": tensor[:8].tolist()}
    return {"seconds": measure(dist, torch.zeros(count), request["number"])}


def main(library: str, port: str) -> None:
    torch = importlib.import_module(library)
    dist = importlib.import_module(f"{library}.distributed")
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    with socket.create_connection(("127.0.0.1", int(port))) as place, place.makefile("rw") as file:
        for line in file:
            print(json.dumps(answer(torch, dist, json.loads(line))), file=file, flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
