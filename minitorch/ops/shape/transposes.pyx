"""Views that permute the dimensions; sizes and strides are permuted together."""

from libc.string cimport memcpy

from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, alias, as_strided_impl, ndim, sizes, strides, wrap_dim)

from minitorch.core.once import warn_once


cdef TensorImpl transpose(TensorImpl self, Py_ssize_t dim0, Py_ssize_t dim1):
    cdef Py_ssize_t[MAX_DIMS] size
    cdef Py_ssize_t[MAX_DIMS] stride
    cdef int n = ndim(self), a = wrap_dim(dim0, n), b = wrap_dim(dim1, n)
    if a == b:
        return alias(self)
    memcpy(size, sizes(self), n * sizeof(Py_ssize_t))
    memcpy(stride, strides(self), n * sizeof(Py_ssize_t))
    size[a] = sizes(self)[b]
    size[b] = sizes(self)[a]
    stride[a] = strides(self)[b]
    stride[b] = strides(self)[a]
    return as_strided_impl(self, n, size, stride, self.storage_offset)


cdef TensorImpl swapaxes(TensorImpl self, Py_ssize_t axis0, Py_ssize_t axis1):
    return transpose(self, axis0, axis1)


cdef TensorImpl swapdims(TensorImpl self, Py_ssize_t dim0, Py_ssize_t dim1):
    return transpose(self, dim0, dim1)


cdef TensorImpl permute(TensorImpl self, tuple dims):
    cdef Py_ssize_t[MAX_DIMS] size
    cdef Py_ssize_t[MAX_DIMS] stride
    cdef bint[MAX_DIMS] seen
    cdef int n = ndim(self), d, k
    if len(dims) != n:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {n} is not equal to "
            f"len(dims) = {len(dims)}")
    for d in range(n):
        seen[d] = False
    for d in range(n):
        k = wrap_dim(dims[d], n)
        if seen[k]:
            raise RuntimeError("permute(): duplicate dims are not allowed.")
        seen[k] = True
        size[d] = sizes(self)[k]
        stride[d] = strides(self)[k]
    return as_strided_impl(self, n, size, stride, self.storage_offset)


cdef TensorImpl t(TensorImpl self):
    if ndim(self) > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {ndim(self)}D")
    return transpose(self, 0, 0 if ndim(self) < 2 else 1)


cdef TensorImpl mT(TensorImpl self):
    if ndim(self) == 0:
        warn_once("Tensor.mT is deprecated on 0-D tensors. This function is the identity in these "
                  "cases.")
        return alias(self)
    if ndim(self) == 1:
        raise RuntimeError("tensor.mT is only supported on matrices or batches of matrices. Got "
                           "1-D tensor.")
    return transpose(self, -2, -1)


cdef tuple movedim_order(int ndim, tuple source, tuple destination):
    cdef int[MAX_DIMS] order
    cdef bint[MAX_DIMS] taken
    cdef int d, free = 0
    cdef list src, dst
    if len(source) != len(destination):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(source)} dims) should "
            f"contain the same number of dims as destination ({list(destination)} dims)")
    src = [wrap_dim(dim, ndim) for dim in source]
    dst = [wrap_dim(dim, ndim) for dim in destination]
    for name, dims, given in (("source", src, source), ("destination", dst, destination)):
        if len(set(dims)) != len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(given)})")
    if ndim == 0:
        return ()
    for d in range(ndim):
        order[d] = -1
        taken[d] = False
    for a, b in zip(src, dst):
        order[<int>b] = a
        taken[<int>a] = True
    for d in range(ndim):
        if order[d] < 0:
            while taken[free]:
                free += 1
            order[d] = free
            free += 1
    return tuple([order[d] for d in range(ndim)])


cdef TensorImpl movedim(TensorImpl self, tuple source, tuple destination):
    return permute(self, movedim_order(ndim(self), source, destination))
