"""`rand`, `randn`, `randint` and the other functions that make tensors of random numbers."""

from libc.string cimport memcpy

from minitorch.autograd.functions.creation cimport created, created_like
from minitorch.autograd.functions.options cimport Options, no_sparse, plain_ints, plain_size
from minitorch.autograd.functions.generated.recorded cimport (
    r_normal_float_tensor, r_normal_tensor_float, r_normal_tensor_tensor)
from minitorch.autograd.levels cimport Level, wrap
from minitorch.autograd.sparse_tensor cimport is_sparse
from minitorch.autograd.special cimport interposers
from minitorch.autograd.upward_calls cimport transform_calls
from minitorch.autograd.variable cimport TensorBase
from minitorch.core.dtype cimport (
    Float16, Float32, Float64, Int16, Int32, Int64, Int8, NoType, UInt8, get_default_dtype, itemsizes)
from minitorch.core.tensor_impl cimport TensorImpl, data, sizes_tuple
from minitorch.ops.common.copy cimport PRESERVE_FORMAT
from minitorch.ops.creation cimport factory
from minitorch.ops.random cimport random as ops

from minitorch.autograd.functions.outputs import compute_out
from minitorch.autograd.levels import current_levels, is_hidden
from minitorch.autograd.interpose import create

cdef str OPTIONS = ("ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
                    "bool? pin_memory=False, bool? requires_grad=False")


cdef list _with_and_without_generator(list heads, str extra):
    """Return PyTorch's two overloads of each head: with and without a generator."""
    return [f"{head}, *, {generator}{extra}, {OPTIONS})"
            for head in heads for generator in ("Generator? generator, ", "")]


cdef str OUT = "Tensor out=None"
cdef str FORMAT = "MemoryFormat? memory_format=None"
cdef list _RAND = _with_and_without_generator(["rand(SymIntArrayRef size"], OUT)
cdef list _RANDN = _with_and_without_generator(["randn(SymIntArrayRef size"], OUT)
cdef list _RANDINT = _with_and_without_generator(
    ["randint(SymInt high, SymIntArrayRef size", "randint(SymInt low, SymInt high, SymIntArrayRef size"],
    OUT)
cdef list _RANDPERM = _with_and_without_generator(["randperm(SymInt n"], OUT)
cdef list _RAND_LIKE = _with_and_without_generator(["rand_like(Tensor input"], FORMAT)
cdef list _RANDN_LIKE = _with_and_without_generator(["randn_like(Tensor input"], FORMAT)
cdef list _RANDINT_LIKE = _with_and_without_generator(
    ["randint_like(Tensor input, SymInt low, SymInt high", "randint_like(Tensor input, Tensor high",
     "randint_like(Tensor input, SymInt high"], FORMAT)


# ---- inside vmap

cdef list _levels(Options o):
    if not interposers:
        return []
    return transform_calls.levels_that_differ(o.out is not None)


cdef tuple _for_samples(list levels, tuple size):
    """Return the size of the numbers of all samples."""
    return tuple([(<Level>level).batch_size for level in levels]) + size if levels else size


cdef TensorBase _finished(Options o, TensorImpl drawn, list levels):
    """Return the numbers as a tensor of the levels that this thread is in, apart from vmaps with equal numbers."""
    cdef TensorBase result = o.finish(drawn)
    if not interposers or o.out is not None:
        return result
    result._requires_grad = False
    for level in current_levels():
        if level in levels:
            result = wrap(result, <Level>level, 0)
        elif (<Level>level).kind != "vmap" and not is_hidden(level):
            result = wrap(result, <Level>level, -1)
    result._requires_grad = o.requires_grad
    return result


