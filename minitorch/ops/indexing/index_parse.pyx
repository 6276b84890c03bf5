"""Parsing of an index, from left to right.

`_Reader` keeps track of the dimension of the current view that the next entry refers to. Views are applied while
parsing, since a later entry needs their sizes. An index tensor takes one dimension, a mask as many as it has. The
list passed to `index` has one entry for each dimension, with None for a dimension taken whole.

References
----------
PyTorch's counterpart is ``torch/csrc/autograd/python_variable_indexing.cpp``.
"""

import warnings

import numpy

cimport numpy as cnp
from cpython.bool cimport PyBool_Check
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_Check
from cpython.number cimport PyNumber_Index
from cpython.sequence cimport PySequence_Check
from cpython.slice cimport PySlice_Check

from minitorch.core.class_names import type_name
from minitorch.core.error_pages import explained
from minitorch.core.dtype cimport Bool, Int64, UInt8, is_integral
from minitorch.core.tensor_impl cimport (
    TensorImpl, as_strided_impl, data, empty, ndim, sizes, strides, wrap_dim)
from minitorch.ops.common.scalar cimport read_scalar
from minitorch.ops.creation.sequence cimport infer_scalar_type, tensor_from_data
from minitorch.ops.shape.slices cimport select_dim, slice_dim
from minitorch.ops.shape.views cimport unsqueeze

cnp.import_array()

cdef extern from "Python.h":
    int PySlice_Unpack(object, Py_ssize_t*, Py_ssize_t*, Py_ssize_t*) except -1

cdef type _NUMPY_INTEGER = numpy.integer


cdef inline bint _is_integer(object entry):
    if PyLong_Check(entry):
        return not PyBool_Check(entry)
    return isinstance(entry, _NUMPY_INTEGER)


cdef Py_ssize_t _to_integer(object entry) except? -1:
    cdef int overflow = 0
    cdef long long value = PyLong_AsLongLongAndOverflow(entry, &overflow)
    if overflow:
        raise ValueError("Overflow when unpacking long long")
    return value


