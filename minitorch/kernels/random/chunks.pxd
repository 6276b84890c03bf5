# Common to the kernels of random numbers: numbers are drawn CHUNK at a time, on the stack, and then converted to
# the elements of the output.
#
# uniform_floats and uniform_doubles draw from the generator, which the caller has locked.

from minitorch.core.generator cimport Generator

cdef enum:
    CHUNK = 256
    HALF_CHUNK = 128

cdef inline Py_ssize_t chunk_of(Py_ssize_t n) noexcept nogil:
    """Return how many of the n remaining numbers to draw next."""
    return n if n < CHUNK else CHUNK

# draw the next n multiples of 2**-53 in [0, 1), two words each; n <= CHUNK
cdef void uniform_doubles(Generator generator, double* out, Py_ssize_t n) noexcept nogil
# draw the next n multiples of 2**-24 in [0, 1), one word each; n <= CHUNK
cdef void uniform_floats(Generator generator, float* out, Py_ssize_t n) noexcept nogil

# x * scale + shift, rounded once
cdef void stretch(double* x, Py_ssize_t n, double scale, double shift) noexcept nogil

# write n numbers of from_dtype as elements of dtype, step bytes apart
cdef void emit(int from_dtype, const void* chunk, int dtype, char* out, Py_ssize_t n,
               Py_ssize_t step) noexcept nogil
# read n elements of dtype, step bytes apart
cdef void widen(int dtype, const char* p, Py_ssize_t step, double* out, Py_ssize_t n) noexcept nogil

# raise the NotImplementedError of PyTorch's `kernel` for the dtype
cdef int not_implemented(const char* kernel, int dtype) except -1 with gil