def rand(*args, **kwargs):
    """rand(*size, generator=None, out=None, dtype=None): uniform numbers, 0 <= x < 1."""
    if (outcome := created("rand", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef tuple size = plain_size(args)
    if size is None or not o.read(kwargs):
        size = o.bind("rand", _RAND, args, kwargs)["size"]
    cdef list levels = _levels(o)
    size = _for_samples(levels, size)
    return _finished(o, ops.uniform_(o.target(size, get_default_dtype()), 0, 1, o.generator), levels)


def randn(*args, **kwargs):
    """randn(*size, generator=None, out=None, dtype=None): normal numbers of mean 0 and deviation 1."""
    if (outcome := created("randn", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef tuple size = plain_size(args)
    if size is None or not o.read(kwargs):
        size = o.bind("randn", _RANDN, args, kwargs)["size"]
    cdef list levels = _levels(o)
    size = _for_samples(levels, size)
    return _finished(o, ops.normal_(o.target(size, get_default_dtype()), 0, 1, o.generator), levels)


def randint(*args, **kwargs):
    """randint(low=0, high, size, generator=None, out=None, dtype=int64): low <= x < high."""
    if (outcome := created("randint", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    cdef tuple size = plain_ints(args[len(args) - 1]) if 2 <= len(args) <= 3 else None
    low = 0
    if size is not None and plain_ints(args[:len(args) - 1]) is not None and o.read(kwargs):
        high = args[len(args) - 2]
        if len(args) == 3:
            low = args[0]
    else:
        given = o.bind("randint", _RANDINT, args, kwargs)
        low, high, size = given.get("low", 0), given["high"], given["size"]
    cdef list levels = _levels(o)
    size = _for_samples(levels, size)
    return _finished(o, ops.random_from_to_(o.target(size, Int64), low, high, o.generator), levels)


# indexed by ScalarType: the largest n whose numbers 0 to n - 1 the type tells apart
cdef dict _LARGEST = {UInt8: 255, Int8: 127, Int16: 32767, Int32: 2**31 - 1, Float16: 2049,
                      Float32: 2**24 + 1, Float64: 2**53 + 1}
cdef dict _LIMITS = {Float16: "2049 for Half", Float32: "2^24+1 for Float",
                     Float64: "2^53+1 for Double"}
cdef dict _NAMES = {UInt8: "uint8_t", Int8: "int8_t", Int16: "int16_t", Int32: "int"}


def randperm(*args, **kwargs):
    """randperm(n, generator=None, out=None, dtype=int64): 0 to n - 1 in random order."""
    if (outcome := created("randperm", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    if len(args) == 1 and type(args[0]) is int and o.read(kwargs):
        n = args[0]
    else:
        n = o.bind("randperm", _RANDPERM, args, kwargs)["n"]
    if n < 0 and o.out is not None:
        raise RuntimeError(f"n must be non-negative, got{n}")
    code = Int64 if o.dtype == NoType else o.dtype
    if o.out is not None:
        code = o.out.impl.dtype
    if code in _LARGEST and n > _LARGEST[code]:
        if code in _NAMES:
            raise RuntimeError(f"value cannot be converted to type {_NAMES[code]} without overflow")
        raise RuntimeError(f"n cannot be greater than {_LIMITS[code]} type.")
    cdef list levels = _levels(o)
    if not levels:
        return o.finish(ops.randperm_(o.target((n,), Int64), o.generator))
    return _permutations(o, n, levels)


cdef TensorBase _permutations(Options o, Py_ssize_t n, list levels):
    """Draw a permutation per sample; the index of the outermost batch changes fastest."""
    cdef tuple size = _for_samples(levels, (n,))
    cdef TensorImpl every = o.target(size, Int64), one
    cdef Py_ssize_t count = 1, k, rest, place
    for part in size[:len(size) - 1]:
        count *= part
    for k in range(count):
        one = ops.randperm_(o.target((n,), Int64), o.generator)
        rest, place = k, 0
        for part in size[:len(size) - 1]:
            place = place * part + rest % part
            rest //= part
        memcpy(data(every) + place * n * itemsizes[one.dtype], data(one), n * itemsizes[one.dtype])
    return _finished(o, every, levels)


# ---- of the shape of another tensor

cdef TensorImpl _like(Options o, TensorBase self, list levels, str drawn):
    if is_sparse(self.impl):
        raise no_sparse(drawn)
    o.beside(self)
    if o.meta:
        o.shape = factory.empty_like(self.impl, o.dtype, PRESERVE_FORMAT if o.memory_format < 0 else o.memory_format)
        return factory.new_empty((0,), o.shape.dtype)
    if levels:
        every = transform_calls.every_sample(self, levels)
        if every is None:
            return o.target(_for_samples(levels, sizes_tuple(self.impl)), self.impl.dtype)
        self = every
    return factory.empty_like(self.impl, o.dtype,
                              PRESERVE_FORMAT if o.memory_format < 0 else o.memory_format)


def rand_like(*args, **kwargs):
    """rand_like(input, dtype=None, generator=None): uniform numbers of its shape."""
    if (outcome := created_like("rand_like", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    if len(args) == 1 and isinstance(args[0], TensorBase) and o.read(kwargs):
        self = args[0]
    else:
        self = o.bind("rand_like", _RAND_LIKE, args, kwargs)["input"]
    cdef list levels = _levels(o)
    return _finished(o, ops.uniform_(_like(o, self, levels, "rand"), 0, 1, o.generator), levels)


def randn_like(*args, **kwargs):
    """randn_like(input, dtype=None, generator=None): normal numbers of its shape."""
    if (outcome := created_like("randn_like", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    if len(args) == 1 and isinstance(args[0], TensorBase) and o.read(kwargs):
        self = args[0]
    else:
        self = o.bind("randn_like", _RANDN_LIKE, args, kwargs)["input"]
    cdef list levels = _levels(o)
    return _finished(o, ops.normal_(_like(o, self, levels, "randn"), 0, 1, o.generator), levels)


def randint_like(*args, **kwargs):
    """randint_like(input, low=0, high, dtype=None, generator=None): integers in its dtype."""
    if (outcome := created_like("randint_like", args, kwargs)) is not None:
        return outcome
    cdef Options o = Options()
    given = o.bind("randint_like", _RANDINT_LIKE, args, kwargs)
    high = given["high"]
    if isinstance(high, TensorBase):
        if (<TensorBase>high).dim() != 0:
            raise RuntimeError("high must be a scalar tensor and on CPU")
        high = int(high.item())
    cdef list levels = _levels(o)
    return _finished(o, ops.random_from_to_(_like(o, given["input"], levels, "randint"),
                                            given.get("low", 0), high, o.generator), levels)


# ---- normal

cdef list _NORMAL = [
    "normal(Tensor mean, Tensor std, *, Generator? generator=None, Tensor out=None)",
    "normal(Tensor mean, double std=1, *, Generator? generator=None, Tensor out=None)",
    "normal(double mean, Tensor std, *, Generator? generator=None, Tensor out=None)",
    "normal(double mean, double std, SymIntArrayRef size, *, Generator? generator=None, "
    f"Tensor out=None, {OPTIONS})"]


cdef tuple _plain_normal(Options o, tuple args, dict kwargs):
    """Return the size if the call is two numbers, a size and plain options, else None."""
    size = args[2] if len(args) == 3 else kwargs.get("size") if len(args) == 2 else None
    if size is None or not _is_number(args[0]) or not _is_number(args[1]):
        return None
    if len(args) == 2:
        kwargs = {key: value for key, value in kwargs.items() if key != "size"}
    return plain_ints(size) if o.read(kwargs) else None


cdef bint _is_number(object value):
    return type(value) is float or type(value) is int


cdef object _normal_of_size(Options o, double mean, double std, tuple size, dict kwargs):
    levels = _levels(o)
    if interposers and not levels:
        options = {key: value for key, value in kwargs.items() if key not in ("mean", "std", "size")}
        outcome = create("normal", (mean, std, size), options)
        if outcome is not None:
            return outcome
    size = _for_samples(levels, size)
    return _finished(o, ops.normal_(o.target(size, get_default_dtype()), mean, std, o.generator), levels)


def normal(*args, **kwargs):
    """normal(mean, std, size=None, generator=None, out=None): numbers or tensors of parameters."""
    cdef Options o = Options()
    cdef tuple size = _plain_normal(o, args, kwargs)
    if size is not None:
        return _normal_of_size(o, float(args[0]), float(args[1]), size, kwargs)
    if len(args) == 2 and not kwargs and isinstance(args[0], TensorBase) and _is_number(args[1]):
        return r_normal_tensor_float(<TensorBase>args[0], float(args[1]), None)
    given = o.bind("normal", _NORMAL, args, kwargs)
    mean, std = given["mean"], given["std"]
    if "size" in given:
        return _normal_of_size(o, mean, std, tuple(given["size"]), kwargs)
    if o.out is not None:
        others = {key: value for key, value in kwargs.items() if key != "out"}
        return compute_out("normal", normal, args, others, o.out)
    if isinstance(mean, TensorBase) and isinstance(std, TensorBase):
        return r_normal_tensor_tensor(<TensorBase>mean, <TensorBase>std, o.generator)
    if isinstance(mean, TensorBase):
        return r_normal_tensor_float(<TensorBase>mean, std, o.generator)
    return r_normal_float_tensor(mean, <TensorBase>std, o.generator)
