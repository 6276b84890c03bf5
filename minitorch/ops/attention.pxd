# Attention of heads, (B, H, L, E) queries over (B, G, S, E) keys and values, as one operator: each of the G heads
# of keys and values is for H / G heads of the query. `attn_mask`, None or (L, S) or (B, H, L, S) with sizes that
# may be 1, is added to the scores. No dropout.

from minitorch.core.tensor_impl cimport TensorImpl

# softmax, but zeros where a slice has nothing but minus infinity
cdef TensorImpl safe_softmax(TensorImpl self, Py_ssize_t dim, int dtype=*)

# (output, logsumexp); the latter is (B, H, L), of the dtype that is computed in
cdef tuple flash_attention(TensorImpl query, TensorImpl key, TensorImpl value, double dropout_p, bint is_causal,
                           TensorImpl attn_mask, object scale)
# (grad_query, grad_key, grad_value)
cdef tuple flash_attention_backward(TensorImpl grad_out, TensorImpl query, TensorImpl key, TensorImpl value,
                                    TensorImpl out, TensorImpl logsumexp, double dropout_p, bint is_causal,
                                    TensorImpl attn_mask, object scale)
