"""Plant small careless changes in the core, one at a time, and see whether the `core` tests notice.

    python -m tests.mutants                      # all that were not killed in an earlier run
    python -m tests.mutants accumulate_grad      # those of files whose path contains this
    python -m tests.mutants --close              # only with the test files named after the changed module
    python -m tests.mutants --again              # forget what earlier runs have found
    python -m tests.mutants --list               # show the state without running anything

The changes are listed in `mutant_list/`. For each, a copy of the tree (``build/mutants/tree``) gets the changed
source, the modules affected are translated and compiled without optimisation, and ``pytest -m core -x`` runs in a
process of its own, on the test file closest to the change and then on the others. A failing test, a crash or a run that takes
too long kills the mutant. A change that Cython or the C compiler rejects is reported as invalid: it shows nothing.

Outcomes are kept in ``build/mutants/outcomes.jsonl``, so that a run can be interrupted. A kill stays valid while tests
are only added; survivors are tried again.
"""

import argparse
import json
import os
import random
import resource
import runpy
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import numpy

from tests.mutant_list import ALL, CORE_TESTS, REBUILT_WITH

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "mutants"
TREE = PLACE / "tree"
OUTCOMES = PLACE / "outcomes.jsonl"
SECONDS = 120  # of the processor for one run of the tests, which need less than 60 without a change
PATIENCE = 900  # seconds on the clock, for a run that waits for itself
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")


def copy_tree():
    """Bring the copy up to date with the tree; files are linked, and replaced rather than written to."""
    shutil.rmtree(TREE, ignore_errors=True)
    skipped = shutil.ignore_patterns("*.c", "*.html", "__pycache__", ".hypothesis")
    for folder in ("minitorch", "tests"):
        shutil.copytree(ROOT / folder, TREE / folder, ignore=skipped, copy_function=_link)
    for name in ("pyproject.toml", "setup.py", "README.md"):
        _link(ROOT / name, TREE / name)


def _link(source, target):
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def replace_text(path, text):
    path.unlink(missing_ok=True)
    path.write_text(text)


class Builder:
    """Compiles single modules of the copy the way setup.py does, except for the level of optimisation.

    Python finds the library of a single module before that of its folder.
    """

    def __init__(self):
        settings = runpy.run_path(str(ROOT / "setup.py"), run_name="settings")
        self.directives = [
            flag
            for key, value in settings["DIRECTIVES"].items()
            for flag in ("-X", f"{key}={value}")
        ]
        self.compiler = os.environ.get("CC", "gcc").split()
        self.flags = "-shared -fPIC -O0 -g0 -w -fwrapv -fopenmp".split() + [
            "-DNPY_NO_DEPRECATED_API=NPY_2_0_API_VERSION",
            f"-I{sysconfig.get_paths()['include']}",
            f"-I{numpy.get_include()}",
        ]

    def build(self, module):
        """Build ``minitorch/<module>.pyx`` of the copy; returns the error output, empty if all went well."""
        source = f"minitorch/{module}.pyx"
        c_file = TREE / f"minitorch/{module}.c"
        made = PLACE / "made.so"
        commands = [
            [sys.executable, "-m", "cython", "-3", *self.directives, "-I", ".", source],
            [*self.compiler, *self.flags, str(c_file), "-o", str(made)],
        ]
        for command in commands:
            run = subprocess.run(command, cwd=TREE, capture_output=True, text=True)
            if run.returncode:
                return run.stdout + run.stderr
        os.replace(made, TREE / f"minitorch/{module}{SUFFIX}")
        return ""

    def restore(self, module):
        (TREE / f"minitorch/{module}{SUFFIX}").unlink(missing_ok=True)


def test_files(file=""):
    """The core tests in two lots: those whose name has that of the changed module, and the others."""
    stem = Path(file).stem
    there = [path for path in CORE_TESTS if (ROOT / path).exists()]
    close = [path for path in there if stem and stem in path]
    return close, [path for path in there if path not in close]


def run_tests(paths):
    """Run core tests in the copy; returns ("passed" or why not, the last line that says so)."""
    report = PLACE / "report.txt"
    child = os.fork()  # PyTorch, imported already, need not be imported 200 times
    if child == 0:
        try:
            with report.open("w") as file:
                os.dup2(file.fileno(), 1)
                os.dup2(file.fileno(), 2)
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            os.chdir(TREE)
            sys.path[:] = [str(TREE)] + [p for p in sys.path if p not in ("", str(ROOT))]
            for name in [n for n in sys.modules if n == "tests" or n.startswith("tests.")]:
                del sys.modules[name]
            import pytest

            options = ["-m", "core", "-x", "-q", "--tb=line", "-p", "no:cacheprovider"]
            code = int(pytest.main([*options, *paths]))
        finally:
            sys.stdout.flush()
            os._exit(code)
    deadline = time.monotonic() + PATIENCE
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > deadline:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "timed out", ""
        time.sleep(0.05)
    if os.WIFSIGNALED(status):
        return f"crashed ({signal.Signals(os.WTERMSIG(status)).name})", ""
    code = os.WEXITSTATUS(status)
    failures = [line for line in report.read_text().splitlines() if line.startswith("FAILED")]
    failures += [line for line in report.read_text().splitlines() if line.startswith("ERROR")]
    return ("passed" if code == 0 else f"failed ({code})"), "".join(failures[:1])[:200]


