"""Start a program on several processes of this machine, as ``torchrun`` does.

``python -m minitorch.distributed.run --nproc-per-node 4 train.py arguments`` calls ``mpiexec``, which comes with
the extra ``distributed``. ``python -m minitorch run --nproc-per-node 4 train.py`` does the same for a program
that imports ``torch``.
"""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import uuid
from pathlib import Path

__all__ = ["launch", "main"]


def mpiexec():
    """Return the path of ``mpiexec``: the one beside this Python, or the first on PATH.

    Raises
    ------
    FileNotFoundError
        If there is none.
    """
    found = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which(
        "mpiexec"
    )
    if found is None:
        raise FileNotFoundError(
            'there is no mpiexec: pip install "minitorch-autograd[distributed]" installs one'
        )
    return found


def options_of(program):
    """Return the options of this machine's ``mpiexec``, which depend on who made it."""
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    if "open mpi" not in version.stdout.lower() and "open-mpi" not in version.stdout.lower():
        return []
    options = ["--oversubscribe", "--bind-to", "none"]
    return ["--allow-run-as-root", *options] if os.geteuid() == 0 else options


def free_port():
    """Return a port that is free now."""
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


def launch(command, processes, master_addr="127.0.0.1", master_port=None):
    """Run a Python program on several processes; return the exit status.

    Parameters
    ----------
    command : list of str
        What follows ``python``: a program or ``-m`` and a module, and their arguments.
    processes : int
    master_addr : str
    master_port : int, optional
        A free port if not given.

    Returns
    -------
    int
        0 if all processes ended with 0, otherwise the status of the first that did not.
    """
    program = mpiexec()
    environment = dict(
        os.environ,
        WORLD_SIZE=str(processes),
        LOCAL_WORLD_SIZE=str(processes),
        ROLE_WORLD_SIZE=str(processes),
        ROLE_NAME="default",
        GROUP_RANK="0",
        GROUP_WORLD_SIZE="1",
        MASTER_ADDR=master_addr,
        MASTER_PORT=str(master_port or free_port()),
        TORCHELASTIC_RESTART_COUNT="0",
        TORCHELASTIC_MAX_RESTARTS="0",
        TORCHELASTIC_RUN_ID=uuid.uuid4().hex,
    )
    if processes > 1:
        # each process would start a thread for every core
        environment.setdefault("OMP_NUM_THREADS", "1")
    starter = str(Path(__file__).with_name("_start.py"))
    started = subprocess.Popen(
        [
            *[program, *options_of(program), "-n", str(processes)],
            *[sys.executable, starter, sys.executable, "-u", *command],
        ],
        env=environment,
    )
    while True:
        try:
            return started.wait()
        except KeyboardInterrupt:
            # mpiexec gets the signal too, and ends the processes
            continue


def add_arguments(parser):
    """Add the options of ``torchrun`` that one machine has."""
    parser.add_argument(
        "--nproc-per-node", "--nproc_per_node", default="1", help="how many processes to start"
    )
    parser.add_argument("--nnodes", default="1", help="the number of machines, 1")
    parser.add_argument("--node-rank", "--node_rank", type=int, default=0, help="0")
    parser.add_argument("--standalone", action="store_true", help="accepted: it is always so")
    parser.add_argument("--rdzv-backend", "--rdzv_backend", help="accepted and ignored")
    parser.add_argument("--rdzv-endpoint", "--rdzv_endpoint", help="accepted and ignored")
    parser.add_argument("--rdzv-id", "--rdzv_id", help="accepted and ignored")
    parser.add_argument("--max-restarts", "--max_restarts", help="accepted and ignored")
    parser.add_argument("--master-addr", "--master_addr", default="127.0.0.1")
    parser.add_argument("--master-port", "--master_port", type=int)
    parser.add_argument("-m", "--module", action="store_true", help="the program is a module")
    parser.add_argument("program", help="a Python file, or the name of a module after -m")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="the program's own arguments")


def number_of_processes(text):
    """Return the number that ``--nproc-per-node`` gives, or the number of cores."""
    return os.cpu_count() if text in ("auto", "cpu") else int(text)


def main(arguments=None):
    """Parse the command line and run the program."""
    parser = argparse.ArgumentParser(
        prog="python -m minitorch.distributed.run", description=__doc__.split("\n")[0]
    )
    add_arguments(parser)
    options = parser.parse_args(arguments)
    if options.nnodes not in ("1", "1:1"):
        parser.error("one machine only; use mpiexec for more of them")
    command = ["-m"] * options.module + [options.program, *options.arguments]
    return launch(
        command,
        number_of_processes(options.nproc_per_node),
        options.master_addr,
        options.master_port,
    )


if __name__ == "__main__":
    sys.exit(main())