cdef Py_ssize_t check_select(TensorImpl self, int dim, Py_ssize_t index, int real_dim) except? -1:
    # a second ellipsis may have moved past the last dimension
    cdef Py_ssize_t size = sizes(self)[wrap_dim(dim, ndim(self))] if ndim(self) else 0
    if index == 0 and dim == 0 and ndim(self) == 0:
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` "
            "in C++ to convert a 0-dim tensor to a number")
    if index < -size or index >= size:
        raise explained(IndexError(
            f"index {index} is out of bounds for dimension {real_dim} with size {size}"), "index-out-of-bounds")
    return index


cdef class _Reader:
    cdef TensorImpl view               # the result of the views so far
    cdef list steps
    cdef list indices
    cdef int dim                       # the dimension of `view` that the next entry refers to
    cdef ImplOf impl_of
    cdef int covered                   # number of dimensions of `view` that `indices` covers

    cdef int select(self, Py_ssize_t index, int real_dim) except -1:
        check_select(self.view, self.dim, index, real_dim)
        self.steps.append(("select", self.dim, index))
        if index < 0:
            index += sizes(self.view)[self.dim]
        self.view = select_dim(self.view, self.dim, index)
        return 0

    cdef int slice(self, object entry) except -1:
        cdef Py_ssize_t start, end, step, size
        PySlice_Unpack(entry, &start, &end, &step)
        if step <= 0:
            raise ValueError("step must be greater than zero")
        if ndim(self.view) == 0:
            raise IndexError("slice() cannot be applied to a 0-dim tensor.")
        size = sizes(self.view)[wrap_dim(self.dim, ndim(self.view))]
        # a whole dimension needs no view
        if start != 0 or step != 1 or end < size:
            self.steps.append(("slice", self.dim, start, end, step))
            self.view = slice_dim(self.view, self.dim, start, end, step)
        self.dim += 1
        return 0

    cdef int unsqueeze(self) except -1:
        self.steps.append(("unsqueeze", self.dim))
        self.view = unsqueeze(self.view, self.dim)
        return 0

    cdef int tensor(self, TensorImpl index) except -1:
        cdef int taken = 1
        if index.dtype == Bool or index.dtype == UInt8:
            taken = ndim(index)
        while self.covered < self.dim:
            self.indices.append(None)
            self.covered += 1
        self.indices.append(index)
        self.covered += taken
        self.dim += taken
        return 0

    cdef int truth(self, bint value) except -1:
        """Handle True or False: a new dimension of size 1, indexed by [0] or by []."""
        cdef Py_ssize_t n = 1 if value else 0
        cdef TensorImpl index = empty(1, &n, Int64)
        if value:
            (<long long*>data(index))[0] = 0
        self.unsqueeze()
        return self.tensor(index)

    cdef int entry(self, object entry, int position, int skipped) except -1:
        """Handle one entry; `skipped` is the number of dimensions that an ellipsis covers."""
        cdef TensorImpl t
        if _is_integer(entry):
            return self.select(_to_integer(entry), position)
        if PySlice_Check(entry):
            return self.slice(entry)
        if entry is Ellipsis:
            self.dim += skipped
            return 0
        if entry is None:
            self.unsqueeze()
            self.dim += 1
            return 0
        if PyBool_Check(entry):
            return self.truth(entry)
        t = self.impl_of(entry)
        if t is None:
            if not PySequence_Check(entry):
                return self.select(_index_of(entry), position)
            t = _tensor_of(entry, self.impl_of)
        # a tensor that holds several values, as under `vmap`, has no single number to select by
        if ndim(t) == 0 and t.special is None:
            if t.dtype == Bool or t.dtype == UInt8:
                return self.truth((<unsigned char*>data(t))[0])
            if is_integral(t.dtype):
                return self.select(read_scalar(data(t), t.dtype), position)
        return self.tensor(t)


cdef TensorImpl _tensor_of(object sequence, ImplOf impl_of):
    """Return a sequence as an index tensor: a mask if its elements are bool or uint8, else int64."""
    cdef int dtype = infer_scalar_type(sequence, impl_of)
    return tensor_from_data(sequence, impl_of, dtype if dtype == Bool or dtype == UInt8 else Int64)


cdef Py_ssize_t _index_of(object entry) except? -1:
    try:
        value = PyNumber_Index(entry)
    except Exception:
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
            f"valid indices (got {type_name(entry)})") from None
    return _to_integer(value)


cdef int _specified(tuple index, ImplOf impl_of) except -1:
    """Return the number of the tensor's dimensions that the entries refer to."""
    cdef int count = 0
    cdef TensorImpl t
    for entry in index:
        if entry is None or entry is Ellipsis or PyBool_Check(entry):
            continue
        t = None if PyLong_Check(entry) or PySlice_Check(entry) else impl_of(entry)
        if t is not None and (t.dtype == Bool or t.dtype == UInt8):
            count += ndim(t)
        else:
            count += 1
    return count


cdef bint _is_tuple_like(object index, ImplOf impl_of) except -1:
    """Return whether a sequence counts as a tuple of indices by NumPy's old rule, and warn if so.

    The rule: it is short and contains a sequence, a slice, None or an ellipsis.
    """
    cdef Py_ssize_t n
    if impl_of(index) is not None or not PySequence_Check(index) or cnp.PyArray_Check(index):
        return False
    try:
        n = len(index)
        if n >= 32:
            return False
        for k in range(n):
            item = index[k]
            if (PySlice_Check(item) or item is None or item is Ellipsis or PySequence_Check(item)
                    or impl_of(item) is not None):
                break
        else:
            return False
    except Exception:
        return False
    warnings.warn(
        "Using a non-tuple sequence for multidimensional indexing is deprecated and will be "
        "changed in pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will "
        "be interpreted as tensor index, x[torch.tensor(seq)], which will result either in an "
        "error or a different result", UserWarning, 1)
    return True


cdef ParsedIndex parse_index(TensorImpl self, object index, ImplOf impl_of):
    cdef _Reader reader = _Reader.__new__(_Reader)
    cdef ParsedIndex parsed
    cdef tuple entries
    cdef int specified, position
    reader.view = self
    reader.impl_of = impl_of
    reader.steps = []
    reader.indices = []
    if index is None or index is Ellipsis or PyBool_Check(index) or PySlice_Check(index) or (
            _is_integer(index)):
        reader.entry(index, 0, 0)
    else:
        if type(index) is tuple or isinstance(index, tuple):
            entries = tuple(index)
        elif _is_tuple_like(index, impl_of):
            entries = tuple([index[k] for k in range(len(index))])
        else:
            entries = (index,)
        specified = _specified(entries, impl_of)
        if specified > ndim(self):
            raise IndexError(f"too many indices for tensor of dimension {ndim(self)}")
        for position in range(len(entries)):
            reader.entry(entries[position], position, ndim(self) - specified)
    parsed = ParsedIndex.__new__(ParsedIndex)
    parsed.steps = reader.steps
    parsed.view = reader.view
    parsed.indices = reader.indices if reader.indices else None
    return parsed


cdef TensorImpl strip_leading_ones(TensorImpl value):
    cdef int k = 0
    while k < ndim(value) and sizes(value)[k] == 1:
        k += 1
    if k == 0:
        return value
    return as_strided_impl(value, ndim(value) - k, sizes(value) + k, strides(value) + k,
                           value.storage_offset)
