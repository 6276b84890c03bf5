# Nodes for operators that are composed of other operators; see Note [Gathered nodes].

from minitorch.autograd.node cimport Gradients, Node


cdef class Gathered(Node):
    cdef list roots                      # (node inside, its output) for each output of this one
    cdef list ends                       # the nodes of the aliases, or None: one for each edge
    cdef list order                      # the nodes inside, by falling sequence number; None until first needed
    cdef dict shown                      # name -> value, _Kept, or a list of these

    cdef list inside(self)
    cdef object seen(self, value)


cdef class Computed(Gathered):
    cdef object gradients                # the function that computes gradients; None once the node is released
    cdef object composed                 # computes the same results by other operators
    cdef list inputs                     # _Kept or None
    cdef list outputs                    # _Kept
    cdef object workspace                # whatever `gradients` needs besides

    cdef int gather(self) except -1


# Whether all are ordinary tensors without tangents, or None
cdef bint plain(object tensors) except -1

# Give new `results` without history a Computed node for the gradients of `tensors`.
# ``gradients(node, g, inputs, outputs)`` fills in `g` from impls; ``composed(*tensors)`` computes the results again by
# operators that are recorded, for second derivatives.
cdef int computed_node(str name, gradients, composed, tuple tensors, list results, workspace, dict shown) except -1
