"""The student's commands; each returns the exit status."""

import sys
import textwrap
import time
from pathlib import Path

from exercises import bundle as released
from exercises.source import DamagedMarks, first_unused
from exercises.student import course, show
from exercises.student.course import Progress, Refused


def answer_of(options, name=None):
    """Return the assignment that a command is about: the given one, or the current one."""
    progress = Progress(options.folder)
    if progress.note:
        print(progress.note, file=sys.stderr)
    if name is None:
        name = getattr(options, "assignment", None)
    if name is not None:
        name = course.find(name)
    else:
        name = progress.current if progress.current in course.names() else progress.next()
    if name is None:
        raise Refused("You have done every assignment.")
    return name, progress


def path_of(options, name):
    """Return the path of the student's file."""
    found = [Path(options.folder) / f"{name}{suffix}" for suffix in (".py", ".pyx")]
    return next((path for path in found if path.exists()), None)


def to_type(options, command, name):
    """Return a command about an assignment as a student types it, with the folder if one was given."""
    chosen = "" if options.folder == course.default_folder() else f" --folder {options.folder}"
    return f"python -m exercises {command} {course.about(name).number}{chosen}"


def existing(options, name):
    path = getattr(options, "file", None) or path_of(options, name)
    if path is None or not Path(path).exists():
        path = path or Path(options.folder) / f"{name}.py"
        raise Refused(f"There is no file {path}. Begin with: {to_type(options, 'start', name)}")
    return Path(path)


# ---- looking


def list_all(options):
    """Show every assignment with its part, difficulty, importance, hours and points."""
    progress, part = Progress(options.folder), None
    for name in course.names():
        about = course.about(name)
        if about.part != part:
            part = about.part
            print(show.paint(part, "bold"))
        mark = "done" if progress.done(name) else points(progress, name)
        print(
            f" {about.number:2} {about.title:34} {show.circles(about.difficulty)} difficult  "
            f"{show.circles(about.importance)} important  {about.hours:g} h  {mark}".rstrip()
        )
    return 0


def points(progress, name):
    entry = progress.entries.get(name, {})
    if "points" not in entry:
        return "started" if "started" in entry else ""
    old = "" if entry.get("course") == course.version() else f" in version {entry.get('course')}"
    return f"{entry['points']:g} of {entry['total']:g}{old}"


def next_one(options):
    """Show the first assignment that is not done, and how to begin."""
    progress = Progress(options.folder)
    name = progress.next()
    if name is None:
        print("You have done every assignment.")
        return 0
    introduce(course.about(name))
    started = path_of(options, name)
    command = "check" if started else "start"
    print(f"python -m exercises {command} {course.about(name).number}")
    return 0


def introduce(about):
    print(show.paint(f"{about.number}. {about.title}", "bold"))
    print(about.goal)
    print("Read first:", *(course.address(page) for page in about.reading), sep="\n  ")


def progress(options):
    """Show what is remembered of each assignment that was started."""
    remembered = Progress(options.folder)
    if remembered.note:
        print(remembered.note, file=sys.stderr)
    known = course.names()
    done = sum(map(remembered.done, known))
    print(f"Course version {course.version()}: {done} of {len(known)} assignments done")
    for name in known:
        if name in remembered.entries:
            entry = remembered.entries[name]
            hints = sum(entry.get("hints", {}).values())
            seen = f"{hints} hint{'' if hints == 1 else 's'} seen"
            state = points(remembered, name)
            print(f"  {name:24} {state:26} {seen:12}  {entry.get('checked', '')}".rstrip())
    return 0


# ---- working


def start(options):
    """Write the student's file, unless it is there."""
    name, progress = answer_of(options)
    if path_of(options, name):
        print(f"{path_of(options, name)} is there already, and stays as it is.", file=sys.stderr)
        progress.current = name
        progress.save()
        return 1
    path = begin(options, name, progress)
    introduce(course.about(name))
    print(f"Your file is {path}. Check it with: {to_type(options, 'check', name)}")
    return 0


def begin(options, name, progress):
    """Write the stub of an assignment and remember that it was started."""
    filename, stub, _ = course.given(name)
    path = Path(options.folder) / filename
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "x", encoding="utf-8") as file:
        file.write(stub)
    progress.entry(name).setdefault("started", course.now())
    progress.current = name
    progress.save()
    return path


def check(options):
    """Run the public tests on the student's file, and show what the first failure is."""
    name, progress = answer_of(options)
    path = existing(options, name)
    report = examine(name, path, progress, options.jail)
    return 0 if complete(report) else 1


def complete(report):
    """Return whether every public test passes."""
    return bool(report.results) and all(r.status == "passed" for r in report.results)


def examine(name, path, progress, jail=False):
    from exercises.grader import GraderError
    from exercises.student import trial

    bundle = course.load(name)
    try:
        report = trial.in_jail(bundle, path) if jail else trial.grade(bundle, path)
    except GraderError as error:
        raise Refused(f"{error}") from None
    print("\n".join(show.report(report, bundle)))
    if line := unused_line(bundle, path):
        print(f"Note: line {line} of your file is outside of the marked places, so it is not used.")
    progress.record(name, report)
    return report


