"""Recurrent networks: one step of each kind, and the loop over the steps of a sequence.

A state is a list of tensors, whose first one is the output of the step. A step gets the input
already multiplied by the input weights, because that product is computed for all time steps at
once.

This module defines every recurrent layer by composed operators. Where the operators need not be
visible, kernels compute the layers (Note [Fused recurrent layers]).

In a packed sequence the batch shrinks over time. Going forwards, the states of finished sequences
are set aside; going backwards, the states of sequences are added at their last element.
"""

from minitorch._tensor import Tensor
from minitorch.autograd.by_sample import LISTS, without_batching_rule
from minitorch.autograd.functions import recurrent as _kernels
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.functions.gathered import Result, one_node
from minitorch.autograd.functions.overridable import cast_arguments
from minitorch.autograd.levels import wrapped_of
from minitorch.autograd.observe.profiled_blocks import observed
from minitorch.core.once import warn_once
from minitorch.nn._dropout import dropout as _dropout

__all__ = [
    "gru",
    "gru_cell",
    "lstm",
    "lstm_cell",
    "rnn_relu",
    "rnn_relu_cell",
    "rnn_tanh",
    "rnn_tanh_cell",
]


def _plus(own, other):
    """Add `other` to `own`, in place unless `vmap` hides a batch dimension in `other`."""
    return own + other if wrapped_of(other) is not None else own.add_(other)


def _times(own, other):
    return own * other if wrapped_of(other) is not None else own.mul_(other)


def _tanh_step(x, state, recur):
    return [_plus(recur(state[0]), x).tanh()]


def _relu_step(x, state, recur):
    return [_plus(recur(state[0]), x).relu()]


def _gru_step(x, state, recur):
    h = state[0]
    from_x, from_h = x.unsafe_chunk(3, 1), recur(h).unsafe_chunk(3, 1)
    reset = _plus(from_h[0], from_x[0]).sigmoid_()
    update = _plus(from_h[1], from_x[1]).sigmoid_()
    new = from_x[2].add(_times(from_h[2], reset)).tanh_()
    return [(h - new).mul_(update).add_(new)]


def _lstm_step(x, state, recur):
    h, c = state
    i, f, g, o = _plus(recur(h), x).unsafe_chunk(4, 1)
    i, f, g, o = i.sigmoid_(), f.sigmoid_(), g.tanh_(), o.sigmoid_()
    c = (f * c).add_(i * g)
    return [o * c.tanh(), c]


_KERNELS = {_lstm_step: "lstm", _gru_step: "gru", _tanh_step: "tanh", _relu_step: "relu"}


class _Recur:
    """The linear maps of one layer in one direction."""

    def __init__(self, params, has_biases, projected):
        self.w_ih, self.w_hh = params[:2]
        self.b_ih, self.b_hh = params[2:4] if has_biases else (None, None)
        self.w_hr = params[-1] if projected else None

    def __call__(self, h):
        return _linear(h, self.w_hh, self.b_hh)

    def of_input(self, x):
        """Return the input's contribution to all gates, for all time steps."""
        return _linear(x, self.w_ih, self.b_ih)


def _linear(*args):
    return _ops.linear(*cast_arguments("linear", args, {})[0])


def _advance(step, x, state, recur):
    state = step(x, state, recur)
    if recur.w_hr is not None:
        state[0] = _linear(state[0], recur.w_hr)
    return state


def _is_cast(*tensors):
    """Check whether `autocast` casts the arguments of a linear map."""
    return cast_arguments("linear", tensors, {})[0] is not tensors


def _composed_layer(step, input, batch_sizes, state, recur, reverse):
    x = recur.of_input(input)
    inputs = x.unbind(0) if batch_sizes is None else x.split(batch_sizes)
    walk = _walk_backwards if reverse else _walk_forwards
    outputs, state = walk(step, inputs, state, recur)
    return _ops.stack(outputs, 0) if batch_sizes is None else _ops.cat(outputs, 0), state


