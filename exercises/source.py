"""Read the single source of an assignment, ``exercises/assignments/aNN_NAME.py``.

The file is a complete solution that runs, with marks in it:

    # <answer NAME>             what the student writes: from here
    # hint: a sentence          one tier of hints; the next `hint:` begins the next tier,
    #   its end                 three spaces continue a hint
    ...the solution...
    # <wrong MISTAKE>           optional: a wrong answer to put here instead,
    #| line of code             its lines behind this sign; one mistake may touch several answers
    # <wrong MISTAKE>           or the solution with changes, in order: lines that are taken out,
    #|- line of code            which occur only once below the change before,
    #|+ line of code            and the lines that take their place
    # </answer>                 to here
    # <tests>                   given to the student: ABOUT, install, retire, public scenarios
    # </tests>
    # <hidden>                  kept by the teacher: hidden scenarios, MISTAKES
    # </hidden>

From it are built the stub, the solution, the wrong answers, the hints, the scenarios and the page
on the site. `ABOUT` is a literal dictionary (see `About`). `MISTAKES` is a literal dictionary that
gives the diagnosis of each planted wrong answer.
"""

import ast
import difflib
import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "assignments"

_OPEN = re.compile(r"( *)# <answer ([\w.]+)>$")
_WRONG = re.compile(r" *# <wrong (\w+)>$")
_HINT = re.compile(r" *# hint: (.*)$")
_MORE = re.compile(r" *#   (.*)$")
_CODE = re.compile(r" *#\|([-+]?)(?: (.*))?$")


# The marks in a student's file: between them is what is graded.
_YOURS, _END = "# --- yours: ", "# --- end"

FILE = "piece.py"  # what tracebacks and the compiler call an answer that runs
_HELPERS = f"""


{_YOURS}helpers
# Functions of your own, which the answers above call, and imports.
{_END}
"""


class SourceError(Exception):
    """The marks in a source do not fit together."""


@dataclass
class Answer:
    """The code that the student writes at one place."""

    name: str
    indent: str
    hints: list = field(default_factory=list)
    solution: list = field(default_factory=list)
    wrong: dict = field(default_factory=dict)  # mistake -> lines

    def stub(self):
        return [f'{self.indent}raise NotImplementedError("{self.name} is yours to write")']

    def region(self, lines):
        """Return the lines of an answer between its marks."""
        return [f"{self.indent}{_YOURS}{self.name}", *lines, f"{self.indent}{_END}"]

    def changed(self, mistake):
        """Return the lines of a wrong answer from marked lines, which may be changes."""
        groups = itertools.groupby(self.wrong[mistake], key=lambda marked: marked[0])
        groups = [(sign, [line for _, line in marked]) for sign, marked in groups]
        if [sign for sign, _ in groups] == [""]:
            return groups[0][1]
        lines, rest = [], [line.removeprefix(self.indent) for line in self.solution]
        for (out, old), (in_, new) in zip(groups[::2], [*groups[1::2], ("+", [])], strict=False):
            places = [k for k in range(len(rest)) if rest[k : k + len(old)] == old]
            if (out, in_) != ("-", "+") or len(places) != 1:
                raise SourceError(f"{self.name}: in {mistake}, no change of a single place: {old}")
            lines += rest[: places[0]] + new
            rest = rest[places[0] + len(old) :]
        return lines + rest

    def mistaken(self, mistake):
        lines = self.wrong.get(mistake)
        return self.solution if lines is None else [(self.indent + line).rstrip() for line in lines]


@dataclass
class About:
    """What ``ABOUT`` says of an assignment."""

    number: int  # 1 to 16
    title: str
    part: str  # Tensors, The graph, The engine, Speed, Use
    goal: str  # one or two sentences
    reading: list  # pages of the site, as "learn/backward/05_dependencies"
    difficulty: int  # 1 to 5
    importance: int  # 1 to 5
    hours: float
    language: str = "python"  # or "cython": Python with types, which is compiled


