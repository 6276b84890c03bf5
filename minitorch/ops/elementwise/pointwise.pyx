"""Elementwise operators: from tensors to one call of a kernel.

The fast paths come first: operands of one dtype and one row-major shape, or a tensor and a number, share a
geometry and need one call of the loop. Everything else goes through `_elementwise`, which works in PyTorch's
order: overlap of the output, shape, dtypes, allocation, conversion, computation.

Invariants
----------
- nothing is written, allocated into `out` or resized before all checks have passed.
- a kernel gets operands of one dtype; tensors are converted through temporaries, a number through a
  slot on the stack.
"""

from minitorch.core.dtype cimport (
    Bool, Float32, Float64, class_name, get_default_dtype, is_complex, is_floating,
    is_integral, itemsizes, to_real)
from minitorch.core.iterator cimport (
    TensorIterator, bind, infer_shape, is_kept, is_row_major, output_geometry)
from minitorch.core.overlap cimport assert_no_internal_overlap, assert_no_partial_overlap
from minitorch.core.result_type cimport result_type
from minitorch.core.tensor_impl cimport (
    CONTIGUOUS, DENSE, SizesAndStrides, TensorImpl, data, empty_geometry, ndim,
    release_geometry, same_sizes, sizes, sizes_of, sizes_tuple, strides, strides_of)
from minitorch.core.walk cimport for_each, for_each_flat
from minitorch.kernels.common.cast cimport cast_kernel
from minitorch.kernels.common.parallel cimport threads_for
from minitorch.kernels.common.table cimport (
    Kernel, Widened, binary_kernel, loop_data, ternary_kernel, unary_kernel)
from minitorch.ops.common.copy cimport cast, copy_, warn_discards_imaginary
from minitorch.ops.common.output cimport check_can_cast, resize_output

cdef enum:
    # number of elements from which an operand with a different memory order is copied first
    REARRANGE = 4000
    # work in tenths of a nanosecond from which a kernel runs without the GIL
    RELEASE_GIL_WORK = 300000


