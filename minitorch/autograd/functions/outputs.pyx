"""``out=`` of the functions whose operators cannot write to `out` themselves.

Purpose
-------
Elementwise operators and reductions write to `out` directly. All other operators compute their result in new
memory, and it is copied to `out`: `torch.sort(x, out=(values, indices))`. For the caller there is no difference:
results are not recorded, `out` is resized with a warning, and a dtype that does not fit is an error. Nearly every
operator has its own text for this error.

Interface
---------
:func:`deliver` writes results to `out`; :func:`compute_out` calls a function and delivers its results.
"""

from minitorch.autograd.forward_grad cimport top_level_of
from minitorch.autograd.inplace cimport check_out
from minitorch.autograd.levels cimport wrapped
from minitorch.autograd.recording_errors cimport check_unknown_out, no_forward_mode, no_out_with_grad
from minitorch.autograd.grad_mode cimport grad_enabled
from minitorch.autograd.special cimport any_level, interposers, is_special
from minitorch.autograd.variable cimport TensorBase, requires_grad
from minitorch.core.dtype cimport Bool, UInt8, c_name, class_name
from minitorch.core.overlap cimport assert_no_overlap, assert_no_partial_overlap
from minitorch.core.result_type cimport can_cast
from minitorch.core.tensor_impl cimport TensorImpl, bump_version, ndim, numel, resize, sizes, sizes_tuple, strides
from minitorch.ops.common.copy cimport copy_
from minitorch.ops.common.output cimport check_can_cast, resize_output
from minitorch.ops.common.type_names cimport check_out_dtype

from minitorch.autograd.grad_mode import no_grad
from minitorch.core.return_types import result_class

# a result of any floating dtype goes to an output of another
cdef set _CASTS = {
    "ger", "outer", "std", "var", "deg2rad", "rad2deg", "sinc", "logit", "kron", "diff", "nanmean",
    "linspace", "logspace", "normal", "ldexp", "fill", "_fft_c2c", "_fft_c2r", "_fft_r2c", "maximum",
    "minimum", "mul",
}
cdef set _JOINS = {"_chunk_cat", "column_stack", "row_stack", "hstack", "vstack", "dstack"}

# likewise in linear algebra, with an error that names the function, and the result where it has several
cdef dict _SAFE_CASTS = {
    "geqrf": "torch.geqrf: Expected {field}",
    "linalg_cond": "linalg.cond: Expected result",
    "linalg_eig": "torch.linalg.eig: Expected {field}",
    "linalg_eigvals": "torch.linalg.eigvals: Expected eigenvalues",
    "linalg_householder_product": "torch.linalg.householder_product: Expected result",
    "linalg_lstsq": "torch.linalg.lstsq: Expected {field}",
    "linalg_matrix_power": "matrix_power: Expected result",
    "linalg_matrix_rank": "torch.linalg.matrix_rank: Expected result",
    "linalg_pinv": "linalg.pinv: Expected result",
    "linalg_tensorinv": "tensorinv: Expected result",
    "linalg_tensorsolve": "tensorsolve: Expected result",
    "matrix_power": "matrix_power: Expected result",
}
# functions whose `out` must have exactly the dtype of the result
cdef set _SAME_DTYPE = {"matrix_power"}
# the strides of a resized `out`: those of the result (_LAID_OUT); those of the result if `out` was empty, else
# row-major (_ROW_MAJOR_AGAIN); always row-major (_ROW_MAJOR)
cdef set _LAID_OUT = {"geqrf", "matrix_power", "ormqr", "qr", "svd", "triangular_solve"}   # and linalg_...
cdef set _ROW_MAJOR_AGAIN = {
    "geqrf", "linalg_eig", "linalg_householder_product", "linalg_lstsq", "ormqr",
}
cdef set _ROW_MAJOR = {"linalg_tensorinv"}
# an `out` with elements is resized without a warning
cdef set _SILENT = {"bernoulli", "multinomial", "narrow_copy"}
# `out` shares all elements with an argument, or none
cdef set _APART = {"frexp", "maximum", "minimum", "msort", "nonzero", "sort", "topk", "where"}
# the result is copied by the operator `copy_`, which is recorded if something requires grad
cdef set _COPIED = {
    "inner", "linalg_cond", "linalg_matrix_norm", "linalg_norm", "linalg_tensorinv",
    "linalg_tensorsolve", "nanquantile", "quantile", "tensordot",
}