def _layer(step, input, batch_sizes, state, recur, reverse, settings):
    """Run one layer in one direction; return its outputs and its final state."""
    if _is_cast(input, recur.w_ih):
        return _composed_layer(step, input, batch_sizes, state, recur, reverse)
    sizes = None if batch_sizes is None else tuple(batch_sizes)
    h, c = state if len(state) == 2 else (state[0], None)
    weights = recur.w_ih, recur.w_hh, recur.b_ih, recur.b_hh, recur.w_hr
    done = _kernels.layer(_KERNELS[step], input, sizes, h, c, weights, reverse)
    if done is None and settings is not None:

        def composed(input, w_ih, w_hh, b_ih, b_hh, h, c):
            params = (w_ih, w_hh) if b_ih is None else (w_ih, w_hh, b_ih, b_hh)
            inside = _Recur(params, b_ih is not None, False)
            out, last = _composed_layer(step, input, None, [h, c], inside, reverse)
            return out, *last

        shown = dict(settings, reverse=bool(reverse), hidden_size=h.size(1))
        done = _kernels.lstm_layer(input, h, c, weights, reverse, composed, shown)
        if done is None:
            tensors = input, *weights[:4], h, c
            done = one_node(
                "MkldnnRnnLayerBackward0", composed, tensors, **_in_order(shown, tensors)
            )
    if done is None:
        return _composed_layer(step, input, batch_sizes, state, recur, reverse)
    return done[0], list(done[1 : 1 + len(state)])


def _in_order(shown, tensors):
    """Return the attributes of the node of an LSTM layer."""
    names = "input", "weight0", "weight1", "weight2", "weight3", "hx_", "cx_"
    results = {f"result{k}": Result(k) for k in range(3)}
    return {**shown, **dict(zip(names, tensors, strict=True)), **results}


def _walk_forwards(step, inputs, state, recur):
    outputs, ended = [], []
    size = state[0].size(0)
    for x in inputs:
        if x.size(0) < size:
            size = x.size(0)
            ended.append([s[size:] for s in state])
            state = [s[:size] for s in state]
        state = _advance(step, x, state, recur)
        outputs.append(state[0])
    if ended:
        ended.append(state)
        state = [_ops.cat(parts, 0) for parts in zip(*reversed(ended), strict=True)]
    return outputs, state


def _walk_backwards(step, inputs, start, recur):
    outputs = []
    size = inputs[-1].size(0)
    state = [s[:size] for s in start]
    for x in reversed(inputs):
        if x.size(0) > size:
            joining = [s[size : x.size(0)] for s in start]
            state = [_ops.cat(pair, 0) for pair in zip(state, joining, strict=True)]
            size = x.size(0)
        state = _advance(step, x, state, recur)
        outputs.append(state[0])
    outputs.reverse()
    return outputs, state


def _check_network(step, hx, params, has_biases, num_layers, directions):
    if step is _lstm_step and len(hx) != 2:
        raise RuntimeError("lstm expects two hidden states")
    projected = len(hx) == 2 and hx[0].size(2) != hx[1].size(2)
    each = (4 if has_biases else 2) + projected
    if len(params) % each:
        raise RuntimeError("got an incorrect number of RNN parameters")
    hidden, weights = hx[0].size(0), len(params) // each
    if directions == 2 and (hidden % 2 or weights % 2):
        raise RuntimeError("Odd number of params or hiddens given to a bidirectional RNN")
    if hidden // directions != num_layers:
        raise RuntimeError("Expected more hidden states in stacked_rnn")
    if weights // directions != num_layers:
        raise RuntimeError("Expected more weights in stacked_rnn")


