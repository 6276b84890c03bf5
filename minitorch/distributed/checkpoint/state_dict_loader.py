"""`load`: every process reads what it needs of a checkpoint."""

from minitorch._tensor import Tensor
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.types import Size
from minitorch.distributed.checkpoint.filesystem import Folder, Processes
from minitorch.distributed.checkpoint.flatten import flatten_state_dict, set_element
from minitorch.distributed.checkpoint.stateful import Stateful

__all__ = ["load"]


def load(
    state_dict,
    *,
    checkpoint_id=None,
    storage_reader=None,
    planner=None,
    process_group=None,
    no_dist=False,
):
    """Load a checkpoint into a state dict, in place; all processes of the group call it.

    Tensors are overwritten, other values replaced. The number of processes may differ from that of the save.

    Parameters
    ----------
    state_dict : dict
        What to load: its names must be in the checkpoint, and its tensors have the same shapes there.
    checkpoint_id : str or path-like
        The folder.
    storage_reader, planner
        Not supported.
    process_group : ProcessGroup, optional
        The default is the default process group; without one, this process loads alone.
    no_dist : bool
        Let this process load alone.

    Raises
    ------
    CheckpointException
        In all processes, if one of them does not find what it needs.
    RuntimeError
        Without `checkpoint_id`.

    Notes
    -----
    Values other than tensors are unpickled, so load only checkpoints that you trust.

    Examples
    --------
    >>> import tempfile
    >>> import minitorch as torch
    >>> import minitorch.distributed.checkpoint as checkpoint
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = checkpoint.save({"model": {"w": torch.ones(2)}}, checkpoint_id=folder)
    ...     state = {"model": {"w": torch.zeros(2)}}
    ...     checkpoint.load(state, checkpoint_id=folder)
    >>> state
    {'model': {'w': tensor([1., 1.])}}
    """
    if storage_reader is not None or planner is not None:
        raise NotImplementedError("checkpoint.load: storage_reader and planner are not supported")
    if checkpoint_id is None:
        raise RuntimeError(
            "`checkpoint_id` must be specified if storage_reader/storage_writer is None."
        )
    processes = Processes(process_group, no_dist)
    folder = Folder(checkpoint_id)
    stateful = {key: value for key, value in state_dict.items() if isinstance(value, Stateful)}
    targets = {
        key: stateful[key].state_dict() if key in stateful else value
        for key, value in state_dict.items()
    }

    # every process checks what it needs before any of them changes a tensor
    plans = []
    processes.together("plan", lambda: plans.append(planned(targets, folder)))
    (plan,) = plans
    processes.together("read", lambda: read_into(targets, folder, plan))
    for key, target in targets.items():
        if key in stateful:
            stateful[key].load_state_dict(target)
        else:
            state_dict[key] = target


def planned(targets, folder):
    """Return which names to read from which file; raise if a name is missing or a shape differs.

    Parameters
    ----------
    targets : dict
        A nested dict of tensors and other values.
    folder : Folder

    Returns
    -------
    dict
        For the name and size of each file, the names in it.
    """
    metadata = folder.read_metadata()
    values, _ = flatten_state_dict(targets)
    needed = {}
    for name, value in values.items():
        item = metadata["items"].get(name)
        if item is None:
            raise RuntimeError(f"Missing key in checkpoint state_dict: {name}.")
        saved = item.get("shape")
        if isinstance(value, Tensor) and saved != list(value.size()):
            raise ValueError(
                f"Size mismatch between saved {saved and Size(saved)} and current: {value.size()} "
                f"for {name}"
            )
        needed.setdefault((item["file"], metadata["files"][item["file"]]), []).append(name)
    return needed


@no_grad()
def read_into(targets, folder, plan):
    """Read the values of a nested dict from a folder, as `planned` says."""
    values, paths = flatten_state_dict(targets)
    for (file, size), names in plan.items():
        found = folder.read_values(file, size)
        for name in names:
            if isinstance(values[name], Tensor):
                values[name].detach().copy_(found[name])
            else:
                set_element(targets, paths[name], found[name])
