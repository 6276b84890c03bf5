"""What the student reads: lists, reports and hints as plain lines, in colour on a terminal."""

import os
import re
import sys
import textwrap
from pathlib import Path

from exercises.student.course import address

LINES = 15  # of a report at most
WIDTH = 96
COLOURS = {"good": "32", "bad": "31", "dim": "2", "bold": "1"}


def paint(text, colour, stream=None):
    """Return the text in a colour, if the output is a terminal and NO_COLOR is not set."""
    stream = stream or sys.stdout
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty()
    return text if plain else f"\033[{COLOURS[colour]}m{text}\033[0m"


def circles(number):
    """Return a number from 1 to 5 as filled and empty circles."""
    full, empty = "●○" if (sys.stdout.encoding or "").lower().startswith("utf") else "*."
    return full * number + empty * (5 - number)


def clipped(text, width=WIDTH):
    """Return the text in one line that is not too long."""
    text = " ".join(str(text).split())
    return text if len(text) <= width else text[: width - 3] + "..."


def field(name, text):
    """Return the lines of one field of a report."""
    return f"  {name:9} {clipped(text, WIDTH - 12)}"


def wrapped_field(name, text, most=3):
    """Return the lines of one field of a report that may need several."""
    text = " ".join(str(text).split())
    wrapped = textwrap.wrap(text, WIDTH - 12, max_lines=most, placeholder="...")
    return [f"  {name if k == 0 else '':9} {line}" for k, line in enumerate(wrapped)]


def listed(names, width):
    """Return as many whole names as fit in one line, and how many are left."""
    for shown in range(len(names), 0, -1):
        left = len(names) - shown
        text = ", ".join(names[:shown]) + (f" and {left} more" if left else "")
        if len(text) <= width:
            break
    return text


def from_the_difference(expected, got, width=WIDTH - 12):
    """Return both without a long beginning that they share, so that their difference can be seen."""
    texts = [" ".join(str(text).split()) for text in (expected, got)]
    same = len(os.path.commonprefix(texts))
    if same < width - 30 or max(map(len, texts)) <= width:
        return texts
    label = texts[0][: texts[0].find(" = ", 0, same) + 3]
    label = label if 2 < len(label) < 40 else ""
    return [f"{label}...{text[same - 20 :]}" for text in texts]


def report(report, bundle):
    """Return a report as at most fifteen lines."""
    earned = sum(result.earned for result in report.results)
    total = sum(result.points for result in report.results)
    head = f"{bundle.name}  {bundle.about.title}"
    if report.message or not report.results:
        message = (report.message or "no test could be run").splitlines()[: LINES - 5]
        return [f"{head}: 0 of {total:g} points", *(paint(line[:WIDTH], "bad") for line in message)]
    failed = [result for result in report.results if result.status != "passed"]
    lines = [paint(f"{head}: {earned:g} of {total:g} points", "good" if not failed else "bold")]
    if not failed:
        lines.append(f"All {len(report.results)} public tests pass.")
        if left := to_write(report.path):
            lines.append(f"Still to be written: {', '.join(left)}")
        if total < 100:
            lines.append(f"The other {100 - total:g} points are for tests that your teacher has.")
        return lines
    # what is not written yet says less than what is wrong
    first = next((result for result in failed if not is_to_write(result.error)), failed[0])
    lines.append(f"{counts(report.results, failed)}. The first:")
    details = [paint(f"FAILED {first.scenario} ({first.points:g} points)", "bad")]
    after = []
    if first.error:
        after += wrapped_field("got", first.error)
        if first.line:
            after.append(field("line", f"{first.line}: {line_of(report.path, first.line)}"))
        elif first.given:
            after.append(field("in", f"the given code: {first.given}"))
    else:
        expected, got = first.expected, "nothing" if first.got is None else first.got
        if expected is not None:
            expected, got = from_the_difference(expected, got)
            after.append(field("expected", expected))
        after.append(field("got", got))
    if is_to_write(first.error):
        after.append(field("next", f"still to be written: {', '.join(to_write(report.path))}"))
    else:
        after += wrapped_field("idea", first.idea, 2)
    after.append(field("page", address(first.page)))
    if report.diagnosis:
        wrapped = textwrap.wrap(report.diagnosis, WIDTH - 2)
        after += [paint("What is probably wrong:", "bold"), *(f"  {line}" for line in wrapped)]
    others = [result.scenario for result in failed if result is not first]
    room = LINES - len(lines) - len(details) - len(after) - 1
    if others and room > 0:
        after.append("Also failing: " + listed(others, WIDTH - 14))
        room -= 1
    return lines + details + ran(bundle, first.scenario, room) + after


def counts(results, failed):
    """Return how many tests pass, fail, and need what is not written yet."""
    waiting = sum(is_to_write(result.error) for result in failed)
    passed, wrong = len(results) - len(failed), len(failed) - waiting
    words = [f"{passed} {'test passes' if passed == 1 else 'tests pass'}"]
    if wrong:
        words.append(f"{wrong} {'fails' if wrong == 1 else 'fail'}")
    if waiting:
        words.append(f"{waiting} {'needs' if waiting == 1 else 'need'} what is still to be written")
    return ", ".join(words)


def is_to_write(error):
    """Return whether an error is that of a place in the stub."""
    return (
        bool(error) and error.startswith("NotImplementedError: ") and "is yours to write" in error
    )


def to_write(path):
    """Return which places of a file are still those of the stub."""
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    return re.findall(r'NotImplementedError\("(\S+) is yours to write"\)', text)


def line_of(path, number):
    """Return a line of the student's file."""
    lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    return lines[number - 1].strip() if number <= len(lines) else ""


def ran(bundle, scenario, room):
    """Return what ran: where the scenario is, and its code if there is room."""
    found, code = 0, []
    lines = bundle.path.read_text(encoding="utf-8").splitlines() if bundle.path else []
    for number, line in enumerate(lines, 1):
        if line.startswith(f"def {scenario}("):
            found = number
        elif found and line and not line[0].isspace():
            break
        elif found and line.strip():
            code.append("    " + line[:WIDTH])
    name = os.path.relpath(bundle.path) if bundle.path else bundle.name
    place = f"{name}, line {found}; `piece` is your file" if found else name
    shown = [f"  {'ran':9} {place}"]
    if len(code) + 1 > room:
        code = [*code[: max(0, room - 2)], "    ..."] if room > 3 else []
    return shown + code
