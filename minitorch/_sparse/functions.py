"""Recorded functions without a row in ``derivatives/``: layout conversion, parts and products.

Each `Function` has the name of the node that PyTorch records.
"""

from minitorch._sparse import coo
from minitorch._sparse import dimensions as _dimensions  # noqa: F401 - its rules
from minitorch._sparse.coo import is_sparse, make, parts
from minitorch._sparse.products import plus_product, sparse_times_dense, times_hybrid
from minitorch._sparse.rules import _found, norm
from minitorch.autograd import is_grad_enabled
from minitorch.autograd.forward_grad import _any_dual
from minitorch.autograd.function import Function
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.recording_errors import no_forward_mode
from minitorch.autograd.special import SpecialGradient
from minitorch.autograd.variable import TensorBase


def named(name):
    """Return a class decorator that names a `Function`'s node and allows sparse gradients for it.

    The transforms of `func` use the same rules. `vmap` raises NotImplementedError.
    """

    def rename(cls):
        setup_context = cls.setup_context

        def announced(ctx, inputs, output):
            ctx.source = SpecialGradient()
            setup_context(ctx, inputs, output)

        cls.setup_context = staticmethod(announced)
        cls.vmap = staticmethod(_raise_in_vmap)
        cls._generated = cls
        node = cls._backward_cls
        node.__name__ = node.__qualname__ = name
        node.__module__ = "builtins"  # for the repr <EmbeddingBackward0 object at 0x...>
        return cls

    return rename


def _raise_in_vmap(info, in_dims, *arguments):
    raise NotImplementedError(
        "Could not run 'aten::view' with arguments from the 'SparseCPU' backend."
    )


def pick(t, indices):
    """Return the elements (nnz, *dense sizes) of a tensor at `indices`, recorded."""
    if not is_sparse(t):
        return coo.taken(t, indices)
    t = coalesce(t)
    sizes = coo.sparse_sizes(t)
    if parts(t).indices.shape[1] == 0:
        return t.detach()._values().new_zeros((indices.shape[1], *t.shape[len(sizes) :]))
    hit, at = _found(coo.flat(indices, sizes), coo.flat(parts(t).indices, sizes))
    values = values_of(t).index_select(0, at)
    return values * hit.reshape(-1, *(1,) * (values.dim() - 1)).to(values.dtype)


def _keep_places(ctx, t):
    """Store the indices, the size and the coalesced flag of a sparse tensor in a context."""
    s = parts(t)
    ctx.indices, ctx.coalesced, ctx.size = s.indices, s.coalesced, tuple(t.shape)


def _different(ctx):
    """Return the saved indices, sorted and unique: the gradient has one value for each."""
    if ctx.coalesced:
        return ctx.indices
    sizes = ctx.size[: ctx.indices.shape[0]]
    return coo.unflat(coo.flat(ctx.indices, sizes).unique(), sizes)


@named("SparseCooTensorWithDimsAndTensorsBackward0")
class SparseCooTensor(Function):
    """Sparse tensor from indices and values."""

    @staticmethod
    def forward(indices, values, size, coalesced):
        """Return the sparse tensor, which shares both."""
        return make(indices, values, size, coalesced)

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save the indices."""
        ctx.indices = inputs[0]

    @staticmethod
    def backward(ctx, grad):
        """Return the elements of the gradient at the indices."""
        return None, pick(grad, ctx.indices), None, None

    @staticmethod
    def jvp(ctx, indices, values, size, coalesced):
        """Raise NotImplementedError: there is no derivative for forward mode."""
        raise no_forward_mode("_sparse_coo_tensor_with_dims_and_tensors")


@named("CoalesceBackward0")
class Coalesce(Function):
    """Coalescing: equal indices are merged and their values summed."""

    @staticmethod
    def forward(t):
        """Return the coalesced tensor."""
        return coo.coalesced(t)

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save nothing."""

    @staticmethod
    def backward(ctx, grad):
        """Return the gradient unchanged."""
        return grad


