"""Printing of tensors.

Purpose
-------
``repr(tensor)`` in PyTorch's layout: ``tensor([1., 2.], grad_fn=<MulBackward0>)``.

Interface
---------
:func:`set_printoptions` is public; :func:`_str` is what ``Tensor.__repr__`` calls.
:data:`plain_types` holds the classes that print as ``tensor(...)``; any other class prints under
its own name. `Tensor` and `Parameter` add themselves.

Printing takes five steps: select the elements to show (:func:`_visible`), choose one notation for
all of them (:class:`_Notation`), format them (:func:`_cells`), arrange them in lines and brackets
(:func:`_layout`), and append the facts that the elements do not show (:func:`_facts`).

A tensor's elements are read only through an array of the same memory, so a huge tensor prints as
fast as a small one.

References
----------
PyTorch's counterpart is ``torch/_tensor_str.py``.
"""

import contextlib
import math
import sys
import textwrap
from dataclasses import asdict, dataclass
from itertools import islice

import numpy as np

from minitorch.autograd.functions.from_data import from_numpy
from minitorch.autograd.functions.interchange import elements_to_read
from minitorch.autograd.levels import outside_of_levels, wrapped_of
from minitorch.core.dtype import _dtypes, _get_default_dtype

__all__ = ["get_printoptions", "printoptions", "set_printoptions"]


@dataclass
class _Options:
    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


PRINT_OPTS = _Options()

_PROFILES = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}

plain_types: set[type] = set()


def set_printoptions(
    precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None
):
    """Set how tensors are printed.

    Parameters
    ----------
    precision : int, optional
        Digits after the decimal point. Initially 4.
    threshold : int, optional
        Tensors with more elements than this are summarised. Initially 1000.
    edgeitems : int, optional
        Elements shown at either end of a summarised dimension. Initially 3.
    linewidth : int, optional
        Columns per line. Initially 80.
    profile : {'default', 'short', 'full'}, optional
        A set of values for the four options above, which explicit arguments override.
    sci_mode : bool, optional
        Whether floating-point values are written as ``1.0000e+00``. With ``None``, it depends
        on their range. Every call without this argument resets it to ``None``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.set_printoptions(precision=2)
    >>> torch.tensor([1.12345])
    tensor([1.12])
    >>> torch.set_printoptions(profile="default")
    """
    changes = dict(_PROFILES.get(profile, {}))
    given = {
        "precision": precision,
        "threshold": threshold,
        "edgeitems": edgeitems,
        "linewidth": linewidth,
    }
    changes.update((name, value) for name, value in given.items() if value is not None)
    for name, value in changes.items():
        setattr(PRINT_OPTS, name, value)
    PRINT_OPTS.sci_mode = sci_mode


def get_printoptions():
    """Return the current print options.

    Returns
    -------
    dict
        The arguments of :func:`set_printoptions`, without the profile.
    """
    return asdict(PRINT_OPTS)


@contextlib.contextmanager
def printoptions(**kwargs):
    """Set print options inside a ``with`` block and restore the old ones after it.

    Parameters
    ----------
    **kwargs
        As for :func:`set_printoptions`.
    """
    before = get_printoptions()
    set_printoptions(**kwargs)
    try:
        yield
    finally:
        set_printoptions(**before)


# --------------------------------------------------------------------------------------------------
# Selecting the elements to show
# --------------------------------------------------------------------------------------------------


def _visible(array):
    """Cut the middle out of every long dimension if the array is to be summarised.

    Returns
    -------
    array : numpy.ndarray
        The elements that are shown.
    gaps : tuple of (int or None)
        For each dimension, the kept position before which the dots are printed, or None.
    """
    edge = PRINT_OPTS.edgeitems
    gaps = [None] * array.ndim
    if array.size > PRINT_OPTS.threshold:
        for axis, size in enumerate(array.shape):
            if size <= 2 * edge:
                continue
            kept = range(size)
            head, tail = (kept[:edge], kept[-edge:]) if edge else ((), ())
            gaps[axis] = len(head)
            array = array.take([*head, *tail], axis=axis)
    return array, tuple(gaps)


