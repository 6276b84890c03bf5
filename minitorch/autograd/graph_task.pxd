# A backward pass under way, and the queue of its ready nodes.

from cpython.object cimport PyObject

from minitorch.autograd.node cimport Gradients, Node


cdef struct ReadyEntry:
    unsigned long priority              # sequence number; AccumulateGrad's is the largest of all
    PyObject* node                      # owned reference


cdef class ReadyQueue:                  # a binary heap: the newest node first
    cdef ReadyEntry* entries
    cdef Py_ssize_t size
    cdef Py_ssize_t capacity

    cdef int push(self, Node node) except -1
    cdef Node pop(self)
    cdef void clear(self) noexcept


cdef class NodeState:                   # scratch of a node that another live task holds
    cdef int dependencies
    cdef int needed
    cdef object in0
    cdef list ins


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

    cdef bint holds(self, Node node) except -1
    cdef int needed(self, Node node) except -1
    cdef int set_needed(self, Node node, int needed) except -1
    cdef int claim(self, Node node) except -1
    cdef int count_dependency(self, Node node) except -1
    cdef int add_gradient(self, Node node, unsigned int nr, object gradient) except -1
    cdef object arrived(self, Node node, unsigned int nr)
    cdef int dependency_done(self, Node node) except -1
    cdef int take_gradients(self, Node node) except -1


cdef set live_tasks                      # their numbers
