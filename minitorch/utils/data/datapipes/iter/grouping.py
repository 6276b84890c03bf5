"""Datapipes that batch, unbatch and group elements."""

from collections import defaultdict

from minitorch.utils.data.datapipes._decorator import functional_datapipe
from minitorch.utils.data.datapipes.datapipe import DataChunk, IterDataPipe
from minitorch.utils.data.datapipes.utils.batching import Batching
from minitorch.utils.data.datapipes.utils.common import _check_unpickable_fn

__all__ = ["BatcherIterDataPipe", "GrouperIterDataPipe", "UnBatcherIterDataPipe"]


@functional_datapipe("batch")
class BatcherIterDataPipe(Batching, IterDataPipe):
    """A datapipe of batches of `batch_size` elements.

    Parameters
    ----------
    datapipe : IterDataPipe
    batch_size : int
    drop_last : bool, default False
        Drop the last batch if it is shorter.
    wrapper_class : type, default DataChunk
    """

    def __iter__(self):
        batch = []
        for element in self.datapipe:
            batch.append(element)
            if len(batch) == self.batch_size:
                yield self.wrapper_class(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.wrapper_class(batch)


@functional_datapipe("unbatch")
class UnBatcherIterDataPipe(IterDataPipe):
    """A datapipe of the elements of batches nested `unbatch_level` deep; -1 for any depth.

    Parameters
    ----------
    datapipe : IterDataPipe
    unbatch_level : int, default 1
    """

    def __init__(self, datapipe, unbatch_level=1):
        self.datapipe = datapipe
        self.unbatch_level = unbatch_level

    def __iter__(self):
        for element in self.datapipe:
            yield from self._taken_apart(element, self.unbatch_level)

    def _taken_apart(self, element, level):
        if level < -1:
            raise ValueError("unbatch_level must be -1 or >= 0")
        is_batch = isinstance(element, (list, DataChunk))
        if level == 0 or (level == -1 and not is_batch):
            yield element
        elif not is_batch:
            raise IndexError(
                f"unbatch_level {self.unbatch_level} exceeds the depth of the DataPipe"
            )
        else:
            for item in element:
                yield from self._taken_apart(item, level if level == -1 else level - 1)


@functional_datapipe("groupby")
class GrouperIterDataPipe(IterDataPipe):
    """A datapipe of batches of elements that have the same key.

    A group is yielded when it has `group_size` elements. When the buffer is full, the largest group
    is yielded; at the end, all remaining groups are.

    Parameters
    ----------
    datapipe : IterDataPipe
    group_key_fn : callable
        Returns the key of an element.
    keep_key : bool, default False
        Yield pairs of key and group.
    buffer_size : int, default 10000
        How many elements may be buffered.
    group_size : int, optional
        The maximum size of a group.
    guaranteed_group_size : int, optional
        The minimum size of a group yielded from a full buffer; by default `group_size`.
    drop_remaining : bool, default False
        Drop a smaller group from a full buffer instead of raising.

    Raises
    ------
    RuntimeError
        If the buffer is full and no group is large enough.

    Examples
    --------
    >>> from minitorch.utils.data.datapipes.iter import IterableWrapper
    >>> list(IterableWrapper(["a1", "b1", "a2"]).groupby(min))
    [['a1', 'b1'], ['a2']]
    """

    def __init__(
        self,
        datapipe,
        group_key_fn,
        *,
        keep_key=False,
        buffer_size=10000,
        group_size=None,
        guaranteed_group_size=None,
        drop_remaining=False,
    ):
        _check_unpickable_fn(group_key_fn)
        self.datapipe = datapipe
        self.group_key_fn = group_key_fn
        self.keep_key = keep_key
        self.max_buffer_size = buffer_size
        self.group_size = group_size
        self.guaranteed_group_size = None
        if group_size is not None and buffer_size is not None:
            if not 0 < group_size <= buffer_size:
                raise AssertionError("group_size must be > 0 and <= buffer_size")
            self.guaranteed_group_size = group_size
        if guaranteed_group_size is not None:
            if group_size is None or not 0 < guaranteed_group_size <= group_size:
                raise AssertionError(
                    "guaranteed_group_size must be > 0 and <= group_size and group_size must be set"
                )
            self.guaranteed_group_size = guaranteed_group_size
        self.drop_remaining = drop_remaining
        self.wrapper_class = DataChunk
        self._restart()

    def _restart(self):
        self.curr_buffer_size = 0
        self.buffer_elements = defaultdict(list)

    def reset(self):
        self._restart()

    def _remove(self, key):
        group = self.buffer_elements.pop(key)
        self.curr_buffer_size -= len(group)
        return group

    def _remove_biggest(self):
        """Remove and return the largest group, or None if it is too small and may be dropped."""
        key = max(self.buffer_elements, key=lambda key: len(self.buffer_elements[key]))
        group, least = self.buffer_elements[key], self.guaranteed_group_size
        enough = least is None or len(group) >= least
        if not enough and not self.drop_remaining:
            raise RuntimeError("Failed to group items", str(group))
        self._remove(key)
        return group if enough else None

    def _given(self, key, group):
        group = self.wrapper_class(group)
        return (key, group) if self.keep_key else group

    def __iter__(self):
        for element in self.datapipe:
            key = self.group_key_fn(element)
            self.buffer_elements[key].append(element)
            self.curr_buffer_size += 1
            if self.group_size == len(self.buffer_elements[key]):
                yield self._given(key, self.buffer_elements[key])
                self._remove(key)
            if self.curr_buffer_size == self.max_buffer_size:
                group = self._remove_biggest()
                if group is not None:
                    # with the key of the element that filled the buffer, as in PyTorch
                    yield self._given(key, group)
        for key in tuple(self.buffer_elements):
            yield self._given(key, self._remove(key))

    _kept = (
        "datapipe",
        "group_key_fn",
        "keep_key",
        "max_buffer_size",
        "group_size",
        "guaranteed_group_size",
        "drop_remaining",
        "wrapper_class",
        "_valid_iterator_id",
        "_number_of_samples_yielded",
    )

    def __getstate__(self):
        return self._hooked_state(tuple(getattr(self, name) for name in self._kept))

    def __setstate__(self, state):
        self.__dict__.update(zip(self._kept, state, strict=True))
        self._restart()
