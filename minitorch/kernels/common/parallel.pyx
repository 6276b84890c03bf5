"""The number of threads of minitorch's own loops, and the amount of work from which they are split.

Interface: ``num_threads``, ``set_num_threads``, ``threads_for``. Invariant: a kernel that uses ``threads_for``
never starts threads within threads.

Note [Forked children]
OpenMP's pool of threads does not survive ``fork``: if the parent has used a parallel region, one in the child
waits for threads that do not exist. A handler therefore notes the fork, and from then on ``threads_for`` returns
1 in the child.
"""

import os


# without OpenMP, all loops run on one thread
cdef extern from *:
    """
    #ifdef _OPENMP
    #include <omp.h>
    #define MINITORCH_OPENMP 1
    #else
    #define MINITORCH_OPENMP 0
    static int omp_in_parallel(void) { return 1; }
    #endif
    """
    bint MINITORCH_OPENMP
    int omp_in_parallel() nogil

OPENMP = bool(MINITORCH_OPENMP)         # whether loops can be split at all

cdef extern from "<pthread.h>" nogil:
    int pthread_atfork(void (*prepare)() noexcept nogil, void (*parent)() noexcept nogil,
                       void (*child)() noexcept nogil)


# An empty parallel region took 0.5 microseconds with an awake pool, 4 with a sleeping one, and more when other
# processes used the processors. Every thread should have several times as much work.
cdef Py_ssize_t WORK_PER_THREAD = 25_000

cdef int _num_threads = 1
cdef bint _forked = False


cdef int num_threads() noexcept nogil:
    return _num_threads


cdef void set_num_threads(int n) noexcept nogil:
    global _num_threads
    _num_threads = n if n > 1 else 1


cdef int threads_for(Py_ssize_t work) noexcept nogil:
    if work < 2 * WORK_PER_THREAD or _num_threads == 1 or _forked or omp_in_parallel():
        return 1
    cdef Py_ssize_t useful = work // WORK_PER_THREAD
    return _num_threads if useful >= _num_threads else <int>useful


cdef void _note_fork() noexcept nogil:
    global _forked
    _forked = True


def _initial_threads():
    """Return OMP_NUM_THREADS if it is a number, else the number of processors this process may run on."""
    if not OPENMP:
        return 1
    requested = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if requested.isdigit():
        return int(requested)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


set_num_threads(_initial_threads())
pthread_atfork(NULL, NULL, _note_fork)
