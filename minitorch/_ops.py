"""The names of ``torch._ops`` that programs use."""

from minitorch._dispatch import modes as _modes
from minitorch._dispatch.key_sets import DispatchKey
from minitorch._dispatch.key_sets import is_included_in_alias as _is_included_in_alias
from minitorch._dispatch.operators import (
    OperatorBase,
    OpOverload,
    OpOverloadPacket,
    _OpNamespace,  # noqa: F401
    _Ops,  # noqa: F401
    ops,
)
from minitorch.namespace.absent import Absent

__all__ = ["DispatchKey", "HigherOrderOperator", "OpOverload", "OpOverloadPacket", "ops"]


class HigherOrderOperator(Absent, OperatorBase):
    """An operator that takes functions; not supported."""


class TorchBindOpOverload(Absent):
    """An overload that takes objects of compiled classes; not supported."""


def is_included_in_alias(k, alias):
    """Return whether a kernel registered for `alias` also applies to `k`."""
    return k is alias or _is_included_in_alias(k, alias)


def _len_torch_dispatch_stack_pre_dispatch():
    return sum(
        getattr(mode, "_dispatch_key", None) is DispatchKey.PreDispatch for mode in _modes.stack()
    )
