"""Compare the gradients that autograd computes with central differences: `gradcheck`, `gradgradcheck`.

For each output with a gradient two matrices are made, one row for each entry of an input and one column for
each entry of the output: the numerical one perturbs the input's memory, the analytical one walks the
graph once for each entry of the output. A function of complex numbers is checked as two functions with
real values, its real and its imaginary part.
"""

import warnings

import numpy as np

from minitorch.autograd import grad as _grad
from minitorch.autograd.functions import random as _random
from minitorch.autograd.functions import tensor_methods as _operators
from minitorch.autograd.functions.from_data import from_numpy
from minitorch.autograd.variable import TensorBase

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """What `gradcheck` and `gradgradcheck` raise when the gradients differ."""


# ---- arguments


def _as_tuple(x):
    if isinstance(x, (tuple, list)):
        return tuple(x)
    return (x,)


def _wants_grad(x):
    return isinstance(x, TensorBase) and x.requires_grad


def _differentiable_outputs(x):
    return tuple(o for o in _as_tuple(x) if o.requires_grad)


def _refuse(**options):
    for name, value in options.items():
        if value:
            raise NotImplementedError(f"gradcheck({name}={value!r})")


def _check_inputs(inputs):
    """At least one input wants a gradient, and no entry of it stands for two."""
    for idx, x in enumerate(inputs):
        if not _wants_grad(x):
            continue
        if str(x.dtype) not in ("torch.float64", "torch.complex128"):
            warnings.warn(
                f"Input #{idx} requires gradient and is not a double precision floating point or complex. "
                "This check will likely fail if all the inputs are not of double precision floating point "
                "or complex. ",
                stacklevel=3,
            )
        if any(stride == 0 and size > 1 for stride, size in zip(x.stride(), x.shape, strict=True)):
            raise RuntimeError(
                f"The {idx}th input has a dimension with stride 0. gradcheck only supports inputs that are "
                "non-overlapping to be able to compute the numerical gradients correctly. You should call "
                ".contiguous on the input before passing it to gradcheck."
            )
    if not any(_wants_grad(x) for x in inputs):
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have "
            "requires_grad=True."
        )


# ---- the two Jacobians


def _values(outputs):
    """Copies: an output may share the memory that is about to be perturbed."""
    return [np.array(o.detach().numpy(), copy=True) for o in _as_tuple(outputs)]


def _same_kind(low, high, eps):
    """Both sides of a difference must be of one shape and dtype."""
    for index, (a, b) in enumerate(zip(low, high, strict=True)):
        for what, x, y in (("shape", a.shape, b.shape), ("dtype", a.dtype, b.dtype)):
            if x != y:
                raise AssertionError(
                    f"Expected `func` to return outputs with the same {what} when inputs are perturbed "
                    f"on index {index} by {eps}, but got: {what}s {x} and {y}."
                )


def _numerical_jacobians(func, inputs, eps):
    """For each input that wants a gradient, a matrix for each output, by central differences."""
    result = []
    for x in inputs:
        if not _wants_grad(x):
            continue
        entries = x.detach().numpy()
        columns = []
        for index in np.ndindex(entries.shape):
            kept = entries[index].copy()
            steps = (eps, eps * 1j) if entries.dtype.kind == "c" else (eps,)
            slopes = []
            for step in steps:
                entries[index] = kept - step
                low = _values(func(*inputs))
                entries[index] = kept + step
                high = _values(func(*inputs))
                entries[index] = kept
                _same_kind(low, high, eps)
                slopes.append([_difference(a, b, eps) for a, b in zip(low, high, strict=True)])
            # the real output's two slopes are the parts of one complex number
            columns.append(
                [a + 1j * b for a, b in zip(*slopes, strict=True)] if len(steps) == 2 else slopes[0]
            )
        outputs = zip(*columns, strict=True) if columns else [[]] * len(_as_tuple(func(*inputs)))
        result.append([np.array(rows) for rows in outputs])
    return result


def _difference(low, high, eps):
    if low.dtype.kind == "b":
        low, high = low.astype("int8"), high.astype("int8")
    return ((high - low) / (2 * eps)).ravel()


def _analytical_jacobians(inputs, output, check_grad_dtypes):
    """For each input that wants a gradient, the matrix of `output`, a backward for each of its entries."""
    inputs = [x for x in inputs if _wants_grad(x)]
    count = output.numel()
    result = [np.zeros((x.numel(), count), _entry_type(x)) for x in inputs]
    for k in range(count):
        seed = np.zeros(count, output.detach().numpy().dtype)
        seed[k] = 1
        seed = from_numpy(seed.reshape(tuple(output.shape)))
        grads = _grad(output, inputs, seed, retain_graph=True, allow_unused=True)
        for matrix, g, x in zip(result, grads, inputs, strict=True):
            if g is None:
                continue
            if check_grad_dtypes and g.dtype != x.dtype:
                raise GradcheckError("Gradient has dtype mismatch")
            if g.shape != x.shape:
                raise GradcheckError("Analytical gradient has incorrect size")
            matrix[:, k] = g.detach().numpy().ravel()
    return result


