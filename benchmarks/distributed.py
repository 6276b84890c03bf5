"""``all_reduce`` from 4 bytes to 64 MB on 2 and 4 ranks, next to PyTorch's Gloo.

A child of the comparison starts the ranks of its library with that library's launcher (`Team`) and tells them
through sockets what to run, so the ranks of the other library sleep meanwhile.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.case import Case

SIZES = [4 << 2 * i for i in range(12)] + [64 << 20]
RANKS = (2, 4)
PROGRAM = Path(__file__).with_name("distributed_rank.py")


class Team:
    """The ranks of one library, each with a socket.

    Parameters
    ----------
    library : str
        ``"minitorch"`` or ``"torch"``.
    ranks : int
    """

    def __init__(self, library: str, ranks: int):
        self.ranks = ranks
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(120)
            environment = dict(
                os.environ, OMP_NUM_THREADS="1", PYTHONPATH=str(PROGRAM.parent.parent)
            )
            self.launcher = subprocess.Popen(
                [
                    *[sys.executable, "-m", f"{library}.distributed.run"],
                    *["--nproc-per-node", str(ranks), str(PROGRAM)],
                    *[library, str(server.getsockname()[1])],
                ],
                env=environment,
                stdin=subprocess.DEVNULL,
            )
            self.files = [server.accept()[0].makefile("rw") for _ in range(ranks)]

    def ask(self, **request: Any) -> dict[str, Any]:
        """Give all ranks a request; return the answer of one of them."""
        for file in self.files:
            file.write(json.dumps(request) + "\n")
            file.flush()
        return [json.loads(file.readline()) for file in self.files][0]

    def close(self) -> None:
        """End the ranks."""
        for file in self.files:
            file.close()
        self.launcher.wait()


class Teams:
    """The team that runs; only one at a time, since ranks that have nothing to do take memory."""

    def __init__(self, library: str):
        self.library = library
        self.team: Team | None = None

    def of(self, ranks: int) -> Team:
        """Return the team with this number of ranks."""
        if self.team is None or self.team.ranks != ranks:
            if self.team is not None:
                self.team.close()
            self.team = Team(self.library, ranks)
        return self.team


@dataclass
class AllReduce:
    """Repeated calls of ``all_reduce`` on all ranks."""

    torch: Any
    team: Team
    size: int
    number: int = 0  # calls between two readings of the clock; found at the first measurement

    def sample(self) -> Any:
        """Return the result of one call."""
        return self.torch.tensor(self.team.ask(do="sample", bytes=self.size)["values"])

    def measure(self, budget: float) -> float:
        """Return the best time per call, in seconds."""
        if not self.number:
            self.number = 1
            while (taken := self.seconds(self.number)) < 1e-3:
                self.number *= 2
            self.number = max(1, int(self.number * 2e-3 / taken))
        best, spent = float("inf"), 0.0
        while spent < budget:
            taken = self.seconds(self.number)
            best = min(best, taken)
            spent += taken
        return best / self.number

    def seconds(self, number: int) -> float:
        return float(self.team.ask(do="measure", bytes=self.size, number=number)["seconds"])


def cases(torch: Any) -> Iterator[Case]:
    """Yield the cases, all sizes on 2 ranks before those on 4."""
    teams = Teams(torch.__name__)
    for ranks in RANKS:
        for size in SIZES:
            yield Case(
                f"all_reduce, {size} bytes, {ranks} ranks",
                lambda ranks=ranks, size=size: AllReduce(torch, teams.of(ranks), size),
            )
