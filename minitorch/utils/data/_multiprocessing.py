"""The multiprocess iterator of a `DataLoader`.

A task is a numbered batch to build. Tasks are distributed to the workers round-robin, up to
`prefetch_factor` per worker, and results are returned in order unless the loader's `in_order` is
False. Each worker has one pipe for tasks and one for results, and no other process holds the
worker's end. So when a worker dies, its pipe reports end of file.
"""

import atexit
import contextlib
import itertools
import multiprocessing
import os
import pickle
import select
import signal
import time
import warnings
from multiprocessing.connection import wait

from minitorch.namespace.exception_wrapper import ExceptionWrapper
from minitorch.utils.data import _utils
from minitorch.utils.data._iterators import _BaseDataLoaderIter
from minitorch.utils.data._utils.fetch import _DatasetKind
from minitorch.utils.data._utils.worker import (
    _IterableDatasetStopIteration,
    _ResumeIteration,
    _worker_loop,
)

_python_is_exiting = False


def _note_exit():
    global _python_is_exiting
    _python_is_exiting = True


atexit.register(_note_exit)


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Return the batches that workers build."""

    _workers = ()
    _shutdown = True  # True until there is something to shut down

    def __init__(self, loader):
        super().__init__(loader)
        self._prefetch_factor = loader.prefetch_factor
        self._in_order = loader.in_order
        if self._prefetch_factor <= 0:
            raise AssertionError(
                "prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter"
            )
        context = loader.multiprocessing_context or multiprocessing.get_context()
        self._pid = os.getpid()
        self._done_event = context.Event()
        self._workers, self._tasks, self._results = [], [], []
        self._shutdown = False
        try:
            for worker_id in range(self._num_workers):
                self._start(context, loader, worker_id)
        except BaseException:
            self._shutdown_workers()
            raise
        self._reset(loader, first_iter=True)

    def _start(self, context, loader, worker_id):
        tasks, tasks_here = context.Pipe(duplex=False)
        results_here, results = context.Pipe(duplex=False)
        worker = context.Process(
            target=_worker_loop,
            args=(
                self._dataset_kind,
                self._dataset,
                tasks,
                results,
                self._done_event,
                self._auto_collation,
                self._collate_fn,
                self._drop_last,
                self._base_seed,
                loader.worker_init_fn,
                worker_id,
                self._num_workers,
                self._shared_seed,
            ),
            daemon=True,
        )
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            worker.start()  # the worker blocks interrupts until it can exit quietly
        except (TypeError, AttributeError, pickle.PicklingError):
            warnings.warn(
                "Got pickle error when attempting to start a worker Process. This might be because the "
                "worker Process arguments are not picklable. Python 3.14+ changed the multiprocessing "
                "start method in non-Mac POSIX platforms to 'forkserver', which requires the worker Process "
                "arguments to be picklable. You can also try multiprocessing.set_start_method('fork').",
                stacklevel=6,
            )
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            # only the worker keeps these ends open
            tasks.close()
            results.close()
        self._workers.append(worker)
        self._tasks.append(tasks_here)
        self._results.append(results_here)

    def _reset(self, loader, first_iter=False):
        super()._reset(loader, first_iter)
        if not first_iter:
            self._drain()
        self._send_idx = 0  # number of the next task
        self._rcvd_idx = 0  # number of the next result to return
        self._task_info = {}  # number -> (worker,), or (worker, result) once the result has arrived
        self._tasks_outstanding = 0
        self._workers_status = [True] * self._num_workers  # which workers accept tasks
        self._workers_num_tasks = [0] * self._num_workers
        self._turns = itertools.cycle(range(self._num_workers))
        for _ in range(self._prefetch_factor * self._num_workers):
            self._try_put_index()

    def _drain(self):
        """Start a new pass in the workers, and discard the results of the last one."""
        for worker_id in range(self._num_workers):
            self._send(worker_id, _ResumeIteration(self._shared_seed))
        answers = 0
        while answers < self._num_workers:
            number, _ = self._receive()
            answers += isinstance(number, _ResumeIteration)

    # ---- the pipes

    def _send(self, worker_id, task):
        try:
            self._tasks[worker_id].send(task)
        except (BrokenPipeError, ConnectionResetError) as error:
            self._raise_death(worker_id, error)

    def _receive(self):
        """Return ``(number, result)`` from any worker."""
        ready = wait(self._open_results(), self._timeout if self._timeout > 0 else None)
        if not ready:
            raise RuntimeError(f"DataLoader timed out after {self._timeout} seconds")
        connection = ready[0]
        worker_id = self._results.index(connection)
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError) as error:
            if self._workers_status[worker_id] or self._persistent_workers:
                self._raise_death(worker_id, error)
            connection.close()  # the worker had finished
            return self._receive()
        return pickle.loads(message)

    def _open_results(self):
        return [connection for connection in self._results if not connection.closed]

    def _raise_death(self, worker_id, error):
        worker = self._workers[worker_id]
        worker.join(timeout=_utils.MP_STATUS_CHECK_INTERVAL)
        self._workers_status[worker_id] = False
        code = worker.exitcode
        if code is not None and code < 0:
            cause = RuntimeError(
                f"DataLoader worker (pid {worker.pid}) is killed by signal: "
                f"{signal.strsignal(-code) or -code}. "
            )
        elif code:
            cause = RuntimeError(
                f"DataLoader worker (pid {worker.pid}) exited unexpectedly with exit code {code}. Details "
                "are lost due to multiprocessing. Rerunning with num_workers=0 may give better error trace."
            )
        else:
            cause = error
        self._shutdown_workers()
        raise RuntimeError(
            f"DataLoader worker (pid(s) {worker.pid}) exited unexpectedly"
        ) from cause

    # ---- tasks and results

    def _try_put_index(self):
        try:
            index = self._next_index()
        except StopIteration:
            return
        most = self._prefetch_factor * self._num_workers
        for _ in range(self._num_workers):
            worker_id = next(self._turns)
            if self._workers_status[worker_id] and (
                self._in_order
                or self._workers_num_tasks[worker_id] < most // sum(self._workers_status)
            ):
                break
        else:
            return
        self._task_info[self._send_idx] = (worker_id,)
        self._workers_num_tasks[worker_id] += 1
        self._tasks_outstanding += 1
        self._send_idx += 1
        self._send(worker_id, (self._send_idx - 1, index))

    def _has_next(self):
        """Skip tasks of exhausted workers, and return True if another task is left."""
        while self._rcvd_idx < self._send_idx:
            info = self._task_info.get(self._rcvd_idx)
            if info is not None:
                if len(info) == 2 or self._workers_status[info[0]]:
                    return True
                del self._task_info[self._rcvd_idx]
            self._rcvd_idx += 1
        return False

    def _next_data(self):
        while self._has_next():
            if self._shutdown:
                raise AssertionError(
                    "Invalid iterator state: shutdown or no outstanding tasks when fetching next data"
                )
            info = self._task_info[self._rcvd_idx]
            if len(info) == 2:
                return self._hand_out(self._rcvd_idx, info[1])
            number, data = self._receive()
            self._tasks_outstanding -= 1
            if self._dataset_kind == _DatasetKind.Iterable and isinstance(
                data, _IterableDatasetStopIteration
            ):
                self._workers_status[data.worker_id] = False
                if not self._persistent_workers:
                    self._send(data.worker_id, None)
                self._try_put_index()
            elif number == self._rcvd_idx or not self._in_order:
                return self._hand_out(number, data)
            else:
                self._task_info[number] += (data,)
        if not self._persistent_workers:
            self._shutdown_workers()
        raise StopIteration

    def _hand_out(self, number, data):
        worker_id = self._task_info.pop(number)[0]
        if number == self._rcvd_idx:
            self._rcvd_idx += 1
        self._workers_num_tasks[worker_id] -= 1
        self._try_put_index()
        if isinstance(data, ExceptionWrapper):
            data.reraise()
        return data

    # ---- the end

    def _shutdown_workers(self):
        # at exit, multiprocessing ends the workers; a forked child has none of its own
        if self._shutdown or _python_is_exiting or self._pid != os.getpid():
            return
        self._shutdown = True
        self._done_event.set()
        try:
            for connection in self._tasks:
                # if the pipe is full it holds tasks, after which the worker sees `done_event`
                if select.select([], [connection], [], 0)[1]:
                    with contextlib.suppress(BrokenPipeError):
                        connection.send(None)
                connection.close()
            for connection in self._results:
                connection.close()
            deadline = time.monotonic() + _utils.MP_STATUS_CHECK_INTERVAL
            for worker in self._workers:
                worker.join(timeout=max(deadline - time.monotonic(), 0))
        finally:
            for worker in self._workers:
                if worker.is_alive():
                    worker.terminate()
                    worker.join(timeout=_utils.MP_STATUS_CHECK_INTERVAL)
                if worker.is_alive():
                    worker.kill()
                    worker.join()

    def __del__(self):
        self._shutdown_workers()
