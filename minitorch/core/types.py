"""Small public types: Size, device, layout, memory_format."""

import operator
import threading

# what Size does without a look at its elements, which are integers
_make, _item, _joined = tuple.__new__, tuple.__getitem__, tuple.__add__


def _added_from_the_right(size, other):
    """Compute ``size + other`` by `other`, which is not a tuple."""
    add = getattr(type(other), "__radd__", None)
    result = NotImplemented if add is None else add(other, size)
    if result is NotImplemented:
        name = type(other).__name__
        raise TypeError(f"can only concatenate tuple (not {name}) to torch.Size")
    return result


class Size(tuple):
    """The shape of a tensor: a tuple of integers.

    Parameters
    ----------
    sizes : iterable of int, default ()
        The sizes of the dimensions.

    Raises
    ------
    TypeError
        If an element is not an integer.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.zeros(2, 3).shape
    torch.Size([2, 3])
    >>> torch.zeros(2, 3).shape.numel()
    6
    """

    __slots__ = ()

    def __new__(cls, sizes=()):
        sizes = tuple(sizes)
        for size in sizes:
            if type(size) is not int:
                break
        else:
            return _make(cls, sizes)
        for k, size in enumerate(sizes):
            if not isinstance(size, int):
                try:
                    operator.index(size)
                except TypeError:
                    raise TypeError(
                        f"torch.Size() takes an iterable of 'int' (item {k} is '{type(size).__name__}')"
                    ) from None
        return super().__new__(cls, map(operator.index, sizes))

    def __repr__(self):
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    def numel(self):
        """Return the number of elements of a tensor with this shape."""
        product = 1
        for size in self:
            product *= size
        return product

    def __getitem__(self, index):
        item = _item(self, index)
        return _make(Size, item) if type(index) is slice else item

    def __add__(self, other):
        if not isinstance(other, tuple):
            return _added_from_the_right(self, other)
        for size in other:
            if type(size) is not int:
                return Size(_joined(self, other))
        return _make(Size, _joined(self, other))

    def __radd__(self, other):
        if not isinstance(other, tuple):
            return NotImplemented
        return Size(tuple.__add__(other, self))

    def __mul__(self, count):
        return Size(tuple.__mul__(self, count))

    __rmul__ = __mul__

    def __reduce__(self):
        return (Size, (tuple(self),))


class _Constant:
    """A named constant in the public namespace, equal only to itself."""

    __slots__ = ("_code", "_name")

    def __init__(self, name, code=0):
        self._name = name
        self._code = code

    def __repr__(self):
        return f"torch.{self._name}"

    def __reduce__(self):
        return self._name

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class layout(_Constant):
    """How a tensor's elements are stored: ``strided``, or ``sparse_coo`` as coordinates and values.

    The other layouts are only names to compare with; no tensor has them. Programs use the instances,
    such as `torch.strided`.

    Parameters
    ----------
    name : str
        The name that is printed.
    code : int, optional
        The number of the layout in PyTorch.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.ones(2).layout, torch.eye(2).to_sparse().layout
    (torch.strided, torch.sparse_coo)
    """

    __slots__ = ()


class qscheme(_Constant):
    """How a quantized tensor is scaled; only names, since there are no such tensors.

    Parameters
    ----------
    name : str
        The name that is printed.
    code : int, optional
        The number of the scheme in PyTorch.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.per_tensor_affine
    torch.per_tensor_affine
    """

    __slots__ = ()


class memory_format(_Constant):
    """The order of a tensor's dimensions in memory.

    Programs use the instances, such as `torch.channels_last`.

    Parameters
    ----------
    name : str
        The name that is printed.
    code : int, optional
        The number of the format in PyTorch.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, 3, 4, 4).contiguous(memory_format=torch.channels_last)
    >>> x.stride()
    (48, 1, 12, 3)
    """

    __slots__ = ()


