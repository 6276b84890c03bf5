"""Handles of operations that have not ended: `Work`, and the thread that runs collective operations.

Note [One thread for all collectives]
The ranks of a group must call its collective operations in the same order. `Worker` has one thread and one
queue for all groups, so asynchronous operations run in the order of their calls. A call that waits for its
result runs in the thread of the caller if the queue is empty, which saves handing it to another thread; otherwise
it takes its place in the queue. Callbacks of futures run in the worker's thread, and what they call runs at once.
"""

import queue
import threading
import time
from datetime import timedelta

from minitorch.distributed import mpi
from minitorch.utils._futures import Future

__all__ = ["Work"]


class Work:
    """Handle of an operation that was started with ``async_op=True``, or of a message.

    Examples
    --------
    >>> import minitorch as torch
    >>> import minitorch.distributed as dist
    >>> dist.init_process_group("mpi")
    >>> work = dist.all_reduce(torch.ones(2), async_op=True)
    >>> work.wait()
    True
    >>> work.result()
    [tensor([1., 1.])]
    >>> dist.destroy_process_group()
    """

    def __init__(self, group, name, results):
        self._group = group
        self._name = name
        self._results = results
        self._ended = threading.Event()
        self._error = None
        self._future = None
        self._lock = threading.Lock()

    def _end(self, error=None):
        """Store the outcome, then set the future."""
        with self._lock:
            self._error = error
            self._ended.set()
            future = self._future
        if future is not None:
            self._complete(future)

    def _complete(self, future):
        if self._error is None:
            future.set_result(self._results)
        else:
            future.set_exception(self._error)

    def wait(self, timeout=None):
        """Wait for the end of the operation; return True.

        Parameters
        ----------
        timeout : timedelta, optional
            How long to wait; without it, as long as the group's timeout allows.

        Raises
        ------
        RuntimeError
            If the operation failed, or did not end in time.
        """
        seconds = timeout.total_seconds() if timeout and timeout > timedelta(0) else None
        if not self._ended.wait(seconds):
            raise RuntimeError(f"Timed out waiting {round(1000 * seconds)}ms for {self._name}")
        if self._error is not None:
            raise self._error
        return True

    def synchronize(self):
        """Wait for the end of the operation."""
        self.wait()

    def is_completed(self):
        """Return whether the operation has ended, also if it has failed."""
        return self._ended.is_set()

    def is_success(self):
        """Return whether the operation has ended without an error."""
        return self._ended.is_set() and self._error is None

    def exception(self):
        """Return the error of a failed operation, otherwise None."""
        return self._error

    def result(self):
        """Wait, then return the list of tensors that the operation has written."""
        self.wait()
        return self._results

    def source_rank(self):
        """Return the rank that sent the message; raise RuntimeError for other operations."""
        raise RuntimeError(
            "sourceRank() may only be called on work objects that correspond to a recv or recv-from-any call."
        )

    def get_future(self):
        """Return a `Future` of the list of tensors that the operation writes."""
        with self._lock:
            future = self._future
            if future is not None:
                return future
            future = self._future = Future()
            ended = self._ended.is_set()
        if ended:
            self._complete(future)
        return future


class Message(Work):
    """Handle of a message that is sent or received with MPI's own nonblocking call.

    Parameters
    ----------
    group : ProcessGroup
    name : str
    tensors : list of Tensor
    request : mpi4py.MPI.Request
    finish : callable
        Called once, with MPI's status, when the message has been sent or received.
    """

    def __init__(self, group, name, tensors, request, finish):
        super().__init__(group, name, tensors)
        self._request = request
        self._finish = finish
        self._source = None
        self._waiting = threading.Lock()

    def _settle(self, status):
        error = None
        try:
            self._source = self._finish(status)
        except Exception as raised:  # noqa: BLE001 (it is raised by wait)
            error = raised
        self._end(error)

    def wait(self, timeout=None):
        """Wait until the message has been sent or received; return True."""
        seconds = (timeout or self._group.timeout).total_seconds()
        MPI = mpi.start()
        with self._waiting:
            if not self._ended.is_set():
                status = MPI.Status()
                try:
                    wait_for(self._request, status, seconds, self._name)
                except MPI.Exception as error:
                    self._end(RuntimeError(f"{self._name} failed: {error}"))
                else:
                    self._settle(status)
        return super().wait()

    def is_completed(self):
        """Return whether the message has been sent or received."""
        MPI = mpi.start()
        if self._ended.is_set():
            return True
        if self._waiting.acquire(blocking=False):
            try:
                status = MPI.Status()
                if not self._ended.is_set() and self._request.Test(status):
                    self._settle(status)
            finally:
                self._waiting.release()
        return self._ended.is_set()

    def source_rank(self):
        """Return the rank that sent the message."""
        return self._source

    def get_future(self):
        """Return a `Future` of the tensor, which a thread completes."""
        future = super().get_future()
        threading.Thread(target=self._wait_quietly, daemon=True).start()
        return future

    def _wait_quietly(self):
        try:
            self.wait()
        except Exception:  # noqa: BLE001, S110 (the future has it)
            pass


