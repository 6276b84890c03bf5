"""Wrapper classes: their device, their memory, and what they alias."""

import importlib

import pytest

from tests.both import compare, like_pytorch


def wrapping(torch):
    """A class that wraps a tensor and keeps the aliasing of operators."""
    dispatch = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")
    tree_map = importlib.import_module(f"{torch.__name__}.utils._pytree").tree_map

    class Wrapping(torch.Tensor):
        log = []

        @staticmethod
        def __new__(cls, elem, device=None):
            return torch.Tensor._make_wrapper_subclass(
                cls, elem.size(), strides=elem.stride(), storage_offset=elem.storage_offset(),
                dtype=elem.dtype, device=device or elem.device)  # fmt: skip

        def __init__(self, elem, device=None):
            self.elem = elem

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            cls.log.append(str(func))

            def inner(e):
                return e.elem if isinstance(e, cls) else e

            def outer(e):
                return cls(e) if isinstance(e, torch.Tensor) else e

            out = func(*tree_map(inner, args), **tree_map(inner, kwargs or {}))
            return dispatch.return_and_correct_aliasing(func, args, kwargs, tree_map(outer, out))

    return Wrapping


@pytest.mark.parametrize("device", ["meta", "cuda", "cpu"])
def test_the_device(device):
    def program(torch):
        t = wrapping(torch)(torch.ones(2), device=device)
        return t.device.type, t.is_meta, t.is_cpu, t.is_cuda

    compare(program)


@like_pytorch
def test_views_share_memory(torch):
    t = wrapping(torch)(torch.arange(6.0).reshape(2, 3))
    view, other = t[1], t + 1
    memory = [u.untyped_storage() for u in (t, view, other)]
    rows = t.unbind()
    return (
        (memory[0]._cdata == memory[1]._cdata, memory[0]._cdata == memory[2]._cdata),
        (memory[0].nbytes(), view._base is t, view.storage_offset(), view.shape),
        [row.untyped_storage()._cdata == memory[0]._cdata for row in rows],
    )


SHAPES = {
    "t_": lambda t: t.t_(),
    "unsqueeze_": lambda t: t.unsqueeze_(0),
    "transpose_": lambda t: t.transpose_(0, 1),
    "squeeze_": lambda t: t.squeeze_(),
}


@pytest.mark.parametrize("case", SHAPES)
def test_in_place_they_get_another_shape(case):
    def program(torch):
        t = wrapping(torch)(torch.ones(2, 3))
        result = SHAPES[case](t)
        return result is t, t.shape, t.stride(), t.elem

    compare(program)


@like_pytorch
def test_set_is_the_classs(torch):
    cls = wrapping(torch)
    cls(torch.ones(3)).set_(cls(torch.ones(4)))
    return cls.log


@like_pytorch
def test_tensors_on_meta_are_not_autocast(torch):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        on_meta = torch.ones(2, 3, device="meta") @ torch.ones(3, 2, device="meta")
        return on_meta.dtype == torch.float32, (
            torch.ones(2, 3) @ torch.ones(3, 2)
        ).dtype == torch.bfloat16


@like_pytorch
def test_views_of_another_dtype_share_memory(torch):
    t = wrapping(torch)(torch.ones(3, 2))
    numbers = torch.view_as_complex(t)
    memory = [u.untyped_storage()._cdata for u in (t, numbers, torch.view_as_real(numbers))]
    bits = t.view(torch.int32).untyped_storage()._cdata == memory[0]
    return len(set(memory)), bits, numbers._base is t, numbers.shape, str(numbers.dtype)


def test_a_view_that_is_larger_than_its_memory_is_refused():
    ours = importlib.import_module("minitorch")

    class Larger(ours.Tensor):
        @staticmethod
        def __new__(cls, size, dtype):
            return ours.Tensor._make_wrapper_subclass(cls, (size,), dtype=dtype)

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            dispatch = ours.utils._python_dispatch
            return dispatch.return_and_correct_aliasing(func, args, kwargs, cls(10**6, ours.double))

    with pytest.raises(RuntimeError, match="out of bounds for storage of size 8"):
        Larger(2, ours.float).view(ours.double)
