"""`Stateful`: what `save` and `load` ask for its own state."""

from typing import Any, Protocol, runtime_checkable

__all__ = ["Stateful"]


@runtime_checkable
class Stateful(Protocol):
    """An object with `state_dict` and `load_state_dict`; in a state dict, `save` and `load` call them.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.distributed.checkpoint import Stateful
    >>> isinstance(torch.nn.Linear(1, 1), Stateful)
    True
    """

    def state_dict(self) -> dict[str, Any]:
        """Return the state as a dict."""
        ...

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state that `state_dict` returned.

        Parameters
        ----------
        state_dict : dict
        """
        ...
