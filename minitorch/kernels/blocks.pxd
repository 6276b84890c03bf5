# From a function over contiguous elements to a loop over any steps.
#
# A `Block` is written once per operator: contiguous input pointers and then the output pointer.
# `run_blocks` calls it directly when every operand is contiguous; else it gathers BLOCK elements at
# a time into buffers on the stack, calls it there and scatters the result. The half variants also
# convert, so that a float16 operator is its float32 block.

ctypedef void (*Block)(char** args, Py_ssize_t n, const double* params) noexcept nogil

cdef enum:
    BLOCK = 512         # elements per step; five buffers of complex128 are 40 KB
    MAX_INPUTS = 3

# What Kernel.data points to where the loop is block_loop or half_block_loop
cdef struct BlockOp:
    Block block
    int inputs                  # how many
    int sizes[4]                # bytes of an element of each operand, the output last

cdef void block_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                     void* op) noexcept nogil

# `op` computes on float32 and may have a Bool output
cdef void half_block_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                          void* op) noexcept nogil

# Kernel.data is a float32 Kernel with this many inputs, whose output is float32 or Bool
cdef void half_unary_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                          void* kernel) noexcept nogil
cdef void half_binary_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                           void* kernel) noexcept nogil
cdef void half_predicate_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                              void* kernel) noexcept nogil
cdef void half_comparison_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                               void* kernel) noexcept nogil

cdef void run_blocks(Block block, int inputs, const int* sizes, char** args, Py_ssize_t n,
                     const Py_ssize_t* steps, const double* params) noexcept nogil

# `block` computes on float32, the operands are float16, but for an output of out_size 1 (Bool)
cdef void run_half_blocks(Block block, int inputs, int out_size, char** args, Py_ssize_t n,
                          const Py_ssize_t* steps, const double* params) noexcept nogil

# n elements of `size` bytes, `step` bytes apart, to and from contiguous memory
cdef void gather(const char* src, Py_ssize_t step, int size, char* dst, Py_ssize_t n) noexcept nogil
cdef void scatter(const char* src, char* dst, Py_ssize_t step, int size, Py_ssize_t n) noexcept nogil
