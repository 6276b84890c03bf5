# Scaled dot-product attention as one operator: (B, H, L, E) queries over (B, G, S, E) keys and values. Each of
# the G heads of keys and values serves H / G heads of the query. `attn_mask` is None or has the shape (L, S) or
# (B, H, L, S), where sizes may be 1; it is added to the scores. There is no dropout.

from minitorch.core.tensor_impl cimport TensorImpl

# softmax, with zeros in slices whose elements are all -inf
cdef TensorImpl safe_softmax(TensorImpl self, Py_ssize_t dim, int dtype=*)

# (output, logsumexp); logsumexp is (B, H, L), in the dtype of the computation
cdef tuple flash_attention(TensorImpl query, TensorImpl key, TensorImpl value, double dropout_p, bint is_causal,
                           TensorImpl attn_mask, object scale)
# (grad_query, grad_key, grad_value)
cdef tuple flash_attention_backward(TensorImpl grad_out, TensorImpl query, TensorImpl key, TensorImpl value,
                                    TensorImpl out, TensorImpl logsumexp, double dropout_p, bint is_causal,
                                    TensorImpl attn_mask, object scale)
