"""The `Function` that applies another one to a batch, for ``generate_vmap_rule = True``."""

from minitorch._functorch.batching._common import unwrapped
from minitorch._functorch.vmap import vmap_impl
from minitorch._tensor import Tensor
from minitorch.autograd.function import Function
from minitorch.autograd.levels import Level, unwrap_dead, wrap_tensor
from minitorch.utils._pytree import _broadcast_to_and_flatten, tree_flatten, tree_unflatten


def wrap_batched(tree, dims, level):
    """Wrap the tensors of a tree as samples of batches; `dims` has the batch dimensions."""
    flat, spec = tree_flatten(tree)
    flat_dims = _broadcast_to_and_flatten(dims, spec)
    return tree_unflatten(
        [
            t if dim is None else wrap_tensor(unwrap_dead(t), level, dim)
            for t, dim in zip(flat, flat_dims, strict=True)
        ],
        spec,
    )


def unwrap_batched(tree, level):
    """Return a tree of the batches that samples belong to, and a tree of their dimensions.

    The dimension is None for a tensor without a batch.
    """
    flat, spec = tree_flatten(tree)
    if not flat:
        return tree, ()
    pairs = [unwrapped(t, level) if isinstance(t, Tensor) else (t, None) for t in flat]
    values, dims = zip(*pairs, strict=True)
    return tree_unflatten(values, spec), tree_unflatten(dims, spec)


def restore_vmap(func, in_dims, batch_size, randomness):
    """Return a function that calls `func` in a `vmap` and returns (outputs, batch dimensions)."""

    def inner(*args, **kwargs):
        with Level("vmap", batch_size, randomness) as level:
            return unwrap_batched(func(*wrap_batched(args, in_dims, level), **kwargs), level)

    return inner


class _BatchedContext:
    """The ``ctx`` of one sample, which saves tensors in the ``ctx`` of the batch."""

    def __init__(self, ctx, level):
        self.__dict__.update(_ctx=ctx, _level=level, _backward_dims=(), _forward_dims=())

    def __getattr__(self, name):
        return getattr(self._ctx, name)

    def __setattr__(self, name, value):
        setattr(self._ctx, name, value)

    def save_for_backward(self, *tensors):
        """Save tensors for the backward pass."""
        values, self.__dict__["_backward_dims"] = unwrap_batched(tensors, self._level)
        self._ctx.save_for_backward(*values)

    def save_for_forward(self, *tensors):
        """Save tensors for `jvp`."""
        values, self.__dict__["_forward_dims"] = unwrap_batched(tensors, self._level)
        self._ctx.save_for_forward(*values)


class _ContextWithSaved:
    """The ``ctx`` of one sample in the backward pass: the batch's, except for saved tensors."""

    def __init__(self, ctx, saved_tensors):
        self.__dict__.update(_ctx=ctx, saved_tensors=saved_tensors)

    def __getattr__(self, name):
        return getattr(self._ctx, name)

    def __setattr__(self, name, value):
        setattr(self._ctx, name, value)


def vmapped_function(function, in_dims, batch_size, randomness):
    """Return a `Function` on batches, and a function that returns its outputs' batch dimensions.

    The latter works after a forward. Each of forward, setup_context, backward and jvp calls the
    method of `function` inside a `vmap` of its own.
    """
    known = {}

    def restored(func, dims):
        return restore_vmap(func, dims, batch_size, randomness)

    def forward(*inputs):
        output, known["out"] = restored(function.forward, in_dims)(*inputs)
        return output

    def setup_context(ctx, inputs, output):
        with Level("vmap", batch_size, randomness) as level:
            inputs = wrap_batched(inputs, in_dims, level)
            wrapped = _BatchedContext(ctx, level)
            function.setup_context(wrapped, inputs, wrap_batched(output, known["out"], level))
        known["backward"], known["forward"] = wrapped._backward_dims, wrapped._forward_dims
        known["shapes"] = tuple(t.shape if isinstance(t, Tensor) else None for t in inputs)

    def with_saved(method):
        def inner(ctx, saved_tensors, given):
            return method(_ContextWithSaved(ctx, saved_tensors), *given)

        return inner

    def backward(ctx, *grads):
        out_dims = known["out"] if isinstance(known["out"], tuple) else (known["out"],)
        dims = tuple(None if g is None else dim for g, dim in zip(grads, out_dims, strict=True))
        found, found_dims = restored(
            with_saved(function.backward), (None, known["backward"], dims)
        )(ctx, ctx.saved_tensors, grads)
        return _reduced(found, found_dims, in_dims, batch_size, known["shapes"])

    def jvp(ctx, *tangents):
        dims = tuple(None if t is None else dim for t, dim in zip(tangents, in_dims, strict=True))
        found, found_dims = restored(with_saved(function.jvp), (None, known["forward"], dims))(
            ctx, ctx.saved_tensors, tangents
        )
        result = _reduced(found, found_dims, known["out"], batch_size, None)
        return result if isinstance(found, tuple) else result[0]

    methods = {
        "forward": forward,
        "setup_context": setup_context,
        "backward": backward,
        "jvp": jvp,
    }
    body = {name: staticmethod(method) for name, method in methods.items()}
    body["generate_vmap_rule"] = True
    vmapped = type(f"Vmapped{function.__name__}", (Function,), body)
    return vmapped, lambda: known["out"]


def _reduced(found, found_dims, wanted_dims, batch_size, shapes):
    """Move or sum the batches of gradients or tangents to match the tensors that they belong to."""
    found, found_dims, wanted_dims = (
        part if isinstance(part, tuple) else (part,) for part in (found, found_dims, wanted_dims)
    )
    shapes = [None] * len(found) if shapes is None else shapes
    # if there are too few or too many, the engine raises the error
    return tuple(
        _reduced_one(t, dim, wanted_dims[k], batch_size, shapes[k]) if k < len(wanted_dims) else t
        for k, (t, dim) in enumerate(zip(found, found_dims, strict=True))
    )


def _reduced_one(t, dim, wanted, batch_size, shape):
    if not isinstance(t, Tensor) or (dim is None and wanted is None):
        return t
    if wanted is None:
        return t.sum(dim)
    if dim is None:
        if shape is not None and t.shape != shape:
            t = t.sum_to_size(shape)
        return t.unsqueeze(wanted).expand(*t.shape[:wanted], batch_size, *t.shape[wanted:])
    if shape is not None and t.shape[:dim] + t.shape[dim + 1 :] != shape:
        return vmap_impl(lambda one: one.sum_to_size(shape), dim, wanted, "error", None, t)
    return t if dim == wanted else t.movedim(dim, wanted)
