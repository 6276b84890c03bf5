"""Selective checkpoints: a policy decides for every operator whether its output is kept.

In the forward pass, a mode stores the outputs selected by the policy. In the recomputation, another
mode sees the same operators in the same order and returns the stored outputs instead of computing
them.
"""

import enum
import functools

from minitorch._dispatch.modes import disabled
from minitorch._dispatch.operators import OpOverload, OpOverloadPacket, ops
from minitorch._tensor import Tensor
from minitorch.utils._python_dispatch import TorchDispatchMode
from minitorch.utils._pytree import tree_map

_MISMATCH = (
    "This can happen if the operations in the checkpointed region are nondeterministic or depend on global "
    "state that changed between forward and backward."
)
_RECOMPUTE = object()
_CONSUMED = object()


@functools.cache
def ignored_operators():
    """Return the operators that are never cached.

    The forward pass and the recomputation call them a different number of times.
    """
    return {ops.aten.detach.default}


class SelectiveCheckpointContext:
    """The first argument of a selective checkpointing policy.

    Parameters
    ----------
    is_recompute : bool
        Always False, since the policy is called only in the forward pass.
    op_output : object, optional
        The result of the operator.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils import checkpoint as C
    >>> def policy(ctx, op, *args, **kwargs):
    ...     print(op, ctx.is_recompute)
    ...     return C.CheckpointPolicy.MUST_SAVE
    >>> def contexts():
    ...     return C.create_selective_checkpoint_contexts(policy)
    >>> x = torch.ones(1, requires_grad=True)
    >>> y = C.checkpoint(torch.sin, x, use_reentrant=False, context_fn=contexts)
    aten.sin.default False
    """

    def __init__(self, *, is_recompute, op_output=None):
        self.is_recompute = is_recompute
        self.op_output = op_output


class CheckpointPolicy(enum.Enum):
    """The result of a policy: keep an operator's output or recompute it.

    ``MUST_*`` is binding; a compiler may override ``PREFER_*``. ``*_CPU_OFFLOAD`` keeps the output
    in main memory.

    Parameters
    ----------
    value : int
        The number of a member; ``CheckpointPolicy(0)`` is the first one.
    names, module, qualname, type, start, boundary : optional
        The other arguments of Python's enumerations, which create a new one.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.checkpoint.CheckpointPolicy(0)
    <CheckpointPolicy.MUST_SAVE: 0>
    >>> [policy.name for policy in torch.utils.checkpoint.CheckpointPolicy]
    ['MUST_SAVE', 'PREFER_SAVE', 'MUST_RECOMPUTE', 'PREFER_RECOMPUTE', 'MUST_CPU_OFFLOAD', 'PREFER_CPU_OFFLOAD']
    """

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


class _VersionWrapper:
    """A cached output and its version when it was cached."""

    def __init__(self, value):
        if isinstance(value, Tensor):
            with disabled():
                value = value.detach()
            self.version = value._version
        self.val = value

    def get_val(self, allow_cache_entry_mutation):
        """Return the cached output; raise RuntimeError if it was modified in place since."""
        if (
            isinstance(self.val, Tensor)
            and not allow_cache_entry_mutation
            and self.val._version != self.version
        ):
            raise RuntimeError(
                "Tensor cached during selective activation checkpoint has been mutated"
            )
        return self.val


class _Counting(TorchDispatchMode):
    """A mode that counts the calls of each operator."""

    def __init__(self, storage):
        super().__init__()
        self.storage = storage
        self.calls = {}

    def number(self, func):
        """Return the index of this call among the calls of the operator."""
        number = self.calls.get(func, 0)
        self.calls[func] = number + 1
        return number


class _CachingTorchDispatchMode(_Counting):
    """The mode of the forward pass: it caches outputs."""

    def __init__(self, policy_fn, storage):
        super().__init__(storage)
        self.policy_fn = policy_fn

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func in ignored_operators():
            return func(*args, **kwargs)
        output = func(*args, **kwargs)
        number = self.number(func)
        context = SelectiveCheckpointContext(is_recompute=False, op_output=output)
        policy = self.policy_fn(context, func, *args, **kwargs)
        if isinstance(policy, bool):
            policy = CheckpointPolicy.MUST_SAVE if policy else CheckpointPolicy.PREFER_RECOMPUTE
        saves = policy in (CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE)
        self.storage.setdefault(func, {})[number] = (
            tree_map(_VersionWrapper, output) if saves else _RECOMPUTE
        )
        return output


