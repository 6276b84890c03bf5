"""Gather strided operands into blocks on the stack, and scatter the results.

Interface: ``run_blocks`` and related functions, see blocks.pxd. Invariant: every input element of a block is read
before an output element of that block is written, so an operator may write to its own input.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy

from minitorch.core.dtype cimport Float32, Float64
from minitorch.kernels.common.half cimport narrow_t, store_float, to_float
from minitorch.kernels.common.simd cimport simd
from minitorch.kernels.common.table cimport Kernel, Loop, Widened, set_kernel
from minitorch.kernels.common.types cimport Item, Item16

cdef inline void _gather(const Item* src, Py_ssize_t step, Item* dst,
                         Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    cdef Item value
    if step == 0:
        value = src[0]
        for i in range(n):
            dst[i] = value
    else:
        for i in range(n):
            dst[i] = (<const Item*>(<const char*>src + i * step))[0]


cdef inline void _scatter(const Item* src, Item* dst, Py_ssize_t step,
                          Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        (<Item*>(<char*>dst + i * step))[0] = src[i]


cdef void gather(const char* src, Py_ssize_t step, int size, char* dst,
                 Py_ssize_t n) noexcept nogil:
    if step == size:
        memcpy(dst, src, n * size)
    elif size == 1:
        _gather[uint8_t](<const uint8_t*>src, step, <uint8_t*>dst, n)
    elif size == 2:
        _gather[uint16_t](<const uint16_t*>src, step, <uint16_t*>dst, n)
    elif size == 4:
        _gather[uint32_t](<const uint32_t*>src, step, <uint32_t*>dst, n)
    elif size == 8:
        _gather[uint64_t](<const uint64_t*>src, step, <uint64_t*>dst, n)
    else:
        _gather[Item16](<const Item16*>src, step, <Item16*>dst, n)


cdef void scatter(const char* src, char* dst, Py_ssize_t step, int size,
                  Py_ssize_t n) noexcept nogil:
    if step == size:
        memcpy(dst, src, n * size)
    elif size == 1:
        _scatter[uint8_t](<const uint8_t*>src, <uint8_t*>dst, step, n)
    elif size == 2:
        _scatter[uint16_t](<const uint16_t*>src, <uint16_t*>dst, step, n)
    elif size == 4:
        _scatter[uint32_t](<const uint32_t*>src, <uint32_t*>dst, step, n)
    elif size == 8:
        _scatter[uint64_t](<const uint64_t*>src, <uint64_t*>dst, step, n)
    else:
        _scatter[Item16](<const Item16*>src, <Item16*>dst, step, n)


cdef void run_blocks(Block block, int inputs, const int* sizes, char** args, Py_ssize_t n,
                     const Py_ssize_t* steps, const double* params) noexcept nogil:
    cdef int k
    cdef bint contiguous = True
    if n != 1:
        for k in range(inputs + 1):
            if steps[k] != sizes[k]:
                contiguous = False
    if contiguous:
        block(args, n, params)
        return
    _run_gathered(block, inputs, sizes, args, n, steps, params)


cdef void _run_gathered(Block block, int inputs, const int* sizes, char** args, Py_ssize_t n,
                        const Py_ssize_t* steps, const double* params) noexcept nogil:
    cdef char buffers[(MAX_INPUTS + 1) * BLOCK * 16]
    cdef char* pointers[MAX_INPUTS + 1]
    cdef char* out = args[inputs]
    cdef int k
    cdef Py_ssize_t start = 0, count
    for k in range(inputs + 1):
        pointers[k] = &buffers[k * BLOCK * 16]
        if k < inputs and steps[k] == 0:
            gather(args[k], 0, sizes[k], pointers[k], n if n < BLOCK else BLOCK)
    while start < n:
        count = n - start if n - start < BLOCK else BLOCK
        for k in range(inputs):
            if steps[k] == sizes[k]:
                pointers[k] = args[k] + start * steps[k]
            elif steps[k] != 0:
                gather(args[k] + start * steps[k], steps[k], sizes[k], pointers[k], count)
        if steps[inputs] == sizes[inputs]:
            pointers[inputs] = out + start * sizes[inputs]
            block(pointers, count, params)
        else:
            block(pointers, count, params)
            scatter(pointers[inputs], out + start * steps[inputs], steps[inputs], sizes[inputs],
                    count)
        start += count


cdef void block_loop(char** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                     void* op) noexcept nogil:
    cdef BlockOp* o = <BlockOp*>op
    run_blocks(o.block, o.inputs, o.sizes, args, n[0], steps, NULL)


# ---- float16 and bfloat16

cdef simd _widen(const narrow_t* src, float* dst, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        dst[i] = to_float(src[i])


cdef simd _narrow(const float* src, narrow_t* dst, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        store_float(dst + i, src[i])


cdef void widened_loop(narrow_t** args, const Py_ssize_t* n, const Py_ssize_t* steps,
                       void* widened) noexcept nogil:
    cdef Widened* w = <Widened*>widened
    cdef float floats[MAX_INPUTS + 1][BLOCK]
    cdef narrow_t values[BLOCK]
    cdef char* pointers[MAX_INPUTS + 1]
    cdef Py_ssize_t[MAX_INPUTS + 1] wide_steps
    cdef char* out = <char*>args[w.inputs]
    cdef Py_ssize_t out_step = steps[w.inputs], start = 0, count
    cdef int k
    for k in range(w.inputs):
        wide_steps[k] = 4
    wide_steps[w.inputs] = 1 if w.to_bool else 4
    while start < n[0]:
        count = n[0] - start if n[0] - start < BLOCK else BLOCK
        for k in range(w.inputs):
            if steps[k] == 2 or n[0] == 1:
                _widen(args[k] + start, floats[k], count)
            elif steps[k] != 0 or start == 0:
                gather(<char*>args[k] + start * steps[k], steps[k], 2, <char*>values, count)
                _widen(values, floats[k], count)
        # the loop may change the pointers
        for k in range(w.inputs + 1):
            pointers[k] = <char*>floats[k]
        if w.to_bool and (out_step == 1 or n[0] == 1):
            pointers[w.inputs] = out + start
        w.kernel.loop(pointers, &count, wide_steps, w.data)
        if w.to_bool:
            if out_step != 1 and n[0] != 1:
                scatter(<char*>floats[w.inputs], out + start * out_step, out_step, 1, count)
        elif out_step == 2 or n[0] == 1:
            _narrow(floats[w.inputs], <narrow_t*>out + start, count)
        else:
            _narrow(floats[w.inputs], values, count)
            scatter(<char*>values, out + start * out_step, out_step, 2, count)
        start += count


# ---- registration

cdef enum:
    MAX_OPS = 2048

cdef BlockOp[MAX_OPS] _ops
cdef int _used = 0


cdef BlockOp* _new_op(Block block, int inputs, int in_size, int out_size) except NULL:
    global _used
    if _used == MAX_OPS:
        raise RuntimeError("the pool of block operators is full: raise MAX_OPS")
    cdef BlockOp* op = &_ops[_used]
    cdef int k
    _used += 1
    op.block = block
    op.inputs = inputs
    for k in range(inputs):
        op.sizes[k] = in_size
    op.sizes[inputs] = out_size
    return op


cdef void set_block(Kernel* k, Block block, int inputs, int in_size, int out_size,
                    int cost) except *:
    set_kernel(k, block_loop, _new_op(block, inputs, in_size, out_size), cost)


cdef void set_floating(Kernel* row, int inputs, Block f32, Block f64, int cost) except *:
    set_block(&row[<int>Float32], f32, inputs, 4, 4, cost)
    set_block(&row[<int>Float64], f64, inputs, 8, 8, 2 * cost)


cdef void set_floating_predicate(Kernel* row, int inputs, Block f32, Block f64, int cost) except *:
    set_block(&row[<int>Float32], f32, inputs, 4, 1, cost)
    set_block(&row[<int>Float64], f64, inputs, 8, 1, 2 * cost)


cdef void set_floating_loops(Kernel* row, Loop f32, Loop f64, int cost):
    set_kernel(&row[<int>Float32], f32, NULL, cost)
    set_kernel(&row[<int>Float64], f64, NULL, 2 * cost)
