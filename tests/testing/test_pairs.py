"""`not_close_error_metas` and the kinds of pairs, which test-suites derive their own from."""

import importlib

import pytest

from tests.both import compare, like_pytorch


def comparison(torch):
    return importlib.import_module(f"{torch.__name__}.testing._comparison")


@like_pytorch
def test_all_failures_are_reported_with_their_places(torch):
    pairs = comparison(torch)
    failures = pairs.not_close_error_metas(
        {"a": [1, 2.0], "b": True},
        {"a": [1, 3.0], "b": False},
        pair_types=(pairs.BooleanPair, pairs.NumberPair),
    )
    found = [(f.type is AssertionError, f.msg, f.id) for f in failures]
    return (
        found,
        str(failures[0].to_error(lambda text: f"<{text}>")),
        str(failures[1].to_error("no")),
    )


@like_pytorch
def test_objects_are_compared_when_no_kind_is_given(torch):
    pairs = comparison(torch)
    return [f.msg for f in pairs.not_close_error_metas(["a", 1], ["b", 1])]


@like_pytorch
def test_an_object_that_cannot_be_compared(torch):
    class Odd:
        __hash__ = None

        def __eq__(self, other):
            raise KeyError("odd")

        def __repr__(self):
            return "Odd()"

    pairs = comparison(torch)
    return [(f.type is ValueError, f.msg) for f in pairs.not_close_error_metas(Odd(), Odd())]


@like_pytorch
def test_a_kind_of_ones_own_takes_over_the_inputs(torch):
    pairs = comparison(torch)

    class Relaxed(pairs.NumberPair):
        _TYPE_TO_DTYPE = {int: torch.int64, float: torch.float32, complex: torch.complex64}

        def _process_inputs(self, actual, expected, *, id):
            if not isinstance(actual, torch.Tensor):
                self._inputs_not_supported()
            return self._to_number(actual.item(), id=id), self._to_number(expected, id=id)

    class Wider(pairs.TensorLikePair):
        def __init__(self, actual, expected, *, extra=0.0, **other):
            super().__init__(actual, expected, **other)
            self.atol = max(self.atol, extra)

        def _process_inputs(self, actual, expected, *, id, allow_subclasses):
            self._check_inputs_isinstance(actual, expected, cls=(torch.Tensor, list))
            actual, expected = self._to_tensor(actual), self._to_tensor(expected)
            self._check_supported(expected, id=id)
            return actual, expected

    one = Relaxed(torch.tensor(1.0), 1 + 1e-6)
    two = Wider(torch.ones(2), [1.0, 1.5], extra=1.0, check_dtype=False)
    refused = False
    try:
        Wider((1,), [1])
    except pairs.UnsupportedInputs:
        refused = True
    return one.rtol, one.atol, repr(one), one.compare(), two.compare(), repr(two), refused


BAD = {
    "no kind": lambda p: p.not_close_error_metas(1, object, pair_types=(p.NumberPair,)),
    "lengths": lambda p: p.not_close_error_metas([1], (1, 2)),
    "one tolerance": lambda p: p.NumberPair(1.0, 1.0, rtol=1.0),
    "an odd truth": lambda p: p.BooleanPair(True, True, id=())._to_bool("a", id=(3,)),
    "an odd number": lambda p: p.NumberPair(1, 1)._to_number("a", id=("k",)),
    "a kind without compare": lambda p: p.Pair(1, 1),
}


@pytest.mark.parametrize("case", BAD)
def test_errors(case):
    def program(torch):
        pairs = comparison(torch)
        try:
            BAD[case](pairs)
        except pairs.ErrorMeta as failure:
            return failure.type.__name__, failure.msg, failure.id

    compare(program)


def sparse(torch, indices, values, size=(4,)):
    return torch.sparse_coo_tensor(indices, values, size)


SPARSE = {
    "equal": lambda t: (sparse(t, [[0, 2]], [1.0, 2.0]), sparse(t, [[0, 2]], [1.0, 2.0])),
    "indices": lambda t: (sparse(t, [[0, 2]], [1.0, 2.0]), sparse(t, [[0, 3]], [1.0, 2.0])),
    "values": lambda t: (sparse(t, [[0, 2]], [1.0, 2.0]), sparse(t, [[0, 2]], [1.0, 3.0])),
    "counts": lambda t: (sparse(t, [[0]], [1.0]), sparse(t, [[0, 3]], [1.0, 2.0])),
    "dimensions": lambda t: (
        t.eye(2).to_sparse(1),
        t.eye(2).to_sparse(2),
    ),
    "layouts": lambda t: (t.eye(2).to_sparse(), t.eye(2)),
}


@pytest.mark.parametrize("case", SPARSE)
@pytest.mark.parametrize("check_layout", [True, False])
def test_sparse_tensors(case, check_layout):
    def program(torch):
        torch.testing.assert_close(*SPARSE[case](torch), check_layout=check_layout)

    compare(program)
