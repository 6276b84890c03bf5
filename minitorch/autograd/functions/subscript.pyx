"""`TensorSubscript`: indexing of tensors, assignment to an index, and iteration.

`parse_index` (ops) splits an index into views and index tensors. Here the views are repeated as
recorded operators, and the index tensors go to `index` or `index_put_`.
"""

from cpython.slice cimport PySlice_Check, PySlice_Unpack

from minitorch.autograd.functions.generated.recorded cimport (
    r_alias, r_copy_, r_expand, r_fill_tensor_, r_index, r_index_put_, r_permute, r_select, r_slice,
    r_unbind, r_unsqueeze, r_view)
from minitorch.autograd.levels cimport Wrapped, wrapped
from minitorch.autograd.python_dispatch cimport create_in_python, dispatched_of
from minitorch.autograd.saved_variable cimport tensor_of
from minitorch.autograd.sparse_tensor cimport is_sparse
from minitorch.autograd.special cimport impl_of, interposers
from minitorch.autograd.torch_function cimport (
    PARSED, is_alone_plain, may_override, no_override, override_method)
from minitorch.autograd.variable cimport TensorBase, make_tensor
from minitorch.core.dtype cimport (
    Bool, Float64, Int64, UInt8, class_name, dtype_of, is_integral, is_reduced_floating)
from minitorch.core.tensor_impl cimport TensorImpl, ndim, same_sizes, sizes_tuple, wrap_dim
from minitorch.ops.common.copy cimport cast
from minitorch.ops.common.scalar cimport scalar_tensor
from minitorch.ops.creation.sequence cimport tensor_from_data
from minitorch.ops.indexing.index_parse cimport ParsedIndex, parse_index

from numpy import integer as _numpy_integer

from minitorch.autograd.interpose import fresh
from minitorch.core.class_names import type_name
from minitorch.core.types import cpu, strided


cdef TensorBase _take_views(TensorBase t, list steps):
    for step in steps:
        name = (<tuple>step)[0]
        if name == "select":
            t = r_select(t, step[1], step[2])
        elif name == "slice":
            t = r_slice(t, step[1], step[2], step[3], step[4])
        else:
            t = r_unsqueeze(t, step[1])
    return t


cdef list _index_tensors(list indices, object index):
    return [None if impl is None else _handle(<TensorImpl>impl, index) for impl in indices]


cdef TensorBase _handle(TensorImpl impl, object index):
    """Return the tensor of the index that has this impl, for modes know that one; for a list, a new tensor."""
    for item in index if type(index) is tuple else (index,):
        if isinstance(item, TensorBase) and (<TensorBase>item).impl is impl:
            return <TensorBase>item
    return tensor_of(impl)


cdef object _as_index(object index):
    """Return an index as modes and classes see it: flat lists as tensors, index tensors of one number as numbers."""
    if type(index) is tuple:
        return tuple([_as_index(item) for item in index])
    if type(index) is slice:
        return slice(_as_index(index.start), _as_index(index.stop), _as_index(index.step))
    if isinstance(index, TensorBase):
        return (<object>index).item() if _is_number(<TensorBase>index) else index
    if type(index) is not list or not index:
        return index
    for item in index:
        if type(item) is not type(index[0]) or not isinstance(item, int):
            return index
    return fresh(make_tensor(tensor_from_data(index, impl_of, Bool if type(index[0]) is bool else Int64)))


cdef bint _is_number(TensorBase t):
    """Return whether an index tensor is one integer; bytes are masks, and each sample of a batch has its own."""
    return ndim(t.impl) == 0 and is_integral(t.impl.dtype) and t.impl.dtype != UInt8 and wrapped(t) is None


cdef bint _holds_numbers_of_classes(list indices):
    """Return whether an index tensor is one number whose tensor class with ``__torch_dispatch__`` has to read it."""
    for impl in indices:
        if impl is not None and ndim(<TensorImpl>impl) == 0 and dispatched_of(<TensorImpl>impl) is not None:
            return True
    return False


cdef int _refuse_slice_of_batch(TensorBase t, slice index) except -1:
    """Raise PyTorch's error for a slice of a sample without dimensions, which looks for one behind the batch."""
    cdef Wrapped special = wrapped(t)
    if special is not None and special.dim >= 0 and (index.step is None or index.step > 0):
        wrap_dim(1, 1)
    return 0


cdef ParsedIndex _parsed(TensorBase t, object index):
    cdef ParsedIndex parsed
    if ndim(t.impl) == 0 and type(index) is slice:
        _refuse_slice_of_batch(t, index)
    parsed = parse_index(t.impl, index, impl_of)
    if parsed.indices is not None and _holds_numbers_of_classes(parsed.indices):
        return parse_index(t.impl, _as_index(index), impl_of)
    return parsed


cdef TensorBase _value(TensorBase t, object value):
    """Return the right side of an assignment as a tensor."""
    if isinstance(value, TensorBase):
        return <TensorBase>value
    if isinstance(value, (int, _numpy_integer)):
        value = int(value)
        if not -2**63 <= value < 2**63:
            raise ValueError("Overflow when unpacking long long")
    if isinstance(value, (int, float, complex)):
        if is_reduced_floating(t.impl.dtype):       # by way of float64: what is too large becomes infinite
            return fresh(make_tensor(cast(scalar_tensor(value, Float64), t.impl.dtype)))
        return fresh(make_tensor(scalar_tensor(value, t.impl.dtype)))
    raise TypeError(f"can't assign a {type_name(value)} to a torch.{class_name(t.impl.dtype)}Tensor")