cdef inline void _run_flat(Kernel* kernel, double* params, int nargs, Py_ssize_t n, char** args,
                           const Py_ssize_t* steps) noexcept:
    """Run one loop over n elements; `args` is modified."""
    cdef Widened widened
    cdef void* data = loop_data(kernel, params, &widened)
    cdef int nthreads
    if n * kernel.cost < RELEASE_GIL_WORK:
        if n:
            kernel.loop(args, &n, steps, data)
        return
    nthreads = threads_for(n * kernel.cost // 10)
    with nogil:                                # an iterator here would need another page of the stack in small calls
        for_each_flat(nargs, n, args, steps, kernel.loop, data, nthreads)


cdef inline bint _computes_in(int dtype, Rule rule) noexcept:
    """Return whether a kernel of this rule computes in the inputs' own dtype."""
    return (rule != TO_FLOAT and rule != TO_FLOAT_REAL) or is_floating(dtype) or is_complex(dtype)


cdef inline int _result_dtype(int dtype, Rule rule) noexcept:
    if rule == TO_BOOL:
        return Bool
    return to_real(dtype) if rule == TO_REAL or rule == TO_FLOAT_REAL else dtype


cdef inline bint _takes(TensorImpl out, SizesAndStrides* g, int dtype) noexcept:
    """Return whether a result of this geometry and dtype can be written to `out` by one flat loop."""
    return out.dtype == dtype and (out.geometry == g or (
        same_sizes(out.geometry, g) and out.geometry.flags & g.flags & CONTIGUOUS))


cdef inline bint _apart(TensorImpl out, TensorImpl operand) noexcept:
    """Return whether writing to `out` changes no element of `operand` that is read later."""
    return out is operand or out.storage != operand.storage


cdef TensorImpl unary(int op, TensorImpl self, Rule rule, str name, double* params, TensorImpl out):
    cdef Kernel* kernel
    cdef TensorImpl result
    cdef char* args[2]
    cdef Py_ssize_t[2] steps
    cdef int dtype = self.dtype, wanted
    if not self.is_wrapped_number and _computes_in(dtype, rule) and is_kept(
            self.geometry):
        kernel = unary_kernel(op, dtype)
        wanted = _result_dtype(dtype, rule)
        if kernel != NULL and (
                out is None or _apart(out, self) and _takes(out, self.geometry, wanted)):
            result = empty_geometry(self.geometry, wanted) if out is None else out
            args[0] = data(self)
            args[1] = data(result)
            steps[0] = itemsizes[dtype]
            steps[1] = itemsizes[result.dtype]
            _run_flat(kernel, params, 2, self.geometry.numel, args, steps)
            return result
    return _elementwise(1, op, self, None, None, rule, name, params, out)


cdef inline bint _read_number(TensorImpl number, int dtype, void* slot) noexcept:
    """Convert a 0-dim tensor to `dtype` and store it in `slot`; return whether there is a kernel for that."""
    cdef char* args[2]
    cdef Py_ssize_t[2] steps
    cdef Py_ssize_t n = 1
    cdef Kernel* kernel
    if number.dtype == Float64 and dtype == Float32:
        (<float*>slot)[0] = <float>(<double*>data(number))[0]
        return True
    kernel = cast_kernel(number.dtype, dtype)
    if kernel == NULL:
        return False
    args[0] = data(number)
    args[1] = <char*>slot
    steps[0] = steps[1] = 16
    kernel.loop(args, &n, steps, kernel.data)
    return True


cdef inline bint _number_keeps_type(TensorImpl tensor, TensorImpl number) noexcept:
    """Return whether tensor (op) number is computed in the tensor's dtype."""
    if number.geometry.ndim != 0 or tensor.geometry.numel == 0 or tensor.is_wrapped_number or (
            tensor.geometry.ndim == 0 and not number.is_wrapped_number):
        return False
    if is_floating(tensor.dtype):
        return not is_complex(number.dtype)
    if is_integral(tensor.dtype):
        return is_integral(number.dtype) or number.dtype == Bool
    return is_complex(tensor.dtype)


cdef inline bint _one_run(SizesAndStrides* a, SizesAndStrides* b) noexcept:
    """Return whether two operands and a result with b's geometry can be iterated in memory order."""
    if a == b:
        return is_kept(b)
    return (a.flags & b.flags & CONTIGUOUS) != 0 and same_sizes(a, b) and is_row_major(b)


cdef TensorImpl binary(int op, TensorImpl self, TensorImpl other, Rule rule, str name,
                       double* params,
                       TensorImpl out):
    cdef Kernel* kernel
    cdef TensorImpl result, shape
    cdef SizesAndStrides* a = self.geometry
    cdef SizesAndStrides* b = other.geometry
    cdef char* args[3]
    cdef Py_ssize_t[3] steps
    cdef double[2] slot
    cdef int dtype, wanted
    if (self.dtype == other.dtype
            and not self.is_wrapped_number and not other.is_wrapped_number
            and _one_run(a, b)):
        dtype = self.dtype
        shape = other
        args[0] = data(self)
        args[1] = data(other)
        steps[0] = steps[1] = itemsizes[dtype]
    elif (b.ndim == 0 and _number_keeps_type(self, other) and is_row_major(a)
            and _read_number(other, self.dtype, slot)):
        dtype = self.dtype
        shape = self
        args[0] = data(self)
        args[1] = <char*>slot
        steps[0] = itemsizes[dtype]
        steps[1] = 0
    elif (a.ndim == 0 and _number_keeps_type(other, self) and is_row_major(b)
            and _read_number(self, other.dtype, slot)):
        dtype = other.dtype
        shape = other
        args[0] = <char*>slot
        args[1] = data(other)
        steps[0] = 0
        steps[1] = itemsizes[dtype]
    else:
        return _elementwise(2, op, self, other, None, rule, name, params, out)
    kernel = binary_kernel(op, dtype)
    wanted = _result_dtype(dtype, rule)
    if kernel == NULL or not _computes_in(dtype, rule):
        return _elementwise(2, op, self, other, None, rule, name, params, out)
    if out is None:
        result = empty_geometry(shape.geometry, wanted)
    elif _apart(out, self) and _apart(out, other) and _takes(out, shape.geometry, wanted):
        result = out
    else:
        return _elementwise(2, op, self, other, None, rule, name, params, out)
    args[2] = data(result)
    steps[2] = itemsizes[result.dtype]
    _run_flat(kernel, params, 3, shape.geometry.numel, args, steps)
    return result


cdef TensorImpl ternary(int op, TensorImpl a, TensorImpl b, TensorImpl c, Rule rule, str name,
                        double* params, TensorImpl out):
    cdef Kernel* kernel
    cdef TensorImpl result
    cdef char* args[4]
    cdef Py_ssize_t[4] steps
    cdef int dtype = b.dtype
    if (dtype == c.dtype and (a.dtype == dtype or rule == MASKED)
            and not (a.is_wrapped_number or b.is_wrapped_number or c.is_wrapped_number)
            and same_sizes(a.geometry, b.geometry) and same_sizes(b.geometry, c.geometry)
            and a.geometry.flags & b.geometry.flags & c.geometry.flags & CONTIGUOUS
            and is_row_major(c.geometry) and _computes_in(dtype, rule)):
        kernel = ternary_kernel(op, dtype)
        if kernel != NULL and (
                out is None or _apart(out, a) and _apart(out, b) and _apart(out, c)
                and _takes(out, c.geometry, dtype)):
            result = empty_geometry(c.geometry, dtype) if out is None else out
            args[0] = data(a)
            args[1] = data(b)
            args[2] = data(c)
            args[3] = data(result)
            steps[0] = itemsizes[a.dtype]
            steps[1] = steps[2] = steps[3] = itemsizes[dtype]
            _run_flat(kernel, params, 4, result.geometry.numel, args, steps)
            return result
    return _elementwise(3, op, a, b, c, rule, name, params, out)


# ---- the long way

cdef Kernel* _find_kernel(int arity, int op, int dtype, str name) except NULL:
    cdef Kernel* kernel
    if arity == 1:
        kernel = unary_kernel(op, dtype)
    elif arity == 2:
        kernel = binary_kernel(op, dtype)
    else:
        kernel = ternary_kernel(op, dtype)
    if kernel == NULL:
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(dtype)}\'')
    return kernel