# by the name of the function, or by that and the result's. {have} is the dtype of out, {want} that of the
# result; {c_have} and {c_want} as C++ has them
cdef dict _TEXTS = {
    "all": "all only supports bool tensor for result, got: {have}",
    "any": "any only supports bool tensor for result, got: {have}",
    "complex": "Expected object of scalar type {want} but got scalar type {have} for argument 'out'",
    "cummax": "expected scalar_type {want} but found {have}",
    "cummin": "expected scalar_type {want} but found {have}",
    "float_power": "the output given to float_power has dtype {have} but the operation's result "
                   "requires dtype {want}",
    "hardshrink": "Found dtype {have} but expected {want}",
    "frexp.mantissa": "torch.frexp() expects mantissa to have dtype {c_want} but got {c_have}",
    "frexp.exponent": "torch.frexp() expects exponent to have int dtype but got {c_have}",
    "histogram.hist": "torch.histogram: input tensor and hist tensor should have the same dtype, but got "
                      "input {c_want} and hist {c_have}",
    "histogram.bin_edges": "torch.histogram: input tensor and bin_edges tensor should have the same dtype, "
                           "but got input {c_want} and bin_edges {c_have} for dimension 0",
    "inner": "tensordot: Expected the output tensor to have dtype {want}, but got an output tensor "
             "with dtype {have}",
    "isneginf": "isneginf does not support non-boolean outputs.",
    "isposinf": "isposinf does not support non-boolean outputs.",
    "kthvalue": "output values must be of same type as input",
    "kthvalue.indices": "output indices must be of scalar type {want}",
    "linalg_matrix_norm": "linalg.matrix_norm expected out tensor dtype {want} but got: {have}",
    "linalg_multi_dot": "multi_dot(): expected out tensor to have dtype {c_want} but got {c_have}",
    "linalg_norm": "linalg.norm expected out tensor dtype {want} but got: {have}",
    "linalg_vecdot": "linalg.vecdot: Expected out of dtype{want} but found {have}",
    "linalg_solve_triangular": "expected scalar type {want} but found {have}",
    "median.values": "Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but "
                     "type torch.{have}Tensor does not equal torch.{want}Tensor (while checking arguments for "
                     "median)",
    "median.indices": "Expected tensor for argument #1 'indices' to have scalar type {want}; but got "
                      "torch.{have}Tensor instead (while checking arguments for median)",
    "mode.indices": "expected scalar type '{want}' but got '{have}' for indices output",
    "mode": "expected scalar type '{want}' but got '{have}' for values output",
    "multinomial": "multinomial expects Long tensor out, got: {have}",
    "nanquantile": "quantile() out tensor must be same dtype as the input tensor",
    "ormqr": "torch.ormqr: Expected input and result to have the same dtype, but input has "
             "dtype{want} and result has dtype {have}",
    "narrow_copy": "Expected self.dtype() == output.dtype() to be true, but got false.  (Could this error "
                   "message be improved?  If so, please report an enhancement request to PyTorch.)",
    "nonzero": "nonzero: Expected out tensor to have scalar type {want} but got scalar type{have}",
    "quantile": "quantile() out tensor must be same dtype as the input tensor",
    "where": "Expected out type to be {want} but got {have}",
}
_TEXTS.update(polar=_TEXTS["complex"], tensordot=_TEXTS["inner"])
_TEXTS.update({f"nan{name}": _TEXTS[name] for name in ("median.values", "median.indices")})

