"""Random numbers: the order in which memory is filled; the kernels draw the numbers.

Invariant: one call gives the numbers that PyTorch gives for a tensor of the same shape and strides. A tensor
without gaps is filled as one run of memory, any other row by row in the order of PyTorch's iterator.
"""

from libc.stdint cimport int64_t, uint64_t

from minitorch.core.dtype cimport (
    Float32, Float64, Int64, class_name, is_complex, is_floating, itemsizes, promote_types)
from minitorch.core.generator cimport Generator, get_generator_or_default
from minitorch.core.iterator cimport TensorIterator, infer_shape
from minitorch.core.overlap cimport assert_no_internal_overlap
from minitorch.core cimport iterator
from minitorch.core.tensor_impl cimport (
    MAX_DIMS, SizesAndStrides, TensorImpl, data, empty_tuple,
    is_contiguous, is_dense, ndim, numel, sizes, sizes_tuple, wrap_number)
from minitorch.kernels.elementwise.gamma_gradient cimport standard_gamma_grad
from minitorch.kernels.random cimport distributions, integers as random_integers, sampling
from minitorch.kernels.random cimport multinomial as multinomial_kernel
from minitorch.kernels.random cimport normal as normal_kernel
from minitorch.kernels.random cimport uniform as uniform_kernel
from minitorch.ops.common.copy cimport cast, contiguous, copy_
from minitorch.ops.common.output cimport resize_output
from minitorch.ops.elementwise.binary cimport add, mul
from minitorch.ops.shape.views cimport expand


cdef struct Parameters:
    double a
    double b
    uint64_t size
    int64_t base

# Fill one run of n elements, `step` bytes apart; p and q are the runs of tensors of parameters
ctypedef int (*Fill)(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                     Parameters* parameters) except -1 nogil
ctypedef int (*Draw)(Generator generator, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                     int p_dtype, const char* p, Py_ssize_t p_step, const char* q,
                     Py_ssize_t q_step) except -1 nogil


# ---- walking

cdef int _bind(TensorIterator* it, TensorImpl self, TensorImpl p, TensorImpl q) except -1:
    """Bind the operands p, q and self, all of self's shape."""
    cdef SizesAndStrides* geometry[2]
    cdef char* pointers[3]
    cdef Py_ssize_t[3] widths
    geometry[0] = p.geometry
    geometry[1] = q.geometry
    pointers[0] = data(p)
    pointers[1] = data(q)
    pointers[2] = data(self)
    widths[0] = itemsizes[p.dtype]
    widths[1] = itemsizes[q.dtype]
    widths[2] = itemsizes[self.dtype]
    infer_shape(it, 2, geometry)
    iterator.bind(it, self.geometry, pointers, widths)
    return 0


cdef bint _advance(TensorIterator* it, Py_ssize_t* counter) noexcept nogil:
    """Move the pointers to the next row and return whether there is one."""
    cdef int d, operand
    for d in range(1, it.ndim):
        counter[d] += 1
        for operand in range(3):
            it.data[operand] += it.strides[operand][d]
        if counter[d] < it.sizes[d]:
            return True
        for operand in range(3):
            it.data[operand] -= it.strides[operand][d] * it.sizes[d]
        counter[d] = 0
    return False


cdef TensorImpl _fill(TensorImpl self, object generator, Fill fill, Parameters* parameters):
    cdef Generator g = get_generator_or_default(generator)
    cdef TensorIterator it
    cdef Py_ssize_t[MAX_DIMS] counter
    cdef char* p = data(self)
    cdef Py_ssize_t n = numel(self), step = itemsizes[self.dtype]
    cdef int dtype = self.dtype, d
    assert_no_internal_overlap(self)
    if is_dense(self) or is_contiguous(self) or n == 0:
        if n < 1000:
            fill(g, dtype, p, n, step, parameters)
        else:
            with nogil:
                fill(g, dtype, p, n, step, parameters)
        return self
    _bind(&it, self, self, self)
    for d in range(MAX_DIMS):
        counter[d] = 0
    while True:
        fill(g, dtype, it.data[2], it.sizes[0], it.strides[2][0], parameters)
        if not _advance(&it, counter):
            return self


