"""`functional_call` and `stack_module_state`."""

from collections import Counter
from collections.abc import Sequence

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.nn.utils.stateless import _functional_call


def functional_call(
    module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    """Call a module with other parameters and buffers.

    Parameters
    ----------
    module : Module
    parameter_and_buffer_dicts : dict of str to Tensor, or sequence of them
        By the names of `named_parameters` and `named_buffers`. The module's own are used for
        missing names.
    args : tuple or object, optional
        The arguments of the call; an object that is not a tuple is the only argument.
    kwargs : dict, optional
    tie_weights : bool, default True
        Replace a tensor that the module has under several names under all of them.
    strict : bool, default False
        Require exactly the names of the module.

    Returns
    -------
    object
        The result of the module.

    Raises
    ------
    ValueError
        When a name is in several dictionaries, or tied names have different tensors.
    RuntimeError
        With `strict`, for missing or unknown names.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.Linear(2, 1)
    >>> w = torch.ones(1, 2, requires_grad=True)
    >>> y = torch.func.functional_call(layer, {"weight": w, "bias": torch.zeros(1)}, torch.ones(3, 2))
    >>> y.sum().backward()
    >>> w.grad
    tensor([[3., 3.]])
    """
    given = parameter_and_buffer_dicts
    if not isinstance(given, dict):
        if not isinstance(given, Sequence):
            raise ValueError(
                "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
                f"{type(given)}"
            )
        if not all(isinstance(part, dict) for part in given):
            raise ValueError(
                "Expected all elements of parameter_and_buffer_dicts to be dictionaries"
            )
        counts = Counter(name for part in given for name in part)
        repeated = [name for name, count in counts.items() if count > 1]
        if repeated:
            raise ValueError(
                f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous"
            )
        given = {name: tensor for part in given for name, tensor in part.items()}
    return _functional_call(module, given, args, kwargs, tie_weights=tie_weights, strict=strict)


def stack_module_state(models):
    """Stack parameters and buffers of modules of one class along a new first dimension.

    Parameters
    ----------
    models : sequence of Module

    Returns
    -------
    tuple of dict
        The parameters, which are new leaves, and the buffers, by name.

    Raises
    ------
    RuntimeError
        When there is no module, or the modules differ in class, mode or which tensors require grad.

    Examples
    --------
    >>> import minitorch as torch
    >>> layers = [torch.nn.Linear(2, 3) for _ in range(5)]
    >>> params, buffers = torch.func.stack_module_state(layers)
    >>> {name: tuple(p.shape) for name, p in params.items()}
    {'weight': (5, 3, 2), 'bias': (5, 3)}
    """
    if len(models) == 0:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({bool(model.training) for model in models}) > 1:
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval mode."
        )
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    return (
        _stacked([dict(model.named_parameters()) for model in models]),
        _stacked([dict(model.named_buffers()) for model in models]),
    )


def _stacked(states):
    result = {}
    for name in states[0]:
        tensors = [state[name] for state in states]
        wanted = {t.requires_grad for t in tensors}
        if len(wanted) > 1:
            raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
        stacked = _ops.stack(tensors)
        result[name] = stacked.detach().requires_grad_() if wanted.pop() else stacked
    return result
