"""Sparse COO tensors: indices and values of the elements that are not zero.

The `special` field of a sparse tensor's impl is a `Sparse` (Note [Interposition] in
``autograd/interpose.pyx``). Operators are recorded as for any tensor, and computed by the rules of
this package.

- ``coo``: construction and access to the parts, not recorded
- ``rules``, ``dimensions``, ``products``: operators on sparse tensors
- ``functions``: recorded functions without a row in ``derivatives/``
- ``softmax``: softmax and log_softmax
- ``resizing``: resizing in place, and sparse matrices from diagonals
- ``methods``: the methods of `Tensor` for sparse tensors
- ``gradients``: operators with sparse gradients
- ``constructor``: ``torch.sparse_coo_tensor``
- ``legacy``, ``types``: ``torch.sparse.FloatTensor`` and the other old constructors

The counterpart is ``aten/src/ATen/native/sparse/``.
"""
