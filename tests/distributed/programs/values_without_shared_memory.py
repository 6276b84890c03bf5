"""`values.py` on ranks that act as if they were on several machines."""

import sys
from pathlib import Path

from minitorch.distributed import mpi

mpi.share = lambda comm: None
sys.path.insert(0, str(Path(__file__).parent))

import values  # noqa: E402 (it is in this folder)

values.main(sys.argv[1])
