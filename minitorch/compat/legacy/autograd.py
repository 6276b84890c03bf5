"""`backward` and `grad` by the rules of 0.2.

See Note [Recording a backward] in `variable.py`.
"""

from minitorch.legacy.engine import ImperativeEngine
from minitorch.legacy.function import Function
from minitorch.legacy.variable import Variable, _as_list, _as_tuple, _make_grads, backward

__all__ = ["Function", "ImperativeEngine", "Variable", "backward", "grad"]

Variable._execution_engine = ImperativeEngine()


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
