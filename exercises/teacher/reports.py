"""Write what a class has earned: a report per student, a table and a summary."""

import csv
import hashlib
import io
import os
import re
import statistics
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass

from exercises.teacher.run import write
from exercises.teacher.submissions import shown

_WIDTH = 400  # of a value in a report


@dataclass
class Graded:
    """A submission, its report and its points after the rules of the course."""

    submission: object
    report: dict
    points: float
    days: int


def points_of(submission, report, course):
    """Apply the rules of the course to a report."""
    rules = course.assignments[submission.assignment]
    points, days = rules.earned(report["score"], report["total"], submission.submitted)
    return Graded(submission, report, points, days)


def not_graded(reason):
    """Return the report on a file that the grader does not get."""
    return {"score": 0.0, "total": 100.0, "results": [], "diagnosis": None, "sha256": "-",
            "sandbox": "none", "complete": True, "message": reason}  # fmt: skip


def _clean(text):
    text = "".join(c if c.isprintable() or c == "\n" else repr(c)[1:-1] for c in str(text))
    return text if len(text) <= _WIDTH else text[:_WIDTH] + " ..."


def _block(text, indent="    "):
    """Return a text as an indented block, out of which no markup of a student gets."""
    return ["", *(indent + line for line in text.splitlines()), ""]


def of_assignment(graded, rules):
    """Return the lines of a student's report on one assignment.

    Of hidden tests it says what to think about, and no name, value or message.
    """
    submission, report = graded.submission, graded.report
    lines = [f"## {submission.assignment}: {graded.points:g} of {rules.points:g} points", ""]
    lines += [f"Handed in {submission.submitted:%Y-%m-%d %H:%M} UTC ({submission.clock})."]
    if graded.days:
        lines[-1] += f" Late by {graded.days} days."
    lines += [f"SHA-256 of the graded file: `{report['sha256']}`. Sandbox: {report['sandbox']}."]
    if report["message"]:
        lines += _block(_clean(report["message"]))
    if report["diagnosis"]:
        lines += ["", f"**{report['diagnosis']}**"]
    lines += [""]
    for result in report["results"]:
        passed = result["status"] == "passed"
        name = "a hidden test" if result["hidden"] else f"`{result['scenario']}`"
        mark = "passed" if passed else "**failed**"
        lines += [f"- {mark}, {result['earned']:g} of {result['points']:g}: {name}"]
        if passed:
            continue
        lines += [f"  {result['idea']} See {result['page']}."]
        if not result["hidden"]:
            seen = [f"{what}: {_clean(result[what])}" for what in ("expected", "got", "error")
                    if result[what] is not None]  # fmt: skip
            if result["line"]:
                seen += [f"line {result['line']} of your file"]
            lines += _block("\n".join(seen), "      ")
    return lines + [""]


def of_student(name, graded, course):
    """Return a student's report as Markdown."""
    points = {g.submission.assignment: g.points for g in graded}
    lines = [f"# {_literal(shown(name))}", "", f"Course version {course.version}. "]
    lines[-1] += f"The whole course: {course.grade(points):g} %, with 0 for what is missing."
    for item in graded:
        lines += ["", *of_assignment(item, course.assignments[item.submission.assignment])]
    missing = [n for n in course.assignments if n not in points]
    if missing:
        lines += [f"Not handed in: {', '.join(missing)}.", ""]
    return re.sub("\n{3,}", "\n\n", "\n".join(lines))


def _literal(text):
    """Return a text as a code span, in which nothing is markup, a link or a mention."""
    text = text.replace("\n", " ")
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    space = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{fence}{space}{text}{space}{fence}"


def files_of(students):
    """Return the name of each student's report: no two are the same, also without capitals.

    Other characters than letters, digits and ``_.-`` are replaced. Names that are changed by that,
    that differ in capitals only or that could be taken for another's get a hash.
    """
    names = {
        s: re.sub(r"[^\w.-]", "_", shown(s), flags=re.ASCII).lstrip(".")[:60] for s in students
    }
    counts = Counter(name.lower() for name in names.values())
    files = {}
    for student, name in names.items():
        own = name == student and counts[name.lower()] == 1
        if not own or re.search("-[0-9a-f]{16}$", name.lower()):
            name += "-" + hashlib.sha256(os.fsencode(student)).hexdigest()[:16]
        files[student] = f"{name}.md"
    return files


def cell(text):
    """Return a text that no spreadsheet takes for a formula, wherever it splits the line."""
    text = shown(str(text))
    # some take the wide signs of Chinese texts, too
    narrow = "".join(unicodedata.normalize("NFKC", c)[:1] or c for c in text)
    starts = [found.end() for found in re.finditer(r"(^|[;,\t])(?=\s*[=+\-@|%])", narrow)]
    for start in reversed(starts):
        text = f"{text[:start]}'{text[start:]}"
    return text


