"""Multi-layer recurrent networks."""

import math
import numbers
import warnings

from minitorch.autograd.torch_function import _has_torch_function as has_torch_function
from minitorch.namespace.rename_method import own_method
from minitorch.nn import _recurrent, init
from minitorch.nn._making import empty, zeros
from minitorch.nn.modules.module import Module
from minitorch.nn.parameter import Parameter
from minitorch.nn.utils.rnn import PackedSequence

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}
_FUNCTIONS = {
    "LSTM": _recurrent.lstm,
    "GRU": _recurrent.gru,
    "RNN_TANH": _recurrent.rnn_tanh,
    "RNN_RELU": _recurrent.rnn_relu,
}


def _apply_permutation(tensor, permutation, dim=1):
    return tensor.index_select(dim, permutation)


def apply_permutation(tensor, permutation, dim=1):
    """Call ``tensor.index_select(dim, permutation)``; this is its deprecated name.

    Warns
    -----
    FutureWarning
        Always.
    """
    warnings.warn(
        "`apply_permutation` is deprecated, please use `tensor.index_select(dim, permutation)` instead",
        FutureWarning,
        stacklevel=2,
    )
    return _apply_permutation(tensor, permutation, dim)


def _check_sizes(input_size, hidden_size, num_layers, bias, batch_first, dropout, proj_size):
    if (
        isinstance(dropout, bool)
        or not isinstance(dropout, numbers.Number)
        or not 0 <= dropout <= 1
    ):
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element "
            "being zeroed"
        )
    if dropout > 0 and num_layers == 1:
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout "
            f"expects num_layers greater than 1, but got dropout={dropout} and "
            f"num_layers={num_layers}",
            stacklevel=4,
        )
    for name, value in (("bias", bias), ("batch_first", batch_first)):
        if not isinstance(value, bool):
            raise TypeError(f"{name} should be of type bool, got: {type(value).__name__}")
    for name, value in (("input_size", input_size), ("hidden_size", hidden_size)):
        if not isinstance(value, int):
            raise TypeError(f"{name} should be of type int, got: {type(value).__name__}")
        if value <= 0:
            raise ValueError(f"{name} must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if proj_size < 0:
        raise ValueError("proj_size should be a positive integer or zero to disable projections")
    if proj_size >= hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")


class RNNBase(Module):
    """Base class of `RNN`, `GRU` and `LSTM`: their weights and the checks of their arguments.

    Parameters
    ----------
    mode : str
        "RNN_TANH", "RNN_RELU", "GRU" or "LSTM".
    input_size, hidden_size : int
        The numbers of features of an input element and of the state.
    num_layers : int, default 1
        The number of layers; each layer's input is the output of the previous one.
    bias : bool, default True
        Add biases.
    batch_first : bool, default False
        Input and output are (batch, time, features) instead of (time, batch, features).
    dropout : float, default 0.0
        Dropout probability after each layer except the last, in training.
    bidirectional : bool, default False
        Run a second network backwards; its outputs are appended to the features.
    proj_size : int, default 0
        The number of features that an LSTM's h is projected to; 0 for no projection.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError, TypeError
        For arguments out of range or of the wrong type.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.RNN(3, 4)
    >>> isinstance(layer, torch.nn.RNNBase), layer.mode
    (True, 'RNN_TANH')
    """

    def __init__(
        self,
        mode,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout) if isinstance(dropout, numbers.Number) else dropout
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        _check_sizes(input_size, hidden_size, num_layers, bias, batch_first, dropout, proj_size)
        if mode not in _GATES:
            raise ValueError("Unrecognized RNN mode: " + mode)
        rows, directions = _GATES[mode] * hidden_size, 2 if bidirectional else 1
        out = proj_size or hidden_size
        self._all_weights = []
        for layer in range(num_layers):
            for direction in range(directions):
                width = input_size if layer == 0 else out * directions
                shapes = {"weight_ih": (rows, width), "weight_hh": (rows, out)}
                if bias:
                    shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                suffix = f"_l{layer}" + ("_reverse" if direction else "")
                for name, shape in shapes.items():
                    setattr(
                        self, name + suffix, Parameter(empty(shape, device=device, dtype=dtype))
                    )
                self._all_weights.append([name + suffix for name in shapes])
        self.reset_parameters()

    @property
    def _flat_weights_names(self):
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self):
        return [getattr(self, name) for name in self._flat_weights_names]

    @property
    def all_weights(self):
        """The parameters, as one list for each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def __getstate__(self):
        # PyTorch stores these two as attributes
        return {
            **self.__dict__,
            "_flat_weights_names": self._flat_weights_names,
            "_flat_weights": self._flat_weights,
        }

    def __setstate__(self, state):
        derived = ("_flat_weights_names", "_flat_weights", "_flat_weight_refs")
        super().__setstate__({name: state[name] for name in state if name not in derived})

    def flatten_parameters(self):
        """Do nothing: separate weights are as fast here."""

    def reset_parameters(self):
        """Draw uniform numbers within 1 / sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def check_input(self, input, batch_sizes):
        """Raise if dtype, dimensions or features of the input do not match the weights."""
        dtype = self._flat_weights[0].dtype
        if input.dtype != dtype:
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({dtype}). "
                f"Convert input: input.to({dtype}), or convert model: model.to({input.dtype})"
            )
        wanted = 3 if batch_sizes is None else 2
        if input.dim() != wanted:
            raise RuntimeError(f"input must have {wanted} dimensions, got {input.dim()}")
        if self.input_size != input.size(-1):
            raise RuntimeError(
                "input.size(-1) must be equal to input_size. "
                f"Expected {self.input_size}, got {input.size(-1)}"
            )

    def _state_size(self, input, batch_sizes, features):
        if batch_sizes is not None:
            batch = int(batch_sizes[0])
        else:
            batch = input.size(0 if self.batch_first else 1)
        return self.num_layers * (2 if self.bidirectional else 1), batch, features

    def get_expected_hidden_size(self, input, batch_sizes):
        """Return the expected shape of the state h."""
        return self._state_size(input, batch_sizes, self.proj_size or self.hidden_size)

    def check_hidden_size(self, hx, expected_hidden_size, msg="Expected hidden size {}, got {}"):
        """Raise if the shape of a state is not the expected one."""
        if tuple(hx.size()) != tuple(expected_hidden_size):
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.size())))

    def check_forward_args(self, input, hidden, batch_sizes):
        """Raise if the input or the state does not match the network."""
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx, permutation):
        """Permute the batch dimension of a state."""
        return hx if permutation is None else _apply_permutation(hx, permutation)

    # ---- parts of forward that differ between LSTM, with two states, and the others, with one

    def _initial(self, input, batch_sizes):
        size = self.get_expected_hidden_size(input, batch_sizes)
        return zeros(size, dtype=input.dtype, device=input.device)

    def _with_batch(self, hx, is_batched):
        if is_batched and hx.dim() != 3:
            raise RuntimeError(
                f"For batched 3-D input, hx should also be 3-D but got {hx.dim()}-D tensor"
            )
        if not is_batched and hx.dim() != 2:
            raise RuntimeError(
                f"For unbatched 2-D input, hx should also be 2-D but got {hx.dim()}-D tensor"
            )
        return hx if is_batched else hx.unsqueeze(1)

    def _without_batch(self, hx):
        return hx.squeeze(1)

    def _call(self, *args):
        if has_torch_function((args[0], *self._flat_weights)):
            from minitorch import _VF

            return getattr(_VF, _FUNCTIONS[self.mode].__name__)(*args)
        return _FUNCTIONS[self.mode](*args)

    def extra_repr(self):
        text = f"{self.input_size}, {self.hidden_size}"
        for name, default in (("proj_size", 0), ("num_layers", 1), ("bias", True),
                              ("batch_first", False), ("dropout", 0), ("bidirectional", False)):  # fmt: skip
            if getattr(self, name) != default:
                text += f", {name}={getattr(self, name)}"
        return text


