"""What the tests see of the view operators: NumPy arrays in, `TensorImpl`s through, arrays and
geometry out."""

cimport numpy as cnp

from minitorch.core.dtype cimport dtype_of, from_numpy_type, itemsizes, numpy_types
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, data, external, ndim, sizes_tuple, strides_tuple)
from minitorch.ops.shape cimport slices, transposes, view_backward, views

cnp.import_array()


def from_array(cnp.ndarray array):
    """The whole C-contiguous array as a tensor that shares its memory."""
    cdef Py_ssize_t[MAX_DIMS] n
    cdef int d
    for d in range(array.ndim):
        n[d] = array.shape[d]
    return external(<char*>cnp.PyArray_DATA(array), array.nbytes, array, array.ndim, n, NULL,
                    from_numpy_type(cnp.PyArray_TYPE(array)))


def to_array(TensorImpl t):
    """A view of the tensor's memory, valid while the tensor lives."""
    cdef cnp.npy_intp[MAX_DIMS] n
    cdef cnp.npy_intp[MAX_DIMS] s
    for d, (size, stride) in enumerate(zip(sizes_tuple(t), strides_tuple(t))):
        n[<int>d] = size
        s[<int>d] = stride * itemsizes[t.dtype]
    return cnp.PyArray_New(cnp.ndarray, ndim(t), n, numpy_types[t.dtype], s, data(t), 0,
                           cnp.NPY_ARRAY_WRITEABLE, None)


def geometry(TensorImpl t):
    """(sizes, strides, storage offset, dtype name)"""
    return sizes_tuple(t), strides_tuple(t), t.storage_offset, dtype_of(t.dtype)._name


def shares_storage(TensorImpl a, TensorImpl b):
    return a.storage == b.storage and a.version_counter == b.version_counter


def call(str name, *args):
    """The operator of that name."""
    return _OPERATORS[name](*args)


_OPERATORS = {
    "view": lambda x, *size: views.view(x, size),
    "view_as": lambda x, y: views.view_as(x, y),
    "view_dtype": lambda x, int code: views.view_dtype(x, code),
    "reshape": lambda x, *size: views.reshape(x, size),
    "flatten": lambda x, a=0, b=-1: views.flatten(x, a, b),
    "unflatten": lambda x, d, s: views.unflatten(x, d, s),
    "expand": lambda x, *size: views.expand(x, size),
    "expand_as": lambda x, y: views.expand_as(x, y),
    "broadcast_tensors": lambda *ts: views.broadcast_tensors(list(ts)),
    "as_strided": lambda x, n, s, o=None: views.as_strided(x, n, s, o),
    "squeeze": lambda x: views.squeeze(x),
    "squeeze_dim": lambda x, d: views.squeeze_dim(x, d),
    "squeeze_dims": lambda x, d: views.squeeze_dims(x, d),
    "unsqueeze": lambda x, d: views.unsqueeze(x, d),
    "detach": lambda x: views.detach(x),
    "transpose": lambda x, a, b: transposes.transpose(x, a, b),
    "permute": lambda x, *d: transposes.permute(x, d),
    "t": lambda x: transposes.t(x),
    "mT": lambda x: transposes.mT(x),
    "movedim": lambda x, a, b: transposes.movedim(x, a, b),
    "select": lambda x, d, i: slices.select(x, d, i),
    "slice": lambda x, d, a, b, s=1: slices.slice(x, d, a, b, s),
    "narrow": lambda x, d, a, n: slices.narrow(x, d, a, n),
    "split": lambda x, n, d=0: slices.split(x, n, d),
    "split_with_sizes": lambda x, n, d=0: slices.split_with_sizes(x, n, d),
    "chunk": lambda x, n, d=0: slices.chunk(x, n, d),
    "tensor_split_sections": lambda x, n, d=0: slices.tensor_split_sections(x, n, d),
    "tensor_split_indices": lambda x, n, d=0: slices.tensor_split_indices(x, n, d),
    "tensor_split_tensor":
        lambda x, n, d=0: slices.tensor_split_tensor(x, n, d),
    "unbind": lambda x, d=0: slices.unbind(x, d),
    "diagonal": lambda x, o=0, a=0, b=1: slices.diagonal(x, o, a, b),
    "unfold": lambda x, d, n, s: slices.unfold(x, d, n, s),
    "select_backward":
        lambda g, n, d, i: view_backward.select_backward(g, n, d, i),
    "slice_backward":
        lambda g, n, d, a, b, s: view_backward.slice_backward(g, n, d, a, b, s),
    "diagonal_backward":
        lambda g, n, o, a, b: view_backward.diagonal_backward(g, n, o, a, b),
    "unfold_backward":
        lambda g, n, d, w, s: view_backward.unfold_backward(g, n, d, w, s),
    "as_strided_backward":
        lambda g, i, j, k, n, s, o:
        view_backward.as_strided_backward(g, i, j, k, n, s, o),
    "unsqueeze_to": lambda g, n: view_backward.unsqueeze_to(g, n),
    "unsqueeze_to_dim":
        lambda g, d, n: view_backward.unsqueeze_to_dim(g, d, n),
    "unsqueeze_to_dims":
        lambda g, d, n: view_backward.unsqueeze_to_dims(g, d, n),
    "split_with_sizes_backward":
        lambda g, s, d, n, c: view_backward.split_with_sizes_backward(g, s, d, n, c),
    "split_backward":
        lambda g, s, d, n, c: view_backward.split_backward(g, s, d, n, c),
    "unbind_backward": lambda g, d: view_backward.unbind_backward(g, d),
}
