"""The levels of the thread as objects with PyTorch's names."""

from minitorch._C._functorch import TransformType
from minitorch.autograd.levels import current_levels, further_out_than, outside_of_levels
from minitorch.core.context import contextmanager

__all__ = [
    "FuncTorchInterpreter",
    "FunctionalizeInterpreter",
    "GradInterpreter",
    "JvpInterpreter",
    "VmapInterpreter",
    "retrieve_all_functorch_interpreters",
    "retrieve_current_functorch_interpreter",
    "temporarily_clear_interpreter_stack",
    "temporarily_pop_interpreter_stack",
]


class FuncTorchInterpreter:
    """A level: its number, its kind and the setting that it was entered with."""

    _kind = TransformType.Torch

    def __init__(self, level):
        self._level = level

    def level(self):
        """Return the number of the level, counted from 1."""
        return self._level.number

    def key(self):
        """Return the kind of the transform."""
        return self._kind

    def get_state(self):
        """Return the kind, the number and the setting that the level was entered with."""
        return self._kind.name, self.level(), self._entered()


class VmapInterpreter(FuncTorchInterpreter):
    """A level of `vmap`."""

    _kind = TransformType.Vmap

    def batch_size(self):
        """Return the number of samples."""
        return self._level.batch_size

    def randomness(self):
        """Return ``"error"``, ``"different"`` or ``"same"``."""
        return self._level.randomness

    _entered = randomness


class GradInterpreter(FuncTorchInterpreter):
    """A level of reverse mode."""

    _kind = TransformType.Grad

    def prev_grad_mode(self):
        """Return the grad mode outside of the level."""
        return self._level.grad_mode

    _entered = prev_grad_mode


class JvpInterpreter(FuncTorchInterpreter):
    """A level of forward mode."""

    _kind = TransformType.Jvp

    def prev_fwd_grad_mode(self):
        """Return whether tangents are computed outside of the level."""
        return self._level.fwd_grad_mode

    _entered = prev_fwd_grad_mode


class FunctionalizeInterpreter(FuncTorchInterpreter):
    """A level of `functionalize`."""

    _kind = TransformType.Functionalize

    def get_state(self):
        """Return the kind and the number."""
        return self._kind.name, self.level()


_CLASSES = {
    "vmap": VmapInterpreter,
    "grad": GradInterpreter,
    "jvp": JvpInterpreter,
    "functionalize": FunctionalizeInterpreter,
}


def retrieve_all_functorch_interpreters():
    """Return the levels of this thread, the innermost last."""
    return [_CLASSES[level.kind](level) for level in current_levels()]


def retrieve_current_functorch_interpreter():
    """Return the innermost level of this thread.

    Raises
    ------
    AssertionError
        When the thread is in no level.
    """
    found = retrieve_all_functorch_interpreters()
    if not found:
        raise AssertionError("interpreter must not be None")
    return found[-1]


@contextmanager
def temporarily_pop_interpreter_stack():
    """Leave the innermost level of this thread inside the context."""
    with further_out_than():
        yield


@contextmanager
def temporarily_clear_interpreter_stack():
    """Leave all levels of this thread inside the context."""
    with outside_of_levels():
        yield