# the operator named in the error for gradients, where it is another one; None: no error is raised
cdef dict _RECORDED_AS = {
    "chain_matmul": "mm", "column_stack": "cat", "cross": "linalg_cross", "diff": "sub",
    "dstack": "cat", "float_power": "pow", "ger": "mul", "hstack": "cat", "kron": "mul",
    "msort": "sort", "nanmean": "nansum", "norm": "linalg_vector_norm", "outer": "mul",
    "row_stack": "cat", "vstack": "cat",
    "take_along_dim": "gather", "linalg_cholesky": "linalg_cholesky_ex", "linalg_det": "_linalg_det",
    "linalg_eigh": "_linalg_eigh", "linalg_eigvalsh": "_linalg_eigh", "linalg_inv": "linalg_inv_ex",
    "linalg_lu_factor": "linalg_lu_factor_ex", "linalg_matmul": "matmul",
    "linalg_matrix_power": "matmul", "linalg_multi_dot": "mm", "linalg_slogdet": "_linalg_slogdet",
    "linalg_solve": "_linalg_solve_ex", "linalg_solve_ex": "_linalg_solve_ex",
    "linalg_svd": "_linalg_svd", "linalg_svdvals": "_linalg_svd", "linalg_vecdot": "sum",
    "matrix_power": "matmul", "qr": "linalg_qr", "slogdet": "_linalg_slogdet", "svd": "_linalg_svd",
}
_RECORDED_AS.update(dict.fromkeys(
    ("all", "any", "isin", "isneginf", "isposinf", "multinomial", "nonzero", "split_with_sizes_copy")))
_RECORDED_AS.update(dict.fromkeys(_COPIED))
# PyTorch has no derivative of these forms, and only says so of a leaf that would be written to
cdef set _UNKNOWN = {
    "_chunk_cat", "alias_copy", "as_strided_copy", "detach_copy", "diagonal_copy", "expand_copy",
    "histogram", "log_softmax", "permute_copy", "select_copy", "slice_copy", "softmax", "squeeze_copy",
    "t_copy", "transpose_copy", "unfold_copy", "unsqueeze_copy", "view_as_complex_copy",
    "view_as_real_copy", "view_copy",
}
# in which order they write their results, where it is not the results' own
cdef dict _ORDERS = {"linalg_eigh": (1, 0), "histogram": (1, 0), "linalg_svd": (0, 2, 1), "svd": (0, 2, 1)}
# they give nothing back when they write to a list; by what name they call themselves then
cdef dict _LISTS = {
    "split_copy": "split_copy_Tensor_out()", "split_with_sizes_copy": "split_with_sizes_copy_out",
    "unbind_copy": "unbind_copy_int_out",
}
# no matter what the arguments require, only `out` must not require grad
cdef dict _WITHOUT_GRADIENT = {
    "linalg_eigvals": "aten::linalg_eigvals", "linalg_ldl_factor": "aten::linalg_ldl_factor_ex",
    "linalg_ldl_factor_ex": "aten::linalg_ldl_factor_ex", "linalg_ldl_solve": "aten::linalg_ldl_solve",
}


cdef bint _wants_gradient(object x) except -1:
    if isinstance(x, TensorBase):
        return requires_grad(<TensorBase>x)
    if isinstance(x, (list, tuple)):
        for item in x:
            if _wants_gradient(item):
                return True
    return False


cdef str _diagonal(arguments):
    """Return the operator that `diag` calls for a vector or a matrix."""
    cdef TensorBase first = arguments[0]
    return "diag_embed" if ndim(first.impl) == 1 else "diagonal_copy"


cdef int _check_gradients(str name, out, arguments) except -1:
    """Raise RuntimeError if the write to `out` would have to be recorded."""
    if not grad_enabled():
        return 0
    if name in _WITHOUT_GRADIENT:
        if _wants_gradient(out):
            raise no_out_with_grad(<str>_WITHOUT_GRADIENT[name])
        return 0
    if name in _UNKNOWN or name == "diag":
        for one in out if isinstance(out, (tuple, list)) else (out,):
            check_unknown_out(_diagonal(arguments) if name == "diag" else name, <TensorBase?>one)
        return 0
    recorded_as = _RECORDED_AS.get(name, name)
    if recorded_as is not None and (_wants_gradient(arguments) or _wants_gradient(out)):
        raise no_out_with_grad(recorded_as)
    return 0


cdef list _tensors_of(values):
    cdef list found = []
    for value in values:
        if isinstance(value, TensorBase):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found += _tensors_of(value)
    return found


