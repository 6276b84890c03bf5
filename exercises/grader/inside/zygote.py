"""The worker: import the library once, then fork for every scenario.

Only trusted code runs in this process: the library and the code of the scenarios. It reads tasks
from its standard input and answers on its standard output (see `frames`).
"""

import contextlib
import gc
import importlib
import json
import math
import os
import resource
import select
import signal
import sys
import time
import types

from exercises.grader.guards import builtins_for_rules
from exercises.grader.inside import child, landlock
from exercises.grader.inside.frames import receive, send
from exercises.grader.inside.libc import (
    PR_SET_CHILD_SUBREAPER,
    PR_SET_PDEATHSIG,
    become,
    prctl,
)

MEMORY = 512 << 20  # bytes of address space that a submission may add
LARGEST = 1 << 20  # bytes of a result

# What a submission or the library may import late: no file can be read by then.
PRELOADED = """abc bisect cmath collections.abc concurrent.futures contextlib copy dataclasses
decimal enum fractions functools hashlib heapq inspect itertools json math numbers operator queue
random statistics string threading time traceback typing warnings weakref
numpy.linalg numpy.random scipy.linalg scipy.special
minitorch._C minitorch._dispatch minitorch._VF minitorch._logging
minitorch.autograd._functions minitorch.autograd.forward_ad
minitorch.autograd.engine_steps minitorch.autograd.functional
minitorch.autograd.functions.documentation minitorch.autograd.functions.overload_table
minitorch.autograd.observe.engine_log minitorch.autograd.profiler minitorch.backends
minitorch.func minitorch.library minitorch.linalg minitorch.nn minitorch.nn.init minitorch.optim
minitorch.serialization minitorch.special minitorch.utils.checkpoint exercises.plugs""".split()


def main(options):
    """Serve tasks until the standard input is closed."""
    tasks, answers = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    importlib.import_module("minitorch")
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    rules = landlock.ruleset(()) if landlock.version() > 0 else None
    os.chdir("/")
    if options["user"] is not None:
        become(options["user"])
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    send(answers, {"ready": True, "landlock": rules is not None})
    serve(lambda count: os.read(tasks, count), answers, rules)


def serve(read, answers, rules):
    """Answer tasks: add code to the scenarios, or run one of them."""
    module = types.ModuleType("rules")
    module.__builtins__ = builtins_for_rules()  # so that its class statements are known as such
    sys.modules["rules"] = module
    while True:
        try:
            task, task_data = receive(read)
        except EOFError:
            return
        if "code" in task:
            exec(compile(task["code"], "<rules>", "exec", dont_inherit=True), module.__dict__)
            gc.collect()
            gc.freeze()  # so that collections in the children do not copy these pages
            send(answers, {"done": True})
        else:
            task["library"] = task_data
            memory = _address_space() + MEMORY
            header, data = observe(module.__dict__, task, rules, memory)
            send(answers, header, data)


def observe(namespace, task, rules, memory):
    """Run one task in a child.

    Returns
    -------
    header : dict
        ``status``: "ended", "timeout" or "killed"; ``cpu``: the processor time in seconds.
    data : bytes
        What the child sent. It may be anything.
    """
    wall = task["seconds"]
    task["seconds"] = math.ceil(wall) + 1
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        child.run(namespace, task, writer, rules, memory)
    os.close(writer)
    data, status = _read(reader, pid, time.monotonic() + wall)
    os.close(reader)
    for kill in (os.killpg, os.kill):  # before the child is reaped, so that its number is its own
        with contextlib.suppress(ProcessLookupError):
            kill(pid, signal.SIGKILL)
    _, code, used = os.wait4(pid, 0)
    with contextlib.suppress(ChildProcessError):
        while True:  # a peer that `prepare` has made
            os.waitpid(-1, 0)
    cpu = used.ru_utime + used.ru_stime
    if status == "ended" and os.waitstatus_to_exitcode(code):
        status = "timeout" if cpu >= wall else "killed"
    return {"status": status, "cpu": cpu}, data


def _read(reader, pid, deadline):
    """Read what a child sends until it ends; it may close the pipe and go on."""
    os.set_blocking(reader, False)
    process = os.pidfd_open(pid)
    data, open_files = bytearray(), [reader, process]
    try:
        while ready := select.select(open_files, [], [], max(0, deadline - time.monotonic()))[0]:
            if reader in ready:
                chunk = os.read(reader, 1 << 16)
                data += chunk
                if not chunk:
                    open_files.remove(reader)
                if len(data) > LARGEST:
                    return b"", "killed"
            elif process in ready:
                return bytes(data), "ended"
        return bytes(data[:1]), "timeout"
    finally:
        os.close(process)


def _address_space():
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 1 << 30


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
