"""Helpers of the transforms: dtypes, normalization, truncation and padding."""

from minitorch.autograd.functions import tensor_methods as _rows
from minitorch.core.dtype import _dtypes
from minitorch.tensors.type_info import get_default_dtype

NONE, BY_ROOT_N, BY_N = range(3)


def norm_of(norm, forward):
    """Return the number of a normalization, as the operators expect it."""
    if norm is None or norm == "backward":
        return NONE if forward else BY_N
    if norm == "forward":
        return BY_N if forward else NONE
    if norm == "ortho":
        return BY_ROOT_N
    raise RuntimeError(f'Invalid normalization mode: "{norm}"')


def promoted(x, to_complex):
    """Convert the input to a dtype that supports transforms.

    Raise RuntimeError for half precision.
    """
    by_name = _dtypes()
    dtype = x.dtype
    if not dtype.is_complex:
        if not dtype.is_floating_point:
            dtype = get_default_dtype()
        if dtype.itemsize < 4:
            raise RuntimeError(f"Unsupported dtype {dtype._class_name}")
        if to_complex:
            dtype = by_name["complex64" if dtype.itemsize == 4 else "complex128"]
    return x if dtype == x.dtype else _rows._to_copy(x, dtype=dtype)


def check_points(n):
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")


def resized(x, dims, sizes):
    """Truncate the input, or pad it with zeros at the end, to the given sizes; -1 keeps a size."""
    pad = [0] * (2 * x.dim())
    padded = False
    for d, n in zip(dims, sizes, strict=True):
        if n == -1:
            continue
        if n > x.size(d):
            pad[2 * (x.dim() - 1 - d) + 1] = n - x.size(d)
            padded = True
        elif n < x.size(d):
            x = x.narrow(d, 0, n)
    return _rows.constant_pad_nd(x, pad, 0) if padded else x


def check_out(name, out, is_complex):
    """Raise RuntimeError unless `out` is complex or floating point, as the transform requires."""
    if out is None:
        return
    if is_complex and not out.is_complex():
        raise RuntimeError(
            f"{name} expects a complex output tensor, but got {out.dtype._class_name}"
        )
    if not is_complex and not out.is_floating_point():
        raise RuntimeError(
            f"{name} expects a floating point output tensor, but got {out.dtype._class_name}"
        )


def check_real(name, input, kind="real"):
    if input.is_complex():
        raise RuntimeError(
            f"{name} expects a {kind} input tensor, but got {input.dtype._class_name}"
        )


def real_dtype(dtype):
    """Return the real dtype that corresponds to a complex one, or a real dtype unchanged."""
    name = {"complex64": "float32", "complex128": "float64"}.get(str(dtype).rpartition(".")[2])
    return dtype if name is None else _dtypes()[name]


def conjugate(transform, out):
    """Return the conjugate, resolved if the result is written to `out`."""
    return transform.conj() if out is None else transform.conj().resolve_conj()