cdef str _product(arguments):
    """Return the operator that `matmul` calls for two tensors."""
    cdef TensorBase a = arguments[0], b = arguments[1]
    cdef int m = ndim(a.impl), n = ndim(b.impl)
    if n == 1:
        return "dot" if m == 1 else "mv"
    return "mm" if n == 2 else "bmm"


cdef int _check_tangents(str name, out, arguments) except -1:
    """Raise NotImplementedError for tangents, which would be lost when the result is copied."""
    if not any_level or name in _COPIED or top_level_of(_tensors_of((arguments, out))) < 0:
        return 0
    if name in _WITHOUT_GRADIENT:
        raise no_forward_mode(<str>_WITHOUT_GRADIENT[name], "not_implemented")
    if name in _UNKNOWN or name == "diag":
        raise no_forward_mode(f"aten::{_diagonal(arguments) if name == 'diag' else name}", "not_implemented")
    recorded_as = _product(arguments) if name == "matmul" else _RECORDED_AS.get(name) or name
    raise no_forward_mode(f"{recorded_as}_out", "out")


cdef int _check_dtype(str name, str field, TensorImpl out, TensorImpl result) except -1:
    if out.dtype == result.dtype:
        return 0
    if name == "bernoulli":
        return 0
    if name in _CASTS:
        return check_can_cast(result.dtype, out.dtype)
    if name in _SAFE_CASTS:
        if not can_cast(result.dtype, out.dtype):
            expected = (<str>_SAFE_CASTS[name]).format(field=field)
            raise RuntimeError(
                f"{expected} to be safely castable from {class_name(result.dtype)} dtype, but got "
                f"{expected.rpartition(' ')[2]} with dtype {class_name(out.dtype)}")
        return check_out_dtype(out, result.dtype) if name in _SAME_DTYPE else 0
    if name in _JOINS:
        if not can_cast(result.dtype, out.dtype):
            raise TypeError("torch.cat(): input types can't be cast to the desired output type "
                            f"{class_name(out.dtype)}")
        return 0
    if name in ("all", "any") and out.dtype == UInt8 and result.dtype == Bool:
        return 0
    if name in ("max", "min") and field == "result":
        if not can_cast(result.dtype, out.dtype):
            raise RuntimeError(
                "Expected canCast( typeMetaToScalarType(self.dtype()), typeMetaToScalarType(out.dtype())) to "
                "be true, but got false.  (Could this error message be improved?  If so, please report an "
                "enhancement request to PyTorch.)")
        return 0
    if name == "diag" and ndim(result) == 2 and not can_cast(result.dtype, out.dtype):
        raise RuntimeError(f"diag: result type {class_name(result.dtype)} can't be cast to the desired out= "
                           f"type {class_name(out.dtype)}")
    text = _TEXTS.get(f"{name}.{field}") or _TEXTS.get(name)
    if text is not None:
        raise RuntimeError((<str>text).format(
            have=class_name(out.dtype), want=class_name(result.dtype),
            c_have=c_name(out.dtype), c_want=c_name(result.dtype)))
    return check_out_dtype(out, result.dtype)


cdef int _write(str name, TensorBase out, TensorBase result) except -1:
    if name in ("inner", "tensordot") and requires_grad(out) and grad_enabled() and (
            sizes_tuple(out.impl) != sizes_tuple(result.impl)):
        raise RuntimeError(
            "tensordot(): the 'out' tensor was specified and requires gradients, and its shape does not "
            "match the expected result. Either remove the 'out' argument, ensure it does not require "
            "gradients, or make sure its shape matches the expected output.")
    if is_special(out) or is_special(result):
        special = wrapped(out)
        if special is None or not special.level.take_over(out, result):
            (<object>out).copy_(result)
        return 0
    if name in _SILENT:
        if sizes_tuple(out.impl) != sizes_tuple(result.impl):
            resize(out.impl, ndim(result.impl), sizes(result.impl))
    else:
        _resize_as(name, out, result)
    if name in _COPIED:
        (<object>out).copy_(result)
        return 0
    copy_(out.impl, result.impl)
    bump_version(out.impl)
    return 0


