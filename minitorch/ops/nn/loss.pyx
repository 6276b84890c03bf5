"""nll_loss and nll_loss2d: the checks, and one kernel call on row-major (n, classes, positions)."""

from libc.stdint cimport int64_t

from minitorch.core.dtype cimport Int64, UInt8, class_name, has_float_kernels
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty, ndim, numel, sizes, sizes_tuple)
from minitorch.kernels.nn.loss cimport nll_loss_backward_kernel, nll_loss_kernel
from minitorch.ops.common.checks cimport size_at
from minitorch.ops.common.copy cimport cast, contiguous

from minitorch.core.error_pages import explained

cdef enum:
    RELEASE_GIL = 50000                 # elements from which a kernel runs without the GIL


cdef struct Sizes:
    Py_ssize_t n
    Py_ssize_t classes
    Py_ssize_t positions


# ---- checks

cdef int _check_target_dtype(TensorImpl target) except -1:
    if target.dtype != Int64 and target.dtype != UInt8:
        raise explained(RuntimeError(
            "expected target dtype to be Long or Byte, but got "
            f"{class_name(target.dtype)}"), "cross-entropy-dtype")
    return 0


cdef int _check_types(TensorImpl self, TensorImpl target, TensorImpl weight, str name) except -1:
    if not has_float_kernels(self.dtype):
        raise NotImplementedError(f'"{name}" not implemented for \'{class_name(self.dtype)}\'')
    if weight is not None and weight.dtype != self.dtype:
        raise RuntimeError(f"expected scalar type {class_name(self.dtype)} but found "
                           f"{class_name(weight.dtype)}")
    return 0


cdef int _check(TensorImpl self, TensorImpl target, TensorImpl weight, bint backward,
                Sizes* s) except -1:
    cdef int dims = ndim(self)
    if dims < 1 or dims > 2:
        raise RuntimeError("input tensor should be 1D or 2D")
    if ndim(target) > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if not backward:
        _check_target_dtype(target)
    if dims == 2:
        size_at(target, 0)
    if not backward and dims == 1 and ndim(target) == 1 and sizes(target)[0] != 1:
        raise ValueError("For 1D input, 1D target must have size 1, but got target size: "
                         f"{sizes(target)[0]}")
    if (dims == 2 and (ndim(target) != 1 or sizes(self)[0] != sizes(target)[0])
            or backward and dims == 1 and ndim(target) == 1 and sizes(self)[0] != sizes(target)[0]):
        raise RuntimeError(f"size mismatch (got input: {list(sizes_tuple(self))}, target: "
                           f"{list(sizes_tuple(target))})")
    s.n = sizes(self)[0] if dims == 2 else 1
    s.classes = sizes(self)[dims - 1]
    s.positions = 1
    if weight is not None and (ndim(weight) != 1 or numel(weight) != s.classes):
        raise RuntimeError(f"weight tensor should be defined either for all {s.classes} classes or "
                           "no "
                           f"classes but got weight tensor of shape: {list(sizes_tuple(weight))}")
    return 0


cdef int _check2d(TensorImpl self, TensorImpl target, TensorImpl weight, Sizes* s) except -1:
    if ndim(target) != 3:
        raise RuntimeError("only batches of spatial targets supported (3D tensors) but got targets "
                           "of "
                           f"dimension: {ndim(target)}")
    if ndim(self) != 4:
        raise RuntimeError("only batches of spatial inputs supported (4D tensors), but got input "
                           "of "
                           f"dimension: {ndim(self)}")
    _check_target_dtype(target)
    if weight is not None and numel(weight) != sizes(self)[1]:
        raise RuntimeError("weight tensor should be defined either for all or no classes")
    if (sizes(self)[0] != sizes(target)[0] or sizes(self)[2] != sizes(target)[1]
            or sizes(self)[3] != sizes(target)[2]):
        raise RuntimeError(f"size mismatch (got input: {list(sizes_tuple(self))} , target: "
                           f"{list(sizes_tuple(target))}")
    s.n, s.classes = sizes(self)[0], sizes(self)[1]
    s.positions = sizes(self)[2] * sizes(self)[3]
    return 0


cdef int _check_status(int status, int64_t bad) except -1:
    if status == 2:
        raise explained(IndexError(f"Target {bad} is out of bounds."), "cross-entropy-label")
    return 0


# ---- the kernels' calls

cdef tuple _forward(TensorImpl self, TensorImpl target, TensorImpl weight, int reduction,
                    int64_t ignore_index, const Sizes* s):
    cdef TensorImpl output, total_weight = empty(0, NULL, self.dtype)
    cdef int status, dtype = self.dtype
    cdef int64_t bad = 0
    cdef char* x
    cdef char* t
    cdef char* w
    cdef char* y
    cdef char* total = data(total_weight)
    if ndim(self) == 1 and reduction == NONE:
        reduction = SUM                 # a single example: the sum is its loss
    if reduction == NONE:
        output = empty(ndim(target), sizes(target), dtype)
    else:
        output = empty(0, NULL, dtype)
    self, target = contiguous(self), contiguous(cast(target, Int64))
    weight = None if weight is None else contiguous(weight)
    x, t, w, y = data(self), data(target), NULL if weight is None else data(weight), data(output)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = nll_loss_kernel(x, t, w, reduction, ignore_index, y, total, s.n, s.classes,
                                     s.positions, dtype, &bad)
    else:
        status = nll_loss_kernel(x, t, w, reduction, ignore_index, y, total, s.n, s.classes,
                                 s.positions,
                                 dtype, &bad)
    _check_status(status, bad)
    return output, total_weight


