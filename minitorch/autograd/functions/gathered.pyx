"""One node for an operator that is composed of other operators.

Note [Gathered nodes]
In minitorch `max_unpool2d` is composed of other operators. In PyTorch it is one operator with one node.
:func:`one_node` runs the composition on aliases of the inputs, which records a small graph that ends at the aliases.
The results then get one node that keeps this graph. Its edges lead to the inputs, and its `apply` runs the small graph
from the results to the aliases. Under create_graph the aliases are connected to the inputs, as a second derivative
needs.

The nodes inside run by falling sequence number, as in the engine, but without hooks and tasks, since programs cannot
reach them. Nothing is gathered in forward mode, or for transforms and modes, because these need the operators
themselves.
"""

cimport cython

from minitorch.autograd.accumulate_grad cimport AccumulateGrad
from minitorch.autograd.fit cimport fit
from minitorch.autograd.forward_grad cimport bases_are_dual, follows
from minitorch.autograd.functions.generated.recorded cimport r_alias
from minitorch.autograd.functions.formula_queries cimport unsigned
from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.input_buffer cimport accumulate_in_buffer
from minitorch.autograd.node cimport Gradients, Node, next_sequence_nr, output_metadata, start_node
from minitorch.autograd.python_dispatch cimport result_to_save, to_save
from minitorch.autograd.saved_errors cimport raise_unusable
from minitorch.autograd.saved_variable cimport NO_EDGE, OUTPUT, unpack, unpack_recorded, version_to_save
from minitorch.autograd.special cimport any_level, interposers
from minitorch.autograd.variable cimport TensorBase, gradient_edge, requires_grad, set_history
from minitorch.core.tensor_impl cimport TensorImpl

from minitorch.autograd.saved_errors import _gathered


@cython.final
cdef class Result:
    """A placeholder for one of the results, in the attributes of a node."""
    cdef int number                      # among those that have a gradient

    def __init__(self, number=0):
        self.number = number


cdef class _Kept:
    """A tensor that the node offers as an attribute."""
    cdef TensorImpl impl
    cdef unsigned int version
    cdef int edge


@cython.trashcan(True)
@cython.binding(False)
cdef class Gathered(Node):
    """One node for several operators; each name in PyTorch is a subclass."""

    cdef int apply(self, Gradients g) except -1:
        cdef dict buffers = {}
        cdef Gradients inner = Gradients()
        cdef Node node
        cdef unsigned int k
        if self.roots is None:
            raise_unusable(self, None, 0, NO_EDGE)
        inner.recording = g.recording
        for k in range(<unsigned int>len(self.roots)):
            gradient = g.in0 if g.ins is None and k == 0 else None if g.ins is None else g.ins[k]
            node, nr = self.roots[k]
            _add(buffers, node, nr, gradient, g.recording)
        seen_as = self.seen_as
        _gathered.append(seen_as)
        try:
            for node in self.inside():
                _run(node, buffers, inner)
        finally:
            _gathered.remove(seen_as)
        for k in range(<unsigned int>len(self.ends)):
            gradients = None if self.ends[k] is None else buffers.get(self.ends[k])
            if gradients is not None:
                g.set(k, gradients[0])
        return 0

    def seen_as(self, Node node, edge):
        """Return the node and the edge that the user sees for a node inside and one of its edges."""
        cdef unsigned int nr
        if edge <= OUTPUT and (node, OUTPUT - edge) in self.roots:
            return self, OUTPUT - self.roots.index((node, OUTPUT - edge))
        if edge >= 0 and node.next_function(edge, &nr) in self.ends:
            return self, self.ends.index(node.next_function(edge, &nr))
        return node, edge

    cdef list inside(self):
        """Return the nodes between the outputs and the aliases, in the order in which they run."""
        cdef unsigned int k, nr
        cdef Node node, function
        if self.order is not None:
            return self.order
        seen = set(self.ends)
        seen.add(None)
        stack = []
        found = []
        for node, _ in self.roots:
            if node not in seen:
                seen.add(node)
                stack.append(node)
        while stack:
            node = stack.pop()
            found.append(node)
            for k in range(node.num_edges):
                function = node.next_function(k, &nr)
                if function not in seen and not isinstance(function, AccumulateGrad):
                    seen.add(function)
                    stack.append(function)
        found.sort(key=_number, reverse=True)
        self.order = found
        return found

    cdef int release_variables(self) except -1:
        cdef Node node
        cdef bint saved = False
        for node in self.inside() if self.roots is not None else ():
            saved = saved or node.released or node.saved0 is not None or node.packed is not None
        if saved:                        # else it can be run again
            # the nodes inside go, unless a graph of second derivatives leads to them: it releases them itself
            self.roots = self.ends = self.order = None
        _forget(list(self.shown.values()))
        return Node.release_variables(self)

    def _shown(self, name):
        """Return the attribute ``_saved_<name>``."""
        return self.seen(self.shown[name])

    cdef object seen(self, value):
        cdef _Kept kept
        if isinstance(value, _Kept):
            kept = value
            return unpack_recorded(self, kept.impl, kept.version, kept.edge)
        if isinstance(value, list):
            return tuple([self.seen(item) for item in value])
        if isinstance(value, int) and not isinstance(value, bool):
            return unsigned(value)
        if isinstance(value, tuple) and all([isinstance(item, int) for item in value]):
            return unsigned(value)
        return value


