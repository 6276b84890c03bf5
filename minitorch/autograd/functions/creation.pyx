"""`zeros`, `arange`, `zeros_like`, `new_zeros` and their relatives, as Python calls them.

The functions are those of ``torch``; names of methods take the tensor as their first argument and
become methods in ``_tensor.py``.
"""

import warnings
from math import isfinite

from minitorch.autograd.functions.arguments cimport is_number
from minitorch.autograd.functions.options cimport Options, no_sparse, plain_ints, plain_size
from minitorch.autograd.levels cimport wrapped
from minitorch.autograd.meta cimport is_meta
from minitorch.autograd.sparse_tensor cimport Sparse, is_sparse
from minitorch.autograd.special cimport interposers, is_special, needs_tensors
from minitorch.autograd.upward_calls cimport transform_calls
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.dtype cimport (
    Bool, Float64, Int64, NoType, UInt8, class_name, dtype_of, get_default_dtype, is_complex, is_floating,
    is_wide_unsigned, itemsizes)
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, TensorImpl, as_strided_impl, empty, numel, read_sizes, resize, sizes_tuple)
from minitorch.ops.common.copy cimport PRESERVE_FORMAT, copy_, fill_, zero_
from minitorch.ops.creation cimport factory
from minitorch.ops.shape.transposes cimport permute
from minitorch.ops.shape.views cimport view

from minitorch.autograd.interpose import create
from minitorch.autograd.operators import _operator
from minitorch.autograd.sparse_tensor import make_sparse
from minitorch.core.types import sparse_coo as _sparse_coo

cdef extern from "Python.h":
    Py_ssize_t PY_SSIZE_T_MAX

cdef str OPTIONS = ("ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
                    "bool? pin_memory=False, bool? requires_grad=False")
cdef str OUT = "Tensor out=None, " + OPTIONS
cdef str LIKE = "MemoryFormat? memory_format=None, " + OPTIONS


# ---- unusual calls, for which `create` may return the result; else these return None

cdef object created(str name, tuple args, dict kwargs):
    return create(name, args, kwargs) if interposers else None


cdef bint _is_first_special(tuple args) except -1:
    return len(args) > 0 and isinstance(args[0], TensorBase) and (<TensorBase>args[0]).impl.special is not None


cdef object created_like(str name, tuple args, dict kwargs):
    """Call `create` also if the first argument is a special tensor."""
    return create(name, args, kwargs) if interposers or _is_first_special(args) else None


cdef object _created_by(str name, TensorBase self, tuple args, dict kwargs):
    """Call `create` also if the tensor of a method is special."""
    return create(name, (self, *args), kwargs) if interposers or self.impl.special is not None else None


cdef object _created_of(str name, tuple args, dict kwargs):
    """Call `create` if any of the arguments needs that."""
    return create(name, args, kwargs) if needs_tensors(args) or needs_tensors(kwargs.values()) else None


# ---- memory as it was found

cdef bint _fills = False


def _fill_found_memory(bint mode):
    """Return whether memory as it was found is filled, so that a program does the same each time."""
    global _fills
    _fills = mode


cdef TensorImpl as_found(TensorImpl t):
    """Return an uninitialized result; if `_fills` is set, fill it with nan, the largest integer or True."""
    cdef object one = 1         # of Python: the largest int64 has no room in C's
    if not _fills:
        return t
    if is_floating(t.dtype) or is_complex(t.dtype):
        return fill_(t, float("nan"))
    if t.dtype == Bool:
        return fill_(t, True)
    signed = t.dtype != UInt8 and not is_wide_unsigned(t.dtype)
    return fill_(t, (one << (8 * itemsizes[t.dtype] - signed)) - 1)


# ---- sparse

cdef TensorBase _sparse_of_size(tuple size, object kind):
    """Return a sparse tensor without elements."""
    indices = zeros((len(size), 0), dtype=dtype_of(Int64))
    values = zeros((0,), dtype=kind).detach()
    like = zeros((), dtype=kind).expand(size)
    return make_sparse(like, Sparse(indices.detach(), values, True))