@named("ValuesBackward0")
class Values(Function):
    """Values of a coalesced tensor."""

    @staticmethod
    def forward(t):
        """Return the values without a copy."""
        return parts(t).values.detach()

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save the indices."""
        _keep_places(ctx, *inputs)

    @staticmethod
    def backward(ctx, grad):
        """Return the gradient as a sparse tensor with the same indices."""
        return SparseCooTensor.apply(ctx.indices, grad, ctx.size, True)


@named("ToSparseBackward1")
class ToSparse(Function):
    """Conversion of a dense tensor to a sparse one without its zeros."""

    @staticmethod
    def forward(t, sparse_dim):
        """Return the coalesced sparse tensor."""
        used = t != 0
        if sparse_dim < t.dim():
            used = used.flatten(sparse_dim).any(-1)
        indices = (
            used.nonzero().t().contiguous() if sparse_dim else coo.empty(0, (), t.dtype)._indices()
        )
        if sparse_dim == 0:
            indices = indices.new_zeros((0, 1))
        return make(indices, coo.taken(t, indices).clone(), t.shape, True)

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save nothing."""

    @staticmethod
    def backward(ctx, grad):
        """Return the dense gradient."""
        return to_dense(grad), None


@named("ToDenseBackward0")
class ToDense(Function):
    """Conversion of a sparse tensor to a dense one."""

    @staticmethod
    def forward(t, masked):
        """Return the dense tensor."""
        return coo.dense(t)

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save the indices and whether the gradient is masked."""
        t, ctx.masked = inputs
        _keep_places(ctx, t)

    @staticmethod
    def backward(ctx, grad):
        """Return the gradient at the indices if `masked`, else its elements that are not zero."""
        if not ctx.masked:
            return to_sparse(grad, ctx.indices.shape[0]), None
        indices = _different(ctx)
        return SparseCooTensor.apply(indices, pick(grad, indices), ctx.size, True), None


@named("SparseMaskBackward0")
class SparseMask(Function):
    """Elements of a tensor at the indices of a sparse one."""

    @staticmethod
    def forward(t, mask):
        """Return the sparse tensor with the indices of `mask`."""
        s = parts(mask)
        return make(s.indices.clone(), pick(t, s.indices), t.shape, s.coalesced)

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save the indices and the layout."""
        t, mask = inputs
        _keep_places(ctx, mask)
        ctx.dense = not is_sparse(t)

    @staticmethod
    def backward(ctx, grad):
        """Return the gradient at the indices, in the layout of the tensor."""
        indices = _different(ctx)
        result = SparseCooTensor.apply(indices, pick(grad, indices), ctx.size, True)
        return to_dense(result) if ctx.dense else result, None


@named("SparseAddmmBackward0")
class SparseMm(Function):
    """``torch.sparse.mm`` of a sparse and a dense matrix; the sparse one has a sparse gradient."""

    @staticmethod
    def forward(a, b):
        """Return the dense product."""
        return sparse_times_dense(a, b)

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save both matrices."""
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad):
        """Return products with the other matrix, masked by the indices for the sparse matrix."""
        a, b = ctx.saved_tensors
        first = second = None
        if ctx.needs_input_grad[0]:
            first = sparse_mask(grad @ b.t().conj(), coo.coalesced(a.detach()))
        if ctx.needs_input_grad[1]:
            second = _ops.mm(a.t().conj(), grad)
        return first, second

    @staticmethod
    def jvp(ctx, a, b):
        """Raise NotImplementedError: there is no derivative for forward mode."""
        raise no_forward_mode("_sparse_addmm")


@named("SparseSumBackward0")
class SparseSum(Function):
    """``torch.sparse.sum`` over some dimensions."""

    @staticmethod
    def forward(t, dims):
        """Return the sum, which is sparse if a sparse dimension remains."""
        return _ops.sum(t, dims)

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save the indices and the dimensions."""
        t, ctx.dims = inputs
        _keep_places(ctx, t)

    @staticmethod
    def backward(ctx, grad):
        """Return the gradient expanded over the dimensions, at the indices of the tensor."""
        indices, count = _different(ctx), ctx.indices.shape[0]
        kept = [d for d in range(count) if d not in ctx.dims]
        if kept:
            values = pick(grad, indices[kept])
        else:
            values = grad.unsqueeze(0).expand(indices.shape[1], *grad.shape)
        for d in ctx.dims:
            if d >= count:
                values = values.unsqueeze(d - count + 1)
        values = values.expand(indices.shape[1], *ctx.size[count:])
        return SparseCooTensor.apply(indices, values, ctx.size, True), None