def unused_line(bundle, path):
    """Return the number of the first line that `splice` does not use, or None."""
    try:
        return first_unused(bundle, path.read_text(encoding="utf-8"))
    except (DamagedMarks, UnicodeDecodeError):
        return None  # the report says so


def watch(options):
    """Check the file whenever it changes, and go on to the next assignment when it is done."""
    import minitorch  # noqa: F401 (so that each check need not import it)

    name, progress = answer_of(options)
    while name is not None:
        path = path_of(options, name)
        if path is None:
            path = begin(options, name, progress)
            introduce(course.about(name))
        print(show.paint(f"Watching {path}. Stop with Ctrl-C.", "dim"), flush=True)
        before = None
        while True:
            stamp = stamp_of(path)
            if stamp != before and stamp is not None:
                before = stamp
                print(show.paint(f"---- {time.strftime('%H:%M:%S')}", "dim"))
                finished = complete(examine(name, path, progress))
                sys.stdout.flush()
                if finished:
                    break
            time.sleep(options.interval)
        name = progress.next(after=name)
        if name is not None:
            print(f"On to {name}.")
    print("You have done every assignment.")
    return 0


def stamp_of(path):
    try:
        status = path.stat()
    except OSError:  # an editor is just replacing it
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def hint(options):
    """Show the next hint, of the first place that is still to be written."""
    name, progress = answer_of(options)
    hints, entry = course.given(name)[2], progress.entry(name)
    seen = entry.setdefault("hints", {})
    asked = place_named(name, options.place, hints, seen) if options.place else None
    if options.again:
        for place in [asked] if asked else hints:
            for index in range(seen.get(place, 0)):
                show_hint(place, hints[place], index)
        return 0
    place = asked or place_for_hint(path_of(options, name), hints, seen)
    number = seen.get(place, 0)
    if place is None or number >= len(hints[place]):
        print(f"{place or name} has no more hints. See them again with: --again", file=sys.stderr)
        return 1
    show_hint(place, hints[place], number)
    seen[place] = number + 1
    progress.current = name
    progress.save()
    return 0


def place_named(name, asked, hints, seen):
    """Return the place with this name; ``order`` is enough for ``Value.order``.

    The name of a class leads to the first of its methods that has hints left.
    """
    if asked in hints:
        return asked
    found = [place for place in hints if place.endswith(f".{asked}")]
    if not found and (methods := [place for place in hints if place.startswith(f"{asked}.")]):
        left = [place for place in methods if seen.get(place, 0) < len(hints[place])]
        found = (left or methods)[:1]
    if len(found) != 1:
        raise Refused(f"{name} has no place {asked!r}. There are: {', '.join(hints)}.")
    return found[0]


def show_hint(place, tiers, index):
    print(f"{place}, hint {index + 1} of {len(tiers)}:")
    print(textwrap.fill(tiers[index], show.WIDTH, initial_indent="  ", subsequent_indent="  "))


def place_for_hint(path, hints, seen):
    """Return the first place that is still to be written and has a hint left, or None.

    Raises
    ------
    Refused
        If all places are written: which of them is wrong is for the student to say.
    """
    stubs = show.to_write(path) if path else []
    left = [place for place in hints if seen.get(place, 0) < len(hints[place])]
    to_write = [place for place in left if place in stubs]
    if len(left) > 1 and not to_write and path:
        raise Refused(f"Name the function that you want a hint for. There are: {', '.join(left)}.")
    return next(iter(to_write or left), None)


def reset(options):
    """Write the stub again, after asking, and keep a copy of what was there."""
    name, progress = answer_of(options)
    path = existing(options, name)
    copy = course.free_name(path, "before_reset")
    if not options.yes:
        print(
            f"Begin {path.name} anew? Your file is kept as {copy.name}. [y/N] ", end="", flush=True
        )
        try:
            reply = input()
        except EOFError:
            reply = ""
            print()
        if reply.strip().lower() not in ("y", "yes"):
            print("Nothing was changed.")
            return 1
    stub = course.given(name)[1]
    path.rename(copy)
    path.write_text(stub, encoding="utf-8")
    entry = progress.entry(name)
    for key in ("points", "total", "course", "sha256", "checked"):
        entry.pop(key, None)
    progress.save()
    print(f"{path.name} is new. Your file is {copy.name}.")
    return 0


def ranks(options):
    """Train on several processes with the student's reducer, over MPI."""
    # the other commands need no minitorch in this process, and start sooner without it
    from minitorch.distributed import is_mpi_available
    from minitorch.distributed.run import launch

    path = existing(options, course.find("16"))
    if not is_mpi_available():
        raise Refused('This needs MPI: pip install "minitorch-autograd[distributed]"')
    return launch(["-m", "exercises.student.ranks", str(path.resolve())], options.processes)


BROKEN = (Refused, released.BundleError)
