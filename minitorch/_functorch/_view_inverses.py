"""Inverses of view operators: each computes the base after a write to the view.

A rule is called as ``rule(view, base, value, *arguments)``. `arguments` are the operator's
arguments after the tensor, followed by the index of the result if the operator has several.
``view(name)`` returns the view operator to use.
"""

from collections.abc import Callable

from minitorch.autograd.operators import _operator

INVERSES: dict[str, Callable] = {}


def _inverse(*names):
    def register(rule):
        for name in names:
            INVERSES[name] = rule
        return rule

    return register


@_inverse("alias", "detach")
def _alias(view, base, value):
    return value


@_inverse("view", "reshape_alias")
def _view(view, base, value, size):
    return view("view")(value, base.shape)


@_inverse("view_dtype")
def _view_dtype(view, base, value, dtype):
    return view("view_dtype")(value, base.dtype._code)


@_inverse("view_as_real")
def _view_as_real(view, base, value):
    return view("view_as_complex")(value)


@_inverse("view_as_complex")
def _view_as_complex(view, base, value):
    return view("view_as_real")(value)


@_inverse("conj")
def _conj(view, base, value):
    return view("conj")(value)


@_inverse("_neg_view")
def _negative(view, base, value):
    return view("_neg_view")(value)


@_inverse("expand")
def _expand(view, base, value, size, implicit):
    # the changes of an element that the view shows several times are added up
    return base + (value - base).sum_to_size(base.shape)


@_inverse("permute")
def _permute(view, base, value, dims):
    ndim = base.dim()
    back = [0] * ndim
    for k, dim in enumerate(dims):
        back[dim % ndim] = k
    return view("permute")(value, back)


@_inverse("transpose")
def _transpose(view, base, value, dim0, dim1):
    return view("transpose")(value, dim0, dim1)


@_inverse("t")
def _t(view, base, value):
    return view("t")(value)


@_inverse("unsqueeze")
def _unsqueeze(view, base, value, dim):
    return view("squeeze_dim")(value, dim)


@_inverse("squeeze")
def _squeeze(view, base, value):
    return _with_ones(view, base, value, range(base.dim()))


@_inverse("squeeze_dim")
def _squeeze_dim(view, base, value, dim):
    return _with_ones(view, base, value, (dim,))


@_inverse("squeeze_dims")
def _squeeze_dims(view, base, value, dims):
    return _with_ones(view, base, value, dims)


def _with_ones(view, base, value, dims):
    for dim in sorted({d % max(base.dim(), 1) for d in dims}):
        if base.dim() and base.shape[dim] == 1:
            value = view("unsqueeze")(value, dim)
    return value


@_inverse("select")
def _select(view, base, value, dim, index):
    return _operator("select_scatter")(base, value, dim, index)


@_inverse("slice")
def _slice(view, base, value, dim, start, end, step):
    return _operator("slice_scatter")(base, value, dim, start, end, step)


@_inverse("diagonal")
def _diagonal(view, base, value, offset, dim1, dim2):
    return _operator("diagonal_scatter")(base, value, offset, dim1, dim2)


@_inverse("as_strided")
def _as_strided(view, base, value, size, stride, offset):
    return _operator("as_strided_scatter")(base, value, size, stride, offset)


@_inverse("unfold")
def _unfold(view, base, value, dim, size, step):
    if size > step:
        raise RuntimeError(
            "While executing unfold, functionalization encountered a tensor being mutated that has internal "
            "overlap. When using torch.compile (or running functionalization directly), this is banned as the "
            "behavior is not well defined. Consider cloning the tensor before mutating it, or removing the "
            "mutation from your model."
        )
    return _operator("unfold_backward")(value, base.shape, dim, size, step)


@_inverse("split")
def _split(view, base, value, size, dim, index):
    end = min((index + 1) * size, base.shape[dim])
    return _operator("slice_scatter")(base, value, dim, index * size, end, 1)


@_inverse("split_with_sizes")
def _split_with_sizes(view, base, value, sizes, dim, index):
    start = sum(sizes[:index])
    return _operator("slice_scatter")(base, value, dim, start, start + sizes[index], 1)


@_inverse("unbind")
def _unbind(view, base, value, dim, index):
    return _operator("select_scatter")(base, value, dim, index)
