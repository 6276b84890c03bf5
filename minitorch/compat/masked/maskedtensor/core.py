"""The `MaskedTensor` class."""

import warnings
from collections.abc import Callable

from minitorch._tensor import Tensor
from minitorch.autograd.function import Function
from minitorch.autograd.torch_function import DisableTorchFunctionSubclass
from minitorch.core.dtype import _dtypes
from minitorch.core.types import strided

_DTYPES = _dtypes()
_SUPPORTED = [
    _DTYPES[name]
    for name in "float16 float32 float64 bool int8 int16 int32 int64".split()
]  # fmt: skip
_PROTOTYPE = (
    "The PyTorch API of MaskedTensors is in prototype stage and will change in the near future. Please "
    "open a Github issue for features requests and see our documentation on the torch.masked module for "
    "further information about the project."
)
_UNKNOWN = (
    "{name} is not implemented in __torch_dispatch__ for MaskedTensor.\nIf you would like this operator "
    "to be supported, please file an issue for a feature request at "
    "https://github.com/pytorch/maskedtensor/issues with a minimal reproducible code snippet.\nIn the case "
    "that the semantics for the operator are not trivial, it would be appreciated to also include a "
    "proposal for the semantics."
)
_NUMBER = "{0:8.4f}"

# rules by the name of a function or an operator; the file `_rules.py` has them
FUNCTION_RULES: dict[str | None, Callable] = {}
OPERATOR_RULES: dict[str, Callable] = {}


def is_masked_tensor(obj, /):
    """Return whether an object is a `MaskedTensor`.

    Parameters
    ----------
    obj : object

    Returns
    -------
    bool

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.masked.is_masked_tensor(torch.ones(1))
    False
    """
    return isinstance(obj, MaskedTensor)


def _tensors_match(a, b, exact=True, rtol=1e-05, atol=1e-08):
    """Return whether two ordinary tensors have equal elements."""
    if is_masked_tensor(a) or is_masked_tensor(b):
        raise ValueError("Neither `a` nor `b` can be a MaskedTensor.")
    if a.layout != b.layout:
        raise ValueError(f"`a` and `b` must have the same layout. Got {a.layout} and {b.layout}")
    if a.dim() != b.dim():
        return False
    b = b.to(a.dtype)
    return bool(a.eq(b).all()) if exact else a.allclose(b, rtol=rtol, atol=atol)


def _masks_match(a, b):
    """Return False if both values are masked tensors and their masks differ."""
    if is_masked_tensor(a) and is_masked_tensor(b):
        return _tensors_match(a.get_mask(), b.get_mask())
    return True


def _rows_of_text(data, mask):
    """Return the elements as lines of text, with dashes for masked-out elements."""
    if data.dim() > 1:
        lines = ["["]
        for number, (row, present) in enumerate(zip(data, mask, strict=True)):
            lines += ["  " + line for line in _rows_of_text(row, present)]
            lines[-1] += "," if number + 1 < len(data) else ""
        return [*lines, "]"]
    texts = [_element_text(value) for value in data.tolist()]
    present = mask.tolist()
    width = max([len(t) if p else 8 for t, p in zip(texts, present, strict=True)], default=0)
    shown = [t if p else "--".rjust(width) for t, p in zip(texts, present, strict=True)]
    return [f"[{', '.join(shown)}]"]


def _element_text(value):
    return _NUMBER.format(value) if isinstance(value, float) else str(value)


class _Made(Function):
    """Function recorded by `as_masked_tensor`, whose gradient is a masked tensor."""

    @staticmethod
    def forward(ctx, data, mask):
        return MaskedTensor(data, mask)

    @staticmethod
    def backward(ctx, grad):
        return grad, None


class _Data(Function):
    """Function recorded by `get_data`, whose gradient has the mask of the tensor."""

    @staticmethod
    def forward(ctx, masked):
        ctx.mask = masked.get_mask()
        return masked._masked_data.detach()

    @staticmethod
    def backward(ctx, grad):
        return grad if is_masked_tensor(grad) else MaskedTensor(grad, ctx.mask)


