"""Start and join several processes that run one function."""

import multiprocessing
import signal
import sys
import traceback
import warnings
from multiprocessing import connection

__all__ = [
    "ProcessContext",
    "ProcessException",
    "ProcessExitedException",
    "ProcessRaisedException",
    "SpawnContext",
    "spawn",
    "start_processes",
]


class ProcessException(Exception):
    """A process failed.

    Parameters
    ----------
    msg : str
    error_index : int
        Index of the process among the started ones.
    pid : int
    """

    def __init__(self, msg, error_index, pid):
        super().__init__(msg)
        self.msg = msg
        self.error_index = error_index
        self.pid = self.error_pid = pid

    def __reduce__(self):
        return type(self), (self.msg, self.error_index, self.pid)


class ProcessRaisedException(ProcessException):
    """A process raised an exception; the message contains its traceback."""

    def __init__(self, msg, error_index, error_pid):
        super().__init__(msg, error_index, error_pid)


class ProcessExitedException(ProcessException):
    """A process exited with a nonzero code or was ended by a signal.

    Parameters
    ----------
    exit_code : int
    signal_name : str, optional
    """

    def __init__(self, msg, error_index, error_pid, exit_code, signal_name=None):
        super().__init__(msg, error_index, error_pid)
        self.exit_code = exit_code
        self.signal_name = signal_name

    def __reduce__(self):
        given = self.msg, self.error_index, self.pid, self.exit_code, self.signal_name
        return type(self), given


_PR_SET_PDEATHSIG = 1


def _end_with_parent():
    """Send this process SIGINT when its parent ends, on Linux."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT)


def _run(fn, index, args, errors):
    """Run the function in the child process and send the traceback if it raises."""
    _end_with_parent()
    try:
        fn(index, *args)
    except KeyboardInterrupt:
        pass  # the parent process receives it too
    except Exception:  # noqa: BLE001 (every exception is reported)
        errors.send(traceback.format_exc())
        raise SystemExit(1) from None


class ProcessContext:
    """Running processes.

    Parameters
    ----------
    processes : list of Process
    error_pipes : list of Connection
        One pipe per process, which receives the traceback of an error.
    """

    def __init__(self, processes, error_pipes):
        self.processes = processes
        self.error_pipes = error_pipes
        self.sentinels = {process.sentinel: k for k, process in enumerate(processes)}

    def pids(self):
        """Return the process ids."""
        return [process.pid for process in self.processes]

    def join(self, timeout=None, grace_period=None):
        """Wait for a process to end; if it failed, terminate the others.

        Parameters
        ----------
        timeout : float, optional
            Maximum waiting time in seconds.
        grace_period : float, optional
            Seconds to wait for terminated processes before they are killed.

        Returns
        -------
        bool
            Whether all processes have ended successfully.

        Raises
        ------
        ProcessRaisedException, ProcessExitedException
            If a process failed.
        """
        if not self.sentinels:
            return True
        failed = None
        for sentinel in connection.wait(list(self.sentinels), timeout=timeout):
            index = self.sentinels.pop(sentinel)
            self.processes[index].join()
            if self.processes[index].exitcode != 0:
                failed = index
                break
        if failed is None:
            return not self.sentinels
        self._end_all(grace_period)
        raise self._error_of(failed)

    def _end_all(self, grace_period):
        for process in self.processes:
            if process.is_alive():
                process.terminate()
        for process in self.processes:
            process.join(grace_period)
            if process.is_alive():
                process.kill()
                process.join()

    def _error_of(self, index):
        process, errors = self.processes[index], self.error_pipes[index]
        try:
            told = errors.recv()
        except EOFError:
            return self._exit_of(index, process)
        text = f"\n\n-- Process {index} terminated with the following error:\n{told}"
        return ProcessRaisedException(text, index, process.pid)

    def _exit_of(self, index, process):
        code = process.exitcode
        if code >= 0:
            text = f"process {index} terminated with exit code {code}"
            return ProcessExitedException(text, index, process.pid, code)
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"<Unknown signal {-code}>"
        text = f"process {index} terminated with signal {name}"
        return ProcessExitedException(text, index, process.pid, code, name)


SpawnContext = ProcessContext


def start_processes(
    fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn", numa_options=None
):
    """Start processes that call ``fn(index, *args)``, and wait for them.

    Parameters
    ----------
    fn : callable
        Must be importable unless processes are forked.
    args : tuple
    nprocs : int
    join : bool, default True
        Whether to wait for the processes; if not, a `ProcessContext` is returned.
    daemon : bool, default False
    start_method : str, default "spawn"
        Or "fork" or "forkserver".
    numa_options : object, optional
        Ignored.

    Returns
    -------
    ProcessContext
        None if `join` is true.

    Raises
    ------
    ProcessRaisedException, ProcessExitedException
        If a process fails; the other processes are terminated first.
    """
    context = multiprocessing.get_context(start_method)
    processes, pipes = [], []
    for index in range(nprocs):
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(target=_run, args=(fn, index, args, sender), daemon=daemon)
        process.start()
        sender.close()
        processes.append(process)
        pipes.append(receiver)
    started = ProcessContext(processes, pipes)
    if not join:
        return started
    while not started.join():
        pass
    return None


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """Start processes with the ``spawn`` method; see `start_processes`."""
    if start_method != "spawn":
        warnings.warn(
            f"This method only supports start_method=spawn (got: {start_method}).\n"
            "To use a different start_method use:\n\t\t "
            "torch.multiprocessing.start_processes(...)",
            FutureWarning,
            stacklevel=2,
        )
    return start_processes(fn, args, nprocs, join, daemon, start_method="spawn")
