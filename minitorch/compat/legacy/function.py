"""`Function` of 0.2: its forward receives tensors, its backward Variables."""

import minitorch
from minitorch.legacy.variable import Variable, lift, of


class Function:
    """A custom operator with a derivative, defined by the static methods `forward` and `backward`.

    ``forward(ctx, *args)`` receives tensors and saves with ``ctx.save_for_backward`` what the
    derivative needs. ``backward(ctx, *grad_outputs)`` receives Variables, reads
    ``ctx.saved_variables``, and returns a Variable or None for each argument of the forward. Call
    the operator with `apply`.

    Examples
    --------
    >>> import minitorch
    >>> from minitorch.legacy import Variable
    >>> from minitorch.legacy.autograd import Function
    >>> class Cube(Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x ** 3
    ...
    ...     @staticmethod
    ...     def backward(ctx, grad_output):
    ...         (x,) = ctx.saved_variables
    ...         return 3 * x ** 2 * grad_output
    >>> x = Variable(minitorch.tensor([2.0]), requires_grad=True)
    >>> Cube.apply(x).backward()
    >>> x.grad.data
    tensor([12.])

    Notes
    -----
    The instance form ``Cube()(x)``, which 0.2 still supported, is not available.
    """

    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)
        cls._today = type(
            cls.__name__,
            (minitorch.autograd.Function,),
            {
                "__module__": cls.__module__,
                "forward": staticmethod(lambda ctx, *args: cls.forward(ctx, *args)),
                "backward": staticmethod(lambda ctx, *grads: _backward(cls, ctx, grads)),
            },
        )

    @staticmethod
    def forward(ctx, *args):
        """Compute the result from tensors."""
        raise NotImplementedError

    @staticmethod
    def backward(ctx, *grad_outputs):
        """Compute the gradients of the arguments from Variables."""
        raise NotImplementedError

    @classmethod
    def apply(cls, *args):
        """Call the operator on Variables and other arguments."""
        return lift(cls._today.apply)(*args)


def _backward(cls, ctx, grads):
    volatile = not minitorch.is_grad_enabled()
    variables = [None if grad is None else of(grad, volatile) for grad in grads]
    results = cls.backward(_Context(ctx, volatile), *variables)
    results = results if isinstance(results, tuple) else (results,)
    return tuple(r._tensor if isinstance(r, Variable) else r for r in results)


class _Context:
    """The `ctx` of `backward`: the node, with saved tensors as Variables."""

    __slots__ = ("_node", "_volatile")

    def __init__(self, node, volatile):
        object.__setattr__(self, "_node", node)
        object.__setattr__(self, "_volatile", volatile)

    @property
    def saved_variables(self):
        """The values given to `save_for_backward`, as Variables with their history."""
        return tuple(
            None if tensor is None else of(tensor, self._volatile)
            for tensor in self._node.saved_tensors
        )

    @property
    def saved_tensors(self):
        """The data of `saved_variables`."""
        return tuple(None if t is None else t.data for t in self._node.saved_tensors)

    def __getattr__(self, name):
        return getattr(self._node, name)

    def __setattr__(self, name, value):
        setattr(self._node, name, value)