def _entry_type(x):
    return "complex128" if x.dtype.is_complex else "float64"


# ---- the checks


def _mismatch(numerical, analytical, output, input, part):
    prefix = f"While considering the {part} part of complex outputs only, " if part else ""
    return (
        f"{prefix}Jacobian mismatch for output {output} with respect to input {input},\n"
        f"numerical:{from_numpy(numerical)}\nanalytical:{from_numpy(analytical)}\n"
    )


def _check_jacobians(func, inputs, options, part=None, complex_outputs=()):
    """Compare both matrices of a function whose outputs are real."""
    outputs = _as_tuple(func(*inputs))
    numerical = _numerical_jacobians(func, inputs, options["eps"])
    if not _differentiable_outputs(outputs):
        if any(np.any(matrix != 0) for matrices in numerical for matrix in matrices):
            raise GradcheckError("Numerical gradient for function expected to be zero")
        return
    position = 0
    for nr, output in enumerate(outputs):
        if not output.requires_grad:
            continue
        analytical = _analytical_jacobians(inputs, output, options["check_grad_dtypes"])
        again = _analytical_jacobians(inputs, output, False)
        for a, b in zip(analytical, again, strict=True):
            if a.size and np.max(np.abs(a - b)) > options["nondet_tol"]:
                raise GradcheckError(
                    "Backward is not reentrant, i.e., running backward with same input and grad_output "
                    "multiple times gives different values, although analytical gradient matches "
                    f"numerical gradient.The tolerance for nondeterminism was {options['nondet_tol']}."
                )
        for j, a in enumerate(analytical):
            n = numerical[j][nr].reshape(a.shape)
            if not np.allclose(a, n, options["rtol"], options["atol"]):
                shown = part if position in complex_outputs else None
                raise GradcheckError(_mismatch(n.astype(a.dtype), a, position, j, shown))
        position += 1


def _part_of_outputs(func, part):
    def wrapped(*inputs):
        return tuple(part(o) if o.is_complex() else o for o in _as_tuple(func(*inputs)))

    return wrapped


def _check_zero_gradient(outputs, inputs):
    """A gradient of zeros gives zeros, of the inputs' type and shape."""
    inputs = [x for x in inputs if _wants_grad(x)]
    zeros = [_operators.zeros_like(o) for o in outputs]
    grads = _grad(outputs, inputs, zeros, allow_unused=True)
    for g, x in zip(grads, inputs, strict=True):
        if g is None:
            continue
        if (g != 0).any().item():
            raise GradcheckError("backward not multiplied by grad_output")
        if g.dtype != x.dtype:
            raise GradcheckError("grad is incorrect type")
        if g.shape != x.shape:
            raise GradcheckError("grad is incorrect size")


_UNDEFINED = (
    'Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
)


def _check_undefined_gradients(func, inputs):
    """A backward is given zeros for one output and nothing for the others, then for all but one."""
    count = len(_differentiable_outputs(func(*inputs)))
    if count < 2:
        return
    chosen = [(k,) for k in range(count)]
    if count > 2:
        chosen += [tuple(j for j in range(count) if j != k) for k in range(count)]
    wanted = [x for x in inputs if _wants_grad(x)]
    for indices in chosen:
        outputs = _differentiable_outputs(func(*inputs))
        outputs = [outputs[k] for k in indices]
        zeros = [_operators.zeros_like(o) for o in outputs]
        try:
            grads = _grad(outputs, wanted, zeros, allow_unused=True)
        except RuntimeError as error:
            raise GradcheckError(
                "Expected backward function to handle undefined output grads. " + _UNDEFINED
            ) from error
        if any(g is not None and (g != 0).any().item() for g in grads):
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are undefined or "
                "zero. " + _UNDEFINED
            )


