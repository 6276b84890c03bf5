"""Read the rules of a course from its TOML file."""

import math
import tomllib
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

DEFAULT = Path(__file__).resolve().parents[1] / "course.toml"


class CourseError(Exception):
    """The course's file has a mistake; the message names the place and what is allowed there."""


@dataclass
class Late:
    """What is taken off a late submission.

    Attributes
    ----------
    grace_minutes : float
        A submission that is late by no more than this counts as on time.
    percent_per_day : float
        What each day that has begun costs, in percent of the points earned.
    max_days : float
        After so many days a submission gets no points.
    """

    grace_minutes: float = 0
    percent_per_day: float = 0
    max_days: float = math.inf

    def share(self, submitted, due):
        """Return the share of the points that is left, and the number of days late."""
        if due is None or submitted - due <= timedelta(minutes=self.grace_minutes):
            return 1.0, 0
        days = math.ceil((submitted - due) / timedelta(days=1))
        if days > self.max_days:
            return 0.0, days
        return max(0.0, 1 - self.percent_per_day * days / 100), days


@dataclass
class Rules:
    """The rules of one assignment; `points` is what a score of 100 is worth."""

    points: float
    weight: float
    partial: bool
    due: datetime | None
    late: Late

    def earned(self, score, total, submitted):
        """Return the points for a score, after the late policy, and the days late."""
        share, days = self.late.share(submitted, self.due)
        score = score / total if self.partial or score >= total else 0.0
        return round(self.points * score * share, 2), days


@dataclass
class Course:
    """The rules of a course."""

    version: str
    budget: float
    max_bytes: int
    sandbox: str
    assignments: dict  # name -> Rules

    def grade(self, points):
        """Return the grade in percent for the points by assignment."""
        weights = sum(rules.weight for rules in self.assignments.values())
        parts = (r.weight * points.get(n, 0) / r.points for n, r in self.assignments.items())
        return round(100 * sum(parts) / weights, 2)


def read(path=DEFAULT):
    """Read a course's file.

    Raises
    ------
    CourseError
        If the file cannot be read or breaks a rule.
    """
    path = Path(path)
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{path} is no valid TOML: {error}") from None
    return _Reader(path.name).course(table)


def _number(low, strict=False):
    def allowed(value):
        good = type(value) in (int, float) and math.isfinite(value)
        return good and (value > low if strict else value >= low)

    return allowed, f"a number {'above' if strict else 'of at least'} {low:g}"


def _due(value):
    return isinstance(value, datetime) and value.tzinfo is not None


_TEXT = (lambda value: isinstance(value, str) and value.strip(), "a text in quotes")
_LATE = {
    "grace_minutes": _number(0),
    "percent_per_day": (lambda v: _number(0)[0](v) and v <= 100, "a number from 0 to 100"),
    "max_days": _number(0),
}
_RULES = {
    "points": _number(0, strict=True),
    "weight": _number(0),
    "partial": (lambda value: isinstance(value, bool), "true or false"),
    "due": (_due, "a date and time with an offset, such as 2026-10-05T23:59:00+02:00"),
    "late": (lambda value: isinstance(value, dict), "a table"),
}
_GRADING = {
    "budget": _number(0, strict=True),
    "max_bytes": (lambda value: type(value) is int and value > 0, "a whole number above 0"),
    "sandbox": _TEXT,
}
_TABLE = (lambda value: isinstance(value, dict), "a table")
_COURSE = {"version": _TEXT, "grading": _TABLE, "defaults": _TABLE, "assignments": _TABLE}


class _Reader:
    def __init__(self, file):
        self.file = file

    def check(self, table, allowed, place):
        """Raise if a table has an unknown key or a value that its key does not allow."""
        for key, value in table.items():
            where = f"{place}.{key}" if place else key
            if key not in allowed:
                names = ", ".join(allowed)
                raise CourseError(f"{self.file}: {where} is unknown; there are: {names}")
            good, what = allowed[key]
            if not good(value):
                raise CourseError(f"{self.file}: {where} should be {what}, not {value!r}")
        return table

    def course(self, table):
        self.check(table, _COURSE, "")
        for key in ("version", "assignments"):
            if not table.get(key):
                raise CourseError(f"{self.file}: {key} is missing")
        grading = self.check(table.get("grading", {}), _GRADING, "grading")
        defaults = self.check(table.get("defaults", {}), _RULES, "defaults")
        assignments = {
            name: self.rules(rules, defaults, f"assignments.{name}")
            for name, rules in table["assignments"].items()
        }
        if not any(rules.weight for rules in assignments.values()):
            raise CourseError(f"{self.file}: every weight is 0, so that there is no grade")
        return Course(
            version=table["version"],
            budget=grading.get("budget", 60),
            max_bytes=grading.get("max_bytes", 200_000),
            sandbox=grading.get("sandbox", "auto"),
            assignments=assignments,
        )

    def rules(self, table, defaults, place):
        if not isinstance(table, dict):
            raise CourseError(f"{self.file}: {place} should be a table, not {table!r}")
        table = defaults | self.check(table, _RULES, place)
        return Rules(
            points=table.get("points", 100),
            weight=table.get("weight", 1.0),
            partial=table.get("partial", True),
            due=table.get("due"),
            late=Late(**self.check(table.get("late", {}), _LATE, f"{place}.late")),
        )
