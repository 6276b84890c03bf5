"""Kullback-Leibler divergences, dispatched by the classes of the two distributions."""

import warnings

from minitorch.distributions.distribution import Distribution
from minitorch.distributions.exp_family import ExponentialFamily
from minitorch.distributions.utils import sum_rightmost

__all__ = ["kl_divergence", "register_kl"]

_KL_REGISTRY: dict = {}
# results of `_dispatch_kl`
_KL_MEMOIZE: dict = {}


def register_kl(type_p, type_q):
    """Return a decorator that registers a function as KL(p || q) for two classes.

    The function also applies to subclasses, unless a more specific pair is registered.

    Parameters
    ----------
    type_p, type_q : type

    Returns
    -------
    callable
        The decorator, which returns the function that it is given.

    Examples
    --------
    >>> import minitorch as torch
    >>> class Point(torch.distributions.Normal):
    ...     pass
    >>> @torch.distributions.register_kl(Point, Point)
    ... def of_points(p, q):
    ...     return torch.tensor(7.0)
    >>> torch.distributions.kl_divergence(Point(0.0, 1.0), Point(0.0, 1.0))
    tensor(7.)
    """
    # raises TypeError if an argument is not a class
    issubclass(type_p, Distribution), issubclass(type_q, Distribution)

    def decorator(function):
        _KL_REGISTRY[type_p, type_q] = function
        _KL_MEMOIZE.clear()
        return function

    return decorator


def _batch_trace_XXT(bmat):
    """Return the trace of X Xᵀ for each matrix X: the sum of its squared elements."""
    return bmat.pow(2).sum((-2, -1))


def _nearest(pairs, first):
    """Return the pair that is most derived at index `first`, and then at the other index."""
    best = pairs[0]
    for pair in pairs[1:]:
        for place in (first, 1 - first):
            if pair[place] is not best[place]:
                if issubclass(pair[place], best[place]):
                    best = pair
                break
    return best


def _dispatch_kl(type_p, type_q):
    pairs = [
        pair for pair in _KL_REGISTRY if issubclass(type_p, pair[0]) and issubclass(type_q, pair[1])
    ]
    if not pairs:
        return None
    by_p, by_q = _nearest(pairs, 0), _nearest(pairs, 1)
    if _KL_REGISTRY[by_p] is not _KL_REGISTRY[by_q]:
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please "
            f"register_kl({by_p[0].__name__}, {by_q[1].__name__})",
            RuntimeWarning,
            stacklevel=3,
        )
    return _KL_REGISTRY[by_p]


def kl_divergence(p, q):
    """Return KL(p || q), the expectation under p of log p - log q.

    Parameters
    ----------
    p, q : Distribution

    Returns
    -------
    Tensor
        The divergence, of the batch shape.

    Raises
    ------
    NotImplementedError
        If no formula is registered for the two classes.

    Examples
    --------
    >>> import minitorch as torch
    >>> D = torch.distributions
    >>> D.kl_divergence(D.Normal(0.0, 1.0), D.Normal(1.0, 1.0))
    tensor(0.5000)
    """
    classes = type(p), type(q)
    if classes not in _KL_MEMOIZE:
        _KL_MEMOIZE[classes] = _dispatch_kl(*classes)
    function = _KL_MEMOIZE[classes]
    if function is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {classes[0].__name__} and q type "
            f"{classes[1].__name__}"
        )
    return function(p, q)


@register_kl(ExponentialFamily, ExponentialFamily)
def _kl_expfamily_expfamily(p, q):
    """Return the Bregman divergence of the log normalizers: F(q) - F(p) - <q - p, ∇F(p)>."""
    if type(p) is not type(q):
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot"
            "                             be computed using Bregman divergences"
        )
    params, normalizer, gradients = p._normalizer_and_gradient()
    others = q._natural_params
    result = q._log_normalizer(*others) - normalizer
    for own, other, gradient in zip(params, others, gradients, strict=True):
        result = result - sum_rightmost((other - own) * gradient, len(q.event_shape))
    return result
