"""Checkpoints based on saved tensor hooks: drop saved tensors and recompute them.

In the forward pass of a checkpoint, a pack hook replaces every tensor to be saved with an empty
`_Holder`. The `Frame` of the checkpoint lists the holders and can run the function again. The first
unpack in a backward pass runs it, with a second pack hook that fills the holders in order. When the
last one is filled, `_StopRecomputation` aborts the function.

Note [Groups of backward passes]
Recomputed tensors belong to one backward pass, whose id is the key in the holders. Each tensor is
returned once per pass and then dropped, so that memory is freed as early as without checkpoints.
Several passes in a `GraphExecGroup` share one recomputation: then the group is the key.

Note [Nested checkpoints]
The arguments of a checkpoint are saved tensors themselves, saved under the hooks of the surrounding
checkpoint. Unpacking in the inner checkpoint unpacks its arguments, whose holders belong to the
outer one. So the outer checkpoint runs first and fills them.
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

_thread = threading.local()  # .group: the active GraphExecGroup
_USED = object()


class CheckpointError(RuntimeError):
    """The recomputation of a checkpoint saved different tensors than the forward pass.

    It is a RuntimeError. The number of saved tensors or the shape, dtype or device of one of them
    differs.

    Examples
    --------
    >>> import minitorch as torch
    >>> issubclass(torch.utils.checkpoint.CheckpointError, RuntimeError)
    True
    """


CheckpointError.__module__ = "minitorch.utils.checkpoint"


class _StopRecomputation(Exception):
    """Raised to abort a recomputation when all needed tensors are available."""


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
    """Return the properties that must agree between forward pass and recomputation."""
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


class _Holder:
    """Replaces one saved tensor in the graph."""

    __slots__ = ("__weakref__", "values")

    def __init__(self):
        # group -> the recomputed tensor, or _USED after it was returned
        self.values = {}


class _SavedArguments(Function):
    """A node that saves the tensors among the arguments of a checkpoint."""

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
    """Return an empty tensor without notifying modes, since PyTorch does not create one here."""
    with disabled():
        return empty(0, requires_grad=requires_grad)


class Frame:
    """One call of a checkpointed function.

    Parameters
    ----------
    function : callable
        The function that runs the forward pass again, given the positional arguments.
    early_stop : bool
        Whether to abort it when all holders are filled.
    metadata_of : callable
        A function that returns the properties of a tensor to compare.
    on_error : callable
        A function that receives a `CheckpointError` and raises it or a more detailed one.
    """

    def __init__(self, function, early_stop, metadata_of, on_error):
        self.function = function
        self.early_stop = early_stop
        self.metadata_of = metadata_of
        self.on_error = on_error
        self.holders = []  # weak references, in the order of saving
        self.metadata = []  # one per holder
        self.counts = {}  # group -> number of tensors saved by the recomputation
        self.done = set()  # the groups whose recomputation has finished
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
        """Return the recomputed tensor of a holder; see Note [Groups of backward passes]."""
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
        """Store a recomputed tensor in its holder; the pack hook of the recomputation."""
        # the holder must not keep the history of the tensor alive
        tensor = tensor.detach() if tensor.requires_grad else tensor
        index = self.counts[group]
        self.counts[group] += 1
        if index >= len(self.holders):
            _assert(not self.early_stop)
            if not self.forward_completed:
                # backward was called inside the function: the forward pass is incomplete, so do not
                # compare
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
        """Raise unless the recomputation saved matching tensors, and as many as the forward pass."""
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