cdef int _resize_as(str name, TensorBase out, TensorBase result) except -1:
    cdef bint laid_out = ((name.startswith("linalg_") or name in _LAID_OUT) and name not in _ROW_MAJOR
                          and not (out.impl.geometry.numel and name in _ROW_MAJOR_AGAIN))
    resize_output(out.impl, ndim(result.impl), sizes(result.impl),
                  strides(result.impl) if laid_out else NULL)
    return 0


def deliver(str name, results, out):
    """Write the results of the function `name` to `out`, if that is given.

    Parameters
    ----------
    name : str
        The function, which determines the errors and their texts.
    results : Tensor or tuple of Tensor
    out : Tensor, tuple of Tensor or None
        One tensor for each result.

    Returns
    -------
    Tensor, tuple or None
        `out`, as a named tuple if the results are one; None for functions that write to a list. Without `out`, the
        results.

    Raises
    ------
    RuntimeError
        If a result or `out` requires grad while recording, or a dtype does not fit; nothing has been
        written then.
    """
    if out is None:
        return results
    _check_gradients(name, out, results)
    _check_tangents(name, out, results if isinstance(results, (list, tuple)) else (results,))
    if isinstance(results, TensorBase):
        pairs, fields = [(out, results)], None
    else:
        if len(out) != len(results):
            if name in _LISTS:
                raise RuntimeError(f"{_LISTS[name]} expected an out= argument of size {len(results)}, got size "
                                   f"{len(out)}")
            raise TypeError(f"expected tuple of {len(results)} elements but got {len(out)}")
        pairs, fields = list(zip(out, results, strict=True)), getattr(results, "__match_args__", None)
    for k, (one, result) in enumerate(pairs):
        check_out(<TensorBase?>one)
        _check_dtype(name, "result" if fields is None else fields[k], (<TensorBase>one).impl,
                     (<TensorBase?>result).impl)
    for k in _ORDERS.get(name, range(len(pairs))):
        one, result = pairs[k]
        _write(name, <TensorBase>one, <TensorBase>result)
    if isinstance(results, TensorBase):
        return out
    if name in _LISTS:
        return None
    return tuple(out) if fields is None else result_class(name + "_out", list(fields))(tuple(out))


cdef int _check_apart(str name, out, list arguments) except -1:
    """Raise RuntimeError if `out` shares memory with an argument, and the function does not copy its result."""
    cdef bint by_dim = name in ("aminmax", "max", "min") and len(arguments) > 1
    if interposers:      # what a transform or a mode sees need not have this memory
        return 0
    if name == "kthvalue":
        assert_no_overlap((<TensorBase?>out[0]).impl, (<TensorBase?>arguments[0]).impl)
    elif by_dim or name in _APART:
        for one in _tensors_of(out[:1] if name == "sort" else (out,)):
            for argument in _tensors_of(arguments):
                # one element of each row is a row of the same memory
                if not by_dim or numel((<TensorBase?>one).impl) != numel((<TensorBase?>argument).impl):
                    assert_no_partial_overlap((<TensorBase?>one).impl, (<TensorBase?>argument).impl)
    return 0


cdef bint _has_scalar(args) except -1:
    for t in args:
        if ndim((<TensorBase?>t).impl) == 0:
            return True
    return False


cdef str _of_one_result(str name, args, kwargs):
    """Return the operator that `max` or `min` calls: another one for two tensors than for all elements."""
    if len(args) + len(kwargs) > 1:
        return "maximum" if name == "max" else "minimum"
    return name


def compute_out(str name, function, args, kwargs, out):
    """Compute ``function(*args, **kwargs)``, and :func:`deliver` it to `out`.

    Raises
    ------
    RuntimeError
        The errors of :func:`deliver`; the error for an argument that requires grad is raised before the computation.
    """
    if name in ("max", "min") and not isinstance(out, (tuple, list)):
        name = _of_one_result(name, args, kwargs)
    elif name == "inner" and _has_scalar(args):
        name = "mul"
    arguments = [*args, *kwargs.values()]
    _check_apart(name, out, arguments)
    _check_gradients(name, out, arguments)
    _check_tangents(name, out, arguments)
    if name in _COPIED:
        return deliver(name, function(*args, **kwargs), out)
    with no_grad():
        return deliver(name, function(*args, **kwargs), out)
