# Nodes for operators that are composed of several; see Note [Gathered nodes].

from minitorch.autograd.node cimport Gradients, Node


cdef class Gathered(Node):
    cdef list roots                      # (node inside, its output) for each output of this one
    cdef list ends                       # the nodes of the aliases, or None: one for each edge
    cdef list order                      # the nodes inside, by falling sequence number; None until they are asked for
    cdef dict shown                      # name -> value, _Kept, or a list of these

    cdef list inside(self)
    cdef object seen(self, value)


cdef class Computed(Gathered):
    cdef object gradients                # a kernel's; None once the node is released
    cdef object composed                 # the same results by other operators
    cdef list inputs                     # _Kept or None
    cdef list outputs                    # _Kept
    cdef object workspace                # whatever `gradients` needs besides

    cdef int gather(self) except -1


# Whether all are ordinary tensors without tangents; None counts as one
cdef bint plain(object tensors) except -1

# Give `results`, just computed without a history, a Computed node for the gradients of `tensors`.
# ``gradients(node, g, inputs, outputs)`` fills in g from impls; ``composed(*tensors)`` computes the results once
# more, of operators that record, for second derivatives.
cdef int computed_node(str name, gradients, composed, tuple tensors, list results, workspace, dict shown) except -1
