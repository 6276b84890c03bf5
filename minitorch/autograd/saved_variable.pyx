"""Unpacking the tensors that nodes have saved, with the checks that make it safe.

A saved tensor is a `TensorImpl` and the version it had. `edge` says where its history is: the number of the
node's edge for an input, `OUTPUT - n` for output n of the node itself, and `NO_EDGE` for a tensor that has none.
"""

cimport cython
from minitorch.autograd.accumulate_grad cimport AccumulateGrad
from minitorch.autograd.anomaly cimport anomaly_enabled, note_forward, origin_of
from minitorch.autograd.events cimport described
from minitorch.autograd.grad_mode cimport grad_enabled, set_grad_enabled
from minitorch.autograd.saved_tensor_hooks cimport default_hooks, wrong_arguments
from minitorch.autograd.special cimport any_level, interposers
from minitorch.autograd.node cimport Node, track_graph
from minitorch.autograd.variable cimport (
    Tangent, TensorBase, handle_of, make_recorded, make_tensor, set_history, set_impl)
from minitorch.core.dtype cimport is_differentiable, itemsizes
from minitorch.core.special cimport Special, special_of_thread
from minitorch.core.tensor_impl cimport TensorImpl, alias, counter_of, numel, sizes_tuple
from minitorch.ops.common.type_names cimport tensor_type_name

from minitorch.autograd.view_errors import _operator_name
from minitorch.core.error_pages import explained

cdef enum:
    NOTHING = 1000000                  # in place of a version: an empty slot, too large to be an index of `packed`

cdef str _SECOND_BACKWARD = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have "
    "already been freed). Saved intermediate values of the graph are freed when you call .backward() or "
    "autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or "
    "if you need to access saved tensors after calling backward.")
cdef str _HINT = (
    "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
    "torch.autograd.set_detect_anomaly(True, check_nan=False).")
cdef str _HINT_OF_ANOMALY_MODE = (
    "Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in "
    "question was changed in there or anywhere later. Good luck!")


def _second_backward(Node node):
    """Return the error of a node whose saved tensors were freed."""
    error = RuntimeError(_SECOND_BACKWARD)
    error.add_note(f"The node is {node.name()}; what it had saved was freed when it ran before.")
    _note_origin(error, node)
    return explained(error, "second-backward")


cdef int _note_origin(error, Node node) except -1:
    line = origin_of(node)
    if line is not None:
        error.add_note(f"It was recorded at {line}")
    return 0


# While a gathered node runs the nodes it stands for: functions (node, edge) -> (node, edge), from one of those nodes
# to the one that the user sees
_gathered = []


cdef int raise_unusable(Node node, TensorImpl saved, unsigned int saved_version, int edge) except -1:
    cdef unsigned int output_nr = 0, input_nr
    cdef Node function
    if node.released or saved is None:
        raise _second_backward(node)
    for seen_as in reversed(_gathered):
        node, edge = seen_as(node, edge)
    if edge <= OUTPUT:
        function = node
        output_nr = OUTPUT - edge
    elif edge == NO_EDGE:
        function = None
    else:
        # as in PyTorch, `output_nr` stays 0 for every input
        function = node.next_function(edge, &input_nr)
    label = _writer(saved, function, edge <= OUTPUT)
    message = (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{tensor_type_name(saved.dtype)} {list(sizes_tuple(saved))}]")
    if label is not None:
        message += f", which is output {output_nr} of {label},"
    error = RuntimeError(
        f"{message} is at version {saved.version_counter[0]}; expected version {saved_version} instead. "
        + (_HINT_OF_ANOMALY_MODE if anomaly_enabled else _HINT))
    error.add_note(f"{node.name()} had saved it in the forward pass. Write to a clone() instead, or write "
                   "before the forward pass.")
    _note_origin(error, node)
    raise explained(error, "saved-tensor-modified")


cdef str _writer(TensorImpl saved, Node function, bint is_output):
    """Return the name of the node that a saved tensor is an output of now, after it was written to, or None.

    A recorded write in place has given the tensor another history.
    """
    if not is_output and function is not None and vars(type(function)).get("_makes_view", False):
        return "AsStrided"                  # any write to a view gives it a new grad_fn
    if is_output or saved.storage.writer == NULL:
        return (None if function is None or isinstance(function, AccumulateGrad)
                else _operator_name(function.name()))
    if numel(saved) * itemsizes[saved.dtype] < saved.storage.nbytes:
        return "AsStrided"                  # a view of the tensor that was written to
    name = saved.storage.writer.decode().rpartition(".")[2]
    if name == "CopySlices" or name == "NotImplemented" or name == "CopyBackwards":
        return "torch::autograd::" + name
    return _operator_name(name)


cdef int refuse_inference_tensor() except -1:
    raise explained(RuntimeError(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
        "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor "
        "and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."),
        "inference-tensor-saved")


# Note [Detached in place]
# A saved input gets its history from the node's edge. An input that was detached in place after it was saved would
# get that history back in a backward with create_graph. PyTorch raises an error for such an input in any backward.
# So `detach_` gives the tensor an alias of its impl, and makes the impl that nodes have saved use `_left` as its
# version counter. No saved version equals it, so the check for writes in `unpack` finds the impl.
cdef unsigned int _left = <unsigned int>-1


cdef int leave_to_nodes(TensorBase t) except -1:
    cdef TensorImpl saved = t.impl
    if saved.special is None:
        set_impl(t, alias(saved))
        saved.version_counter = &_left
    return 0