def _layers(step, input, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional):  # fmt: skip
    """Run all layers.

    `hx` is a list of (layers * directions, batch, size), `input` is (time, batch, size) or packed.
    """
    directions = 2 if bidirectional else 1
    _check_network(step, hx, params, has_biases, num_layers, directions)
    if len(hx) == 2 and hx[0].size(2) != hx[1].size(2):
        projected = True
    else:
        projected = len(params) == num_layers * directions * (5 if has_biases else 3)
    each = len(params) // (num_layers * directions)
    settings = None
    from minitorch.backends import mkldnn  # imported here because it imports further modules

    if (
        step is _lstm_step
        and batch_sizes is None
        and not projected
        and str(input.dtype) == "torch.float32"
        and mkldnn.enabled
    ):
        # PyTorch computes such a layer by one oneDNN operator
        settings = {
            "batch_sizes": (), "mode": 2, "num_layers": 1, "has_biases": bool(has_biases), "bidirectional":
            bool(bidirectional), "batch_first": False, "train": bool(train),
        }  # fmt: skip
    states = [
        h.unbind(0) if settings is None else [h.select(0, k) for k in range(h.size(0))] for h in hx
    ]
    last = []
    for layer in range(num_layers):
        sides = []
        for direction in range(directions):
            k = layer * directions + direction
            recur = _Recur(params[k * each : (k + 1) * each], has_biases, projected)
            out, state = _layer(
                step, input, batch_sizes, [s[k] for s in states], recur, direction, settings
            )
            sides.append(out)
            last.append(state)
        input = sides[0] if directions == 1 else _ops.cat(sides, -1)
        if dropout != 0 and train and layer < num_layers - 1:
            input = _dropout(input, dropout, True)
    return input, [_ops.stack(parts, 0) for parts in zip(*last, strict=True)]


def _overload_of(name):
    def full_name(args, kwargs):
        packed = len(args) > 3 and isinstance(args[3], (list, tuple))
        return f"aten::{name}.{'data' if packed else 'input'}"

    return full_name


def _network(step, many, args, kwargs):
    if len(args) > 3 and isinstance(
        args[3], (list, tuple)
    ):  # packed: input, batch_sizes, hx, params
        input, batch_sizes, hx, params, *rest = args
        out, last = _layers(step, input, batch_sizes.tolist(), list(hx) if many else [hx],
                            params, *rest, **kwargs)  # fmt: skip
        return out, last
    input, hx, params, *rest = args
    batch_first = kwargs.pop("batch_first") if "batch_first" in kwargs else rest.pop()
    if batch_first:
        input = input.transpose(0, 1)
    out, last = _layers(step, input, None, list(hx) if many else [hx], params, *rest, **kwargs)
    if batch_first:
        # in place except for an LSTM, where its node would show the change
        out = out.transpose(0, 1) if many else out.transpose_(0, 1)
    return out, last


@observed
@without_batching_rule(_overload_of("lstm"), LISTS)
def lstm(*args, **kwargs):
    """Run a long short-term memory network over a padded or a packed sequence.

    Parameters
    ----------
    input : Tensor
        (time, batch, features), or (batch, time, features) with `batch_first`.
    hx : sequence of Tensor
        The initial h and c, each of shape (layers * directions, batch, hidden).
    params : sequence of Tensor
        For each layer, and for each direction in it: the weights of the input and of the state, and
        with `has_biases` the two biases.
    has_biases : bool
    num_layers : int
    dropout : float
        The probability of dropout after each layer but the last.
    train : bool
        Whether dropout is applied.
    bidirectional : bool
        Run a second network backwards; its outputs are appended to the features.
    batch_first : bool
        Whether the batch is the first dimension of input and output. A packed sequence has none.
    data, batch_sizes : Tensor
        In the place of `input`: the data of a packed sequence, (sum of the batch sizes, features), and
        the int64 sizes of the batch at each time. `batch_first` is left out then.

    Returns
    -------
    tuple of Tensor
        The outputs of the last layer, and the final h and c of all layers.

    Raises
    ------
    RuntimeError
        For a wrong number of parameters, or for shapes that do not match, or unless `hx` has two states.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, h = torch.ones(2, 1, 1), torch.zeros(1, 1, 1)
    >>> weights = [torch.ones(4, 1), torch.ones(4, 1)]
    >>> out, h, c = torch.lstm(x, (h, h), weights, False, 1, 0.0, False, False, False)
    >>> out.flatten(), c.flatten()
    (tensor([0.3696, 0.6505]), tensor([1.1444]))
    """
    hx = args[1] if isinstance(args[1], (list, tuple)) else args[2]
    if len(hx) == 2 and hx[0].size(-1) == hx[1].size(-1):
        # without projections, PyTorch has one operator per layer and autocast casts its arguments
        args, kwargs = cast_arguments("mkldnn_rnn_layer", args, kwargs)
    elif (
        len(hx) == 2
        and hx is args[1]
        and str(args[0].dtype) in ("torch.float32", "torch.bfloat16")
        and args[0].numel()
    ):
        warn_once(
            "LSTM with projections is not supported with oneDNN. Using default implementation.",
            stacklevel=3,
        )
    out, (h, c) = _network(_lstm_step, True, args, kwargs)
    return out, h, c


