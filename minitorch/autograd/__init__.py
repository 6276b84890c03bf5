"""Automatic differentiation: `backward` and `grad`, and the names around them.

The way of a call is told in ARCHITECTURE.md; this file is its second step.
"""

import warnings
from collections.abc import Mapping

from minitorch._vmap_internals import _vmap
from minitorch.autograd import function, graph
from minitorch.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from minitorch.autograd.fit import fits_plainly
from minitorch.autograd.function import Function, NestedIOFunction
from minitorch.autograd.grad_mode import (
    _force_original_view_tracking,
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    is_grad_enabled,
    is_multithreading_enabled,
    is_view_replay_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from minitorch.autograd.graph import GradientEdge, Variable, _engine_run_backward
from minitorch.autograd.graph_api.legacy_variable import VariableMeta
from minitorch.autograd.graph_api.version_counter import _unsafe_preserve_version_counter  # noqa: F401
from minitorch.autograd.interpose import create
from minitorch.autograd.levels import refuse_backward
from minitorch.autograd.node import _get_sequence_nr  # noqa: F401
from minitorch.autograd.torch_function import _has_torch_function, handle_torch_function
from minitorch.autograd.variable import TensorBase
from minitorch.core.types import Size, preserve_format

__all__ = [
    "Function",
    "NestedIOFunction",
    "Variable",
    "_force_original_view_tracking",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "enforce_grad_layout_policy",
    "forward_ad",
    "function",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_grad_enabled",
    "is_multithreading_enabled",
    "is_view_replay_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "trace",
]


def _is_edge_or_tensor(item):
    return isinstance(item, (TensorBase, GradientEdge))


def _as_tuple(items):
    """A tensor or an edge alone is a sequence of one; an edge is a tuple, but not a sequence here."""
    if _is_edge_or_tensor(items) or hasattr(type(items), "__torch_function__"):
        return (items,)
    return tuple(items)


def _values(items):
    return tuple(items.values()) if type(items) is dict else items


# to ask an abstract class costs more than to ask these
_SEQUENCES = (type(None), tuple, list, TensorBase)


def _check_mapping(inputs, function):
    if type(inputs) is dict or isinstance(inputs, _SEQUENCES):
        return
    if isinstance(inputs, Mapping):
        raise TypeError(
            f"`inputs` argument to `{function}()` must be a dict, not {type(inputs).__name__}. "
            "Other Mapping types are not supported."
        )


def _calculate_shape(output, grad, is_grads_batched):
    """The shapes that must be equal: of a root, and of its gradient without the dimension of the batch."""
    if is_grads_batched and isinstance(output, GradientEdge):
        raise RuntimeError("Batched grads are not supported with GradientEdge")
    shape, _ = _metadata(output)
    return Size(shape), Size(grad.shape[1:] if is_grads_batched else grad.shape)


def kineto_available():
    """Whether the profiler records what operators do: it does."""
    return True


def _metadata(output):
    """Shape and dtype of a root."""
    if isinstance(output, GradientEdge):
        metadata = output.node._input_metadata[output.output_nr]
        return metadata.shape, metadata.dtype
    return output.shape, output.dtype


# docs: step 2, _make_grads
def _make_grads(outputs, grads, is_grads_batched=False):
    """Check the gradient given for each root, or make the default one.

    Decision table:

        gradient   root                          result
        Tensor     same shape, same complexity   it
        None       requires grad, one element    ones
        None       requires grad, more           RuntimeError
        None       does not require grad         None
    """
    new_grads = []
    # gradients too many are left out, and the engine says that there are too few
    for index, (out, grad) in enumerate(zip(outputs, grads, strict=False)):
        if not is_grads_batched and fits_plainly(grad, out):
            new_grads.append(grad)
            continue
        if not _is_edge_or_tensor(out):
            raise AssertionError("Expected output to be a torch.Tensor")
        if isinstance(grad, TensorBase):
            shape, dtype = _metadata(out)
            if is_grads_batched:
                _check_batched(out, shape, grad, index)
            elif tuple(shape) != tuple(grad.shape):
                raise RuntimeError(
                    f"Mismatch in shape: grad_output[{index}] has a shape of {grad.shape} and "
                    f"output[{index}] has a shape of {Size(shape)}."
                )
            if dtype.is_complex != grad.dtype.is_complex:
                raise RuntimeError(
                    "For complex Tensors, both grad_output and output are required to have the same "
                    f"dtype. Mismatch in dtype: grad_output[{index}] has a dtype of {grad.dtype} and "
                    f"output[{index}] has a dtype of {dtype}."
                )
            new_grads.append(grad)
        elif grad is None:
            new_grads.append(_default_grad(out))
        else:
            raise TypeError(
                "gradients can be either Tensors or None, but got " + type(grad).__name__
            )
    return tuple(new_grads)


def _check_batched(out, shape, grad, index):
    """The error of a batch of gradients whose samples are not of the shape of their root."""
    # PyTorch looks at the first of them, whatever it is
    first = grad[0]
    if tuple(shape) == tuple(first.shape):
        return
    expected, found = _calculate_shape(out, first, True)
    raise RuntimeError(
        "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch "
        "dimension. The sizes of the remaining dimensions are expected to match the shape of corresponding "
        f"output, but a mismatch was detected: grad_output[{index}] has a shape of {found} "
        f"and output[{index}] has a shape of {expected}. If you only want some tensors in `grad_output` "
        "to be considered batched, consider using vmap."
    )


def _default_grad(out):
    if isinstance(out, TensorBase) and not out.requires_grad:
        return None
    shape, dtype = _metadata(out)
    count = 1
    for size in shape:
        count *= size
    if count != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    if not dtype.is_floating_point:
        raise RuntimeError(
            f"grad can be implicitly created only for real scalar outputs but got {dtype}"
        )
    if isinstance(out, TensorBase):
        told = create("ones_like", (out,), {"memory_format": preserve_format})
        return ones_like(out) if told is None else told
    return ones(tuple(shape), dtype=dtype)


# docs: end


def _tensor_or_tensors_to_tuple(tensors, length):
    if tensors is None:
        return (None,) * length
    if isinstance(tensors, TensorBase):
        return (tensors,)
    return tuple(tensors)


# docs: step 2, backward
def backward(
    tensors,
    grad_tensors=None,
    retain_graph=None,
    create_graph=False,
    grad_variables=None,
    inputs=None,
):
    """Add the gradients of `tensors` with respect to the graph's leaves to the leaves' ``.grad``.

    The graph is walked by the chain rule from the roots `tensors`. For a root with more than one element
    a gradient must be given: the vector of a vector-Jacobian product.

    Parameters
    ----------
    tensors : Tensor, GradientEdge, or sequence of them
        The roots.
    grad_tensors : Tensor or None, or sequence of them, optional
        The gradient with respect to each root, of the root's shape; None where the root is a scalar
        or does not require grad.
    retain_graph : bool, optional
        Keep what the graph has saved, so that a second backward is possible. Default: `create_graph`.
    create_graph : bool
        Record the backward pass, for higher derivatives.
    grad_variables : optional
        Deprecated name of `grad_tensors`.
    inputs : Tensor, GradientEdge, sequence of them or dict of tensors, optional
        Accumulate into these only (leaves or not). Default: all leaves. The node that made an input which is not a
        leaf is applied as well, for its hooks: what it computes goes nowhere, and what it saved is released.

    Raises
    ------
    RuntimeError
        For a root without gradient that is no scalar, mismatched shapes or numbers, a graph whose saved
        tensors were freed, an empty `inputs`.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.autograd.backward((x * x).sum())
    >>> x.grad
    tensor([2., 4.])

    Notes
    -----
    The counterpart is ``torch.autograd.backward``.
    """
    refuse_backward()
    if grad_variables is not None:
        warnings.warn(
            "`grad_variables` is deprecated. Use `grad_tensors` instead.",
            FutureWarning,
            stacklevel=2,
        )
        if grad_tensors is None:
            grad_tensors = grad_variables
        else:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. "
                "Please only use `grad_tensors`."
            )
    _check_mapping(inputs, "backward")
    if inputs is not None:
        inputs = _as_tuple(_values(inputs))
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    tensors = _as_tuple(tensors)
    if tensors and not _is_edge_or_tensor(tensors[0]) and _has_torch_function(tensors):
        return handle_torch_function(
            backward,
            tensors,
            tensors,
            grad_tensors=grad_tensors,
            retain_graph=retain_graph,
            create_graph=create_graph,
            inputs=inputs,
        )
    inputs = inputs or ()
    grad_tensors = _tensor_or_tensors_to_tuple(grad_tensors, len(tensors))
    grad_tensors = _make_grads(tensors, grad_tensors)
    if retain_graph is None:
        retain_graph = create_graph

    _engine_run_backward(
        tensors,
        grad_tensors,
        retain_graph,
        create_graph,
        inputs,
        allow_unreachable=True,
        accumulate_grad=True,
    )
    return None


