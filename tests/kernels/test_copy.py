"""Strided copies against NumPy's assignment, over generated layouts."""

import numpy as np
import pytest

from tests.probes.kernels import copy as probe

DTYPES = ["u1", "i2", "f4", "f8", "c16", "S3"]
SHAPES = [
    (),
    (1,),
    (0,),
    (7,),
    (300,),
    (3, 4),
    (17, 33),
    (64, 64),
    (128, 256),
    (5, 1, 7),
    (2, 0, 3),
    (4, 18, 20),
    (2, 3, 4, 5),
    (3, 2, 2, 2, 2, 3),
    (400, 300),
]
rng = np.random.default_rng(0)


def raw(shape, dtype):
    size = np.dtype(dtype).itemsize
    bits = rng.integers(0, 256, (*shape, size), np.uint8)
    return bits.view(dtype)[..., 0] if size > 1 else bits.view(dtype).reshape(shape)


def layouts(shape, dtype):
    """Arrays of one shape in every kind of layout: permuted, with gaps, reversed, expanded."""
    yield raw(shape, dtype)
    for _ in range(3):
        order = rng.permutation(len(shape))
        wide = raw([shape[d] * 2 for d in order], dtype).transpose(np.argsort(order).tolist())
        yield wide[
            tuple(slice(None, n) if rng.random() < 0.5 else slice(None, None, 2) for n in shape)
        ]
        yield raw([shape[d] for d in order], dtype).transpose(np.argsort(order).tolist())
    yield raw(shape, dtype)[tuple(slice(None, None, -1) for _ in shape)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_copy_moves_every_element_between_any_two_layouts(shape, dtype):
    sources = list(layouts(shape, dtype))
    if shape:
        sources.append(np.broadcast_to(raw(shape[-1:], dtype), shape))
        sources.append(np.broadcast_to(raw((*shape[:-1], 1), dtype), shape))
    for source in map(np.asarray, sources):
        for target in map(np.asarray, layouts(shape, dtype)):
            probe.copy(target, source)
            assert target.tobytes() == source.tobytes()


def test_copy_leaves_the_gaps_of_the_target_alone():
    base = np.zeros((8, 9), "f4")
    probe.copy(base[::2, 1::3], np.ones((4, 3), "f4"))
    expected = np.zeros((8, 9), "f4")
    expected[::2, 1::3] = 1
    assert (base == expected).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_fill_sets_every_element(shape, dtype):
    for value in (raw((1,), dtype), np.zeros(1, dtype)):
        for target in map(np.asarray, layouts(shape, dtype)):
            probe.fill(target, value)
            assert target.tobytes() == value.tobytes() * target.size
