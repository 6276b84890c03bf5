"""The released form of an assignment: what a student gets, and nothing that solves it.

A bundle is a folder with these files:

    about.json        title, goal, reading, ... (`source.About`), and the course's version
    stub.py           the file with which the student begins
    tests.py          the public section of the source: install, retire and the public scenarios
    expected.json     the values of the public scenarios for the public seeds, and what they cost
    hints.json        the tiers of hints of each answer
    diagnoses.json    digests of what known wrong answers show, each with its diagnosis
    page.md           the assignment's page

The expected values come from a run of the solution, which is not in the bundle. A digest does not
reveal the wrong answer that it was made from.
"""

import ast
import json
import re
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from exercises.forks import observe, outcome, section, seed_of
from exercises.scenario import scenarios_of
from exercises.source import About

VERSION = "1.0"  # of the course, for a release that names none
PUBLIC = "public"  # the secret of the public seeds, which is none


class BundleError(Exception):
    """A released assignment is incomplete, or the solution fails a public scenario."""


@dataclass
class Bundle:
    """One assignment as it is released.

    Attributes
    ----------
    name : str
    about : About
    tests : str
        The code of the public scenarios.
    stub_text : str
    expected : dict
        For each public scenario ``{"values": JSON text, "seconds": processor time}``.
    hints : dict of str to list of str
        The tiers of hints of each answer.
    diagnoses : dict of str to str
        The diagnosis for each digest of `forks.outcome` on the public scenarios.
    speed : float
        The processor time of `speed` on the machine where `expected` was made.
    version : str
        The version of the course.
    path : Path or None
        The file with the public scenarios, to show it to the student.
    """

    name: str
    about: About
    tests: str
    stub_text: str
    expected: dict
    hints: dict
    diagnoses: dict
    speed: float
    version: str = VERSION
    path: Path = None
    hidden: str = ""

    def stub(self):
        """Return the file with which the student begins."""
        return self.stub_text

    @property
    def filename(self):
        """The name of the student's file."""
        return filename(self)

    def page(self):
        """Return the assignment's page as Markdown."""
        return page(self)

    def expected_here(self):
        """Return the expected values with the processor times that this machine would need."""
        if not any(s.cost for s in self.scenarios().values()):
            return self.expected
        slower = max(1.0, speed() / self.speed)
        return {
            name: right | {"seconds": right["seconds"] * slower}
            for name, right in self.expected.items()
        }

    def namespace(self):
        """Run the public section and return its namespace."""
        return section(self.tests, f"tests_{self.name}")

    def scenarios(self):
        """Return the public scenarios by name."""
        return scenarios_of(self.namespace())

    def write(self, folder):
        """Write the files of the bundle into a folder, which is made."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.files().items():
            (folder / name).write_text(text, encoding="utf-8")

    def files(self):
        """Return the texts of the bundle's files by name."""
        about = asdict(self.about) | {"name": self.name, "course": self.version}
        expected = {"speed": self.speed, "scenarios": self.expected}
        return {
            "about.json": _json(about),
            "stub.py": self.stub_text,
            "tests.py": self.tests,
            "expected.json": _json(expected),
            "hints.json": _json(self.hints),
            "diagnoses.json": _json(self.diagnoses),
            "page.md": self.page(),
        }

    @classmethod
    def read(cls, folder):
        """Read a bundle from its folder.

        Raises
        ------
        BundleError
            If a file is missing or cannot be read.
        """
        folder = Path(folder)
        try:
            texts = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
            about = json.loads(texts["about.json"])
            name, version = about.pop("name"), about.pop("course")
            expected = json.loads(texts["expected.json"])
            about = About(**about)
            return cls(
                name=name,
                about=about,
                tests=texts["tests.py"],
                stub_text=texts["stub.py"],
                expected=expected["scenarios"],
                hints=json.loads(texts["hints.json"]),
                diagnoses=json.loads(texts["diagnoses.json"]),
                speed=expected["speed"],
                version=version,
                path=folder / "tests.py",
            )
        except (OSError, KeyError, TypeError, ValueError) as error:
            raise BundleError(f"{folder} is no complete assignment: {error!r}") from None

    @classmethod
    def of(cls, source, version=VERSION):
        """Make the bundle of a source by running its solution and its planted wrong answers.

        Raises
        ------
        BundleError
            If the solution fails a public scenario.
        """
        namespace = section(source.tests, f"tests_{source.name}")
        expected = _observe(source, namespace, source.solution())
        for name, right in expected.items():
            if right["values"] is None:
                raise BundleError(f"{source.name}: the solution fails {name}: {right['error']}")
        return cls(
            name=source.name,
            about=source.about,
            tests=source.tests.strip() + "\n",
            stub_text=source.stub(),
            expected={
                name: {"values": right["values"], "seconds": right["seconds"]}
                for name, right in expected.items()
            },
            hints={answer.name: answer.hints for answer in source.answers},
            diagnoses=_diagnoses(source, namespace, expected),
            speed=speed(),
            version=version,
            path=source.path,
        )