cdef object _impl_of(Node node, _Kept kept):
    return None if kept is None else unpack(node, kept.impl, kept.version, kept.edge)


@cython.trashcan(True)
@cython.binding(False)
cdef class Computed(Gathered):
    """A node for results that a kernel has computed, whose gradients another kernel computes."""

    cdef int apply(self, Gradients g) except -1:
        if self.gradients is None:
            raise_unusable(self, None, 0, NO_EDGE)
        if g.recording:
            self.gather()
            return Gathered.apply(self, g)
        self.gradients(self, g, [_impl_of(self, kept) for kept in self.inputs],
                       [_impl_of(self, kept) for kept in self.outputs])
        return 0

    cdef int gather(self) except -1:
        """Record the graph of the composition."""
        cdef TensorBase t
        cdef bint before = grad_enabled()
        tensors = [self.seen(kept) for kept in self.inputs]
        self.order = None
        set_grad_enabled(True)
        try:
            results = self.composed(*_set_ends(self, tensors))
            self.roots = [(t._grad_fn, t._output_nr) for t in results]
        finally:
            set_grad_enabled(before)
        return 0

    cdef int release_variables(self) except -1:
        self.gradients = self.composed = self.workspace = self.inputs = self.outputs = None
        return Gathered.release_variables(self)


def _number(Node node):
    return node.sequence_nr


cdef int _forget(list values) except -1:
    """Release the kept tensors; reading one afterwards raises."""
    for value in values:
        if isinstance(value, _Kept):
            (<_Kept>value).impl = None
        elif isinstance(value, list):
            _forget(value)
    return 0


cdef int _add(dict buffers, Node node, unsigned int nr, gradient, bint recording) except -1:
    """Add a gradient to the input buffer of `node`."""
    if gradient is None:
        return 0
    cdef list waiting = buffers.get(node)
    if waiting is None:
        waiting = buffers[node] = [None] * node.num_outputs
    old = waiting[nr]
    waiting[nr] = None
    waiting[nr] = gradient if old is None else accumulate_in_buffer(old, gradient, recording)
    return 0


cdef int _run(Node node, dict buffers, Gradients inner) except -1:
    """Run one node inside with the gradients that have arrived at it."""
    cdef unsigned int k, nr = 0
    cdef Node function
    cdef list waiting = buffers.pop(node, None)
    if waiting is None:
        return 0
    inner.in0 = waiting[0]
    inner.ins = waiting if node.num_outputs > 1 else None
    node.apply(inner)
    for k in range(node.num_edges):
        gradient = inner.get(k)
        function = node.next_function(k, &nr)
        if gradient is not None and function is not None:
            gradient = fit(output_metadata(function, nr), gradient, inner.recording, node, k)
            _add(buffers, function, nr, gradient, inner.recording)
    return inner.clear()


# ---- making one

cdef dict _classes = {}                  # name and base -> subclass of Gathered


cdef object _class_of(str name, names, base):
    key = name, base
    if key not in _classes:
        attributes = {f"_saved_{own}": _attribute(own) for own in names}
        _classes[key] = type(name, (base,), {"__slots__": (), "__module__": "builtins", **attributes})
    return _classes[key]


def _attribute(key):
    return property(lambda node: node._shown(key))


cdef object _keep(value, tuple tensors, list results):
    """Return what the node keeps of an attribute's value; of a tensor, that is only its data."""
    cdef _Kept kept
    cdef int k
    if isinstance(value, list):
        return [_keep(item, tensors, results) for item in value]
    if isinstance(value, Result):
        value = results[(<Result>value).number]
    if not isinstance(value, TensorBase):
        return value
    kept = _Kept.__new__(_Kept)
    kept.edge = NO_EDGE
    for k in range(<int>len(tensors)):
        if tensors[k] is value:
            kept.edge = k
    for k in range(<int>len(results)):
        if results[k] is value:
            kept.edge = OUTPUT - k
    kept.impl = result_to_save(value) if kept.edge <= OUTPUT else to_save(value)
    kept.version = version_to_save(kept.impl)
    return kept


