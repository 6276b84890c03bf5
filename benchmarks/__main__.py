"""The command line: ``python -m benchmarks SUITE``, where SUITE is a module with cases."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import re
import sys
from pathlib import Path

from benchmarks import report, runner

THREADS = {
    "distributed": 1,
    "engine": 1,
    "kernels": 1,
    "operators": 1,
    "recurrent": 1,
    "transforms": 1,
    "training": 2,
}


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Run workloads in minitorch and in PyTorch by turns and compare the times.",
    )
    parser.add_argument("suite", choices=list(report.SUITES))
    parser.add_argument("--only", metavar="REGEX", default="", help="cases whose name matches")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter turns")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the numbers here as well")
    parser.add_argument("--threads", type=int, help="default: 1, for training 2")
    parser.add_argument(
        "--self",
        dest="itself",
        choices=["torch", "minitorch"],
        help="run this library against itself: the ratios show the noise of the machine",
    )
    parser.add_argument(
        "--against",
        metavar="CHECKOUT",
        type=Path,
        help="compare with the minitorch that is built in another checkout instead of PyTorch",
    )
    parser.add_argument(
        "--check", action="store_true", help="exit status 1 unless every mark is met by every case"
    )
    options = parser.parse_args(arguments)
    if options.against and not (options.against / "minitorch" / "__init__.py").is_file():
        parser.error(f"{options.against} is no checkout of minitorch")
    return options


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    libraries = (options.itself or "minitorch", options.itself or "torch")
    columns = libraries
    if options.against:
        libraries = ("minitorch", "minitorch")
        columns = ("minitorch", options.against.resolve().name)
    for library in libraries:
        if importlib.util.find_spec(library) is None:
            print(f"{library} is not installed: pip install -e '.[compat]'", file=sys.stderr)
            return 2
    threads = options.threads or THREADS[options.suite]
    table = report.Table(options.suite, columns)
    try:
        rows = runner.run(
            options.suite,
            libraries,
            threads,
            wanted=re.compile(options.only).search,
            turns=3 if options.quick else 9,
            budget=0.01 if options.quick else 0.04,
            show=table.show,
            checkout=options.against,
        )
    except runner.ChildDied as death:
        print(f"one of the two processes did not start: it {death}", file=sys.stderr)
        return 2
    met = table.summarize(rows)
    if options.json:
        # of the modules: a checkout may not be installed, and the distribution has another name
        versions = {
            library: importlib.import_module(library).__version__ for library in set(libraries)
        }
        content = report.as_json(options.suite, libraries, versions, threads, rows)
        options.json.write_text(json.dumps(content, indent=1) + "\n")
    return 1 if options.check and not met else 0


if __name__ == "__main__":
    sys.exit(main())
