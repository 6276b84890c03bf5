# A running backward pass, and the queue of its ready nodes.

cimport cython
from cpython.object cimport PyObject

from minitorch.autograd.events cimport watching
from minitorch.autograd.node cimport Gradients, Node
from minitorch.core.address_table cimport AddressTable


cdef struct ReadyEntry:
    unsigned long priority              # the node's sequence number; an AccumulateGrad has the largest
    PyObject* node                      # owned reference


cdef class ReadyQueue:                  # a binary heap: the node with the largest sequence number first
    cdef ReadyEntry* entries
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity

    cdef int push(self, Node node) except -1
    cdef int insert(self, Node node) except -1      # `push` without its trace event
    cdef void rise(self, Py_ssize_t k, ReadyEntry entry) noexcept
    cdef Node pop(self)
    cdef void clear(self) noexcept


cdef class NodeState:                   # one task's scratch for a node that another live task has stamped
    cdef int dependencies
    cdef int needed
    cdef object in0
    cdef list ins


@cython.final
cdef class GraphTask:                   # the state of one call of run_backward
    cdef unsigned long number           # the stamp on nodes whose scratch fields this task uses
    cdef readonly bint keep_graph
    cdef bint recording                 # gradients are Tensors: create_graph, or Note [Who needs Tensors]
    cdef bint selective                 # run only nodes that lead to one of `inputs=`
    cdef Gradients gradients            # inputs and results of the node that is running
    cdef ReadyQueue ready
    cdef dict elsewhere                 # Node -> NodeState, for nodes that another live task has stamped
    cdef dict captures                  # Node -> list of (output number, index in `captured`)
    cdef set targets                    # the nodes that the gradients of `inputs=` arrive at
    cdef list captured                  # gradients of `inputs=`, as TensorImpl or Tensor
    cdef list callbacks                 # added by `queue_callback`
    cdef Node current                   # the node that is running
    cdef list roots                     # the nodes where the backward starts
    cdef set executed                   # the nodes that this task runs, once `_will_engine_execute_node` needs it
    cdef GraphTask outer                # the enclosing backward on the same thread, or None

    cdef int needed(self, Node node) except -1
    cdef int set_needed(self, Node node, int needed) except -1
    cdef int count_dependency_elsewhere(self, Node node) except -1
    cdef int add_to_gradients(self, Node node, unsigned int nr, object gradient) except -1
    cdef list buffer_of(self, Node node)                        # the input buffer of a node with more outputs
    cdef int dependency_done_elsewhere(self, Node node) except -1
    cdef int take_all_gradients(self, Node node) except -1

    # The loop calls these for every node. The fast path is a node with this task's stamp and one output.

    cdef inline int count_dependency(self, Node node) except -1:
        """Count one more edge into the node, and return the count."""
        if node.task == self.number:
            node.dependencies += 1
            return node.dependencies
        if node.task != 0 or self.elsewhere is not None:
            return self.count_dependency_elsewhere(node)
        self.begin(node)        # it has no stamp, so its buffers are empty
        return 1

    cdef inline int begin(self, Node node) except -1:            # stamp the node, and count the first edge into it
        node.task = self.number
        node.dependencies = 1
        node.needed = 0
        return 0

    cdef inline int add_gradient(self, Node node, unsigned int nr, object gradient) except -1:
        if node.task == self.number and node.num_outputs == 1 and node.in0 is None and not watching:
            node.in0 = gradient
            return 0
        return self.add_to_gradients(node, nr, gradient)

    cdef inline int dependency_done(self, Node node) except -1:
        """Count one edge into the node as followed; after the last one, push the node to the ready queue."""
        if node.task != self.number:
            return self.dependency_done_elsewhere(node)
        node.dependencies -= 1
        if node.dependencies == 0:
            self.ready.push(node)
        return 0

    cdef inline int take_gradients(self, Node node) except -1:
        """Move the gradients in the node's input buffer to `self.gradients`."""
        if node.task == self.number and node.num_outputs == 1:
            self.gradients.in0 = node.in0
            node.in0 = None
            return 0
        return self.take_all_gradients(node)


cdef AddressTable live_tasks             # number -> GraphTask
