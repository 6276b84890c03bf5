"""Build the archive that students get: ``python -m exercises.release course.zip``.

It holds the student's commands, the grader and every assignment in its released form
(`exercises.bundle`). No line of a solution or of a hidden test is in it: `release` looks through
every file and writes nothing if it finds one.
"""

import argparse
import ast
import functools
import io
import json
import sys
import tarfile
import zipfile
from pathlib import Path

import minitorch
from exercises import bundle
from exercises.source import all_sources

FOLDER = Path(__file__).resolve().parent
# a folder stands for the Python files in it
GIVEN = (
    *("__init__.py", "__main__.py", "build_pyx.py", "bundle.py", "careful_pyx.py", "check_pyx.py"),
    *("forks.py", "plugs.py", "report.py", "scenario.py", "source.py", "student", "grader"),
)
SHORT = 20  # a line up to this length may be in several files by chance
DATE = (2026, 1, 1, 0, 0, 0)  # the same files give the same archive


class Leak(Exception):
    """A file of the archive has a line that students must not see."""


def release(path, version=bundle.VERSION, sources=None, site=None):
    """Write the archive of the course.

    Parameters
    ----------
    path : str or Path
        Its name ends in ``.zip``, ``.tar.gz`` or ``.tgz``.
    version : str
        The version of the course, which progress and reports name.
    sources : list of Source, optional
        The assignments, by default all.
    site : str, optional
        The address of the course's site, for links in reports.

    Returns
    -------
    list of str
        The names of the files in the archive.

    Raises
    ------
    Leak
        If a file has a line of a solution or of a hidden test.
    ValueError
        If the name of the archive has another ending.
    """
    path = Path(path)
    if not path.name.endswith((".zip", ".tar.gz", ".tgz")):
        raise ValueError(f"{path.name} should end in .zip, .tar.gz or .tgz")
    sources = list(all_sources().values()) if sources is None else sources
    files = contents(sources, version, site)
    refuse_leaks(files, sources)
    root = path.name.partition(".zip")[0].partition(".tar.gz")[0].partition(".tgz")[0]
    files = {f"{root}/{name}": text.encode() for name, text in sorted(files.items())}
    path.write_bytes((_zip if path.suffix == ".zip" else _tar)(files))
    return list(files)


def contents(sources, version=bundle.VERSION, site=None):
    """Return the texts of the archive's files by name."""
    files = {}
    imported = sorted({name for source in sources for name in _imported(source.tests)})
    for given in [*GIVEN, *(f"{name}.py" for name in imported)]:
        place = FOLDER / given
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            if file.exists():
                name = file.relative_to(FOLDER.parent).as_posix()
                files[name] = file.read_text(encoding="utf-8")
    for source in sources:
        for name, text in bundle.Bundle.of(source, version).files().items():
            files[f"exercises/released/{source.name}/{name}"] = text
    course = {"course": version, "minitorch": minitorch.__version__, "site": site}
    files["exercises/released/course.json"] = json.dumps(course, indent=1) + "\n"
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    files["README.md"] = readme.partition("\n## How an assignment is made")[0] + "\n"
    return files


def _imported(tests):
    """Return the names of the modules of this package that public scenarios need."""
    found, texts = set(), [tests]
    while texts:
        new = set(_imported_by(texts.pop())) - found
        found |= new
        texts += map(_module, new)
    return found


def _imported_by(tests):
    """Return the names of the modules of this package that a text imports."""
    for statement in ast.walk(ast.parse(tests)):
        if isinstance(statement, ast.ImportFrom) and statement.module == "exercises":
            yield from (alias.name for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            if (statement.module or "").startswith("exercises."):
                yield statement.module.split(".")[1]
        elif isinstance(statement, ast.Import):
            for alias in statement.names:
                if alias.name.startswith("exercises."):
                    yield alias.name.split(".")[1]


@functools.cache
def _module(name):
    """Return the text of a module of this package."""
    path = FOLDER / f"{name}.py"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def secret_lines(source, others=()):
    """Return the lines of an assignment that students must not see.

    What stubs, public tests, the modules that these import and its own hints say is no secret.
    Assignments share lines there, since tensors are made in the same way, and since one gives what
    another asks for (`shared_lines`).
    """
    answers = _lines(line for answer in source.answers for line in answer.solution)
    answers |= _lines(line for a in source.answers for wrong in a.wrong.values() for line in wrong)
    hidden = _lines(_without_mistakes(source.hidden))
    given = "".join(other.stub() + other.tests for other in [source, *others])
    given += "\n".join(hint for answer in source.answers for hint in answer.hints)
    given += "".join(
        _module(name) for other in [source, *others] for name in _imported(other.tests)
    )
    return {line for line in answers | hidden if line not in given}


def shared_lines(sources):
    """Return sentences about answers of which another assignment gives several lines."""
    sentences = []
    for source in sources:
        own = _lines(line for answer in source.answers for line in answer.solution)
        own -= _lines(source.stub().splitlines())
        for other in sources:
            count = len(own & _lines(other.stub().splitlines()))
            if other is not source and count > 2:
                sentences.append(
                    f"{other.name} gives {count} of {len(own)} lines of an answer to {source.name}"
                )
    return sentences


def _lines(lines):
    found = {line.strip() for line in lines if len(line.strip()) > SHORT}
    return {line for line in found if not line.startswith(("import ", "from "))}


def _without_mistakes(hidden):
    """Return the lines of a hidden section without MISTAKES: its texts are the diagnoses."""
    lines = hidden.splitlines()
    for statement in ast.parse(hidden).body:
        if isinstance(statement, ast.Assign) and statement.targets[0].id == "MISTAKES":
            for number in range(statement.lineno - 1, statement.end_lineno):
                lines[number] = ""
    return lines


def refuse_leaks(files, sources):
    """Raise `Leak` if a file has a secret line, or is none that students need."""
    for name in files:
        if not name.endswith((".py", ".pyx", ".json", ".md")):
            raise Leak(f"{name} is no file that students need")
    for source in sources:
        secret = secret_lines(source, sources)
        escaped = {json.dumps(line, ensure_ascii=False)[1:-1] for line in secret}
        for name, text in files.items():
            for line in secret | escaped:
                if line in text:
                    raise Leak(f"{name} has a line of {source.name} that is secret: {line}")


def _zip(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, DATE), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _tar(files):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m exercises.release", description=__doc__)
    parser.add_argument("archive", type=Path, help="its name ends in .zip or .tar.gz")
    parser.add_argument("--version", default=bundle.VERSION, help="the version of the course")
    parser.add_argument("--site", help="the address of the course's site")
    options = parser.parse_args(arguments)
    try:
        names = release(options.archive, options.version, site=options.site)
    except (Leak, ValueError, bundle.BundleError) as error:
        print(error, file=sys.stderr)
        return 1
    for sentence in shared_lines(list(all_sources().values())):
        print(sentence)
    print(f"{options.archive}: {len(names)} files, {options.archive.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