cdef bint _becomes_strided(TensorBase like, dict kwargs):
    """Return whether a call on a sparse tensor passes ``layout=torch.strided``."""
    return is_sparse(like.impl) and str(kwargs.get("layout")) == "torch.strided"


cdef TensorBase _sparse(Options o, str name, list signatures, tuple args, dict kwargs, int code):
    """Return the result of `zeros` and its relatives for ``layout=torch.sparse_coo``."""
    kwargs = {key: value for key, value in kwargs.items() if key != "layout"}
    size = o.bind(name, signatures, args, kwargs)["size"]
    cdef TensorBase result = _sparse_of_size(tuple(size), dtype_of(code if o.dtype == NoType else o.dtype))
    result._requires_grad = o.requires_grad
    return result


cdef bint _is_sparse(dict kwargs):
    return kwargs.get("layout") is _sparse_coo and kwargs.get("out") is None


cdef bint _stays_sparse(TensorBase like, dict kwargs):
    """Return whether `new_zeros` makes a sparse tensor: by ``layout=``, else by the layout of `like`."""
    if is_sparse(like.impl):
        return kwargs.get("layout") in (None, _sparse_coo)
    return _is_sparse(kwargs)


# ---- of a size

cdef list _ZEROS = [f"zeros(SymIntArrayRef size, *, {OUT})"]
cdef list _ONES = [f"ones(SymIntArrayRef size, *, {OUT})"]
cdef list _EMPTY = [f"empty(SymIntArrayRef size, *, MemoryFormat? memory_format=None, {OUT})"]
cdef list _FULL = [f"full(SymIntArrayRef size, Scalar fill_value, *, {OUT})"]