@named("NotImplemented")
class _WithoutDerivative(Function):
    """Operators without a derivative whose results require a gradient."""

    @staticmethod
    def forward(name, compute, *arguments):
        """Return ``compute(*arguments)``."""
        return compute(*arguments)

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Save the operator's name."""
        ctx.operator = inputs[0]

    @staticmethod
    def backward(ctx, grad):
        """Raise RuntimeError: the operator has no derivative."""
        raise RuntimeError(f"derivative for aten::{ctx.operator} is not implemented")


@parsed_as("hspmm")
def hspmm(mat1, mat2):
    """Multiply a sparse and a dense matrix, into a hybrid tensor.

    Parameters
    ----------
    mat1 : Tensor
        A sparse matrix of the shape ``(n, m)``.
    mat2 : Tensor
        A dense matrix of the shape ``(m, k)``.

    Returns
    -------
    Tensor
        Sparse in the rows and dense in the columns, of the shape ``(n, k)``.

    Raises
    ------
    RuntimeError
        If a layout or a size does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.hspmm(torch.eye(2).to_sparse(), torch.ones(2, 3)).to_dense()
    tensor([[1., 1., 1.],
            [1., 1., 1.]])
    """
    return _WithoutDerivative.apply("hspmm", times_hybrid, mat1, mat2)


def _plus_product(tensors, numbers, beta, alpha):
    """Compute `sspaddmm`; `numbers` are the positional scalars of its deprecated signatures."""
    beta = numbers[0] if numbers else beta
    alpha = numbers[1] if len(numbers) > 1 else alpha
    return _WithoutDerivative.apply("sspaddmm", plus_product, *tensors, beta, alpha)


@parsed_as("sspaddmm")
def sspaddmm(*given, beta=1, alpha=1, input=None, mat1=None, mat2=None):
    """Return ``beta * input + alpha * (mat1 @ mat2)``, sparse and not coalesced.

    Parameters
    ----------
    input, mat1 : Tensor
        Sparse matrices, (n, p) and (n, m).
    mat2 : Tensor
        A dense matrix, (m, p).
    beta, alpha : number, default 1
        The factors.
    *given
        The three matrices by position; the deprecated order of arguments has the factors before
        the matrices that they multiply.

    Returns
    -------
    Tensor
        Sparse, (n, p). Its backward pass raises RuntimeError.

    Raises
    ------
    RuntimeError
        If a matrix has the wrong layout or shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> a = torch.eye(2).to_sparse()
    >>> torch.sspaddmm(a, a, torch.ones(2, 2), beta=10).to_dense()
    tensor([[11.,  1.],
            [ 1., 11.]])
    """
    given = [*given, *(t for t in (input, mat1, mat2) if t is not None)]
    tensors = [t for t in given if isinstance(t, TensorBase)]
    numbers = [n for n in given if not isinstance(n, TensorBase)]
    return _plus_product(tensors, numbers, beta, alpha)