class Source:
    """One assignment, read from its file.

    Attributes
    ----------
    name : str
        The file's name without its ending, such as ``a07_engine``.
    answers : list of Answer
    about : About
    mistakes : dict of str to str
        The diagnosis of each planted wrong answer.
    tests, hidden : str
        The code of the public and of the hidden scenarios.
    """

    def __init__(self, path):
        self.path = Path(path)
        self.name = self.path.stem
        self.parts = []  # lines of text and Answers, in order
        self.answers = []
        sections = {"tests": [], "hidden": []}
        self._read(self.path.read_text(encoding="utf-8").splitlines(), sections)
        self.tests = "\n".join(sections["tests"]) + "\n"
        self.hidden = "\n".join(sections["hidden"]) + "\n"
        self.about = About(**_literal(self.tests, "ABOUT"))
        self.mistakes = _literal(self.hidden, "MISTAKES")

    def _read(self, lines, sections):
        answer = lines_of = section = None
        for number, line in enumerate(lines, 1):
            mark = line.strip()
            if section is not None:
                if mark == f"# </{section}>":
                    section = None
                else:
                    sections[section].append(line)
            elif mark in ("# <tests>", "# <hidden>"):
                section = mark[3:-1]
            elif match := _OPEN.match(line):
                if answer is not None:
                    raise SourceError(f"{self.path}:{number}: {answer.name} is not closed")
                answer = Answer(match[2], match[1])
                lines_of = answer.solution
            elif mark == "# </answer>":
                if answer is None or not answer.solution:
                    raise SourceError(f"{self.path}:{number}: closes nothing")
                answer.wrong = {name: answer.changed(name) for name in answer.wrong}
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
                lines_of.append((match[1], match[2] or ""))
            else:
                raise SourceError(f"{self.path}:{number}: no line of a wrong answer")
        if answer is not None or section is not None:
            raise SourceError(f"{self.path}: the last mark is not closed")

    def _text(self, of_answer):
        lines = []
        for part in self.parts:
            lines += part.region(of_answer(part)) if isinstance(part, Answer) else [part]
        return "\n".join(lines).strip() + _HELPERS

    def stub(self):
        """Return the file with which the student begins."""
        return self._text(Answer.stub)

    def solution(self):
        """Return the same file with every answer."""
        return self._text(lambda answer: answer.solution)

    def wrong_names(self):
        """Return the names of the planted wrong answers."""
        return sorted({mistake for answer in self.answers for mistake in answer.wrong})

    def wrong_answer(self, mistake):
        """Return the solution with one mistake in it."""
        return self._text(lambda answer: answer.mistaken(mistake))


def _literal(text, name):
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign) and statement.targets[0].id == name:
            return ast.literal_eval(statement.value)
    raise SourceError(f"{name} is missing")


# ---- splicing


class DamagedMarks(Exception):
    """A submission's marks are missing or damaged; the message is for the student."""


@dataclass
class Spliced:
    """A submission's answers in the teacher's file.

    Attributes
    ----------
    text : str
    origin : list of (int or None)
        For each line of `text` the line of the submission it was taken from.
    unchanged : bool
        Whether the answers are those of the stub.
    """

    text: str
    origin: list
    unchanged: bool

    def line(self, number):
        """Return the line of the submission for a line of `text`, or None."""
        return self.place(number)[0]

    def place(self, number):
        """Return the line of the submission for a line of `text`, or None and the given text."""
        if number is None or not 1 <= number <= len(self.origin):
            return None, ""
        line = self.origin[number - 1]
        return line, "" if line else _lines(self.text)[number - 1].strip()


def splice(source, text):
    """Put the marked answers of a submission into the teacher's file.

    Nothing else of a submission is used, so changes elsewhere in it have no effect.

    Parameters
    ----------
    source : Source, Bundle or str
        The assignment or the text of its stub.
    text : str
        The submission.

    Returns
    -------
    Spliced

    Raises
    ------
    DamagedMarks
        If an answer's marks are missing, doubled or not closed.
    """
    stub = source if isinstance(source, str) else source.stub()
    given, answers = regions(stub), regions(text)
    for name in given:
        if name not in answers and name != "helpers":
            raise DamagedMarks(
                f"the line '{_YOURS}{name}' is missing; put it back, above your answer"
            )
    lines, origin, inside = [], [], None
    for line in _lines(stub):
        mark = line.strip()
        if inside is not None and mark != _END:
            continue
        inside = None
        lines.append(line)
        origin.append(None)
        if mark.startswith(_YOURS):
            inside = mark[len(_YOURS) :]
            first, answer = answers.get(inside) or (None, given[inside][1])
            lines += _indented(answer, indent_of(line))
            origin += [first + k if first else None for k in range(len(answer))]
    unchanged = all(
        [line.strip() for line in answers[name][1]] == [line.strip() for line in answer]
        for name, (_, answer) in given.items()
        if name in answers and name != "helpers"
    )
    return Spliced("\n".join(lines) + "\n", origin, unchanged)


