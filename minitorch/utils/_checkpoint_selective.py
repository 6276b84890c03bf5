"""Selective checkpoints: the names are here, the mechanism is not.

A policy decides for every operator whether its output is kept, which needs a mode that sees every operator
called: PyTorch's TorchDispatchMode.
"""

import enum

# operators that are never kept; there are no operator objects here
SAC_IGNORED_OPS: set[object] = set()


class SelectiveCheckpointContext:
    """What a policy of selective checkpoints is told besides the operator.

    Parameters
    ----------
    is_recompute : bool
        Whether it is asked in the recomputation.
    op_output : object, optional
        What the operator returned, in the forward pass.
    """

    def __init__(self, *, is_recompute, op_output=None):
        self.is_recompute = is_recompute
        self.op_output = op_output


class CheckpointPolicy(enum.Enum):
    """What a policy of selective checkpoints says: keep an operator's output, or compute it again.

    ``MUST_*`` is final; ``PREFER_*`` may be overruled by a compiler. The last two keep it in main memory.
    """

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_CPU_OFFLOAD = 4
    PREFER_CPU_OFFLOAD = 5


def create_selective_checkpoint_contexts(policy_fn_or_list, allow_cache_entry_mutation=False):
    """Contexts that keep the outputs of some operators. They need TorchDispatchMode, which is not there.

    Parameters
    ----------
    policy_fn_or_list : callable or list
        ``policy(ctx, op, *args, **kwargs)`` gives a `CheckpointPolicy`; or the operators to keep.
    allow_cache_entry_mutation : bool, default False

    Raises
    ------
    TypeError, ValueError
        When it is neither; when the list has something that is no operator.
    NotImplementedError
        Otherwise.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.utils.checkpoint.create_selective_checkpoint_contexts([])
    Traceback (most recent call last):
    NotImplementedError: selective checkpoints need TorchDispatchMode, which minitorch does not have
    """
    if isinstance(policy_fn_or_list, list):
        for op in policy_fn_or_list:
            raise ValueError(
                f"Expected op in `op_list` to be an OpOverload but got: {op} of type {type(op)}. "
            )
    elif not callable(policy_fn_or_list):
        raise TypeError("policy_fn_or_list must be either a function or a list of ops.")
    raise NotImplementedError(
        "selective checkpoints need TorchDispatchMode, which minitorch does not have"
    )


for _public in (
    SelectiveCheckpointContext,
    CheckpointPolicy,
    create_selective_checkpoint_contexts,
):
    _public.__module__ = "minitorch.utils.checkpoint"
