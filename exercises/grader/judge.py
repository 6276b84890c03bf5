"""Compare what was shown with the right values; no code of a submission runs here."""

import hashlib
from dataclasses import dataclass

from exercises.grader.decode import clean
from exercises.scenario import differs

CLOCK = 0.3  # seconds of processor time that are never held against a submission
TOO_LONG = "took too long"  # the error of a submission that was stopped
READABLE = 60  # characters of a value that is shown as a whole
TRIES = 6  # how often a submission that seems slow is measured against the baseline


@dataclass
class Right:
    """What the solution shows in one scenario.

    Attributes
    ----------
    values : list
    seconds : float
        The processor time; that of the baseline, if the scenario has one.
    """

    values: list
    seconds: float


@dataclass
class Verdict:
    """How a submission did in one scenario.

    Attributes
    ----------
    passed, slow : bool
        See `is_right` and `is_slow`.
    token : str
        What tells one wrong answer from another.
    """

    passed: bool
    slow: bool
    token: str


def is_right(scenario, shown, cpu, right):
    """Return whether a submission passes a scenario.

    Parameters
    ----------
    scenario : Scenario
    shown : Shown
    cpu : float
        The processor time in seconds.
    right : Right
    """
    return (
        shown.values is not None
        and not differs(shown.values, right.values, scenario.tolerance)
        and (scenario.cost is None or cpu <= allowed(scenario, right))
    )


def allowed(scenario, right):
    """Return the processor time in seconds that a scenario with a cost may take."""
    return scenario.cost * right.seconds + (0 if scenario.baseline else CLOCK)


def is_measured(scenario, cpu, right, tries):
    """Return whether one more measurement of a submission and of the baseline is not needed.

    It is fast enough, or so slow that a disturbance of all its measurements is no explanation.

    Parameters
    ----------
    scenario : Scenario
    cpu : float
        The shortest processor time of the submission in seconds.
    right : Right
        With the shortest time of the baseline.
    tries : int
        The number of measurements.
    """
    slowness = cpu / allowed(scenario, right)
    return slowness <= 1 or slowness > 1 + 2 / tries


def is_slow(scenario, shown, cpu, right):
    """Return whether a submission took too long: it was stopped, or only its processor time is wrong.

    Which of the two happens to a slow submission depends on what else the machine does, so both count
    as the same.
    """
    if shown.values is None:
        return shown.error == TOO_LONG
    return (
        scenario.cost is not None
        and cpu > allowed(scenario, right)
        and not differs(shown.values, right.values, scenario.tolerance)
    )


def verdict(scenario, shown, cpu, right):
    """Return the `Verdict` on a submission; the arguments are those of `is_right`."""
    if is_right(scenario, shown, cpu, right):
        return Verdict(True, False, "right")
    if is_slow(scenario, shown, cpu, right):
        return Verdict(False, True, TOO_LONG)
    # an error without the line, which is not the same in each file with one mistake
    token = shown.text if shown.text is not None else shown.error.rpartition(" (line ")[0]
    return Verdict(False, False, token or shown.error)


def digest(tokens):
    """Return a digest of the tokens of all scenarios."""
    return hashlib.sha256("\n".join(tokens).encode()).hexdigest()[:16]


def first_difference(shown, cpu, right, scenario):
    """Return the first expected value that was not shown and what was shown instead, as texts."""
    for index, (label, value) in enumerate(right.values):
        if index >= len(shown.values):
            return f"{label} = {short(value)}", "nothing"
        seen_label, seen = shown.values[index]
        if seen_label != label:
            return f"{label} = {short(value)}", f"{clean(seen_label)} = {short(seen)}"
        if differs(seen, value, scenario.tolerance):
            place, value, seen = narrowed(value, seen, scenario.tolerance)
            where = f"{label}, {place}" if place else label
            return f"{where} = {short(value)}", f"{where} = {short(seen)}"
    if len(shown.values) > len(right.values):
        label, value = shown.values[len(right.values)]
        return "nothing more", f"{clean(label)} = {short(value)}"
    return f"at most {allowed(scenario, right):.2g} s of processor time", f"{cpu:.2g} s"


def narrowed(value, seen, tolerance):
    """Return the place of the first difference of two long values, and what is there in both.

    A place is written like ``[2][0]``. It leads no deeper than to a part that is short to read.
    """
    place = ""
    while len(short(value)) > READABLE or len(short(seen)) > READABLE:
        if _is_tensor(value) and _is_tensor(seen):
            if (value["tensor"], value["shape"]) != (seen["tensor"], seen["shape"]):
                break
            value, seen = value["data"], seen["data"]
        if not (isinstance(value, list) and isinstance(seen, list) and len(value) == len(seen)):
            break
        pairs = enumerate(zip(value, seen, strict=True))
        index, (value, seen) = next(
            (k, pair) for k, pair in pairs if differs(pair[1], pair[0], tolerance)
        )
        place += f"[{index}]"
    return place, value, seen


def _is_tensor(value):
    return isinstance(value, dict) and value.keys() == {"tensor", "shape", "data"}


def short(value):
    """Return a decoded value as a short text."""
    try:
        return clean(value if isinstance(value, str) else _text(value))
    except ValueError:  # an integer with thousands of digits
        return "a very large integer"


def _text(value):
    match value:
        case list():
            return f"[{', '.join(map(_text, value))}]"
        case {"tensor": str(dtype), "shape": shape, "data": data}:
            return f"{dtype} {_text(shape)} {_text(data)}"
        case {"float": str(number)}:
            return number
        case {"dict": [*pairs]} if all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            return ", ".join(f"{short(key)}: {short(part)}" for key, part in pairs)
    return repr(value)
