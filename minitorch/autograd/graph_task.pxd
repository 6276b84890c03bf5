# A backward pass under way, and the queue of its ready nodes.

cimport cython
from cpython.object cimport PyObject

from minitorch.autograd.events cimport tracing
from minitorch.autograd.node cimport Gradients, Node
from minitorch.core.address_table cimport AddressTable


cdef struct ReadyEntry:
    unsigned long priority              # sequence number; AccumulateGrad's is the largest of all
    PyObject* node                      # owned reference


cdef class ReadyQueue:                  # a binary heap: the newest node first
    cdef ReadyEntry* entries
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity

    cdef int push(self, Node node) except -1
    cdef int insert(self, Node node) except -1      # push, of which no trace is kept
    cdef void rise(self, Py_ssize_t k, ReadyEntry entry) noexcept
    cdef Node pop(self)
    cdef void clear(self) noexcept


cdef class NodeState:                   # scratch of a node that another live task holds
    cdef int dependencies
    cdef int needed
    cdef object in0
    cdef list ins


@cython.final
cdef class GraphTask:                   # one call of run_backward
    cdef unsigned long number           # stamps the nodes whose scratch this task uses
    cdef readonly bint keep_graph
    cdef bint recording                 # create_graph
    cdef bint selective                 # only what leads to `inputs=` is run
    cdef Gradients gradients            # in and out of the node that is running
    cdef ReadyQueue ready
    cdef dict elsewhere                 # Node -> NodeState, for nodes of another live task
    cdef dict captures                  # Node -> list of (output number, index of the result)
    cdef set targets                    # the nodes that `inputs=` names
    cdef list captured                  # gradients for `inputs=`, as TensorImpl or Tensor
    cdef list callbacks                 # queue_callback's
    cdef Node current                   # the node that is running
    cdef list roots                     # the nodes where it starts
    cdef set executed                   # all that will have run, once somebody has asked
    cdef GraphTask outer                # the task this one was started from, on the same thread

    cdef int needed(self, Node node) except -1
    cdef int set_needed(self, Node node, int needed) except -1
    cdef bint count_dependency_elsewhere(self, Node node) except -1
    cdef int add_to_gradients(self, Node node, unsigned int nr, object gradient) except -1
    cdef object arrived(self, Node node, unsigned int nr)
    cdef int dependency_done_elsewhere(self, Node node) except -1
    cdef int take_all_gradients(self, Node node) except -1

    # What the loop does at every node, short where the node carries this task's stamp and has one output:

    cdef inline bint count_dependency(self, Node node) except -1:
        """One more edge leads into the node; whether it is the first."""
        if node.task == self.number:
            node.dependencies += 1
            return False
        if node.task != 0 or self.elsewhere is not None:
            return self.count_dependency_elsewhere(node)
        self.begin(node)        # nobody's, so its buffers are empty
        return True

    cdef inline int begin(self, Node node) except -1:
        node.task = self.number
        node.dependencies = 1
        node.needed = 0
        return 0

    cdef inline int add_gradient(self, Node node, unsigned int nr, object gradient) except -1:
        if node.task == self.number and node.num_outputs == 1 and node.in0 is None and not tracing:
            node.in0 = gradient
            return 0
        return self.add_to_gradients(node, nr, gradient)

    cdef inline int dependency_done(self, Node node) except -1:
        """One edge into the node has been followed; after the last it is ready."""
        if node.task != self.number:
            return self.dependency_done_elsewhere(node)
        node.dependencies -= 1
        if node.dependencies == 0:
            self.ready.push(node)
        return 0

    cdef inline int take_gradients(self, Node node) except -1:
        """Move the node's input buffer to the task's `gradients`, and let go of its scratch."""
        if node.task == self.number and node.num_outputs == 1:
            self.gradients.in0 = node.in0
            node.in0 = None
            return 0
        return self.take_all_gradients(node)


cdef AddressTable live_tasks             # by their numbers
