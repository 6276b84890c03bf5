"""Write an autograder for Classroom 50, and workflows for plain GitHub Actions.

Classroom 50 publishes an autograder's folder with GitHub Pages, where students can find it. So it
gets the released form of the course, without hidden tests, solutions and the secret. The hidden
tests run on the teacher's own machine, with ``python -m exercises.teacher grade``.
"""

import shutil
from pathlib import Path

from exercises.source import find

_FILES = Path(__file__).parent / "files"


def write(folder, assignment, package=None):
    """Write the folder ``autograders/ASSIGNMENT`` and return the names of its files.

    Raises
    ------
    KeyError
        If there is no such assignment.
    """
    from exercises.release import release

    source = find(assignment)
    folder.mkdir(parents=True, exist_ok=True)
    text = (_FILES / "autograder.py").read_text(encoding="utf-8")
    (folder / "autograder.py").write_text(
        text.replace("ASSIGNMENT_NAME", source.name), encoding="utf-8"
    )
    release(folder / "course.zip", sources=[source])
    if package is not None:
        shutil.copy(package, folder / package.name)
    return sorted(path.name for path in folder.iterdir())


def write_workflows(folder):
    """Write the workflows and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    return [shutil.copy(_FILES / name, folder / name) for name in ("check.yml", "grade.yml")]
