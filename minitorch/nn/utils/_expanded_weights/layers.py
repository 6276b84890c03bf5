"""Layers with expanded weights: their per-sample gradients are computed by `vmap` of `vjp`.

A rule defines the names of a layer's arguments, which of them are weights, which calls raise, and,
where they differ, the arguments for the weights' gradients.
"""

from minitorch._functorch.apis import vmap
from minitorch._functorch.eager_transforms import vjp
from minitorch.autograd import grad
from minitorch.autograd.function import Function
from minitorch.autograd.grad_mode import enable_grad
from minitorch.nn import functional as F
from minitorch.nn.utils._expanded_weights.expanded_weights_impl import (
    ExpandedWeight,
    implements_per_sample_grads,
)
from minitorch.nn.utils._expanded_weights.expanded_weights_utils import (
    forward_helper,
    is_batch_first,
    set_grad_sample_if_exists,
    standard_kwargs,
    unpack_expanded_weight_or_tensor,
)

__all__ = [
    "ConvPerSampleGrad",
    "EmbeddingPerSampleGrad",
    "GroupNormPerSampleGrad",
    "InstanceNormPerSampleGrad",
    "LayerNormPerSampleGrad",
    "LinearPerSampleGrad",
]


class _PerSampleGrad(Function):
    """Computes the ordinary gradient of the input and per-sample gradients of the weights."""

    names: tuple[str, ...] = ()  # the names of the arguments, in order
    weights: tuple[str, ...] = ("weight", "bias")

    @classmethod
    def check(cls, func, given):
        """Raise RuntimeError for an input without a batch dimension."""

    @classmethod
    def for_gradients(cls, given):
        """Return the arguments of the call that is differentiated with respect to the weights."""
        return given

    @classmethod
    def apply(cls, kwarg_names, func, *args):
        positional, named = standard_kwargs(kwarg_names, args)
        given = {**dict(zip(cls.names, positional, strict=False)), **named}
        cls.check(func, given)
        # a Function finds only tensors that are direct arguments
        return super().apply(cls, func, tuple(given), *given.values())

    @staticmethod
    def forward(ctx, rule, func, names, *values):
        given = dict(zip(names, values, strict=True))
        ctx.rule, ctx.func, ctx.given = rule, func, given
        ctx.batch_dim = 1 if is_batch_first(values) is False else 0
        rest = {name: value for name, value in given.items() if name != "input"}
        return forward_helper(func, (given["input"],), rest)

    @staticmethod
    def backward(ctx, grad_output):
        given, func = ctx.given, ctx.func
        plain = {
            name: unpack_expanded_weight_or_tensor(value) if name in ctx.rule.weights else value
            for name, value in given.items()
        }
        grads = dict.fromkeys(given)
        if given["input"].requires_grad:
            grads["input"] = _input_gradient(func, plain, grad_output)
        expanded = [
            name for name in ctx.rule.weights if isinstance(given.get(name), ExpandedWeight)
        ]
        samples = _sample_gradients(func, ctx.rule.for_gradients(plain), expanded, grad_output, ctx)
        for name, found in zip(expanded, samples, strict=True):
            set_grad_sample_if_exists(given[name], lambda _, found=found: found)
        return None, None, None, *grads.values()


def _input_gradient(func, given, grad_output):
    with enable_grad():
        leaf = given["input"].detach().requires_grad_()
        weights = {name: _without_history(value) for name, value in given.items()}
        output = func(**{**weights, "input": leaf})
    return grad(output, leaf, grad_output)[0]


def _without_history(value):
    return value.detach() if hasattr(value, "detach") else value


def _sample_gradients(func, given, names, grad_output, ctx):
    rest = {name: _without_history(value) for name, value in given.items() if name != "input"}

    def of_one(sample, grad_of_one):
        def call(*weights):
            batch = sample.unsqueeze(ctx.batch_dim)
            return func(**{**rest, **dict(zip(names, weights, strict=True)), "input": batch})

        pull = vjp(call, *(rest[name] for name in names))[1]
        return pull(grad_of_one.unsqueeze(ctx.batch_dim))

    return vmap(of_one, in_dims=ctx.batch_dim, randomness="same")(
        given["input"].detach(), grad_output
    )


@implements_per_sample_grads(F.linear)
class LinearPerSampleGrad(_PerSampleGrad):
    """Per-sample gradients of `linear`."""

    names = ("input", "weight", "bias")

    @classmethod
    def check(cls, func, given):
        rank = len(given["input"].shape)
        if rank <= 1:
            raise RuntimeError(
                "Input does not have a batch dimension. Expanded Weights expected input of at least rank 2, "
                f"got of rank {rank}"
            )


@implements_per_sample_grads(F.conv1d)
@implements_per_sample_grads(F.conv2d)
@implements_per_sample_grads(F.conv3d)
class ConvPerSampleGrad(_PerSampleGrad):
    """Per-sample gradients of convolutions."""

    names = ("input", "weight", "bias", "stride", "padding", "dilation", "groups")

    @classmethod
    def check(cls, func, given):
        rank, wanted = len(given["input"].shape), len(given["weight"].shape)
        if rank != wanted:
            raise RuntimeError(
                f"Expanded Weights only support convolution with batched input, got {func} with anunbatched "
                f"input of dim {rank}, expected input of dim {wanted}"
            )


@implements_per_sample_grads(F.embedding)
class EmbeddingPerSampleGrad(_PerSampleGrad):
    """Per-sample gradients of `embedding`; as in PyTorch, they ignore most options.

    `padding_idx` and `scale_grad_by_freq` have no effect.
    """

    names = (
        "input",
        "weight",
        "padding_idx",
        "max_norm",
        "norm_type",
        "scale_grad_by_freq",
        "sparse",
    )
    weights = ("weight",)

    @classmethod
    def check(cls, func, given):
        if len(given["input"].shape) == 1:
            raise RuntimeError(
                f"Expanded Weights needs an input with a batch size, got a 1D tensor, {given['input']}"
            )

    @classmethod
    def for_gradients(cls, given):
        return {name: given[name] for name in ("input", "weight")}


@implements_per_sample_grads(F.layer_norm)
class LayerNormPerSampleGrad(_PerSampleGrad):
    """Per-sample gradients of `layer_norm`."""

    names = ("input", "normalized_shape", "weight", "bias", "eps")

    @classmethod
    def check(cls, func, given):
        if len(given["input"].shape) <= len(given["normalized_shape"]):
            raise RuntimeError(
                "Expanded Weights: Layer norm should not normalize over batch dimension for per sample "
                "gradientcomputations but got that normalized shape, "
                f"{given['normalized_shape']}, matched input shape."
            )


@implements_per_sample_grads(F.group_norm)
class GroupNormPerSampleGrad(_PerSampleGrad):
    """Per-sample gradients of `group_norm`."""

    names = ("input", "num_groups", "weight", "bias", "eps")


@implements_per_sample_grads(F.instance_norm)
class InstanceNormPerSampleGrad(_PerSampleGrad):
    """Per-sample gradients of `instance_norm`.

    They ignore the running statistics if input statistics are used.
    """

    names = (
        "input",
        "running_mean",
        "running_var",
        "weight",
        "bias",
        "use_input_stats",
        "momentum",
        "eps",
    )

    @classmethod
    def for_gradients(cls, given):
        if given.get("use_input_stats", True):
            return {**given, "running_mean": None, "running_var": None}
        return given
