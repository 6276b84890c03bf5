"""Run one scenario on a submission, in a child of the worker."""

import contextlib
import importlib
import json
import os
import sys
import types

from exercises.build_pyx import load as load_library
from exercises.grader.allowed import Forbidden
from exercises.grader.guards import builtins_for_answer, guard
from exercises.grader.inside.seal import seal
from exercises.grader.names import check
from exercises.grader.renaming import translated
from exercises.scenario import Draw, encode
from exercises.source import FILE, answer_numbers, raising_line

LONGEST = 500  # characters of a message
SEALED = b"!"  # the first byte of a result


def run(namespace, task, result, rules, memory):
    """Run one scenario, write what it shows, and end this process.

    Parameters
    ----------
    namespace : dict
        The code of the scenarios.
    task : dict
        ``scenario``: its name, or None to only load the submission. ``text``: the submission in
        the teacher's file, or None for the baseline; ``original``: the student's file, to be
        compiled for its errors, or None. ``check``: whether to reject names that it may not use.
        ``guard``: whether to reject those that it makes while it runs. ``library``: the bytes of a
        submission that is compiled already, or none. ``seed``, ``retire``, ``seconds``.
    result : int
        The descriptor for the result.
    rules, memory
        See `seal`.
    """
    sealed = False
    try:
        os.setsid()
        first = os.getpid()
        keep = [result]
        library = None
        if task["library"]:
            library = os.memfd_create("piece")
            _write(library, task["library"])
            keep.append(library)
        if task["scenario"] and "prepare" in namespace:
            keep += namespace["prepare"]()  # may fork a peer, which goes on here as well
        if os.getpid() != first:
            keep.remove(result)
        if task["retire"]:
            importlib.import_module("exercises.plugs").retire(namespace)
        seal(keep, rules, task["seconds"], memory, may_open=library is not None)
        sealed = True
        if os.getpid() == first:
            os.write(result, SEALED)  # what a submission cannot write before it is sealed itself
        answer = _observe(namespace, task, library)
        if os.getpid() == first:
            _write(result, answer.encode(errors="replace"))
    except BaseException as error:  # noqa: BLE001 (there is no caller)
        if not sealed:
            _write(result, f"?{type(error).__name__}: {error}".encode(errors="replace"))
    finally:
        os._exit(0)


def _observe(namespace, task, library):
    try:
        if library is not None:
            piece = load_library(f"/proc/self/fd/{library}")
        elif task["text"] is None:
            piece = namespace["baseline"]()
        else:
            if task["original"] is not None:
                compile(task["original"], "<original>", "exec", dont_inherit=True)
            code = (check if task["check"] else translated)(task["text"])
            names = {}
            if task["guard"]:
                names["__builtins__"] = builtins_for_answer(answer_numbers(task["text"]))
                guard()
            with namespace.get("loading", contextlib.nullcontext)():
                piece = _load(code, names)
        if not task["scenario"]:
            return '{"values": []}'
        scenario = namespace[task["scenario"]]
        torch = importlib.import_module("minitorch")
        with namespace["install"](piece):
            values = encode(scenario.function(torch, piece, Draw(task["seed"])))
        return f'{{"values": {values}}}'
    except BaseException as error:  # noqa: BLE001 (whatever goes wrong in a submission is a result)
        return json.dumps({"error": _described(error, task["text"])})


def _load(code, names):
    module = types.ModuleType("piece")
    vars(module).update(names, __file__=FILE)
    sys.modules["piece"] = module
    exec(compile(code, FILE, "exec", dont_inherit=True), module.__dict__)
    return module


def _described(error, text):
    """Return type, message, line, and whether the line is one of the student's whole file."""
    name = type(error).__name__
    try:
        message = str(error)[:LONGEST]
    except BaseException:  # noqa: BLE001 (a message may be code of the submission as well)
        message = "a message that cannot be printed"
    line, original = None, False
    try:
        if isinstance(error, SyntaxError):
            message, line = str(error.msg)[:LONGEST], error.lineno
            original = error.filename == "<original>"
        if isinstance(error, Forbidden):
            line = error.lineno
        if text is not None and (found := raising_line(error.__traceback__, text)):
            line, original = found, False
    except BaseException:  # noqa: BLE001
        line = None
    return [name, message, line, original]


def _write(fd, data):
    data = memoryview(data)
    while data:
        data = data[os.write(fd, data) :]
