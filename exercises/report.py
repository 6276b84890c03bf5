"""The report on one submission."""

import json
from dataclasses import asdict, dataclass, field


@dataclass
class Result:
    """What one scenario showed.

    For a hidden scenario `expected`, `got`, `error` and `line` are None, since a submission could
    use them to print the hidden tests.

    Attributes
    ----------
    scenario : str
    points, earned : float
    hidden : bool
    status : str
        ``passed``; ``failed`` (a value is wrong); ``error`` (an exception); ``timeout`` (it was
        stopped, or took too much processor time); or ``killed`` (the process died or sent something
        that is no result).
    expected, got : str or None
        The first value that is wrong.
    error : str or None
    line : int or None
        The line of the submission where the exception was raised.
    given : str
        If the exception was raised in the given code only: the line there.
    idea, page : str
        What to think about, and where to read about it.
    """

    scenario: str
    points: float
    earned: float
    hidden: bool
    status: str
    expected: str | None = None
    got: str | None = None
    error: str | None = None
    line: int | None = None
    given: str = ""
    idea: str = ""
    page: str = ""


@dataclass
class Report:
    """What a submission earned.

    Attributes
    ----------
    assignment, path, sha256 : str
        What was graded; the digest is empty if the file could not be read.
    sandbox : str
        ``bwrap`` or ``user``; ``none`` if the submission was rejected before it ran.
    complete : bool
        Whether every scenario has a result. A report that is not complete is no grade.
    score, total : float
    results : list of Result
    diagnosis : str or None
        What is wrong, if the submission behaves exactly like a known wrong answer.
    message : str or None
        Why the submission could not be run.
    seconds : float
        The wall time of grading.
    """

    assignment: str
    path: str
    sha256: str = ""
    sandbox: str = "none"
    complete: bool = False
    score: float = 0.0
    total: float = 100.0
    results: list = field(default_factory=list)
    diagnosis: str | None = None
    message: str | None = None
    seconds: float = 0.0

    def to_json(self):
        """Return the report as JSON text."""
        return json.dumps(asdict(self), indent=1) + "\n"

    @classmethod
    def from_json(cls, text):
        """Return the report that `to_json` wrote."""
        fields = json.loads(text)
        fields["results"] = [Result(**result) for result in fields["results"]]
        return cls(**fields)