@observed
@without_batching_rule(_overload_of("gru"), LISTS)
def gru(*args, **kwargs):
    """Run gated recurrent units over a padded or a packed sequence.

    Parameters
    ----------
    input : Tensor
        (time, batch, features), or (batch, time, features) with `batch_first`.
    hx : Tensor
        (layers * directions, batch, hidden), the initial state.
    params : sequence of Tensor
        For each layer, and for each direction in it: the weights of the input and of the state, and
        with `has_biases` the two biases.
    has_biases : bool
    num_layers : int
    dropout : float
        The probability of dropout after each layer but the last.
    train : bool
        Whether dropout is applied.
    bidirectional : bool
        Run a second network backwards; its outputs are appended to the features.
    batch_first : bool
        Whether the batch is the first dimension of input and output. A packed sequence has none.
    data, batch_sizes : Tensor
        In the place of `input`: the data of a packed sequence, (sum of the batch sizes, features), and
        the int64 sizes of the batch at each time. `batch_first` is left out then.

    Returns
    -------
    tuple of Tensor
        The outputs of the last layer, and the final h of all layers.

    Raises
    ------
    RuntimeError
        For a wrong number of parameters, or for shapes that do not match.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, h = torch.ones(2, 1, 1), torch.zeros(1, 1, 1)
    >>> weights = [torch.ones(3, 1), torch.ones(3, 1)]
    >>> out, h = torch.gru(x, h, weights, False, 1, 0.0, False, False, False)
    >>> out.flatten()
    tensor([0.2048, 0.3468])
    """
    out, (h,) = _network(_gru_step, False, args, kwargs)
    return out, h


@observed
@without_batching_rule(_overload_of("rnn_tanh"), LISTS)
def rnn_tanh(*args, **kwargs):
    """Run a recurrent network with tanh over a padded or a packed sequence.

    Parameters
    ----------
    input : Tensor
        (time, batch, features), or (batch, time, features) with `batch_first`.
    hx : Tensor
        (layers * directions, batch, hidden), the initial state.
    params : sequence of Tensor
        For each layer, and for each direction in it: the weights of the input and of the state, and
        with `has_biases` the two biases.
    has_biases : bool
    num_layers : int
    dropout : float
        The probability of dropout after each layer but the last.
    train : bool
        Whether dropout is applied.
    bidirectional : bool
        Run a second network backwards; its outputs are appended to the features.
    batch_first : bool
        Whether the batch is the first dimension of input and output. A packed sequence has none.
    data, batch_sizes : Tensor
        In the place of `input`: the data of a packed sequence, (sum of the batch sizes, features), and
        the int64 sizes of the batch at each time. `batch_first` is left out then.

    Returns
    -------
    tuple of Tensor
        The outputs of the last layer, and the final h of all layers.

    Raises
    ------
    RuntimeError
        For a wrong number of parameters, or for shapes that do not match.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, h = torch.ones(2, 1, 1), torch.zeros(1, 1, 1)
    >>> weights = [torch.ones(1, 1), torch.ones(1, 1)]
    >>> out, h = torch.rnn_tanh(x, h, weights, False, 1, 0.0, False, False, False)
    >>> out.flatten()
    tensor([0.7616, 0.9427])
    """
    out, (h,) = _network(_tanh_step, False, args, kwargs)
    return out, h


