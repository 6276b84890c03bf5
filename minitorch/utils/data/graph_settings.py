"""Settings that `DataLoader` applies to a chain of pipes: shuffling, seeds and sharding."""

import inspect
import warnings

from minitorch.autograd.functions.creation import empty_
from minitorch.core.dtype import _dtypes
from minitorch.utils.data.datapipes.iter import Shuffler
from minitorch.utils.data.datapipes.iter.sharding import (
    SHARDING_PRIORITIES,
    _ShardingIterDataPipe,
)
from minitorch.utils.data.graph import traverse_dps

__all__ = [
    "apply_random_seed",
    "apply_sharding",
    "apply_shuffle_seed",
    "apply_shuffle_settings",
    "get_all_graph_pipes",
]


def get_all_graph_pipes(graph):
    """Return the pipes of a graph from `graph.traverse_dps`, each once."""
    found = {}

    def look(parts):
        for number, (pipe, its_parts) in parts.items():
            if number not in found:
                found[number] = pipe
                look(its_parts)

    look(graph)
    return list(found.values())


def _has_methods(pipe, *names):
    return all(hasattr(pipe, name) and inspect.ismethod(getattr(pipe, name)) for name in names)


def _is_random_datapipe(pipe):
    return _has_methods(pipe, "set_seed")


def _is_shuffle_datapipe(pipe):
    return _has_methods(pipe, "set_shuffle", "set_seed")


def _is_sharding_datapipe(pipe):
    return isinstance(pipe, _ShardingIterDataPipe) or _has_methods(pipe, "apply_sharding")


def _pipes_of(pipe, wanted):
    return [part for part in get_all_graph_pipes(traverse_dps(pipe)) if wanted(part)]


def apply_shuffle_settings(datapipe, shuffle=None):
    """Enable or disable all shufflers; if shuffling is requested and there is none, append one."""
    if shuffle is None:
        return datapipe
    shufflers = _pipes_of(datapipe, _is_shuffle_datapipe)
    if not shufflers and shuffle:
        warnings.warn(
            "`shuffle=True` was set, but the datapipe does not contain a `Shuffler`. Adding one at the "
            "end. Be aware that the default buffer size might not be sufficient for your task.",
            stacklevel=2,
        )
        datapipe = Shuffler(datapipe)
        shufflers = [datapipe]
    for pipe in shufflers:
        pipe.set_shuffle(shuffle)
    return datapipe


def apply_random_seed(datapipe, rng):
    """Seed all random pipes from the generator `rng`."""
    for pipe in _pipes_of(datapipe, _is_random_datapipe):
        pipe.set_seed(int(empty_((), dtype=_dtypes()["int64"]).random_(generator=rng)))
    return datapipe


def apply_shuffle_seed(datapipe, rng):
    """Return `apply_random_seed(datapipe, rng)`; deprecated."""
    warnings.warn(
        "`apply_shuffle_seed` is deprecated since 1.12 and will be removed in the future releases. "
        "Please use `apply_random_seed` instead.",
        FutureWarning,
        stacklevel=2,
    )
    return apply_random_seed(datapipe, rng)


def apply_sharding(
    datapipe, num_of_instances, instance_id, sharding_group=SHARDING_PRIORITIES.DEFAULT
):
    """Set the shard of all sharding pipes.

    Raises
    ------
    RuntimeError
        If a sharding pipe is upstream of another.
    """

    def apply(graph, above):
        for pipe, parts in graph.values():
            if not _is_sharding_datapipe(pipe):
                apply(parts, above)
                continue
            if above is not None:
                raise RuntimeError(
                    "Sharding twice on a single pipeline is likely unintended and will cause data loss. "
                    f"Sharding already applied to {above} while trying to apply to {pipe}"
                )
            if len(inspect.signature(pipe.apply_sharding).parameters) < 3:
                pipe.apply_sharding(num_of_instances, instance_id)
            else:
                pipe.apply_sharding(num_of_instances, instance_id, sharding_group=sharding_group)
            apply(parts, pipe)

    apply(traverse_dps(datapipe), None)
    return datapipe
