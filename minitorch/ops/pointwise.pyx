"""Elementwise operators: from tensors to one call of a kernel.

The fast paths come first: one dtype, one row-major shape (or a number beside a tensor) mean a shared
geometry and one call of the loop. Everything else takes the long way of `_elementwise`, whose order
is PyTorch's: overlap of the output, shape, types, allocation, conversion, computation.

Invariants
----------
- nothing is written, allocated into `out` or resized before all checks have passed.
- a kernel gets operands of one dtype; conversions go through temporaries, a number through a slot on
  the stack.
"""

from minitorch.core.dtype cimport (
    Bool, Float16, Float32, Float64, Int64, class_name, get_default_dtype, is_complex, is_floating,
    is_integral, itemsizes, to_real)
from minitorch.core.iterator cimport (
    TensorIterator, assert_no_internal_overlap, assert_no_partial_overlap, bind, bind_flat, for_each,
    infer_shape, is_row_major, output_geometry, result_type)
from minitorch.core.tensor_impl cimport (
    CONTIGUOUS, DENSE, SizesAndStrides, TensorImpl, data, empty_geometry, ndim, numel,
    release_geometry, same_sizes, sizes, sizes_of, sizes_tuple, strides_of)
from minitorch.kernels.elementwise cimport (
    Kernel, binary_kernel, cast_kernel, ternary_kernel, unary_kernel)
from minitorch.kernels.parallel cimport threads_for
from minitorch.ops.copy cimport cast, copy_
from minitorch.ops.output cimport check_can_cast, resize_output

cdef enum:
    RELEASE_GIL_WORK = 300000           # tenths of a nanosecond from which a kernel runs without the GIL


