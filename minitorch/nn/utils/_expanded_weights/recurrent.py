"""Recurrent networks with expanded weights; the samples are differentiated in a loop."""

from minitorch import _VF
from minitorch._tensor import Tensor
from minitorch.autograd import grad
from minitorch.autograd.function import Function
from minitorch.autograd.functions.creation import ones
from minitorch.autograd.functions.tensor_methods import stack
from minitorch.autograd.grad_mode import enable_grad
from minitorch.core.dtype import _dtypes
from minitorch.nn.utils._expanded_weights.expanded_weights_impl import (
    HANDLED_FUNCTIONS,
    ExpandedWeight,
)
from minitorch.nn.utils._expanded_weights.expanded_weights_utils import (
    set_grad_sample_if_exists,
)

__all__ = ["RecurrentPerSampleGrad"]


class _Padded:
    """A call with padded sequences, ``(input, hx, params, ..., batch_first)``."""

    def __init__(self, args):
        self.input, self.hx, self.params, *self.options = args
        self.batch_dim = 0 if self.options[-1] else 1
        self.batch_size = self.input.size(self.batch_dim)

    def call(self, func, input, hx, params):
        return func(input, hx, params, *self.options)

    def sample(self, k):
        return self.input.narrow(self.batch_dim, k, 1)

    def output_of(self, output, k):
        return output.narrow(self.batch_dim, k, 1)

    def call_sample(self, func, input, hx, params):
        return self.call(func, input, hx, params)


class _Packed:
    """A call with a packed sequence, ``(data, batch_sizes, hx, params, ...)``."""

    def __init__(self, args):
        self.input, self.batch_sizes, self.hx, self.params, *self.options = args
        self.batch_size = int(self.batch_sizes[0])
        self.begins = self.batch_sizes.cumsum(0) - self.batch_sizes

    def call(self, func, input, hx, params):
        return func(input, self.batch_sizes, hx, params, *self.options)

    def sample(self, k):
        return self.output_of(self.input, k)

    def output_of(self, output, k):
        return output[(self.begins + k)[self.batch_sizes > k]]

    def call_sample(self, func, input, hx, params):
        steps = ones(input.size(0), dtype=_dtypes()["int64"])
        return func(input, steps, hx, params, *self.options)


def _narrowed(hx, k):
    parts = [state.narrow(1, k, 1) for state in _states(hx)]
    return parts[0] if isinstance(hx, Tensor) else parts


def _states(hx):
    return [hx] if isinstance(hx, Tensor) else list(hx)


class RecurrentPerSampleGrad(Function):
    """Computes ordinary gradients of input and states, and per-sample gradients of the weights."""

    @classmethod
    def apply(cls, kwarg_names, func, *args):
        if kwarg_names:
            raise NotImplementedError(
                f"expanded weights of {func.__name__} with arguments by name: {kwarg_names}"
            )
        network = (_Packed if isinstance(args[3], (list, tuple)) else _Padded)(args)
        # options: ..., dropout, train, bidirectional and, for padded sequences, batch_first
        if network.options[2] and network.options[3]:
            raise NotImplementedError("expanded weights of a recurrent network with dropout")
        _check(func, network)
        return super().apply(func, network, network.input, *_states(network.hx), *network.params)

    @staticmethod
    def forward(ctx, func, network, *tensors):
        ctx.func, ctx.network = func, network
        params = [_parameter(weight) for weight in network.params]
        return tuple(network.call(func, network.input, network.hx, params))

    @staticmethod
    def backward(ctx, *grad_outputs):
        func, network = ctx.func, ctx.network
        params = [_parameter(weight).detach() for weight in network.params]
        samples = [
            _gradients_of_sample(func, network, params, grad_outputs, k)
            for k in range(network.batch_size)
        ]
        for weight, *found in zip(network.params, *samples, strict=True):
            set_grad_sample_if_exists(weight, lambda _, found=found: stack(found))
        wanted = [network.input, *_states(network.hx)]
        found = _gradients_of_inputs(func, network, params, grad_outputs)
        kept = [g if x.requires_grad else None for g, x in zip(found, wanted, strict=True)]
        return None, None, *kept, *[None] * len(params)


def _parameter(weight):
    return weight.orig_weight if isinstance(weight, ExpandedWeight) else weight


def _check(func, network):
    for weight in network.params:
        if isinstance(weight, ExpandedWeight) and weight.batch_size != network.batch_size:
            raise RuntimeError(
                "Expected ExpandedWeights to have batch size matching input but got input batch size of "
                f"{network.batch_size} with ExpandedWeight of batch size {weight.batch_size}"
            )


def _gradients_of_sample(func, network, params, grad_outputs, k):
    with enable_grad():
        leaves = [weight.clone().requires_grad_() for weight in params]
        hx = _narrowed(network.hx, k)
        outputs = network.call_sample(func, network.sample(k).detach(), hx, leaves)
    output_grad, *state_grads = grad_outputs
    given = [network.output_of(output_grad, k), *(g.narrow(1, k, 1) for g in state_grads)]
    return grad(outputs, leaves, given)


def _gradients_of_inputs(func, network, params, grad_outputs):
    with enable_grad():
        states = [state.detach().requires_grad_() for state in _states(network.hx)]
        input = network.input.detach().requires_grad_()
        hx = states[0] if isinstance(network.hx, Tensor) else states
        outputs = network.call(func, input, hx, params)
    return grad(outputs, [input, *states], grad_outputs)


for _name in ("gru", "lstm", "rnn_relu", "rnn_tanh"):
    HANDLED_FUNCTIONS[getattr(_VF, _name)] = RecurrentPerSampleGrad
