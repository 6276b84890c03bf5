"""Start one rank: ``python _start.py program arguments``, which ``mpiexec`` runs on behalf of `run`.

It sets the variables of ``torchrun`` that differ between ranks, and then becomes the program.
It imports nothing of minitorch, so it costs no time.
"""

import os
import sys


def first(*names):
    """Return the value of the first of the variables that is set."""
    return next((os.environ[name] for name in names if name in os.environ), "0")


def main():
    """Set the variables, then replace this process by the program."""
    rank = first("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK")
    local = first("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_RANK")
    os.environ.update(RANK=rank, ROLE_RANK=rank, LOCAL_RANK=local)
    os.execv(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