# docs: end


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    """The gradients of `outputs` with respect to `inputs`, without touching any ``.grad``.

    Parameters
    ----------
    outputs : Tensor, GradientEdge, or sequence of them
    inputs : Tensor, GradientEdge, sequence of them or dict of tensors
    grad_outputs : Tensor or None, or sequence of them, optional
        As `grad_tensors` of `backward`.
    retain_graph : bool, optional
        Default: `create_graph`.
    create_graph : bool
    only_inputs : bool
        Has no effect any more; False warns.
    allow_unused : bool, optional
        Whether an input that `outputs` do not depend on gets None instead of an error. Default:
        `materialize_grads`.
    is_grads_batched : bool
        Whether the first dimension of each gradient in `grad_outputs` counts vectors, which all go back in
        one pass; it is the first dimension of each result too.
    materialize_grads : bool
        Whether such an input gets zeros.

    Returns
    -------
    tuple of Tensor or None
        One for each input, of its shape and dtype; a dict with the keys of `inputs`, when that is a dict.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> (dy,) = torch.autograd.grad(x * x * x, x, create_graph=True)
    >>> torch.autograd.grad(dy, x)
    (tensor(18.),)
    """
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate "
            "gradient for other parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    _check_mapping(inputs, "grad")
    names = tuple(inputs) if type(inputs) is dict else None
    outputs = _as_tuple(outputs)
    inputs = _as_tuple(_values(inputs))
    if not inputs:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    if _has_torch_function(outputs + inputs):
        return handle_torch_function(
            grad,
            outputs + inputs,
            outputs,
            inputs if names is None else dict(zip(names, inputs, strict=True)),
            grad_outputs=grad_outputs,
            retain_graph=retain_graph,
            create_graph=create_graph,
            only_inputs=only_inputs,
            allow_unused=allow_unused,
            is_grads_batched=is_grads_batched,
            materialize_grads=materialize_grads,
        )
    grad_outputs = _tensor_or_tensors_to_tuple(grad_outputs, len(outputs))
    grad_outputs = _make_grads(outputs, grad_outputs, is_grads_batched)
    if retain_graph is None:
        retain_graph = create_graph

    def vjp(vectors):
        return _engine_run_backward(
            outputs,
            vectors,
            retain_graph,
            create_graph,
            inputs,
            allow_unused,
            accumulate_grad=False,
        )

    if is_grads_batched:
        result = _vmap(vjp, allow_none_pass_through=True)(grad_outputs)
    else:
        result = vjp(grad_outputs)
    if materialize_grads:
        if any(
            g is None and isinstance(i, GradientEdge) for g, i in zip(result, inputs, strict=True)
        ):
            raise RuntimeError(
                "materialize_grads cannot be used when the given input is a GradientEdge"
            )
        result = tuple(
            zeros_like(input, requires_grad=create_graph) if output is None else output
            for output, input in zip(result, inputs, strict=True)
        )
    return result if names is None else dict(zip(names, result, strict=True))


