"""Packing saved tensors by `saved_tensors_hooks`, and `SavedTensor`, through which programs see a saved tensor."""

cimport cython

from minitorch.autograd.anomaly cimport note_forward
from minitorch.autograd.events cimport described
from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.node cimport track_graph
from minitorch.autograd.saved_tensor_hooks cimport default_hooks, wrong_arguments
from minitorch.autograd.saved_variable cimport (
    OUTPUT, tensor_of, unpack_recorded, with_history, with_version)
from minitorch.autograd.special cimport any_level
from minitorch.autograd.variable cimport make_recorded
from minitorch.core.tensor_impl cimport TensorImpl

from minitorch.autograd.saved_errors import _second_backward

cdef enum:
    NOTHING = 1000000                  # in place of a version: an empty slot, too large to be an index of `packed`


# ---- packing

cdef tuple _table_of(Node node):
    """Return what the node saves as tuples (name, slot, edge); functions/node_classes.pyx makes the table."""
    return getattr(type(node), "_saved_table", ())


cdef PackedTensor pack(TensorBase t, tuple hooks):
    """Pack `t` by the pack hook, which runs without recording and must not write to `t`."""
    cdef PackedTensor packed = PackedTensor.__new__(PackedTensor)
    cdef unsigned int before = t.impl.version_counter[0]
    cdef bint mode = grad_enabled()
    set_grad_enabled(False)
    try:
        packed.value = hooks[0](t)
    finally:
        set_grad_enabled(mode)
    if t.impl.version_counter[0] != before:
        raise RuntimeError(
            "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack "
            "hook cannot be modified by in-place operations as this can lead to unexpected side-effects. "
            "Please open an issue if you need to perform in-place operations on the input to a pack hook.")
    packed.unpack_hook = hooks[1]
    return packed


cdef int pack_slot(Node node, int slot, int edge, tuple hooks) except -1:
    cdef unsigned int saved_version
    cdef TensorImpl saved, original = node.get_saved(slot, &saved_version)
    tensor = node.saved_original(slot)
    if tensor is None:
        saved = with_version(original)
        tensor = (make_recorded(saved, node, OUTPUT - edge) if edge <= OUTPUT and saved.special is None
                  else with_history(node, saved, edge))
    packed = pack(tensor, hooks)
    if any_level:
        packed.original = original
    track_graph(node)                  # the hooks may hold something newer than the node
    if node.packed is None:
        node.packed = []
    while len(node.packed) <= slot:
        node.packed.append(None)
    node.packed[slot] = packed
    node.put_saved(slot, None, slot)
    return 0


cdef int pack_saved(Node node) except -1:
    cdef unsigned int saved_version
    cdef TensorImpl saved
    cdef int slot, edge
    hooks = default_hooks()
    if hooks is None:
        return 0
    for _, slot, edge in _table_of(node):
        if edge <= IN_LIST:
            continue
        saved = node.get_saved(slot, &saved_version)
        if saved is not None:
            if not saved.is_wrapped_number:      # hooks do not see Python numbers
                pack_slot(node, slot, edge, hooks)
        elif len(node.packed) <= slot or node.packed[slot] is None:
            node.put_saved(slot, None, NOTHING)
    return 0


# ---- the handle in Python