cdef TensorBase _stripped(TensorBase value):
    """Return the value without leading dimensions of size 1, which an assignment ignores."""
    cdef tuple size = sizes_tuple(value.impl)
    cdef Py_ssize_t k = 0
    if not size or size[0] != 1:
        return value
    while k < len(size) and size[k] == 1:
        k += 1
    return r_view(value, size[k:])


cdef bint _is_lone_mask(object index):
    """Return whether an index is one truth value whose read a level, a mode or a tensor class has to see."""
    cdef TensorBase mask
    if not isinstance(index, TensorBase):
        return False
    mask = index
    return ndim(mask.impl) == 0 and mask.impl.dtype == Bool and (
        interposers > 0 or dispatched_of(mask.impl) is not None)


cdef TensorBase _places(TensorBase mask):
    """Return the index tensor for one truth value: empty or [0], or for a level the mask with one dimension more."""
    cdef TensorBase made
    if wrapped(mask) is not None:
        return r_unsqueeze(mask, 0)
    truth = bool((<object>mask).item())
    options = {"dtype": dtype_of(Int64), "layout": strided, "device": cpu}
    made = create_in_python("empty", ([int(truth)],), options)
    if made is None:
        return make_tensor(tensor_from_data([0] * truth, impl_of, Int64))
    return (<object>made).fill_(0.0) if truth else made


cdef TensorBase _whole(TensorBase t, object index):
    """Return the result of an index that selects everything: an alias, or the slice if the index is one."""
    cdef Py_ssize_t start, end, step
    if not PySlice_Check(index):
        return r_alias(t)
    PySlice_Unpack(index, &start, &end, &step)
    return r_slice(t, 0, start, end, step)


cdef int _copy_to(TensorBase view, TensorBase value) except -1:
    if not same_sizes(value.impl.geometry, view.impl.geometry):
        if ndim(value.impl) == 0:
            r_fill_tensor_(view, value)
            return 0
        value = _stripped(value)
        if not same_sizes(value.impl.geometry, view.impl.geometry):
            value = r_expand(value, sizes_tuple(view.impl), False)
    r_copy_(view, value, False)
    return 0


cdef class TensorSubscript(TensorBase):
    """Indexing and iteration."""

    def __getitem__(self, index):
        cdef ParsedIndex parsed
        cdef TensorBase view
        if not is_alone_plain(self) or may_override(index):
            result = override_method("__getitem__", PARSED, (self, index))
            if result is not no_override:
                return result
        # one tensor of positions, the commonest of index tensors, needs no reading
        if isinstance(index, TensorBase) and (<TensorBase>index).impl.dtype == Int64 and (
                ndim((<TensorBase>index).impl) > 0 and ndim(self.impl) > 0):
            return r_index(self, [index])
        if _is_lone_mask(index):
            view = r_unsqueeze(self, 0)
            return r_index(view, [_places(<TensorBase>index)])
        if interposers:
            index = _as_index(index)
        parsed = _parsed(self, index)
        if parsed.indices is None and not parsed.steps:
            return _whole(self, index)
        view = _take_views(self, parsed.steps)
        if parsed.indices is None:
            return view
        return r_index(view, _index_tensors(parsed.indices, index))

    def __setitem__(self, index, value):
        cdef ParsedIndex parsed
        cdef TensorBase right, view
        if not is_alone_plain(self) or may_override(index) or may_override(value):
            if override_method("__setitem__", PARSED, (self, index, value)) is not no_override:
                return
        if is_sparse(self.impl):
            raise TypeError("Cannot assign to a sparse tensor")
        if _is_lone_mask(index):
            right = _value(self, value)
            view = r_unsqueeze(self, 0)
            r_index_put_(view, [_places(<TensorBase>index)], _stripped(right), False)
            return
        if type(index) is bool:
            if index:
                _copy_to(r_unsqueeze(self, 0), _value(self, value))
            return
        if interposers:
            index = _as_index(index)
        parsed = _parsed(self, index)
        right = _value(self, value)
        view = _take_views(self, parsed.steps)
        if parsed.indices is None:
            _copy_to(view, right)
        else:
            r_index_put_(view, _index_tensors(parsed.indices, index), _stripped(right), False)

    @property
    def T(self):
        """Return the tensor with its dimensions in reverse order."""
        return r_permute(self, (1, 0)) if ndim(self.impl) == 2 else self._reversed_dims()

    def __delitem__(self, index):
        raise TypeError("Tensor does not support deleting items")

    def __iter__(self):
        if not is_alone_plain(self):
            # `iter` itself is not taken over; what it is made of is
            if self.dim() == 0:
                raise TypeError("iteration over a 0-d tensor")
            return iter(self.unbind(0))
        if ndim(self.impl) == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(tuple(r_unbind(self, 0)))
