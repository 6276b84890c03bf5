"""What the tests see of the operators that join, rearrange and index. Not part of the package's
interface."""

from minitorch.core.tensor_impl cimport TensorImpl
from minitorch.ops.common cimport copy
from minitorch.ops.indexing cimport gather, index_parse, index_select, indexing, masked, repeat_interleave
from minitorch.ops.nn cimport embedding
from minitorch.ops.shape cimport joining, rearrange, views
from tests.probes.ops.sequence cimport impl_of

_OPERATORS = {
    "cat": lambda t, d=0, out=None: joining.cat(t, d, out),
    "stack": lambda t, d=0, out=None: joining.stack(t, d, out),
    "hstack": lambda t, out=None: joining.hstack(t, out),
    "vstack": lambda t, out=None: joining.vstack(t, out),
    "dstack": lambda t, out=None: joining.dstack(t, out),
    "column_stack": lambda t, out=None: joining.column_stack(t, out),
    "atleast_1d": lambda x: joining.atleast_1d(x),
    "atleast_2d": lambda x: joining.atleast_2d(x),
    "atleast_3d": lambda x: joining.atleast_3d(x),
    "meshgrid": lambda *t, indexing=None: joining.meshgrid(list(t), indexing),
    "cat_tensors_backward": lambda g, n, d: joining.cat_tensors_backward(g, n, d),
    "repeat": lambda x, *n: rearrange.repeat(x, n),
    "repeat_backward": lambda g, r, n: rearrange.repeat_backward(g, r, n),
    "tile": lambda x, n: rearrange.tile(x, n),
    "repeat_interleave": lambda r, output_size=None: repeat_interleave.repeat_interleave(r, output_size),
    "repeat_interleave_self_tensor":
        lambda x, r, dim=None, output_size=None:
        repeat_interleave.repeat_interleave_self_tensor(x, r, dim, output_size),
    "repeat_interleave_self_int":
        lambda x, r, dim=None, output_size=None:
        repeat_interleave.repeat_interleave_self_int(x, r, dim, output_size),
    "roll": lambda x, s, d=(): rearrange.roll(x, s, d),
    "flip": lambda x, d: rearrange.flip(x, d),
    "fliplr": lambda x: rearrange.fliplr(x),
    "flipud": lambda x: rearrange.flipud(x),
    "rot90": lambda x, k=1, d=(0, 1): rearrange.rot90(x, k, d),
    "tril": lambda x, k=0, out=None: rearrange.tril(x, k, out),
    "triu": lambda x, k=0, out=None: rearrange.triu(x, k, out),
    "index_select": lambda x, d, i, out=None: index_select.index_select(x, d, i, out),
    "index_select_backward": lambda g, n, d, i: index_select.index_select_backward(g, n, d, i),
    "index_add":
        lambda x, d, i, s, alpha=1, out=None: index_select.index_add(x, d, i, s, alpha, out),
    "index_copy": lambda x, d, i, s, out=None: index_select.index_copy(x, d, i, s, out),
    "index_fill": lambda x, d, i, v, out=None: index_select.index_fill(x, d, i, v, out),
    "index_fill_tensor":
        lambda x, d, i, v, out=None: index_select.index_fill_tensor(x, d, i, v, out),
    "gather": lambda x, d, i, out=None: gather.gather(x, d, i, False, out),
    "gather_backward": lambda g, n, d, i: gather.gather_backward(g, n, d, i),
    "scatter_src": lambda x, d, i, s, out=None: gather.scatter_src(x, d, i, s, out),
    "scatter_value": lambda x, d, i, v, out=None: gather.scatter_value(x, d, i, v, out),
    "scatter_src_reduce":
        lambda x, d, i, s, reduce, out=None: gather.scatter_src_reduce(x, d, i, s, reduce, out),
    "scatter_value_reduce":
        lambda x, d, i, v, reduce, out=None: gather.scatter_value_reduce(x, d, i, v, reduce, out),
    "scatter_add": lambda x, d, i, s, out=None: gather.scatter_add(x, d, i, s, out),
    "scatter_reduce":
        lambda x, d, i, s, reduce, include_self=True, out=None:
        gather.scatter_reduce(x, d, i, s, reduce, include_self, out),
    "take": lambda x, i, out=None: gather.take(x, i, out),
    "take_backward": lambda g, n, i: gather.take_backward(g, n, i),
    "put": lambda x, i, s, accumulate=False, out=None: gather.put(x, i, s, accumulate, out),
    "take_along_dim": lambda x, i, d=None, out=None: gather.take_along_dim(x, i, d, out),
    "masked_select": lambda x, m, out=None: masked.masked_select(x, m, out),
    "masked_select_backward": lambda g, x, m: masked.masked_select_backward(g, x, m),
    "masked_scatter": lambda x, m, s, out=None: masked.masked_scatter(x, m, s, out),
    "masked_scatter_backward": lambda g, m, n: masked.masked_scatter_backward(g, m, n),
    "nonzero": lambda x, out=None: masked.nonzero(x, out),
    "nonzero_numpy": lambda x: masked.nonzero_numpy(x),
    "argwhere": lambda x: masked.argwhere(x),
    "embedding": lambda w, i: embedding.embedding(w, i),
    "embedding_dense_backward":
        lambda g, i, n, p, s: embedding.embedding_dense_backward(g, i, n, p, s),
    "index": lambda x, i: indexing.index(x, i),
    "index_put": lambda x, i, v, accumulate=False: indexing.index_put(x, i, v, accumulate),
    "index_put_": lambda x, i, v, accumulate=False: indexing.index_put_(x, i, v, accumulate),
    "index_backward": lambda g, n, i: indexing.index_backward(g, n, i),
    "one_hot": lambda i, n=-1: embedding.one_hot(i, n),
}


def call(name, *args, **kwargs):
    """The operator of that name."""
    return _OPERATORS[name](*args, **kwargs)


def parse(TensorImpl t, index):
    """(steps, what they make of t, indices)"""
    cdef index_parse.ParsedIndex parsed = index_parse.parse_index(t, index, impl_of)
    return parsed.steps, parsed.view, parsed.indices


def getitem(TensorImpl t, entry):
    """t[entry], as the tensor class does it."""
    cdef index_parse.ParsedIndex parsed = index_parse.parse_index(t, entry, impl_of)
    if parsed.indices is None:
        return parsed.view
    return indexing.index(parsed.view, parsed.indices)


def setitem(TensorImpl t, entry, TensorImpl value):
    """t[entry] = value, for a value of the same dtype."""
    cdef index_parse.ParsedIndex parsed
    if entry is False:
        return
    parsed = index_parse.parse_index(t, None if entry is True else entry, impl_of)
    value = index_parse.strip_leading_ones(value)
    if parsed.indices is None:
        copy.copy_(parsed.view, views.expand_as(value, parsed.view))
    else:
        indexing.index_put_(parsed.view, parsed.indices, value)
