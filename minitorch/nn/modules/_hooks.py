"""Calling a module that has hooks."""

from minitorch._tensor import Tensor


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)


def call_with_hooks(module, args, kwargs):
    """Pre-hooks, forward, hooks; the backward hooks stand around the tensors that go in and come out."""
    for key, hook in list(module._forward_pre_hooks.items()):
        if key in module._forward_pre_hooks_with_kwargs:
            changed = hook(module, args, kwargs)
            if changed is not None:
                if not isinstance(changed, tuple) or len(changed) != 2:
                    raise RuntimeError(
                        "forward pre-hook must return None or a tuple of (new_args, new_kwargs), "
                        f"but got {changed}."
                    )
                args, kwargs = changed
        else:
            changed = hook(module, args)
            if changed is not None:
                args = _tuple(changed)
    around = None
    if module._backward_hooks or module._backward_pre_hooks:
        around = _BackwardHooks(module)
        args = around.enter(args)
    output = module.forward(*args, **kwargs)
    for key, hook in list(module._forward_hooks.items()):
        if key in module._forward_hooks_with_kwargs:
            changed = hook(module, args, kwargs, output)
        else:
            changed = hook(module, args, output)
        if changed is not None:
            output = changed
    return output if around is None else around.leave(output)


class _BackwardHooks:
    """The gradients of one call's inputs and outputs, and the hooks that see them.

    The tensors pass through a view each, whose node is the place where the gradients of all inputs, or
    of all outputs, are together.
    """

    def __init__(self, module):
        self.module = module
        self.grad_output = None

    def enter(self, args):
        """The arguments, those with a gradient behind one common node."""
        self.places = [k for k, a in enumerate(args) if isinstance(a, Tensor) and a.requires_grad]
        self.total = len(args)
        if not self.places:
            return args
        marked = list(args)
        tensors = _identity([args[k] for k in self.places])
        for k, t in zip(self.places, tensors, strict=True):
            marked[k] = t
        tensors[0].grad_fn.register_hook(self._inputs_done)
        return tuple(marked)

    def leave(self, output):
        """The output, behind one common node."""
        is_tensor = isinstance(output, Tensor)
        values = [output] if is_tensor else list(_tuple(output))
        places = [k for k, v in enumerate(values) if isinstance(v, Tensor) and v.requires_grad]
        if not places:
            return output
        self.outputs = places, len(values)
        tensors = _identity([values[k] for k in places])
        for k, t in zip(places, tensors, strict=True):
            values[k] = t
        tensors[0].grad_fn.register_prehook(self._outputs_ready)
        return values[0] if is_tensor else tuple(values)

    def _spread(self, gradients, places, total):
        everything = [None] * total
        for k, gradient in zip(places, gradients, strict=True):
            everything[k] = gradient
        return tuple(everything)

    def _outputs_ready(self, gradients):
        places, total = self.outputs
        grads = self._spread(gradients, places, total)
        for hook in list(self.module._backward_pre_hooks.values()):
            changed = hook(self.module, grads)
            if changed is not None:
                grads = _tuple(changed)
        self.grad_output = grads
        if not self.places:
            for hook in list(self.module._backward_hooks.values()):
                changed = hook(self.module, (None,) * self.total, grads)
                if changed is not None:
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always "
                        "return None or None for all gradients."
                    )
        return tuple(grads[k] for k in places)

    def _inputs_done(self, grad_inputs, grad_outputs):
        grads = self._spread(grad_inputs, self.places, self.total)
        for hook in list(self.module._backward_hooks.values()):
            changed = hook(self.module, grads, self.grad_output)
            if changed is not None:
                grads = _tuple(changed)
        return tuple(grads[k] for k in self.places)


def _identity(tensors):
    """The same values, all from one node."""
    from minitorch.autograd.function import Function

    class BackwardHookFunction(Function):
        @staticmethod
        def forward(ctx, *given):
            return tuple(t.view_as(t) if hasattr(t, "view_as") else t.detach() for t in given)

        @staticmethod
        def backward(ctx, *gradients):
            return gradients

    result = BackwardHookFunction.apply(*tensors)
    return list(_tuple(result))
