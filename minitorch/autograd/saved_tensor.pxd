# Packing by hooks: a hook replaces a saved tensor by any object.

from minitorch.autograd.node cimport Node
from minitorch.autograd.saved_variable cimport PackedTensor
from minitorch.autograd.variable cimport TensorBase

cdef enum:
    IN_LIST = -1000                    # in the tables, IN_LIST - n: the saved tensors are the list in `arg<n>`


cdef class SavedTensor:                # `node._raw_saved_self`
    cdef Node node                     # None if made by SavedTensor.__new__, which is of no use
    cdef int slot                      # for an item of a list: its index
    cdef int edge

    cdef int check_node(self) except -1
    cdef PackedTensor packed(self)     # None if no hook has packed the tensor

# saved_tensors_hooks: pack the saved tensors of `node`; called again after the node has saved its results
cdef int pack_saved(Node node) except -1
cdef int pack_slot(Node node, int slot, int edge, tuple hooks) except -1
cdef PackedTensor pack(TensorBase t, tuple hooks)
