"""The fused steps of SGD and Adam: the work of a whole parameter group in one call.

Interface: `_fused_sgd_` and `_fused_adam_`. Each takes the list of ``(parameter, gradient, state)``
that an optimizer has gathered, updates what the loops of kernels/nn/optim.pyx can, and returns the
rest, for which the optimizer has its operators. Invariants:

- numbers, entries of the state and versions are those of the operators: a tensor that n in-place
  operators would write rises by n;
- a parameter is in the rest before anything of it or of its state has been changed.

PyTorch's counterparts of the same names take lists of tensors, and leave it to their caller to
count the steps.
"""

from libc.math cimport pow, sqrt

from minitorch.autograd.special cimport interposers
from minitorch.autograd.inplace cimport check_inplace
from minitorch.autograd.variable cimport TensorBase, make_tensor
from minitorch.core.dtype cimport Float32, Float64
from minitorch.core.tensor_impl cimport TensorImpl, bump_version, data, empty_geometry, ndim
from minitorch.ops.nn cimport optim as ops
from minitorch.ops.nn.optim cimport AdamStep, SgdStep, suits, takes_steps


cdef inline TensorImpl _part(object value, TensorImpl p):
    """Return the data of an entry of the state, or None if the loops cannot take it."""
    if isinstance(value, TensorBase) and suits((<TensorBase>value).impl, p):
        return (<TensorBase>value).impl
    return None


cdef inline bint _ready(TensorBase p, TensorBase grad) noexcept:
    return (not interposers and p.impl.special is None and grad.impl.special is None
            and takes_steps(p.impl) and suits(grad.impl, p.impl))


cdef int _wrote(TensorBase t, int times) except -1:
    cdef int _k
    for _k in range(times):
        bump_version(t.impl)
    return 0


def _fused_sgd_(list work, double lr, double momentum, double dampening, double weight_decay,
                bint nesterov, bint maximize):
    """Do a step of SGD for each ``(p, grad, state)`` that the kernels take, and return the others.

    The state is a dict, whose ``"momentum_buffer"`` is made when it is missing, or None without
    momentum.
    """
    cdef SgdStep options
    cdef TensorBase p, grad
    cdef TensorImpl velocity
    cdef dict state
    cdef list rest = []
    cdef tuple entry
    options.lr = lr
    options.momentum = momentum
    options.kept = 1 - dampening
    options.weight_decay = weight_decay
    options.nesterov = nesterov
    options.maximize = maximize
    for entry in work:
        first, second, state = entry
        p, grad = <TensorBase?>first, <TensorBase?>second
        velocity = buffer = None
        options.first = False
        if not _ready(p, grad):
            rest.append(entry)
            continue
        if momentum != 0:
            buffer = state.get("momentum_buffer")
            if buffer is None:
                options.first = True
                velocity = empty_geometry(p.impl.geometry, p.impl.dtype)
            else:
                velocity = _part(buffer, p.impl)
                if velocity is None:
                    rest.append(entry)
                    continue
                check_inplace(buffer, False)
        check_inplace(p, False)
        ops.sgd_(p.impl, grad.impl, velocity, &options)
        bump_version(p.impl)
        if options.first:
            state["momentum_buffer"] = make_tensor(velocity)
        elif buffer is not None:
            _wrote(buffer, 2)               # mul_, add_
    return rest


def _fused_adam_(list work, double lr, double beta1, double beta2, double eps,
                 double weight_decay, bint amsgrad, bint maximize, bint decoupled):
    """Do a step of Adam, or with `decoupled` of AdamW, for each ``(p, grad, state)`` that the kernels take.

    The state has ``"step"``, ``"exp_avg"``, ``"exp_avg_sq"`` and, for `amsgrad`,
    ``"max_exp_avg_sq"``; the step is counted here. The entries that the kernels do not take are returned.
    """
    cdef AdamStep options
    cdef TensorBase p, grad
    cdef TensorImpl mean, square, largest
    cdef dict state
    cdef list rest = []
    cdef tuple entry
    cdef double step
    options.weight1 = 1 - beta1
    options.beta2 = beta2
    options.eps = eps
    options.weight_decay = 0 if decoupled else weight_decay
    options.keep = 1 - lr * weight_decay if decoupled else 1
    options.maximize = maximize
    for entry in work:
        first, second, state = entry
        p, grad = <TensorBase?>first, <TensorBase?>second
        if not _ready(p, grad):
            rest.append(entry)
            continue
        kept = (state["step"], state["exp_avg"], state["exp_avg_sq"])
        mean, square, largest = _part(kept[1], p.impl), _part(kept[2], p.impl), None
        if amsgrad:
            kept += (state["max_exp_avg_sq"],)
            largest = _part(kept[3], p.impl)
        if mean is None or square is None or (amsgrad and largest is None) or not _counts(kept[0]):
            rest.append(entry)
            continue
        check_inplace(p, False)
        for part in kept:
            check_inplace(part, False)
        step = _counted(kept[0])
        options.size = lr / (1 - pow(beta1, step))
        options.root = sqrt(1 - pow(beta2, step))
        ops.adam_(p.impl, grad.impl, mean, square, largest, &options)
        _wrote(p, 2 if decoupled and weight_decay != 0 else 1)      # mul_; addcdiv_
        bump_version(mean)                                          # lerp_
        _wrote(kept[2], 2)                                          # mul_, addcmul_
        if amsgrad:
            bump_version(largest)
    return rest


cdef bint _counts(object value):
    """Return whether `value` is a step count in a float32 or float64 tensor of one element."""
    if not isinstance(value, TensorBase):
        return False
    cdef TensorImpl count = (<TensorBase>value).impl
    return ndim(count) == 0 and (count.dtype == Float32 or count.dtype == Float64)


cdef double _counted(TensorBase value):
    """Add one to a step count and return it."""
    cdef TensorImpl count = value.impl
    cdef double step
    if count.dtype == Float32:
        (<float*>data(count))[0] += 1
        step = (<float*>data(count))[0]
    else:
        (<double*>data(count))[0] += 1
        step = (<double*>data(count))[0]
    bump_version(count)
    return step
