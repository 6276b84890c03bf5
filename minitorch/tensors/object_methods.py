"""Methods of `Tensor` that Python itself calls: copying, pickling, printing, formatting."""

from minitorch import _tensor_str
from minitorch.autograd.python_dispatch import switch_dispatch as _switch_dispatch
from minitorch.tensors import rebuilding as _rebuild
from minitorch.tensors.subclass_methods import _plain


class ObjectMethods:
    """Base class of `Tensor` with these methods."""

    def __deepcopy__(self, memo):
        return _rebuild.deepcopy_tensor(self, memo, _plain.Tensor)

    def __reduce_ex__(self, protocol):
        return _rebuild.reduce_tensor(self, _plain.Tensor)

    def __setstate__(self, state):
        _rebuild.set_old_state(self, state)

    def __dir__(self):
        return sorted({*dir(type(self)), *self.__dict__})

    def __repr__(self, *, tensor_contents=None):
        _switch_dispatch(True)
        try:
            return _tensor_str._str(self, tensor_contents=tensor_contents)
        finally:
            _switch_dispatch(False)

    def __format__(self, spec):
        if self.dim() == 0 and type(self) is _plain.Tensor:
            return self.item().__format__(spec)
        return object.__format__(self, spec)