def zeros(*args, **kwargs):
    """zeros(*size, out=None, dtype=None, device=None, requires_grad=False): full of zeros."""
    if (outcome := created("zeros", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef tuple size = plain_size(args)
    if kwargs and _is_sparse(kwargs):
        return _sparse(o, "zeros", _ZEROS, args, kwargs, get_default_dtype())
    if size is None or not o.read(kwargs):
        size = o.bind("zeros", _ZEROS, args, kwargs)["size"]
    for n in size:
        if n < 0:
            raise RuntimeError("zeros: Dimension size must be non-negative.")
    return o.finish(zero_(o.target(size, get_default_dtype())))


def ones(*args, **kwargs):
    """ones(*size, out=None, dtype=None, device=None, requires_grad=False): full of ones."""
    if (outcome := created("ones", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef tuple size = plain_size(args)
    if kwargs and _is_sparse(kwargs):
        raise RuntimeError("full(...) is not implemented for sparse layout")
    if size is None or not o.read(kwargs):
        size = o.bind("ones", _ONES, args, kwargs)["size"]
    return o.finish(fill_(o.target(size, get_default_dtype()), 1))


def empty_(*args, **kwargs):
    """empty(*size, out=None, dtype=None, memory_format=None): memory as it was found."""
    if (outcome := created("empty", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef tuple size = plain_size(args)
    if kwargs and _is_sparse(kwargs):
        return _sparse(o, "empty", _EMPTY, args, kwargs, get_default_dtype())
    if size is None or not o.read(kwargs):
        size = o.bind("empty", _EMPTY, args, kwargs)["size"]
    return o.finish(as_found(o.target(size, get_default_dtype())))


def full(*args, **kwargs):
    """full(size, fill_value, out=None, dtype=None): of `fill_value`, whose dtype it has by default."""
    if (outcome := created("full", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef tuple size = plain_ints(args[0]) if len(args) == 2 else None
    if kwargs and _is_sparse(kwargs):
        raise RuntimeError("full(...) is not implemented for sparse layout")
    if size is not None and is_number(args[1]) and o.read(kwargs):
        value = args[1]
    else:
        given = o.bind("full", _FULL, args, kwargs)
        size, value = given["size"], given["fill_value"]
    return o.finish(fill_(o.target(size, factory.dtype_of_number(value)), value))


cdef list _EMPTY_STRIDED = [f"empty_strided(SymIntArrayRef size, SymIntArrayRef stride, *, {OPTIONS})"]
cdef list _EMPTY_PERMUTED = [
    f"empty_permuted(SymIntArrayRef size, IntArrayRef physical_layout, *, {OPTIONS})"]
cdef list _SCALAR_TENSOR = [f"scalar_tensor(Scalar s, *, {OPTIONS})"]


cdef TensorImpl _strided(tuple size, tuple stride, int code):
    """Memory for exactly these sizes and strides."""
    cdef Py_ssize_t[MAX_DIMS] n
    cdef Py_ssize_t[MAX_DIMS] s
    cdef Py_ssize_t count
    cdef object extent = 1               # Python's: it may be too large for the machine's
    cdef int dims = read_sizes(size, n), d
    if len(size) != len(stride):
        raise RuntimeError(f"dimensionality of sizes ({len(size)}) must match dimensionality of "
                           f"strides ({len(stride)})")
    read_sizes(stride, s)
    for d in range(dims):
        if n[d] < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n[d]}: {list(size)}")
        if s[d] < 0:
            raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)} and "
                               f"strides={list(stride)}")
        extent = 0 if n[d] == 0 or extent == 0 else extent + (size[d] - 1) * stride[d]
    if extent * itemsizes[code] > PY_SSIZE_T_MAX:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(size)} and "
                           f"strides={list(stride)}")
    count = extent
    return as_strided_impl(empty(1, &count, code), dims, n, s, 0)


def empty_strided(*args, **kwargs):
    """empty_strided(size, stride, dtype=None): memory as it was found, with these strides."""
    if (outcome := created("empty_strided", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    given = o.bind("empty_strided", _EMPTY_STRIDED, args, kwargs)
    return o.finish(as_found(_strided(given["size"], given["stride"],
                                      get_default_dtype() if o.dtype == NoType else o.dtype)))


def empty_permuted(*args, **kwargs):
    """empty_permuted(size, physical_layout, dtype=None): the dimensions in this order in memory."""
    if (outcome := created("empty_permuted", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    given = o.bind("empty_permuted", _EMPTY_PERMUTED, args, kwargs)
    cdef tuple size = given["size"], order = given["physical_layout"]
    if len(size) != len(order):
        raise RuntimeError("Number of dimensions in size does not match the length of the "
                           f"physical_layout; i.e. len(size) = {len(size)} is not equal to "
                           f"len(physical_layout) = {len(order)}")
    inverse = [0] * len(order)
    seen = set()
    for position, d in enumerate(order):
        if not 0 <= d < len(order):
            raise RuntimeError(f"Dimension out of range (expected to be between 0 and "
                               f"{len(order) - 1}, but got {d} at index {position}).  NB: negative "
                               "dims not currently supported; file an issue if you want it.")
        if d in seen:
            raise RuntimeError("Duplicate dim not allowed")
        seen.add(d)
        inverse[d] = position
    result = factory.new_empty(tuple([size[d] for d in order]),
                               get_default_dtype() if o.dtype == NoType else o.dtype)
    return o.finish(permute(as_found(result), tuple(inverse)))


def scalar_tensor(*args, **kwargs):
    """scalar_tensor(s, dtype=None): a tensor without dimensions, of the default dtype."""
    if (outcome := created("scalar_tensor", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    value = o.bind("scalar_tensor", _SCALAR_TENSOR, args, kwargs)["s"]
    return o.finish(fill_(o.target((), get_default_dtype()), value))


# ---- counting

cdef list _ARANGE = [f"arange(Scalar end, *, {OUT})", f"arange(Scalar start, Scalar end, *, {OPTIONS})",
                     f"arange(Scalar start, Scalar end, Scalar step=1, *, {OUT})"]
cdef list _RANGE = [
    "range(Scalar start, Scalar end, Scalar step=1, *, Tensor out=None, ScalarType dtype=None, "
    "Layout layout=torch.strided, Device device=None, bool requires_grad=False)"]
cdef list _LINSPACE = [f"linspace({a} start, {b} end, int64_t steps, *, {OUT})"
                       for a, b in (("Tensor", "Tensor"), ("Scalar", "Tensor"), ("Tensor", "Scalar"),
                                    ("Scalar", "Scalar"))]
cdef list _LOGSPACE = [text.replace("linspace", "logspace").replace("steps", "steps, double base=10.0")
                       for text in _LINSPACE]
cdef list _EYE = [f"eye(SymInt n, *, {OUT})", f"eye(SymInt n, SymInt m, *, {OUT})"]
cdef list _TRIL = [f"tril_indices(int64_t row, int64_t col, int64_t offset=0, *, {OPTIONS})"]
cdef list _TRIU = [f"triu_indices(int64_t row, int64_t col, int64_t offset=0, *, {OPTIONS})"]


cdef TensorBase _into_out(Options o, TensorImpl result):
    """A finished result, copied to `out` where there is one."""
    if o.out is not None:
        result = copy_(o.target(sizes_tuple(result), result.dtype), result)
    return o.finish(result)


cdef TensorBase _into_elements(Options o, TensorImpl result):
    """As many elements as `out` has go into its shape, whatever that is."""
    if o.out is not None and numel(result) == numel(o.out.impl):
        result = view(result, sizes_tuple(o.out.impl))
    return _into_out(o, result)


def arange(*args, **kwargs):
    """arange(start=0, end, step=1, out=None, dtype=None): from start to just before end."""
    if (outcome := created("arange", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef TensorImpl result
    cdef Py_ssize_t none = 0
    start, step = 0, 1
    if 0 < len(args) < 4 and all([is_number(a) for a in args]) and o.read(kwargs):
        if len(args) == 1:
            end = args[0]
        else:
            start, end = args[0], args[1]
            if len(args) == 3:
                step = args[2]
    else:
        given = o.bind("arange", _ARANGE, args, kwargs)
        start, end, step = given.get("start", 0), given["end"], given.get("step", 1)
    if o.out is None:
        return o.finish(factory.arange(start, end, step, o.dtype))
    result = factory.arange(start, end, step, o.out.impl.dtype)
    if numel(result) != numel(o.out.impl):
        if numel(o.out.impl):
            warnings.warn(
                f"The number of elements in the out tensor of shape {list(sizes_tuple(o.out.impl))} "
                f"is {numel(o.out.impl)} which does not match the computed number of elements "
                f"{numel(result)}. Note that this may occur as a result of rounding error. The out "
                f"tensor will be resized to a tensor of shape ({numel(result)},).", UserWarning,
                stacklevel=1)
        resize(o.out.impl, 1, &none)
    return _into_elements(o, result)


def range_(*args, **kwargs):
    """range(start=0, end, step=1): arange with the end included; deprecated."""
    cdef Options o = Options()
    given = o.bind("range", _RANGE, args, kwargs)
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is "
        "inconsistent with Python's range builtin. Instead, use torch.arange, which produces values "
        "in [start, end).", UserWarning, stacklevel=1)
    start, end, step = given["start"], given["end"], given["step"]
    if not (step < 0 or step > 0):
        raise RuntimeError("step must be nonzero")
    if not (isfinite(start) and isfinite(end)):
        raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (end < start and step > 0) or (end > start and step < 0):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    count = int((end - start) / step) + 1
    return _into_out(o, factory.arange(start, start + step * (count - 0.5), step,
                                       get_default_dtype() if o.dtype == NoType else o.dtype))


def each_sample(function, tuple arguments):
    """Call a function for each sample of the innermost batch among its arguments."""
    return transform_calls.for_each_sample(function, arguments)


cdef bint _are_batches(object start, object end):
    return (isinstance(start, TensorBase) and wrapped(<TensorBase>start) is not None
            or isinstance(end, TensorBase) and wrapped(<TensorBase>end) is not None)


cdef int _check_real(Options o, object start, object end, str name) except -1:
    if o.dtype == NoType or is_complex(o.dtype) or not (
            isinstance(start, complex) or isinstance(end, complex)):
        return 0
    kind = "double" if get_default_dtype() == Float64 else "float"
    raise RuntimeError(f"torch.{name}(): inferred dtype c10::complex<{kind}> can't be safely cast to "
                       f"passed dtype {class_name(o.dtype)}")


cdef object _endpoint(Options o, object value, dict given, str name):
    """Tensors without dimensions count as numbers; the result is on ``meta`` with them."""
    if not isinstance(value, TensorBase):
        return value
    if value.dim():
        dims = [given[n].dim() if isinstance(given[n], TensorBase) else 0 for n in ("start", "end")]
        if isinstance(given["start"], TensorBase) and isinstance(given["end"], TensorBase):
            raise RuntimeError(
                f"{name} only supports 0-dimensional start and end tensors, but got start with "
                f"{dims[0]} dimension(s) and end with {dims[1]} dimension(s).")
        which = "start" if value is given["start"] else "end"
        raise RuntimeError(f"{name} only supports 0-dimensional start and end tensors, but got "
                           f"{which} with {value.dim()} dimension(s).")
    if is_special(value) and is_meta(value):
        o.beside(value)
        return 0
    return value.item()


def linspace(*args, **kwargs):
    """linspace(start, end, steps, out=None, dtype=None): `steps` numbers, both ends included."""
    if (outcome := _created_of("linspace", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef dict given
    if len(args) == 3 and is_number(args[0]) and is_number(args[1]) and type(args[2]) is int and (
            o.read(kwargs)):
        given = {"start": args[0], "end": args[1], "steps": args[2]}
    else:
        given = o.bind("linspace", _LINSPACE, args, kwargs)
    if _are_batches(given["start"], given["end"]):
        kwargs = {k: v for k, v in kwargs.items() if k not in ("start", "end", "steps")}
        return transform_calls.for_each_sample(
            lambda a, b: linspace(a, b, given["steps"], **kwargs), (given["start"], given["end"]))
    start, end = _endpoint(o, given["start"], given, "linspace"), _endpoint(o, given["end"], given, "linspace")
    _check_real(o, start, end, "linspace")
    return _into_elements(o, factory.linspace(
        start, end, given["steps"], o.dtype if o.out is None else o.out.impl.dtype))


def logspace(*args, **kwargs):
    """logspace(start, end, steps, base=10.0, out=None, dtype=None): base to the power of linspace."""
    if (outcome := _created_of("logspace", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    given = o.bind("logspace", _LOGSPACE, args, kwargs)
    if _are_batches(given["start"], given["end"]):
        kwargs = {"base": given["base"], **{k: v for k, v in kwargs.items() if k not in ("start", "end", "steps")}}
        return transform_calls.for_each_sample(
            lambda a, b: logspace(a, b, given["steps"], **kwargs), (given["start"], given["end"]))
    start, end = _endpoint(o, given["start"], given, "logspace"), _endpoint(o, given["end"], given, "logspace")
    _check_real(o, start, end, "logspace")
    return _into_elements(o, factory.logspace(
        start, end, given["steps"], given["base"], o.dtype if o.out is None else o.out.impl.dtype))


def eye(*args, **kwargs):
    """eye(n, m=n, out=None, dtype=None): ones on the diagonal."""
    if (outcome := created("eye", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef dict given
    if 1 <= len(args) <= 2 and plain_ints(args) is not None and o.read(kwargs):
        given = {"n": args[0], "m": args[len(args) - 1]}
    else:
        given = o.bind("eye", _EYE, args, kwargs)
    return _into_out(o, factory.eye(given["n"], given.get("m", given["n"]),
                                    o.dtype if o.out is None else o.out.impl.dtype))


def tril_indices(*args, **kwargs):
    """tril_indices(row, col, offset=0): where a matrix's lower triangle is, as two rows."""
    if (outcome := created("tril_indices", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    if 2 <= len(args) <= 3 and plain_ints(args) is not None and o.read(kwargs):
        return o.finish(factory.tril_indices(args[0], args[1], args[2] if len(args) == 3 else 0, o.dtype))
    given = o.bind("tril_indices", _TRIL, args, kwargs)
    return o.finish(factory.tril_indices(given["row"], given["col"], given["offset"], o.dtype))


def triu_indices(*args, **kwargs):
    """triu_indices(row, col, offset=0): where a matrix's upper triangle is, as two rows."""
    if (outcome := created("triu_indices", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    if 2 <= len(args) <= 3 and plain_ints(args) is not None and o.read(kwargs):
        return o.finish(factory.triu_indices(args[0], args[1], args[2] if len(args) == 3 else 0, o.dtype))
    given = o.bind("triu_indices", _TRIU, args, kwargs)
    return o.finish(factory.triu_indices(given["row"], given["col"], given["offset"], o.dtype))


# ---- of the shape of another tensor

cdef TensorBase _as(object like, TensorBase result):
    """Return `result`; if `like` is a sample of a batch, return a batch of copies of it."""
    if (<TensorBase?>like).impl.special is None:
        return result
    return transform_calls.copies_like(like, result)


cdef TensorBase _as_like(TensorBase like, TensorBase result, Options o):
    """Return `_as(like, result)`, laid out in the memory format of the options."""
    if like.impl.special is None:
        return result
    return transform_calls.copies_like(like, result, PRESERVE_FORMAT if o.memory_format < 0 else o.memory_format)


cdef list _ZEROS_LIKE = [f"zeros_like(Tensor input, *, {LIKE})"]
cdef list _ONES_LIKE = [f"ones_like(Tensor input, *, {LIKE})"]
cdef list _EMPTY_LIKE = [f"empty_like(Tensor input, *, {LIKE})"]
cdef list _FULL_LIKE = [f"full_like(Tensor input, Scalar fill_value, *, {LIKE})"]


cdef TensorImpl _like(TensorBase self, Options o):
    o.beside(self)
    if o.meta:
        o.shape = factory.empty_like(self.impl, o.dtype, PRESERVE_FORMAT if o.memory_format < 0 else o.memory_format)
        return factory.new_empty((0,), o.shape.dtype)
    if is_sparse(self.impl):
        raise NotImplementedError("Could not run 'aten::fill_.Scalar' with arguments from the 'SparseCPU' backend.")
    return factory.empty_like(self.impl, o.dtype,
                              PRESERVE_FORMAT if o.memory_format < 0 else o.memory_format)


cdef TensorBase _like_argument(Options o, str name, list signatures, tuple args, dict kwargs):
    if len(args) == 1 and isinstance(args[0], TensorBase) and o.read(kwargs):
        return <TensorBase>args[0]
    return o.bind(name, signatures, args, kwargs)["input"]


def zeros_like(*args, **kwargs):
    """zeros_like(input, dtype=None, memory_format=preserve_format): zeros of its shape."""
    if (outcome := created_like("zeros_like", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    if kwargs and _is_sparse(kwargs) and len(args) == 1 and isinstance(args[0], TensorBase):
        return new_zeros(args[0], tuple(args[0].shape), **kwargs)
    cdef TensorBase input = _like_argument(o, "zeros_like", _ZEROS_LIKE, args, kwargs)
    if _becomes_strided(input, kwargs):
        return o.finish(zero_(o.target(tuple(input.shape), input.impl.dtype)))
    if is_sparse(input.impl):
        return o.finish((<TensorBase>_operator("zeros_like")(input, o.dtype, 1)).impl)
    return _as_like(input, o.finish(zero_(_like(input, o))), o)


def ones_like(*args, **kwargs):
    """ones_like(input, dtype=None, memory_format=preserve_format): ones of its shape."""
    if (outcome := created_like("ones_like", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef TensorBase input = _like_argument(o, "ones_like", _ONES_LIKE, args, kwargs)
    return _as_like(input, o.finish(fill_(_like(input, o), 1)), o)


def empty_like(*args, **kwargs):
    """empty_like(input, dtype=None, memory_format=preserve_format): memory as it was found."""
    if (outcome := created_like("empty_like", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef TensorBase input = _like_argument(o, "empty_like", _EMPTY_LIKE, args, kwargs)
    if _becomes_strided(input, kwargs):
        return o.finish(as_found(o.target(tuple(input.shape), input.impl.dtype)))
    if is_sparse(input.impl):
        return o.finish((<TensorBase>_operator("zeros_like")(input, o.dtype, 1)).impl)
    return _as_like(input, o.finish(as_found(_like(input, o))), o)


def full_like(*args, **kwargs):
    """full_like(input, fill_value, dtype=None, memory_format=preserve_format)."""
    if (outcome := created_like("full_like", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    if len(args) == 2 and isinstance(args[0], TensorBase) and is_number(args[1]) and o.read(kwargs):
        return _as_like(args[0], o.finish(fill_(_like(args[0], o), args[1])), o)
    given = o.bind("full_like", _FULL_LIKE, args, kwargs)
    return _as_like(given["input"], o.finish(fill_(_like(given["input"], o), given["fill_value"])), o)


# ---- methods: of the dtype of a tensor

cdef list _NEW_ZEROS = [f"new_zeros(SymIntArrayRef size, *, {OPTIONS})"]
cdef list _NEW_ONES = [f"new_ones(SymIntArrayRef size, *, {OPTIONS})"]
cdef list _NEW_EMPTY = [f"new_empty(SymIntArrayRef size, *, {OPTIONS})"]
cdef list _NEW_FULL = [f"new_full(SymIntArrayRef size, Scalar fill_value, *, {OPTIONS})"]
cdef list _NEW_EMPTY_STRIDED = [
    f"new_empty_strided(SymIntArrayRef size, SymIntArrayRef stride, *, {OPTIONS})"]


def new_zeros(TensorBase self, *args, **kwargs):
    """Zeros of this tensor's dtype."""
    if (outcome := _created_by("new_zeros", self, args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef tuple size = plain_size(args)
    if _stays_sparse(self, kwargs):
        return _sparse(o, "new_zeros", _NEW_ZEROS, args, kwargs, self.impl.dtype)
    if size is None or not o.read(kwargs):
        size = o.bind("new_zeros", _NEW_ZEROS, args, kwargs)["size"]
    o.beside(self)
    return _as(self, o.finish(zero_(o.target(size, self.impl.dtype))))


def new_ones(TensorBase self, *args, **kwargs):
    """Ones of this tensor's dtype."""
    if _stays_sparse(self, kwargs):
        raise no_sparse("new_ones")
    if (outcome := _created_by("new_ones", self, args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef tuple size = plain_size(args)
    if size is None or not o.read(kwargs):
        size = o.bind("new_ones", _NEW_ONES, args, kwargs)["size"]
    o.beside(self)
    return _as(self, o.finish(fill_(o.target(size, self.impl.dtype), 1)))


def new_empty(TensorBase self, *args, **kwargs):
    """Memory of this tensor's dtype as it was found."""
    if (outcome := _created_by("new_empty", self, args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef tuple size = plain_size(args)
    if _stays_sparse(self, kwargs):
        return _sparse(o, "new_empty", _NEW_EMPTY, args, kwargs, self.impl.dtype)
    if size is None or not o.read(kwargs):
        size = o.bind("new_empty", _NEW_EMPTY, args, kwargs)["size"]
    o.beside(self)
    return _as(self, o.finish(as_found(o.target(size, self.impl.dtype))))


def new_full(TensorBase self, *args, **kwargs):
    """A number everywhere, in this tensor's dtype."""
    if _stays_sparse(self, kwargs):
        raise no_sparse("new_full")
    if (outcome := _created_by("new_full", self, args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef dict given
    cdef tuple size = plain_ints(args[0]) if len(args) == 2 else None
    if size is not None and is_number(args[1]) and o.read(kwargs):
        given = {"size": size, "fill_value": args[1]}
    else:
        given = o.bind("new_full", _NEW_FULL, args, kwargs)
    o.beside(self)
    return _as(self, o.finish(fill_(o.target(given["size"], self.impl.dtype),
                                    given["fill_value"])))


def new_empty_strided(TensorBase self, *args, **kwargs):
    """Memory of this tensor's dtype with these strides."""
    if (outcome := _created_by("new_empty_strided", self, args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    given = o.bind("new_empty_strided", _NEW_EMPTY_STRIDED, args, kwargs)
    o.beside(self)
    return _as(self, o.finish(as_found(
        _strided(given["size"], given["stride"],
                 self.impl.dtype if o.dtype == NoType else o.dtype))))
