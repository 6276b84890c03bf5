"""`ImperativeEngine`: the engine interface of 0.2."""

from minitorch.autograd.accumulate_grad import AccumulateGrad
from minitorch.autograd.graph import _engine_run_backward
from minitorch.legacy import variable as _variable


class ImperativeEngine:
    """Run graphs backward.

    `Variable._execution_engine` is an instance, and any object with the same interface may replace
    it.

    Examples
    --------
    >>> import minitorch
    >>> from minitorch.legacy import ImperativeEngine, Variable
    >>> class Loud(ImperativeEngine):
    ...     def run_backward(self, variables, *args, **kwargs):
    ...         print(len(variables), "root")
    ...         return super().run_backward(variables, *args, **kwargs)
    >>> Variable._execution_engine = Loud()
    >>> x = Variable(minitorch.ones(1), requires_grad=True)
    >>> (x * 3).backward()
    1 root
    >>> Variable._execution_engine = ImperativeEngine()

    Notes
    -----
    The counterpart is ``torch._C._ImperativeEngine`` of 0.2, which had no argument for recording
    the backward: operators on gradients were recorded unless the gradients were volatile. So the
    backward is recorded here if one of `grad_variables` is not volatile.
    """

    def run_backward(self, variables, grad_variables, keep_graph, inputs=None, only_inputs=True):
        """Run the graph of `variables` backward.

        Parameters
        ----------
        variables : tuple of Variable
        grad_variables : tuple of Variable or None
            The gradient of each root.
        keep_graph : bool
            Whether to keep saved tensors.
        inputs : tuple of Variable, optional
            The variables whose gradients are returned instead of accumulated into ``.grad``.
        only_inputs : bool
            Whether to leave ``.grad`` of the other leaves unchanged too.

        Returns
        -------
        tuple of Variable or None
            The gradients of `inputs`, or None without `inputs`.

        Raises
        ------
        RuntimeError
            If an argument is invalid or the backward fails.
        """
        _check(variables, grad_variables, inputs)
        recorded = any(grad is not None and not grad.volatile for grad in grad_variables)
        roots = tuple(variable._tensor for variable in variables)
        grads = tuple(None if grad is None else grad._tensor for grad in grad_variables)
        arguments = (roots, grads, bool(keep_graph), recorded)
        if inputs is None:
            _accumulate(arguments)
            return None
        ends = tuple(variable._tensor for variable in inputs)
        if only_inputs:
            results = _engine_run_backward(*arguments, ends, True, accumulate_grad=False)
        else:
            results = _with_other_leaves(arguments, ends)
        if any(result is None for result in results):
            raise RuntimeError(
                "One of the differentiated Variables appears to not have been used in the graph"
            )
        return tuple(_variable.of(result, volatile=not recorded) for result in results)


def _check(variables, grad_variables, inputs):
    for name, value in (("variables", variables), ("grad_variables", grad_variables)):
        if not isinstance(value, tuple):
            raise RuntimeError(
                f"{name} argument is expected to be a tuple, but got {type(value).__name__}"
            )
    if len(variables) != len(grad_variables):
        raise RuntimeError(f"got {len(variables)} variables and {len(grad_variables)} gradients")
    for k, (variable, grad) in enumerate(zip(variables, grad_variables, strict=True)):
        if not isinstance(variable, _variable.Variable):
            raise RuntimeError(f"element {k} of variables tuple is not a Variable")
        if variable.volatile:
            raise RuntimeError(f"element {k} of variables tuple is volatile")
        if grad is None:
            if variable.requires_grad:
                raise RuntimeError(
                    f"element {k} of gradients tuple is None, but the corresponding Variable "
                    "requires grad"
                )
        elif not isinstance(grad, _variable.Variable):
            raise RuntimeError(f"element {k} of gradients tuple is not a Variable or None")
    if inputs is None:
        return
    if not isinstance(inputs, tuple):
        raise RuntimeError("inputs to run_backward must be a tuple")
    for variable in inputs:
        if not isinstance(variable, _variable.Variable):
            raise RuntimeError(
                f"all inputs have to be Variables, but got {type(variable).__name__}"
            )
        if not variable.requires_grad:
            raise RuntimeError("One of the differentiated Variables does not require grad")


def _accumulate(arguments):
    _engine_run_backward(*arguments, (), True, accumulate_grad=True)
    roots, _, _, recorded = arguments
    if recorded:
        for leaf in _leaves(roots):
            if leaf.grad is not None:
                _variable.mark_not_volatile(leaf.grad)


def _with_other_leaves(arguments, ends):
    """Accumulate into all leaves, but return the gradients of `ends` and keep their grad."""
    results = [None] * len(ends)
    kept = [(end, end.grad) for end in ends if end.is_leaf]
    handles = []
    for k, end in enumerate(ends):
        handles.append(end.register_hook(lambda gradient, k=k: results.__setitem__(k, gradient)))
        if end.is_leaf:
            end.grad = None
    try:
        _accumulate(arguments)
    finally:
        for handle in handles:
            handle.remove()
        for end, gradient in kept:
            end.grad = gradient
    return results


def _leaves(roots):
    """Return the leaves of a graph."""
    nodes = [root.grad_fn for root in roots if root.grad_fn is not None]
    found = set(nodes)
    for node in nodes:  # the list grows during the iteration
        for function, _ in node.next_functions:
            if function is not None and function not in found:
                found.add(function)
                nodes.append(function)
    leaves = [node.variable for node in nodes if isinstance(node, AccumulateGrad)]
    return leaves + [root for root in roots if root.grad_fn is None]
