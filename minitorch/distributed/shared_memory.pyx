"""Reductions through memory that all processes of one machine share.

Note [Why not MPI alone]
On one machine MPI moves each part of a message through queues between pairs of processes, and a process that waits
asks its queues over and over. Here all ranks write their tensors into one block, wait for each other once, and read
what they need: two copies and one addition per element, for any number of ranks. A rank that waits for longer
than a few microseconds sleeps in the kernel until the last rank wakes it, so ranks can share processors.

Note [Two buffers]
A turn writes to one buffer, and the next turn to the other. A rank that writes to a buffer has passed the barrier of
the turn in between, which no rank reaches before it has read what the buffer held. So one barrier per turn is
enough: between writing and reading. A long tensor takes a turn for each part of it.

The block, which MPI allocates (`mpi.share`), has a header and two buffers::

    arrived | generation | sleeping | the fingerprint of each rank, twice
    the slots of the ranks, and a slot for the result; twice
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t, uintptr_t
from libc.string cimport memcpy
from cpython.exc cimport PyErr_CheckSignals

__all__ = ["SharedMemory", "block_size", "header_size"]

cdef extern from *:
    """
    #include <stdint.h>
    #include <sched.h>
    #include <time.h>
    #ifdef __linux__
    #include <linux/futex.h>
    #include <sys/syscall.h>
    #include <unistd.h>
    #endif

    #if defined(__x86_64__) || defined(__i386__)
    #define minitorch_pause() __builtin_ia32_pause()
    #elif defined(__aarch64__)
    #define minitorch_pause() __asm__ __volatile__("yield")
    #else
    #define minitorch_pause() ((void)0)
    #endif

    static uint32_t minitorch_load(uint32_t *place) {
        return __atomic_load_n(place, __ATOMIC_SEQ_CST);
    }
    static void minitorch_store(uint32_t *place, uint32_t value) {
        __atomic_store_n(place, value, __ATOMIC_SEQ_CST);
    }
    static uint32_t minitorch_add(uint32_t *place, uint32_t value) {
        return __atomic_fetch_add(place, value, __ATOMIC_SEQ_CST);
    }
    /* sleep for at most a tenth of a second while *place is value */
    static void minitorch_sleep(uint32_t *place, uint32_t value) {
    #ifdef __linux__
        struct timespec limit = {0, 100000000};
        syscall(SYS_futex, place, FUTEX_WAIT, value, &limit, NULL, 0);
    #else
        struct timespec pause = {0, 20000};
        nanosleep(&pause, NULL);
    #endif
    }
    static void minitorch_wake(uint32_t *place) {
    #ifdef __linux__
        syscall(SYS_futex, place, FUTEX_WAKE, 0x7fffffff, NULL, NULL, 0);
    #endif
    }
    """
    void minitorch_pause() noexcept nogil
    uint32_t minitorch_load(uint32_t *place) noexcept nogil
    void minitorch_store(uint32_t *place, uint32_t value) noexcept nogil
    uint32_t minitorch_add(uint32_t *place, uint32_t value) noexcept nogil
    void minitorch_sleep(uint32_t *place, uint32_t value) noexcept nogil
    void minitorch_wake(uint32_t *place) noexcept nogil


ctypedef fused number:
    float
    double
    int32_t
    int64_t

cdef enum:
    SUM = 0
    PRODUCT = 1
    MIN = 2
    MAX = 3
    # bytes per slot; two buffers of all ranks' slots should stay in the cache
    SLOT = 1 << 21
    # up to here every rank reduces all elements, instead of its part of them
    SMALL = 1 << 14
    # elements that are reduced at a time, so that the partial results stay in the first cache
    BLOCK = 1024
    LINE = 64

_OPERATIONS = {"SUM": SUM, "AVG": SUM, "PRODUCT": PRODUCT, "MIN": MIN, "MAX": MAX}
_KINDS = {"float32": 0, "float64": 1, "int32": 2, "int64": 3}


cpdef size_t header_size(int ranks) noexcept nogil:
    """Return how many bytes of the block have to be zero at first."""
    return (3 * LINE + 2 * ranks * sizeof(int64_t) + 4095) // 4096 * 4096


def block_size(int ranks):
    """Return how many bytes the processes have to share."""
    return header_size(ranks) + 2 * <size_t> (ranks + 1) * SLOT


cdef inline void combine(
    number *target, const number *a, const number *b, Py_ssize_t count, int op
) noexcept nogil:
    cdef Py_ssize_t i
    if op == SUM:
        for i in range(count):
            target[i] = a[i] + b[i]
    elif op == PRODUCT:
        for i in range(count):
            target[i] = a[i] * b[i]
    elif op == MIN:
        for i in range(count):
            target[i] = b[i] if b[i] < a[i] else a[i]
    else:
        for i in range(count):
            target[i] = b[i] if b[i] > a[i] else a[i]


cdef void reduce_slots(
    number *target, char *slots, int ranks, Py_ssize_t count, int op
) noexcept nogil:
    """Write the reduction of the first elements of all slots to `target`."""
    cdef int rank
    combine(target, <number *> slots, <number *> (slots + SLOT), count, op)
    for rank in range(2, ranks):
        combine(target, target, <number *> (slots + rank * <size_t> SLOT), count, op)


cdef class SharedMemory:
    """A block of memory that the processes of a group share.

    Parameters
    ----------
    address : int
        Where the block begins; it is zero at first.
    rank, ranks : int
        The rank of this process, and the number of processes, at least 2.
    spins : int
        How often a waiting rank looks before it sleeps; 0 if there are more ranks than processors.
    """

    cdef char *base
    cdef char *buffers
    cdef int rank
    cdef int ranks
    cdef int spins
    cdef uint32_t turn

    def __init__(self, uintptr_t address, int rank, int ranks, int spins):
        self.base = <char *> address
        self.buffers = self.base + header_size(ranks)
        self.rank = rank
        self.ranks = ranks
        self.spins = spins
        self.turn = 0

    @staticmethod
    def operation(str op):
        """Return the number of the operation with this name, or None."""
        return _OPERATIONS.get(op)

    @staticmethod
    def kind(str dtype):
        """Return the number of the type of elements with this name, or None."""
        return _KINDS.get(dtype)

    cdef int barrier(self) except -1 nogil:
        """Wait until all ranks have arrived here."""
        cdef uint32_t *arrived = <uint32_t *> self.base
        cdef uint32_t *generation = <uint32_t *> (self.base + LINE)
        cdef uint32_t *sleeping = <uint32_t *> (self.base + 2 * LINE)
        cdef uint32_t before = minitorch_load(generation)
        cdef int _
        if minitorch_add(arrived, 1) == <uint32_t> self.ranks - 1:
            minitorch_store(arrived, 0)
            minitorch_add(generation, 1)
            if minitorch_load(sleeping):
                minitorch_wake(generation)
            return 0
        for _ in range(self.spins):
            if minitorch_load(generation) != before:
                return 0
            minitorch_pause()
        minitorch_add(sleeping, 1)
        while minitorch_load(generation) == before:
            minitorch_sleep(generation, before)
            if minitorch_load(generation) == before:
                with gil:
                    PyErr_CheckSignals()
        minitorch_add(sleeping, <uint32_t> -1)
        return 0

    cdef int meet(self, int64_t code) except -1 nogil:
        """Wait for all ranks; return 1 if they came with the same code, otherwise 0."""
        cdef int64_t *codes = <int64_t *> (self.base + 3 * LINE) + (self.turn & 1) * self.ranks
        cdef int rank
        codes[self.rank] = code
        self.barrier()
        for rank in range(self.ranks):
            if codes[rank] != code:
                self.turn += 1
                return 0
        return 1

    @cython.binding(False)
    def check(self, int64_t code):
        """Wait for all ranks; return whether they came with the same code."""
        cdef int same
        with nogil:
            same = self.meet(code)
            if same:
                self.turn += 1
        return bool(same)

    @cython.binding(False)
    def all_reduce(self, int64_t code, uintptr_t address, Py_ssize_t count, int kind, int op):
        """Reduce numbers in place, unless the ranks came with different codes; return whether they did not.

        Parameters
        ----------
        code : int
            The fingerprint of the operation.
        address, count : int
            Where the numbers are, and how many.
        kind, op : int
            What `kind` and `operation` return.
        """
        cdef int same
        with nogil:
            if kind == 0:
                same = self.reduce(<float *> address, code, count, op)
            elif kind == 1:
                same = self.reduce(<double *> address, code, count, op)
            elif kind == 2:
                same = self.reduce(<int32_t *> address, code, count, op)
            else:
                same = self.reduce(<int64_t *> address, code, count, op)
        return bool(same)

    cdef int reduce(self, number *data, int64_t code, Py_ssize_t count, int op) except -1 nogil:
        cdef char *slots = self.slots()
        if count * <Py_ssize_t> sizeof(number) > SMALL:
            return self.reduce_in_parts(data, code, count, op)
        memcpy(slots + self.rank * <size_t> SLOT, data, count * sizeof(number))
        if not self.meet(code):
            return 0
        reduce_slots(data, slots, self.ranks, count, op)
        self.turn += 1
        return 1

    cdef int reduce_in_parts(
        self, number *data, int64_t code, Py_ssize_t count, int op
    ) except -1 nogil:
        """Reduce what may be longer than a slot; a turn is one part of it.

        Between two barriers a rank reduces its share of one part and writes the next part, which is in
        the other buffer.
        """
        cdef Py_ssize_t at_most = SLOT // <Py_ssize_t> sizeof(number)
        cdef Py_ssize_t part = min(at_most, count), following
        cdef number *result
        cdef char *slots = self.slots()
        self.write(data, slots, part)
        if not self.meet(code):
            return 0
        while True:
            result = <number *> (slots + self.ranks * <size_t> SLOT)
            self.reduce_share(data, slots, result, part, op)
            self.turn += 1
            count -= part
            following = min(at_most, count)
            slots = self.slots()
            if following:
                self.write(data + part, slots, following)
            self.barrier()
            self.read(data, result, part)
            if not following:
                return 1
            data += part
            part = following

    cdef inline char *slots(self) noexcept nogil:
        """Return the slots of this turn."""
        return self.buffers + (self.turn & 1) * (self.ranks + 1) * <size_t> SLOT

    cdef inline Py_ssize_t share(self, int rank, Py_ssize_t part) noexcept nogil:
        """Return where the share of a rank begins, a whole number of cache lines."""
        return part * rank // self.ranks // 16 * 16 if rank < self.ranks else part

    cdef void write(self, number *data, char *slots, Py_ssize_t part) noexcept nogil:
        """Write the shares of the other ranks into the slot of this one."""
        cdef number *slot = <number *> (slots + self.rank * <size_t> SLOT)
        cdef Py_ssize_t first = self.share(self.rank, part)
        cdef Py_ssize_t last = self.share(self.rank + 1, part)
        memcpy(slot, data, first * sizeof(number))
        memcpy(slot + last, data + last, (part - last) * sizeof(number))

    cdef void reduce_share(
        self, number *data, char *slots, number *result, Py_ssize_t part, int op
    ) noexcept nogil:
        """Reduce the share of this rank in place, and write it into the result."""
        cdef Py_ssize_t place = self.share(self.rank, part), count
        cdef Py_ssize_t last = self.share(self.rank + 1, part)
        cdef int rank
        while place < last:
            count = min(<Py_ssize_t> BLOCK, last - place)
            for rank in range(self.ranks):
                if rank != self.rank:
                    combine(
                        data + place,
                        data + place,
                        (<number *> (slots + rank * <size_t> SLOT)) + place,
                        count,
                        op,
                    )
            memcpy(result + place, data + place, count * sizeof(number))
            place += count

    cdef void read(self, number *data, number *result, Py_ssize_t part) noexcept nogil:
        """Read the shares of the other ranks from the result."""
        cdef Py_ssize_t first = self.share(self.rank, part)
        cdef Py_ssize_t last = self.share(self.rank + 1, part)
        memcpy(data, result, first * sizeof(number))
        memcpy(data + last, result + last, (part - last) * sizeof(number))