cdef bint check_out_shape(TensorImpl out, bint is_input, TensorIterator* it) except -1:
    """Return whether `out` has to be resized; raise a RuntimeError if it is also an input."""
    cdef int d
    if ndim(out) == it.shape_ndim:
        for d in range(it.shape_ndim):
            if sizes(out)[d] != it.shape[d]:
                break
        else:
            return False
    if is_input:
        raise RuntimeError(f"output with shape {list(sizes_tuple(out))} doesn't match the broadcast shape "
                           f"{[it.shape[k] for k in range(it.shape_ndim)]}")
    return True


cdef int _check_out_dtype(TensorImpl out, int common, int wanted, Rule rule) except -1:
    if rule == TO_BOOL:
        if is_complex(common) and out.dtype != Bool and not is_complex(out.dtype):
            warn_discards_imaginary()
    elif rule == STRICT or (
            rule == TO_REAL and not (is_complex(common) and not is_complex(out.dtype))):
        if out.dtype != common:
            raise RuntimeError(f"Found dtype {class_name(out.dtype)} but expected "
                               f"{class_name(common)}")
    elif rule == MASKED:
        if out.dtype != common:
            raise RuntimeError(f"Expected out type to be {class_name(common)} but got "
                               f"{class_name(out.dtype)}")
    else:
        check_can_cast(wanted, out.dtype)
    return 0


cdef TensorImpl _operand(TensorImpl t, int dtype, double* slot, TensorIterator* it, int k,
                         char** pointer):
    """Return operand k in the computation's dtype: itself, a number in the slot, or a temporary."""
    if t.dtype != dtype:
        if t.geometry.ndim == 0 and _read_number(t, dtype, slot):
            pointer[0] = <char*>slot
            return t
        t = cast(t, dtype)
        it.geometry[k] = t.geometry
    pointer[0] = data(t)
    return t


