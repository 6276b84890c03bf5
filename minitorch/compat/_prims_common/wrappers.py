"""Decorators for operators written in Python: dtype promotion and ``out=``."""

import functools
import inspect
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import minitorch
from minitorch._prims_common import dtype_to_type, elementwise_dtypes, suggest_memory_format
from minitorch._tensor import Tensor
from minitorch.utils import _pytree as pytree

__all__ = ["elementwise_type_promotion_wrapper", "out_wrapper"]

# attribute of functions created by `out_wrapper`
_MARK = "_torch_decompositions_out_wrapper"
_ORDER = (bool, int, float, complex)


def _maybe_convert_to_dtype(a, dtype):
    """Convert a tensor, number or sequence of them to `dtype`; None is returned unchanged.

    Raises
    ------
    ValueError
        If a number cannot be converted safely, such as 1.5 to an integer, or `a` has another type.
    """
    if a is None:
        return None
    if isinstance(a, Tensor):
        return a if a.dtype == dtype else a.to(dtype)
    if isinstance(a, _ORDER):
        kind = dtype_to_type(dtype)
        if _ORDER.index(type(a)) > _ORDER.index(kind):
            raise ValueError(f"Scalar {a} of type {type(a)} cannot be safely cast to type {kind}!")
        return kind(a)
    if isinstance(a, Sequence):
        return tuple(_maybe_convert_to_dtype(x, dtype) for x in a)
    raise ValueError(
        f"Received unsupported type {type(a)}. Expected TensorLike, Number, or Sequence."
    )


class elementwise_type_promotion_wrapper:
    """Decorator that converts arguments to the computation dtype and results to theirs.

    Parameters
    ----------
    type_promotion_kind : ELEMENTWISE_TYPE_PROMOTION_KIND
        How the dtypes are derived from the promoted dtype of the arguments.
    type_promoting_args : sequence of str
        Names of the arguments to promote. An argument may be a sequence.

    Notes
    -----
    If an argument named ``dtype`` is given and not None, it is the dtype of the results.
    """

    def __init__(self, *, type_promotion_kind, type_promoting_args=None):
        self.type_promotion_kind = type_promotion_kind
        self.type_promoting_arg_names = type_promoting_args

    def __call__(self, fn):
        signature = inspect.signature(fn)

        @functools.wraps(fn)
        def promoted(*args, **kwargs):
            bound = signature.bind(*args, **kwargs)
            given = bound.arguments
            names = [name for name in self.type_promoting_arg_names if name in given]
            compute_dtype, result_dtype = elementwise_dtypes(
                *pytree.arg_tree_leaves(*(given[name] for name in names)),
                type_promotion_kind=self.type_promotion_kind,
            )
            for name in names:
                given[name] = _maybe_convert_to_dtype(given[name], compute_dtype)
            result = fn(*bound.args, **bound.kwargs)
            return _maybe_convert_to_dtype(result, given.get("dtype") or result_dtype)

        promoted.__signature__ = signature
        return promoted


def _same_device(source, out):
    if source.device != out.device:
        raise RuntimeError(
            f"Attempting to copy from device {source.device} to device {out.device}, but "
            "cross-device copies are not allowed!"
        )


def _safe_copy_out(*, copy_from, copy_to, exact_dtype=False):
    """Copy a result to an ``out`` tensor.

    Raises
    ------
    RuntimeError
        If the result cannot be cast safely, or, with `exact_dtype`, if the dtypes differ.
    """
    if copy_from.dim() > 0 or copy_from.device.type != "cpu":
        _same_device(copy_from, copy_to)
    if exact_dtype and copy_from.dtype != copy_to.dtype:
        raise RuntimeError(
            f"Expected out tensor to have dtype {copy_from.dtype} but got {copy_to.dtype} instead"
        )
    if not minitorch.can_cast(copy_from.dtype, copy_to.dtype):
        raise RuntimeError(
            f"Attempting to cast from {copy_from.dtype} to out tensor with dtype {copy_to.dtype}, "
            "but this can't be cast because it is not safe!"
        )
    return copy_to.copy_(copy_from)


def _fill(out, result, exact_dtype, memory_format):
    if out.shape != result.shape:
        if out.numel():
            warnings.warn(
                f"An output with one or more elements was resized since it had shape {out.shape} "
                f"which does not match the required output shape {result.shape}. This behavior is "
                "deprecated, and in a future PyTorch release outputs will not be resized unless "
                "they have zero elements. You can explicitly reuse an out tensor t by resizing it, "
                "inplace, to zero elements with t.resize_(0).",
                stacklevel=3,
            )
        out.resize_(result.shape, memory_format=memory_format)
    _safe_copy_out(copy_from=result, copy_to=out, exact_dtype=exact_dtype)


def out_wrapper(*out_names, exact_dtype=False, pass_is_out=False, preserve_memory_format=False):
    """Return a decorator that adds an ``out=`` argument, a tensor or a tuple of tensors.

    Parameters
    ----------
    *out_names : str
        Names of the results. Several results are returned as a named tuple.
    exact_dtype : bool
        Whether `out` must have the dtype of the result.
    pass_is_out : bool
        Whether to pass ``is_out=`` to the function, true if `out` is given.
    preserve_memory_format : bool
        Whether a resized `out` gets the memory format of the result.
    """
    names = out_names or ("out",)

    def fill(out, result):
        keeps = preserve_memory_format
        layout = suggest_memory_format(result) if keeps else minitorch.contiguous_format
        _fill(out, result, exact_dtype, layout)

    single = len(names) == 1

    def wrap(fn):
        signature = inspect.signature(fn)
        makes = all(name in signature.parameters for name in ("device", "dtype"))
        several = None
        if not single:
            several = NamedTuple(f"return_types_{fn.__name__}", [(n, Tensor) for n in names])

        @functools.wraps(fn)
        def with_out(*args, out=None, **kwargs):
            if makes and out is not None:
                kwargs = {"device": out.device, "dtype": out.dtype} | kwargs
            for o in (out,) if isinstance(out, Tensor) else out or ():
                if args and isinstance(args[0], Tensor):
                    _same_device(args[0], o)
            if pass_is_out:
                kwargs["is_out"] = out is not None
            result = fn(*args, **kwargs)
            if result is NotImplemented:
                return result
            if out is None:
                return result if single else several(*result)
            if single:
                fill(out, result)
                return out
            if len(out) != len(result):
                raise TypeError(f"expected tuple of {len(result)} elements but got {len(out)}")
            for o, r in zip(out, result, strict=True):
                fill(o, r)
            return several(*out)

        out_type = Tensor if single else tuple[(Tensor,) * len(names)]
        parameter = inspect.Parameter(
            "out", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=out_type
        )
        # keep **kwargs last
        parameters = sorted((*signature.parameters.values(), parameter), key=lambda p: p.kind)
        returned = several or Tensor
        with_out.__signature__ = inspect.Signature(parameters, return_annotation=returned)
        with_out.__annotations__ = {**fn.__annotations__, "out": out_type, "return": returned}
        setattr(with_out, _MARK, "This function is wrapped by out_wrapper")
        return with_out

    return wrap


def _maybe_remove_out_wrapper(fn):
    """Return the function wrapped by `out_wrapper`, or `fn` itself."""
    return inspect.unwrap(fn, stop=lambda f: not hasattr(f, _MARK))
