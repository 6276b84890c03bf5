"""What `DataLoader` tells the elements of a chain: whether to shuffle, with which seed, which part is theirs."""

import warnings

from minitorch.autograd.functions.creation import empty_
from minitorch.core.dtype import _dtypes
from minitorch.utils.data.datapipes.datapipe import IterDataPipe, MapDataPipe
from minitorch.utils.data.datapipes.iter import Shuffler

__all__ = [
    "apply_random_seed",
    "apply_sharding",
    "apply_shuffle_seed",
    "apply_shuffle_settings",
    "elements_of",
    "get_all_graph_pipes",
]


def get_all_graph_pipes(graph):
    """The pipes of a graph that `graph.traverse_dps` gave, each once."""
    found = {}
    for pipe, parts in graph.values():
        for one in (pipe, *get_all_graph_pipes(parts)):
            found.setdefault(id(one), one)
    return list(found.values())


def elements_of(pipe):
    """All elements of the chain that ends with `pipe`, each once, the last one first."""
    found, waiting = {}, [pipe]
    while waiting:
        element = waiting.pop()
        if isinstance(element, (list, tuple)):
            waiting.extend(element)
        elif isinstance(element, dict):
            waiting.extend(element.values())
        elif isinstance(element, (IterDataPipe, MapDataPipe)) and id(element) not in found:
            found[id(element)] = element
            waiting.extend(element.__dict__.values())
    return list(found.values())


def apply_shuffle_settings(datapipe, shuffle=None):
    """Switch all that shuffle on or off; where there is none and it is wanted, add one at the end."""
    if shuffle is None:
        return datapipe
    shufflers = [element for element in elements_of(datapipe) if hasattr(element, "set_shuffle")]
    if not shufflers and shuffle:
        warnings.warn(
            "`shuffle=True` was set, but the datapipe does not contain a `Shuffler`. Adding one at the "
            "end. Be aware that the default buffer size might not be sufficient for your task.",
            stacklevel=2,
        )
        datapipe = Shuffler(datapipe)
        shufflers = [datapipe]
    for element in shufflers:
        element.set_shuffle(shuffle)
    return datapipe


def apply_random_seed(datapipe, rng):
    """Give all that are random a seed of the generator `rng`."""
    for element in elements_of(datapipe):
        if hasattr(element, "set_seed"):
            element.set_seed(int(empty_((), dtype=_dtypes()["int64"]).random_(generator=rng)))
    return datapipe


def apply_shuffle_seed(datapipe, rng):
    """`apply_random_seed` by its old name; deprecated."""
    warnings.warn(
        "`apply_shuffle_seed` is deprecated since 1.12 and will be removed in the future releases. "
        "Please use `apply_random_seed` instead.",
        FutureWarning,
        stacklevel=2,
    )
    return apply_random_seed(datapipe, rng)


def apply_sharding(datapipe, num_of_instances, instance_id):
    """Give all that shard their part."""
    for element in elements_of(datapipe):
        if hasattr(element, "apply_sharding"):
            element.apply_sharding(num_of_instances, instance_id)
    return datapipe