def one_node(name, function, tensors, rest=(), **shown):
    """Compute ``function(*tensors, *rest)``, and record it as one node.

    Parameters
    ----------
    name : str
        PyTorch's name of the node.
    function : callable
        Computes the result, or a tuple of results, from tensors by other operators.
    tensors : tuple of Tensor or None
        The arguments that gradients flow to: the node's edges.
    rest : tuple
        The other arguments.
    **shown
        The node's attributes ``_saved_<name>``. A `Result` stands for a result, a list for a tuple of values.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.autograd.functions.gathered import one_node
    >>> x = torch.ones(2, requires_grad=True)
    >>> y = one_node("TwiceBackward0", lambda x, n: (x + x) * n, (x,), (3,), n=3)
    >>> y.grad_fn.name(), y.grad_fn._saved_n, len(y.grad_fn.next_functions)
    ('TwiceBackward0', 3, 1)
    >>> torch.autograd.grad(y.sum(), x)
    (tensor([6., 6.]),)
    """
    if grad_enabled() and not interposers and not any_level and _some_is_recorded(tensors):
        return _gather(name, function, tuple(tensors), rest, shown)
    return function(*tensors, *rest)


cdef bint plain(object tensors) except -1:
    cdef TensorBase t
    for t in tensors:
        if t is not None and (
                t.impl.special is not None or t._tangent is not None or bases_are_dual and follows(t)):
            return False
    return True


cdef bint _some_is_recorded(object tensors) except -1:
    """Return whether a gradient is wanted, and all are ordinary tensors."""
    cdef TensorBase t
    for t in tensors:
        if t is not None and requires_grad(t):
            return plain(tensors)
    return False


cdef int _set_edges(Gathered node, tuple tensors) except -1:
    cdef TensorBase t
    cdef unsigned int k, nr = 0
    for k, t in enumerate(tensors):
        if t is not None and requires_grad(t):
            node.set_edge(k, gradient_edge(t, &nr), nr)
        else:
            node.set_edge(k, None, 0)
    return 0


cdef list _set_ends(Gathered node, object tensors):
    """Return aliases of the tensors, at which the graph inside ends."""
    cdef TensorBase t
    cdef list aliases = []
    node.ends = []
    for t in tensors:
        alias = r_alias(t) if t is not None and requires_grad(t) else t
        node.ends.append(None if alias is t else (<TensorBase>alias)._grad_fn)
        aliases.append(alias)
    return aliases


cdef int computed_node(str name, gradients, composed, tuple tensors, list results, workspace, dict shown) except -1:
    cdef TensorBase t
    cdef Computed node
    cdef unsigned int k
    cls = _class_of(name, shown, Computed)
    node = cls.__new__(cls)
    start_node(node)
    _set_edges(node, tensors)
    node.gradients, node.composed, node.workspace = gradients, composed, workspace
    for k, t in enumerate(results):
        node.add_output(t.impl)
        set_history(t, node, k)
    node.inputs = [None if value is None else _keep(value, tensors, results) for value in tensors]
    node.outputs = [_keep(value, tensors, results) for value in results]
    node.shown = {key: _keep(value, tensors, results) for key, value in shown.items()}
    return 0


cdef object _gather(name, function, tuple tensors, rest, dict shown):
    cdef TensorBase t
    cdef Gathered node
    cdef unsigned int k
    cls = _class_of(name, shown, Gathered)
    node = cls.__new__(cls)
    start_node(node)
    _set_edges(node, tensors)
    node.roots = []
    outcome = function(*_set_ends(node, tensors), *rest)
    # it runs before the nodes inside, which second derivatives may lead to as well, and which are released then
    node.sequence_nr = next_sequence_nr()
    outputs = []
    for item in outcome if isinstance(outcome, (tuple, list)) else (outcome,):
        if isinstance(item, TensorBase) and (<TensorBase>item)._grad_fn is not None:
            outputs.append(item)
    if not outputs:                      # computed of none of the tensors' elements
        return outcome
    for k, t in enumerate(outputs):
        node.roots.append((t._grad_fn, t._output_nr))
        t._view = None                   # of an alias, or of a tensor with no other reference
        node.add_output(t.impl)
        set_history(t, node, k)
    node.shown = {key: _keep(value, tensors, outputs) for key, value in shown.items()}
    return outcome
