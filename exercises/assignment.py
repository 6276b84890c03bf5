"""An assignment is one file, ``exercises/NAME/source.py``: a complete solution with marks in it.

    # <answer NAME>             what the student writes: from here
    # hint: a sentence          goes to hints.md; each such line begins another hint,
    #   its end                 three spaces go on with it
    ...the solution...
    # <wrong MISTAKE>           optional: a wrong answer to put here instead,
    #| line of code             its lines behind this sign; one mistake may touch several answers
    # </answer>                 to here
    # <grading>                 not given to the student: TITLE, BEHAVIOURS, install(module),
    ...                         POINTS, NOT_GRADED, MISCONCEPTIONS, as explained in README.md
    # </grading>

The file runs unchanged, so the solution is tested by the same linters and readers as the rest.
From it are built the stub, the solution without marks, the hints, and the wrong answers.
"""

import ast
import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

_OPEN = re.compile(r"( *)# <answer ([\w.]+)>$")
_WRONG = re.compile(r" *# <wrong (\w+)>$")
_HINT = re.compile(r" *# hint: (.*)$")
_MORE = re.compile(r" *#   (.*)$")
_CODE = re.compile(r" *#\|(?: (.*))?$")


class SourceError(Exception):
    """The marks in a source do not fit together."""


@dataclass
class Answer:
    """The part of the code that the student writes at one place."""

    name: str
    indent: str
    hints: list = field(default_factory=list)
    solution: list = field(default_factory=list)
    wrong: dict = field(default_factory=dict)  # mistake -> lines

    def stub(self):
        return [f'{self.indent}raise NotImplementedError("{self.name} is yours to write")']

    def mistaken(self, mistake):
        lines = self.wrong.get(mistake)
        return self.solution if lines is None else [(self.indent + line).rstrip() for line in lines]


class Assignment:
    """One assignment, read from its source.

    Attributes
    ----------
    name : str
        The folder's.
    answers : list of Answer
    grading : dict
        What the source defines between its grading marks.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.name = self.folder.name
        self.path = self.folder / "source.py"
        self.parts = []  # lines of text and Answers, in order
        self.answers = []
        self._read(self.path.read_text(encoding="utf-8").splitlines())
        self.grading = {"__name__": f"exercises.{self.name}.source"}
        exec(compile(self.path.read_text(encoding="utf-8"), str(self.path), "exec"), self.grading)

    def _read(self, lines):
        answer = lines_of = None
        graded = False
        for number, line in enumerate(lines, 1):
            if line.strip() == "# <grading>":
                graded = True
            elif line.strip() == "# </grading>":
                graded = False
            elif graded:
                continue
            elif match := _OPEN.match(line):
                if answer is not None:
                    raise SourceError(f"{self.path}:{number}: {answer.name} is not closed")
                answer = Answer(match[2], match[1])
                lines_of = answer.solution
            elif line.strip() == "# </answer>":
                if answer is None or not answer.solution:
                    raise SourceError(f"{self.path}:{number}: closes nothing")
                self.parts.append(answer)
                self.answers.append(answer)
                answer = None
            elif answer is None:
                self.parts.append(line)
            elif match := _HINT.match(line):
                answer.hints.append(match[1])
            elif answer.hints and not answer.solution and (match := _MORE.match(line)):
                answer.hints[-1] += " " + match[1]
            elif match := _WRONG.match(line):
                lines_of = answer.wrong[match[1]] = []
            elif lines_of is answer.solution:
                lines_of.append(line)
            elif match := _CODE.match(line):
                lines_of.append(match[1] or "")
            else:
                raise SourceError(f"{self.path}:{number}: no line of a wrong answer")
        if answer is not None or graded:
            raise SourceError(f"{self.path}: the last mark is not closed")

    # -- what is built

    def _text(self, of_answer):
        lines = []
        for part in self.parts:
            lines += of_answer(part) if isinstance(part, Answer) else [part]
        text = "\n".join(lines).rstrip() + "\n"
        ast.parse(text)
        return text

    def stub(self):
        """Return the file with which the student begins."""
        return self._text(Answer.stub)

    def solution(self):
        """Return the same file with every answer."""
        return self._text(lambda answer: answer.solution)

    def mistakes(self):
        """Return the names of the planted wrong answers."""
        return sorted({mistake for answer in self.answers for mistake in answer.wrong})

    def wrong_answer(self, mistake):
        """Return the solution with one mistake in it."""
        return self._text(lambda answer: answer.mistaken(mistake))

    def hints(self):
        """Markdown: the hints to each answer, one below the other."""
        lines = [f"# {self.title}: hints", ""]
        for answer in self.answers:
            if answer.hints:
                lines += [f"## `{answer.name}`", ""]
                for number, hint in enumerate(answer.hints, 1):
                    lines += [*textwrap.wrap(f"{number}. {hint}", 100, subsequent_indent="   ")]
                lines.append("")
        return "\n".join(lines).rstrip() + "\n"

    def tests(self):
        """Return a pytest file for the directory of the student's file."""
        return _TESTS.format(title=self.title, name=self.name)

    # -- what the grading section says

    @property
    def title(self):
        return self.grading["TITLE"]

    @property
    def points(self):
        """Behaviour -> what it is worth, in the order in which they are graded."""
        return {name: worth for _, group in self.grading["POINTS"] for name, worth in group.items()}

    @property
    def advice(self):
        """Behaviour -> what to think about when it fails."""
        return {name: hint for hint, group in self.grading["POINTS"] for name in group}

    @property
    def misconceptions(self):
        return self.grading["MISCONCEPTIONS"]


_TESTS = '''"""{title}.

Run with pytest from minitorch's checkout: ``python -m pytest path/to/this/file``.
"""

import pytest

from exercises.assignment import find
from exercises.grading import load, run_one

ASSIGNMENT = find("{name}")


@pytest.fixture(scope="module")
def answer():
    from pathlib import Path

    return load(Path(__file__).with_name("{name}.py"))


@pytest.mark.parametrize("behaviour", ASSIGNMENT.points)
def test(behaviour, answer):
    error = run_one(ASSIGNMENT, answer, behaviour)
    if error is not None:
        error.add_note(ASSIGNMENT.advice[behaviour])
        raise error
'''


def all_assignments():
    """Every assignment, by name."""
    return {path.parent.name: Assignment(path.parent) for path in sorted(HERE.glob("*/source.py"))}


def find(name):
    """Return the assignment of the given name."""
    if not re.fullmatch(r"\w+", name) or not (HERE / name / "source.py").exists():
        known = ", ".join(path.parent.name for path in sorted(HERE.glob("*/source.py")))
        raise KeyError(f"there is no assignment {name!r}; there are: {known}")
    return Assignment(HERE / name)
