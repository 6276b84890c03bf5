"""Automatic differentiation: `backward`, `grad` and the other public names.

ARCHITECTURE.md follows a call of ``backward`` step by step; this file is step 2.
"""

from collections.abc import Mapping  # noqa: F401 (PyTorch's module has the name too)

from minitorch.autograd import function, graph
from minitorch.autograd._arguments import (
    _calculate_shape,  # noqa: F401
    check_batched,
    check_mapping,
    check_materialized,
    is_edge_or_tensor,
    metadata_of,
    renamed_argument,
    warn_of_only_inputs,
)
from minitorch.autograd._names import attributes, kineto_available, variable  # noqa: F401
from minitorch.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from minitorch.autograd.engine_steps import fits_plainly
from minitorch.autograd.function import Function, NestedIOFunction
from minitorch.autograd.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from minitorch.autograd.graph import GradientEdge, Variable, _engine_run_backward
from minitorch.autograd.graph_api.version_counter import _unsafe_preserve_version_counter  # noqa: F401
from minitorch.autograd.interpose import create
from minitorch.autograd.levels import reject_backward, reject_backward_in_vmap
from minitorch.autograd.node import _get_sequence_nr  # noqa: F401
from minitorch.autograd.other_modes import (
    _force_original_view_tracking,
    enforce_grad_layout_policy,
    inference_mode,
    is_multithreading_enabled,
    is_view_replay_enabled,
    set_multithreading_enabled,
)
from minitorch.autograd.torch_function import _has_torch_function, handle_torch_function
from minitorch.autograd.variable import TensorBase
from minitorch.autograd.vmap_steps import _vmap
from minitorch.core.error_pages import explained
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


def _as_tuple(items):
    """Return a tuple of tensors and edges; one tensor or edge alone gives a tuple of one."""
    if is_edge_or_tensor(items) or hasattr(type(items), "__torch_function__"):
        return (items,)
    return tuple(items)


def _values(items):
    return tuple(items.values()) if type(items) is dict else items


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
        if not is_edge_or_tensor(out):
            raise AssertionError("Expected output to be a torch.Tensor")
        if isinstance(grad, TensorBase):
            shape, dtype = metadata_of(out)
            if is_grads_batched:
                check_batched(out, shape, grad, index)
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


def _default_grad(out):
    if isinstance(out, TensorBase) and not out.requires_grad:
        return None
    shape, dtype = metadata_of(out)
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
        made = create("ones_like", (out,), {"memory_format": preserve_format})
        return ones_like(out) if made is None else made
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
        grad_tensors = renamed_argument(grad_tensors, grad_variables)
    check_mapping(inputs, "backward")
    if inputs is not None:
        inputs = _as_tuple(_values(inputs))
        if not inputs:
            raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    tensors = _as_tuple(tensors)
    if _has_torch_function(tensors):
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
        warn_of_only_inputs()
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
            "allow_unused=False."
        )
    if allow_unused is None:
        allow_unused = materialize_grads
    check_mapping(inputs, "grad")
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
        check_materialized(result, inputs)
        result = tuple(
            zeros_like(input, requires_grad=create_graph) if output is None else output
            for output, input in zip(result, inputs, strict=True)
        )
    return result if names is None else dict(zip(names, result, strict=True))


__getattr__ = attributes

from minitorch.autograd import answers, forward_ad  # noqa: E402, F401  (nodes call `answers`)
from minitorch.autograd.functions.creation import zeros_like  # noqa: E402
from minitorch.autograd.functions.tensor_methods import ones, ones_like  # noqa: E402
from minitorch.autograd.gradcheck import gradcheck, gradgradcheck  # noqa: E402
