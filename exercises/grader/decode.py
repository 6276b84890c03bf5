"""Decode what a worker's child sent: bytes that a submission may have written itself."""

import json
from dataclasses import dataclass

DEEPEST = 60
LONGEST = 300  # characters of a text in a report


class Forged(ValueError):
    """The bytes are no result."""


@dataclass
class Shown:
    """What a submission showed in one scenario.

    Attributes
    ----------
    values : list or None
        Pairs of a label and a decoded value.
    text : str or None
        The JSON text of `values`.
    error : str or None
    line : int or None
    original : bool
        Whether `line` counts in the student's file rather than in the teacher's.
    """

    values: list | None = None
    text: str | None = None
    error: str | None = None
    line: int | None = None
    original: bool = False


def decode(data):
    """Return what a child sent.

    Raises
    ------
    Forged
        If it has not the form of a result.
    """
    try:
        text = data.decode()
        message = json.loads(text, object_pairs_hook=_dict, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Forged(f"no JSON: {type(error).__name__}") from None
    if not isinstance(message, dict) or len(message) != 1 or _too_deep(message):
        raise Forged("no result")
    if isinstance(values := message.get("values"), list):
        if not all(type(v) is list and len(v) == 2 and type(v[0]) is str for v in values):
            raise Forged("no pairs of a label and a value")
        return Shown(values, text[len('{"values": ') : -1])
    match message.get("error"):
        case [str(name), str(words), None | int() as line, bool(original)]:
            return Shown(None, None, clean(f"{name}: {words}"), line, original)
    raise Forged("neither values nor an error")


def _dict(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key occurs twice")
    return dict(pairs)


def _no_constant(name):
    raise ValueError(f"{name} is not JSON")


def _too_deep(value):
    level = [value]
    for _ in range(DEEPEST):
        level = [
            item
            for container in level
            if isinstance(container, list | dict)
            for item in (container.values() if isinstance(container, dict) else container)
        ]
        if not level:
            return False
    return True


def clean(text):
    """Return a text without control characters and half surrogates, and not too long."""
    text = text[:LONGEST].encode(errors="replace").decode()
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text)
