"""Chains of data pipes, alone and in a loader, as PyTorch's."""

import importlib
import pickle

import pytest

from tests.both import compare


def double(x):
    return 2 * x


def above_two(x):
    return x > 2


def names(torch):
    pipes = f"{torch.__name__}.utils.data.datapipes"
    return {
        "torch": torch,
        "I": importlib.import_module(f"{pipes}.iter"),
        "M": importlib.import_module(f"{pipes}.map"),
        "load": torch.utils.data.DataLoader,
        "double": double,
        "above_two": above_two,
        "pickle": pickle,
    }


EXPRESSIONS = """
list(map(list, I.IterableWrapper(range(5)).map(double).filter(above_two).batch(2)))
repr(I.IterableWrapper(range(5)).map(double))
len(I.IterableWrapper(range(5)).batch(2)), len(I.IterableWrapper(range(5)).batch(2, drop_last=True))
len(I.IterableWrapper(range(5)).filter(above_two))
len(I.IterableWrapper(iter([1])))
I.IterableWrapper(range(3)).batch(0)
I.IterableWrapper(range(3)).shuffle(buffer_size=0)
I.IterableWrapper(range(3)).nonsense
I.IterableWrapper(range(3)).map(3)
list(I.IterableWrapper([[[1]], [[2, 3]]]).unbatch(unbatch_level=-1))
list(I.IterableWrapper([1]).unbatch())
list(I.IterableWrapper([[1]]).unbatch(unbatch_level=-2))
list(I.IterableWrapper([1, 2]).concat(I.IterableWrapper([3])))
list(I.IterableWrapper([1, 2]).zip(I.IterableWrapper([3])))
I.Concater()
I.Zipper(3)
list(I.IterableWrapper([[1, 2]]).collate())
list(I.IterableWrapper([(1, 2)]).map(double, input_col=0))
list(I.IterableWrapper([[1, 2]]).map(double, input_col=1, output_col=-1))
list(I.IterableWrapper([1]).filter(double))
list(I.IterableWrapper(range(8)).shuffle())
list(I.IterableWrapper(range(8)).shuffle(buffer_size=3).set_seed(5))
list(I.IterableWrapper(range(8)).shuffle().set_shuffle(False))
list(load(I.IterableWrapper(range(8)).shuffle(), 2, shuffle=True))
list(load(I.IterableWrapper(range(8)).shuffle(), 2, shuffle=False))
list(load(I.IterableWrapper(range(6)), 2, shuffle=True))
list(load(I.IterableWrapper(range(6)).shuffle().sharding_filter(), 2, num_workers=2))
list(load(M.SequenceWrapper(range(4)).map(double), 2))
list(map(list, M.SequenceWrapper(range(5)).batch(2)))
M.SequenceWrapper(range(5)).batch(2)[9]
M.SequenceWrapper([1]).concat(M.SequenceWrapper([2]))[1]
M.SequenceWrapper([1]).concat(M.SequenceWrapper([2]))[7]
M.SequenceWrapper([1]).zip(M.SequenceWrapper([3]))[0]
list(pickle.loads(pickle.dumps(I.IterableWrapper([1, 2]).map(double))))
"""


@pytest.mark.parametrize("expression", EXPRESSIONS.strip().splitlines())
def test_an_expression_does_what_it_does_in_pytorch(expression):
    def program(torch):
        torch.manual_seed(0)
        return eval(expression, names(torch))

    compare(program)


def an_older_pass(torch):
    pipe = names(torch)["I"].IterableWrapper(range(3))
    first = iter(pipe)
    next(first)
    next(iter(pipe))
    next(first)


def a_class_of_ones_own(torch):
    data = torch.utils.data
    name = f"twice_{torch.__name__}"

    @data.functional_datapipe(name)
    class Twice(data.IterDataPipe):
        def __init__(self, source):
            self.source = source

        def __iter__(self):
            for x in self.source:
                yield x
                yield x

    source = names(torch)["I"].IterableWrapper([1, 2])
    return list(getattr(source, name)()), isinstance(source, data.IterableDataset)


@pytest.mark.parametrize("program", [an_older_pass, a_class_of_ones_own])
def test_a_program_does_what_it_does_in_pytorch(program):
    compare(program)


def test_what_is_done_to_a_table_is_recorded():
    def program(torch):
        import importlib

        dataframe = importlib.import_module(f"{torch.utils.data.__name__}.datapipes.dataframe")
        table = dataframe.CaptureDataFrame()
        table["c"] = table["b"] + table["a"] * 7
        table["d"] = table.get("c") - table["b"]
        return table.apply_ops({"a": 1, "b": 2})

    compare(program)
