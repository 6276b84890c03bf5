"""Types for TorchScript's annotations."""

from typing import Any, List, Optional, Tuple  # noqa: F401, UP035 (programs import them from here)

__all__ = ["BroadcastingList1", "BroadcastingList2", "BroadcastingList3"]


class BroadcastingListCls:
    """Annotation of a list of fixed length or a single value: ``BroadcastingList2[int]``."""

    def __getitem__(self, types):
        return None


BroadcastingList1 = BroadcastingListCls()
BroadcastingList2 = BroadcastingListCls()
BroadcastingList3 = BroadcastingListCls()
