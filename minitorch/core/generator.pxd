# The random generator: a Mersenne Twister and the normal sample it keeps for the next call.

from cpython.pythread cimport (
    PyThread_acquire_lock, PyThread_release_lock, PyThread_type_lock, WAIT_LOCK)

from minitorch.core.mt19937 cimport mt19937

cdef class Generator:
    cdef mt19937 engine
    # Box-Muller makes two samples; the scalar path returns one and keeps the other (in float64).
    # PyTorch's state also has room for one in float32, which nothing on the CPU fills: it is
    # carried along by set_state and get_state.
    cdef double next_double_normal_sample
    cdef float next_float_normal_sample
    cdef bint has_double_normal_sample
    cdef bint has_float_normal_sample
    cdef PyThread_type_lock _mutex      # held while numbers are drawn; the GIL need not be held
    cdef readonly str _device_type      # "cpu"

    cdef inline void lock(self) noexcept nogil:
        # Code between lock() and unlock() must not acquire the GIL: the thread that holds it may be waiting here.
        PyThread_acquire_lock(self._mutex, WAIT_LOCK)

    cdef inline void unlock(self) noexcept nogil:
        PyThread_release_lock(self._mutex)

    cdef void seed_with(self, unsigned long long seed) noexcept nogil
    cdef bytes pack_state(self)
    cdef int unpack_state(self, const unsigned char* state) except -1
    cdef Generator clone_impl(self)     # same class, same stream position

# the generator of calls that are given none
cdef Generator default_generator()
# for the argument `generator=` of an operator: None is the default one; TypeError otherwise
cdef Generator get_generator_or_default(generator)
