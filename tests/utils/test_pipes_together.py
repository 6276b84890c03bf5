"""Data pipes that fork, group, read files, are brought to a place or go to workers, as PyTorch's."""

import importlib
import io
import pickle
import warnings

import pytest

from tests.both import compare


def module(torch, name):
    return importlib.import_module(f"{torch.__name__}.utils.data.{name}")


def iterated(torch):
    return module(torch, "datapipes.iter")


def parity(x):
    return x % 2


def first_letter(x):
    return x[0]


def double(x):
    return 2 * x


def message(function):
    try:
        return function()
    except Exception as error:  # noqa: BLE001 (any error's text is compared)
        return type(error).__name__, *map(str, error.args)


FORKS = """
[list(x) for x in I.IterableWrapper(range(5)).fork(2)]
I.IterableWrapper(range(5)).fork(0)
I.IterableWrapper(range(5)).fork(1)
I.IterableWrapper(range(5)).fork(2, copy="some")
list(I.IterableWrapper(range(5)).fork(2, buffer_size=2)[0])
len(I.IterableWrapper(range(5)).fork(2)[1])
[list(x) for x in I.IterableWrapper(range(5)).demux(2, parity)]
[list(x) for x in I.IterableWrapper(range(4)).demux(2, {0: 0, 1: None, 2: 1, 3: 1}.get, drop_none=True)]
list(I.IterableWrapper(range(4)).demux(1, parity)[0])
list(I.IterableWrapper(range(9)).demux(2, parity, buffer_size=1)[1])
len(I.IterableWrapper(range(5)).demux(2, parity)[1])
list(I.IterableWrapper(range(3)).mux(I.IterableWrapper(range(10, 12))))
len(I.IterableWrapper(range(3)).mux(I.IterableWrapper(range(10, 12))))
list(map(list, I.IterableWrapper(["a1", "b1", "a2", "a3"]).groupby(first_letter)))
list(I.IterableWrapper(["a1", "b1", "a2"]).groupby(first_letter, keep_key=True, group_size=2))
list(I.IterableWrapper(range(9)).groupby(parity, buffer_size=3, group_size=2, drop_remaining=True))
list(I.IterableWrapper("abc").groupby(str, buffer_size=2, group_size=2))
I.IterableWrapper(range(9)).groupby(parity, guaranteed_group_size=3)
I.IterableWrapper(range(9)).groupby(parity, group_size=3, buffer_size=2)
I.IterableWrapper(range(9)).open_files(mode="w")
I.IterableWrapper(range(9)).open_files(mode="rb", encoding="utf8")
len(I.IterableWrapper(range(9)).list_files())
list(I.IterableWrapper([("x", io.BytesIO(b"abcde"))]).read_from_stream(2))
list(I.RoutedDecoder([("x.json", io.BytesIO(b"[1]")), ("n.cls", io.BytesIO(b"7"))]))
I.IterableWrapper([(1, 2)]).map(double, input_col=[0, 1])
I.IterableWrapper([(1, 2)]).filter(double, input_col=[0, 1])
I.Sampler(iter([1]))
"""


@pytest.mark.parametrize("expression", FORKS.strip().splitlines())
@pytest.mark.filterwarnings("ignore:`RoutedDecoder")
def test_an_expression_does_what_it_does_in_pytorch(expression):
    def program(torch):
        known = {"I": iterated(torch), "parity": parity, "first_letter": first_letter}
        value = message(lambda: eval(expression, {**known, "double": double, "io": io}))
        return value if isinstance(value, (list, tuple, int)) else repr(value)

    compare(program)


def test_children_begin_anew_together():
    def program(torch):
        first, second = iterated(torch).IterableWrapper(range(4)).fork(2)
        before = iter(first)
        next(before)
        beside = iter(second)
        next(beside)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            again = list(first)
        told = [message(lambda it=it: next(it)) for it in (before, beside)]
        return again, [str(w.message) for w in caught], told

    compare(program)


def test_a_pass_of_each_kind_of_class():
    def program(torch):
        base = torch.utils.data.IterDataPipe

        class Generator(base):
            def __iter__(self):
                yield from range(4)

        class Returns(base):
            def __iter__(self):
                return iter(range(4))

        class Itself(base):
            def __init__(self):
                self.n = 0

            def __iter__(self):
                return self

            def __next__(self):
                if self.n == 4:
                    raise StopIteration
                self.n += 1
                return self.n - 1

            def reset(self):
                self.n = 0

        found = []
        for cls in (Generator, Returns, Itself):
            pipe = cls()
            first = iter(pipe)
            next(first)
            counted = pipe._number_of_samples_yielded
            second = iter(pipe)
            next(second)
            told = message(lambda it=first: next(it))
            found.append((counted, told, list(second), list(pipe)))
        return found

    compare(program)