def _reject_projection(kwargs):
    if "proj_size" in kwargs:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class RNN(RNNBase):
    """Run layers of h' = tanh(W_ih x + b_ih + W_hh h + b_hh) over a sequence.

    The input has the shape ``(time, batch, input_size)``, the output ``(time, batch, directions *
    hidden_size)`` and the state ``(num_layers * directions, batch, hidden_size)``; without a batch,
    that dimension is absent everywhere.

    Parameters
    ----------
    input_size, hidden_size : int
        The numbers of features of an input element and of the state.
    num_layers : int, default 1
        Each layer's input is the output of the previous one.
    nonlinearity : {"tanh", "relu"}, default "tanh"
        The function in place of tanh.
    bias : bool, default True
        Learn biases.
    batch_first : bool, default False
        Input and output are (batch, time, features) instead of (time, batch, features).
    dropout : float, default 0.0
        The probability of dropout after each layer but the last, in training.
    bidirectional : bool, default False
        Run a second network backwards; its outputs are appended to the features.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        If a size is not positive or `dropout` is not between 0 and 1, or for an unknown nonlinearity.
    RuntimeError
        When the network is called with an input or a state of a wrong shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> output, h = torch.nn.RNN(3, 4, num_layers=2)(torch.zeros(5, 1, 3))
    >>> output.shape, h.shape
    (torch.Size([5, 1, 4]), torch.Size([2, 1, 4]))
    """

    def __init__(self, *args, **kwargs):
        _reject_projection(kwargs)
        if len(args) > 3:
            nonlinearity, args = args[3], args[:3] + args[4:]
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        super().__init__("RNN_" + nonlinearity.upper(), *args, **kwargs)
        self.nonlinearity = nonlinearity


