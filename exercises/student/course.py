"""The course as a student has it: the assignments, the folder with the answers, the progress."""

import hashlib
import importlib.util
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path

from exercises import bundle

ROOT = Path(__file__).resolve().parent.parent
RELEASED = ROOT / "released"
PROGRESS = "course-progress.json"


class Refused(Exception):
    """A command cannot do what it should; the message is for the student."""


def names():
    """Return the names of all assignments, in the order of the course."""
    if RELEASED.is_dir():
        return sorted(path.name for path in RELEASED.iterdir() if path.is_dir())
    return sorted(path.stem for path in (ROOT / "assignments").glob("a*.py"))


def find(number):
    """Return the name of the assignment with this number or name.

    Raises
    ------
    Refused
        If there is none; the message lists the names.
    """
    known = names()
    text = str(number).removesuffix(".py").removesuffix(".pyx")
    digits = re.fullmatch(r"a?0*(\d+)", text)
    for name in known:
        if text in (name, name.partition("_")[2]):
            return name
        if digits and name.startswith(f"a{int(digits[1]):02}_"):
            return name
    raise Refused(f"There is no assignment {number!r}. There are: {', '.join(known)}.")


def about(name):
    """Return the title, goal and so on of an assignment, without running anything."""
    if RELEASED.is_dir():
        return bundle.Bundle.read(RELEASED / name).about
    from exercises.source import Source

    return Source(ROOT / "assignments" / f"{name}.py").about


def given(name):
    """Return the name of the student's file, its stub, and the hints of each answer."""
    if RELEASED.is_dir():
        found = bundle.Bundle.read(RELEASED / name)
        return found.filename, found.stub(), found.hints
    from exercises.source import Source

    source = Source(ROOT / "assignments" / f"{name}.py")
    hints = {answer.name: answer.hints for answer in source.answers}
    return bundle.filename(source), source.stub(), hints


def load(name):
    """Return the `Bundle` of an assignment.

    In a checkout, where nothing is released, it is made from the source. What that costs is kept in
    the user's cache until the source changes.
    """
    if RELEASED.is_dir():
        return bundle.Bundle.read(RELEASED / name)
    from exercises.source import Source

    source = Source(ROOT / "assignments" / f"{name}.py")
    stamp = hashlib.sha256()
    for path in (source.path, ROOT / "scenario.py", ROOT / "bundle.py", ROOT / "forks.py"):
        stamp.update(path.read_bytes())
    library = Path(importlib.util.find_spec("minitorch").origin)
    stamp.update(str(library.stat().st_mtime).encode())
    kept = cache_folder() / f"{name}-{stamp.hexdigest()[:16]}"
    try:
        found = bundle.Bundle.read(kept)
    except bundle.BundleError:
        print(f"Preparing the tests of {name}, once.", file=sys.stderr, flush=True)
        found = bundle.Bundle.of(source)
        try:
            found.write(kept)
        except OSError:
            pass  # without a cache it only takes longer
    found.path = source.path
    return found


def cache_folder():
    """Return the folder for what can be made again."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "minitorch" / "course"


def version():
    """Return the version of the course."""
    return settings().get("course", bundle.VERSION)


def settings():
    """Return what the release says about the course: version and the site's address."""
    try:
        return json.loads((RELEASED / "course.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def address(page):
    """Return where a page of the site is: its address, or in a checkout its file."""
    site = settings().get("site")
    if site:
        return f"{site.rstrip('/')}/{page}.html"
    source = ROOT.parent / "docs" / f"{page}.md"
    return os.path.relpath(source) if source.exists() else f"{page} (on the course's site)"


def default_folder():
    """Return the folder with the student's files."""
    return Path(os.environ.get("MINITORCH_COURSE") or ".")


class Progress:
    """What a student has started and reached, in a JSON file next to the answers.

    Attributes
    ----------
    folder : Path
    entries : dict of str to dict
        For each assignment ``started``, ``points``, ``total``, ``course`` (the version it was last
        checked with), ``sha256`` of the file checked, and ``hints`` (for each answer how many were
        shown).
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.path = self.folder / PROGRESS
        self.entries, self.current, self.note = {}, None, None
        try:
            saved = json.loads(self.path.read_text(encoding="utf-8"))
            self.entries = {name: dict(entry) for name, entry in saved["assignments"].items()}
            self.current = saved.get("current")
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            kept = free_name(self.path, "broken")
            try:
                self.path.rename(kept)
                self.note = f"{self.path} could not be read and is now {kept.name}."
            except OSError:
                self.note = f"{self.path} cannot be read."

    def entry(self, name):
        """Return what is remembered of an assignment; it can be changed."""
        return self.entries.setdefault(name, {})

    def done(self, name):
        """Return whether the assignment had all points in this version of the course."""
        entry = self.entries.get(name, {})
        return (
            entry.get("total", 0) > 0
            and entry.get("points") == entry["total"]
            and (entry.get("course") == version())
        )

    def next(self, after=None):
        """Return the first assignment that is not done, after another one if that is given."""
        known = names()
        if after is not None:
            known = known[known.index(after) + 1 :] + known[: known.index(after)]
        return next((name for name in known if not self.done(name)), None)

    def record(self, name, report):
        """Remember what a check gave."""
        entry = self.entry(name)
        entry["points"] = sum(result.earned for result in report.results)
        entry["total"] = sum(result.points for result in report.results)
        entry["course"], entry["sha256"] = version(), report.sha256
        entry["checked"] = now()
        self.current = name
        self.save()

    def save(self):
        """Write the file so that it is never half written."""
        saved = {"course": version(), "current": self.current, "assignments": self.entries}
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=self.folder, prefix=f".{PROGRESS}")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(json.dumps(saved, indent=1) + "\n")
            os.replace(temporary, self.path)
        except BaseException:
            os.unlink(temporary)
            raise


def free_name(path, word):
    """Return a path next to another with a word and a number in its name, which is still free."""
    number = 1
    while True:
        free = path.with_name(f"{path.stem}_{word}{number}{path.suffix}")
        if not free.exists():
            return free
        number += 1


def now():
    """Return the local time as text."""
    return time.strftime("%Y-%m-%d %H:%M:%S")