def test_an_element_is_brought_to_a_place():
    def program(torch):
        restore = module(torch, "datapipes.utils.snapshot")._simple_graph_snapshot_restoration
        pipe = iterated(torch).IterableWrapper(range(6)).map(double)
        restore(pipe, 2)
        twice = message(lambda: restore(pipe, 1))
        return twice, list(pipe), list(pipe), message(lambda: restore(pipe, 9))

    compare(program)


def test_files_are_listed_opened_and_read(tmp_path):
    for name in ("b.txt", "a.json", "c/d.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{name}\n")

    def program(torch):
        pipes = iterated(torch)
        names = list(pipes.FileLister(str(tmp_path), recursive=True, masks=["*.txt"]))
        opened = pipes.FileLister(str(tmp_path)).open_files(mode="rb").read_from_stream(3)
        streams = [stream for _, stream in pipes.FileOpener(names)]
        return names, list(opened), repr(streams[0]), [stream.read() for stream in streams]

    compare(program)


def test_a_stream_closes_what_it_is_read_from():
    def program(torch):
        wrapper = module(torch, "datapipes.utils.common").StreamWrapper
        archive = wrapper(io.BytesIO(b"ab"))
        part = wrapper(io.BytesIO(b"b"), archive, name="part")
        archive.autoclose()
        before = archive.closed
        wrapper.close_streams([{"x": part}])
        return before, archive.closed

    compare(program)


def test_state_goes_with_an_element():
    def program(torch):
        torch.manual_seed(0)
        numbers = iterated(torch).IterableWrapper(range(8))
        shuffled = numbers.shuffle()
        begun = iter(shuffled)
        next(begun)
        copies = [
            pickle.loads(pickle.dumps(pipe))
            for pipe in (
                shuffled,
                numbers.fork(2)[1],
                numbers.groupby(parity),
                numbers.mux(numbers),
            )
        ]
        base = torch.utils.data.IterDataPipe
        base.set_getstate_hook(lambda state: {"hooked": sorted(state)})
        try:
            hooked = pickle.loads(pickle.dumps(numbers)).__dict__
            twice = message(lambda: base.set_getstate_hook(len))
        finally:
            base.set_getstate_hook(None)
        return copies[0]._number_of_samples_yielded, list(map(list, copies[1:])), hooked, twice

    compare(program)


def test_parts_of_groups():
    def program(torch):
        group = module(torch, "datapipes.iter.sharding").SHARDING_PRIORITIES
        settings = module(torch, "graph_settings")
        part = iterated(torch).IterableWrapper(range(20)).sharding_filter()
        part.apply_sharding(2, 1, group.DISTRIBUTED)
        part.apply_sharding(5, 3, group.MULTIPROCESSING)
        twice = iterated(torch).IterableWrapper([1]).sharding_filter().sharding_filter()
        return (
            list(part),
            message(lambda: part.apply_sharding(2, 0)),
            message(lambda: part.apply_sharding(2, 2)),
            message(lambda: settings.apply_sharding(twice, 2, 0)),
        )

    compare(program)


def test_seeds_are_given_in_the_order_of_the_graph():
    def program(torch):
        numbers = iterated(torch).IterableWrapper
        pairs = numbers(range(5)).shuffle().zip(numbers(range(5)).shuffle())
        generator = torch.Generator().manual_seed(1)
        module(torch, "graph_settings").apply_random_seed(pairs, generator)
        return list(pairs)

    compare(program)


def test_workers_that_stay_shuffle_anew_and_alike():
    def program(torch):
        torch.manual_seed(1)
        loader = torch.utils.data.DataLoader(
            iterated(torch).IterableWrapper(range(10)).shuffle().sharding_filter(),
            batch_size=2,
            num_workers=2,
            persistent_workers=True,
        )
        return list(loader), list(loader), torch.rand(2)

    compare(program)


def test_a_shuffled_map():
    def program(torch):
        pipe = module(torch, "datapipes.map").SequenceWrapper("abcd").shuffle()
        same = pickle.loads(pickle.dumps(pipe.set_seed(3)))
        return list(pipe.set_seed(3)), list(same), list(pipe.set_shuffle(False)), len(pipe)

    compare(program)


def test_determinism_can_be_asked_for():
    def program(torch):
        data = torch.utils.data

        @data.non_deterministic
        class Uncertain(data.IterDataPipe):
            pass

        @data.non_deterministic(lambda uncertain: uncertain)
        class Perhaps(data.IterDataPipe):
            def __init__(self, uncertain):
                pass

        with data.guaranteed_datapipes_determinism():
            told = message(Uncertain), message(lambda: Perhaps(True)), repr(Perhaps(False))
        wrong = [message(lambda arg=arg: data.non_deterministic(arg)) for arg in (3, int)]
        return told, wrong, type(Uncertain()).__name__

    compare(program)


def test_arguments_and_elements_can_be_checked():
    def program(torch):
        data = torch.utils.data

        @data.argument_validation
        def taken(pipe: data.IterDataPipe):
            return pipe

        refused = message(lambda: taken(3))[:1]
        wrong = message(lambda: data.runtime_validation(double))
        return refused, wrong

    compare(program)
