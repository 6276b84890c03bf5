"""Grade a made-up class twice, once killed halfway, and compare the results.

By hand, with the real grader: ``python -m tests.exercises.rehearsal --number 300``.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from exercises.source import find

ROOT = Path(__file__).resolve().parents[2]
_STANDIN = """
import sys
from tests.exercises import standin
standin.install()
from exercises.teacher.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def kinds(name):
    """Return submissions of every kind: right, each known mistake, untouched and broken."""
    source = find(name)
    return [
        source.solution().encode(),
        *(source.wrong_answer(mistake).encode() for mistake in source.wrong_names()),
        source.stub().encode(),
        b"",
        b"def broken(:\n",
        b"\xff\xfe\x00",
    ]


def make_class(folder, number, names=("a04_value",)):
    """Write submissions of all kinds in turn, each different from the others."""
    folder.mkdir()
    for index in range(number):
        name = names[index % len(names)]
        texts = kinds(name)
        path = folder / f"student{index:03}_{name[:3]}.py"
        path.write_bytes(texts[index // len(names) % len(texts)] + b"# student %d\n" % index)
        os.utime(path, (1e9, 1e9))


def command(folder, out, secret, jobs=2, real=False):
    """Return the command that grades a class, with the stand-in for the grader or the real one."""
    start = ["-m", "exercises.teacher"] if real else ["-c", _STANDIN]
    return [sys.executable, *start, "grade", str(folder), "--out", str(out),
            "--secret", str(secret), "--jobs", str(jobs)]  # fmt: skip


def contents(out):
    """Return everything that a run writes, without how long it took."""
    found = {}
    for path in out.rglob("*"):
        if path.suffix in (".md", ".csv"):
            found[str(path.relative_to(out))] = path.read_text()
        elif path.suffix == ".json":
            found[path.name] = json.loads(path.read_text()) | {"seconds": None}
    return found


def grade_killed(arguments, out, number):
    """Start grading, end it with SIGKILL after `number` records, and return how many there are."""
    process = subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.DEVNULL)
    while len(list(out.glob("records/*.json"))) < number and process.poll() is None:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    return len(list(out.glob("records/*.json")))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--assignments", nargs="+", default=["a04_value"])
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="rehearsal-"))
    secret = folder / "secret"
    secret.write_text("the secret of a rehearsal\n")
    secret.chmod(0o600)
    place = folder / "class"
    make_class(place, options.number, options.assignments)
    whole = command(place, folder / "whole", secret, options.jobs, real=True)
    killed = command(place, folder / "killed", secret, options.jobs, real=True)
    begin = time.monotonic()
    status = subprocess.run(whole, cwd=ROOT, check=False).returncode
    print(f"undisturbed: {time.monotonic() - begin:.0f} s, status {status}")
    done = grade_killed(killed, folder / "killed", options.number // 2)
    print(f"killed after {done} records")
    begin = time.monotonic()
    status |= subprocess.run(killed, cwd=ROOT, check=False).returncode
    print(f"resumed: {time.monotonic() - begin:.0f} s")
    one, other = contents(folder / "whole"), contents(folder / "killed")
    different = [name for name in one.keys() | other.keys() if one.get(name) != other.get(name)]
    print(f"{len(one)} files, {len(different)} different: {different[:5]}; see {folder}")
    return status or bool(different)


if __name__ == "__main__":
    sys.exit(main())