cdef TensorImpl _draw(TensorImpl self, object generator, Draw draw, TensorImpl p, TensorImpl q):
    """Fill self, drawing each element with the parameters p and q at its position, all of self's shape."""
    cdef Generator g = get_generator_or_default(generator)
    cdef TensorIterator it
    cdef Py_ssize_t[MAX_DIMS] counter
    cdef int d
    assert_no_internal_overlap(self)
    if numel(self) == 0:
        draw(g, self.dtype, data(self), 0, 0, p.dtype, data(p), 0, data(q), 0)
        return self
    _bind(&it, self, p, q)
    for d in range(MAX_DIMS):
        counter[d] = 0
    while True:
        draw(g, self.dtype, it.data[2], it.sizes[0], it.strides[2][0], p.dtype, it.data[0],
             it.strides[0][0], it.data[1], it.strides[1][0])
        if not _advance(&it, counter):
            return self


# ---- the kernels, all with the same arguments

cdef int _uniform(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                  Parameters* p) except -1 nogil:
    return uniform_kernel.uniform_(g, dtype, out, n, step, p.a, p.b)


cdef int _normal(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                 Parameters* p) except -1 nogil:
    return normal_kernel.normal_serial(g, dtype, out, n, step, p.a, p.b)


cdef int _normal_block(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                       Parameters* p) except -1 nogil:
    return normal_kernel.normal_(g, dtype, out, n, p.a, p.b)


cdef int _log_normal(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                     Parameters* p) except -1 nogil:
    return normal_kernel.log_normal_(g, dtype, out, n, step, p.a, p.b)


cdef int _exponential(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                      Parameters* p) except -1 nogil:
    return distributions.exponential_(g, dtype, out, n, step, p.a)


cdef int _geometric(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                    Parameters* p) except -1 nogil:
    return distributions.geometric_(g, dtype, out, n, step, p.a)


cdef int _cauchy(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                 Parameters* p) except -1 nogil:
    return distributions.cauchy_(g, dtype, out, n, step, p.a, p.b)


cdef int _bernoulli(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                    Parameters* p) except -1 nogil:
    return distributions.bernoulli_scalar(g, dtype, out, n, step, p.a)


cdef int _random(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                 Parameters* p) except -1 nogil:
    return random_integers.random_(g, dtype, out, n, step)


cdef int _random_from_to(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                         Parameters* p) except -1 nogil:
    return random_integers.random_from_to(g, dtype, out, n, step, p.size, p.base)


cdef int _random_full(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                      Parameters* p) except -1 nogil:
    return random_integers.random_full_64_bits_range(g, dtype, out, n, step)


cdef int _bernoulli_tensor(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step,
                           int p_dtype, const char* p, Py_ssize_t p_step, const char* q,
                           Py_ssize_t q_step) except -1 nogil:
    return distributions.bernoulli_tensor(g, dtype, out, n, step, p_dtype, p, p_step)


cdef int _poisson(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step, int p_dtype,
                  const char* p, Py_ssize_t p_step, const char* q,
                  Py_ssize_t q_step) except -1 nogil:
    return sampling.poisson(g, dtype, out, n, step, p, p_step)


cdef int _gamma(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step, int p_dtype,
                const char* p, Py_ssize_t p_step, const char* q, Py_ssize_t q_step) except -1 nogil:
    return sampling.standard_gamma(g, dtype, out, n, step, p, p_step)


cdef int _binomial(Generator g, int dtype, char* out, Py_ssize_t n, Py_ssize_t step, int p_dtype,
                   const char* p, Py_ssize_t p_step, const char* q,
                   Py_ssize_t q_step) except -1 nogil:
    return sampling.binomial(g, dtype, out, n, step, p, p_step, q, q_step)


# ---- in place

cdef TensorImpl uniform_(TensorImpl self, double from_, double to, object generator):
    cdef Parameters p
    p.a, p.b = from_, to
    return _fill(self, generator, _uniform, &p)


cdef TensorImpl normal_(TensorImpl self, double mean, double std, object generator):
    cdef Parameters p
    p.a, p.b = mean, std
    return _fill(self, generator, _normal_block if is_contiguous(self) else _normal, &p)


