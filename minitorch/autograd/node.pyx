"""`Node`: one recorded call of an operator, as the backward pass sees it.

A node has three kinds of fields:

- `edge0`, ...: where its gradients go. An edge leads to the node that made an input of the call, or to the
  `AccumulateGrad` of a leaf.
- `metadata0`, ...: the shape, dtype and device that a gradient for each output must have.
- `saved0`, ... and `arg0`, ...: the tensors and other values that the formula needs.

The formula is the method `apply`. Generated subclasses in functions/ implement it, and the engine calls it.

Note [The collector must not see the graph grow]
Python's garbage collector visits the tracked objects that survive again and again. If it saw nodes, recording
1,000,000 of them would cost ten times as much per node as recording 1,000. So nodes are untracked as soon as they
are made. This is safe while every link of the graph points to an older object, because then there is no cycle.
Code that makes a link to a newer object calls `track_graph`: for a `.grad` that has history, a hook, or an
attribute that the user sets.

Note [Freeing long chains]
Destroying a node releases its next functions. These may be the last references, so that those nodes are destroyed
too, and so on. Cython's `trashcan` turns this recursion into a loop over a list. It works only in the destructor
that the type itself names in `tp_dealloc`. A subclass without fields of its own gets a destructor from Cython that
just calls the base's, so `share_dealloc` makes its `tp_dealloc` the base's own.
"""

cimport cython
from cpython.object cimport PyObject_GenericSetAttr, PyTypeObject
from libc.stdlib cimport free, realloc
from libc.string cimport strrchr

from collections import OrderedDict

from minitorch.autograd.upward_calls cimport autograd_calls
from minitorch.core.dtype cimport dtype_of
from minitorch.core.special cimport ON_META, device_kind_of
from minitorch.core.tensor_impl cimport SizesAndStrides, TensorImpl, release_geometry, retain_geometry, sizes_of

from minitorch.core.handles import RemovableHandle
from minitorch.core.types import cpu, device

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(void* op)
    void PyObject_GC_Track(object op)
    bint PyObject_GC_IsTracked(object op)

cdef unsigned long _sequence_nr = 0


def _get_sequence_nr():
    """Return the sequence number that the next node will get."""
    return _sequence_nr


cdef unsigned long next_sequence_nr() noexcept:
    global _sequence_nr
    _sequence_nr += 1
    return _sequence_nr - 1


# How many modes that see new nodes are on, in all threads: saved_tensors_hooks, anomaly mode, record_origin.
# `see_new_node` finds out which of them apply to this thread.
cdef int _recording_modes = 0


cdef int add_recording_modes(int change) except -1:
    global _recording_modes
    _recording_modes += change
    return 0


cdef int start_node(Node self) except -1:
    global _sequence_nr
    PyObject_GC_UnTrack(<void*>self)
    self.sequence_nr = _sequence_nr
    _sequence_nr += 1
    if _recording_modes:
        autograd_calls.see_new_node(self)
    return 0


cdef int start_sink(Node self) except -1:
    PyObject_GC_UnTrack(<void*>self)
    self.sequence_nr = TOP_PRIORITY
    if _recording_modes:
        autograd_calls.see_new_node(self)
    return 0


cdef int share_dealloc(type cls, type base) except -1:
    cdef PyTypeObject* subclass = <PyTypeObject*>cls
    if subclass.tp_basicsize != (<PyTypeObject*>base).tp_basicsize:
        raise TypeError(f"{cls.__name__} has fields of its own")
    subclass.tp_dealloc = (<PyTypeObject*>base).tp_dealloc
    return 0


cdef int name_plainly(type cls) except -1:
    cdef PyTypeObject* self = <PyTypeObject*>cls
    cdef const char* dot = strrchr(self.tp_name, c".")
    if dot != NULL:
        self.tp_name = dot + 1
    return 0


# ---- Gradients

@cython.final
cdef class Gradients:
    cdef int set_further(self, Py_ssize_t k, object gradient) except -1:
        if self.outs is None:
            self.outs = []
        while len(self.outs) <= k - 3:
            self.outs.append(None)
        self.outs[k - 3] = gradient
        return 0

    cdef bint wants(self, Node function) except -1:
        if function.task == self.task:
            return function.needed == 1
        return self.elsewhere is not None and function in self.elsewhere


@cython.final
@cython.freelist(64)
cdef class Edge:
    pass


@cython.final
cdef class NodeHooks:
    pass


# ---- Node

