"""The stores of ``torch.distributed``, in one process and over the network, as PyTorch's."""

import importlib
import threading
from datetime import timedelta

import pytest

import minitorch
from tests.both import compare

SOON = timedelta(milliseconds=300)


def stores(torch):
    distributed = importlib.import_module(f"{torch.__name__}.distributed")
    in_memory = distributed.HashStore()
    in_memory.set_timeout(SOON)
    master = distributed.TCPStore("127.0.0.1", 0, is_master=True, timeout=SOON)
    client = distributed.TCPStore("localhost", master.port, timeout=SOON)
    return {
        "hash": in_memory,
        "master": master,
        "client": client,
        "prefix": distributed.PrefixStore("before", distributed.HashStore()),
    }


STEPS = [
    ("set", "a", "b"),
    ("get", "a"),
    ("add", "n", 3),
    ("add", "n", 4),
    ("get", "n"),
    ("compare_set", "k", "", "v"),
    ("compare_set", "k", "v", "w"),
    ("compare_set", "k", "v", "x"),
    ("compare_set", "none", "v", "x"),
    ("append", "k", "y"),
    ("get", "k"),
    ("check", ["k", "n"]),
    ("check", ["k", "z"]),
    ("delete_key", "a"),
    ("delete_key", "a"),
    ("multi_set", ["c", "d"], ["1", b"\xff\x00"]),
    ("multi_get", ["c", "d"]),
]


@pytest.mark.parametrize("kind", ["hash", "master", "client", "prefix"])
def test_each_kind_answers_as_pytorchs_does(kind):
    def program(torch):
        kept = stores(torch)
        store = kept[kind]
        seen = []
        for name, *arguments in STEPS:
            try:
                seen.append(getattr(store, name)(*arguments))
            except ValueError as error:
                seen.append(type(error).__name__)
        return seen

    compare(program)


@pytest.mark.parametrize("kind", ["hash", "master"])
@pytest.mark.parametrize("call", ["get", "wait"])
def test_what_does_not_come_is_an_error(kind, call):
    def program(torch):
        kept = stores(torch)
        getattr(kept[kind], call)("z" if call == "get" else ["z"])

    compare(program)


def test_a_waiting_call_is_notified():
    distributed = minitorch.distributed
    master = distributed.TCPStore("127.0.0.1", 0, is_master=True)
    client = distributed.TCPStore("127.0.0.1", master.port)
    got = []
    thread = threading.Thread(target=lambda: got.append(client.get("late")))
    thread.start()
    master.set("late", "news")
    thread.join(10)
    assert got == [b"news"]
    assert master.num_keys() == client.num_keys()


def test_the_master_waits_for_the_others():
    with pytest.raises(minitorch.distributed.DistStoreError, match="1/2 clients joined"):
        minitorch.distributed.TCPStore("127.0.0.1", 0, 2, is_master=True, timeout=SOON)
