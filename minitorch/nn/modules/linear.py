"""Linear and bilinear layers, and the identity."""

import math

from minitorch.nn import functional as F
from minitorch.nn import init
from minitorch.nn._making import empty
from minitorch.nn.modules.module import Module
from minitorch.nn.parameter import Parameter


class Identity(Module):
    """Return the input unchanged.

    The input may have any shape and dtype.

    Parameters
    ----------
    *args, **kwargs
        Are ignored, so that the class can replace any other layer.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Identity(54, unused="yes")(torch.ones(2))
    tensor([1., 1.])
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Module):
    """Apply the linear map input @ weight.T + bias.

    The input has the shape ``(*, in_features)``, the output the shape ``(*, out_features)``. `weight`
    has the shape ``(out_features, in_features)``, `bias` the shape ``(out_features,)``. Both start
    uniform within ``1 / sqrt(in_features)``.

    Parameters
    ----------
    in_features, out_features : int
        The sizes of the last dimension of input and output.
    bias : bool, default True
        Learn a bias.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    RuntimeError
        When the layer is called with another last dimension or another dtype.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.Linear(3, 2)
    >>> layer(torch.zeros(5, 3)).shape
    torch.Size([5, 2])
    >>> layer.weight.shape, layer.bias.shape
    (torch.Size([2, 3]), torch.Size([2]))
    """

    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(empty((out_features, in_features), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty((out_features,), device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw uniform numbers within 1 / sqrt(in_features)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Bilinear(Module):
    """The bilinear map x1 @ weight[k] @ x2 + bias[k] for each output k.

    Parameters
    ----------
    in1_features, in2_features, out_features : int
    bias : bool, default True
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        If `in1_features` is not positive.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.Bilinear(2, 3, 4)(torch.zeros(5, 2), torch.zeros(5, 3)).shape
    torch.Size([5, 4])
    """

    def __init__(
        self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None
    ):
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got (in1_features={in1_features})")
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        shape = (out_features, in1_features, in2_features)
        self.weight = Parameter(empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(empty((out_features,), device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw uniform numbers within 1 / sqrt(in1_features)."""
        bound = 1 / math.sqrt(self.weight.size(1))
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )
