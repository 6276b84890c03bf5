"""Single steps of recurrent networks, as modules."""

import math

from minitorch.nn import _recurrent, init
from minitorch.nn._making import empty, zeros
from minitorch.nn.modules.module import Module
from minitorch.nn.parameter import Parameter


class RNNCellBase(Module):
    """Base class of the cells, with weights of num_chunks * hidden_size rows.

    Parameters
    ----------
    input_size, hidden_size : int
        The numbers of features of the input and of the state.
    bias : bool
        Add biases.
    num_chunks : int
        The number of gates.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Examples
    --------
    >>> import minitorch as torch
    >>> cell = torch.nn.GRUCell(3, 4)
    >>> isinstance(cell, torch.nn.RNNCellBase), cell.weight_ih.shape
    (True, torch.Size([12, 3]))
    """

    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(empty((rows, input_size), device=device, dtype=dtype))
        self.weight_hh = Parameter(empty((rows, hidden_size), device=device, dtype=dtype))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(
                name, Parameter(empty((rows,), device=device, dtype=dtype)) if bias else None
            )
        self.reset_parameters()

    def reset_parameters(self):
        """Draw uniform numbers within 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        if getattr(self, "bias", True) is not True:
            text += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text

    def _check(self, input, hx):
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if isinstance(hx, (tuple, list)):
            for k, value in enumerate(hx):
                if value.dim() not in (1, 2):
                    raise ValueError(
                        f"{name}: Expected hx[{k}] to be 1D or 2D, got {value.dim()}D instead"
                    )
        elif hx is not None and hx.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected hidden to be 1D or 2D, got {hx.dim()}D instead")

    def _weights(self):
        return self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh

    def _one_state(self, function, input, hx):
        self._check(input, hx)
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            hx = zeros((input.size(0), self.hidden_size), dtype=input.dtype, device=input.device)
        elif not is_batched:
            hx = hx.unsqueeze(0)
        result = function(input, hx, *self._weights())
        return result if is_batched else result.squeeze(0)


class RNNCell(RNNCellBase):
    """Compute one step h' = tanh(W_ih x + b_ih + W_hh h + b_hh).

    The input has the shape ``(batch, input_size)`` or ``(input_size,)``, the state ``(batch,
    hidden_size)`` or ``(hidden_size,)``; without a state, it is 0.

    Parameters
    ----------
    input_size, hidden_size : int
        The numbers of features of an input and of the state.
    bias : bool, default True
        Learn biases.
    nonlinearity : {"tanh", "relu"}, default "tanh"
        The function in place of tanh.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    RuntimeError
        When the cell is called and `nonlinearity` is unknown, or a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.RNNCell(3, 4)(torch.zeros(2, 3)).shape
    torch.Size([2, 4])
    """

    def __init__(
        self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None
    ):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input, hx=None):
        """Return the new state, (batch, hidden_size), or (hidden_size,) for a 1D input."""
        if self.nonlinearity == "tanh":
            return self._one_state(_recurrent.rnn_tanh_cell, input, hx)
        if self.nonlinearity == "relu":
            return self._one_state(_recurrent.rnn_relu_cell, input, hx)
        raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")


class GRUCell(RNNCellBase):
    """Compute one step of a `GRU`.

    The input has the shape ``(batch, input_size)`` or ``(input_size,)``, the state ``(batch,
    hidden_size)`` or ``(hidden_size,)``; without a state, it is 0.

    Parameters
    ----------
    input_size, hidden_size : int
        The numbers of features of an input and of the state.
    bias : bool, default True
        Learn biases.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    RuntimeError
        When the cell is called with a wrong shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.GRUCell(3, 4)(torch.zeros(2, 3)).shape
    torch.Size([2, 4])
    """

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input, hx=None):
        """Return the new state, (batch, hidden_size), or (hidden_size,) for a 1D input."""
        return self._one_state(_recurrent.gru_cell, input, hx)


class LSTMCell(RNNCellBase):
    """Compute one step of an `LSTM`.

    The input has the shape ``(batch, input_size)`` or ``(input_size,)``, the state ``(batch,
    hidden_size)`` or ``(hidden_size,)``; without a state, it is 0. There are two states, h and c.

    Parameters
    ----------
    input_size, hidden_size : int
        The numbers of features of an input and of the state.
    bias : bool, default True
        Learn biases.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    RuntimeError
        When the cell is called with a wrong shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> h, c = torch.nn.LSTMCell(3, 4)(torch.zeros(2, 3))
    >>> h.shape, c.shape
    (torch.Size([2, 4]), torch.Size([2, 4]))
    """

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input, hx=None):
        """Return the new h and c, each (batch, hidden_size), or (hidden_size,) for a 1D input."""
        self._check(input, hx)
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            blank = zeros((input.size(0), self.hidden_size), dtype=input.dtype, device=input.device)
            hx = (blank, blank)
        elif not is_batched:
            hx = (hx[0].unsqueeze(0), hx[1].unsqueeze(0))
        h, c = _recurrent.lstm_cell(input, hx, *self._weights())
        return (h, c) if is_batched else (h.squeeze(0), c.squeeze(0))
