"""Rules for sparse tensors that permute, reduce, select or concatenate dimensions."""

from minitorch._sparse import coo
from minitorch._sparse.coo import is_sparse, make, parts
from minitorch._sparse.rules import _detach, code_to_dtype, in_place, rule
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.core.tensor_impl import maybe_wrap_dim


@rule("sum_dim")
def _sum_dim(self, dim, keepdim=False, dtype=None):
    s, n = parts(self), self.dim()
    dims = sorted({maybe_wrap_dim(d, self.dim()) for d in dim}) if dim else list(range(n))
    count = s.indices.shape[0]
    inner = tuple(d - count + 1 for d in dims if d >= count)
    wanted = code_to_dtype.get(dtype)
    values = s.values.sum(inner, dtype=wanted) if inner else s.values.to(wanted or self.dtype)
    kept = [d for d in range(count) if d not in dims]
    size = [m for d, m in enumerate(self.shape) if d not in dims]
    if kept:
        result = coo.coalesced(make(s.indices[kept], values, size, False))
    else:
        result = values.sum(0)
    for d in dims if keepdim else ():
        result = result.unsqueeze(d) if not is_sparse(result) else _unsqueeze(result, d)
    return result


@rule("t")
def _t(self):
    s = parts(self)
    if s.indices.shape[0] > 2 or s.values.dim() > 1:
        raise RuntimeError(
            "t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got "
            f"{s.indices.shape[0]} sparse and {s.values.dim() - 1} dense dimensions"
        )
    return _transpose(self, 0, self.dim() - 1)


@rule("transpose")
def _transpose(self, dim0, dim1):
    order = list(range(self.dim()))
    dim0, dim1 = maybe_wrap_dim(dim0, self.dim()), maybe_wrap_dim(dim1, self.dim())
    if dim0 == dim1:
        return _detach(self)
    order[dim0], order[dim1] = dim1, dim0
    if (dim0 < parts(self).indices.shape[0]) != (dim1 < parts(self).indices.shape[0]):
        raise RuntimeError(
            "sparse transpose: transposed dimensions must be sparse Got sparse_dim: "
            f"{parts(self).indices.shape[0]}, d0: {dim0}, d1: {dim1}"
        )
    return _permute(self, order)


in_place("t")
in_place("transpose")


@rule("permute")
def _permute(self, dims):
    s = parts(self)
    count = s.indices.shape[0]
    if len(dims) != self.dim():
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length "
            f"of the desired ordering of dimensions i.e. input.dim() = {self.dim()} is not equal to "
            f"len(dims) = {len(dims)}"
        )
    order = [maybe_wrap_dim(d, self.dim()) for d in dims]
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    if any(d >= count for d in order[:count]):
        raise RuntimeError(
            "permute(sparse_coo): transpositions between sparse and dense dimensions are not allowed."
            "Only transpositions within sparse and dense dimensions are supported."
        )
    indices = s.indices[order[:count]]
    values = s.values.permute(0, *(d - count + 1 for d in order[count:]))
    same = s.coalesced and order[:count] == list(range(count))
    return make(indices, values, [self.shape[d] for d in order], same)


@rule("select")
def _select(self, dim, index):
    s, dim = parts(self), maybe_wrap_dim(dim, self.dim())
    if not -self.shape[dim] <= index < self.shape[dim]:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(self.shape)} at "
            f"dimension {dim}"
        )
    index %= self.shape[dim]
    size = [m for d, m in enumerate(self.shape) if d != dim]
    count = s.indices.shape[0]
    if dim >= count:
        return make(s.indices, s.values.select(dim - count + 1, index), size, s.coalesced)
    kept = [d for d in range(count) if d != dim]
    chosen = s.indices[dim] == index
    values = s.values[chosen]
    if count == 1:
        return values.sum(0)
    return make(s.indices[kept][:, chosen], values, size, s.coalesced or None)


@rule("unbind")
def _unbind(self, dim):
    return [_select(self, dim, k) for k in range(self.shape[maybe_wrap_dim(dim, self.dim())])]