# --------------------------------------------------------------------------------------------------
# Formatting one element
# --------------------------------------------------------------------------------------------------


class _Notation:
    """The notation shared by all elements of a real array.

    Decision table for floating-point values, ``low`` and ``high`` being the smallest and the
    largest magnitude among the finite non-zero ones:

    ==================  ==================================================  ==========  ===========
    they are all whole  range                                               notation    example
    ==================  ==================================================  ==========  ===========
    (there are none)                                                        whole       ``0.``
    yes                 ``high/low > 1000`` or ``high > 1e8``               scientific  ``1.0e+09``
    yes                 else                                                whole       ``17.``
    no                  as above, or ``low < 1e-4``                         scientific  ``1.5e-05``
    no                  else                                                fixed       ``1.5000``
    ==================  ==================================================  ==========  ===========

    `sci_mode` overrides the range. The width is computed from the same values, so a NaN or an
    infinity may exceed it.
    """

    def __init__(self, array):
        self.width = 1
        self._spec = None  # None: use Python's `str`
        self._whole = False
        if array.dtype.kind != "f":
            self.width = max(map(len, map(str, array.ravel().tolist())), default=1)
            return
        precision = PRINT_OPTS.precision
        values = array.astype(np.float64).ravel()
        values = values[np.isfinite(values) & (values != 0)]
        self._spec, self._whole = ".0f", True
        if not values.size:
            return
        self._whole = bool((values == np.ceil(values)).all())
        magnitudes = np.abs(values)
        low, high = float(magnitudes.min()), float(magnitudes.max())
        scientific = PRINT_OPTS.sci_mode
        if scientific is None:
            scientific = _quotient(high, low) > 1000.0 or high > 1.0e8
            scientific = scientific or (not self._whole and low < 1.0e-4)
        if scientific:
            self._spec, self._whole = f".{precision}e", False
        elif not self._whole:
            self._spec = f".{precision}f"
        self.width = max(len(format(value, self._spec)) for value in values.tolist()) + self._whole

    def write(self, value):
        if self._spec is None:
            text = str(value)
        else:
            text = format(value, self._spec)
            if self._whole and math.isfinite(value):
                text += "."
        return text.rjust(self.width)


def _quotient(high, low):
    # the quotient of a very large and a very small float is infinity, not an exception
    with np.errstate(over="ignore"):
        return np.float64(high) / np.float64(low)


def _cells(array):
    """Format every element.

    Returns
    -------
    cells : iterator of str
        The elements in row-major order.
    width : int
        The columns that one element takes in a line, without the separator.
    """
    if array.dtype.kind == "c":
        real, imag = _Notation(array.real), _Notation(array.imag)
        cells = (
            real.write(value.real) + _signed(imag.write(value.imag).lstrip() + "j")
            for value in array.ravel().tolist()
        )
        return cells, real.width + imag.width + 1
    notation = _Notation(array)
    return map(notation.write, array.ravel().tolist()), notation.width


def _signed(text):
    return text if text[0] in "+-" else "+" + text


# --------------------------------------------------------------------------------------------------
# Lines and brackets
# --------------------------------------------------------------------------------------------------