@observed
@without_batching_rule(_overload_of("rnn_relu"), LISTS)
def rnn_relu(*args, **kwargs):
    """Run a recurrent network with relu over a padded or a packed sequence.

    Parameters
    ----------
    input : Tensor
        (time, batch, features), or (batch, time, features) with `batch_first`.
    hx : Tensor
        (layers * directions, batch, hidden), the initial state.
    params : sequence of Tensor
        For each layer, and for each direction in it: the weights of the input and of the state, and
        with `has_biases` the two biases.
    has_biases : bool
    num_layers : int
    dropout : float
        The probability of dropout after each layer but the last.
    train : bool
        Whether dropout is applied.
    bidirectional : bool
        Run a second network backwards; its outputs are appended to the features.
    batch_first : bool
        Whether the batch is the first dimension of input and output. A packed sequence has none.
    data, batch_sizes : Tensor
        In the place of `input`: the data of a packed sequence, (sum of the batch sizes, features), and
        the int64 sizes of the batch at each time. `batch_first` is left out then.

    Returns
    -------
    tuple of Tensor
        The outputs of the last layer, and the final h of all layers.

    Raises
    ------
    RuntimeError
        For a wrong number of parameters, or for shapes that do not match.

    Examples
    --------
    >>> import minitorch as torch
    >>> x, h = torch.ones(2, 1, 1), torch.zeros(1, 1, 1)
    >>> weights = [torch.ones(1, 1), torch.ones(1, 1)]
    >>> out, h = torch.rnn_relu(x, h, weights, False, 1, 0.0, False, False, False)
    >>> out.flatten()
    tensor([1., 2.])
    """
    out, (h,) = _network(_relu_step, False, args, kwargs)
    return out, h


def _check_input(input, state, w_ih, w_hh, gates):
    if input.size(1) != w_ih.size(1):
        raise RuntimeError(
            f"input has inconsistent input_size: got {input.size(1)} expected {w_ih.size(1)}"
        )


def _check_state(input, state, w_ih, w_hh, gates):
    for k, h in enumerate(state):
        if input.size(0) != h.size(0):
            raise RuntimeError(
                f"Input batch size {input.size(0)} doesn't match hidden{k} batch size {h.size(0)}"
            )
        if h.size(1) != w_hh.size(1):
            raise RuntimeError(
                f"hidden{k} has inconsistent hidden_size: got {h.size(1)}, expected {w_hh.size(1)}"
            )


def _check_weights(input, state, w_ih, w_hh, gates):
    size = w_hh.size(1)
    for name, weight in (("ih", w_ih), ("hh", w_hh)):
        if weight.size(0) != gates * size:
            raise RuntimeError(
                f"weight_{name} first dim must be {gates} * hidden_size = {gates * size}, but got "
                f"{weight.size(0)}"
            )


# the number of gates, and the checks in PyTorch's order
_CHECKS = {
    _lstm_step: (4, (_check_input, _check_weights, _check_state)),
    _gru_step: (3, (_check_input, _check_state, _check_weights)),
    _tanh_step: (1, (_check_weights, _check_input, _check_state)),
    _relu_step: (1, (_check_weights, _check_input, _check_state)),
}


def _cell(step, input, state, w_ih, w_hh, b_ih, b_hh):
    if step is _lstm_step and len(state) != 2:
        raise RuntimeError("lstm_cell expects two hidden states")
    gates, checks = _CHECKS[step]
    for check in checks:
        check(input, state, w_ih, w_hh, gates)
    biases = b_ih is not None
    recur = _Recur((w_ih, w_hh, b_ih, b_hh), biases, False)
    return step(recur.of_input(input), list(state), recur)


