# A node of the graph: the backward side of one recorded call.
#
# The base class has the fields that most nodes need, so that nearly all generated classes have its size and
# share its free list. See Note [The collector must not see the graph grow] in node.pyx.

cimport cython

from minitorch.core.special cimport device_kind_of
from minitorch.core.tensor_impl cimport SizesAndStrides, TensorImpl

cdef enum:
    TOP_PRIORITY = -1                   # the largest unsigned number: a ready AccumulateGrad runs first

cdef struct OutputMetadata:             # the form that a gradient for one output must have
    SizesAndStrides* geometry           # owned reference; only its sizes matter
    signed char dtype
    signed char device_kind


@cython.final
cdef class Gradients:
    """The inputs and results of one `apply`: TensorImpls, or Tensors when recording."""
    cdef object in0                     # gradient of output 0; None if none arrived
    cdef list ins                       # all gradients, for a node with more than one output
    cdef object out0                    # gradients for edges 0, 1 and 2; None if not wanted
    cdef object out1
    cdef object out2
    cdef list outs                      # gradients for edges 3 and up
    cdef bint recording                 # the objects are Tensors: see `GraphTask.recording`
    cdef bint selective                 # only nodes that lead to `inputs=` are wanted
    cdef unsigned long task             # number of the GraphTask
    cdef dict elsewhere                 # wanted nodes that another live task has stamped, or None

    cdef int set_further(self, Py_ssize_t k, object gradient) except -1
    cdef bint wants(self, Node function) except -1    # under `inputs=`: whether the node leads to one of them

    cdef inline object get(self, Py_ssize_t k):
        if k == 0:
            return self.out0
        if k == 1:
            return self.out1
        if k == 2:
            return self.out2
        return None if self.outs is None or k - 3 >= len(self.outs) else self.outs[k - 3]

    cdef inline int set(self, Py_ssize_t k, object gradient) except -1:
        if k == 0:
            self.out0 = gradient
        elif k == 1:
            self.out1 = gradient
        elif k == 2:
            self.out2 = gradient
        else:
            self.set_further(k, gradient)
        return 0

    cdef inline int clear(self) except -1:
        # a test is cheaper than assigning None over None, which updates the reference count of None
        self.in0 = None
        if self.ins is not None:
            self.ins = None
        if self.out0 is not None:
            self.out0 = None
        if self.out1 is not None:
            self.out1 = None
        if self.out2 is not None:
            self.out2 = None
        if self.outs is not None:
            self.outs = None
        return 0


cdef class Edge:                        # the first three edges of a node are fields of its own
    cdef Node function
    cdef unsigned int input_nr


cdef class NodeHooks:                   # made with the node's first hook
    cdef list tensor_pre_hooks          # (output number, callable on one gradient), in order
    cdef dict retains_grad_hooks        # output number -> weak reference to the tensor
    cdef object pre_hooks               # OrderedDict id -> f(grad_outputs) -> None or tuple
    cdef object post_hooks              # OrderedDict id -> f(grad_inputs, grad_outputs)


cdef class Node:
    # -- the graph
    cdef Node edge0                     # next functions; None: no gradient is wanted
    cdef Node edge1
    cdef Node edge2
    cdef list more_edges                # Edge or None, from the fourth edge on
    cdef unsigned int nr0               # which output of its function the edge points at
    cdef unsigned int nr1
    cdef unsigned int nr2
    cdef unsigned int num_edges
    cdef unsigned long sequence_nr      # larger for nodes that were recorded later
    cdef unsigned int num_outputs
    cdef OutputMetadata metadata0
    cdef OutputMetadata* more_metadata  # from output 1 on
    # -- what the formulas need; the generator gives Python names to them (saved0 may be `_saved_self`)
    cdef TensorImpl saved0
    cdef TensorImpl saved1
    cdef TensorImpl saved2
    cdef unsigned int version0          # the versions of saved0, saved1 and saved2 when they were saved
    cdef unsigned int version1
    cdef unsigned int version2
    cdef object arg0                    # sizes, numbers, dimensions, and lists of saved tensors
    cdef object arg1
    cdef object arg2
    cdef bint released                  # the saved tensors were freed after a backward
    cdef bint special                   # its gradients may not be ordinary tensors: Note [Who needs Tensors]
    # -- rarely used
    cdef list packed                    # by slot: the PackedTensor that replaces a saved tensor, or None
    cdef list tangents                  # forward mode: pairs (saved TensorImpl, its Tangent)
    cdef NodeHooks hooks
    cdef object _metadata               # node.metadata: a dict, or None
    # -- scratch of a GraphTask: Note [Scratch in the node]
    cdef unsigned long task             # the stamp: the number of that GraphTask, 0 for none
    cdef int dependencies               # edges into this node that have not been followed yet
    cdef int needed                     # under `inputs=`: 1 if the node leads to one of them, 2 if not, 0 unknown
    cdef object in0                     # the input buffer of a node with one output
    cdef list ins                       # the input buffer of a node with more outputs

    cdef int apply(self, Gradients g) except -1             # the formula: from g's inputs to its results
    cdef int release_variables(self) except -1              # free the saved tensors
    cdef TensorImpl get_saved(self, int slot, unsigned int* version)
    cdef int put_saved(self, int slot, TensorImpl saved, unsigned int version) except -1
    cdef object saved_original(self, int slot)              # the saved Tensor itself if the node holds it, or None
    cdef int set_edge(self, unsigned int k, Node function, unsigned int input_nr) except -1
    cdef int add_output(self, TensorImpl output) except -1  # remember its sizes, dtype and device; in order
    cdef NodeHooks require_hooks(self)
    cdef bint is_user_function(self) noexcept               # the backward of a `Function` that a program defines

    @cython.final
    cdef inline Node next_function(self, unsigned int k, unsigned int* input_nr):
        if k == 0:
            input_nr[0] = self.nr0
            return self.edge0
        if k == 1:
            input_nr[0] = self.nr1
            return self.edge1
        if k == 2:
            input_nr[0] = self.nr2
            return self.edge2
        cdef Edge edge = <Edge>self.more_edges[k - 3]
        if edge is None:
            return None
        input_nr[0] = edge.input_nr
        return edge.function

cdef inline int add_first_output(Node self, TensorImpl output) noexcept:
    """Do what `add_output` does, for the only output of a new node."""
    output.geometry.refcount += 1
    self.metadata0.geometry = output.geometry
    self.metadata0.dtype = output.dtype
    self.metadata0.device_kind = device_kind_of(output)
    self.num_outputs = 1
    return 0

cdef inline OutputMetadata* output_metadata(Node self, unsigned int nr) noexcept:
    return &self.metadata0 if nr == 0 else &self.more_metadata[nr - 1]

cdef inline bint should_compute(Node edge, Gradients g) except -1:
    """Return whether the gradient along this edge is wanted."""
    return edge is not None and (not g.selective or g.wants(edge))

cdef int start_node(Node self) except -1     # untrack a new node, and give it the next sequence number
cdef int start_sink(Node self) except -1     # untrack a new AccumulateGrad, and give it TOP_PRIORITY
cdef int add_recording_modes(int change) except -1   # change the number of modes that see each new node
cdef unsigned long next_sequence_nr() noexcept
cdef int share_dealloc(type cls, type base) except -1      # see Note [Freeing long chains]
cdef int name_plainly(type cls) except -1    # drop the module from the class's name, as PyTorch does for nodes
cdef int track_graph(Node root) except -1    # let the garbage collector see the graph below `root`
