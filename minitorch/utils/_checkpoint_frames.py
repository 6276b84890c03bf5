"""Checkpoints on hooks of saved tensors: forget what is saved, and compute it again.

Inside a checkpoint a pack hook takes every tensor that is to be saved and puts an empty `_Holder` in its
place; the `_Frame` of the checkpoint counts the holders and knows how to run the function again. The first
unpacking in a backward pass runs it, with a second pack hook that fills the holders in their order. When
the last one is full, `_StopRecomputation` leaves the function.

Note [Groups of backward passes]
What was computed again belongs to one backward pass, whose number is the key in the holders; each tensor is
handed out once in it and dropped, so that memory is free as soon as in an ordinary backward. Several passes
inside of a `GraphExecGroup` share one recomputation: then the group is the key.

Note [Nested checkpoints]
The arguments of a checkpoint are themselves saved tensors, saved under the hooks that surround it. Unpacking
in the inner one asks for its arguments, whose holders belong to the outer one, which runs first and fills
them.
"""

import threading
import weakref

from minitorch._dispatch.modes import disabled
from minitorch.autograd.current_task import _current_graph_task_id
from minitorch.autograd.function import Function
from minitorch.autograd.functions.creation import empty_ as empty
from minitorch.autograd.grad_mode import enable_grad
from minitorch.autograd.graph import saved_tensors_hooks
from minitorch.autograd.variable import TensorBase

_TIP = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint\N{NON-BREAKING HYPHEN}debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""

_thread = threading.local()  # .group: the GraphExecGroup that is entered
_USED = object()


class CheckpointError(RuntimeError):
    """Running a checkpointed function again did not give what the forward pass had saved."""


CheckpointError.__module__ = "minitorch.utils.checkpoint"


class _StopRecomputation(Exception):
    """Everything that is needed has been computed again."""


def current_group():
    return getattr(_thread, "group", None)


def set_current_group(group):
    _thread.group = group


def _assert(condition):
    if not condition:
        raise AssertionError(
            "Something went unexpectedly wrong in activation checkpoint. Please report this bug by "
            "filing an issue to PyTorch."
        )


def metadata(tensor):
    """What has to be the same in the forward pass and in the recomputation."""
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


class _Holder:
    """Stands in the graph in place of one saved tensor."""

    __slots__ = ("__weakref__", "values")

    def __init__(self):
        # group -> the tensor computed again, or _USED after it was handed out
        self.values = {}


class _SavedArguments(Function):
    """Has a node of its own, which saves the tensors among the arguments of a checkpoint."""

    generate_vmap_rule = True

    @staticmethod
    def forward(frame, requiring_grad, *tensors):
        return _unseen(False)

    @staticmethod
    def setup_context(ctx, inputs, output):
        inputs[0].node = ctx
        ctx.save_for_backward(*inputs[2:])

    @staticmethod
    def jvp(ctx, *tangents):
        return _unseen(False)


def _unseen(requires_grad):
    """A tensor that PyTorch needs none for: no mode is told of it."""
    with disabled():
        return empty(0, requires_grad=requires_grad)


class Frame:
    """One call of a checkpointed function.

    Parameters
    ----------
    function : callable
        Runs the forward pass again, given the positional arguments.
    early_stop : bool
        Whether to leave it when all holders are full.
    metadata_of : callable
        What of a tensor is compared.
    on_error : callable
        Gets a `CheckpointError`, and raises it or a better one.
    """

    def __init__(self, function, early_stop, metadata_of, on_error):
        self.function = function
        self.early_stop = early_stop
        self.metadata_of = metadata_of
        self.on_error = on_error
        self.holders = []  # weak references, in the order of saving
        self.metadata = []  # one for each holder
        self.counts = {}  # group -> how many tensors the recomputation has saved
        self.done = set()  # the groups whose recomputation is over
        self.forward_completed = False
        self.compare = True

    def save_arguments(self, args):
        self.arguments = [None if isinstance(arg, TensorBase) else arg for arg in args]
        tensors = [arg for arg in args if isinstance(arg, TensorBase)]
        self.positions = [k for k, arg in enumerate(args) if isinstance(arg, TensorBase)]
        _SavedArguments.apply(self, _unseen(True), *tensors)

    def load_arguments(self):
        arguments = list(self.arguments)
        for position, tensor in zip(self.positions, self.node.saved_tensors, strict=True):
            arguments[position] = tensor
        return arguments

    # ---- the forward pass

    def hooks(self):
        return saved_tensors_hooks(self.pack, self.unpack)

    def pack(self, tensor):
        holder = _Holder()
        self.holders.append(weakref.ref(holder))
        self.metadata.append(self.metadata_of(tensor))
        return holder

    def unpack(self, holder):
        """See Note [Groups of backward passes]."""
        group = current_group()
        if group is None:
            group = _current_graph_task_id()
        if group == -1:
            group = object()
        if group not in self.done:
            try:
                self.recompute(group)
            except CheckpointError as error:
                self.on_error(error)
        value = holder.values.get(group)
        _assert(value is not None)
        if value is _USED:
            raise CheckpointError(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked "
                f"once. {_OVERLAP if current_group() is not None else ''}If you are calling "
                "ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an "
                "issue with details on your use case."
            )
        holder.values[group] = _USED
        return value

    # ---- the recomputation

    def recompute(self, group):
        arguments = self.load_arguments()
        self.counts.setdefault(group, 0)
        hooks = saved_tensors_hooks(lambda tensor: self.fill(group, tensor), lambda tensor: tensor)
        try:
            with hooks, enable_grad():
                self.function(*arguments)
        except _StopRecomputation:
            pass
        self.done.add(group)
        self.check(group)

    def fill(self, group, tensor):
        """The pack hook of the recomputation."""
        # a holder must not hold the history of what it holds
        tensor = tensor.detach() if tensor.requires_grad else tensor
        index = self.counts[group]
        self.counts[group] += 1
        if index >= len(self.holders):
            _assert(not self.early_stop)
            if not self.forward_completed:
                # a backward inside of the function itself: the rest is not there to be compared yet
                self.compare = False
                return tensor
            raise CheckpointError(
                "torch.utils.checkpoint: trying to save more tensors during recomputation than during the "
                f"original forward pass.\n{_TIP}"
            )
        holder = self.holders[index]()
        if holder is not None:
            _assert(group not in holder.values)
            holder.values[group] = tensor
        if self.early_stop and self.counts[group] == len(self.holders):
            raise _StopRecomputation
        return tensor

    def check(self, group):
        """Raise unless as many tensors were saved as in the forward pass, and such ones."""
        if not self.compare:
            return
        if self.counts[group] != len(self.holders):
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original "
                f"forward and recomputation.\nNumber of tensors saved during forward: {len(self.holders)}\n"
                f"Number of tensors saved during recomputation: {self.counts[group]}.\n{_TIP}"
            )
        rows = []
        for index, (reference, before) in enumerate(zip(self.holders, self.metadata, strict=True)):
            holder = reference()
            if holder is None or holder.values.get(group, _USED) is _USED:
                continue
            after = self.metadata_of(holder.values[group])
            if before != after:
                rows.append(
                    f"tensor at position {index}:\nsaved metadata: {before}\n"
                    f"recomputed metadata: {after}\n"
                )
        if rows:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different "
                f"metadata than during the forward pass.\n{''.join(rows)}.\n{_TIP}"
            )


_OVERLAP = (
    "Performing two backward calls that overlap (i.e. require the same saved activation in order to "
    "compute gradients) is not allowed while under the torch.utils.checkpoint.GraphExecGroup context. "
)