def table(graded, students, course):
    """Return the class's grades as CSV, one row per student."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
    writer.writerow(["student", *course.assignments, "days late", "grade"])
    by = {(g.submission.student, g.submission.assignment): g for g in graded}
    for student in students:
        own = {n: by[student, n] for n in course.assignments if (student, n) in by}
        points = {n: g.points for n, g in own.items()}
        columns = [f"{points[n]:g}" if n in points else "" for n in course.assignments]
        days = sum(g.days for g in own.values())
        writer.writerow([cell(student), *columns, days, f"{course.grade(points):.2f}"])
    return file.getvalue()


def summary(graded, course, problems):
    """Return the summary for the teacher as Markdown."""
    lines = [f"# Summary, course version {course.version}", ""]
    lines += [
        "| assignment | handed in | mean | median | full | none |",
        "|---|---|---|---|---|---|",
    ]
    groups = defaultdict(list)
    for item in graded:
        groups[item.submission.assignment].append(item)
    for name, items in groups.items():
        points = [g.points for g in items]
        full = sum(g.report["score"] >= g.report["total"] for g in items)
        lines += [
            f"| {name} | {len(items)} | {statistics.mean(points):.1f} | "
            f"{statistics.median(points):.1f} | {full} | {sum(not p for p in points)} |"
        ]
    for name, items in groups.items():
        failed = Counter(
            result["scenario"]
            for item in items
            for result in item.report["results"]
            if result["status"] != "passed"
        )
        diagnoses = Counter(i.report["diagnosis"] for i in items if i.report["diagnosis"])
        lines += ["", f"## {name}", ""]
        lines += [f"- {count} failed `{test}`" for test, count in failed.most_common(5)]
        lines += [f"- {count} times: {text}" for text, count in diagnoses.most_common(5)]
        lines += ["", "```text", *_histogram(items), "```"]
        lines += _same_files(items)
    clocks = Counter(g.submission.clock for g in graded)
    lines += ["", "## Times of submission", ""]
    lines += [f"- {count} from the {clock}" for clock, count in sorted(clocks.items())]
    lines += [
        "",
        "## To look at",
        "",
        *[f"- {_literal(text)}" for text in problems],
        *([] if problems else ["- nothing"]),
    ]
    return "\n".join(lines) + "\n"


def _histogram(items):
    counts = Counter(min(9, int(10 * i.report["score"] / i.report["total"])) for i in items)
    widest = max(counts.values())
    return [
        f"{10 * n:3} to {10 * n + 10:3} {counts[n]:4} {'#' * round(40 * counts[n] / widest)}".rstrip()
        for n in range(10)
    ]


def _same_files(items):
    groups = defaultdict(list)
    for item in items:
        if item.report["sha256"] != "-":
            groups[item.report["sha256"]].append(_literal(shown(item.submission.student)))
    return [f"- the same file: {', '.join(g)}" for g in groups.values() if len(g) > 1]


def plots(graded, path):
    """Draw a histogram of the scores of each assignment; return whether matplotlib is there."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    groups = defaultdict(list)
    for item in graded:
        share = 100 * item.report["score"] / item.report["total"]
        groups[item.submission.assignment].append(share)
    columns = min(4, len(groups))
    rows = -(-len(groups) // columns)
    figure = Figure((3.2 * columns, 2.6 * rows), layout="constrained")
    all_axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for axes in all_axes:
        axes.set_visible(False)
    for axes, (name, scores) in zip(all_axes, groups.items(), strict=False):
        axes.set_visible(True)
        axes.hist(scores, bins=range(0, 101, 10), color="#4477aa", edgecolor="white")
        axes.set(title=name, xlabel="score before lateness", ylabel="submissions", xlim=(0, 100))
        axes.yaxis.get_major_locator().set_params(integer=True)  # no half submissions
    figure.savefig(path, metadata={"Software": None})
    return True


def write_all(folder, graded, students, course, problems, secret):
    """Write every report into a folder and return the names of the files at its top."""
    reports = folder / "students"
    reports.mkdir(exist_ok=True)
    texts = {folder / "grades.csv": table(graded, students, course),
             folder / "summary.md": summary(graded, course, problems)}  # fmt: skip
    own = defaultdict(list)
    for item in graded:
        own[item.submission.student].append(item)
    for student, name in files_of(students).items():
        texts[reports / name] = of_student(student, own[student], course)
    for path, text in texts.items():
        if secret in text:
            raise ValueError(f"the secret is in {path.name}")
        write(path, text)
    drawn = graded and plots(graded, folder / "summary.png")
    return ["grades.csv", "summary.md", *(["summary.png"] if drawn else [])]
