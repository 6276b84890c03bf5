"""Methods of compiled classes called with receivers and arguments of other classes: nothing is read of these."""

import importlib

import pytest

from minitorch.core.module_table import MODULES
from tests.both import like_pytorch


def compiled_classes():
    for name in sorted(MODULES):
        found = importlib.import_module(name)
        yield from (c for c in vars(found).values() if isinstance(c, type) and is_static(c))


def is_static(cls):
    return not cls.__flags__ & 1 << 9  # Py_TPFLAGS_HEAPTYPE


def test_the_methods_of_compiled_classes_look_at_their_receiver():
    """A function of Cython's takes its first argument for an instance, whatever it is; a descriptor does not."""
    unchecked = {
        f"{cls.__name__}.{name}"
        for cls in compiled_classes()
        for name, value in vars(cls).items()
        if type(value).__name__ == "cython_function_or_method"
    }
    assert not unchecked


@pytest.mark.parametrize("receiver", [3, None, "text", object], ids=str)
@pytest.mark.parametrize(
    "name",
    "add size stride dim is_contiguous numel data_ptr requires_grad_ __complex__ element_size storage_offset".split(),
)
def test_a_method_of_tensors(name, receiver):
    @like_pytorch
    def test(torch):
        with pytest.raises(TypeError) as caught:
            getattr(torch.Tensor, name)(receiver)
        return str(caught.value)

    test()


def test_attributes_of_tensors():
    @like_pytorch
    def test(torch):
        texts = []
        for name in ("shape", "requires_grad", "grad_fn", "dtype", "is_leaf"):
            with pytest.raises(TypeError) as caught:
                getattr(torch.Tensor, name).__get__(3)
            texts.append(str(caught.value))
        return texts

    test()


def test_none_is_no_tensor():
    from minitorch.autograd import hooks, levels
    from minitorch.autograd.inplace import _increment_version
    from minitorch.autograd.variable import _gradient_edge

    for function in (
        hooks._retain_grad,
        _gradient_edge,
        _increment_version,
        levels.refresh,
        levels.unwrap_dead,
    ):
        with pytest.raises(TypeError, match="NoneType"):
            function(None)


def test_no_tensor_is_without_data():
    """A ``__new__`` of a compiled class would leave one, and reading it dereferences a null pointer."""
    import minitorch as torch

    text = "Cannot directly construct TensorBase"
    for base in filter(is_static, torch.Tensor.__mro__[1:-1]):
        for make in (base, lambda base=base: base.__new__(base)):
            with pytest.raises(RuntimeError, match=text):
                make()
    assert torch.Tensor.__new__(torch.Tensor).shape == (0,)


@pytest.mark.parametrize(
    "given", ["int", "3", "None", "object", "torch.Tensor", "torch.nn.Parameter"]
)
def test_what_is_no_class_of_tensors(given):
    @like_pytorch
    def test(torch):
        cls, x = eval(given, {"torch": torch}), torch.ones(2)
        results = []
        for make in (x.as_subclass, lambda c: torch.Tensor._make_subclass(c, x)):
            try:
                results.append(type(make(cls)).__name__)
            except TypeError as error:
                results.append(str(error))
        return results

    test()


def test_places_of_saved_tensors_are_made_by_nodes_alone():
    import minitorch as torch

    x = torch.ones(2, requires_grad=True)
    cls = type((x * x).grad_fn._raw_saved_self)
    place = cls.__new__(cls)
    for use in (place.unpack, lambda: place.data, lambda: place.register_hooks(id, id)):
        with pytest.raises(RuntimeError, match="Trying to create a SavedTensor object from Python"):
            use()
    sink = type((x * 2).grad_fn.next_functions[0][0])
    assert sink.__new__(sink)._input_metadata == ()


@pytest.mark.parametrize("name", ["cat", "stack", "block_diag", "hstack"])
@pytest.mark.parametrize("tensors", ["[t, None]", "[t, 3]", "[3]", "[None]"])
def test_operators_by_name_look_at_what_is_in_a_list(name, tensors):
    import minitorch as torch

    operator = getattr(torch.ops.aten, name)
    with pytest.raises((TypeError, RuntimeError)):
        operator(eval(tensors, {"t": torch.ones(2)}))


@like_pytorch
def test_operators_by_name_on_no_tensors(torch):
    results = [torch.ops.aten.block_diag([]), torch.block_diag()]
    for name in ("cat", "stack"):
        with pytest.raises((ValueError, RuntimeError)) as caught:
            getattr(torch.ops.aten, name)([])
        results.append(str(caught.value))
    return results
