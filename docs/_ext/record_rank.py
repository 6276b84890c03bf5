"""Record a program that several processes run, for the directive ``stepper`` with ``:ranks:``.

``python -m minitorch.distributed.run --nproc-per-node N record_rank.py PROGRAM FOLDER`` writes the recording of
each process to ``FOLDER/RANK.json``.
"""

import os
import sys
from pathlib import Path

from minitorch.autograd.observe.program_recording import record_program


def main(program, folder):
    steps = record_program(program)
    if steps.error is not None:
        raise steps.error
    path = Path(folder, os.environ["RANK"]).with_suffix(".json")
    path.write_text(steps.to_json(), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