@cython.trashcan(True)
@cython.freelist(4096)
@cython.binding(False)
cdef class Node:
    """A node of the graph: one recorded call of an operator, as the backward pass sees it.

    A tensor holds the node that made it as ``grad_fn``. PyTorch's counterpart is ``torch.autograd.graph.Node``.

    Examples
    --------
    >>> import minitorch as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> y = (x * 3).sum()
    >>> y.grad_fn.name(), y.grad_fn.next_functions[0][0].name()
    ('SumBackward0', 'MulBackward0')
    """

    def __cinit__(self):
        self.more_metadata = NULL
        self.metadata0.geometry = NULL

    def __init__(self):
        if type(self) is Node:
            raise TypeError("Can't instantiate abstract class Node with abstract methods _input_metadata, "
                            "_register_hook_dict, _sequence_nr, metadata, name, next_functions, "
                            "register_hook, register_prehook")
        raise TypeError(f"cannot create '{type(self).__name__}' instances")

    def __dealloc__(self):
        cdef unsigned int k
        if self.metadata0.geometry != NULL:
            release_geometry(self.metadata0.geometry)
        if self.more_metadata != NULL:
            for k in range(self.num_outputs - 1):
                release_geometry(self.more_metadata[k].geometry)
            free(self.more_metadata)

    cdef int apply(self, Gradients g) except -1:
        raise NotImplementedError(f"the derivative of {self.name()}")

    cdef int release_variables(self) except -1:
        if self.saved0 is not None:
            self.saved0 = None
        if self.saved1 is not None:
            self.saved1 = None
        if self.saved2 is not None:
            self.saved2 = None
        if self.packed is not None:
            self.packed = None
        if self.tangents is not None:
            self.tangents = None
        self.released = True
        return 0

    cdef TensorImpl get_saved(self, int slot, unsigned int* version):
        if slot == 0:
            version[0] = self.version0
            return self.saved0
        if slot == 1:
            version[0] = self.version1
            return self.saved1
        version[0] = self.version2
        return self.saved2

    cdef int put_saved(self, int slot, TensorImpl saved, unsigned int version) except -1:
        if slot == 0:
            self.saved0 = saved
            self.version0 = version
        elif slot == 1:
            self.saved1 = saved
            self.version1 = version
        else:
            self.saved2 = saved
            self.version2 = version
        return 0

    cdef int set_edge(self, unsigned int k, Node function, unsigned int input_nr) except -1:
        cdef Edge edge
        if k == 0:
            self.edge0 = function
            self.nr0 = input_nr
        elif k == 1:
            self.edge1 = function
            self.nr1 = input_nr
        elif k == 2:
            self.edge2 = function
            self.nr2 = input_nr
        else:
            if self.more_edges is None:
                self.more_edges = []
            while len(self.more_edges) <= <Py_ssize_t>k - 3:
                self.more_edges.append(None)
            if function is not None:
                edge = Edge.__new__(Edge)
                PyObject_GC_UnTrack(<void*>edge)
                edge.function = function
                edge.input_nr = input_nr
                self.more_edges[k - 3] = edge
        if k >= self.num_edges:
            self.num_edges = k + 1
        return 0

    cdef int add_output(self, TensorImpl output) except -1:
        cdef OutputMetadata* metadata
        cdef void* grown
        if self.num_outputs == 0:
            metadata = &self.metadata0
        else:
            grown = realloc(self.more_metadata, self.num_outputs * sizeof(OutputMetadata))
            if grown == NULL:
                raise MemoryError
            self.more_metadata = <OutputMetadata*>grown
            metadata = &self.more_metadata[self.num_outputs - 1]
        metadata.geometry = retain_geometry(output.geometry)
        metadata.dtype = output.dtype
        metadata.device_kind = device_kind_of(output)
        self.num_outputs += 1
        return 0

    cdef NodeHooks require_hooks(self):
        if self.hooks is None:
            self.hooks = NodeHooks.__new__(NodeHooks)
            track_graph(self)
        return self.hooks

    cdef object saved_original(self, int slot):
        return None

    cdef bint is_user_function(self) noexcept:
        return False

    # -- the interface in Python

    def __getattr__(self, name):
        if name.startswith("_raw_saved_"):
            return autograd_calls.raw_saved(self, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        try:
            PyObject_GenericSetAttr(self, name, value)
        except AttributeError:
            known = hasattr(type(self), name)
            raise AttributeError(
                f"attribute '{name}' of '{type(self).__name__}' objects is not writable" if known else
                f"'{type(self).__name__}' object has no attribute '{name}'") from None

    def __repr__(self):
        return f"<{type(self).__name__} object at {<size_t><void*>self:#x}>"

    def name(self):
        """Return the name of the function, such as ``'MulBackward0'``."""
        return type(self).__name__

    @property
    def next_functions(self):
        """Pairs ``(node, output number)``, one for each edge; ``(None, 0)`` if no gradient is wanted."""
        cdef unsigned int k, input_nr
        cdef list result = []
        for k in range(self.num_edges):
            input_nr = 0
            function = self.next_function(k, &input_nr)
            result.append((function, input_nr if function is not None else 0))
        return tuple(result)

    def _set_sequence_nr(self, number):
        """Set the sequence number; the engine runs the ready node with the largest one first."""
        self.sequence_nr = number

    def _sequence_nr(self):
        """Return the sequence number, which is larger for nodes that were recorded later."""
        return self.sequence_nr

    @property
    def requires_grad(self):
        """Always True: a node is recorded only if a gradient is wanted."""
        return True

    @property
    def metadata(self):
        """A dictionary for notes about this node, for the user and for anomaly mode."""
        if self._metadata is None:
            self._metadata = _Metadata()
            track_graph(self)
        return self._metadata

    @property
    def _input_metadata(self):
        """The shape, the dtype and the device that the gradient for each output must have."""
        cdef unsigned int k
        return tuple([_InputMetadata(_sizes(output_metadata(self, k).geometry),
                                     dtype_of(output_metadata(self, k).dtype),
                                     output_metadata(self, k).device_kind)
                      for k in range(self.num_outputs)])

    def __call__(self, *gradients, **keywords):
        """Apply the node to one gradient for each of its outputs, without calling hooks.

        Parameters
        ----------
        *gradients : Tensor or None

        Returns
        -------
        Tensor or None, or tuple of them
            One gradient for each of ``next_functions``; not a tuple if there is only one. In grad mode
            the computation is recorded.

        Examples
        --------
        >>> import minitorch as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> y = x * x
        >>> with torch.no_grad():
        ...     y.grad_fn(torch.tensor(1.0))
        (tensor(3.), tensor(3.))
        """
        if keywords:
            raise TypeError("keyword arguments are not supported")
        return autograd_calls.apply_node(self, gradients)

    def register_hook(self, fn):
        """Call ``fn(grad_inputs, grad_outputs)`` after this node has run.

        Both are tuples of tensors or None. If `fn` returns a tuple of the same length, it replaces
        `grad_inputs`. Returns a handle with a method ``remove()``.
        """
        cdef NodeHooks hooks = self.require_hooks()
        if hooks.post_hooks is None:
            hooks.post_hooks = OrderedDict()
        return _handle(hooks.post_hooks, fn)

    def register_prehook(self, fn):
        """Call ``fn(grad_outputs)`` before this node runs; if it returns a tuple, that replaces `grad_outputs`."""
        cdef NodeHooks hooks = self.require_hooks()
        if hooks.pre_hooks is None:
            hooks.pre_hooks = OrderedDict()
        return _handle(hooks.pre_hooks, fn)

    def _register_hook_dict(self, tensor):
        """Call the hooks of `tensor`, one of this node's outputs, before this node runs."""
        autograd_calls.add_hooks_of(tensor, self)

    def __dir__(self):
        names = [name for name in object.__dir__(self) if name not in ("_saved_table", "_makes_view")]
        return [*names, *autograd_calls.raw_saved_names(self)]


def _track_graph(Node root):
    """Let the garbage collector see the graph below `root`."""
    track_graph(root)


class _Metadata(dict):
    """The dictionary behind `Node.metadata`, whose values may refer back to the node."""

    def __setitem__(self, key, value):
        autograd_calls.track_held(value)
        dict.__setitem__(self, key, value)


_META = device("meta")


class _InputMetadata:
    """The shape, the dtype and the device of one gradient."""

    __slots__ = ("shape", "dtype", "device")
    is_nested_tensor = is_cpp_nested_tensor = False

    def __init__(self, shape, dtype, device_kind):
        self.shape = shape
        self.dtype = dtype
        self.device = _META if device_kind == ON_META else cpu

    def __repr__(self):
        return f"_InputMetadata(shape={self.shape}, dtype={self.dtype})"


def _handle(hooks_dict, fn):
    autograd_calls.track_held(fn)
    handle = RemovableHandle(hooks_dict)
    hooks_dict[handle.id] = fn
    return handle


cdef list _sizes(SizesAndStrides* g):
    return [sizes_of(g)[d] for d in range(g.ndim)]


cdef int track_graph(Node root) except -1:
    """Let the garbage collector see the graph below `root`; stop at nodes that it already sees."""
    cdef list stack
    cdef Node node, function
    cdef unsigned int k, input_nr
    if root is None or PyObject_GC_IsTracked(root):
        return 0
    stack = [root]
    while stack:
        node = <Node>stack.pop()
        if PyObject_GC_IsTracked(node):
            continue
        PyObject_GC_Track(node)
        for k in range(node.num_edges):
            if k >= 3:
                edge = node.more_edges[k - 3]
                if edge is not None and not PyObject_GC_IsTracked(edge):
                    PyObject_GC_Track(edge)
            function = node.next_function(k, &input_nr)
            if function is not None and not PyObject_GC_IsTracked(function):
                stack.append(function)
    return 0
