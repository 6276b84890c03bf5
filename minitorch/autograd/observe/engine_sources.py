"""The source of the engine's functions, and the lines that report its events.

The text is read from the `.pyx` files of a checkout. A wheel does not contain them; there the
functions below return nothing, and a recording has no engine source.
"""

import functools
import re
import textwrap
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parents[1]


class Place(NamedTuple):
    """The function that reports an event, and the start of the call that does it."""

    file: str
    function: str
    call: str


_HOOK_PLACES = {
    "tensor_pre_hook": Place(
        "hooks.pyx", "call_tensor_pre_hooks", 'hook_called(node, nr, gradient, "t'
    ),
    "retain_grad": Place(
        "hooks.pyx", "call_tensor_pre_hooks", 'hook_called(node, nr, gradient, "r'
    ),
    "pre_hook": Place("hooks.pyx", "call_pre_hooks", "hook_called("),
    "post_hook": Place("hooks.pyx", "call_post_hooks", "hook_called("),
    "post_accumulate_grad_hook": Place("accumulate_grad.pyx", "apply", "hook_called("),
}
_PLACES = {
    "root": Place("engine.pyx", "execute", "rooted("),
    "push": Place("graph_task.pyx", "push", "pushed("),
    "pop": Place("engine.pyx", "thread_main", "popped("),
    "apply": Place("engine.pyx", "call_function", "applied("),
    "validate": Place("engine.pyx", "validate_outputs", "validated("),
    "buffer": Place("graph_task.pyx", "add_to_gradients", "buffered("),
    "accumulate": Place("accumulate_grad.pyx", "accumulate", "accumulated("),
    "free": Place("engine.pyx", "evaluate_function", "freed("),
    "capture": Place("exec_info.pyx", "capture", "captured("),
    "skip": Place("engine.pyx", "evaluate_function", "skipped("),
    "note": Place("events.pyx", "note", 'report("note"'),
}


def place_of(kind, has_source=False, detail=None):
    """Return the `Place` that reports an event.

    Parameters
    ----------
    kind : str
    has_source : bool
        For ``"dependency"``: False for a root.
    detail : str, optional
        For ``"hook"``: the place and name of the hook.

    Examples
    --------
    >>> place_of("pop").function
    'thread_main'
    """
    if kind == "dependency":
        call = "dependency_counted(function" if has_source else "dependency_counted(root"
        return Place("engine.pyx", "compute_dependencies", call)
    if kind == "hook":
        return _HOOK_PLACES[detail.split(" ")[0]]
    return _PLACES[kind]


@functools.cache
def function_source(file, function):
    """Return ``(first line, text)`` of a function in `minitorch/autograd`, or None without the file.

    Examples
    --------
    >>> found = function_source("engine.pyx", "thread_main")
    >>> found is None or found[1].startswith("cdef int thread_main")
    True
    """
    path = FOLDER / file
    if not path.exists():
        return None
    lines = path.read_text(encoding="utf-8").splitlines()
    head = re.compile(rf"( *)c?p?def (?:inline )?(?:[\w.*]+ )?{function}\(")
    for start, line in enumerate(lines):
        if match := head.match(line):
            indent = len(match[1])
            end = start + 1
            while end < len(lines) and (
                not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > indent
            ):
                end += 1
            text = textwrap.dedent("\n".join(lines[start:end])).rstrip()
            return start + 1, text
    return None


@functools.cache
def line_of(place):
    """Return the line of the place's call in its file, or None without the file."""
    found = function_source(place.file, place.function)
    if found is None:
        return None
    first_line, text = found
    for offset, line in enumerate(text.splitlines()):
        if place.call in line:
            return first_line + offset
    return None


def sources_of(places):
    """Return ``{function: {"file", "first_line", "text"}}`` for the functions of some places."""
    sources = {}
    for place in places:
        found = function_source(place.file, place.function)
        if found is not None:
            sources[place.function] = {
                "file": f"minitorch/autograd/{place.file}",
                "first_line": found[0],
                "text": found[1],
            }
    return sources