class GRU(RNNBase):
    """Run layers of gated recurrent units over a sequence.

    The input has the shape ``(time, batch, input_size)``, the output ``(time, batch, directions *
    hidden_size)`` and the state ``(num_layers * directions, batch, hidden_size)``; without a batch,
    that dimension is absent everywhere. With the gates ``r = sigmoid(W_ir x + W_hr h)``, ``z =
    sigmoid(W_iz x + W_hz h)`` and ``n = tanh(W_in x + r * (W_hn h))``, the new state is ``(1 - z) * n +
    z * h``; each product has a bias.

    Parameters
    ----------
    input_size, hidden_size : int
        The numbers of features of an input element and of the state.
    num_layers : int, default 1
        Each layer's input is the output of the previous one.
    bias : bool, default True
        Learn biases.
    batch_first : bool, default False
        Input and output are (batch, time, features) instead of (time, batch, features).
    dropout : float, default 0.0
        The probability of dropout after each layer but the last, in training.
    bidirectional : bool, default False
        Run a second network backwards; its outputs are appended to the features.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        If a size is not positive or `dropout` is not between 0 and 1.
    RuntimeError
        When the network is called with an input or a state of a wrong shape.

    References
    ----------
    K. Cho et al., Learning Phrase Representations using RNN Encoder-Decoder, EMNLP 2014.

    Examples
    --------
    >>> import minitorch as torch
    >>> output, h = torch.nn.GRU(3, 4, bidirectional=True)(torch.zeros(5, 1, 3))
    >>> output.shape, h.shape
    (torch.Size([5, 1, 8]), torch.Size([2, 1, 4]))
    """

    def __init__(self, *args, **kwargs):
        _reject_projection(kwargs)
        super().__init__("GRU", *args, **kwargs)


