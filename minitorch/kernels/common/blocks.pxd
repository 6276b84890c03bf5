# Turn a function over contiguous elements into a loop over any steps.
#
# A `Block` is written once per operator. It takes contiguous input pointers followed by the output pointer.
# `run_blocks` calls it directly if every operand is contiguous. Otherwise it gathers BLOCK elements at a time
# into buffers on the stack, calls the block on them and scatters the result.

from minitorch.kernels.common.half cimport narrow_t
from minitorch.kernels.common.table cimport Kernel, Loop
from minitorch.kernels.common.types cimport Real, complex128

ctypedef void (*Block)(char** args, Py_ssize_t n, const double* params) noexcept nogil

cdef enum:
    BLOCK = 512         # elements per step; five buffers of complex128 are 40 KB
    MAX_INPUTS = 3

# The type of Kernel.data if the loop is block_loop
cdef struct BlockOp:
    Block block
    int inputs                  # number of inputs
    int sizes[4]                # bytes of an element of each operand, the output last

cdef void block_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                     void* op) noexcept nogil

# Note [Widened kernels]
# An operator on float16 or bfloat16 is its float32 kernel, whatever its loop, with a conversion around it: BLOCK
# elements at a time are converted on the way in and rounded on the way out, in buffers that stay in the
# first-level cache. `elementwise` derives such a kernel from each float32 kernel, so that no file with loops has
# to handle the narrow types. Kernel.data is a Widened; narrow_t is the type of the operands.
cdef void widened_loop(narrow_t** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                       void* widened) noexcept nogil

cdef void run_blocks(Block block, int inputs, const int* sizes, char** args, Py_ssize_t n,
                     const Py_ssize_t* steps, const double* params) noexcept nogil

# Copy n elements of `size` bytes, `step` bytes apart, to and from contiguous memory
cdef void gather(const char* src, Py_ssize_t step, int size, char* dst,
                 Py_ssize_t n) noexcept nogil
cdef void scatter(const char* src, char* dst, Py_ssize_t step, int size,
                  Py_ssize_t n) noexcept nogil

# ---- registration; `row` is a row of a table: table[op]

# Make `block` the loop of k; its operands have in_size bytes per element and its result out_size.
cdef void set_block(Kernel* k, Block block, int inputs, int in_size, int out_size,
                    int cost) except *

# Set the kernels of Float32 and Float64; predicates return Bool.
cdef void set_floating(Kernel* row, int inputs, Block f32, Block f64, int cost) except *
cdef void set_floating_predicate(Kernel* row, int inputs, Block f32, Block f64, int cost) except *

# Note [Parametrised loops]
# The data of a parametrised operator comes from the caller, so its loop must call its block directly: each loop
# is a function of three lines that calls run_floating, compiled for the two types.

cdef inline void run_floating(int inputs, Real** args, const Py_ssize_t* n,
                              const Py_ssize_t* steps, void* params, Block f32,
                              Block f64) noexcept nogil:
    cdef int size = sizeof(Real)
    cdef int* sizes = [size, size, size, size]
    run_blocks(f32 if Real is float else f64, inputs, sizes, <char**>args, n[0], steps,
               <double*>params)

cdef void set_floating_loops(Kernel* row, Loop f32, Loop f64, int cost)
