"""Construction of sparse COO tensors: ``torch.sparse_coo_tensor``."""

from minitorch._sparse import coo
from minitorch._sparse.functions import SparseCooTensor
from minitorch.autograd.functions.from_data import as_tensor
from minitorch.core.dtype import _dtypes, _get_default_dtype
from minitorch.core.once import warn_once
from minitorch.parsing.parser import bind


class Invariants:
    """The switch of ``torch.sparse.check_sparse_tensor_invariants``."""

    enabled = False
    chosen = False  # whether a program has ever set the switch

    @classmethod
    def choose(cls, enabled):
        cls.enabled, cls.chosen = enabled, True


def _check(indices, values, size):
    """Return the size, inferred if None; raise PyTorch's errors if the shapes do not fit."""
    if indices.dim() != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(indices.shape)}")
    if values.dim() and values.shape[0] != indices.shape[1]:
        raise RuntimeError(
            "indices and values must have same nnz, but got nnz from indices: "
            f"{indices.shape[1]}, nnz from values: {values.shape[0]}"
        )
    count, dense = indices.shape[0], values.dim() - 1
    if size is None:
        size = tuple(int(n) + 1 for n in indices.amax(1)) if indices.shape[1] else (0,) * count
        return (*size, *values.shape[1:])
    size = tuple(size)
    if len(size) != count + dense:
        raise RuntimeError(
            "'len(size) == sparse_dim + dense_dim' is not satisfied: "
            f"len(size) = {len(size)}, sparse_dim = {count}, dense_dim = {dense}"
        )
    if tuple(values.shape[1:]) != size[count:]:
        raise RuntimeError(
            f"values has incorrect size, expected {[values.shape[0], *size[count:]]}, got "
            f"{list(values.shape)}"
        )
    return size


def _check_bounds(indices, size):
    if not indices.numel():
        return
    for d, (low, high) in enumerate(
        zip(indices.amin(1).tolist(), indices.amax(1).tolist(), strict=True)
    ):
        if low < 0:
            raise RuntimeError(f"found negative index {low} for dim {d}")
        if high >= size[d]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {d}, size is {size[d]} but found "
                f"index {high}"
            )


def _check_coalesced(indices, size):
    positions = coo.flat(indices, size[: indices.shape[0]])
    if not (positions[1:] > positions[:-1]).all():
        raise RuntimeError(
            "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor"
        )


def without_its_memory(indices, values, size, is_coalesced):
    """Return a sparse tensor whose indices are loaded later, and a function that checks them then.

    Raises
    ------
    RuntimeError
        The shapes do not match, or the indices are not int64.
    """
    if indices.dtype is not _dtypes()["int64"] or values.dim() == 0:
        raise RuntimeError("indices must be an int64 tensor, and values one for each of them")
    size = _check(indices, values, tuple(size))
    result = SparseCooTensor.apply(indices, values, size, is_coalesced)
    return result, lambda: _check_bounds(indices, size)


_OPTIONS = "ScalarType? dtype=None, Device? device=None, "
_LAST = "bool requires_grad=False, bool? check_invariants=None"
_SIGNATURES = [
    f"sparse_coo_tensor({given}, *, {_OPTIONS}bool pin_memory=False, {_LAST}, "
    "bool? is_coalesced=None)"
    for given in (
        "PyObject* indices, PyObject* values",
        "PyObject* indices, PyObject* values, IntArrayRef size",
    )
] + [f"sparse_coo_tensor(IntArrayRef size, *, {_OPTIONS}{_LAST})"]


def sparse_coo_tensor(*args, **kwargs):
    """Return a sparse tensor from indices and values; values at equal indices are summed.

    Parameters
    ----------
    indices : array_like
        Integers of shape (sparse_dim, nnz); or the size of a tensor without elements.
    values : array_like
        (nnz, *dense sizes).
    size : tuple of int, optional
        Default: the smallest size that contains the indices.
    dtype : dtype, optional
        Default: the dtype of `values`.
    device : device, optional
        Must be the CPU.
    pin_memory : bool, default False
        Ignored.
    requires_grad : bool, default False
        Whether the tensor requires a gradient.
    check_invariants : bool, optional
        Whether to check `is_coalesced`. Default:
        ``torch.sparse.check_sparse_tensor_invariants.is_enabled()``. Indices are always checked, to
        prevent reads outside of the tensor's memory.
    is_coalesced : bool, optional
        Asserts that the columns of `indices` are unique and sorted.

    Returns
    -------
    Tensor
        Of layout ``sparse_coo``. Gradients flow to `values`, if that is a tensor.

    Raises
    ------
    RuntimeError
        The shapes do not match, or an index is out of bounds.

    Examples
    --------
    >>> import minitorch as torch
    >>> t = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4.0, 5.0], (2, 4))
    >>> t.to_dense()
    tensor([[0., 0., 3., 0.],
            [4., 0., 5., 0.]])
    """
    form, given = bind(_SIGNATURES, args, kwargs)
    if form == 2:
        size, dtype, device, requires_grad, check_invariants = given
        _warn_of_default(check_invariants)
        as_tensor((), device=device)  # raises if the device is not the CPU
        result = coo.empty(len(size), tuple(size), dtype or _get_default_dtype())
        return result.requires_grad_() if requires_grad else result
    indices, values = given[:2]
    size = given[2] if form == 1 else None
    dtype, device, _, requires_grad, check_invariants, is_coalesced = given[-6:]
    _warn_of_default(check_invariants)
    indices = as_tensor(indices, device=device)
    values = as_tensor(values, dtype=dtype, device=device)
    indices = indices.detach().to(_dtypes()["int64"])
    size = _check(indices, values, size)
    if values.dim() == 0:
        values = values.reshape(1).expand(indices.shape[1])
    _check_bounds(indices, size)
    if is_coalesced and (Invariants.enabled if check_invariants is None else check_invariants):
        _check_coalesced(indices, size)
    result = SparseCooTensor.apply(indices, values, size, is_coalesced)
    return result.requires_grad_() if requires_grad else result


def _warn_of_default(check_invariants):
    if check_invariants is None and not Invariants.chosen:
        warn_once(
            "Sparse invariant checks are implicitly disabled. Memory errors (e.g. SEGFAULT) will occur when operating "
            "on a sparse tensor which violates the invariants, but checks incur performance overhead. To silence this "
            "warning, explicitly opt in or out. See `torch.sparse.check_sparse_tensor_invariants.__doc__` for "
            "guidance. "
        )
