# A row-major tensor as (outer, n, inner), where n is the size of one dimension.

from minitorch.core.tensor_impl cimport TensorImpl, ndim, sizes

cdef struct Rows:
    Py_ssize_t outer
    Py_ssize_t n
    Py_ssize_t inner

cdef inline Rows rows_of(TensorImpl self, int dim) noexcept:
    """Return the rows along `dim`; a 0-dim tensor has one row of one element."""
    cdef Rows rows
    cdef int d
    rows.outer = rows.n = rows.inner = 1
    for d in range(ndim(self)):
        if d < dim:
            rows.outer *= sizes(self)[d]
        elif d == dim:
            rows.n = sizes(self)[d]
        else:
            rows.inner *= sizes(self)[d]
    return rows
