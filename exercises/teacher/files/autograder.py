"""Grade one submission in Classroom 50's runner, with the public tests only.

The runner starts this file in the student's checkout and reads ``result.json`` there. The status
is 0 if grading ran to its end, whatever it found.
"""

import datetime
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAME = "ASSIGNMENT_NAME"


def install():
    """Install minitorch from the package beside this file, if it is there."""
    packages = [*HERE.glob("*.whl"), *HERE.glob("*.tar.gz")]
    if packages:
        # `-I`: otherwise a student's pip.py in the current folder would run instead of pip
        pip = [sys.executable, "-I", "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, "cython>=3.3,<4", "setuptools>=77", *packages], cwd=HERE, check=True)


def tests_of(report, name):
    """Return the tests of a report in Classroom 50's form, in which points are whole numbers."""
    tests = [
        {
            "test-name": result.scenario,
            "passed": result.status == "passed",
            "score": round(result.earned),
            "max-score": round(result.points),
        }
        for result in report.results
    ]
    message = report.message or f"{name} was not graded"
    return tests or [{"test-name": message, "passed": False, "score": 0, "max-score": 100}]


def main():
    """Write ``result.json``."""
    install()
    shutil.unpack_archive(HERE / "course.zip", HERE)
    sys.path.insert(0, str(HERE / "course"))
    from exercises.bundle import Bundle
    from exercises.grader import grade

    bundle = Bundle.read(HERE / "course" / "exercises" / "released" / NAME)
    path = Path(bundle.filename).resolve()
    report = grade(bundle, path, secret="public", hidden=False)
    if not report.complete:
        return 1
    tests = tests_of(report, path.name)
    environment = os.environ
    result = {
        "schema": "classroom50/result/v1",
        "classroom": environment["CLASSROOM"],
        "assignment": environment["ASSIGNMENT"],
        "submission": environment["SUBMISSION_TAG"],
        "commit": environment["COMMIT_URL"],
        "release": environment["RELEASE_URL"],
        "review": environment.get("REVIEW_URL") or environment["COMMIT_URL"],
        "datetime": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(test["score"] for test in tests),
        "max-score": sum(test["max-score"] for test in tests),
        "tests": tests,
    }
    Path("result.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
