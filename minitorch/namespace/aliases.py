"""Aliases of functions and dtypes, and functions that are also methods."""

import types

from minitorch._sparse.methods import SparseMethods
from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods
from minitorch.autograd.functions.composed import parsed
from minitorch.autograd.functions.overridable import override_class
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.functions.signature_table import SIGNATURES
from minitorch.composed import broadcasting as _broadcasting
from minitorch.composed import calculus as _calculus
from minitorch.composed import comparisons as _comparisons
from minitorch.composed import compressed_indices as _compressed_indices
from minitorch.composed import diagonals as _diagonals
from minitorch.composed import distances as _distances
from minitorch.composed import einsum as _einsum
from minitorch.composed import foreach as _foreach
from minitorch.composed import fused_products as _fused_products
from minitorch.composed import histogram as _histogram
from minitorch.composed import linear_algebra as _linear_algebra
from minitorch.composed import low_rank as _low_rank
from minitorch.composed import matrix_decompositions as _decompositions
from minitorch.composed import matrix_functions as _matrix_functions
from minitorch.composed import matrix_norms as _matrix_norms
from minitorch.composed import products as _products
from minitorch.composed import rearranging as _rearrange
from minitorch.composed import segments as _segments
from minitorch.composed import splitting as _splitting
from minitorch.composed import statistics as _statistics
from minitorch.composed import triangular_factors as _triangular_factors
from minitorch.namespace import overridden as _overridden
from minitorch.tensors.data_methods import DataMethods
from minitorch.tensors.layout_methods import LayoutMethods
from minitorch.tensors.object_methods import ObjectMethods
from minitorch.tensors.subclass_methods import SubclassMethods

# composed functions that are also methods
METHODS = (
    "allclose", "corrcoef", "cov", "cross", "diag", "diag_embed", "diagflat", "diff",
    "dsplit", "equal", "fliplr", "flipud", "float_power", "histogram", "hsplit", "inner", "isclose",
    "isneginf", "isposinf", "isreal", "kron", "nanmean", "nanquantile", "nonzero", "nonzero_static", "norm",
    "quantile", "repeat_interleave", "rot90",
    "tensor_split", "tile", "trace", "unique", "unique_consecutive", "vsplit",
    "det", "inverse", "logdet", "lu", "lu_solve", "matrix_exp", "matrix_power", "orgqr", "pinverse",
    "qr", "slogdet", "svd",
)  # fmt: skip

# methods that are also functions
AS_METHODS = (
    "detach_",
    "adjoint",
    "resolve_conj",
    "resolve_neg",
    "is_same_size",
    "get_device",
)

DTYPES = {
    "float": "float32", "double": "float64", "half": "float16", "int": "int32", "long": "int64",
    "short": "int16", "cfloat": "complex64", "cdouble": "complex128",
    "chalf": "complex32", "bit": "uint1",
}  # fmt: skip


def gather(*args, sparse_grad=False, **kwargs):
    """Pick elements along a dimension by index.

    With two dimensions and ``dim=0``, element (i, j) of the result is ``input[index[i, j], j]``.

    Parameters
    ----------
    input : Tensor
        Any shape and dtype.
    dim : int
        The dimension to pick along.
    index : Tensor
        int64, with as many dimensions as `input`.
    sparse_grad : bool, default False
        Make the gradient of `input` a sparse tensor.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The shape of `index` and the dtype of `input`.

    Raises
    ------
    RuntimeError
        If an index is out of range, or the shapes do not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.gather(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([[0, 0], [1, 0]]))
    tensor([[1, 1],
            [4, 3]])
    """
    if sparse_grad is True and kwargs.get("out") is None and args:
        return args[0].gather(*args[1:], sparse_grad=True, **kwargs)
    return tensor_methods.gather(*args, sparse_grad=sparse_grad, **kwargs)


def dtypes(by_name):
    """Return the aliases of the dtypes."""
    return {alias: by_name[name] for alias, name in DTYPES.items()}