class LSTM(RNNBase):
    """Run layers of long short-term memory over a sequence.

    The input has the shape ``(time, batch, input_size)``, the output ``(time, batch, directions *
    hidden_size)`` and the state ``(num_layers * directions, batch, hidden_size)``; without a batch,
    that dimension is absent everywhere. There are two states, h and c. With the gates i, f and o and
    the candidate g, ``c' = f * c + i * g`` and ``h' = o * tanh(c')``.

    Parameters
    ----------
    input_size, hidden_size : int
        The numbers of features of an input element and of the state.
    num_layers : int, default 1
        Each layer's input is the output of the previous one.
    bias : bool, default True
        Learn biases.
    batch_first : bool, default False
        Input and output are (batch, time, features) instead of (time, batch, features).
    dropout : float, default 0.0
        The probability of dropout after each layer but the last, in training.
    bidirectional : bool, default False
        Run a second network backwards; its outputs are appended to the features.
    proj_size : int, default 0
        Project h to this number of features; 0 for no projection.
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        If a size is not positive or `dropout` is not between 0 and 1, or if `proj_size` is not smaller than
        `hidden_size`.
    RuntimeError
        When the network is called with an input or a state of a wrong shape.

    References
    ----------
    S. Hochreiter and J. Schmidhuber, Long Short-Term Memory, 1997; with a projection, H. Sak et al.,
    2014.

    Examples
    --------
    >>> import minitorch as torch
    >>> output, (h, c) = torch.nn.LSTM(3, 4, batch_first=True)(torch.zeros(2, 5, 3))
    >>> output.shape, h.shape, c.shape
    (torch.Size([2, 5, 4]), torch.Size([1, 2, 4]), torch.Size([1, 2, 4]))
    """

    def __init__(self, *args, **kwargs):
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(self, input, batch_sizes):
        """Return the expected shape of the state c."""
        return self._state_size(input, batch_sizes, self.hidden_size)

    def check_forward_args(self, input, hidden, batch_sizes):
        self.check_input(input, batch_sizes)
        self.check_hidden_size(
            hidden[0],
            self.get_expected_hidden_size(input, batch_sizes),
            "Expected hidden[0] size {}, got {}",
        )
        self.check_hidden_size(
            hidden[1],
            self.get_expected_cell_size(input, batch_sizes),
            "Expected hidden[1] size {}, got {}",
        )

    def permute_hidden(self, hx, permutation):
        if permutation is None:
            return hx
        return tuple(_apply_permutation(state, permutation) for state in hx)

    def _initial(self, input, batch_sizes):
        h = zeros(
            self.get_expected_hidden_size(input, batch_sizes),
            dtype=input.dtype,
            device=input.device,
        )
        return h, zeros(
            self.get_expected_cell_size(input, batch_sizes), dtype=input.dtype, device=input.device
        )

    def _with_batch(self, hx, is_batched):
        wanted = 3 if is_batched else 2
        if hx[0].dim() != wanted or hx[1].dim() != wanted:
            kind = "batched" if is_batched else "unbatched"
            raise RuntimeError(
                f"For {kind} {wanted}-D input, hx and cx should also be {wanted}-D but got "
                f"({hx[0].dim()}-D, {hx[1].dim()}-D) tensors"
            )
        return hx if is_batched else (hx[0].unsqueeze(1), hx[1].unsqueeze(1))

    def _without_batch(self, hx):
        return tuple(s.squeeze(1) for s in hx)


def forward(self, input, hx=None):
    """Run the network over a sequence.

    Parameters
    ----------
    input : Tensor or PackedSequence
        Of shape (time, batch, input_size), or (batch, time, input_size) with `batch_first`, or
        (time, input_size).
    hx : Tensor or tuple of Tensor, optional
        The initial state, of shape (num_layers * directions, batch, hidden_size); zeros by default.
        An LSTM has two, h and c.

    Returns
    -------
    output : Tensor or PackedSequence
        The outputs h of the last layer at all times.
    state : Tensor or tuple of Tensor
        The final state of all layers.
    """
    settings = (self._flat_weights, self.bias, self.num_layers, self.dropout, self.training,
                self.bidirectional)  # fmt: skip
    if isinstance(input, PackedSequence):
        data, batch_sizes, order, back = input
        if hx is None:
            hx = self._initial(data, batch_sizes)
        else:
            hx = self.permute_hidden(hx, order)
        if self.mode != "LSTM":  # PyTorch checks an LSTM's arguments only for padded sequences
            self.check_forward_args(data, hx, batch_sizes)
        output, *state = self._call(data, batch_sizes, hx, *settings)
        state = state[0] if len(state) == 1 else tuple(state)
        return PackedSequence(output, batch_sizes, order, back), self.permute_hidden(state, back)
    if input.dim() not in (2, 3):
        kind = "RNN" if self.mode.startswith("RNN") else self.mode
        tensor = " tensor" if kind == "RNN" else ""
        raise ValueError(
            f"{kind}: Expected input to be 2D or 3D, got {input.dim()}D{tensor} instead"
        )
    is_batched = input.dim() == 3
    at = 0 if self.batch_first else 1
    if not is_batched:
        input = input.unsqueeze(at)
    hx = self._initial(input, None) if hx is None else self._with_batch(hx, is_batched)
    self.check_forward_args(input, hx, None)
    if input.size(1 if self.batch_first else 0) == 0:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    output, *state = self._call(input, hx, *settings, self.batch_first)
    state = state[0] if len(state) == 1 else tuple(state)
    if not is_batched:
        output, state = output.squeeze(at), self._without_batch(state)
    return output, state


for _kind in (RNN, GRU, LSTM):
    _kind.forward = own_method(_kind, forward)  # type: ignore[method-assign]
del forward
