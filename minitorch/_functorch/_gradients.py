"""`grad` and `grad_and_value`."""

from minitorch._functorch._derivatives import grad_and_value_impl, grad_impl
from minitorch._functorch._wrapping import wraps


def grad(func, argnums=0, has_aux=False):
    """Return a function that computes the gradient of `func`.

    Parameters
    ----------
    func : callable
        Returns a tensor without dimensions. Its arguments may be trees (nested lists, tuples,
        dictionaries) of tensors; keyword arguments are passed through.
    argnums : int or tuple of int, default 0
        The arguments to differentiate by: tensors, or trees of them, floating point or complex.
    has_aux : bool, default False
        Whether `func` returns ``(output, aux)``, where `aux` is a tree of tensors that is passed
        through.

    Returns
    -------
    callable
        Takes the arguments of `func` and returns a tree like the selected argument, or a tuple of
        trees if `argnums` is a tuple. With `has_aux` it returns ``(gradients, aux)``.

    Raises
    ------
    ValueError
        In the returned function: when a selected argument is not a tensor.
    RuntimeError
        In the returned function: when `func` does not return a tensor without dimensions, when
        `argnums` is out of range, and when ``backward()`` or ``requires_grad_()`` is called inside.

    Notes
    -----
    Transforms can be nested. ``no_grad`` inside `func` is respected. ``no_grad`` around the call
    does not change the gradient, but then the gradient has no history at the levels further out.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.func import grad
    >>> grad(torch.sin)(torch.tensor(0.0))
    tensor(1.)
    >>> grad(grad(lambda x: x**3))(torch.tensor(2.0))
    tensor(12.)
    """

    @wraps(func)
    def wrapper(*args, **kwargs):
        return grad_impl(func, argnums, has_aux, args, kwargs)

    return wrapper


def grad_and_value(func, argnums=0, has_aux=False):
    """Return a function that computes the gradient of `func` and its value.

    Parameters
    ----------
    func : callable
    argnums : int or tuple of int, default 0
    has_aux : bool, default False
        See `grad`.

    Returns
    -------
    callable
        Returns ``(gradients, value)``; with `has_aux`, ``(gradients, (value, aux))``.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.func.grad_and_value(lambda x: x**2)(torch.tensor(3.0))
    (tensor(6.), tensor(9.))
    """

    @wraps(func)
    def wrapper(*args, **kwargs):
        return grad_and_value_impl(func, argnums, has_aux, args, kwargs)

    return wrapper
