"""`utils.data.graph`: what chains of pipes are made of; names beside the loaders."""

import warnings
from importlib import import_module

import pytest

from tests.both import compare


def module(torch, name):
    return import_module(f"{torch.__name__}.{name}")


def test_a_graph_is_nested():
    def program(torch):
        pipes = module(torch, "utils.data.datapipes.iter")
        graph = module(torch, "utils.data.graph")
        settings = module(torch, "utils.data.graph_settings")
        numbers = pipes.IterableWrapper([1, 2])
        last = numbers.map(str).zip(numbers.batch(2))

        def look(found):
            return [(type(pipe).__name__, look(parts)) for pipe, parts in found.values()]

        found = graph.traverse_dps(last)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            old = look(graph.traverse(last, only_datapipe=True))
        every = [type(pipe).__name__ for pipe in settings.get_all_graph_pipes(found)]
        return look(found), old, str(caught[0].message), sorted(every)

    compare(program)


def test_pipes_only():
    def program(torch):
        with pytest.raises(RuntimeError) as caught:
            module(torch, "utils.data.graph").traverse_dps([1])
        return str(caught.value)

    compare(program)


def test_the_modules_of_processes():
    def program(torch):
        queue = module(torch, "multiprocessing.queue").SimpleQueue(
            ctx=torch.multiprocessing.get_context()
        )
        queue.put(torch.ones(2))
        return queue.get(), module(torch, "multiprocessing.pool").Pool.__name__

    compare(program)


def test_what_optimizers_import():
    def program(torch):
        optimizer = module(torch, "optim.optimizer")
        return "cuda" in optimizer._get_foreach_kernels_supported_devices()

    compare(program)
