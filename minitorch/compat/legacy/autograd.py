"""`backward` and `grad` by the rules of 0.2.

In 0.2 a gradient was a Variable, and its flags determined whether the backward was recorded. A
gradient given as a tensor becomes a Variable, which is volatile unless `create_graph`. Decision
table for `create_graph`:

    given    gradients                          result
    a bool   any                                it
    None     one is a Variable, not volatile    True
    None     tensors, None, volatile ones       False

The result determines the kind of the Variables made from tensors and from None. A gradient that is
a Variable is passed to the engine unchanged.
"""

import warnings

from minitorch import Tensor, ones_like
from minitorch.legacy.engine import ImperativeEngine
from minitorch.legacy.function import Function
from minitorch.legacy.variable import Variable

__all__ = ["Function", "ImperativeEngine", "Variable", "backward", "grad"]

Variable._execution_engine = ImperativeEngine()


def _make_grads(outputs, grads, user_create_graph):
    """Return the gradient of each root as a Variable, and whether to record the backward."""
    if user_create_graph is not None:
        create_graph = user_create_graph
    else:
        create_graph = any(isinstance(grad, Variable) and not grad.volatile for grad in grads)
    return tuple(
        _make_grad(out, grad, create_graph) for out, grad in zip(outputs, grads, strict=False)
    ), create_graph


def _make_grad(out, grad, create_graph):
    if isinstance(grad, Variable):
        return grad
    if isinstance(grad, Tensor):
        return Variable(grad, volatile=not create_graph)
    if grad is not None:
        raise TypeError(
            f"gradients can be either Tensors, Variables or None, but got {type(grad).__name__}"
        )
    if not out.requires_grad:
        return None
    if out.numel() != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    return Variable(ones_like(out.data), volatile=not create_graph)


def _as_tuple(variables):
    return (variables,) if isinstance(variables, Variable) else tuple(variables)


def _as_list(grads, count):
    if grads is None:
        return [None] * count
    return [grads] if isinstance(grads, (Variable, Tensor)) else list(grads)


def backward(
    variables, grad_variables=None, retain_graph=None, create_graph=None, retain_variables=None
):
    """Accumulate the gradients of `variables` with respect to the leaves of the graph.

    Parameters
    ----------
    variables : Variable or sequence of Variable
        The roots.
    grad_variables : Tensor, Variable or None, or sequence of them, optional
        The gradient of each root; optional for a root with one element.
    retain_graph : bool, optional
        Whether to keep saved tensors. Default: `create_graph`.
    create_graph : bool, optional
        Whether to record the backward. By default only if a gradient is a Variable that is not
        volatile.
    retain_variables : bool, optional
        The old name of `retain_graph`.

    Raises
    ------
    ValueError
        If both `retain_graph` and `retain_variables` are given.
    RuntimeError
        If a root is volatile, a root that is not a scalar has no gradient, or the graph was freed.

    Examples
    --------
    >>> import minitorch
    >>> from minitorch.legacy.autograd import Variable, backward
    >>> x = Variable(minitorch.tensor([3.0]), requires_grad=True)
    >>> backward([x * x, x * 2], [minitorch.ones(1), minitorch.ones(1)])
    >>> x.grad.data
    tensor([8.])

    Notes
    -----
    The counterpart is ``torch.autograd.backward`` of 0.2. Its documentation had the default of
    `create_graph` the other way round.
    """
    variables = _as_tuple(variables)
    grad_variables = _as_list(grad_variables, len(variables))
    grad_variables, create_graph = _make_grads(variables, grad_variables, create_graph)
    if retain_variables is not None:
        if retain_graph is not None:
            raise ValueError("only one of retain_graph and retain_variables can be specified")
        retain_graph = retain_variables
        # attributed to this line, so that Python's default filter shows it once
        warnings.warn(
            "retain_variables option is deprecated and will be removed in 0.3. "
            "Use retain_graph instead.",
            stacklevel=1,
        )
    elif retain_graph is None:
        retain_graph = create_graph
    Variable._execution_engine.run_backward(variables, grad_variables, retain_graph)


def grad(
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=None, only_inputs=True
):
    """Return the gradients of `outputs` with respect to `inputs` without changing ``grad``.

    Parameters
    ----------
    outputs : Variable or sequence of Variable
    inputs : Variable or sequence of Variable
    grad_outputs : Tensor, Variable or None, or sequence of them, optional
        See `grad_variables` of `backward`.
    retain_graph : bool, optional
        Default: `create_graph`.
    create_graph : bool, optional
        See `backward`.
    only_inputs : bool
        If False, the gradients of the other leaves are accumulated into their ``grad``.

    Returns
    -------
    tuple of Variable
        The gradients, volatile unless the backward was recorded.

    Raises
    ------
    RuntimeError
        If one of `inputs` is not in the graph.

    Examples
    --------
    >>> import minitorch
    >>> from minitorch.legacy.autograd import Variable, grad
    >>> x = Variable(minitorch.tensor([3.0]), requires_grad=True)
    >>> (dx,) = grad(x * x * x, x, create_graph=True)
    >>> grad(dx, x)[0].data
    tensor([18.])
    """
    outputs = _as_tuple(outputs)
    inputs = _as_tuple(inputs)
    grad_outputs = _as_list(grad_outputs, len(outputs))
    grad_outputs, create_graph = _make_grads(outputs, grad_outputs, create_graph)
    if retain_graph is None:
        retain_graph = create_graph
    return Variable._execution_engine.run_backward(
        outputs, grad_outputs, retain_graph, inputs, only_inputs
    )
