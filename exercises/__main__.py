"""``python -m exercises list | build NAME FOLDER | grade NAME FILE | check [NAME ...]``"""

import argparse
import sys
from pathlib import Path

from exercises.assignment import all_assignments, find


def list_assignments(options):
    for name, assignment in all_assignments().items():
        print(f"{name:12} {assignment.title}")
    return 0


def build(options):
    assignment = find(options.name)
    folder = options.folder
    answer = folder / f"{assignment.name}.py"
    if answer.exists():
        print(f"{answer} is there already, and stays as it is", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    answer.write_text(assignment.stub(), encoding="utf-8")
    (folder / "hints.md").write_text(assignment.hints(), encoding="utf-8")
    (folder / f"test_{assignment.name}.py").write_text(assignment.tests(), encoding="utf-8")
    print(f"Write your answer into {answer}, and count your points with")
    print(f"    python -m exercises grade {assignment.name} {answer}")
    return 0


def grade(options):
    from exercises.grading import grade, load

    report = grade(find(options.name), load(options.file))
    print(report)
    return 0 if report.score == report.total else 1


def check(options):
    from exercises.grading import check

    names = options.names or list(all_assignments())
    status = 0
    for name in names:
        problems = check(find(name))
        print(f"{name}: {'all is well' if not problems else ''}")
        for problem in problems:
            print(f"  {problem}")
        status |= bool(problems)
    return status


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m exercises", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("list", help="the assignments there are")
    command.set_defaults(run=list_assignments)
    command = commands.add_parser("build", help="write stub, hints and tests into a folder")
    command.add_argument("name")
    command.add_argument("folder", type=Path)
    command.set_defaults(run=build)
    command = commands.add_parser("grade", help="run the tests on an answer and count points")
    command.add_argument("name")
    command.add_argument("file", type=Path)
    command.set_defaults(run=grade)
    command = commands.add_parser(
        "check", help="stub: no points; solution: all; each wrong answer recognized"
    )
    command.add_argument("names", nargs="*")
    command.set_defaults(run=check)
    options = parser.parse_args(arguments)
    try:
        return options.run(options)
    except KeyError as error:
        parser.error(error.args[0])


if __name__ == "__main__":
    sys.exit(main())