strided = layout("strided")
sparse_coo = layout("sparse_coo")
sparse_csr = layout("sparse_csr")
sparse_csc = layout("sparse_csc")
sparse_bsr = layout("sparse_bsr")
sparse_bsc = layout("sparse_bsc")
jagged = layout("jagged")
per_tensor_affine = qscheme("per_tensor_affine")
per_channel_affine = qscheme("per_channel_affine")
per_tensor_symmetric = qscheme("per_tensor_symmetric")
per_channel_symmetric = qscheme("per_channel_symmetric")
per_channel_affine_float_qparams = qscheme("per_channel_affine_float_qparams")
contiguous_format = memory_format("contiguous_format", 0)
legacy_contiguous_format = contiguous_format
preserve_format = memory_format("preserve_format", 1)
channels_last = memory_format("channels_last", 2)
channels_last_3d = memory_format("channels_last_3d", 3)


_missing = object()

_DEVICE_FORMS = " * (torch.device device)\n{}" + " * (str type, int index = -1)\n"


def _no_device(given, index):
    """Return the error for a device that is given neither by name nor as a device."""
    kind = "torch.device" if isinstance(given, device) else given.__class__.__name__
    if index is not None and given is not _missing:
        return TypeError(f"device(): argument 'type' (position 1) must be str, not {kind}")
    if isinstance(given, int) and not isinstance(given, bool):
        if given < 0:
            return RuntimeError("Device index must not be negative")
        return RuntimeError("Cannot access accelerator device when none is available.")
    got, reason = (
        kind,
        (f"      didn't match because some of the arguments have invalid types: (!{kind}!)\n"),
    )
    if given is _missing:
        got, reason = "", ""
    return TypeError(
        f"device() received an invalid combination of arguments - got ({got}), but expected one of:\n"
        + _DEVICE_FORMS.format(reason)
    )


class device:
    """Where a tensor lives: the CPU.

    Parameters
    ----------
    type : str or device
        ``"cpu"`` or ``"cpu:0"``.
    index : int, optional

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.device("cpu").type
    'cpu'
    """

    __slots__ = ("index", "type")

    _types = ("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga",
              "maia", "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone")  # fmt: skip

    def __init__(self, type=_missing, index=None):
        if isinstance(type, device) and index is None:
            type, index = type.type, type.index
        elif not isinstance(type, str):
            raise _no_device(type, index)
        if index is not None and not hasattr(index, "__index__"):
            raise TypeError(
                "device(): argument 'index' (position 2) must be int, not "
                + index.__class__.__name__
            )
        if type == "":
            raise RuntimeError("Device string must not be empty")
        name, colon, number = type.partition(":")
        if not name.replace("_", "").isalpha():
            raise RuntimeError(f"Invalid device string: '{type}'")
        if name not in self._types:
            raise RuntimeError(
                f"Expected one of {', '.join(self._types)} device type at start of device string: {type}"
            )
        if colon:
            if not number.isdigit() or (number[0] == "0" and number != "0"):
                raise RuntimeError(f"Invalid device string: '{type}'")
            if index is not None:
                raise RuntimeError(
                    f"type (string) must not include an index because index was passed explicitly: {type}"
                )
            index = int(number)
        elif index is not None and index < 0:
            raise RuntimeError("Device index must not be negative")
        self.type = name
        self.index = index

    def __repr__(self):
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other):
        if not isinstance(other, device):
            return NotImplemented
        return self.type == other.type and self.index == other.index

    def __hash__(self):
        return hash((self.type, self.index))

    def __reduce__(self):
        return (device, (self.type,) if self.index is None else (self.type, self.index))

    def __enter__(self):
        if self.type not in ("cpu", "meta"):
            raise NotImplementedError(f"new tensors on {self!r}")
        _of_new_tensors.__dict__.setdefault("before", []).append(default_device())
        set_default_device(self)
        return self

    def __exit__(self, *error):
        set_default_device(_of_new_tensors.before.pop())


cpu = device("cpu")
meta = device("meta")

_of_new_tensors = threading.local()
_when_set: list = []


def default_device():
    """Return the device on which this thread makes tensors by default."""
    return getattr(_of_new_tensors, "device", cpu)


def set_default_device(device):
    """Set the device on which this thread makes tensors by default."""
    _of_new_tensors.device = device
    for function in _when_set:
        function(device.type == "meta")
