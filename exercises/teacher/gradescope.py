"""Write an autograder for Gradescope, and be it: ``run_autograder`` calls this module.

The results have the fields of Gradescope's specification ("Autograder Specifications" in its
documentation). The archive holds the solutions, the hidden tests and the secret, which belong on
Gradescope's side. A submission must not reach them: ``run_autograder`` runs as root and takes from
others every right on its folders, and the grader runs the submission as another user, since
Gradescope's containers have no bubblewrap.
"""

import json
import os
import sys
import time
import zipfile
from pathlib import Path

from exercises.source import all_sources, find
from exercises.teacher import course as courses
from exercises.teacher import run, submissions

VISIBILITY = ("hidden", "after_due_date", "after_published", "visible")
FOLDER = Path(__file__).resolve().parents[1]
_FILES = Path(__file__).parent / "files"
_DATE = (2026, 1, 1, 0, 0, 0)


class GradescopeError(Exception):
    """The autograder cannot be written."""


def write(folder, rules, course_file, secret, assignments=None, package=None,
          hidden="after_due_date"):  # fmt: skip
    """Write ``autograder.zip`` and return the names of the assignments that it grades.

    Parameters
    ----------
    folder : Path
    rules : Course
    course_file : Path
        The file that the rules were read from.
    secret : str
    assignments : list of str, optional
        Names or numbers; by default all.
    package : Path, optional
        minitorch as a wheel or a source archive, which ``setup.sh`` installs.
    hidden : str
        When students see the results of hidden tests, one of `VISIBILITY`.
    """
    try:
        names = [find(n).name for n in assignments] if assignments else list(all_sources())
    except KeyError as error:
        raise GradescopeError(error.args[0]) from None
    names = [name for name in names if name in rules.assignments]
    if not names:
        raise GradescopeError("the course's file lists none of these assignments")
    settings = {"assignments": names, "hidden": hidden}
    files = {"setup.sh": (_FILES / "setup.sh").read_bytes(),
             "run_autograder": (_FILES / "run_autograder").read_bytes(),
             "secret": secret.encode(), "course.toml": course_file.read_bytes(),
             "settings.json": json.dumps(settings, indent=1).encode()}  # fmt: skip
    for path in sorted(FOLDER.rglob("*")):
        name = path.relative_to(FOLDER.parent).as_posix()
        if path.is_file() and "__pycache__" not in name and not (
            path.parent.name == "assignments" and path.suffix == ".py"
            and path.name.startswith("a") and path.stem not in names
        ):  # fmt: skip
            files[name] = path.read_bytes()
    if package is not None:
        try:
            files[f"packages/{package.name}"] = package.read_bytes()
        except OSError as error:
            raise GradescopeError(f"cannot read {package}: {error.strerror}") from None
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / "autograder.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, _DATE)
            mode = 0o755 if name in ("setup.sh", "run_autograder") else 0o600
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return names


def results(reports, rules, hidden, seconds):
    """Return the contents of ``results.json``.

    Parameters
    ----------
    reports : dict
        By assignment: a report as a dictionary, or a text that says why there is none.
    rules : Course
    hidden : str
    seconds : float
    """
    tests, total, output = [], 0.0, []
    for name, report in reports.items():
        rule, number = rules.assignments[name], int(name[1:3])
        if isinstance(report, str):
            report = {"score": 0.0, "total": 100.0, "results": [], "message": report}
        scale = rule.points / report["total"]
        total += rule.earned(report["score"], report["total"], None)[0]
        output += [f"{name}: {report[key]}" for key in ("message", "diagnosis") if report.get(key)]
        if "sha256" in report:
            output += [f"{name}: graded in the sandbox {report['sandbox']}, {report['sha256']}"]
        for index, result in enumerate(report["results"], 1):
            test = {
                "score": round(result["earned"] * scale, 2),
                "max_score": round(result["points"] * scale, 2),
                "status": "passed" if result["status"] == "passed" else "failed",
                "name": f"{name}: {'a hidden test' if result['hidden'] else result['scenario']}",
                "number": f"{number}.{index}",
                "visibility": hidden if result["hidden"] else "visible",
                "output": "",
            }
            if result["status"] != "passed":
                lines = [result["idea"], f"See {result['page']}."]
                if not result["hidden"]:
                    lines += [f"{what}: {result[what]}" for what in
                              ("expected", "got", "error", "line") if result[what]]  # fmt: skip
                test["output"] = "\n".join(lines)
            tests.append(test)
        if not report["results"]:
            tests.append({"score": 0.0, "max_score": rule.points, "status": "failed", "name": name,
                          "number": str(number), "visibility": "visible",
                          "output": report["message"] or "nothing was graded"})  # fmt: skip
    return {"score": round(total, 2), "execution_time": round(seconds), "output_format": "text",
            "output": "\n".join(output), "test_output_format": "text", "test_name_format": "text",
            "visibility": "visible", "stdout_visibility": "hidden", "tests": tests}  # fmt: skip


def find_files(folder, names):
    """Return the file of each assignment in a submission, at any depth; links are not followed.

    With a single assignment, a single file may have any name.
    """
    files = [
        Path(at) / file for at, _, names_here in os.walk(folder) for file in sorted(names_here)
    ]
    files = [path for path in files if path.suffix in (".py", ".pyx")]
    if len(names) == 1 and len(files) == 1:
        return {names[0]: files[0]}
    found = {}
    for name in names:
        for stem in (name, name[:3]):
            same = [path for path in files if path.stem == stem]
            if same:
                found.setdefault(name, same[0])
    return found


def main(root):
    """Grade what is in ``ROOT/submission`` and write ``ROOT/results/results.json``."""
    begin, root = time.monotonic(), Path(root)
    source = root / "source"
    rules = courses.read(source / "course.toml")
    rules.sandbox = "user"  # bubblewrap cannot run there
    settings = json.loads((source / "settings.json").read_text())
    secret = (source / "secret").read_text().strip()
    names, reports = settings["assignments"], {}
    files = find_files(root / "submission", names)
    for name in names:
        if name not in files:
            if len(names) == 1 or not files:
                reports[name] = f"{name}.py is not in your submission"
            continue
        submission = submissions.read("", name, files[name], rules.max_bytes)
        if submission.problem:
            reports[name] = f"{submissions.shown(files[name].name)} is {submission.problem}"
            continue
        report = run.grade_one(find(name), submission.data, secret, rules)
        if not report["complete"]:
            print(f"the grader did not finish {name}: {report['message']}", file=sys.stderr)
            return 1
        reports[name] = report
    text = json.dumps(
        results(reports, rules, settings["hidden"], time.monotonic() - begin), indent=1
    )
    if secret in text:
        print("the secret is in the results", file=sys.stderr)
        return 1
    run.write(root / "results" / "results.json", text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