@cython.binding(False)
cdef class SavedTensor:
    """A saved tensor of a node, as ``node._raw_saved_self``; hooks can be registered on it."""

    def __init__(self, *args):
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    def register_hooks(self, *hooks):
        """Pack the saved tensor with the first hook now; unpack it with the second at each use.

        Parameters
        ----------
        pack_hook, unpack_hook : callable
            `pack_hook` takes a tensor and returns any object; `unpack_hook` makes a tensor from that object.

        Examples
        --------
        >>> import minitorch as torch
        >>> x = torch.tensor([2.0], requires_grad=True)
        >>> y = x * x
        >>> y.grad_fn._raw_saved_self.register_hooks(lambda t: t.tolist(), torch.tensor)
        >>> torch.autograd.grad(y, x)
        (tensor([4.]),)
        """
        cdef unsigned int saved_version
        cdef TensorImpl saved
        if len(hooks) != 2 or not (callable(hooks[0]) and callable(hooks[1])):
            raise TypeError(wrong_arguments("register_hooks", "arg0", "arg1", (self, *hooks), "self"))
        self.check_node()
        if self.node.released:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values "
                "of the graph are freed when you call .backward() or autograd.grad(). Specify "
                "retain_graph=True if you need to backward through the graph a second time or if you need "
                "to access saved variables after calling backward.")
        if self.packed() is not None:
            raise RuntimeError("Calling register_hooks on a saved tensor whose hooks have already been set. "
                               "Hint: only one pair of hooks is allowed at a time.")
        saved = (_impl_in(self.node, self.edge, self.slot) if self.edge <= IN_LIST
                 else self.node.get_saved(self.slot, &saved_version))
        if saved is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
        if self.edge <= IN_LIST:
            packed = pack(tensor_of(saved), hooks)
            track_graph(self.node)
            _list_of(self.node, self.edge)[self.slot] = packed
        else:
            pack_slot(self.node, self.slot, self.edge, hooks)

    cdef int check_node(self) except -1:
        if self.node is None:               # made by SavedTensor.__new__
            raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")
        return 0

    cdef PackedTensor packed(self):
        self.check_node()
        places = _list_of(self.node, self.edge) if self.edge <= IN_LIST else self.node.packed
        item = places[self.slot] if places is not None and self.slot < len(places) else None
        return item if isinstance(item, PackedTensor) else None

    def unpack(self):
        """Return the saved tensor, from the unpack hook if there is one."""
        cdef unsigned int saved_version = 0
        cdef PackedTensor packed = self.packed()
        cdef TensorImpl saved
        if self.edge <= IN_LIST:
            saved = (_impl_in(self.node, self.edge, self.slot) if packed is None else packed.unpack())
            return None if saved is None else tensor_of(saved)
        saved = self.node.get_saved(self.slot, &saved_version)
        return unpack_recorded(self.node, saved, saved_version, self.edge)

    @property
    def data(self):
        """The result of the pack hook, or the saved tensor if there is no hook; None once it is freed."""
        cdef unsigned int saved_version = 0
        cdef PackedTensor packed = self.packed()
        cdef TensorImpl saved
        if packed is not None:
            return packed.value
        if self.node.released:
            return None
        if self.edge > IN_LIST:
            saved = self.node.get_saved(self.slot, &saved_version)
            if saved is not None and (self.edge <= OUTPUT or saved.version_counter[0] != saved_version):
                return tensor_of(saved)         # an output, without history; or the new values after a write
        return self.unpack()

    @property
    def unpack_hook(self):
        """The registered unpack hook, or None."""
        cdef PackedTensor packed = self.packed()
        return None if packed is None else packed.unpack_hook


cdef object _list_of(Node node, int edge):
    """Return a list that a node has saved, of pairs (impl, version), PackedTensors and None."""
    number = IN_LIST - edge
    return node.arg0 if number == 0 else node.arg1 if number == 1 else node.arg2


cdef TensorImpl _impl_in(Node node, int edge, int slot):
    item = _list_of(node, edge)[slot]
    return None if item is None else item[0]


cdef SavedTensor _saved_tensor(Node node, int slot, int edge):
    cdef SavedTensor saved = SavedTensor.__new__(SavedTensor)
    saved.node = node
    saved.slot = slot
    saved.edge = edge
    return saved


def _raw_saved(Node node, str name):
    """Return an attribute such as ``node._raw_saved_self``."""
    cdef int slot, edge, k
    for of, slot, edge in _table_of(node):
        if "_raw_saved_" + of != name:
            continue
        if edge > IN_LIST:
            return _saved_tensor(node, slot, edge)
        if node.released:
            raise _second_backward(node)
        return tuple([_saved_tensor(node, k, edge) for k in range(len(_list_of(node, edge)))])
    raise AttributeError(f"'{type(node).__name__}' object has no attribute '{name}'")


def _saved_by(Node node):
    """Return pairs ``(name, (shape, dtype))`` for the saved tensors; ``(name, None)`` for a packed one."""
    cdef unsigned int saved_version
    cdef list held = []
    if node.released:
        return held
    for name, slot, edge in _table_of(node):
        if edge <= IN_LIST:
            continue
        saved = node.get_saved(slot, &saved_version)
        if saved is not None:
            held.append((name, described(saved)))
        elif node.packed is not None and slot < len(node.packed) and node.packed[slot] is not None:
            held.append((name, None))
    return held


def _raw_saved_names(Node node):
    """Return the names that `_raw_saved` takes for this node."""
    return ["_raw_saved_" + of for of, _, _ in _table_of(node)]


def _see_new_node(Node node):
    """Let the modes of this thread see a new node; if there are hooks, prepare it for packed tensors."""
    note_forward(node)
    if default_hooks() is not None:
        node.packed = []