def wait_for(request, status, seconds, name):
    """Wait for a request of MPI; raise RuntimeError after `seconds`."""
    with mpi.call_lock():
        if request.Test(status):
            return
    deadline = time.monotonic() + seconds
    pause = 0.0
    while True:
        with mpi.call_lock():
            if request.Test(status):
                return
        if time.monotonic() > deadline:
            raise RuntimeError(f"Timed out waiting {round(1000 * seconds)}ms for {name} operation")
        time.sleep(pause)
        pause = min(pause + 1e-6, 1e-3)


class Worker:
    """The thread that runs collective operations; see Note [One thread for all collectives]."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counting = threading.Lock()
        self.queue = queue.SimpleQueue()
        self.pending = 0
        self.thread = None
        # what is running, since when it is late, and who says so
        self.running = None

    def start(self):
        """Start the thread, and the one that watches over timeouts."""
        if self.thread is None:
            self.thread = threading.Thread(target=self.loop, name="collectives", daemon=True)
            self.thread.start()
            threading.Thread(target=self.watch, name="timeouts", daemon=True).start()

    def run(self, group, description, operate, results, async_op):
        """Check that all ranks call the same, then call `operate`; return a `Work` or None.

        Parameters
        ----------
        group : ProcessGroup
        description : tuple
            What has to be the same on all ranks.
        operate : callable or None
            Called without arguments after the check.
        results : list
            What the `Work` returns as its result.
        async_op : bool
        """

        def checked(description):
            group.communicator.check(description)
            if operate is not None:
                operate()

        return self.run_unchecked(group, description, checked, results, async_op)

    def run_unchecked(self, group, description, operate, results, async_op):
        """Call `operate`, which checks the description that it is given; otherwise like `run`."""
        if not async_op:
            if threading.current_thread() is self.thread:
                self.execute(group, description, operate)
                return None
            if not self.pending and self.lock.acquire(blocking=False):
                try:
                    self.execute(group, description, operate)
                finally:
                    self.lock.release()
                return None
        work = Work(group, description[0], results)
        if threading.current_thread() is self.thread:
            self.perform(work, group, description, operate)
        else:
            with self.counting:
                self.pending += 1
                self.queue.put((work, group, description, operate))
        if async_op:
            return work
        work.wait()
        return None

    def execute(self, group, description, operate):
        """Run one operation in this thread."""
        before = self.running
        group.communicator.begun += 1
        self.running = (time.monotonic() + group.seconds, group, description)
        try:
            with mpi.call_lock():
                operate(description)
        finally:
            self.running = before

    def perform(self, work, group, description, operate):
        """Run one operation and store its outcome in `work`."""
        error = None
        try:
            self.execute(group, description, operate)
        except Exception as raised:  # noqa: BLE001 (it is raised by wait)
            error = raised
        work._end(error)

    def loop(self):
        """Run what is in the queue, in order, for ever."""
        while True:
            item = self.queue.get()
            with self.lock:
                self.perform(*item)
                with self.counting:
                    self.pending -= 1
            del item

    def watch(self):
        """End the job when an operation takes longer than its group allows, or a member has ended."""
        MPI, before = mpi.start(), None
        rank = MPI.COMM_WORLD.rank
        listens = MPI.Query_thread() >= MPI.THREAD_MULTIPLE
        while True:
            time.sleep(0.5)
            running = self.running
            if running is None:
                continue
            late, group, description = running
            if time.monotonic() > late:
                mpi.abort(
                    f"rank {rank} waited longer than the timeout of {group.seconds:g} s "
                    f"in {mpi.in_words(description)}; the job is ended"
                )
            elif listens and running is before and (missing := group.communicator.missing()):
                mpi.abort(
                    f"rank {rank} waits in {mpi.in_words(description)} for rank "
                    f"{', '.join(map(str, missing))}, whose program has ended; the job is ended"
                )
            before = running

    def drain(self):
        """Wait until the queue is empty."""
        while self.pending:
            time.sleep(1e-3)


worker = Worker()
