"""Sparse tensors: coordinates of elements, and their values; everything else is zero.

A sparse tensor's impl has a `Sparse` for its `special` (Note [Interposition] in
``autograd/interpose.pyx``), so that operators are recorded for it as for any tensor and computed by the
rules of this package.

- ``coo``: making them and taking them apart, without a history
- ``rules``, ``dimensions``, ``products``: what operators compute where a tensor is sparse
- ``functions``: what is recorded and no row of ``derivatives.toml``
- ``softmax``, ``resizing``: what their names say
- ``methods``: the methods of `Tensor` that are about sparse tensors
- ``gradients``: operators whose gradients can be sparse
- ``constructor``: ``torch.sparse_coo_tensor``
- ``types``: ``torch.sparse.FloatTensor`` and its like

The counterpart is ``aten/src/ATen/native/sparse/``.
"""