def gradcheck(
    func,
    inputs,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_batched_forward_grad=False,
    check_forward_ad=False,
    check_backward_ad=True,
    fast_mode=False,
    masked=None,
):
    """Check the gradients of a function against central differences.

    Parameters
    ----------
    func : callable
        Takes the tensors of `inputs`, returns a tensor or a tuple of tensors.
    inputs : Tensor or sequence
        Those that require grad are checked; they should be float64 or complex128.
    eps : float
        By how much an entry is moved.
    atol, rtol : float
        How far the two may be apart: ``atol + rtol * abs(numerical)``.
    raise_exception : bool
        Whether a difference is an exception; else False is returned.
    nondet_tol : float
        How far two backward passes may be apart.
    check_undefined_grad : bool
        Whether outputs without a gradient are tried too.
    check_grad_dtypes : bool
        Whether a gradient's dtype must be its input's.
    check_batched_grad, check_batched_forward_grad, check_forward_ad, fast_mode, masked
        Not supported: their defaults only.
    check_backward_ad : bool
        Must be true.

    Returns
    -------
    bool
        True when all gradients agree.

    Raises
    ------
    GradcheckError
        When they do not, and `raise_exception` is true.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.exp, (x,))
    True

    Notes
    -----
    The counterpart is ``torch.autograd.gradcheck``. A complex gradient is that of the conjugate
    Wirtinger derivative: the slope to the real part plus 1j times the slope to the imaginary part.
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError(
            "Expected at least one of check_forward_ad or check_backward_ad to be True"
        )
    if check_batched_grad and not check_backward_ad:
        raise AssertionError(
            "Setting check_batched_grad=True requires check_backward_ad to be True"
        )
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError(
            "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
        )
    _refuse(
        check_batched_grad=check_batched_grad,
        check_batched_forward_grad=check_batched_forward_grad,
        check_forward_ad=check_forward_ad,
        fast_mode=fast_mode,
        masked=masked,
    )
    options = {
        "eps": eps,
        "atol": atol,
        "rtol": rtol,
        "nondet_tol": nondet_tol,
        "check_grad_dtypes": check_grad_dtypes,
    }
    try:
        _gradcheck(func, _as_tuple(inputs), options, check_undefined_grad)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _gradcheck(func, inputs, options, check_undefined_grad):
    _check_inputs(inputs)
    func_out = _as_tuple(func(*inputs))
    outputs = _differentiable_outputs(func_out)
    if any(o.is_complex() for o in func_out):
        complex_outputs = [k for k, o in enumerate(outputs) if o.is_complex()]
        for name, part in (("imaginary", _operators.imag), ("real", _operators.real)):
            _check_jacobians(_part_of_outputs(func, part), inputs, options, name, complex_outputs)
    else:
        _check_jacobians(func, inputs, options)
    if outputs:
        _check_zero_gradient(outputs, inputs)
    if check_undefined_grad:
        _check_undefined_gradients(func, inputs)


# ---- second derivatives


def _random_gradient(output, strided):
    """Numbers between -1 and 1; with `strided`, in memory with gaps."""
    shape = tuple(output.shape)
    dtype = output.dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise TypeError(f"an output of dtype {dtype} has no gradient")
    gaps = strided and output.numel() > 1 and len(shape) > 0
    size = (*shape[:-1], 2 * shape[-1]) if gaps else shape
    result = _random.rand(size, dtype=dtype) * 2 - 1
    if gaps:
        result = _operators.slice(result, len(shape) - 1, None, None, 2)
    return result.detach().requires_grad_()


def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    gen_non_contig_grad_outputs=False,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_fwd_over_rev=False,
    check_rev_over_rev=True,
    fast_mode=False,
    masked=False,
):
    """Check the gradients of a function's gradients against central differences.

    The function that is checked takes `inputs` and the gradients of the outputs, and returns the
    gradients of the inputs.

    Parameters
    ----------
    func, inputs
        As of `gradcheck`.
    grad_outputs : Tensor or sequence of Tensor, optional
        The gradients of the outputs. Default: random numbers between -1 and 1.
    gen_non_contig_grad_outputs : bool
        Whether those random numbers lie in memory with gaps.
    check_fwd_over_rev, check_batched_grad, fast_mode, masked
        Not supported: their defaults only.
    check_rev_over_rev : bool
        Must be true.
    eps, atol, rtol, raise_exception, nondet_tol, check_undefined_grad, check_grad_dtypes
        As of `gradcheck`.

    Returns
    -------
    bool
        True when all gradients agree.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.exp, (x,))
    True

    Notes
    -----
    The counterpart is ``torch.autograd.gradgradcheck``.
    """
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError(
            "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
        )
    for name, value in (
        ("check_undefined_grad", check_undefined_grad),
        ("check_batched_grad", check_batched_grad),
    ):
        if value and not check_rev_over_rev:
            raise AssertionError(f"Setting {name}=True requires check_rev_over_rev to be True")
    _refuse(check_fwd_over_rev=check_fwd_over_rev)
    inputs = _as_tuple(inputs)
    if grad_outputs is None:
        outputs = _differentiable_outputs(func(*inputs))
        grad_outputs = tuple(_random_gradient(o, gen_non_contig_grad_outputs) for o in outputs)
    else:
        grad_outputs = _as_tuple(grad_outputs)
    count = len(inputs)
    wanted = [k for k, x in enumerate(inputs) if _wants_grad(x)]

    def gradients(*args):
        outputs = _differentiable_outputs(func(*args[:count]))
        grads = _grad(
            outputs,
            [args[k] for k in wanted],
            args[count:],
            create_graph=True,
            allow_unused=True,
        )
        return tuple(g for g in grads if g is not None)

    return gradcheck(
        gradients,
        inputs + grad_outputs,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        fast_mode=fast_mode,
        masked=masked,
    )