@without_batching_rule("aten::lstm_cell", LISTS)
def lstm_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """Compute one step of a long short-term memory network.

    Parameters
    ----------
    input : Tensor
        The shape ``(batch, features)``.
    hx : tuple of Tensor
        The state, of the shape ``(batch, hidden)``, and c of the same shape.
    w_ih, w_hh : Tensor
        The weights of input and state, of the shapes ``(4 * hidden, features)`` and ``(4 * hidden,
        hidden)``.
    b_ih, b_hh : Tensor, optional
        The biases, of the shape ``(4 * hidden,)``.

    Returns
    -------
    tuple of Tensor
        The new h and c.

    Raises
    ------
    RuntimeError
        If a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> h, c = torch.lstm_cell(torch.ones(1, 2), (torch.zeros(1, 1), torch.zeros(1, 1)), torch.ones(4, 2), torch.ones(4, 1))
    >>> h.shape, c.shape
    (torch.Size([1, 1]), torch.Size([1, 1]))
    """
    if isinstance(hx, Tensor):
        raise TypeError(
            "lstm_cell(): argument 'hx' (position 2) must be tuple of Tensors, not Tensor"
        )
    return tuple(_cell(_lstm_step, input, hx, w_ih, w_hh, b_ih, b_hh))


@without_batching_rule("aten::gru_cell")
def gru_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """Compute one step of a network of gated recurrent units.

    Parameters
    ----------
    input : Tensor
        The shape ``(batch, features)``.
    hx : Tensor
        The state, of the shape ``(batch, hidden)``.
    w_ih, w_hh : Tensor
        The weights of input and state, of the shapes ``(3 * hidden, features)`` and ``(3 * hidden,
        hidden)``.
    b_ih, b_hh : Tensor, optional
        The biases, of the shape ``(3 * hidden,)``.

    Returns
    -------
    Tensor
        The new state, of the shape ``(batch, hidden)``.

    Raises
    ------
    RuntimeError
        If a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.gru_cell(torch.ones(1, 2), torch.zeros(1, 1), torch.ones(3, 2), torch.ones(3, 1))
    tensor([[0.1149]])
    """
    return _cell(_gru_step, input, [hx], w_ih, w_hh, b_ih, b_hh)[0]


@without_batching_rule("aten::rnn_tanh_cell")
def rnn_tanh_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """Compute one step h' = tanh(W_ih x + b_ih + W_hh h + b_hh).

    Parameters
    ----------
    input : Tensor
        The shape ``(batch, features)``.
    hx : Tensor
        The state, of the shape ``(batch, hidden)``.
    w_ih, w_hh : Tensor
        The weights of input and state, of the shapes ``(hidden, features)`` and ``(hidden, hidden)``.
    b_ih, b_hh : Tensor, optional
        The biases, of the shape ``(hidden,)``.

    Returns
    -------
    Tensor
        The new state, of the shape ``(batch, hidden)``.

    Raises
    ------
    RuntimeError
        If a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.rnn_tanh_cell(torch.ones(1, 2), torch.zeros(1, 1), torch.ones(1, 2), torch.ones(1, 1))
    tensor([[0.9640]])
    """
    return _cell(_tanh_step, input, [hx], w_ih, w_hh, b_ih, b_hh)[0]


@without_batching_rule("aten::rnn_relu_cell")
def rnn_relu_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """Compute one step h' = relu(W_ih x + b_ih + W_hh h + b_hh).

    Parameters
    ----------
    input : Tensor
        The shape ``(batch, features)``.
    hx : Tensor
        The state, of the shape ``(batch, hidden)``.
    w_ih, w_hh : Tensor
        The weights of input and state, of the shapes ``(hidden, features)`` and ``(hidden, hidden)``.
    b_ih, b_hh : Tensor, optional
        The biases, of the shape ``(hidden,)``.

    Returns
    -------
    Tensor
        The new state, of the shape ``(batch, hidden)``.

    Raises
    ------
    RuntimeError
        If a shape does not fit.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.rnn_relu_cell(torch.ones(1, 2), torch.zeros(1, 1), torch.ones(1, 2), torch.ones(1, 1))
    tensor([[2.]])
    """
    return _cell(_relu_step, input, [hx], w_ih, w_hh, b_ih, b_hh)[0]
