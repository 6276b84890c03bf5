"""Run the scenarios of an assignment on an answer, each in a fork of this process, and judge them.

There is no sandbox: the authors and the students who use this run their own code. The grader is
another program (`exercises.grader`).
"""

import contextlib
import gc
import hashlib
import json
import math
import os
import resource
import select
import signal
import sys
import time
import types

from exercises import build_pyx
from exercises.grader.decode import Shown
from exercises.grader.guards import builtins_for_answer, guard
from exercises.grader.judge import TOO_LONG, TRIES, Right, digest, is_measured, verdict
from exercises.grader.renaming import translated
from exercises.scenario import Draw, encode, scenarios_of
from exercises.source import FILE, answer_numbers, raising_line


def seed_of(secret, assignment, scenario):
    """Return the seed of one scenario; it says nothing about the secret it was made from."""
    text = f"{secret}/{assignment}/{scenario}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def section(text, name):
    """Run the code of a section and return its namespace."""
    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, name, "exec"), module.__dict__)
    return module.__dict__


def load(text, name="piece"):
    """Run the text of an answer as a module."""
    module = types.ModuleType(name)
    module.__file__ = f"{name}.py"
    if name == "piece":
        module.__file__ = FILE
        module.__builtins__ = builtins_for_answer(answer_numbers(text))
    sys.modules[name] = module
    exec(compile(translated(text), module.__file__, "exec"), module.__dict__)
    return module


BASELINE = object()  # given as the text of an answer: the object that `baseline` returns


def observe(source, namespace, scenario, text, seed, retire=True):
    """Run one scenario on an answer in a fork.

    Returns
    -------
    dict
        ``values``: the JSON text of what was seen, or None; ``error``: a text or None;
        ``seconds``: the processor time; ``baseline``: that of the baseline, if there is one.
    """
    library = None
    if source.about.language == "cython" and type(text) is str:
        try:
            library = build_pyx.build(text)
        except build_pyx.BuildError as error:
            words = f"{error} (line {error.line})" if error.line else str(error)
            return {"values": None, "error": words, "seconds": 0.0}
    if not scenario.baseline or text is BASELINE:
        return _observe_in_fork(namespace, scenario, text, library, seed, retire)
    seconds = base = math.inf
    for tries in range(1, TRIES + 1):
        seen = _observe_in_fork(namespace, scenario, BASELINE, None, seed, False)
        base = min(base, seen["seconds"])
        seen = _observe_in_fork(namespace, scenario, text, library, seed, retire)
        seconds = min(seconds, seen["seconds"])
        if seen["values"] is None or is_measured(scenario, seconds, Right(None, base), tries):
            break
    return seen | {"seconds": seconds, "baseline": base}


def _observe_in_fork(namespace, scenario, text, library, seed, retire):
    from exercises import plugs  # here, since it imports the library, and not in every child

    reader, writer = os.pipe()
    gc.freeze()  # so that a collection in the child does not copy these pages
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        try:
            take_away = plugs.retire if retire else None
            _run_in_child(namespace, scenario, text, library, seed, take_away, writer)
        finally:
            os._exit(0)  # whatever happens, this copy of the process must not go on
    gc.unfreeze()
    os.close(writer)
    deadline, chunks = time.monotonic() + scenario.seconds, []
    while select.select([reader], [], [], max(0, deadline - time.monotonic()))[0]:
        chunk = os.read(reader, 1 << 16)
        chunks.append(chunk)
        if not chunk:
            break
    else:
        os.kill(pid, signal.SIGKILL)
        chunks = [b"error:" + TOO_LONG.encode()]
    os.close(reader)
    used = os.wait4(pid, 0)[2]
    kind, _, text = b"".join(chunks).decode().partition(":")
    return {
        "values": text if kind == "values" else None,
        "error": None if kind == "values" else text or "ended without a result",
        "seconds": used.ru_utime + used.ru_stime,
    }


def _run_in_child(namespace, scenario, text, library, seed, take_away, writer):
    import minitorch

    status, first = b"error:", os.getpid()
    try:
        os.setsid()
        if "prepare" in namespace:
            namespace["prepare"]()  # may fork a peer, which goes the same way to no effect
        resource.setrlimit(resource.RLIMIT_CPU, (int(scenario.seconds) + 2,) * 2)
        if take_away is not None:
            take_away(namespace)
        if library is not None:
            piece = build_pyx.load(library)
        elif type(text) is str:
            sys.unraisablehook = lambda _: None  # of a ``__del__`` that is still to be written
            guard()
            with namespace.get("loading", contextlib.nullcontext)():
                piece = load(text)
        else:
            piece = namespace["reference" if text is None else "baseline"]()
        with namespace["install"](piece):
            seen = encode(scenario.function(minitorch, piece, Draw(seed)))
        status = b"values:" + seen.encode()
    except BaseException as error:  # noqa: BLE001 (whatever goes wrong in an answer is a result)
        line = raising_line(error.__traceback__, text) if type(text) is str else None
        place = f" (line {line})" if line else ""
        status += f"{type(error).__name__}: {error}{place}".encode(errors="replace")
    if os.getpid() == first:
        while status:
            status = status[os.write(writer, status) :]


def outcome(results, expected, namespace):
    """Return which scenarios pass, and a digest of everything that was seen."""
    passed, tokens = {}, []
    for name, scenario in scenarios_of(namespace).items():
        seen, wanted = results[name], expected[name]
        text = seen["values"]
        shown = Shown(None if text is None else json.loads(text), text, seen["error"])
        right = Right(json.loads(wanted["values"]), seen.get("baseline", wanted["seconds"]))
        judged = verdict(scenario, shown, seen["seconds"], right)
        passed[name] = judged.passed
        tokens.append(judged.token)
    return passed, digest(tokens)
