"""The levels of this thread as objects, under the names that PyTorch gives them."""

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
    """A level: its number, its kind, and how it was entered."""

    _kind = TransformType.Torch

    def __init__(self, level):
        self._level = level

    def level(self):
        """The number of the level, from 1."""
        return self._level.number

    def key(self):
        """The kind of the transform."""
        return self._kind

    def get_state(self):
        """The kind, the number and how it was entered."""
        return self._kind.name, self.level(), self._entered()


class VmapInterpreter(FuncTorchInterpreter):
    """A level of `vmap`."""

    _kind = TransformType.Vmap

    def batch_size(self):
        """How many samples there are."""
        return self._level.batch_size

    def randomness(self):
        """``"error"``, ``"different"`` or ``"same"``."""
        return self._level.randomness

    _entered = randomness


class GradInterpreter(FuncTorchInterpreter):
    """A level of reverse mode."""

    _kind = TransformType.Grad

    def prev_grad_mode(self):
        """The grad mode outside."""
        return self._level.grad_mode

    _entered = prev_grad_mode


class JvpInterpreter(FuncTorchInterpreter):
    """A level of forward mode."""

    _kind = TransformType.Jvp

    def prev_fwd_grad_mode(self):
        """Whether tangents are computed outside."""
        return self._level.fwd_grad_mode

    _entered = prev_fwd_grad_mode


class FunctionalizeInterpreter(FuncTorchInterpreter):
    """A level of `functionalize`."""

    _kind = TransformType.Functionalize

    def get_state(self):
        """The kind and the number."""
        return self._kind.name, self.level()


_CLASSES = {
    "vmap": VmapInterpreter,
    "grad": GradInterpreter,
    "jvp": JvpInterpreter,
    "functionalize": FunctionalizeInterpreter,
}


def retrieve_all_functorch_interpreters():
    """The levels of this thread, the innermost last."""
    return [_CLASSES[level.kind](level) for level in current_levels()]


def retrieve_current_functorch_interpreter():
    """The innermost level of this thread.

    Raises
    ------
    AssertionError
        There is none.
    """
    found = retrieve_all_functorch_interpreters()
    if not found:
        raise AssertionError("interpreter must not be None")
    return found[-1]


@contextmanager
def temporarily_pop_interpreter_stack():
    """Inside, this thread is not in its innermost level."""
    with further_out_than():
        yield


@contextmanager
def temporarily_clear_interpreter_stack():
    """Inside, this thread is in no level."""
    with outside_of_levels():
        yield