cdef TensorImpl with_version(TensorImpl saved):
    if saved is None or saved.version_counter != &_left:
        return saved
    saved = alias(saved)
    saved.version_counter = counter_of(saved)
    return saved


cdef PackedTensor _packed_in(Node node, TensorImpl saved, unsigned int place):
    """Return the PackedTensor of a slot, or None. A packed slot has its index in place of the version."""
    if saved is not None or node.packed is None or place >= <size_t>len(node.packed):
        return None
    return <PackedTensor>node.packed[place]


cdef TensorImpl unpack_unusual(Node node, TensorImpl saved, unsigned int saved_version, int edge):
    cdef PackedTensor packed = None if node.released else _packed_in(node, saved, saved_version)
    if packed is not None:
        saved = packed.unpack()
        if edge != NO_EDGE and not is_differentiable(saved.dtype):
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        return saved
    if not node.released and saved is not None and saved.version_counter == &_left:
        if edge > OUTPUT:
            raise RuntimeError(
                "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not "
                "supported, please use out-of-place `.detach()` instead")
        saved = with_version(saved)
    if node.released or (saved is not None and saved.version_counter[0] != saved_version):
        raise_unusable(node, saved, saved_version, edge)
    return saved


cdef TensorBase unpack_recorded(Node node, TensorImpl saved, unsigned int saved_version, int edge):
    cdef TensorBase t
    cdef PackedTensor packed = _packed_in(node, saved, saved_version)
    saved = unpack(node, saved, saved_version, edge)
    if saved is None:
        return None
    t = with_history(node, saved, edge)
    if node.tangents is not None:
        restore_tangents(node, t, t.impl if packed is None else packed.original)
    return t


cdef TensorImpl _original_of(Node node, int slot):
    """Return the impl that is saved in a slot, or was before a hook packed it."""
    cdef unsigned int version
    cdef TensorImpl saved = node.get_saved(slot, &version)
    cdef PackedTensor packed = _packed_in(node, saved, version)
    return saved if packed is None else packed.original


cdef int keep_tangents_like(TensorBase written, TensorBase result) except -1:
    """Copy tangents of saved tensors, slot by slot, from the node of `result` to the node of `written`.

    `written` is the result of an operator in place, `result` that of its out-of-place form.
    """
    cdef Node like = result._grad_fn
    cdef Node node = (written if written._view is None else written._view.base)._grad_fn
    cdef int slot
    if like is None or like.tangents is None or node is None:
        return 0
    node = getattr(node, "_function", None) or node      # a base that was written to through a view
    if not isinstance(node, type(like)):
        return 0
    for slot in range(3):
        saved, its = _original_of(like, slot), _original_of(node, slot)
        if saved is None or its is None:
            continue
        for impl, tangent in like.tangents:
            if impl is saved:
                if node.tangents is None:
                    node.tangents = []
                node.tangents.append((its, tangent))
    return 0


# While CopySlices runs the node of an operator that wrote to a view: pairs (node, function). The function makes a
# tensor of the node's saved output. The history of that tensor is the view's, which leads to CopySlices and not to
# the node.
_running_in_place = []


cdef TensorBase with_history(Node node, TensorImpl saved, int edge):
    """Return a saved input or output of `node` as a tensor with its history."""
    cdef unsigned int output_nr = 0
    cdef Node function
    cdef TensorBase kept
    if edge <= OUTPUT and (saved.special is not None or interposers):
        kept = _output_of_special(saved)
        set_history(kept, node, OUTPUT - edge)
        return kept
    if saved.special is not None:
        special = (<Special>saved.special).saved_tensor(saved)
        if special is not None:
            return <TensorBase>special
    if edge <= OUTPUT:
        for inner, output_of_view in _running_in_place:
            if inner is node:
                return output_of_view(saved)
        return make_recorded(saved, node, OUTPUT - edge)
    function = None if edge == NO_EDGE else node.next_function(edge, &output_nr)
    if isinstance(function, AccumulateGrad):
        return (<AccumulateGrad>function).leaf_like(saved)
    kept = handle_of(saved)
    # also a leaf that requires grad only since it was saved: PyTorch saves the tensor itself
    if (kept is not None and kept._grad_fn is function and kept._output_nr == output_nr
            and node.tangents is None):
        return kept
    return make_recorded(saved, function, output_nr)


cdef TensorBase _output_of_special(TensorImpl saved):
    """Return a saved output as a new tensor without history, from its kind or a mode of this thread."""
    cdef Special special
    for special in (saved.special, special_of_thread()):
        if special is not None:
            output = special.saved_output(saved)
            if output is not None:
                return <TensorBase>output
    return make_tensor(saved)


cdef TensorBase tensor_of(TensorImpl saved):
    tensor = None if saved.special is None else (<Special>saved.special).saved_tensor(saved)
    return make_tensor(saved) if tensor is None else <TensorBase>tensor


cdef int restore_tangents(Node node, TensorBase saved, TensorImpl original) except -1:
    for impl, tangent in node.tangents:
        if impl is original:
            saved._tangent = <Tangent>tangent
    return 0


# ---- packing by saved_tensors_hooks

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


cdef class PackedTensor:
    cdef TensorImpl unpack(self):
        cdef TensorImpl impl
        result = self.unpack_hook(self.value)
        if not isinstance(result, TensorBase):
            raise TypeError("Output of saved tensor unpack_hook expected to be a Tensor but got result of "
                            f"type {type(result).__name__}")
        impl = (<TensorBase>result).impl
        return impl if impl.special is None else (<Special>impl.special).to_save(result, impl)


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