cdef TensorImpl _backward(TensorImpl grad_output, TensorImpl self, TensorImpl target,
                          TensorImpl weight, int reduction, int64_t ignore_index,
                          TensorImpl total_weight, const Sizes* s):
    cdef TensorImpl result
    cdef int status, dtype = self.dtype
    cdef int64_t bad = 0
    cdef char* g
    cdef char* t
    cdef char* w
    cdef char* total
    cdef char* y
    if ndim(self) == 1 and reduction == NONE:
        reduction = SUM
    result = empty(ndim(self), sizes(self), dtype)
    grad_output, target = contiguous(cast(grad_output, dtype)), contiguous(cast(target, Int64))
    total_weight = cast(total_weight, dtype)
    weight = None if weight is None else contiguous(weight)
    g, t, w = data(grad_output), data(target), NULL if weight is None else data(weight)
    total, y = data(total_weight), data(result)
    if numel(self) >= RELEASE_GIL:
        with nogil:
            status = nll_loss_backward_kernel(g, t, w, reduction, ignore_index, total, y, s.n,
                                              s.classes,
                                              s.positions, dtype, &bad)
    else:
        status = nll_loss_backward_kernel(g, t, w, reduction, ignore_index, total, y, s.n,
                                          s.classes,
                                          s.positions, dtype, &bad)
    _check_status(status, bad)
    return result


# ---- the operators

cdef tuple nll_loss_forward(TensorImpl self, TensorImpl target, TensorImpl weight,
                            Py_ssize_t reduction, Py_ssize_t ignore_index):
    cdef Sizes s
    _check(self, target, weight, False, &s)
    _check_types(self, target, weight, "nll_loss_out_frame")
    return _forward(self, target, weight, reduction, ignore_index, &s)


cdef TensorImpl nll_loss_backward(TensorImpl grad_output, TensorImpl self, TensorImpl target,
                                  TensorImpl weight, Py_ssize_t reduction, Py_ssize_t ignore_index,
                                  TensorImpl total_weight):
    cdef Sizes s
    _check(self, target, weight, True, &s)
    if numel(total_weight) != 1:
        raise RuntimeError("expected total_weight to be a  single element tensor, got: "
                           f"{list(sizes_tuple(total_weight))} ({numel(total_weight)} elements)")
    if reduction == NONE and ndim(self) == 2:
        if ndim(grad_output) == 0:
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
        if ndim(grad_output) != 1 or sizes(grad_output)[0] != s.n:
            raise RuntimeError(
                f"Expected a tensor of dimension 1 and tensor.size[0] == {s.n} but got: dimension "
                f"{ndim(grad_output)} and tensor.size[0] = {sizes(grad_output)[0]}")
    elif ndim(grad_output) > 1 or numel(grad_output) != 1:
        raise RuntimeError("Expected a single element grad_output tensor, but got: "
                           f"{list(sizes_tuple(grad_output))}")
    _check_target_dtype(target)
    _check_types(self, target, weight, "nll_loss_backward_out_frame")
    return _backward(grad_output, self, target, weight, reduction, ignore_index, total_weight, &s)


cdef tuple nll_loss2d_forward(TensorImpl self, TensorImpl target, TensorImpl weight,
                              Py_ssize_t reduction, Py_ssize_t ignore_index):
    cdef Sizes s
    _check2d(self, target, weight, &s)
    _check_types(self, target, weight, "nll_loss2d_forward_out_frame")
    return _forward(self, target, weight, reduction, ignore_index, &s)


cdef TensorImpl nll_loss2d_backward(TensorImpl grad_output, TensorImpl self, TensorImpl target,
                                    TensorImpl weight, Py_ssize_t reduction,
                                    Py_ssize_t ignore_index,
                                    TensorImpl total_weight):
    cdef Sizes s
    _check2d(self, target, weight, &s)
    if numel(total_weight) != 1:
        raise RuntimeError("expected total_weight to be a single element tensor, got: "
                           f"{list(sizes_tuple(total_weight))} ({numel(total_weight)} elements)")
    if reduction == NONE:
        if sizes_tuple(grad_output) != sizes_tuple(target):
            raise RuntimeError(
                f"size mismatch (got grad_output: {list(sizes_tuple(grad_output))}, target: "
                f"{list(sizes_tuple(target))})")
    elif numel(grad_output) != 1:
        raise RuntimeError("Expected a single element grad_output tensor, but got: "
                           f"{list(sizes_tuple(grad_output))}")
    _check_types(self, target, weight, "nll_loss2d_backward_out_frame")
    return _backward(grad_output, self, target, weight, reduction, ignore_index, total_weight, &s)