@rule("unsqueeze")
def _unsqueeze(self, dim):
    s, dim = parts(self), maybe_wrap_dim(dim, self.dim() + 1)
    size = [*self.shape[:dim], 1, *self.shape[dim:]]
    count = s.indices.shape[0]
    if dim > count:
        return make(s.indices, s.values.unsqueeze(dim - count + 1), size, s.coalesced)
    row = s.indices.new_zeros((1, s.indices.shape[1]))
    return make(_ops.cat([s.indices[:dim], row, s.indices[dim:]]), s.values, size)


@rule("index_select")
def _index_select(self, dim, index):
    s, dim = parts(self), maybe_wrap_dim(dim, self.dim())
    size = list(self.shape)
    size[dim] = index.numel()
    count = s.indices.shape[0]
    if dim >= count:
        return make(s.indices, s.values.index_select(dim - count + 1, index), size, s.coalesced)
    if index.numel() and not (0 <= int(index.min()) and int(index.max()) < self.shape[dim]):
        raise IndexError("index_select(): index contains a value that is out of range")
    # all pairs of a position in `index` and an element with that index
    place, element = (index.unsqueeze(1) == s.indices[dim].unsqueeze(0)).nonzero().unbind(1)
    indices = s.indices[:, element]
    indices[dim] = place
    return make(indices, s.values[element], size, False if indices.shape[1] > 1 else None)


@rule("narrow_copy")
def _narrow_copy(self, dim, start, length):
    s, count = parts(self), parts(self).indices.shape[0]
    if not 0 <= dim < self.dim():
        raise RuntimeError(f"Dimension {dim} out of range. Expecting 0 <= dim < {self.dim()}.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not 0 <= start <= self.shape[dim] - length:
        raise RuntimeError(
            "Invalid range to narrow. range(start, start+length) must be a subset of "
            f"range(0, {self.shape[dim]})."
        )
    size = [*self.shape[:dim], length, *self.shape[dim + 1 :]]
    if dim >= count:
        values = s.values.narrow(dim - count + 1, start, length).clone()
        return make(s.indices.clone(), values, size, s.coalesced)
    chosen = (s.indices[dim] >= start) & (s.indices[dim] < start + length)
    indices = s.indices[:, chosen]
    indices[dim] -= start
    return make(indices, s.values[chosen], size, s.coalesced)


def _check_sparse(tensors):
    if not is_sparse(tensors[0]):
        raise NotImplementedError(
            "Could not run 'aten::_values' with arguments from the 'CPU' backend."
        )
    for position, t in enumerate(tensors):
        if not is_sparse(t):
            raise RuntimeError(
                f"Concatenating sparse tensors, but a dense tensor was found at position {position}."
            )


@rule("stack")
def _stack(tensors, dim=0):
    size = list(tensors[0].shape)
    for position, t in enumerate(tensors):
        if list(t.shape) != size:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {size} at entry 0 and "
                f"{list(t.shape)} at entry {position}"
            )
    _check_sparse(tensors)
    return _cat([_unsqueeze(t, dim) for t in tensors], dim)


@rule("cat")
def _cat(tensors, dim=0):
    first, dim = tensors[0], maybe_wrap_dim(dim, tensors[0].dim())
    _check_sparse(tensors)
    count, size = parts(first).indices.shape[0], list(first.shape)
    for t in tensors[1:]:
        same = [n for d, n in enumerate(t.shape) if d != dim]
        if (
            same != [n for d, n in enumerate(size) if d != dim]
            or parts(t).indices.shape[0] != count
        ):
            raise RuntimeError("All tensors must have the same shape and the same sparse dimensions, "
                               "except in the dimension they are joined in")  # fmt: skip
    all_indices, all_values, start = [], [], 0
    for t in tensors:
        s = parts(t)
        indices, values = s.indices.clone(), s.values
        if dim < count:
            indices[dim] += start
        else:
            # pad the dense dimension with zeros on both sides
            before, after = list(values.shape), list(values.shape)
            before[dim - count + 1] = start
            after[dim - count + 1] = sum(t.shape[dim] for t in tensors) - start - t.shape[dim]
            values = _ops.cat(
                [values.new_zeros(before), values, values.new_zeros(after)], dim - count + 1
            )
        all_indices.append(indices)
        all_values.append(values)
        start += t.shape[dim]
    size[dim] = start
    return make(_ops.cat(all_indices, 1), _ops.cat(all_values), size)
