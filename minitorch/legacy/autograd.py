"""`backward` and `grad` by the rules of 0.2.

What was different: a gradient was a Variable, and whether the backward was recorded was told by it. A
gradient given as a tensor becomes a Variable, volatile unless `create_graph`. Decision table for
`create_graph`:

    given    gradients                          result
    a bool   any                                it
    None     one is a Variable, not volatile    True
    None     tensors, None, volatile ones       False

The result says of which kind the Variables are that are made of tensors and of None; a gradient that
is a Variable goes to the engine as it is, and has the last word there.
"""

import warnings

from minitorch import Tensor, ones_like
from minitorch.legacy.engine import ImperativeEngine
from minitorch.legacy.function import Function
from minitorch.legacy.variable import Variable

__all__ = ["Function", "ImperativeEngine", "Variable", "backward", "grad"]

Variable._execution_engine = ImperativeEngine()


def _make_grads(outputs, grads, user_create_graph):
    """The gradient for each root as a Variable, and whether the backward is to be recorded."""
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
    """Add the gradients of `variables` with respect to the graph's leaves to their ``grad``.

    Parameters
    ----------
    variables : Variable or sequence of Variable
        The roots.
    grad_variables : Tensor, Variable or None, or sequence of them, optional
        The gradient for each root; not needed for one with a single element.
    retain_graph : bool, optional
        Keep what the graph has saved. Default: `create_graph`.
    create_graph : bool, optional
        Record the backward. Default: only if one of the gradients is a Variable that is not volatile.
    retain_variables : bool, optional
        The old name of `retain_graph`.

    Raises
    ------
    ValueError
        When both `retain_graph` and `retain_variables` are given.
    RuntimeError
        For a volatile root, a root without gradient that is no scalar, a graph that was freed.

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
        # of this line, so that Python's default filter shows it once
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
    """The gradients of `outputs` with respect to `inputs`, whose ``grad`` stays as it is.

    Parameters
    ----------
    outputs : Variable or sequence of Variable
    inputs : Variable or sequence of Variable
    grad_outputs : Tensor, Variable or None, or sequence of them, optional
        As `grad_variables` of `backward`.
    retain_graph : bool, optional
        Default: `create_graph`.
    create_graph : bool, optional
        As of `backward`.
    only_inputs : bool
        If False, the gradients of the other leaves are accumulated into their ``grad``.

    Returns
    -------
    tuple of Variable
        Volatile unless the backward was recorded.

    Raises
    ------
    RuntimeError
        When one of `inputs` is not in the graph.

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
