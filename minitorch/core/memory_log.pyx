"""A log of allocated and freed tensor memory, for the profiler.

Storages call `note_memory` for their data. Entries are C structures, because memory is freed in destructors, where no
Python objects should be made. The profiler uses `follow` and `notes`.
"""

from libc.stdlib cimport free, realloc

cdef extern from "pythread.h":
    unsigned long PyThread_get_thread_ident() nogil

cdef extern from "time.h" nogil:
    ctypedef long time_t
    ctypedef int clockid_t
    cdef struct timespec:
        time_t tv_sec
        long tv_nsec
    clockid_t CLOCK_MONOTONIC
    int clock_gettime(clockid_t clock, timespec* moment)

cdef struct MemoryNote:
    long long moment                    # nanoseconds
    size_t address
    Py_ssize_t nbytes                   # negative: given back
    unsigned long thread

following = False
cdef MemoryNote* _notes = NULL
cdef size_t _count = 0
cdef size_t _capacity = 0


cdef long long _now() noexcept:
    cdef timespec t
    clock_gettime(CLOCK_MONOTONIC, &t)
    return <long long>t.tv_sec * 1000000000 + t.tv_nsec


cdef void note_memory(void* address, Py_ssize_t nbytes) noexcept:
    global following, _notes, _count, _capacity
    cdef MemoryNote* larger
    if _count == _capacity:
        larger = <MemoryNote*>realloc(_notes, max(2 * _capacity, 1024) * sizeof(MemoryNote))
        if larger == NULL:
            following = False
            return
        _notes = larger
        _capacity = max(2 * _capacity, 1024)
    _notes[_count].moment = _now()
    _notes[_count].address = <size_t>address
    _notes[_count].nbytes = nbytes
    _notes[_count].thread = PyThread_get_thread_ident()
    _count += 1


def follow(bint on):
    """Start an empty log of allocated and freed memory, or stop logging.

    Returns
    -------
    int
        The moment on the clock of the notes, in nanoseconds.
    """
    global following, _count, _capacity, _notes
    following = on
    if on:
        _count = _capacity = 0
        free(_notes)
        _notes = NULL
    return _now()


def pause():
    """Stop logging until `resume` is called with the result."""
    global following
    was, following = following, False
    return was


def resume(bint was):
    """Log again if that was on before the pause."""
    global following
    following = was


def count():
    """Return the number of entries in the log."""
    return _count


def notes():
    """Return the log: tuples of a time in nanoseconds, an address, a size (negative: freed) and a thread.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.core import memory_log
    >>> begun = memory_log.follow(True)
    >>> x = torch.empty(5)
    >>> del x
    >>> ended = memory_log.follow(False)
    >>> [nbytes for moment, address, nbytes, thread in memory_log.notes()]
    [20, -20]
    """
    cdef size_t i
    return [(_notes[i].moment, _notes[i].address, _notes[i].nbytes, _notes[i].thread) for i in range(_count)]
