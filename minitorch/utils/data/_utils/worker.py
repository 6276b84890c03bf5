"""A worker: the process that makes the batches of a `DataLoader`.

It reads tasks from one pipe and writes batches to another, both its own: when a worker dies, even in
the middle of a batch, its pipe ends, and nobody waits for a lock that it held. A thread does the
writing, so that the next batch is made while the one before waits to be read.

Note [Threads and fork]: OpenMP's threads do not survive a fork, and a parallel loop in the child would wait
for them. A worker computes with one thread, which starts none.
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
from minitorch.utils.data import _utils
from minitorch.utils.data._utils.fetch import _DatasetKind
from minitorch.utils.data.datapipes.datapipe import IterDataPipe, MapDataPipe
from minitorch.utils.data.graph_settings import apply_random_seed, apply_sharding


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """What a worker knows of itself.

    Attributes
    ----------
    id, num_workers : int
        Which one of how many it is.
    seed : int
        With which its generators were seeded.
    dataset : Dataset
        The worker's copy.
    """

    id: int
    num_workers: int
    seed: int
    dataset: object
    rng: object = None
    worker_method: str | None = "multiprocessing"


_worker_info: WorkerInfo | None = None


def get_worker_info():
    """What the worker that calls it knows of itself.

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
    """In the place of a batch: this worker's copy of the dataset has no more."""

    worker_id: int


@dataclass(frozen=True)
class _ResumeIteration:
    """In the place of a task: begin a new pass; and the answer to it."""

    seed: int | None = None


def _generate_state(base_seed, worker_id):
    """The seed of NumPy's generator: four words."""
    entropy = [worker_id, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]
    return numpy.random.SeedSequence(entropy).generate_state(4).tolist()


def seed_worker(base_seed, worker_id):
    """Seed the generators of Python, minitorch and NumPy."""
    seed = base_seed + worker_id
    random.seed(seed)
    manual_seed(seed)
    numpy.random.seed(_generate_state(base_seed, worker_id))
    return seed


class _Sender:
    """Writes results to a pipe, in a thread."""

    def __init__(self, connection):
        from multiprocessing.reduction import ForkingPickler

        self._dumps = ForkingPickler.dumps
        self._connection = connection
        self._waiting = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def put(self, index, data, where):
        """Send the result of a task; what cannot be pickled goes as the error that says so."""
        try:
            message = self._dumps((index, data))
        except Exception:  # noqa: BLE001 -- a __reduce__ of anybody's
            error = ExceptionWrapper(where=where)
            if isinstance(data, ExceptionWrapper):
                # its class is what cannot be pickled
                error.exc_type, error.exc_msg = RuntimeError, data.exc_msg
            message = self._dumps((index, error))
        self._waiting.put(message)

    def _run(self):
        try:
            while (message := self._waiting.get()) is not None:
                self._connection.send_bytes(message)
        except OSError:
            pass  # nobody reads any more

    def flush(self):
        """Wait until all is written."""
        self._waiting.put(None)
        self._thread.join()


class ManagerWatchdog:
    """Knows whether the process that started this one is still there."""

    def __init__(self):
        self.manager_pid = os.getppid()

    def is_alive(self):
        """Whether it is."""
        return os.getppid() == self.manager_pid


def _tasks(connection, watchdog):
    """What the main process sends, until it ends."""
    while watchdog.is_alive():
        try:
            if connection.poll(_utils.MP_STATUS_CHECK_INTERVAL):
                yield connection.recv()
        except (EOFError, OSError):
            return


def _seed_chain(dataset, shared_seed):
    """Seed the elements of a chain that are random as the other workers do."""
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
    """What a worker's process runs.

    tasks, results : Connection
        Receives ``(number, indices)``, `_ResumeIteration`, or None for the end; gets ``(number, batch)``.
    done_event : Event
        Set when what is still to do need not be done.
    """
    global _worker_info
    watchdog = ManagerWatchdog()
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        set_num_threads(1)
        share_what_is_sent(False)  # a worker ends before its batches are used
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
        pass  # the main process gets it too, and says so
