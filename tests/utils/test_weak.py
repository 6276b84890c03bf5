"""`WeakTensorKeyDictionary`: items go with their keys, which are told apart by identity."""

import copy
import gc
import importlib

import pytest

from tests.both import compare, like_pytorch


@pytest.fixture(autouse=True)
def _no_garbage_of_others():
    gc.collect()


def weak(torch):
    return importlib.import_module(f"{torch.__name__}.utils.weak")


@like_pytorch
def test_equal_tensors_are_different_keys(torch):
    a, b = torch.ones(2), torch.ones(2)
    table = weak(torch).WeakTensorKeyDictionary({a: 1})
    table[b] = 2
    table[a] += 10
    del table[b]
    return len(table), table[a], b in table, a in table, "a" in table, list(table.values())


@like_pytorch
def test_an_item_goes_with_its_key(torch):
    a, b = torch.ones(2), torch.ones(2)
    table = weak(torch).WeakIdKeyDictionary({a: 1, b: 2})
    seen = []
    for key in table.keys():
        seen.append(table[key])
        if len(seen) == 1:
            del b
    del key
    gc.collect()
    return seen[0], len(table), len(table.keyrefs()), [k is a for k in table]


@like_pytorch
def test_copies_and_unions(torch):
    a, b = torch.ones(2), torch.ones(2)
    table = weak(torch).WeakTensorKeyDictionary({a: [1]})
    deep, flat = copy.deepcopy(table), copy.copy(table)
    union = table | {b: 3}
    table |= {b: 4}
    values = list(union.values()), list(table.values()), list(({b: 5} | flat).values())
    return *values, deep == flat, deep[a] is flat[a], flat == table, flat.pop(a), flat.get(a, 7)


@like_pytorch
def test_references(torch):
    a = torch.ones(2)
    module = weak(torch)
    ref, again, tensor = module.WeakIdRef(a), module.WeakIdRef(a), module.TensorWeakRef(a)
    equal = ref == again, hash(ref) == id(a), ref() is a, tensor() is a
    del a
    gc.collect()
    return equal, ref == again, ref == ref, ref() is None, tensor() is None


@pytest.mark.parametrize("key", [3, "a"])
def test_keys_that_cannot_be_referred_to(key):
    def program(torch):
        weak(torch).WeakIdKeyDictionary()[key] = 1

    compare(program)


@like_pytorch
def test_pop_and_update_as_of_a_dictionary(torch):
    a, b = torch.ones(2), torch.ones(2)
    table = weak(torch).WeakTensorKeyDictionary()
    table.update({a: 1})
    table.update([(b, 2)])
    return table.pop(a), table.pop(a, 5), len(table), table.update()