@parsed_as("smm")
def smm(input, mat2):
    """Multiply a sparse and a dense matrix, into a sparse one.

    Parameters
    ----------
    input : Tensor
        A sparse matrix of the shape ``(n, m)``.
    mat2 : Tensor
        A dense matrix of the shape ``(m, k)``.

    Returns
    -------
    Tensor
        A sparse matrix of the shape ``(n, k)``.

    Raises
    ------
    RuntimeError
        If a layout or a size does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.smm(torch.eye(2).to_sparse(), torch.ones(2, 3)).to_dense()
    tensor([[1., 1., 1.],
            [1., 1., 1.]])
    """
    if not is_sparse(input):
        if is_sparse(mat2):
            raise RuntimeError(
                "sspaddmm: expected 'mat1' to have sparse layout, got 'mat1' with layout Strided"
            )
        raise RuntimeError("tensor.sspaddmm(...) can only be called on sparse tensors")
    size = (input.shape[0], mat2.shape[-1])
    return sspaddmm(coo.empty(2, size, input.dtype), input, mat2)


def coalesce(t):
    """Return the coalesced tensor, recorded; `t` itself if it is coalesced."""
    return t if parts(t).coalesced else Coalesce.apply(t)


def values_of(t):
    """Return the values of a coalesced tensor, recorded."""
    return Values.apply(t)


def to_dense(t, masked=True):
    """Return the dense tensor, recorded; `t` itself if it is dense."""
    return ToDense.apply(t, masked) if is_sparse(t) else t


def to_sparse(t, sparse_dim):
    """Return the sparse tensor, recorded."""
    if t.is_complex() and t.requires_grad and is_grad_enabled():
        raise RuntimeError(
            "_to_sparse does not support automatic differentiation for outputs with complex dtype."
        )
    if _any_dual([t]):
        raise no_forward_mode("_to_sparse")
    return ToSparse.apply(t, sparse_dim)


def sparse_mask(t, mask):
    """Return the elements of `t` at the indices of `mask` as a sparse tensor, recorded."""
    return SparseMask.apply(t, mask)


def _norm(input, p, dim, keepdim, dtype):
    """Return the norm of the elements, or of vectors or matrices, under a deprecated name.

    Use :func:`torch.linalg.vector_norm` or :func:`torch.linalg.matrix_norm` instead.

    Parameters
    ----------
    p : number, "fro" or "nuc", default "fro"
        The order of the norm.
    dim : int or tuple of int, optional
        The dimensions of the vectors or matrices; by default all.
    keepdim : bool, default False
        Keep these dimensions, of size 1.
    dtype : dtype, optional
        Convert to this dtype first.

    Returns
    -------
    Tensor
        Real, of the shape of this tensor without `dim`.

    Raises
    ------
    RuntimeError
        If the norm does not exist.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.tensor([3.0, 4.0]).norm()
    tensor(5.)
    """
    if not is_sparse(input):
        raise NotImplementedError(
            "Could not run 'aten::native_norm' with arguments from the 'CPU' backend."
        )
    if dtype is not None:
        raise RuntimeError("norm_sparse currently does not support 'dtype' argument")
    return norm(input, p, dim, keepdim)


@parsed_as("native_norm")
def native_norm(input, p=2, dim=(), keepdim=False, dtype=None):
    """Return the norm of all elements of a sparse tensor; its backward pass raises RuntimeError.

    Parameters
    ----------
    input : Tensor
        A sparse tensor.
    p : number, default 2
        The order of the norm.
    dim : tuple of int, default ()
        Empty, or all dimensions.
    keepdim, dtype
        Only False and None are supported.

    Returns
    -------
    Tensor
        Without dimensions.

    Raises
    ------
    NotImplementedError
        If `input` is not sparse.
    RuntimeError
        For `keepdim`, `dtype`, or some of the dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.native_norm(torch.eye(4).to_sparse())
    tensor(2.)
    """
    p = 2 if p is None else p
    dim = (dim,) if isinstance(dim, int) else dim
    return _WithoutDerivative.apply("native_norm", _norm, input, p, dim, keepdim, dtype)
