"""Futures, and the counts and events of `torch.monitor`."""

import importlib
import pickle
from datetime import datetime, timedelta

import pytest

from tests.both import compare, like_pytorch


def monitor(torch):
    return importlib.import_module(f"{torch.__name__}.monitor")


@pytest.mark.parametrize("names", ["MAX MEAN", "COUNT SUM", "MIN MAX SUM COUNT MEAN VALUE", ""])
def test_a_full_window_is_logged(names):
    def program(torch):
        tools = monitor(torch)
        kinds = [tools.Aggregation.__members__[name] for name in names.split()]
        told, events = [], []
        handle = tools.register_event_handler(
            lambda e: events.append((e.name, sorted(e.data.items())))
        )
        stat = tools.Stat("loss", kinds, timedelta(hours=1), 2)
        for value in (None, 1, 2.5, 3):
            if value is not None:
                stat.add(value)
            found = sorted((kind.name, number) for kind, number in stat.get().items())
            told.append((found, stat.count))
        tools.unregister_event_handler(handle)
        return told, events, stat.name

    compare(program)


@like_pytorch
def test_an_interrupted_window_is_logged(torch):
    tools, events = monitor(torch), []
    handle = tools.register_event_handler(lambda event: events.append(dict(event.data)))
    stat = tools.Stat("x", [tools.Aggregation.SUM], timedelta(hours=1))
    stat.add(2)
    waiting = list(events)
    del stat
    tools.unregister_event_handler(handle)
    return waiting, events


@like_pytorch
def test_events_and_who_hears_of_them(torch):
    tools, heard = monitor(torch), []
    event = tools.Event("saved", datetime.fromtimestamp(5), {"step": 3, "name": "a"})
    handle = tools.register_event_handler(heard.append)
    tools.log_event(event)
    tools.unregister_event_handler(handle)
    tools.log_event(event)
    (same,) = heard
    return same.name, same.timestamp == datetime.fromtimestamp(5), sorted(same.data)


def test_scalars_are_written():
    import minitorch

    written = []

    class Writer:
        def add_scalar(self, name, value, walltime):
            written.append((name, value, walltime))

    tools = minitorch.monitor
    handler = tools.TensorboardEventHandler(Writer())
    handler(tools.Event(tools.STAT_EVENT, datetime.fromtimestamp(5), {"loss.mean": 2.0}))
    handler(tools.Event("other", datetime.fromtimestamp(5), {"loss.mean": 2.0}))
    assert written == [("loss.mean", 2.0, 5.0)]


@pytest.mark.parametrize("wrong", [3, "name", None])
def test_mistakes(wrong):
    compare_types(lambda torch: monitor(torch).log_event(wrong))
    compare_types(lambda torch: monitor(torch).Stat("x", [], wrong))


def compare_types(program):
    import minitorch
    from tests.both import real

    for torch in (minitorch, real):
        with pytest.raises(TypeError):
            program(torch)


@like_pytorch
def test_callbacks_of_futures(torch):
    heard, future = [], torch.futures.Future()
    future.add_done_callback(lambda done: heard.append(done.value()))
    future.add_done_callback(lambda done: 1 / 0)
    doubled = future.then(lambda done: 2 * done.value())
    future.set_result(3)
    future.add_done_callback(lambda done: heard.append("late"))
    return heard, doubled.wait(), torch.futures.wait_all([future, doubled])


@like_pytorch
def test_futures_are_not_pickled(torch):
    pickle.dumps(torch.futures.Future())


@like_pytorch
def test_futures_of_devices_without_numbers(torch):
    torch.futures.Future(devices=["cpu"])