def _layout(cells, width, shape, gaps, indent):
    """Arrange the cells, an iterator in row-major order, in brackets and lines."""
    if not shape:
        return next(cells)
    size, gap = shape[0], gaps[0]
    if len(shape) == 1:
        row = list(islice(cells, size))
        if gap is not None:
            row.insert(gap, " ..." if size else "...")
        per_line = max(1, (PRINT_OPTS.linewidth - indent) // (width + 2))
        lines = [", ".join(row[i : i + per_line]) for i in range(0, len(row), per_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
    parts = []
    for i in range(size):
        if i == gap:
            parts.append("...")
        parts.append(_layout(cells, width, shape[1:], gaps[1:], indent + 1))
    if not size:
        parts.append("...")
    separator = "," + "\n" * (len(shape) - 1) + " " * (indent + 1)
    return "[" + separator.join(parts) + "]"


# dtypes that NumPy lacks: the dtype of the same size and the dtype to print them in
_UNKNOWN = {"torch.bfloat16": ("int16", "float32"), "torch.complex32": ("int32", "complex64")} | {
    f"torch.float8_{kind}": ("uint8", "float32")
    for kind in ("e5m2", "e4m3fn", "e5m2fnuz", "e4m3fnuz", "e8m0fnu")
}


def _array(tensor):
    """Return the elements as an array; dtypes that NumPy lacks are returned as their bits."""
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if repr(tensor.dtype) in _UNKNOWN:
        tensor = tensor.view(_dtypes()[_UNKNOWN[repr(tensor.dtype)][0]])
    return elements_to_read(tensor)


def _known(array, dtype):
    """Convert bits from `_array` to elements of a dtype that NumPy has."""
    if repr(dtype) not in _UNKNOWN:
        return array
    wide = _dtypes()[_UNKNOWN[repr(dtype)][1]]
    # one dimension, because a view of a 0-d tensor cannot have another dtype
    bits = from_numpy(np.ascontiguousarray(array).reshape(-1))
    elements = bits.view(dtype).to(wide).numpy().reshape(array.shape)
    if repr(dtype) == "torch.float8_e8m0fnu":
        # this dtype has no 0, and PyTorch prints as 0 the value that 0 is converted to
        elements[elements == 2.0**-127] = 0
    return elements


def _tensor_str(tensor, indent):
    """Format the brackets and elements of a tensor that are printed after `indent` columns."""
    array, gaps = _visible(_array(tensor))
    cells, width = _cells(_known(array, tensor.dtype))
    return _layout(iter(cells), width, array.shape, gaps, indent)


# --------------------------------------------------------------------------------------------------
# Facts that the elements do not show
# --------------------------------------------------------------------------------------------------


def _is_default_dtype(dtype):
    """Return whether a literal of these elements would get this dtype by default."""
    default = repr(_get_default_dtype())
    # also for float16, because its complex dtype is rarely used
    complex_default = "torch.complex128" if default == "torch.float64" else "torch.complex64"
    return repr(dtype) in (default, complex_default, "torch.int64", "torch.bool")


def _unpacked(tensor):
    """Return the primal of a dual tensor and its tangent, or None if it has no tangent."""
    # if this module was never imported, there are no tangents
    forward_ad = sys.modules.get("minitorch.autograd.forward_ad")
    return (tensor, None) if forward_ad is None else forward_ad.unpack_dual(tensor)


def _grad_fn_name(tensor):
    try:
        grad_fn = tensor.grad_fn
    except RuntimeError:
        # a view made in no_grad mode, whose base was modified in place in grad mode
        return "Invalid"
    if grad_fn is None:
        return None
    name = type(grad_fn).__name__
    return grad_fn.name().rsplit("::", 1)[-1] if name == "CppFunction" else name


def _contents(tensor, indent):
    if tensor.is_meta:
        return "..."
    return _tensor_str(tensor, indent) if tensor.numel() else "[]"


def _facts(tensor):
    """Return the suffixes, such as ``dtype=torch.float64``."""
    facts = []
    if tensor.is_meta:
        facts += [f"device='{tensor.device}'", f"size={tuple(tensor.shape)}"]
        if tensor.dtype != _get_default_dtype():
            facts.append(f"dtype={tensor.dtype!r}")
    elif tensor.numel() == 0:
        # there are no elements to show that these are integers, so the dtype is printed
        if tensor.dim() != 1:
            facts.append(f"size={tuple(tensor.shape)}")
        if repr(tensor.dtype) != repr(_get_default_dtype()):
            facts.append(f"dtype={tensor.dtype!r}")
    else:
        if not PRINT_OPTS.edgeitems:
            facts.append(f"size={tuple(tensor.shape)}")
        if not _is_default_dtype(tensor.dtype):
            facts.append(f"dtype={tensor.dtype!r}")
    return [*facts, *_facts_of_history(tensor)]


def _facts_of_history(tensor):
    facts = []
    name = _grad_fn_name(tensor)
    if name is not None:
        facts.append(f"grad_fn=<{name}>")
    elif tensor.requires_grad:
        facts.append("requires_grad=True")
    tangent = _unpacked(tensor)[1]
    if tangent is not None:
        facts.append(f"tangent={tangent}")
    return facts


def _add_suffixes(tensor_str, suffixes, indent, force_newline):
    """Append the suffixes, each on the last line if it fits and on a new line otherwise.

    With `force_newline`, the first suffix is always on a new line.
    """
    text = tensor_str
    # PyTorch counts two columns more for the last line than it has
    used = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if force_newline or used + len(suffix) + 2 > PRINT_OPTS.linewidth:
            force_newline = False
            text += ",\n" + " " * indent + suffix
            used = indent + len(suffix)
        else:
            text += ", " + suffix
            used += len(suffix) + 2
    return text + ")"


def _sparse_str(tensor, indent):
    """Format the indices and values of a sparse tensor, each on separate lines."""
    texts = []
    for name, part in (("indices", tensor._indices()), ("values", tensor._values())):
        prefix = f"{name}=tensor("
        inner = _tensor_str(part, indent + len(prefix)) if part.numel() else "[]"
        text = prefix + inner
        texts.append(text + (f", size={tuple(part.shape)})" if not part.numel() else ")"))
    return (",\n" + " " * indent).join(texts)


def _sparse_facts(tensor):
    """Return the suffixes of a sparse tensor."""
    facts = [f"size={tuple(tensor.shape)}", f"nnz={tensor._nnz()}"]
    if not _is_default_dtype(tensor.dtype):
        facts.append(f"dtype={tensor.dtype!r}")
    return [*facts, f"layout={tensor.layout!r}", *_facts_of_history(tensor)]


def _str(tensor, *, tensor_contents=None):
    """Return the text of ``repr(tensor)``.

    Parameters
    ----------
    tensor : Tensor
        The tensor to print.
    tensor_contents : str, optional
        Replaces the brackets and elements.

    Returns
    -------
    str
        The text that PyTorch prints for the same tensor.
    """
    with outside_of_levels():
        return _text(tensor, tensor_contents)


def _text(tensor, tensor_contents):
    special = wrapped_of(tensor)
    if special is not None:
        return _wrapped_str(special)
    plain = type(tensor) in plain_types
    prefix = "tensor(" if plain else type(tensor).__name__ + "("
    if tensor_contents is None and tensor.is_sparse:
        contents = prefix + _sparse_str(tensor, len(prefix))
        text = _add_suffixes(contents, _sparse_facts(tensor), len(prefix), True)
    else:
        if tensor_contents is None:
            tensor_contents = _contents(tensor, len(prefix))
        text = _add_suffixes(prefix + tensor_contents, _facts(tensor), len(prefix), False)
    if not plain and getattr(tensor, "_is_param", False):
        text = f"Parameter({text})"
    return text


_str_intern = _str  # subclasses in other packages call it in their `__repr__`


def _wrapped_str(special):
    """Format a tensor that is wrapped for a `vmap`, `grad` or `functionalize` level."""
    if special.level.kind == "functionalize" and special.level.alive:
        return f"FunctionalTensor(lvl={special.level.number}, value=\\\n{special.value!r})"
    name = "GradTrackingTensor" if special.dim < 0 else "BatchedTensor"
    batch = "" if special.dim < 0 else f"bdim={special.dim}, "
    value = textwrap.indent(repr(special.value), "    ")
    left = special.dim < 0 and not special.level.alive
    return f"{name}(lvl={-2 if left else special.level.number}, {batch}value=\n{value}\n)"


def _parameter_str(parameter):
    """Return the text of ``repr(parameter)`` for a plain ``nn.Parameter``."""
    return "Parameter containing:\n" + _str(parameter)
