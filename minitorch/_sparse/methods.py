"""Methods of `Tensor` for sparse tensors."""

from minitorch._sparse import coo, functions, resizing
from minitorch._sparse.coo import is_sparse, parts
from minitorch.autograd.functions.python_signatures import parsed_method
from minitorch.core.types import sparse_coo


def _require(t, name):
    if not is_sparse(t):
        raise RuntimeError(f"{name} expected sparse coordinate tensor layout but got Strided")
    return parts(t)


def _dense_error(name):
    return NotImplementedError(
        f"Could not run 'aten::{name}' with arguments from the 'CPU' backend."
    )


class SparseMethods:
    """Methods of sparse tensors that `Tensor` receives; most raise for dense tensors."""

    __slots__ = ()

    def to_dense(self, dtype=None, *, masked_grad=True):
        """Return the dense tensor with the same elements; `self` if it is dense.

        Parameters
        ----------
        dtype : dtype, optional
            Only for dense tensors.
        masked_grad : bool, default True
            Whether the gradient is restricted to the indices of this tensor.

        Returns
        -------
        Tensor
            The same shape.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.eye(2).to_sparse().to_dense()
        tensor([[1., 0.],
                [0., 1.]])
        """
        if is_sparse(self):
            if dtype is not None:
                raise RuntimeError("dtype argument is not supported by sparse_to_dense")
            return functions.to_dense(self, masked_grad is not False)
        return self if dtype is None else self.to(dtype)

    def to_sparse_coo(self):
        """Return a sparse tensor with the elements that are not zero.

        Returns
        -------
        Tensor
            The same shape.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.eye(2).to_sparse_coo().layout
        torch.sparse_coo
        """
        return self.to_sparse()

    def to_sparse(self, *args, layout=None, blocksize=None, dense_dim=None):
        """Return a sparse tensor with the elements that are not zero.

        Parameters
        ----------
        sparse_dim : int, optional
            The number of leading dimensions that are sparse. By default, all are.
        *args
            `sparse_dim` or `layout` by position.
        layout : layout, optional
            Must be ``sparse_coo``, the only sparse layout supported.
        blocksize, dense_dim : optional
            For other layouts.

        Returns
        -------
        Tensor
            The same shape and dtype. For a tensor that is sparse already, the tensor itself.

        Raises
        ------
        RuntimeError
            If `sparse_dim` exceeds the number of dimensions.
        NotImplementedError
            For another layout.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.tensor([[0.0, 2.0], [3.0, 0.0]]).to_sparse().values()
        tensor([2., 3.])
        """
        if args and layout is None and not isinstance(args[0], int):
            layout, args = args[0], args[1:]
        if layout is not None and layout is not sparse_coo:
            raise NotImplementedError(f"to_sparse to the layout {layout}")
        if is_sparse(self):
            if args and args[0] != self.sparse_dim():
                raise RuntimeError(
                    "to_sparse: conversion from Sparse to Sparse with sparse_dim argument "
                    "!=self.sparse_dim() is not supported"
                )
            return self
        sparse_dim = args[0] if args else self.dim()
        if sparse_dim == 0 and self.dim():
            raise RuntimeError(
                "dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0"
            )
        if not 0 <= sparse_dim <= self.dim():
            raise RuntimeError(
                f"dense_to_sparse: sparse_dim argument must be in [0,{self.dim()}] range, but "
                f"{sparse_dim} is given"
            )
        return functions.to_sparse(self, sparse_dim)

    def coalesce(self):
        """Return a tensor with sorted, unique indices; values of equal indices are summed.

        Returns
        -------
        Tensor
            A sparse tensor of the same shape.

        Examples
        --------
        >>> import minitorch as torch
        >>> i, v = torch.tensor([[0, 0]]), torch.tensor([1.0, 2.0])
        >>> torch.sparse_coo_tensor(i, v, (2,)).coalesce().values()
        tensor([3.])
        """
        _require(self, "coalesce")
        return functions.coalesce(self)

    def is_coalesced(self):
        """Return whether the indices are known to be sorted and unique.

        Returns
        -------
        bool

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.eye(2).to_sparse().is_coalesced()
        True
        """
        return bool(_require(self, "is_coalesced").coalesced)

    @parsed_method("_coalesced_(bool coalesced)")
    def _coalesced_(self, coalesced):
        s = _require(self, "_coalesced_")
        return coo.become(self, s.indices, s.values, bool(coalesced))

    def indices(self):
        """Return the indices (sparse_dim, nnz) of a coalesced tensor.

        Returns
        -------
        Tensor
            int64, of the shape ``(sparse_dim, nnz)``.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.eye(2).to_sparse().indices()
        tensor([[0, 1],
                [0, 1]])
        """
        s = _require(self, "indices")
        if not s.coalesced:
            raise RuntimeError(
                "Cannot get indices on an uncoalesced tensor, please call .coalesce() first"
            )
        return s.indices.detach()

    def values(self):
        """Return the values (nnz, *dense sizes) of a coalesced tensor.

        Returns
        -------
        Tensor
            The first dimension has the size nnz in a tensor of the layout ``torch.sparse_coo``.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.eye(2).to_sparse().values()
        tensor([1., 1.])
        """
        if not is_sparse(self):
            raise RuntimeError("values expected sparse tensor layout but got Strided")
        if not parts(self).coalesced:
            raise RuntimeError(
                "Cannot get values on an uncoalesced tensor, please call .coalesce() first"
            )
        return functions.values_of(self)

    def _indices(self):
        if not is_sparse(self):
            raise _dense_error("_indices")
        return parts(self).indices.detach()

    def _values(self):
        if not is_sparse(self):
            raise _dense_error("_values")
        return parts(self).values.detach()

    def _nnz(self):
        if not is_sparse(self):
            raise _dense_error("_nnz")
        return parts(self).indices.shape[1]

    def sparse_dim(self):
        """Return the number of sparse dimensions; 0 for a dense tensor.

        Returns
        -------
        int

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.eye(2).to_sparse().sparse_dim()
        2
        """
        return parts(self).indices.shape[0] if is_sparse(self) else 0

    def dense_dim(self):
        """Return the number of dense dimensions; all for a dense tensor.

        Returns
        -------
        int

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.eye(2).to_sparse().dense_dim()
        0
        """
        return parts(self).values.dim() - 1 if is_sparse(self) else self.dim()

    @parsed_method("sparse_resize_(IntArrayRef size, int64_t sparse_dim, int64_t dense_dim)")
    def sparse_resize_(self, size, sparse_dim, dense_dim):
        """Resize in place; sizes must not shrink while the tensor has elements.

        Parameters
        ----------
        size : sequence of int
            The new shape.
        sparse_dim : int
            How many of the dimensions are sparse.
        dense_dim : int
            How many are dense.

        Returns
        -------
        Tensor
            The tensor itself.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.eye(2).to_sparse().sparse_resize_((3, 3), 2, 0).shape
        torch.Size([3, 3])
        """
        return resizing.resize(self, size, sparse_dim, dense_dim)

    @parsed_method(
        "sparse_resize_and_clear_(IntArrayRef size, int64_t sparse_dim, int64_t dense_dim)"
    )
    def sparse_resize_and_clear_(self, size, sparse_dim, dense_dim):
        """Resize in place and remove all elements.

        Parameters
        ----------
        size : sequence of int
            The new shape.
        sparse_dim : int
            How many of the dimensions are sparse.
        dense_dim : int
            How many are dense.

        Returns
        -------
        Tensor
            The tensor itself.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.eye(2).to_sparse().sparse_resize_and_clear_((3, 3), 2, 0)._nnz()
        0
        """
        return resizing.resize_and_clear(self, size, sparse_dim, dense_dim)

    @parsed_method("smm(Tensor mat2)")
    def smm(self, mat2):
        """Multiply this sparse matrix and a dense one; the result is sparse.

        Parameters
        ----------
        mat2 : Tensor
            A dense matrix, (m, p), if this one is (n, m).

        Returns
        -------
        Tensor
            Sparse, (n, p).

        Raises
        ------
        RuntimeError
            If this matrix is not sparse, or the shapes do not match.

        Examples
        --------
        >>> import minitorch as torch
        >>> torch.eye(2).to_sparse().smm(torch.ones(2, 2)).to_dense()
        tensor([[1., 1.],
                [1., 1.]])
        """
        return functions.smm(self, mat2)

    @parsed_method(
        "sspaddmm(Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
        "sspaddmm(Scalar beta, Tensor mat1, Tensor mat2)|deprecated",
        "sspaddmm(Scalar beta, Scalar alpha, Tensor mat1, Tensor mat2)|deprecated",
    )
    def sspaddmm(self, *given, beta=1, alpha=1, mat1=None, mat2=None):
        """Return ``beta * self + alpha * (mat1 @ mat2)``, sparse and not coalesced.

        Parameters
        ----------
        mat1 : Tensor
            A sparse matrix, (n, m).
        mat2 : Tensor
            A dense matrix, (m, p).
        beta, alpha : number, default 1
            The factors.
        *given
            The matrices by position; the deprecated order of arguments has the factors before them.

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
        >>> a.sspaddmm(a, torch.ones(2, 2), beta=10).to_dense()
        tensor([[11.,  1.],
                [ 1., 11.]])
        """
        given = (*given, *(m for m in (mat1, mat2) if m is not None))
        return functions._plus_product((self, *given[-2:]), given[:-2], beta, alpha)

    def sparse_mask(self, mask):
        """Return the elements at the indices of the sparse tensor `mask` as a sparse tensor.

        Parameters
        ----------
        mask : Tensor
            A sparse tensor of the same shape.

        Returns
        -------
        Tensor
            A sparse tensor of the same shape.

        Examples
        --------
        >>> import minitorch as torch
        >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> x.sparse_mask(torch.eye(2).to_sparse()).to_dense()
        tensor([[1., 0.],
                [0., 4.]])
        """
        if not is_sparse(mask):
            raise _dense_error("sparse_mask")
        if self.shape != mask.shape:
            raise RuntimeError(
                "sparse_mask(): operands have incompatible sizes; self has size "
                f"{list(self.shape)} but mask has size {list(mask.shape)}"
            )
        return functions.sparse_mask(self, mask)
