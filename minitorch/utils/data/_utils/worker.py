"""The worker process of a `DataLoader`.

It reads tasks from one pipe and writes batches to another; both belong to this worker. When a
worker dies, even in the middle of a batch, its pipe reports end of file, and no lock stays held. A
thread writes the batches, so that the next one is built before the last one has been read.

Note [Threads and fork]: OpenMP's threads do not survive a fork, and a parallel loop in the child
would wait for them. A worker therefore computes with one thread.
"""

import os
import queue
import random
import signal
import threading
from dataclasses import dataclass

import numpy

from minitorch.autograd.functions.namespace import set_num_threads
from minitorch.namespace.exception_wrapper import ExceptionWrapper
from minitorch.random import Generator, manual_seed
from minitorch.tensors.typed_storage import share_what_is_sent
from minitorch.utils.data._utils.fetch import _DatasetKind
from minitorch.utils.data.datapipes.datapipe import IterDataPipe, MapDataPipe
from minitorch.utils.data.graph_settings import apply_random_seed, apply_sharding

# interval, in seconds, at which a waiting process checks that the other one is alive
MP_STATUS_CHECK_INTERVAL = 5.0


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """Information about a worker.

    Attributes
    ----------
    id, num_workers : int
        The index of the worker and the number of workers.
    seed : int
        The seed of its generators.
    dataset : Dataset
        The copy of the dataset in the worker.
    """

    id: int
    num_workers: int
    seed: int
    dataset: object
    rng: object = None
    worker_method: str | None = "multiprocessing"


_worker_info: WorkerInfo | None = None


def get_worker_info():
    """Return information about the current worker.

    Its attributes `id`, `num_workers` and `seed` are ints; `dataset` is the copy of this worker.

    Returns
    -------
    WorkerInfo or None
        None in the main process.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.data.get_worker_info() is None
    True
    """
    return _worker_info


@dataclass(frozen=True)
class _IterableDatasetStopIteration:
    """Sent in place of a batch when this worker's copy of the dataset is exhausted."""

    worker_id: int


@dataclass(frozen=True)
class _ResumeIteration:
    """Sent in place of a task to start a new pass, and returned as the answer."""

    seed: int | None = None


def _generate_state(base_seed, worker_id):
    """Return the seed of NumPy's generator as four words."""
    entropy = [worker_id, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
    return numpy.random.SeedSequence(entropy).generate_state(4).tolist()


def seed_worker(base_seed, worker_id):
    """Seed the generators of Python, minitorch and NumPy, and return the seed."""
    seed = base_seed + worker_id
    random.seed(seed)
    manual_seed(seed)
    numpy.random.seed(_generate_state(base_seed, worker_id))
    return seed


class _Sender:
    """Write results to a pipe in a thread."""

    def __init__(self, connection):
        from multiprocessing.reduction import ForkingPickler

        self._dumps = ForkingPickler.dumps
        self._connection = connection
        self._waiting = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def put(self, index, data, where):
        """Send the result of a task, or the pickling error if it cannot be pickled."""
        try:
            message = self._dumps((index, data))
        except Exception:  # noqa: BLE001 -- a user's __reduce__ may raise anything
            error = ExceptionWrapper(where=where)
            if isinstance(data, ExceptionWrapper):
                # the exception class itself cannot be pickled
                error.exc_type, error.exc_msg = RuntimeError, data.exc_msg
            message = self._dumps((index, error))
        self._waiting.put(message)

    def _run(self):
        try:
            while (message := self._waiting.get()) is not None:
                self._connection.send_bytes(message)
        except OSError:
            pass  # the reader is gone

    def flush(self):
        """Wait until everything is written."""
        self._waiting.put(None)
        self._thread.join()


class ManagerWatchdog:
    """A check of whether the parent process is alive."""

    def __init__(self):
        self.manager_pid = os.getppid()

    def is_alive(self):
        """Return True if the parent process is alive."""
        return os.getppid() == self.manager_pid


def _tasks(connection, watchdog):
    """Yield the messages of the main process until it exits."""
    while watchdog.is_alive():
        try:
            if connection.poll(MP_STATUS_CHECK_INTERVAL):
                yield connection.recv()
        except (EOFError, OSError):
            return


def _seed_chain(dataset, shared_seed):
    """Seed the random pipes of a chain as the other workers do."""
    if shared_seed is not None:
        apply_random_seed(dataset, Generator().manual_seed(shared_seed))


def _worker_loop(
    dataset_kind,
    dataset,
    tasks,
    results,
    done_event,
    auto_collation,
    collate_fn,
    drop_last,
    base_seed,
    init_fn,
    worker_id,
    num_workers,
    shared_seed,
):
    """Run a worker.

    tasks, results : Connection
        Connections that receive ``(number, indices)``, `_ResumeIteration`, or None to finish; and
        that send ``(number, batch)``.
    done_event : Event
        Set if the remaining tasks can be skipped.
    """
    global _worker_info
    watchdog = ManagerWatchdog()
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        set_num_threads(1)
        share_what_is_sent(False)  # the worker may exit before its batches are used
        seed = seed_worker(base_seed, worker_id)
        _seed_chain(dataset, shared_seed)
        _worker_info = WorkerInfo(worker_id, num_workers, seed, dataset)
        where = f"in DataLoader worker process {worker_id}"
        sender = _Sender(results)

        def new_fetcher():
            return _DatasetKind.create_fetcher(
                dataset_kind, dataset, auto_collation, collate_fn, drop_last
            )

        fetcher = init_exception = None
        try:
            if isinstance(dataset, (IterDataPipe, MapDataPipe)):
                apply_sharding(dataset, num_workers, worker_id)
            if init_fn is not None:
                init_fn(worker_id)
            fetcher = new_fetcher()
        except Exception:  # noqa: BLE001 -- it is raised in the main process
            init_exception = ExceptionWrapper(where=where)
        ended = False
        for task in _tasks(tasks, watchdog):
            if task is None or done_event.is_set():
                break
            if isinstance(task, _ResumeIteration):
                sender.put(task, None, where)
                _seed_chain(dataset, task.seed)
                fetcher, ended = new_fetcher(), False
                continue
            if ended:
                continue
            number, index = task
            if init_exception is not None:
                data, init_exception = init_exception, None
            else:
                try:
                    data = fetcher.fetch(index)
                except Exception as error:  # noqa: BLE001 -- it is raised in the main process
                    if isinstance(error, StopIteration) and dataset_kind == _DatasetKind.Iterable:
                        data, ended = _IterableDatasetStopIteration(worker_id), True
                    else:
                        data = ExceptionWrapper(where=where)
            sender.put(number, data, where)
            del data, task, index
        if not done_event.is_set() and watchdog.is_alive():
            sender.flush()
    except KeyboardInterrupt:
        pass  # the main process is interrupted too and reports it
