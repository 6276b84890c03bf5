"""Automatic differentiation: `backward`, `grad` and the other public names.

ARCHITECTURE.md follows a call of ``backward`` step by step; this file is step 2.
"""

import sys
import warnings
from collections.abc import Mapping

from minitorch.autograd import function, graph
from minitorch.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from minitorch.autograd.engine_steps import fits_plainly
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
from minitorch.autograd.levels import reject_backward, reject_backward_in_vmap
from minitorch.autograd.node import _get_sequence_nr  # noqa: F401
from minitorch.autograd.torch_function import _has_torch_function, handle_torch_function
from minitorch.autograd.variable import TensorBase
from minitorch.autograd.vmap_steps import _vmap
from minitorch.core.error_pages import explained
from minitorch.core.lazy import lazy_attributes
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
    """Return a tuple of tensors and edges; one tensor or edge alone gives a tuple of one."""
    if _is_edge_or_tensor(items) or hasattr(type(items), "__torch_function__"):
        return (items,)
    return tuple(items)


def _values(items):
    return tuple(items.values()) if type(items) is dict else items


# isinstance is faster for these than for the abstract class Mapping
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
    """Return the shapes of a root and of its gradient without the batch dimension."""
    if is_grads_batched and isinstance(output, GradientEdge):
        raise RuntimeError("Batched grads are not supported with GradientEdge")
    shape, _ = _metadata(output)
    return Size(shape), Size(grad.shape[1:] if is_grads_batched else grad.shape)


def kineto_available():
    """Return True, since the profiler can always record operators.

    Returns
    -------
    bool
        Always True.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.autograd.profiler.kineto_available()
    True
    """
    return True


def _metadata(output):
    """Return the shape and the dtype of a root."""
    if isinstance(output, GradientEdge):
        metadata = output.node._input_metadata[output.output_nr]
        return metadata.shape, metadata.dtype
    return output.shape, output.dtype


# docs: step 2, _make_grads
def _make_grads(outputs, grads, is_grads_batched=False):
    """Check the gradient of each root, or make the default one.

    Decision table:

        gradient   root                                result
        Tensor     same shape, both complex or real    the gradient
        None       requires grad, one element          ones
        None       requires grad, more elements        RuntimeError
        None       does not require grad               None
    """
    new_grads = []
    # surplus gradients are dropped here; if there are too few, the engine raises
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
                error = RuntimeError(
                    f"Mismatch in shape: grad_output[{index}] has a shape of {grad.shape} and "
                    f"output[{index}] has a shape of {Size(shape)}."
                )
                raise explained(error, "gradient-shape")
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
    """Raise RuntimeError if the gradients in a batch do not have the shape of their root."""
    # like PyTorch, look only at the first sample
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
        error = RuntimeError("grad can be implicitly created only for scalar outputs")
        raise explained(error, "non-scalar-backward")
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
    """Add the gradients of `tensors` with respect to the leaves of the graph to their ``.grad``.

    The backward pass follows the graph from the roots `tensors` to the leaves and applies the chain
    rule. A root with more than one element needs a gradient: the vector of a vector-Jacobian
    product.

    Parameters
    ----------
    tensors : Tensor, GradientEdge, or sequence of them
        The roots.
    grad_tensors : Tensor or None, or sequence of them, optional
        The gradient with respect to each root, of the root's shape. It may be None if the root has
        one element or does not require grad.
    retain_graph : bool, optional
        Keep the saved tensors, so that the graph can be run backward again. Default:
        `create_graph`.
    create_graph : bool
        Record the backward pass, for higher derivatives.
    grad_variables : optional
        Deprecated name of `grad_tensors`.
    inputs : Tensor, GradientEdge, sequence of them or dict of tensors, optional
        Accumulate only into these tensors, which need not be leaves. Default: all leaves. For an
        input that is not a leaf, the node that made it runs too, so that its hooks are called. The
        results of that node are dropped and its saved tensors freed.

    Returns
    -------
    None
        The gradients are in the attribute ``grad`` of the leaves.

    Raises
    ------
    RuntimeError
        If a root with several elements has no gradient, if shapes or the numbers of roots and
        gradients do not match, if saved tensors were freed, or if `inputs` is empty.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> torch.autograd.backward((x * x).sum())
    >>> x.grad
    tensor([2., 4.])

    Notes
    -----
    PyTorch's counterpart is ``torch.autograd.backward``.
    """
    reject_backward()
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

    reject_backward_in_vmap()
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
    """Return the gradients of `outputs` with respect to `inputs`, without changing any ``.grad``.

    Parameters
    ----------
    outputs : Tensor, GradientEdge, or sequence of them
    inputs : Tensor, GradientEdge, sequence of them or dict of tensors
    grad_outputs : Tensor or None, or sequence of them, optional
        The gradient with respect to each output, as `grad_tensors` of `backward`.
    retain_graph : bool, optional
        Keep the saved tensors, so that the graph can be run backward again. Default:
        `create_graph`.
    create_graph : bool
        Record the backward pass, for higher derivatives.
    only_inputs : bool
        Deprecated, without effect; False warns.
    allow_unused : bool, optional
        Return None for an input that `outputs` do not depend on, instead of raising. Default:
        `materialize_grads`.
    is_grads_batched : bool
        Treat the first dimension of each of `grad_outputs` as a batch of vectors, and compute the
        products for all of them in one pass. The results have this batch dimension too.
    materialize_grads : bool
        Return zeros for an input that `outputs` do not depend on.

    Returns
    -------
    tuple of (Tensor or None), or dict
        The gradient for each input, of its shape and dtype. If `inputs` is a dict, a dict with its
        keys.

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


# names that PyTorch has here and minitorch defines elsewhere; imported when they are first used
_ELSEWHERE = {
    "trace": "minitorch.autograd.observe.tracing",
    "SavedTensor": "minitorch.autograd.saved_variable",
    "_pop_saved_tensors_default_hooks": "minitorch.autograd.saved_tensor_hooks",
    "_push_saved_tensors_default_hooks": "minitorch.autograd.saved_tensor_hooks",
    "_profiler_enabled": "minitorch.autograd.profiler",
    "_record_function_with_args_enter": "minitorch.autograd.observe.profiled_blocks",
    "_record_function_with_args_exit": "minitorch.autograd.observe.profiled_blocks",
    "DeviceType": "minitorch._C._autograd",
    "ProfilerActivity": "minitorch.profiler",
    "has_torch_function": "minitorch.overrides",
    "is_tensor_like": "minitorch.overrides",
}
_lazy = lazy_attributes(
    __name__,
    *("functional", "profiler", "profiler_legacy", "profiler_util", "_functions"),
    names=_ELSEWHERE,
)


def __getattr__(name):
    if name == "torch":  # the library itself, as each module of PyTorch has it
        return sys.modules["minitorch"]
    return _lazy(name)


def variable(*args, **kwargs):
    """Raise RuntimeError: this old constructor is gone, `minitorch.tensor` makes tensors.

    Raises
    ------
    RuntimeError
        Always.
    """
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


# the function has the name of a module, and programs look up the module's classes in it
variable.Variable, variable.VariableMeta = Variable, VariableMeta

from minitorch.autograd import answers, forward_ad  # noqa: E402, F401  (nodes call `answers`)
from minitorch.autograd.functions.creation import zeros_like  # noqa: E402
from minitorch.autograd.functions.tensor_methods import ones, ones_like  # noqa: E402
from minitorch.autograd.gradcheck import gradcheck, gradgradcheck  # noqa: E402
