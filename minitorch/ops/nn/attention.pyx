"""Scaled dot-product attention as one operator.

The batches are processed one after the other: one product gives the scores of all heads, a kernel turns their
rows into weights, and another product gives the output. The weights are not saved: the backward pass recomputes
them from the scores and the logarithms of their row sums. float16 and bfloat16 are computed in float32; as in
PyTorch, the exponentials are rounded to the dtype but their sums are not.

Note [Heads]
The product of heads takes matrices of any strides. So nothing is copied when the heads of a query are interleaved
in memory, as they are after a linear layer.
"""

from libc.math cimport INFINITY, sqrt

from minitorch.core.dtype cimport Float32, NoType, class_name, has_float_kernels, is_reduced_floating, itemsizes
from minitorch.core.tensor_impl cimport (
    TensorImpl, data, empty, empty_like, ndim, numel, same_sizes, sizes, strides, wrap_number)
from minitorch.kernels.linalg cimport blas
from minitorch.kernels.linalg.matrix cimport BLAS_NO_MEMORY, BLAS_OK, Matrix, matrix, transposed
from minitorch.kernels.nn.attention cimport Scores, exponentials, scores_gradient, weights_again
from minitorch.ops.common.copy cimport cast, copy_, zero_
from minitorch.ops.elementwise.division cimport div
from minitorch.ops.elementwise.compare cimport eq
from minitorch.ops.indexing.masked cimport masked_fill
from minitorch.ops.nn.softmax cimport _softmax
from minitorch.ops.reduction.reduction cimport all as all_of
from minitorch.ops.shape.transposes cimport transpose
from minitorch.ops.shape.views cimport expand

cdef enum:
    RELEASE_GIL = 20000                 # multiplications or scores from which a kernel runs without the GIL


# ---- rows

cdef TensorImpl safe_softmax(TensorImpl self, Py_ssize_t dim, int dtype=NoType):
    cdef TensorImpl scores = self if dtype == NoType or dtype == self.dtype else cast(self, dtype)
    cdef TensorImpl nothing = all_of(eq(scores, wrap_number(-INFINITY)), (dim,), True)
    return masked_fill(_softmax(scores, dim), nothing, wrap_number(0))


# ---- heads

cdef struct Heads:
    char* data
    Py_ssize_t count
    Py_ssize_t stride                   # distance between two heads, in elements
    Matrix matrix                       # the first head


cdef Heads _heads(TensorImpl t, Py_ssize_t batch):
    """Return the heads of one batch of a tensor (B, H, rows, columns)."""
    cdef Heads h
    cdef Py_ssize_t* n = sizes(t)
    cdef Py_ssize_t* s = strides(t)
    h.data = data(t) + batch * s[0] * itemsizes[t.dtype]
    h.count = n[1]
    h.stride = s[1]
    h.matrix = matrix(h.data, n[2], n[3], s[2], s[3])
    return h


cdef Heads _transposed(Heads h):
    h.matrix = transposed(&h.matrix)
    return h


cdef inline Matrix _head(const Heads* h, Py_ssize_t of, Py_ssize_t heads, int dtype) noexcept nogil:
    cdef Matrix m = h.matrix
    m.data = h.data + of * h.count // heads * h.stride * itemsizes[dtype]
    return m