cdef inline void _run_flat(Kernel* kernel, void* data, int nargs, Py_ssize_t n, char** args,
                           const Py_ssize_t* steps) noexcept:
    """One loop over n elements; `args` is used up."""
    cdef TensorIterator it
    cdef int nthreads
    if n * kernel.cost < RELEASE_GIL_WORK:
        if n:
            kernel.loop(args, &n, steps, data)
        return
    nthreads = threads_for(n * kernel.cost // 10)
    bind_flat(&it, nargs, n, args, steps)
    with nogil:
        for_each(&it, kernel.loop, data, nthreads)


cdef inline bint _computes_in(int dtype, Rule rule) noexcept:
    """Whether a kernel of this rule runs in the inputs' own dtype."""
    return (rule != TO_FLOAT and rule != TO_FLOAT_REAL) or is_floating(dtype) or is_complex(dtype)


cdef inline int _result_dtype(int dtype, Rule rule) noexcept:
    if rule == TO_BOOL:
        return Bool
    return to_real(dtype) if rule == TO_REAL or rule == TO_FLOAT_REAL else dtype


cdef TensorImpl unary(int op, TensorImpl self, Rule rule, str name, double* params, TensorImpl out):
    cdef Kernel* kernel
    cdef TensorImpl result
    cdef char* args[2]
    cdef Py_ssize_t[2] steps
    cdef int dtype = self.dtype
    if out is None and not self.is_wrapped_number and _computes_in(dtype, rule) and (
            is_row_major(self.geometry)
            or self.geometry.flags & (DENSE | CONTIGUOUS) == DENSE):
        kernel = unary_kernel(op, dtype)
        if kernel != NULL:
            result = empty_geometry(self.geometry, _result_dtype(dtype, rule))
            args[0] = data(self)
            args[1] = data(result)
            steps[0] = itemsizes[dtype]
            steps[1] = itemsizes[result.dtype]
            _run_flat(kernel, kernel.data if params == NULL else params, 2, self.geometry.numel, args,
                      steps)
            return result
    return _elementwise(1, op, self, None, None, rule, name, params, out)


cdef inline bint _read_number(TensorImpl number, int dtype, void* slot) noexcept:
    """The value of a 0-dim tensor in another dtype of its category or a higher one, into a slot."""
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
    """Whether tensor (op) number is computed in the tensor's dtype."""
    if number.geometry.ndim != 0 or tensor.is_wrapped_number or (
            tensor.geometry.ndim == 0 and not number.is_wrapped_number):
        return False
    if is_floating(tensor.dtype):
        return not is_complex(number.dtype)
    if is_integral(tensor.dtype):
        return is_integral(number.dtype) or number.dtype == Bool
    return is_complex(tensor.dtype)


cdef TensorImpl binary(int op, TensorImpl self, TensorImpl other, Rule rule, str name, double* params,
                       TensorImpl out):
    cdef Kernel* kernel
    cdef TensorImpl result, shape
    cdef SizesAndStrides* a = self.geometry
    cdef SizesAndStrides* b = other.geometry
    cdef char* args[3]
    cdef Py_ssize_t[3] steps
    cdef double[2] slot
    cdef int dtype
    if out is not None:
        return _elementwise(2, op, self, other, None, rule, name, params, out)
    if (self.dtype == other.dtype
            and not self.is_wrapped_number and not other.is_wrapped_number
            and (a == b and a.flags & (DENSE | CONTIGUOUS) == DENSE
                 or same_sizes(a, b) and a.flags & b.flags & CONTIGUOUS and is_row_major(b))):
        dtype = self.dtype
        shape = other
        args[0] = data(self)
        args[1] = data(other)
        steps[0] = steps[1] = itemsizes[dtype]
    elif b.ndim == 0 and _number_keeps_type(self, other) and is_row_major(a):
        dtype = self.dtype
        shape = self
        args[0] = data(self)
        args[1] = <char*>slot
        steps[0] = itemsizes[dtype]
        steps[1] = 0
        _read_number(other, dtype, slot)
    elif a.ndim == 0 and _number_keeps_type(other, self) and is_row_major(b):
        dtype = other.dtype
        shape = other
        args[0] = <char*>slot
        args[1] = data(other)
        steps[0] = 0
        steps[1] = itemsizes[dtype]
        _read_number(self, dtype, slot)
    else:
        return _elementwise(2, op, self, other, None, rule, name, params, None)
    kernel = binary_kernel(op, dtype)
    if kernel == NULL or not _computes_in(dtype, rule):
        return _elementwise(2, op, self, other, None, rule, name, params, None)
    result = empty_geometry(shape.geometry, _result_dtype(dtype, rule))
    args[2] = data(result)
    steps[2] = itemsizes[result.dtype]
    _run_flat(kernel, kernel.data if params == NULL else params, 3, shape.geometry.numel, args, steps)
    return result


cdef TensorImpl ternary(int op, TensorImpl a, TensorImpl b, TensorImpl c, Rule rule, str name,
                        double* params, TensorImpl out):
    cdef Kernel* kernel
    cdef TensorImpl result
    cdef char* args[4]
    cdef Py_ssize_t[4] steps
    cdef int dtype = b.dtype
    if (out is None and dtype == c.dtype and (a.dtype == dtype or rule == MASKED)
            and not (a.is_wrapped_number or b.is_wrapped_number or c.is_wrapped_number)
            and same_sizes(a.geometry, b.geometry) and same_sizes(b.geometry, c.geometry)
            and a.geometry.flags & b.geometry.flags & c.geometry.flags & CONTIGUOUS
            and is_row_major(c.geometry) and _computes_in(dtype, rule)):
        kernel = ternary_kernel(op, dtype)
        if kernel != NULL:
            result = empty_geometry(c.geometry, dtype)
            args[0] = data(a)
            args[1] = data(b)
            args[2] = data(c)
            args[3] = data(result)
            steps[0] = itemsizes[a.dtype]
            steps[1] = steps[2] = steps[3] = itemsizes[dtype]
            _run_flat(kernel, kernel.data if params == NULL else params, 4, result.geometry.numel,
                      args, steps)
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


cdef bint _check_out_shape(TensorImpl out, list operands, TensorIterator* it) except -1:
    """Whether `out` has to be resized; RuntimeError when it is an input, too."""
    cdef int d
    if ndim(out) == it.shape_ndim:
        for d in range(it.shape_ndim):
            if sizes(out)[d] != it.shape[d]:
                break
        else:
            return False
    for operand in operands:
        if operand is out:
            raise RuntimeError(
                f"output with shape {list(sizes_tuple(out))} doesn't match the broadcast shape "
                f"{[it.shape[k] for k in range(it.shape_ndim)]}")
    return True


cdef TensorImpl _elementwise(int arity, int op, TensorImpl a, TensorImpl b, TensorImpl c, Rule rule,
                             str name, double* params, TensorImpl out):
    cdef TensorIterator it
    cdef SizesAndStrides* geometries[4]
    cdef SizesAndStrides* g
    cdef char* pointers[4]
    cdef Py_ssize_t[4] itemsize
    cdef double[6] slots
    cdef TensorImpl operand, result
    cdef Kernel* kernel
    cdef void* data_of_kernel
    cdef int common, wanted, k, nthreads
    cdef bint resized = False
    cdef list operands = [a, b, c][:arity]
    if out is not None:
        assert_no_internal_overlap(out)
        for operand in operands:
            assert_no_partial_overlap(out, operand)
    for k in range(arity):
        geometries[k] = (<TensorImpl>operands[k]).geometry
    infer_shape(&it, arity, geometries)
    if out is not None:
        resized = _check_out_shape(out, operands, &it)
    common = result_type(b, c, None) if rule == MASKED else result_type(a, b, c)
    if not _computes_in(common, rule):
        common = get_default_dtype()
    wanted = _result_dtype(common, rule)
    if out is not None and rule != TO_BOOL:
        check_can_cast(wanted, out.dtype)
    kernel = _find_kernel(arity, op, common, name)

    for k in range(arity):
        operand = operands[k]
        if operand.dtype != common and not (rule == MASKED and k == 0):
            if operand.geometry.ndim == 0 and _read_number(operand, common, &slots[2 * k]):
                pointers[k] = <char*>&slots[2 * k]
                itemsize[k] = itemsizes[common]
                continue
            operand = cast(operand, common)
            operands[k] = operand
            it.geometry[k] = operand.geometry
        pointers[k] = data(operand)
        itemsize[k] = itemsizes[operand.dtype]
    if out is None or resized or out.dtype != wanted:
        g = output_geometry(&it)
        try:
            if resized:
                resize_output(out, g.ndim, sizes_of(g), NULL if is_row_major(g) else strides_of(g))
            if out is None or out.dtype != wanted:
                result = empty_geometry(g, wanted)
            else:
                result = out
        finally:
            release_geometry(g)
    else:
        result = out
    if it.numel:
        pointers[arity] = data(result)
        itemsize[arity] = itemsizes[wanted]
        bind(&it, result.geometry, pointers, itemsize)
        data_of_kernel = kernel.data if params == NULL else params
        if it.numel * kernel.cost < RELEASE_GIL_WORK:
            for_each(&it, kernel.loop, data_of_kernel, 1)
        else:
            nthreads = threads_for(it.numel * kernel.cost // 10)
            with nogil:
                for_each(&it, kernel.loop, data_of_kernel, nthreads)
    if out is not None and result is not out:
        return copy_(out, result)
    return result