def try_mutant(builder, mutant, lots):
    """Build the mutant and run these lots of tests until one fails; returns the outcome as a dictionary."""
    path = TREE / "minitorch" / mutant.file
    text = (ROOT / "minitorch" / mutant.file).read_text()
    if text.count(mutant.old) != 1:
        return {"outcome": "invalid", "by": f"the fragment occurs {text.count(mutant.old)} times"}
    modules = REBUILT_WITH.get(mutant.file, [mutant.file.removesuffix(".pyx")])
    started = time.monotonic()
    try:
        replace_text(path, text.replace(mutant.old, mutant.new))
        for module in modules:
            error = builder.build(module)
            if error:
                return {"outcome": "invalid", "by": error.strip()[-300:]}
        built = time.monotonic()
        # most are killed by the tests of their own module, which take a few seconds
        for paths in lots:
            verdict, detail = run_tests(paths)
            if verdict != "passed":
                break
        return {
            "outcome": "survived" if verdict == "passed" else "killed",
            "by": f"{verdict} {detail}".strip(),
            "build_seconds": round(built - started, 1),
            "test_seconds": round(time.monotonic() - built, 1),
        }
    finally:
        replace_text(path, text)
        for module in modules:
            builder.restore(module)


def known_outcomes():
    outcomes = {}
    if OUTCOMES.exists():
        for line in OUTCOMES.read_text().splitlines():
            entry = json.loads(line)
            outcomes[tuple(entry["mutant"])] = entry
    return outcomes


def summary(mutants, outcomes):
    """Print what is known about these mutants; returns how many are not accounted for."""
    counted = {"killed": 0, "survived": 0, "invalid": 0, "not tried": 0, "equivalent": 0}
    for mutant in mutants:
        entry = outcomes.get(mutant.key())
        state = entry["outcome"] if entry else "not tried"
        if mutant.equivalent and state != "killed":
            state = "equivalent"
        counted[state] += 1
        if state in ("survived", "invalid"):
            print(f"{state}: {mutant.file}: {mutant.old!r} -> {mutant.new!r} ({mutant.breaks})")
            if state == "invalid":
                print("    " + entry["by"])
    tried = counted["killed"] + counted["survived"]
    print(
        f"{len(mutants)} mutants: " + ", ".join(f"{n} {name}" for name, n in counted.items() if n)
    )
    if tried:
        print(f"killed {counted['killed']} of {tried} ({100 * counted['killed'] / tried:.1f} %)")
    return counted["survived"] + counted["invalid"]


def main():
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants", description=__doc__.split("\n")[0]
    )
    parser.add_argument("files", nargs="*", help="try only files whose path contains one of these")
    parser.add_argument(
        "--close", action="store_true", help="run only tests named after the module"
    )
    parser.add_argument("--again", action="store_true", help="forget the outcomes of earlier runs")
    parser.add_argument(
        "--list", action="store_true", help="only show what earlier runs have found"
    )
    arguments = parser.parse_args()
    mutants = [
        m for m in ALL if not arguments.files or any(part in m.file for part in arguments.files)
    ]
    if arguments.again:
        OUTCOMES.unlink(missing_ok=True)
    outcomes = known_outcomes()
    if arguments.list:
        return summary(mutants, outcomes)
    os.nice(10)
    import torch  # noqa: F401

    copy_tree()
    builder = Builder()
    started = time.monotonic()
    if not arguments.close:
        verdict, detail = run_tests(sum(test_files(), []))
        print(
            f"without a change: {verdict} {detail} in {time.monotonic() - started:.0f} s",
            flush=True,
        )
        if verdict != "passed":
            return 1
    # what an interrupted run has tried is a random sample
    random.Random(0).shuffle(mutants)
    for mutant in mutants:
        entry = outcomes.get(mutant.key())
        if mutant.equivalent or (entry and entry["outcome"] == "killed"):
            continue
        lots = [lot for lot in test_files(mutant.file)[: 1 if arguments.close else 2] if lot]
        if not lots:
            continue
        entry = {"mutant": list(mutant.key()), **try_mutant(builder, mutant, lots)}
        outcomes[mutant.key()] = entry
        with OUTCOMES.open("a") as file:
            file.write(json.dumps(entry) + "\n")
        times = f"{entry.get('build_seconds', '-')} + {entry.get('test_seconds', '-')} s"
        what = f"{mutant.file}: {mutant.breaks} [{entry['by'][:110]}]"
        print(f"{entry['outcome']} ({times}) {what}", flush=True)
    print(f"{time.monotonic() - started:.0f} s")
    return min(summary(mutants, outcomes), 1)


if __name__ == "__main__":
    sys.exit(main())