cdef TensorImpl log_normal_(TensorImpl self, double mean, double std, object generator):
    cdef Parameters p
    p.a, p.b = mean, std
    return _fill(self, generator, _log_normal, &p)


cdef TensorImpl exponential_(TensorImpl self, double lambd, object generator):
    cdef Parameters p
    p.a = lambd
    return _fill(self, generator, _exponential, &p)


cdef TensorImpl geometric_(TensorImpl self, double p, object generator):
    cdef Parameters parameters
    parameters.a = p
    return _fill(self, generator, _geometric, &parameters)


cdef TensorImpl cauchy_(TensorImpl self, double median, double sigma, object generator):
    cdef Parameters p
    p.a, p.b = median, sigma
    return _fill(self, generator, _cauchy, &p)


cdef TensorImpl bernoulli_scalar_(TensorImpl self, double p, object generator):
    cdef Parameters parameters
    parameters.a = p
    return _fill(self, generator, _bernoulli, &parameters)


cdef TensorImpl bernoulli_tensor_(TensorImpl self, TensorImpl p, object generator):
    if numel(self) == 0:
        return self
    p = expand(p, sizes_tuple(self))
    return _draw(self, generator, _bernoulli_tensor, p, p)


cdef TensorImpl random_(TensorImpl self, object generator):
    cdef Parameters p
    return _fill(self, generator, _random, &p)


cdef TensorImpl random_from_to_(TensorImpl self, object from_, object to, object generator):
    cdef Parameters p
    if random_integers.random_range(self.dtype, from_, to is not None, 0 if to is None else to,
                                    &p.size, &p.base):
        return _fill(self, generator, _random_full, &p)
    return _fill(self, generator, _random_from_to, &p)


cdef TensorImpl random_to_(TensorImpl self, object to, object generator):
    return random_from_to_(self, 0, to, generator)


cdef TensorImpl randperm_(TensorImpl self, object generator):
    random_integers.randperm(get_generator_or_default(generator), self.dtype, data(self),
                             numel(self))
    return self


# ---- new tensors

cdef TensorImpl bernoulli(TensorImpl self, object generator=None):
    return bernoulli_tensor_(empty_geometry_like(self), self, generator)


cdef TensorImpl empty_geometry_like(TensorImpl self):
    """Return an empty row-major tensor with the sizes of self."""
    return empty_tuple(sizes_tuple(self), self.dtype)


cdef TensorImpl bernoulli_p(TensorImpl self, double p, object generator=None):
    return bernoulli_scalar_(empty_geometry_like(self), p, generator)


cdef int _check_std(TensorImpl std) except -1:
    cdef Py_ssize_t i
    cdef double* values
    cdef TensorImpl wide
    if is_complex(std.dtype):
        raise RuntimeError("normal expects standard deviation to be non-complex")
    wide = copy_(empty_tuple(sizes_tuple(std), Float64), std)
    values = <double*>data(wide)
    for i in range(numel(wide)):
        if values[i] < 0:
            raise RuntimeError("normal expects all elements of std >= 0.0")
    return 0


cdef TensorImpl _shift(TensorImpl numbers, TensorImpl mean, TensorImpl std):
    """Compute numbers * std + mean, in place."""
    mul(numbers, std, numbers)
    return add(numbers, mean, 1, numbers)


cdef TensorImpl normal_tensor_tensor(TensorImpl mean, TensorImpl std, object generator=None):
    cdef TensorImpl result
    cdef TensorIterator it
    cdef SizesAndStrides* inputs[2]
    _check_std(std)
    inputs[0] = mean.geometry
    inputs[1] = std.geometry
    infer_shape(&it, 2, inputs)
    result = empty_tuple(tuple([it.shape[d] for d in range(it.shape_ndim)]),
                         promote_types(mean.dtype, std.dtype) if is_complex(mean.dtype)
                         else mean.dtype)
    return _shift(normal_(result, 0, 1, generator), mean, std)


cdef TensorImpl normal_tensor_float(TensorImpl mean, double std=1, object generator=None):
    cdef TensorImpl result = empty_tuple(sizes_tuple(mean), mean.dtype)
    normal_(result, 0, std, generator)
    return add(result, mean, 1, result)


