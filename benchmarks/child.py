"""One of the two processes of a comparison.

``python -m benchmarks.child LIBRARY SUITE THREADS [CHECKOUT]``

It answers one JSON object per line of standard input with one per line of what was its standard
output; prints that a library makes go to standard error instead, so that they cannot get between.
With CHECKOUT the library is imported from there.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
from typing import Any, TextIO

from benchmarks.case import Case, values


def describe(error: Exception) -> dict[str, str]:
    """Return the table's entry for a case that could not run."""
    if isinstance(error, (AttributeError, NotImplementedError)):
        name = getattr(error, "name", None)
        return {"missing": name or str(error).split("\n")[0]}
    return {"failed": f"{type(error).__name__}: {error}".split("\n")[0]}


def answer(request: dict[str, Any], cases: dict[str, Case], ready: dict[str, Any]) -> Any:
    name = request.get("case", "")
    match request["do"]:
        case "list":
            return list(cases)
        case "build":
            ready.clear()
            gc.collect()
            # the parent reports whatever goes wrong in a case, and goes on with the next
            try:
                ready[name] = cases[name].build()
                return {"values": values(ready[name].sample())}
            except Exception as error:  # noqa: BLE001
                return describe(error)
        case "measure":
            return {"seconds": ready[name].measure(request["budget"])}
        case unknown:
            raise ValueError(f"no such request: {unknown}")


def serve(library: str, suite: str, threads: int, requests: TextIO, answers: TextIO) -> None:
    torch = importlib.import_module(library)
    torch.set_num_threads(threads)
    workloads = importlib.import_module(f"benchmarks.{suite}")
    cases = {case.name: case for case in workloads.cases(torch)}
    ready: dict[str, Any] = {}
    for line in requests:
        print(json.dumps(answer(json.loads(line), cases, ready)), file=answers, flush=True)


if __name__ == "__main__":
    pipe = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.path[:0] = sys.argv[4:5]
    serve(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.stdin, pipe)