# names of PyTorch's that stand elsewhere, imported by the programs that ask for one
_ELSEWHERE = {
    "trace": "autograd.observe.tracing",
    "SavedTensor": "autograd.saved_variable",
    "_pop_saved_tensors_default_hooks": "autograd.saved_variable",
    "_push_saved_tensors_default_hooks": "autograd.saved_variable",
    "_profiler_enabled": "autograd.profiler",
    "_record_function_with_args_enter": "autograd.observe.profiled_blocks",
    "_record_function_with_args_exit": "autograd.observe.profiled_blocks",
    "DeviceType": "_C._autograd",
    "ProfilerActivity": "profiler",
    "has_torch_function": "overrides",
    "is_tensor_like": "overrides",
}
_MODULES = ("functional", "profiler", "profiler_legacy", "profiler_util", "_functions")


def __getattr__(name):
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name == "torch":  # the library itself, as each module of PyTorch has it
        return import_module("minitorch")
    if name not in _ELSEWHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"minitorch.{_ELSEWHERE[name]}"), name)
    if name == "trace":
        globals()["trace"] = found
    return found


def variable(*args, **kwargs):
    """Is gone: `minitorch.tensor` makes tensors.

    Raises
    ------
    RuntimeError
        Always.
    """
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


# the function has the name of a module, and programs look up the module's classes in it
variable.Variable, variable.VariableMeta = Variable, VariableMeta

from minitorch.autograd import forward_ad  # noqa: E402
from minitorch.autograd.functions.creation import zeros_like  # noqa: E402
from minitorch.autograd.functions.tensor_methods import ones, ones_like  # noqa: E402
from minitorch.autograd.gradcheck import gradcheck, gradgradcheck  # noqa: E402
