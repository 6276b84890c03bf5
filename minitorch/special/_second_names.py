"""Functions of the main namespace under the names that ``torch.special`` has for them."""

from minitorch.autograd.functions import tensor_methods as _rows


def digamma(input, *, out=None):
    """The derivative of :func:`gammaln`."""
    return _rows.digamma(input, out=out)


def erf(input, *, out=None):
    """The error function."""
    return _rows.erf(input, out=out)


def erfc(input, *, out=None):
    """``1 - erf(x)``."""
    return _rows.erfc(input, out=out)


def erfinv(input, *, out=None):
    """The inverse of :func:`erf`."""
    return _rows.erfinv(input, out=out)


def exp2(input, *, out=None):
    """2 to the power x."""
    return _rows.exp2(input, out=out)


def expit(input, *, out=None):
    """``1 / (1 + exp(-x))``."""
    return _rows.sigmoid(input, out=out)


def expm1(input, *, out=None):
    """``exp(x) - 1``."""
    return _rows.expm1(input, out=out)


def gammaln(input, *, out=None):
    """The logarithm of the gamma function's absolute value."""
    return _rows.lgamma(input, out=out)


def i0(input, *, out=None):
    """The modified Bessel function of order 0."""
    return _rows.i0(input, out=out)


def log1p(input, *, out=None):
    """``log(1 + x)``."""
    return _rows.log1p(input, out=out)


def psi(input, *, out=None):
    """The derivative of :func:`gammaln`."""
    return _rows.digamma(input, out=out)


def sinc(input, *, out=None):
    """``sin(pi x) / (pi x)``."""
    return _rows.sinc(input, out=out)


def gammainc(input, other, *, out=None):
    """The lower incomplete gamma function of order `input`, divided by the gamma function."""
    return _rows.igamma(input, other, out=out)


def gammaincc(input, other, *, out=None):
    """The upper incomplete gamma function of order `input`, divided by the gamma function."""
    return _rows.igammac(input, other, out=out)


def logit(input, eps=None, *, out=None):
    """The inverse of :func:`expit`; `eps` keeps the input away from 0 and 1."""
    return _rows.logit(input, eps, out=out)


def logsumexp(input, dim, keepdim=False, *, out=None):
    """The logarithm of the sum of the exponentials along dimensions."""
    return _rows.logsumexp(input, dim, keepdim, out=out)


def softmax(input, dim, dtype=None):
    """The exponentials, divided by their sum along a dimension."""
    return _rows.softmax(input, dim, dtype)


def log_softmax(input, dim, *, dtype=None):
    """The logarithm of :func:`softmax`."""
    return _rows.log_softmax(input, dim, dtype)


def multigammaln(input, p, *, out=None):
    """The logarithm of the gamma function of `p` dimensions."""
    return _rows.mvlgamma(input, p, out=out)


def polygamma(n, input, *, out=None):
    """The derivative of order `n` of :func:`digamma`."""
    return _rows.polygamma(n, input, out=out)


def round(input, *, decimals=0, out=None):
    """The nearest number with so many decimals, halves to the even one."""
    if decimals == 0 and not (input.is_floating_point() or input.is_complex()):
        # the operator without decimals takes integers, the one with them does not
        raise NotImplementedError(
            f"\"round_vml_cpu\" not implemented for '{input.dtype._class_name}'"
        )
    return _rows.round(input, decimals=decimals, out=out)


def xlogy(input, other, *, out=None):
    """``x log y``, and 0 where x is 0."""
    return _rows.xlogy(input, other, out=out)