cdef TensorImpl normal_float_tensor(double mean, TensorImpl std, object generator=None):
    cdef TensorImpl result
    _check_std(std)
    result = normal_(empty_tuple(sizes_tuple(std), std.dtype), 0, 1, generator)
    mul(result, std, result)
    return add(result, wrap_number(mean), 1, result)


cdef TensorImpl multinomial(TensorImpl self, object num_samples, bint replacement=False,
                            object generator=None):
    cdef TensorImpl p, result
    cdef Py_ssize_t rows, categories, samples = num_samples
    cdef int d = ndim(self)
    if not 0 < d <= 2:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not is_floating(self.dtype):
        raise RuntimeError("multinomial only supports floating-point dtypes for input, got: "
                           + class_name(self.dtype))
    if samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    categories = sizes(self)[d - 1]
    rows = sizes(self)[0] if d == 2 else 1
    if not replacement and samples > categories:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if categories > 1 << 24:
        raise RuntimeError("number of categories cannot exceed 2^24")
    if categories == 0 and rows:
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    p = contiguous(self)
    if d == 2:
        result = empty_tuple((rows, samples), Int64)
    else:
        result = empty_tuple((samples,), Int64)
    multinomial_kernel.multinomial(get_generator_or_default(generator), p.dtype, data(p), rows,
                                   categories, <int64_t*>data(result), samples, replacement)
    return result


cdef TensorImpl poisson(TensorImpl self, object generator=None):
    return _draw(empty_geometry_like(self), generator, _poisson, self, self)


cdef TensorImpl _standard_gamma(TensorImpl self, object generator=None):
    return _draw(empty_geometry_like(self), generator, _gamma, self, self)


cdef TensorImpl _standard_gamma_grad(TensorImpl self, TensorImpl output):
    cdef TensorIterator it
    cdef SizesAndStrides* inputs[2]
    cdef TensorImpl result, a, x
    cdef tuple shape
    inputs[0] = self.geometry
    inputs[1] = output.geometry
    infer_shape(&it, 2, inputs)
    if self.dtype != output.dtype:
        raise RuntimeError(f"Found dtype {class_name(output.dtype)} but expected "
                           f"{class_name(self.dtype)}")
    if self.dtype != Float32 and self.dtype != Float64:
        raise NotImplementedError("\"_standard_gamma_grad_cpu\" not implemented for "
                                  f"'{class_name(self.dtype)}'")
    shape = tuple([it.shape[d] for d in range(it.shape_ndim)])
    # PyTorch writes to a tensor of self's shape, and warns if that is not the broadcast shape
    resize_output(empty_tuple(sizes_tuple(self), self.dtype), it.shape_ndim, it.shape)
    result = empty_tuple(shape, Float64)
    a = contiguous(cast(expand(self, shape), Float64))
    x = contiguous(cast(expand(output, shape), Float64))
    standard_gamma_grad(<double*>data(a), <double*>data(x), <double*>data(result), numel(result))
    return cast(result, self.dtype)


cdef TensorImpl binomial(TensorImpl count, TensorImpl prob, object generator=None):
    cdef TensorIterator it
    cdef SizesAndStrides* inputs[2]
    cdef tuple shape
    cdef TensorImpl result
    for name, t in (("count", count), ("prob", prob)):
        if not is_floating((<TensorImpl>t).dtype):
            raise ValueError(f"binomial only supports floating-point dtypes for {name}, got: "
                             f"{class_name((<TensorImpl>t).dtype)}")
    inputs[0] = count.geometry
    inputs[1] = prob.geometry
    infer_shape(&it, 2, inputs)
    shape = tuple([it.shape[d] for d in range(it.shape_ndim)])
    if count.dtype != prob.dtype:
        raise RuntimeError(f"Found dtype {class_name(prob.dtype)} but expected "
                           f"{class_name(count.dtype)}")
    # PyTorch draws into a tensor of count's shape, and warns if that is not the broadcast shape
    result = empty_tuple(sizes_tuple(count), count.dtype)
    resize_output(result, it.shape_ndim, it.shape)
    return _draw(result, generator, _binomial, expand(count, shape),
                 expand(prob, shape))
