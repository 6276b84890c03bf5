"""Random words to uniform numbers, and uniform numbers to elements of any dtype."""

from libc.math cimport fma
from libc.stdint cimport uint32_t

from minitorch.core.dtype cimport Float64, class_name, itemsizes
from minitorch.core.mt19937 cimport fill_words
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.cast cimport cast_kernel
from minitorch.kernels.common.table cimport Kernel


cdef simd floats_of_words(const uint32_t* words, float* out, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = <float>(<int>(words[i] & 0xFFFFFF)) * <float>(1.0 / 16777216.0)


cdef simd doubles_of_words(const uint32_t* words, double* out, Py_ssize_t n) noexcept nogil:
    # 21 bits of the first word are above the second word; both are converted exactly
    cdef Py_ssize_t i
    for i in range(n):
        out[i] = (<double>(<int>(words[2 * i] & 0x1FFFFF)) * (1.0 / 2097152.0)
                  + <double>words[2 * i + 1] * (1.0 / 9007199254740992.0))


cdef void uniform_floats(Generator generator, float* out, Py_ssize_t n) noexcept nogil:
    cdef uint32_t words[CHUNK]
    fill_words(&generator.engine, words, n)
    floats_of_words(words, out, n)


cdef void uniform_doubles(Generator generator, double* out, Py_ssize_t n) noexcept nogil:
    cdef uint32_t words[2 * CHUNK]
    fill_words(&generator.engine, words, 2 * n)
    doubles_of_words(words, out, n)


cdef simd stretch_loop(double* x, Py_ssize_t n, double scale, double shift) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        x[i] = fma(x[i], scale, shift)


cdef void stretch(double* x, Py_ssize_t n, double scale, double shift) noexcept nogil:
    stretch_loop(x, n, scale, shift)


cdef void emit(int from_dtype, const void* chunk, int dtype, char* out, Py_ssize_t n,
               Py_ssize_t step) noexcept nogil:
    cdef Kernel* kernel = cast_kernel(from_dtype, dtype)
    cdef char* args[2]
    cdef Py_ssize_t steps[2]
    args[0] = <char*>chunk
    args[1] = out
    steps[0] = itemsizes[from_dtype]
    steps[1] = step
    kernel.loop(args, &n, steps, kernel.data)


cdef void widen(int dtype, const char* p, Py_ssize_t step, double* out,
                Py_ssize_t n) noexcept nogil:
    cdef Kernel* kernel = cast_kernel(dtype, Float64)
    cdef char* args[2]
    cdef Py_ssize_t steps[2]
    args[0] = <char*>p
    args[1] = <char*>out
    steps[0] = step
    steps[1] = sizeof(double)
    kernel.loop(args, &n, steps, kernel.data)


cdef int not_implemented(const char* kernel, int dtype) except -1 with gil:
    raise NotImplementedError(f'"{kernel.decode()}" not implemented for \'{class_name(dtype)}\'')