def _observe(source, namespace, text):
    return {
        name: observe(source, namespace, scenario, text, seed_of(PUBLIC, source.name, name))
        for name, scenario in scenarios_of(namespace).items()
    }


def _diagnoses(source, namespace, expected):
    """Return the diagnosis of each digest; what two mistakes share, or no test sees, has none."""
    found = {}
    for mistake in source.wrong_names():
        results = _observe(source, namespace, source.wrong_answer(mistake))
        passed, digest = outcome(results, expected, namespace)
        if not all(passed.values()):
            found.setdefault(digest, set()).add(source.mistakes[mistake])
    return {digest: texts.pop() for digest, texts in sorted(found.items()) if len(texts) == 1}


def speed():
    """Return the processor time that a fixed piece of work takes here, to compare machines."""
    times = []
    for _ in range(3):
        begin, table = time.process_time(), {}
        for number in range(60_000):
            table[number % 997] = table.get(number % 991, 0) + number
        times.append(time.process_time() - begin)
    return min(times)


def filename(assignment):
    """Return the name of a student's file."""
    return f"{assignment.name}.py"


def _json(value):
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


# ---- the page


def stars(number):
    """Return a number from 1 to 5 as filled and empty circles."""
    return "●" * number + "○" * (5 - number)


def cell(text):
    """Return a text for a cell of a table."""
    return text.replace("|", r"\|")


def page(assignment, link=None, hints=None):
    """Return the page of an assignment as Markdown, from its `Source` or `Bundle`.

    Parameters
    ----------
    assignment : Source or Bundle
    link : callable, optional
        ``link(page)`` gives the Markdown for a page of the site; by default its name.
    hints : callable, optional
        ``hints(answer, tiers)`` gives the Markdown for the hints of one answer.
    """
    about, link = assignment.about, link or (lambda page: f"`{page}`")
    file, number = filename(assignment), about.number
    scenarios = scenarios_of(section(assignment.tests, f"tests_{assignment.name}"))
    public = sum(s.points for s in scenarios.values())
    lines = [f"# {number}. {about.title}", "", about.goal, ""]
    lines += ["| part | difficulty | importance | hours |", "|---|---|---|---|"]
    lines += [
        f"| {about.part} | {stars(about.difficulty)} | {stars(about.importance)} | {about.hours:g} |"
    ]
    lines += ["", "Read first: " + ", ".join(map(link, about.reading)) + ".", ""]
    lines += ["## What you write", "", *_docstring(assignment.stub()), ""]
    answers = _hints_of(assignment)
    places = ", ".join(f"`{name}`" for name in answers)
    lines += [f"In the file `{file}` these places are yours: {places}.", ""]
    lines += ["```console", f"$ python -m exercises start {number}"]
    lines += [f"$ python -m exercises check {number}", "```", ""]
    if hints:
        lines += ["## Hints", ""]
        lines += ["Open one only when you are stuck. Each says more than the one before it.", ""]
        for name, tiers in answers.items():
            lines += hints(name, tiers)
    lines += ["## Public tests", "", f"They are worth {public:g} of 100 points."]
    if public < 100:
        lines[-1] += " The other points are for tests that only the teacher has."
    lines += ["", "| test | points | idea |", "|---|---|---|"]
    lines += [f"| `{s.name}` | {s.points:g} | {cell(s.idea)} |" for s in scenarios.values()]
    return "\n".join(lines) + "\n"


def _hints_of(assignment):
    if isinstance(assignment, Bundle):
        return assignment.hints
    return {answer.name: answer.hints for answer in assignment.answers}


def _docstring(text):
    """Return the lines of a module's docstring, with its indented blocks as blocks of text."""
    match = re.match(r'(?:#.*\n|\s*\n)*("""(?:.|\n)*?""")', text)
    lines, block = [], []
    for line in [*ast.literal_eval(match[1]).strip().splitlines(), ""] if match else ():
        if line.startswith("    ") or (block and not line):
            block.append(line[4:])
            continue
        lines += _fenced(block)
        block = []
        lines.append(line)
    return lines + _fenced(block)


def _fenced(block):
    while block and not block[-1]:
        block.pop()
    return ["```text", *block, "```", ""] if block else []
