"""Checks of the arguments of `backward` and `grad` that few calls need. The messages are PyTorch's."""

import warnings
from collections.abc import Mapping

from minitorch.autograd.gradient_edge import GradientEdge
from minitorch.autograd.variable import TensorBase
from minitorch.core.types import Size


def is_edge_or_tensor(item):
    return isinstance(item, (TensorBase, GradientEdge))


def metadata_of(output):
    """Return the shape and the dtype of a root."""
    if isinstance(output, GradientEdge):
        metadata = output.node._input_metadata[output.output_nr]
        return metadata.shape, metadata.dtype
    return output.shape, output.dtype


# isinstance is faster for these than for the abstract class Mapping
_SEQUENCES = (type(None), tuple, list, TensorBase)


def check_mapping(inputs, function):
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
    shape, _ = metadata_of(output)
    return Size(shape), Size(grad.shape[1:] if is_grads_batched else grad.shape)


def check_batched(out, shape, grad, index):
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


def renamed_argument(grad_tensors, grad_variables):
    """Return the value of `grad_variables`, the old name of `grad_tensors`, with a warning."""
    warnings.warn(
        "`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=3
    )
    if grad_tensors is not None:
        raise RuntimeError(
            "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. "
            "Please only use `grad_tensors`."
        )
    return grad_variables


def warn_of_only_inputs():
    """Warn that `grad` ignores its argument `only_inputs`."""
    warnings.warn(
        "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate "
        "gradient for other parts of the graph, please use torch.autograd.backward.",
        FutureWarning,
        stacklevel=3,
    )


def check_materialized(gradients, inputs):
    """Raise RuntimeError if zeros are wanted as the gradient of an edge, which has no tensor."""
    for gradient, source in zip(gradients, inputs, strict=True):
        if gradient is None and isinstance(source, GradientEdge):
            raise RuntimeError(
                "materialize_grads cannot be used when the given input is a GradientEdge"
            )


_calculate_shape.__module__ = "minitorch.autograd"