def functions():
    """Return the composed functions, and the functions that call methods."""
    mm = tensor_methods.mm
    found = dict(_COMPOSED, row_stack=_rearrange.vstack, dsmm=mm, spmm=mm)
    found["trace"] = tensor_methods.trace
    found.update({name: _calling_method(name) for name in AS_METHODS}, resize_as_=_resize_as_)
    found.update(_foreach.TABLE)
    for name, texts in tensor_methods.composed_functions.items():
        if name in found:
            found[name] = parsed(found[name], texts)
    for name in SIGNATURES.keys() & found.keys() - _overridden.PYTHON_FUNCTIONS:
        found[name] = parsed_as(name)(found[name])
    found["_segment_reduce"] = found["segment_reduce"]
    return found


def _calling_method(name):
    def function(input, *args, **kwargs):
        return getattr(input, name)(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Call the method `{name}` of the first argument."
    return function


def _resize_as_(input, *args, **kwargs):
    """Resize a tensor in place to the shape of another.

    Parameters
    ----------
    input : Tensor
        The tensor to resize.
    the_template : Tensor
        The tensor with the new shape.
    memory_format : memory_format, optional
        The order of the elements in memory.

    Returns
    -------
    Tensor
        `input` itself. The elements keep their order in the storage; further ones are not set.

    Raises
    ------
    RuntimeError
        If `input` requires grad.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.resize_as_(torch.arange(6), torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return input.resize_as_(*args, **kwargs)


_resize_as_.__name__ = _resize_as_.__qualname__ = "resize_as_"


_COMPOSED = {
    name: getattr(module, name)
    for module in (
        _broadcasting,
        _calculus,
        _comparisons,
        _compressed_indices,
        _diagonals,
        _einsum,
        _products,
        _splitting,
        _histogram,
        _rearrange,
        _segments,
        _statistics,
        _linear_algebra,
        _triangular_factors,
        _decompositions,
        _matrix_functions,
        _matrix_norms,
        _distances,
        _low_rank,
        _fused_products,
    )
    for name in module.__all__
}


def _float_power_(self, exponent):
    """Compute `float_power` in place; the tensor must already be float64 or complex128."""
    is_complex = self.is_complex() or isinstance(exponent, complex)
    is_complex = is_complex or isinstance(exponent, Tensor) and exponent.is_complex()
    wanted = "ComplexDouble" if is_complex else "Double"
    found = self.dtype._class_name
    if found != wanted:
        raise RuntimeError(
            f"the base given to float_power_ has dtype {found} but the operation's result requires dtype "
            f"{wanted}"
        )
    return self.pow_(exponent.to(self.dtype) if isinstance(exponent, Tensor) else exponent)


def _swapped(name, argument):
    """Return `transpose_` with arguments named `argument`0 and `argument`1."""

    def method(self, *args, **kwargs):
        for k in range(len(args), 2):
            args += (kwargs.pop(f"{argument}{k}"),)
        return self.transpose_(*args, **kwargs)

    method.__name__ = name
    method.__doc__ = "Swap two dimensions in place, as `transpose_` does."
    return method


def _where(self, condition, other):
    """Return elements of the tensor where `condition` is true, otherwise of `other`."""
    return _comparisons.where(condition, self, other)


def _divided_into(self, other):
    """Return ``other / self``, under the operator's name in Python 2."""
    return self.reciprocal() * other


_divided_into.__name__ = _divided_into.__qualname__ = "__rdiv__"


def _norm(self, p="fro", dim=None, keepdim=False, dtype=None):
    """Compute the norm of vectors along dimensions, or of matrices.

    Parameters
    ----------
    p : number or str, default "fro"
        The order of the norm: a number, "fro" for the Frobenius norm, or "nuc" for the nuclear norm.
    dim : int or tuple of int, optional
        The dimensions to reduce; all by default.
    keepdim : bool, default False
        Keep the reduced dimensions with size 1.
    dtype : dtype, optional
        The dtype to compute in.

    Returns
    -------
    Tensor

    Raises
    ------
    RuntimeError
        For an integer dtype, an unknown norm, or "nuc" with other than two dimensions.
    IndexError
        If a dimension is out of range.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.tensor([[3.0, 4.0], [6.0, 8.0]]).norm(dim=1)
    tensor([ 5., 10.])
    """
    return _matrix_norms.norm(self, p, dim, keepdim, dtype=dtype)


def _lu(self, pivot=True, get_infos=False):
    """Return the LU decomposition of matrices in one tensor, with the pivots.

    The tensor has the shape ``(*, m, n)``. Use :func:`torch.linalg.lu_factor` instead.

    Parameters
    ----------
    pivot : bool, default True
        Exchange rows.
    get_infos : bool, default False
        Return where the decomposition failed instead of raising.

    Returns
    -------
    tuple of Tensor
        L and U in one tensor of the shape of this tensor, the pivots (int32, counted from 1), and perhaps
        the infos (int32).

    Raises
    ------
    RuntimeError
        If the input has fewer than two dimensions.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.tensor([[2.0, 1.0], [4.0, 4.0]]).lu()[0]
    tensor([[ 4.0000,  4.0000],
            [ 0.5000, -1.0000]])
    """
    return _triangular_factors.lu(self, pivot, get_infos)


def _in_class(function, name):
    """Copy a Python function as a method, so that error messages name the class."""
    method = types.FunctionType(
        function.__code__, function.__globals__, name, function.__defaults__, function.__closure__
    )
    method.__kwdefaults__ = function.__kwdefaults__
    method.__doc__, method.__qualname__ = function.__doc__, f"Tensor.{name}"
    return method


def _is_nonzero(self):
    """Return whether a tensor of one element is nonzero.

    Returns
    -------
    bool

    Raises
    ------
    RuntimeError
        If the tensor does not have exactly one element.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.tensor([0.5]).is_nonzero()
    True
    """
    return bool(self)


def _add_methods():
    methods = {name: _COMPOSED[name] for name in METHODS}
    methods.update(lu=_lu, norm=_norm, float_power_=_float_power_)
    for name in ("lu", "norm", "unique", "unique_consecutive"):
        methods[name] = _in_class(methods[name], name)
    methods.update(where=_where, is_nonzero=_is_nonzero, __rdiv__=_divided_into)
    methods.update(swapaxes_=_swapped("swapaxes_", "axis"), swapdims_=_swapped("swapdims_", "dim"))
    methods.update(
        __div__=Tensor.__truediv__, __idiv__=Tensor.__itruediv__, __nonzero__=Tensor.__bool__,
        __long__=Tensor.__int__,
    )  # fmt: skip
    for name, method in methods.items():
        setattr(Tensor, name, method)
    for base in (SubclassMethods, ObjectMethods, DataMethods, LayoutMethods, SparseMethods):
        for name, method in vars(base).items():
            if isinstance(method, types.FunctionType):
                method.__qualname__ = f"Tensor.{name}"  # for error messages
    for name, texts in tensor_methods.composed_methods.items():
        found = next(
            (
                vars(base)[name]
                for base in (Tensor, SubclassMethods, DataMethods, SparseMethods)
                if name in vars(base)
            ),
            None,
        )
        if found is not None:
            setattr(Tensor, name, parsed(found, texts, method=True))


def override_methods():
    """Wrap the methods and attributes of `Tensor` so that they check for overrides."""
    override_class(
        Tensor,
        _overridden.NOT_METHODS,
        _overridden.PYTHON_METHODS,
        _overridden.UNPARSED_METHODS
        | {
            name
            for name, texts in tensor_methods.composed_methods.items()
            if texts == (f"{name}()",)
        },
    )


_add_methods()
override_methods()