cdef TensorImpl _in_order(TensorImpl t, TensorImpl result, int dtype, TensorIterator* it, int k,
                          char** pointer):
    """Return operand k, copied into the memory order of the result if its own order differs.

    Iterating against the memory order reads a cache line for each element. A blocked copy followed by a straight
    iteration takes a third of the time.
    """
    cdef TensorImpl copied
    cdef int d, fastest = -1, across = -1
    if t is result or t.dtype != dtype or not same_sizes(t.geometry, result.geometry):
        return t
    if not result.geometry.flags & DENSE or not t.geometry.flags & DENSE:
        return t
    for d in range(ndim(t)):
        if sizes(t)[d] >= 8:
            if strides(result)[d] == 1:
                fastest = d
            if strides(t)[d] == 1:
                across = d
    if fastest < 0 or across < 0 or fastest == across:
        return t
    copied = empty_geometry(result.geometry, dtype)
    copy_(copied, t)
    it.geometry[k] = copied.geometry
    pointer[0] = data(copied)
    return copied


cdef TensorImpl _elementwise(int arity, int op, TensorImpl a, TensorImpl b, TensorImpl c, Rule rule,
                             str name, double* params, TensorImpl out):
    cdef TensorIterator it
    cdef SizesAndStrides* geometries[3]
    cdef SizesAndStrides* g
    cdef char* pointers[4]
    cdef Py_ssize_t[4] itemsize
    cdef double[6] slots
    cdef TensorImpl result
    cdef Kernel* kernel
    cdef Widened widened
    cdef void* data_of_kernel
    cdef int common, wanted, nthreads
    cdef bint resized = False
    geometries[0] = a.geometry
    if arity > 1:
        geometries[1] = b.geometry
        if arity > 2:
            geometries[2] = c.geometry
    if out is not None:
        assert_no_internal_overlap(out)
        assert_no_partial_overlap(out, a)
        if arity > 1:
            assert_no_partial_overlap(out, b)
            if arity > 2:
                assert_no_partial_overlap(out, c)
    infer_shape(&it, arity, geometries)
    if out is not None:
        resized = check_out_shape(out, out is a or out is b or out is c, &it)
    common = result_type(b, c, None) if rule == MASKED else result_type(a, b, c)
    if not _computes_in(common, rule):
        common = get_default_dtype()
    wanted = _result_dtype(common, rule)
    if out is not None:
        _check_out_dtype(out, common, wanted, rule)
    kernel = _find_kernel(arity, op, common, name)

    itemsize[0] = itemsize[1] = itemsize[2] = itemsizes[common]
    if rule == MASKED:
        pointers[0] = data(a)
        itemsize[0] = 1
    else:
        a = _operand(a, common, &slots[0], &it, 0, &pointers[0])
    if arity > 1:
        b = _operand(b, common, &slots[2], &it, 1, &pointers[1])
        if arity > 2:
            c = _operand(c, common, &slots[4], &it, 2, &pointers[2])
    if out is not None and not resized and out.dtype == wanted:
        result = out
    else:
        g = output_geometry(&it)
        try:
            if resized:
                resize_output(out, g.ndim, sizes_of(g), NULL if is_row_major(g) else strides_of(g))
                # the resize may have moved the storage, which an operand may share
                if a.storage == out.storage and a.dtype == common:
                    pointers[0] = data(a)
                if b is not None and b.storage == out.storage and b.dtype == common:
                    pointers[1] = data(b)
                if c is not None and c.storage == out.storage and c.dtype == common:
                    pointers[2] = data(c)
            if out is None or out.dtype != wanted:
                result = empty_geometry(g, wanted)
            else:
                result = out
        finally:
            release_geometry(g)
    if it.numel >= REARRANGE:
        a = _in_order(a, result, common, &it, 0, &pointers[0])
        if arity > 1:
            b = _in_order(b, result, common, &it, 1, &pointers[1])
            if arity > 2:
                c = _in_order(c, result, common, &it, 2, &pointers[2])
    if it.numel:
        pointers[arity] = data(result)
        itemsize[arity] = itemsizes[wanted]
        bind(&it, result.geometry, pointers, itemsize)
        data_of_kernel = loop_data(kernel, params, &widened)
        if it.numel * kernel.cost < RELEASE_GIL_WORK:
            for_each(&it, kernel.loop, data_of_kernel, 1)
        else:
            nthreads = threads_for(it.numel * kernel.cost // 10)
            with nogil:
                for_each(&it, kernel.loop, data_of_kernel, nthreads)
    if out is not None and result is not out:
        return copy_(out, result)
    return result
