"""Functions of the main namespace under their names in ``torch.special``."""

from minitorch.autograd.functions import tensor_methods as _rows


def digamma(input, *, out=None):
    """Return the derivative of :func:`gammaln`."""
    return _rows.digamma(input, out=out)


def erf(input, *, out=None):
    """Return the error function."""
    return _rows.erf(input, out=out)


def erfc(input, *, out=None):
    """Return ``1 - erf(x)``."""
    return _rows.erfc(input, out=out)


def erfinv(input, *, out=None):
    """Return the inverse of :func:`erf`."""
    return _rows.erfinv(input, out=out)


def exp2(input, *, out=None):
    """Return 2 to the power x."""
    return _rows.exp2(input, out=out)


def expit(input, *, out=None):
    """Return ``1 / (1 + exp(-x))``.

    Parameters
    ----------
    input : Tensor
        Any shape and a real or complex dtype.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The same shape; floating-point for integers.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.special.expit(torch.tensor([0.0, 1.0]))
    tensor([0.5000, 0.7311])
    """
    return _rows.sigmoid(input, out=out)


def expm1(input, *, out=None):
    """Return ``exp(x) - 1``."""
    return _rows.expm1(input, out=out)


def gammaln(input, *, out=None):
    """Return the logarithm of the absolute value of the gamma function.

    Parameters
    ----------
    input : Tensor
        Any shape and a real dtype.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The same shape; floating-point for integers.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.special.gammaln(torch.tensor([3.0, 5.0]))
    tensor([0.6931, 3.1781])
    """
    return _rows.lgamma(input, out=out)


def i0(input, *, out=None):
    """Return the modified Bessel function of the first kind of order 0."""
    return _rows.i0(input, out=out)


def log1p(input, *, out=None):
    """Return ``log(1 + x)``."""
    return _rows.log1p(input, out=out)


def psi(input, *, out=None):
    """Return the derivative of :func:`gammaln`.

    Parameters
    ----------
    input : Tensor
        Any shape and a real dtype.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The same shape; floating-point for integers.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.special.psi(torch.tensor([1.0, 2.0]))
    tensor([-0.5772,  0.4228])
    """
    return _rows.digamma(input, out=out)


def sinc(input, *, out=None):
    """Return ``sin(pi x) / (pi x)``."""
    return _rows.sinc(input, out=out)


def gammainc(input, other, *, out=None):
    """Return the regularized lower incomplete gamma function of order `input`.

    Parameters
    ----------
    input, other : Tensor
        Floating-point tensors whose shapes broadcast.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The broadcast shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.special.gammainc(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 1.0]))
    tensor([0.6321, 0.2642])
    """
    return _rows.igamma(input, other, out=out)


def gammaincc(input, other, *, out=None):
    """Return the regularized upper incomplete gamma function of order `input`.

    Parameters
    ----------
    input, other : Tensor
        Floating-point tensors whose shapes broadcast.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The broadcast shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.special.gammaincc(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 1.0]))
    tensor([0.3679, 0.7358])
    """
    return _rows.igammac(input, other, out=out)


def logit(input, eps=None, *, out=None):
    """Return the inverse of :func:`expit`.

    If `eps` is given, clamp the input to [eps, 1 - eps] first.
    """
    return _rows.logit(input, eps, out=out)


def logsumexp(input, dim, keepdim=False, *, out=None):
    """Return the logarithm of the sum of exponentials over dimensions."""
    return _rows.logsumexp(input, dim, keepdim, out=out)


def softmax(input, dim, dtype=None):
    """Return the exponentials divided by their sum over a dimension."""
    return _rows.softmax(input, dim, dtype)


def log_softmax(input, dim, *, dtype=None):
    """Return the logarithm of :func:`softmax`."""
    return _rows.log_softmax(input, dim, dtype)


def multigammaln(input, p, *, out=None):
    """Return the logarithm of the multivariate gamma function of dimension `p`.

    Parameters
    ----------
    input : Tensor
        Any shape and a real dtype.
    p : int
        The number of dimensions.
    out : Tensor, optional
        The tensor to write the result into.

    Returns
    -------
    Tensor
        The same shape.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.special.multigammaln(torch.tensor([3.0]), 2)
    tensor([1.5502])
    """
    return _rows.mvlgamma(input, p, out=out)


def polygamma(n, input, *, out=None):
    """Return the derivative of order `n` of :func:`digamma`."""
    return _rows.polygamma(n, input, out=out)


def round(input, *, decimals=0, out=None):
    """Round to the given number of decimals, with halves rounded to even."""
    if decimals == 0 and not (input.is_floating_point() or input.is_complex()):
        # `round` without decimals supports integers, with decimals it does not
        raise NotImplementedError(
            f"\"round_vml_cpu\" not implemented for '{input.dtype._class_name}'"
        )
    return _rows.round(input, decimals=decimals, out=out)


def xlogy(input, other, *, out=None):
    """Return ``x log y``, which is 0 where x is 0."""
    return _rows.xlogy(input, other, out=out)
