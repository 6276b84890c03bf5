"""``out=`` of the functions whose operators write to memory of their own.

Purpose
-------
Elementwise operators and reductions write to `out` themselves. All others compute their result, and
it is copied: `torch.sort(x, out=(values, indices))`. What a caller can tell apart is the same: results
are not recorded, `out` is resized with a warning, and a dtype that does not fit is an error, whose text
is nearly every operator's own.

Interface
---------
:func:`deliver` for a call that has been taken apart, :func:`without_out` for a Python function.
"""

from minitorch.autograd.functions.support cimport no_out_with_grad
from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.variable cimport TensorBase, check_out, requires_grad
from minitorch.core.dtype cimport Bool, UInt8, class_name
from minitorch.core.iterator cimport assert_no_overlap, can_cast
from minitorch.core.tensor_impl cimport TensorImpl, bump_version, ndim, sizes
from minitorch.ops.copy cimport copy_
from minitorch.ops.output cimport check_can_cast, resize_output
from minitorch.ops.type_names cimport check_out_dtype

from minitorch.autograd.grad_mode import no_grad
from minitorch.core.return_types import result_class

# a result of any floating dtype goes to an output of another
cdef set _CASTS = {
    "ger", "outer", "std", "var", "deg2rad", "rad2deg", "sinc", "logit", "kron", "diff", "nanmean",
    "bernoulli", "linspace", "logspace", "normal", "ldexp", "fill",
}
cdef set _JOINS = {"column_stack", "row_stack", "hstack", "vstack", "dstack"}

# {have} is the dtype of out, {want} that of the result
cdef dict _TEXTS = {
    "all": "all only supports bool tensor for result, got: {have}",
    "any": "any only supports bool tensor for result, got: {have}",
    "complex": "Expected object of scalar type {want} but got scalar type {have} for argument 'out'",
    "cummax": "expected scalar_type {want} but found {have}",
    "cummin": "expected scalar_type {want} but found {have}",
    "float_power": "the output given to float_power has dtype {have} but the operation's result "
                   "requires dtype {want}",
    "hardshrink": "Found dtype {have} but expected {want}",
    "inner": "tensordot: Expected the output tensor to have dtype {want}, but got an output tensor "
             "with dtype {have}",
    "isneginf": "isneginf does not support non-boolean outputs.",
    "isposinf": "isposinf does not support non-boolean outputs.",
    "kthvalue": "output values must be of same type as input",
    "mode": "expected scalar type '{want}' but got '{have}' for values output",
    "multinomial": "multinomial expects Long tensor out, got: {have}",
    "nanquantile": "quantile() out tensor must be same dtype as the input tensor",
    "nonzero": "nonzero: Expected out tensor to have scalar type {want} but got scalar type{have}",
    "quantile": "quantile() out tensor must be same dtype as the input tensor",
    "where": "Expected out type to be {want} but got {have}",
}
_TEXTS.update(polar=_TEXTS["complex"], tensordot=_TEXTS["inner"])

# the operator that complains of gradients, where it is another; None: nobody does
cdef dict _RECORDED_AS = {
    "chain_matmul": "mm", "cross": "linalg_cross", "diff": "sub", "float_power": "pow", "ger": "mul",
    "kron": "mul", "msort": "sort", "nanmean": "nansum", "norm": "linalg_vector_norm", "outer": "mul",
    "take_along_dim": "gather",
}
_RECORDED_AS.update(dict.fromkeys(
    ("all", "any", "column_stack", "row_stack", "diag", "dstack", "hstack", "vstack", "inner", "isin",
     "isneginf", "isposinf", "log_softmax", "multinomial", "nonzero", "nanquantile", "quantile",
     "softmax", "tensordot")))


cdef bint _wants_gradient(object x) except -1:
    if isinstance(x, TensorBase):
        return requires_grad(<TensorBase>x)
    if isinstance(x, (list, tuple)):
        for item in x:
            if _wants_gradient(item):
                return True
    return False


cdef int _check_dtype(str name, TensorImpl out, TensorImpl result) except -1:
    if out.dtype == result.dtype:
        return 0
    if name in _CASTS:
        return check_can_cast(result.dtype, out.dtype)
    if name in _JOINS:
        if not can_cast(result.dtype, out.dtype):
            raise TypeError("torch.cat(): input types can't be cast to the desired output type "
                            f"{class_name(out.dtype)}")
        return 0
    if name in ("all", "any") and out.dtype == UInt8 and result.dtype == Bool:
        return 0
    if name in _TEXTS:
        raise RuntimeError((<str>_TEXTS[name]).format(
            have=class_name(out.dtype), want=class_name(result.dtype)))
    return check_out_dtype(out, result.dtype)


cdef int _write(str name, TensorBase out, TensorBase result) except -1:
    check_out(out)
    _check_dtype(name, out.impl, result.impl)
    resize_output(out.impl, ndim(result.impl), sizes(result.impl))
    copy_(out.impl, result.impl)
    bump_version(out.impl)
    return 0


def deliver(str name, function, args, kwargs, out):
    """Compute ``function(*args, **kwargs)`` and write it to `out`, a tensor or several.

    Returns
    -------
    Tensor or tuple
        `out`; several as a named tuple when the result is one.

    Raises
    ------
    RuntimeError
        If an argument requires grad while recording, or a dtype does not fit.
    """
    recorded_as = _RECORDED_AS.get(name, name)
    if name == "kthvalue":
        assert_no_overlap((<TensorBase?>args[0]).impl, (<TensorBase?>out[0]).impl)
    if grad_enabled() and recorded_as is not None and (
            _wants_gradient(args) or _wants_gradient(tuple(kwargs.values())) or _wants_gradient(out)):
        raise no_out_with_grad(recorded_as)
    with no_grad():
        results = function(*args, **kwargs)
    if isinstance(results, TensorBase):
        _write(name, <TensorBase?>out, <TensorBase>results)
        return out
    for one, result in zip(out, results, strict=True):
        _write(name, <TensorBase?>one, <TensorBase>result)
    fields = getattr(results, "_fields", None)
    return tuple(out) if fields is None else result_class(name + "_out", list(fields))(tuple(out))
