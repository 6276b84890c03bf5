"""The bilinear map of two vectors."""

from minitorch.autograd import is_grad_enabled
from minitorch.autograd.by_sample import tell_of_operator, without_batching_rule
from minitorch.autograd.forward_grad import _unpack_dual
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.gathered import one_node
from minitorch.autograd.functions.python_signatures import parsed_as
from minitorch.autograd.levels import current_levels, further_out_than, wrapped_of

_TRILINEAR = "aten::_trilinear"


@parsed_as("bilinear")
@without_batching_rule("aten::bilinear")
def bilinear(input1, input2, weight, bias=None):
    """Return input1 @ weight[k] @ input2 + bias[k] for each output k.

    Parameters
    ----------
    input1, input2 : Tensor
        (*, in1_features) and (*, in2_features).
    weight : Tensor
        (out_features, in1_features, in2_features).
    bias : Tensor, optional
        (out_features,).

    Returns
    -------
    Tensor
        (*, out_features).

    Raises
    ------
    RuntimeError
        For shapes that do not match.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.tensor([[1.0, 2.0]])
    >>> torch.nn.functional.bilinear(x, x, torch.ones(1, 2, 2))
    tensor([[9.]])
    """
    given = {"input1": input1, "input2": input2, "weight": weight, "bias": bias}
    if any(t is not None and t.dtype != input1.dtype for t in given.values()):
        raise RuntimeError(
            "All tensors must have the same dtype, got "
            + ", ".join(f"{k}: {t.dtype._c_name}" for k, t in given.items() if t is not None)
        )
    if input1.dim() != input2.dim():
        raise RuntimeError(
            f"bilinear(): input dimensions do not match: got {input1.dim()} and {input2.dim()}"
        )
    for d in range(input1.dim() - 1):
        if input1.size(d) != input2.size(d):
            raise RuntimeError(
                f"bilinear(): input batch dimensions do not match at dim {d}: got "
                f"{input1.size(d)} and {input2.size(d)}"
            )
    for k, x in ((1, input1), (2, input2)):
        if x.size(-1) != weight.size(k):
            raise RuntimeError(
                f"bilinear(): input{k} size does not match weight size: got {x.size(-1)} but expected "
                f"{weight.size(k)}"
            )
    if bias is not None and bias.size(0) != weight.size(0):
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias.size(0)} but expected "
            f"{weight.size(0)}"
        )
    if (
        input1.is_complex()
        and is_grad_enabled()
        and any(t is not None and t.requires_grad for t in (input1, input2, weight))
    ):
        raise RuntimeError(
            "_trilinear does not support automatic differentiation for outputs with complex dtype."
        )
    lead, out = input1.size()[:-1], weight.size(0)
    x1, x2 = input1.reshape(-1, input1.size(-1)), input2.reshape(-1, input2.size(-1))
    result = one_node(
        "TrilinearBackward0",
        _trilinear,
        (x1, weight, x2),
        expand1=(1, 3),
        expand2=(0,),
        expand3=(1, 2),
        i1=x1,
        i2=weight,
        i3=x2,
        sumdim=(2, 3),
    ).view(*lead, out)
    return result if bias is None else result + bias


@without_batching_rule(_TRILINEAR, composed=False)
def _trilinear(x1, weight, x2):
    pairs = (x1.unsqueeze(2) * x2.unsqueeze(1)).flatten(1)
    result = _ops.linear(pairs, weight.reshape(weight.size(0), -1))
    if current_levels():
        _tell_of_derivatives(result)
    return result


def _tell_of_derivatives(result):
    """Warn where a batch reaches a derivative, which PyTorch computes by the same operator."""
    _tell_of_tangents(result)
    if result.requires_grad:
        result.register_hook(lambda grad: tell_of_operator(grad, _TRILINEAR))


def _tell_of_tangents(result):
    """Warn of each tangent that is a batch, also of those in forward modes further out."""
    _, tangent = _unpack_dual(result, 0)
    if tangent is not None:
        tell_of_operator(tangent, _TRILINEAR)
    special = wrapped_of(result)
    if special is not None and special.level.alive:
        with further_out_than(special.level):
            _tell_of_tangents(special.value)
