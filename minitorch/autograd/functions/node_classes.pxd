# Completing the generated classes of nodes.

from minitorch.autograd.wide_node cimport WideNode

cdef enum Kind:                          # what a node saves, and how an attribute shows it
    TENSOR
    HIDDEN                               # a tensor without an attribute
    TENSORS                              # a list of tensors
    UNSIGNED                             # integers
    SIZES                                # sizes; () for a tensor that is not there
    VALUE                                # anything else

# `saved` has for each value a tuple (name, Kind, slot), with the edge for a tensor
cdef int register_node(type cls, type base, tuple saved, bint view) except -1
cdef int set_node(str name, str form, type cls, tuple twins=*) except -1      # of an operator
