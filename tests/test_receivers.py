"""Methods of compiled classes called with receivers and arguments of other classes: nothing is read of these."""

import importlib
import pkgutil

import pytest

import minitorch
from tests.both import like_pytorch


def compiled_classes():
    for module in pkgutil.walk_packages(minitorch.__path__, "minitorch."):
        if module.name.endswith("__main__"):
            continue
        found = importlib.import_module(module.name)
        if str(getattr(found, "__file__", "")).endswith((".so", ".pyd")):
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
    from minitorch.autograd.variable import _gradient_edge, _increment_version

    for function in (
        hooks._retain_grad,
        _gradient_edge,
        _increment_version,
        levels.refresh,
        levels.unwrap_dead,
    ):
        with pytest.raises(TypeError, match="NoneType"):
            function(None)
