"""Comments in generated code that say where nodes come from."""

import re
from dataclasses import dataclass

_CODES = {
    "yellow": "\033[33m", "cyan": "\033[36m", "green": "\033[32m", "blue": "\033[34m",
    "red": "\033[31m", "dim": "\033[2m", "dim_blue": "\033[2m\033[34m",
    "dim_green": "\033[2m\033[32m",
}  # fmt: skip
_FRAME = re.compile(r"^File \"(.+)\", line (\d+), in (.+)$")


class Colors:
    """Wraps text in terminal colours, or leaves it unchanged: ``colors.red(text)``."""

    def __init__(self, colored):
        for name, code in _CODES.items():
            setattr(self, name, self._painter(code) if colored else str)

    @staticmethod
    def _painter(code):
        return lambda text: f"{code}{text}\033[0m"


@dataclass(frozen=True)
class _ParsedStackTrace:
    """One frame of a formatted stack trace."""

    file: str
    lineno: str
    name: str
    code: str

    def get_summary_str(self):
        """Return the frame as the text of a comment."""
        return f"File: {self.file}:{self.lineno} in {self.name}, code: {self.code}"


def _parse_stack_trace(stack_trace, filter_fn=None):
    """Return the innermost frame of a stack trace that the filter accepts, or None."""
    if stack_trace is None:
        return None
    lines = stack_trace.strip().split("\n")
    for k in range(len(lines) - 2, -1, -1):
        frame = _FRAME.match(lines[k].strip())
        if not frame:
            continue
        file, number, name = frame.groups()
        code = lines[k + 1].strip()
        if filter_fn is None or filter_fn(file, name, code):
            return _ParsedStackTrace(file, number, name, code)
    return None


def _shortened(annotation):
    texts = {key: str(value) for key, value in annotation.items()}
    return {
        key: f"{texts[key][:40]}..." if len(texts[key]) > 40 else value
        for key, value in annotation.items()
    }


def summary_of(node, additional_meta=None):
    """Return the comment written above a node: its annotation and the source line of its call."""
    named = [f"{key}: {node.meta[key]}" for key in additional_meta or () if key in node.meta]
    head = f"# {', '.join(named)} " if named else ""
    custom = node.meta.get("custom")
    annotation = f" Annotation: {_shortened(custom)}" if custom else ""
    where = "No stacktrace found for following nodes"
    frame = _parse_stack_trace(node.stack_trace) if node.stack_trace else None
    if frame is not None:
        where = frame.get_summary_str()
    return f"{head}#{annotation} {where}"
