"""`grad` and `grad_and_value`."""

import functools

from minitorch._functorch._derivatives import grad_and_value_impl, grad_impl


def grad(func, argnums=0, has_aux=False):
    """A function that gives the gradient of `func`.

    Parameters
    ----------
    func : callable
        Gives a tensor of no dimensions. Its tensors may stand in trees (nested lists, tuples,
        dictionaries); keyword arguments are passed on.
    argnums : int or tuple of int, default 0
        By which arguments to differentiate: tensors, or trees of them, floating point or complex.
    has_aux : bool, default False
        Whether `func` returns ``(output, aux)``, of which `aux` is a tree of tensors that is passed on.

    Returns
    -------
    callable
        Takes the arguments of `func`, and gives a tree like the chosen argument, or a tuple of such when
        `argnums` is one. With `has_aux`, ``(gradients, aux)``.

    Raises
    ------
    ValueError
        By the function: when a chosen argument is no tensor.
    RuntimeError
        By the function: when `func` does not return a tensor of no dimensions, when `argnums` is out of
        range, and when ``backward()`` or ``requires_grad_()`` is called inside.

    Notes
    -----
    Transforms can be nested. ``no_grad`` inside `func` is respected, ``no_grad`` around the call is not:
    then the gradient has no history further out, but is the same.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.func import grad
    >>> grad(torch.sin)(torch.tensor(0.0))
    tensor(1.)
    >>> grad(grad(lambda x: x**3))(torch.tensor(2.0))
    tensor(12.)
    """

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        return grad_impl(func, argnums, has_aux, args, kwargs)

    return wrapper


def grad_and_value(func, argnums=0, has_aux=False):
    """A function that gives the gradient of `func`, and its value.

    Parameters
    ----------
    func : callable
    argnums : int or tuple of int, default 0
    has_aux : bool, default False
        As for `grad`.

    Returns
    -------
    callable
        Gives ``(gradients, value)``; with `has_aux`, ``(gradients, (value, aux))``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.func.grad_and_value(lambda x: x**2)(torch.tensor(3.0))
    (tensor(6.), tensor(9.))
    """

    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        return grad_and_value_impl(func, argnums, has_aux, args, kwargs)

    return wrapper