class MaskedTensor(Tensor):
    """A tensor with a mask that is true for valid elements.

    Parameters
    ----------
    data : Tensor
        Strided; copied.
    mask : Tensor
        Bool tensor with the shape of the data.
    requires_grad : bool

    Raises
    ------
    NotImplementedError
        If the data are not strided.

    Notes
    -----
    Elementwise functions keep the mask, reductions skip masked-out elements, and functions that
    move elements move the mask too. Two masked operands must have equal masks. Operators without
    a rule raise an error that names the operator.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.masked.MaskedTensor(torch.tensor([1.0, 2.0]), torch.tensor([True, False]))
    >>> x
    MaskedTensor(
      [  1.0000,       --]
    )
    >>> x.sum()
    MaskedTensor(  1.0000, True)
    """

    @staticmethod
    def __new__(cls, data, mask, requires_grad=False):
        """Create a wrapper with the shape and dtype of the data."""
        for name, given in (("data", data), ("mask", mask)):
            if is_masked_tensor(given) or not isinstance(given, Tensor):
                raise TypeError(f"{name} must be a Tensor")
        warnings.warn(_PROTOTYPE, UserWarning, stacklevel=2)
        if data.requires_grad:
            warnings.warn(
                "It is not recommended to create a MaskedTensor with a tensor that requires_grad. To avoid "
                "this, you can use data.detach().clone()",
                UserWarning,
                stacklevel=2,
            )
        if data.layout != mask.layout:
            raise TypeError("data and mask must have the same layout.")
        if data.layout != strided:
            raise NotImplementedError(f"minitorch has no MaskedTensor of layout {data.layout}")
        return Tensor._make_wrapper_subclass(
            cls,
            data.size(),
            strides=data.stride(),
            dtype=data.dtype,
            device=data.device,
            requires_grad=requires_grad,
        )

    def __init__(self, data, mask, requires_grad=False):
        self._set_data_mask(data.clone(), mask.clone())

    def _set_data_mask(self, data, mask):
        if mask.dtype != _DTYPES["bool"]:
            raise TypeError("mask must have dtype bool.")
        if data.dtype not in _SUPPORTED:
            raise TypeError(f"{data.dtype} is not supported in MaskedTensor.")
        if data.dim() != mask.dim():
            raise ValueError("data.dim() must equal mask.dim()")
        if data.size() != mask.size():
            raise ValueError("data.size() must equal mask.size()")
        self._masked_data, self._masked_mask = data, mask

    def __repr__(self):
        data, mask = self._masked_data.detach(), self._masked_mask
        if self.dim() == 0:
            shown = _element_text(data.item()) if mask.item() else "--"
            return f"MaskedTensor({shown}, {mask.item()})"
        lines = "\n".join("  " + line for line in _rows_of_text(data, mask))
        return f"MaskedTensor(\n{lines}\n)"

    def __lt__(self, other):
        other = other.get_data() if is_masked_tensor(other) else other
        return MaskedTensor(self.get_data() < other, self.get_mask())

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        """Apply the rule of the function if it has one; otherwise dispatch its operators."""
        kwargs = kwargs or {}
        rule = FUNCTION_RULES.get(getattr(func, "__name__", None))
        if rule is not None:
            return rule(*args, **kwargs)
        if not all(issubclass(cls, kind) for kind in types):
            return NotImplemented
        with DisableTorchFunctionSubclass():
            return func(*args, **kwargs)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        """Apply the rule of the operator."""
        name = func.overloadpacket.__name__
        rule = OPERATOR_RULES.get(name)
        if rule is None:
            warnings.warn(_UNKNOWN.format(name=name), stacklevel=2)
            return NotImplemented
        return rule(func, *args, **(kwargs or {}))

    def to_tensor(self, value):
        """Return the data with masked-out elements replaced by `value`.

        Examples
        --------
        >>> import minitorch as torch
        >>> data, mask = torch.tensor([1, 2]), torch.tensor([True, False])
        >>> torch.masked.masked_tensor(data, mask).to_tensor(0)
        tensor([1, 0])
        """
        return self.get_data().masked_fill(~self.get_mask(), value)

    def get_data(self):
        """Return the data, including masked-out elements."""
        return _Data.apply(self)

    def get_mask(self):
        """Return the mask."""
        return self._masked_mask

    def is_sparse_coo(self):
        """Return False: sparse data are not supported."""
        return False

    def is_sparse_csr(self):
        """Return False: sparse data are not supported."""
        return False

    @property
    def is_sparse(self):
        """False, because sparse data are not supported."""
        return False
