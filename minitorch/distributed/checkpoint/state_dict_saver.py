"""`save`: every process writes a part of a state dict."""

from minitorch._tensor import Tensor
from minitorch.distributed.checkpoint.filesystem import VERSION, Folder, Processes
from minitorch.distributed.checkpoint.flatten import flatten_state_dict
from minitorch.distributed.checkpoint.stateful import Stateful

__all__ = ["save"]


def save(
    state_dict,
    *,
    checkpoint_id=None,
    storage_writer=None,
    planner=None,
    process_group=None,
    no_dist=False,
    use_collectives=True,
):
    """Save a state dict; all processes of the group call it.

    A tensor or other value that several processes have under the same name is taken to be the same in all, and written
    by one of them. The processes write about equally many bytes. An older checkpoint in the folder is replaced; it
    stays readable until the new one is complete.

    Parameters
    ----------
    state_dict : dict
        Of tensors and other values, which may be in dicts and lists, and of `Stateful` objects.
    checkpoint_id : str or path-like
        The folder.
    storage_writer, planner
        Not supported.
    process_group : ProcessGroup, optional
        The default is the default process group; without one, this process saves alone.
    no_dist : bool
        Let this process save alone.
    use_collectives : bool
        Not used.

    Returns
    -------
    dict
        The content of ``.metadata``: for each name, which file has it.

    Raises
    ------
    CheckpointException
        In all processes, if one of them cannot write its part.
    RuntimeError
        Without `checkpoint_id`.

    Notes
    -----
    The files are not those of PyTorch. The Note [A save that is killed] is in ``checkpoint/__init__.py``.

    Examples
    --------
    >>> import tempfile
    >>> import minitorch as torch
    >>> import minitorch.distributed.checkpoint as checkpoint
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = checkpoint.save({"w": torch.ones(2), "step": 3}, checkpoint_id=folder)
    ...     state = {"w": torch.zeros(2), "step": 0}
    ...     checkpoint.load(state, checkpoint_id=folder)
    >>> state
    {'w': tensor([1., 1.]), 'step': 3}
    """
    if storage_writer is not None or planner is not None:
        raise NotImplementedError("checkpoint.save: storage_writer and planner are not supported")
    if checkpoint_id is None:
        raise RuntimeError(
            "`checkpoint_id` must be specified if storage_reader/storage_writer is None."
        )
    processes = Processes(process_group, no_dist)
    folder = Folder(checkpoint_id)
    values, _ = flatten_state_dict(
        {
            key: value.state_dict() if isinstance(value, Stateful) else value
            for key, value in state_dict.items()
        }
    )
    sizes = {name: _bytes(value) for name, value in values.items()}

    def first_step():
        return (folder.next_generation() if processes.rank == 0 else None, sizes)

    found = processes.together("plan", first_step)
    generation = found[0][0]
    owners = divided([sizes for _, sizes in found])
    file = f"__{processes.rank}_{generation}.distcp"

    def write_part():
        mine = {
            name: _alone(values[name]) for name, rank in owners.items() if rank == processes.rank
        }
        items = {name: _described(value, file) for name, value in mine.items()}
        return items, {file: folder.write_values(file, mine)}

    metadata = {"version": VERSION, "generation": generation, "items": {}, "files": {}}
    for items, files in processes.together("write", write_part):
        metadata["items"].update(items)
        metadata["files"].update(files)

    def finish():
        if processes.rank == 0:
            folder.write_metadata(metadata)
            folder.remove_others(metadata["files"])

    processes.together("finish", finish)
    return metadata


def divided(sizes):
    """Return which process writes each name: one that has it, and has least to write so far.

    Parameters
    ----------
    sizes : list of dict
        For each process, the bytes of each of its names.

    Returns
    -------
    dict of str to int

    Examples
    --------
    >>> divided([{"a": 8, "b": 4, "c": 4}, {"a": 8, "b": 4, "c": 4, "d": 1}])
    {'a': 0, 'b': 1, 'c': 1, 'd': 1}
    """
    holders = {}
    for rank, names in enumerate(sizes):
        for name, size in names.items():
            holders.setdefault(name, []).append((rank, size))
    load = [0] * len(sizes)
    owners = {}
    for name, ranks in sorted(holders.items(), key=lambda item: (-item[1][0][1], item[0])):
        rank, size = min(ranks, key=lambda pair: (load[pair[0]], pair[0]))
        owners[name] = rank
        load[rank] += size
    return owners


def _bytes(value):
    return value.numel() * value.element_size() if isinstance(value, Tensor) else 1


def _alone(value):
    """Return a tensor that is not a part of a larger storage, which would be written as a whole."""
    if not isinstance(value, Tensor):
        return value
    value = value.detach()
    return value if value.untyped_storage().nbytes() == _bytes(value) else value.clone()


def _described(value, file):
    if isinstance(value, Tensor):
        return {"file": file, "shape": list(value.size()), "dtype": str(value.dtype)}
    return {"file": file}