def indent_of(line):
    """Return the blanks that a line begins with."""
    return line[: len(line) - len(line.lstrip())]


def _indented(lines, indent):
    """Return the lines of an answer with this indentation; in the student's file it may be tabs."""
    first = next((line for line in lines if line.strip() and line.strip()[0] != "#"), indent)
    old = indent_of(first)
    if not old or not indent:
        return lines
    return [indent + line[len(old) :] if line.startswith(old) else line for line in lines]


def _lines(text):
    """Return the lines of a text; Python ends lines at these characters only."""
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")


def regions(text):
    """Return for each marked answer the number of its first line and its lines."""
    regions, name = {}, None
    for number, line in enumerate(_lines(text), 1):
        mark = line.strip()
        if mark.startswith(_YOURS):
            if name is not None:
                raise DamagedMarks(f"line {number}: '{_END}' is missing before this line")
            name = mark[len(_YOURS) :]
            if name in regions:
                raise DamagedMarks(f"line {number}: '{_YOURS}{name}' is there twice")
            regions[name] = (number + 1, [])
        elif mark == _END:
            if name is None:
                raise DamagedMarks(f"line {number}: '{_END}' closes nothing")
            name = None
        elif name is not None:
            regions[name][1].append(line)
    if name is not None:
        raise DamagedMarks(f"'{_END}' is missing after '{_YOURS}{name}'")
    return regions


def answer_numbers(text):
    """Return the numbers of the lines of a student's file that are between its marks."""
    return {first + k for first, lines in regions(text).values() for k in range(len(lines))}


def raising_line(traceback, text):
    """Return the last line of a traceback in an answer, or else in the given code, or None.

    The module `traceback` is not used, since `retire` may have taken away what it needs.

    Parameters
    ----------
    traceback : types.TracebackType
    text : str
        The student's file, or its answers in the teacher's, which ran under the name `FILE`.
    """
    answers, own, given = answer_numbers(text), None, None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == FILE:
            given = traceback.tb_lineno
            own = given if given in answers else own
        traceback = traceback.tb_next
    return own or given


def first_unused(source, text):
    """Return the number of the first line that a student changed outside of the marks, or None.

    Parameters
    ----------
    source : Source or Bundle
        The assignment.
    text : str
        The student's file.
    """
    own = _outside(text)
    lines = difflib.SequenceMatcher(None, [line for _, line in _outside(source.stub())],
                                    [line for _, line in own], autojunk=False)  # fmt: skip
    for kind, _, _, low, high in lines.get_opcodes():
        for number, line in own[low:high]:
            if kind in ("insert", "replace") and line.strip() and not line.lstrip().startswith("#"):
                return number
    return None


def _outside(text):
    """Return the lines outside of the marks, each with its number."""
    inside = answer_numbers(text)
    return [
        (number, line.rstrip())
        for number, line in enumerate(_lines(text), 1)
        if number not in inside
    ]


def all_sources():
    """Return every assignment by name, in the order of the course."""
    return {path.stem: Source(path) for path in sorted(FOLDER.glob("a*.py"))}


def find(name):
    """Return the assignment with this name or number.

    Raises
    ------
    KeyError
        If there is none; the message lists the names.
    """
    names = [path.stem for path in sorted(FOLDER.glob("a*.py"))]
    number = f"a{int(name):02}_" if str(name).isdigit() else None
    for known in names:
        if (
            known in (name, f"a{name}")
            or known.partition("_")[0] == name
            or known.partition("_")[2] == name
            or (number and known.startswith(number))
        ):
            return Source(FOLDER / f"{known}.py")
    raise KeyError(f"there is no assignment {name!r}; there are: {', '.join(names)}")
