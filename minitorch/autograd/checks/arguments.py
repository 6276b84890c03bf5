"""Helpers of the checks of `gradcheck`: the error, the options, inputs and outputs."""

import warnings
from collections.abc import Iterable
from typing import NamedTuple

from minitorch.autograd.variable import TensorBase


class GradcheckError(RuntimeError):
    """The error that `gradcheck` and `gradgradcheck` raise when the gradients differ."""


GradcheckError.__module__ = "minitorch.autograd.gradcheck"


class Options(NamedTuple):
    """The options of `gradcheck` that every comparison needs."""

    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    check_grad_dtypes: bool
    masked: bool  # for a sparse input, only its specified entries


class Part(NamedTuple):
    """The part of the function that is compared.

    A complex function is compared as two real ones. Backward mode takes the real and the imaginary
    parts of the outputs, forward mode those of the inputs.
    """

    forward: bool = False  # whether forward mode is compared
    imaginary: bool = False  # whether the imaginary parts are compared
    complex_indices: tuple = ()  # positions of the complex outputs (or inputs)


def _dense(gradient):
    return gradient.to_dense() if gradient.is_sparse else gradient


def _densified(x):
    """Return a sparse tensor with all entries specified, missing ones as 0; others unchanged."""
    if not isinstance(x, TensorBase) or not x.is_sparse:
        return x
    dense = x.detach().to_dense()
    full = dense.new_ones(dense.shape).to_sparse(x.sparse_dim())
    full._values().copy_(dense.reshape(full._values().shape))
    return full.requires_grad_(x.requires_grad)


def _entries_of(x):
    """Return the values of a tensor and their positions in the flattened dense tensor.

    The values share the tensor's memory.
    """
    if not x.is_sparse:
        return x.data, range(x.numel())
    first = 0
    for length, index in zip(x.shape, x._indices(), strict=False):
        first = first * length + index
    size = x.shape[x.sparse_dim() :].numel()
    return x._values().data, [int(k) * size + j for k in first for j in range(size)]


def _as_tuple(x):
    return tuple(x) if isinstance(x, list) else x if isinstance(x, tuple) else (x,)


def _is_float_or_complex(x):
    return isinstance(x, TensorBase) and (x.is_floating_point() or x.is_complex())


def _wants_grad(x):
    return isinstance(x, TensorBase) and x.requires_grad


def _iter_tensors(x, only_requiring_grad=False):
    """Yield the tensors of nested sequences."""
    if isinstance(x, TensorBase):
        if x.requires_grad or not only_requiring_grad:
            yield x
    elif isinstance(x, Iterable) and not isinstance(x, str):
        for item in x:
            yield from _iter_tensors(item, only_requiring_grad)


def _inputs_with_grad(inputs):
    """Return the positions of the inputs that require grad, and these inputs."""
    indices = [i for i, x in enumerate(inputs) if _wants_grad(x)]
    return indices, [inputs[i] for i in indices]


def _differentiable_outputs(x):
    return tuple(o for o in _as_tuple(x) if o.requires_grad)


def _check_inputs(inputs):
    """Check that some input requires grad and that no such input has a stride of 0."""
    for idx, x in enumerate(inputs):
        if not _wants_grad(x):
            continue
        if str(x.dtype) not in ("torch.float64", "torch.complex128"):
            warnings.warn(
                f"Input #{idx} requires gradient and is not a double precision floating point or complex. "
                "This check will likely fail if all the inputs are not of double precision floating point "
                "or complex. ",
                stacklevel=3,
            )
        strided = x._values() if x.is_sparse else x
        geometry = zip(strided.stride(), strided.shape, strict=True)
        if any(stride == 0 and size > 1 for stride, size in geometry):
            raise RuntimeError(
                f"The {idx}th input has a dimension with stride 0. gradcheck only supports inputs that are "
                "non-overlapping to be able to compute the numerical gradients correctly. You should call "
                ".contiguous on the input before passing it to gradcheck."
            )
    if not any(_wants_grad(x) for x in inputs):
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have "
            "requires_grad=True."
        )
    if len(list(_iter_tensors(inputs, True))) != len(_inputs_with_grad(inputs)[1]):
        error = IndexError("tuple index out of range")
        error.add_note(
            "Pass each tensor that requires grad as an input of its own: gradcheck does not check "
            "tensors inside a list or tuple."
        )
        raise error


def _check_outputs(outputs):
    if any(o.is_sparse for o in outputs):
        raise ValueError(
            "Sparse output is not supported at gradcheck yet. Please call to_dense(masked_grad=...) on the "
            "output of fn for gradcheck."
        )


def _check_deprecated(name, grad_out):
    """Warn that the function is deprecated, and check `grad_out`."""
    warnings.warn(
        f"`{name}` was part of PyTorch's private API and not meant to be exposed. We are deprecating it "
        "and it will be removed in a future version of PyTorch. If you have a specific use for this or "
        "feature request for this to be a stable API, please file us an issue at "
        "https://github.com/pytorch/pytorch/issues/new",
        FutureWarning,
        stacklevel=3,
    )
    if grad_out != 1.0:
        raise ValueError(
            f"Expected grad_out to be 1.0. {name} no longer supports values of grad_out != 1.0."
        )
