"""Take the course: rebuild minitorch's engine piece by piece.

Without a number, a command is about the assignment you worked on last.

exit status:
  0    the command did what it should; `check`: all public tests pass
  1    `check`: a test fails, or the file cannot be loaded; `start`, `hint`, `reset`: nothing was done;
       `ranks`: the weights are not those of one process
  2    wrong use: no such assignment, no such file, no such option
  130  stopped with Ctrl-C
"""

import argparse
import os
import sys
from pathlib import Path

from exercises.student import commands, course


def parser():
    """Return the parser of the command line."""
    about, _, status = __doc__.partition("exit status:")
    top = argparse.ArgumentParser(
        prog="python -m exercises",
        description=about,
        epilog="exit status:" + status,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    places = argparse.ArgumentParser(add_help=False)
    places.add_argument(
        "--folder",
        type=Path,
        default=course.default_folder(),
        help="the folder with your files; by default $MINITORCH_COURSE, or the current folder",
    )
    which = argparse.ArgumentParser(add_help=False)
    which.add_argument("assignment", nargs="?", metavar="N", help="a number such as 4, or a name")
    all_commands = top.add_subparsers(required=True, metavar="command")

    def add(name, run, text, *parents):
        command = all_commands.add_parser(name, help=text, description=text, parents=parents)
        command.set_defaults(run=run)
        return command

    add("list", commands.list_all, "show all assignments", places)
    add("next", commands.next_one, "show what to do next", places)
    add("start", commands.start, "write the file for your answer", places, which)
    check = add("check", commands.check, "run the public tests on your file", places, which)
    check.add_argument("--file", type=Path, help="another file than the one in the folder")
    check.add_argument(
        "--jail", action="store_true", help="run it as the teacher's grader does: takes longer"
    )
    watch = add("watch", commands.watch, "check whenever the file changes", places, which)
    watch.add_argument("--interval", type=float, default=0.2, help=argparse.SUPPRESS)
    hint = add("hint", commands.hint, "show the next hint", places, which)
    hint.add_argument("place", nargs="?", help="the function that the hint should be about")
    hint.add_argument("--again", action="store_true", help="show the hints you have seen")
    reset = add("reset", commands.reset, "begin anew, and keep a copy of your file", places, which)
    reset.add_argument("--yes", action="store_true", help="do not ask")
    ranks = add("ranks", commands.ranks, "train on several processes with assignment 16", places)
    ranks.add_argument("processes", nargs="?", type=int, default=2, help="how many; by default 2")
    ranks.add_argument("--file", type=Path, help="another file than the one in the folder")
    add("progress", commands.progress, "show what you have reached", places)
    return top


def main(arguments=None):
    """Run one command and return the exit status."""
    options = parser().parse_args(arguments)
    try:
        status = options.run(options)
        sys.stdout.flush()
        return status
    except commands.BROKEN as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader ended first, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        if error.name != "minitorch":
            raise
        print("minitorch is missing here. Install it: python -m pip install WHEEL", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