cdef int _each_head(int dtype, const Heads* a, const Heads* b, const Heads* c, Py_ssize_t heads) noexcept nogil:
    """Compute c = a @ b head by head.

    Operands with fewer heads share each head among several heads of the others. If `c` has fewer heads, the
    products that belong to one of its heads are summed.
    """
    cdef double one = 1
    cdef Py_ssize_t h
    cdef int status
    cdef Matrix x, y, z
    if a.count == b.count == c.count:
        return blas.bmm(dtype, heads, NULL, &a.matrix, a.stride, &b.matrix, b.stride, NULL, &c.matrix, c.stride)
    for h in range(heads):
        x, y, z = _head(a, h, heads, dtype), _head(b, h, heads, dtype), _head(c, h, heads, dtype)
        status = blas.gemm(dtype, &one, &x, &y, &one if h % (heads // c.count) else NULL, &z)
        if status != BLAS_OK:
            return status
    return BLAS_OK


cdef int _product(int dtype, Heads a, Heads b, Heads c) except -1:
    cdef Py_ssize_t heads = max(a.count, b.count, c.count)
    cdef int status
    if <double>heads * a.matrix.rows * a.matrix.cols * b.matrix.cols >= RELEASE_GIL:
        with nogil:
            status = _each_head(dtype, &a, &b, &c, heads)
    else:
        status = _each_head(dtype, &a, &b, &c, heads)
    if status == BLAS_NO_MEMORY:
        raise MemoryError("no scratch memory for attention")
    if status != BLAS_OK:
        raise RuntimeError("the sizes are too large for a product of matrices")
    return 0


# ---- arguments

cdef str _NAME = "scaled_dot_product_attention_flash_attention"


cdef int _check(TensorImpl query, TensorImpl key, TensorImpl value, double dropout_p, TensorImpl mask) except -1:
    cdef int dtype = query.dtype
    cdef Py_ssize_t* q = sizes(query)
    cdef Py_ssize_t* k = sizes(key)
    cdef Py_ssize_t* v = sizes(value)
    if not has_float_kernels(dtype):
        raise RuntimeError(f"{_NAME}: Expected data type in FP32, FP64, BF16, FP16, but got {class_name(dtype)} "
                           "instead.")
    if not ndim(query) == ndim(key) == ndim(value) == 4:
        raise RuntimeError(f"{_NAME}: Accept only 4 dims inputs shape of {{B, H, T, K}}")
    if dropout_p != 0:
        raise RuntimeError(f"{_NAME}: Currently do not support dropout > 0")
    if not q[3] == k[3] == v[3]:
        raise RuntimeError(f"{_NAME}: Q/K/V should have the same head size")
    for t in (key, value):
        if (<TensorImpl>t).dtype != dtype:
            raise RuntimeError(f"expected scalar type {class_name(dtype)} but found "
                               f"{class_name((<TensorImpl>t).dtype)}")
    if not q[0] == k[0] == v[0] or k[1] != v[1] or k[2] != v[2] or k[1] == 0 or q[1] % k[1]:
        raise RuntimeError(f"{_NAME}: the batches, heads and lengths of query, key and value do not fit")
    return 0 if mask is None else _check_mask(query, key, mask)


cdef int _check_mask(TensorImpl query, TensorImpl key, TensorImpl mask) except -1:
    cdef int dims = ndim(mask), d
    cdef Py_ssize_t[4] whole
    if mask.dtype != query.dtype and not (mask.dtype == Float32 and is_reduced_floating(query.dtype)):
        raise RuntimeError(f"{_NAME}: Attention mask is the same data type as query")
    if dims != 2 and dims != 4:
        raise RuntimeError(f"{_NAME}: Attention mask dim in {{2, 4}}")
    whole[0], whole[1], whole[2], whole[3] = sizes(query)[0], sizes(query)[1], sizes(query)[2], sizes(key)[2]
    for d in range(dims):
        if sizes(mask)[d] != 1 and sizes(mask)[d] != whole[4 - dims + d]:
            raise RuntimeError(f"{_NAME}: the mask does not fit the scores")
    return 0


cdef int _check_results(TensorImpl query, TensorImpl grad_out, TensorImpl logsumexp) except -1:
    cdef Py_ssize_t* n = sizes(logsumexp)
    if not same_sizes(grad_out.geometry, query.geometry) or not has_float_kernels(grad_out.dtype):
        raise RuntimeError(f"{_NAME}: the gradient is not that of the output")
    if logsumexp.dtype != _computed_in(query.dtype) or ndim(logsumexp) != 3 or not (
            n[0] == sizes(query)[0] and n[1] == sizes(query)[1] and n[2] == sizes(query)[2]):
        raise RuntimeError(f"{_NAME}: the logarithms of sums are not those of the query")
    return 0


cdef inline int _computed_in(int dtype) noexcept:
    return Float32 if is_reduced_floating(dtype) else dtype


cdef double _scale(TensorImpl query, scale) except? -1:
    if scale is not None:
        return scale
    return 1 / sqrt(<double>sizes(query)[3]) if sizes(query)[3] else 1


cdef TensorImpl _whole_mask(TensorImpl mask, TensorImpl scores, TensorImpl query, int dtype):
    """Return the mask in `dtype`, expanded to each batch and head."""
    if mask is None:
        return None
    return expand(cast(mask, dtype), (sizes(query)[0], sizes(query)[1], sizes(scores)[2], sizes(scores)[3]))


cdef Scores _scores(TensorImpl scores, TensorImpl mask, TensorImpl lse, Py_ssize_t batch, double scale, bint causal):
    cdef Scores s
    s.dtype = scores.dtype
    s.data = data(scores)
    s.heads, s.rows, s.n = sizes(scores)[1], sizes(scores)[2], sizes(scores)[3]
    s.scale = scale
    s.causal = causal
    s.mask.data = NULL
    if mask is not None:
        s.mask.data = data(mask) + batch * strides(mask)[0] * itemsizes[mask.dtype]
        s.mask.head_stride, s.mask.row_stride, s.mask.col_stride = strides(mask)[1], strides(mask)[2], strides(mask)[3]
    s.lse = data(lse) + batch * strides(lse)[0] * itemsizes[lse.dtype]
    s.lse_head_stride, s.lse_row_stride = strides(lse)[1], strides(lse)[2]
    return s


cdef TensorImpl _new(Py_ssize_t a, Py_ssize_t b, Py_ssize_t c, Py_ssize_t d, int dtype):
    cdef Py_ssize_t[4] n
    n[0], n[1], n[2], n[3] = a, b, c, d
    return empty(4, n, dtype)


ctypedef void (*Kernel)(Scores* s) noexcept nogil


cdef int _run(Kernel kernel, Scores* s) except -1:
    if s.heads * s.rows * s.n >= RELEASE_GIL:
        with nogil:
            kernel(s)
    else:
        kernel(s)
    return 0


# ---- forward and backward

cdef tuple flash_attention(TensorImpl query, TensorImpl key, TensorImpl value, double dropout_p, bint is_causal,
                           TensorImpl attn_mask, object scale):
    _check(query, key, value, dropout_p, attn_mask)
    cdef int dtype = _computed_in(query.dtype)
    cdef Py_ssize_t* n = sizes(query)
    cdef TensorImpl q = cast(query, dtype), k = cast(key, dtype), v = cast(value, dtype)
    cdef TensorImpl out = empty_like(query, dtype)
    cdef TensorImpl scores = _new(1, n[1], n[2], sizes(key)[2], dtype)
    cdef TensorImpl lse = _empty_lse(query, dtype), mask = _whole_mask(attn_mask, scores, query, dtype)
    cdef TensorImpl sums = _new(n[0], n[1], n[2], 1, dtype)
    cdef Scores s
    cdef Py_ssize_t b
    if sizes(key)[2] == 0 or numel(out) == 0:
        return cast(zero_(out), query.dtype), zero_(lse)
    for b in range(n[0]):
        _product(dtype, _heads(q, b), _transposed(_heads(k, b)), _heads(scores, 0))
        s = _scores(scores, mask, lse, b, _scale(query, scale), is_causal)
        s.sums = data(sums) + b * n[1] * n[2] * itemsizes[dtype]
        _run(exponentials, &s)
        if dtype != query.dtype:
            copy_(scores, cast(scores, query.dtype))
        _product(dtype, _heads(scores, 0), _heads(v, b), _heads(out, b))
    div(out, sums, None, out)
    return cast(out, query.dtype), lse


cdef TensorImpl _empty_lse(TensorImpl query, int dtype):
    """Return an empty (B, H, L) tensor in which the heads of one row are adjacent in memory."""
    cdef Py_ssize_t[3] n
    n[0], n[1], n[2] = sizes(query)[0], sizes(query)[2], sizes(query)[1]
    return transpose(empty(3, n, dtype), 1, 2)


cdef tuple flash_attention_backward(TensorImpl grad_out, TensorImpl query, TensorImpl key, TensorImpl value,
                                    TensorImpl out, TensorImpl logsumexp, double dropout_p, bint is_causal,
                                    TensorImpl attn_mask, object scale):
    _check(query, key, value, dropout_p, attn_mask)
    _check_results(query, grad_out, logsumexp)
    cdef int dtype = _computed_in(query.dtype)
    cdef Py_ssize_t* n = sizes(query)
    cdef TensorImpl q = cast(query, dtype), k = cast(key, dtype), v = cast(value, dtype), g = cast(grad_out, dtype)
    cdef TensorImpl grad_q = _empty_heads(query, dtype), grad_k = _empty_heads(key, dtype)
    cdef TensorImpl grad_v = _empty_heads(value, dtype)
    cdef TensorImpl scores = _new(1, n[1], n[2], sizes(key)[2], dtype)
    cdef TensorImpl grad_scores = empty_like(scores, dtype), mask = _whole_mask(attn_mask, scores, query, dtype)
    cdef Scores s
    cdef Py_ssize_t b
    if numel(scores) == 0 or numel(query) == 0:
        return tuple([cast(zero_(t), query.dtype) for t in (grad_q, grad_k, grad_v)])
    for b in range(n[0]):
        _product(dtype, _heads(q, b), _transposed(_heads(k, b)), _heads(scores, 0))
        _product(dtype, _heads(g, b), _transposed(_heads(v, b)), _heads(grad_scores, 0))
        s = _scores(scores, mask, logsumexp, b, _scale(query, scale), is_causal)
        s.grad = data(grad_scores)
        _run(weights_again, &s)
        _product(dtype, _transposed(_heads(scores, 0)), _heads(g, b), _heads(grad_v, b))
        _run(scores_gradient, &s)
        _product(dtype, _heads(grad_scores, 0), _heads(k, b), _heads(grad_q, b))
        _product(dtype, _transposed(_heads(grad_scores, 0)), _heads(q, b), _heads(grad_k, b))
    return cast(grad_q, query.dtype), cast(grad_k, query.dtype), cast(grad_v, query.dtype)


cdef TensorImpl _empty_heads(TensorImpl t, int dtype):
    """Return an empty tensor with the shape of `t` in which the heads of one row are adjacent in memory."""
    cdef Py_ssize_t* n = sizes(t)
    return transpose(_new(n[0], n[2], n[1], n[3], dtype), 1, 2)