class _CachedTorchDispatchMode(_Counting):
    """The mode of the recomputation: it returns cached outputs."""

    def __init__(self, policy_fn, storage, allow_cache_entry_mutation=False):
        super().__init__(storage)
        self.allow_cache_entry_mutation = allow_cache_entry_mutation

    def __enter__(self):
        self.calls.clear()
        return super().__enter__()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func in ignored_operators():
            return func(*args, **(kwargs or {}))
        number = self.number(func)
        kept = self.storage.get(func)
        if kept is None:
            raise RuntimeError(
                f"{func} encountered during backward but not found in storage. {_MISMATCH}"
            )
        entry = kept.get(number)
        if entry is None:
            raise RuntimeError(
                f"{func} invocation index {number} encountered during backward but not found in storage. "
                f"{_MISMATCH}"
            )
        if entry is _CONSUMED:
            raise RuntimeError(
                "Trying to backward an extra time. You are only allowed to backward once on any region "
                "computed under selective activation checkpoint."
            )
        if entry is _RECOMPUTE:
            return func(*args, **(kwargs or {}))
        kept[number] = _CONSUMED
        return tree_map(lambda item: item.get_val(self.allow_cache_entry_mutation), entry)


def create_selective_checkpoint_contexts(policy_fn_or_list, allow_cache_entry_mutation=False):
    """Return the two contexts of a checkpoint that keeps the outputs of some operators.

    Parameters
    ----------
    policy_fn_or_list : callable or list of OpOverload
        A function ``policy(ctx, op, *args, **kwargs)`` that returns a `CheckpointPolicy` or whether
        to keep the output; or a list of the operators whose outputs are kept.
    allow_cache_entry_mutation : bool, default False
        Whether cached outputs may be modified in place.

    Returns
    -------
    tuple
        Two context managers, to be returned by the `context_fn` of `checkpoint`.

    Raises
    ------
    TypeError, ValueError
        If the argument is neither; if the list contains something other than an operator overload.

    Examples
    --------
    >>> import functools
    >>> import minitorch as torch
    >>> from minitorch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts
    >>> keep = functools.partial(create_selective_checkpoint_contexts, [torch.ops.aten.exp.default])
    >>> x = torch.zeros(2, requires_grad=True)
    >>> y = checkpoint(lambda x: x.exp().sin(), x, use_reentrant=False, context_fn=keep)
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.5403, 0.5403])
    """
    if isinstance(policy_fn_or_list, list):
        for op in policy_fn_or_list:
            if not isinstance(op, OpOverload):
                advice = (
                    "Please update the OpOverloadPacket to a specific OpOverload.For example, if you have "
                    "`torch.ops.aten.mm`, change it to `torch.ops.aten.mm.default`."
                    if isinstance(op, OpOverloadPacket)
                    else ""
                )
                raise ValueError(
                    f"Expected op in `op_list` to be an OpOverload but got: {op} of type {type(op)}. {advice}"
                )

        def policy(ctx, op, *args, **kwargs):
            kept = op in policy_fn_or_list
            return CheckpointPolicy.MUST_SAVE if kept else CheckpointPolicy.PREFER_RECOMPUTE

    elif callable(policy_fn_or_list):
        policy = policy_fn_or_list
    else:
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    storage = {}
    return (
        _CachingTorchDispatchMode(policy, storage),
        _CachedTorchDispatchMode(None, storage, allow_cache_entry_mutation),
    )


for _public in (
    SelectiveCheckpointContext,
    CheckpointPolicy,
    _CachedTorchDispatchMode,
    _CachingTorchDispatchMode,
    create_selective_checkpoint_contexts,
):
    _public.__module__ = "minitorch.utils.checkpoint"
