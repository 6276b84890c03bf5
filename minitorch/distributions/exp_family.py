"""Exponential families: p(x) = exp(<t(x), θ> - F(θ) + k(x))."""

from minitorch import autograd
from minitorch.distributions.distribution import Distribution

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """An exponential family with natural parameters θ and log normalizer F.

    A subclass defines `_natural_params`, `_log_normalizer` and `_mean_carrier_measure`, the mean of
    k(x). The entropy and divergences follow from the gradient of F, which is the mean of t(x) [1].

    Parameters
    ----------
    batch_shape, event_shape : Size
        The shape of a batch of distributions, and of one value; by default both are empty.
    validate_args : bool, optional
        Whether to check parameters and values. The default is set by `set_default_validate_args`.

    References
    ----------
    .. [1] Nielsen and Nock, Entropies and cross-entropies of exponential families, 2010.

    Examples
    --------
    >>> import minitorch as torch
    >>> isinstance(torch.distributions.Normal(0.0, 1.0), torch.distributions.ExponentialFamily)
    True
    >>> torch.distributions.Exponential(2.0).entropy()
    tensor(0.3069)
    """

    @property
    def _natural_params(self):
        raise NotImplementedError

    def _log_normalizer(self, *natural_params):
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self):
        raise NotImplementedError

    def _normalizer_and_gradient(self):
        """Return θ, F(θ) and ∇F(θ), detached from the history of the parameters."""
        params = [p.detach().requires_grad_() for p in self._natural_params]
        normalizer = self._log_normalizer(*params)
        return params, normalizer, autograd.grad(normalizer.sum(), params, create_graph=True)

    def entropy(self):
        """Return the entropy, F(θ) - <θ, ∇F(θ)> - E[k(x)]."""
        params, result, gradients = self._normalizer_and_gradient()
        result = result - self._mean_carrier_measure
        for param, gradient in zip(params, gradients, strict=True):
            result = result - (param * gradient).reshape(*self._batch_shape, -1).sum(-1)
        return result
