"""A running backward pass: its state, the scratch it keeps in nodes, and the queue of ready nodes.

Note [Scratch in the node]
Dependency counts and input buffers are fields of the nodes, so that the loop needs no look-ups in a table.
A task stamps a node with its number while it uses these fields. A node may already carry the stamp of another
task that is still running: an enclosing backward, or one on another thread over a shared graph. Then this task
keeps its scratch for that node in `GraphTask.elsewhere`. The stamp of a task that has ended is ignored.
"""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdlib cimport free, realloc

from minitorch.autograd.events cimport buffered, entered, pushed
from minitorch.autograd.input_buffer cimport accumulate_in_buffer
from minitorch.autograd.node cimport Gradients, Node
from minitorch.core.address_table cimport find


# ---- the ready queue

@cython.final
cdef class ReadyQueue:
    def __dealloc__(self):
        self.clear()
        free(self.entries)

    cdef void clear(self) noexcept:
        cdef PyObject* node
        while self.size:
            self.size -= 1
            node = self.entries[self.size].node
            Py_DECREF(<object>node)

    # docs: step 6, push
    cdef int push(self, Node node) except -1:
        self.insert(node)
        return pushed(node, self.size)

    cdef int insert(self, Node node) except -1:
        cdef ReadyEntry* grown
        cdef Py_ssize_t k = self.size
        if k == self.capacity:
            self.capacity = max(64, 2 * k)
            grown = <ReadyEntry*>realloc(self.entries, self.capacity * sizeof(ReadyEntry))
            if grown == NULL:
                raise MemoryError
            self.entries = grown
        Py_INCREF(node)
        self.size += 1
        self.rise(k, ReadyEntry(node.sequence_nr, <PyObject*>node))
        return 0

    cdef void rise(self, Py_ssize_t k, ReadyEntry entry) noexcept:
        """Move the free place `k` up past every parent with a lower priority, and put the entry there."""
        cdef Py_ssize_t parent
        while k > 0:
            parent = (k - 1) >> 1
            if self.entries[parent].priority >= entry.priority:
                break
            self.entries[k] = self.entries[parent]
            k = parent
        self.entries[k] = entry

    cdef Node pop(self):
        # Move the gap at the top down to a leaf of the heap, then let the last entry rise from there. The priority
        # queue of C++ pops in the same way. So AccumulateGrads, which share one priority, run in PyTorch's order.
        cdef Node newest = <Node>self.entries[0].node
        cdef Py_ssize_t k = 0, child = 2
        Py_DECREF(newest)               # the heap's reference; `newest` has its own
        self.size -= 1
        while child <= self.size:
            if child == self.size or self.entries[child].priority < self.entries[child - 1].priority:
                child -= 1
            self.entries[k] = self.entries[child]
            k = child
            child = 2 * k + 2
        self.rise(k, self.entries[self.size])
        return newest
    # docs: end


# ---- the task's view of a node

@cython.final
cdef class NodeState:
    pass


@cython.final
cdef class GraphTask:
    def __cinit__(self):
        self.ready = ReadyQueue()
        self.gradients = Gradients()

    cdef int count_dependency_elsewhere(self, Node node) except -1:
        """Count one more edge into a node whose scratch may be in `elsewhere`, and return the count."""
        cdef NodeState state
        if self.elsewhere is not None:
            state = <NodeState>self.elsewhere.get(node)
            if state is not None:
                state.dependencies += 1
                return state.dependencies
        # without a stamp, or stamped by a task that has ended: after an exception its buffers may not be empty
        if find(&live_tasks, node.task) == NULL:
            self.begin(node)
            node.in0 = None
            node.ins = None
            return 1
        if self.elsewhere is None:
            self.elsewhere = {}
        state = NodeState()
        state.dependencies = 1
        self.elsewhere[node] = state
        return 1

    cdef int dependency_done_elsewhere(self, Node node) except -1:
        cdef NodeState state = <NodeState>self.elsewhere[node]
        state.dependencies -= 1
        if state.dependencies == 0:
            self.ready.push(node)
        return 0

    cdef int needed(self, Node node) except -1:
        if node.task == self.number:
            return node.needed
        return (<NodeState>self.elsewhere[node]).needed

    cdef int set_needed(self, Node node, int needed) except -1:
        if node.task == self.number:
            node.needed = needed
        else:
            (<NodeState>self.elsewhere[node]).needed = needed
        return 0

    cdef int add_to_gradients(self, Node node, unsigned int nr, object gradient) except -1:
        cdef bint in_node = node.task == self.number and node.num_outputs == 1
        cdef list ins = None
        entered("add_gradient", node)
        # only `old` holds the gradient while the new one is added to it
        if in_node:
            old = node.in0
            node.in0 = None
        else:
            ins = self.buffer_of(node)
            old = ins[nr]
            ins[nr] = None
        buffered(node, self.current, nr, gradient, old is None)
        if old is not None:
            gradient = accumulate_in_buffer(old, gradient, self.recording)
        if in_node:
            node.in0 = gradient
        else:
            ins[nr] = gradient
        return 0

    cdef list buffer_of(self, Node node):
        cdef NodeState state
        if node.task == self.number:
            if node.ins is None:
                node.ins = [None] * node.num_outputs
            return node.ins
        state = <NodeState>self.elsewhere[node]
        if state.ins is None:
            state.ins = [None] * node.num_outputs
        return state.ins

    cdef int take_all_gradients(self, Node node) except -1:
        cdef Gradients g = self.gradients
        cdef NodeState state
        if node.task == self.number:
            g.ins = node.ins
            node.ins = None
        else:
            state = <NodeState>self.elsewhere[node]
            g.ins = state.ins
            state.ins = None
        if g.ins is None:
            g.ins = [None] * node.num_outputs
        g.in0 = g.ins[0]
        return 0
