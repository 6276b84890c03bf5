"""The teacher's commands: ``python -m exercises.teacher COMMAND``."""

import argparse
import os
import sys
from pathlib import Path

from exercises.grader import GraderError
from exercises.source import all_sources
from exercises.teacher import classroom, course, gradescope, reports, run, secret, submissions


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m exercises.teacher", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name, function, **keywords):
        command = commands.add_parser(name, **keywords)
        command.set_defaults(function=function)
        command.add_argument("--course", type=Path, default=course.DEFAULT, metavar="TOML")
        return command

    one = command("secret", _secret, help="make the secret of the hidden tests")
    one.add_argument("file", type=Path)

    one = command("rules", _rules, help="show the course's rules after checking them")

    one = command("release", _release, help="write the archive for students")
    one.add_argument("archive", type=Path)
    one.add_argument("--site", help="the address of the course's site")

    one = command("grade", _grade, help="grade a folder of submissions")
    one.add_argument("folder", type=Path)
    one.add_argument("--out", type=Path, help="by default FOLDER.graded")
    one.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at a time")
    one.add_argument("--secret", type=Path, metavar="FILE", help=f"otherwise {secret.VARIABLE}")
    one.add_argument("--submitted", type=Path, metavar="CSV",
                     help="times of submission; by default FOLDER/submitted.csv, if it is there, "
                     "and otherwise the files' dates")  # fmt: skip

    one = command("gradescope", _gradescope, help="write an autograder for Gradescope")
    one.add_argument("folder", type=Path, help="autograder.zip is written there")
    one.add_argument("--assignment", action="append", help="by default all")
    one.add_argument("--secret", type=Path, metavar="FILE", help=f"otherwise {secret.VARIABLE}")
    one.add_argument("--package", type=Path, help="minitorch as a wheel or a source archive")
    one.add_argument("--hidden", choices=gradescope.VISIBILITY, default="after_due_date",
                     help="when students see the results of hidden tests")  # fmt: skip

    one = command("classroom50", _classroom, help="write an autograder for Classroom 50")
    one.add_argument("folder", type=Path)
    one.add_argument("--assignment", required=True)
    one.add_argument("--package", type=Path, help="minitorch as a wheel or a source archive")

    one = command("actions", _actions, help="write workflows for GitHub Actions")
    one.add_argument("folder", type=Path)

    options = parser.parse_args(arguments)
    try:
        return options.function(options)
    except (course.CourseError, secret.SecretError, submissions.SubmissionsError, run.Busy,
            gradescope.GradescopeError, GraderError) as error:  # fmt: skip
        print(error, file=sys.stderr)
        return 2


def _secret(options):
    secret.create(options.file)
    print(f"{options.file} is written; keep it, and give it to no student")
    return 0


def _rules(options):
    rules = course.read(options.course)
    print(f"version {rules.version}, {rules.budget:g} s and {rules.max_bytes:,} bytes at most")
    for name, one in rules.assignments.items():
        due = f"due {one.due}" if one.due else "no due date"
        print(f"{name:28} {one.points:5g} points, weight {one.weight:g}, {due}")
    for warning in _unknown(rules):
        print(warning)
    return 0


def _unknown(rules):
    sources = all_sources()
    return [
        *(f"the course's file lists {n}, which is not here" for n in rules.assignments if n not in sources),
        *(f"{n} is not in the course's file and is left out" for n in sources if n not in rules.assignments),
    ]  # fmt: skip


def _release(options):
    from exercises.bundle import BundleError
    from exercises.release import Leak, release

    rules = course.read(options.course)
    try:
        names = release(options.archive, version=rules.version, site=options.site)
    except (BundleError, Leak, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{options.archive}: {len(names)} files, {options.archive.stat().st_size:,} bytes")
    return 0


def _grade(options):
    rules = course.read(options.course)
    key = secret.find(options.secret)
    sources = {n: s for n, s in all_sources().items() if n in rules.assignments}
    table = options.submitted
    if table is None and submissions.has_times(options.folder):
        table = options.folder / submissions.TIMES
    times = submissions.read_times(table) if table else None
    found, left_out = submissions.find(options.folder, sources, rules.max_bytes, times)
    if not found:
        raise submissions.SubmissionsError(
            f"{options.folder} has no submission: they are named STUDENT/aNN_name.py or STUDENT_aNN.py"
        )
    out = options.out or options.folder.with_name(options.folder.resolve().name + ".graded")
    with run.lock(out):
        keys, work = {}, {}
        for number, submission in enumerate(found):
            if submission.data is not None:
                source = sources[submission.assignment]
                keys[number] = run.key_of(submission.data, source, key, rules)
                work[keys[number]] = source, submission.data
        failed = run.grade_all(work, out / "records", key, rules, max(1, options.jobs))
        graded, problems = [], [*left_out]
        for number, submission in enumerate(found):
            name = f"{submissions.shown(submission.student)}, {submission.assignment}"
            if submission.problem:
                report = reports.not_graded(submission.problem)
                problems.append(f"{name}: {submission.problem}")
            else:
                report = run.read_record(out / "records", keys[number])
                if report is None:
                    problems.append(f"{name}: NOT GRADED, {failed[keys[number]]}")
                    continue
            graded.append(reports.points_of(submission, report, rules))
        students = sorted({s.student for s in found}, key=os.fsencode)
        files = reports.write_all(out, graded, students, rules, problems, key)
    for text in problems:
        print(text)
    print(f"{len(students)} students, {len(graded)} submissions: see {', '.join(files)} in {out}")
    return 1 if failed else 0


def _gradescope(options):
    rules = course.read(options.course)
    names = gradescope.write(
        options.folder, rules, options.course, secret.find(options.secret),
        options.assignment, options.package, options.hidden,
    )  # fmt: skip
    print(f"{options.folder / 'autograder.zip'} is written; it grades {', '.join(names)}")
    print("It has the solutions, the hidden tests and the secret: upload it to Gradescope only.")
    return 0


def _classroom(options):
    try:
        files = classroom.write(options.folder, options.assignment, options.package)
    except (KeyError, OSError) as error:
        print(error.args[0] if isinstance(error, KeyError) else error, file=sys.stderr)
        return 2
    print(f"{options.folder} has {', '.join(files)}")
    return 0


def _actions(options):
    for file in classroom.write_workflows(options.folder):
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
