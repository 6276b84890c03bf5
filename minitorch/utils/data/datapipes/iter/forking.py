"""Datapipes with several children: with `fork` each child gets all elements, with `demux` a part of them.

Both buffer elements that one child has read past and another child still needs.
"""

import copy as copying
import warnings
from abc import ABC, abstractmethod
from collections import deque

from minitorch.utils.data.datapipes._decorator import functional_datapipe
from minitorch.utils.data.datapipes._hook_iterator import _SnapshotState
from minitorch.utils.data.datapipes.datapipe import IterDataPipe
from minitorch.utils.data.datapipes.utils.common import StreamWrapper, _check_unpickable_fn

__all__ = ["DemultiplexerIterDataPipe", "ForkerIterDataPipe"]


def _no_op(x):
    return x


_COPIES = {None: _no_op, "shallow": copying.copy, "deep": copying.deepcopy}


def _check_number(num_instances):
    if num_instances < 1:
        raise ValueError(f"Expected `num_instances` larger than 0, but {num_instances} is found")


@functional_datapipe("fork")
class ForkerIterDataPipe(IterDataPipe):
    """A list of datapipes that each yield all elements of the source.

    Parameters
    ----------
    datapipe : IterDataPipe
    num_instances : int
        The number of datapipes; for 1, the source itself is returned instead of a list.
    buffer_size : int, default 1000
        How many elements the fastest may be ahead of the slowest; -1 for any number.
    copy : {"shallow", "deep"}, optional
        Yield copies of the elements.

    Examples
    --------
    >>> from minitorch.utils.data.datapipes.iter import IterableWrapper
    >>> first, second = IterableWrapper(range(3)).fork(2)
    >>> list(first), list(second)
    ([0, 1, 2], [0, 1, 2])
    """

    def __new__(cls, datapipe, num_instances, buffer_size=1000, copy=None):
        _check_number(num_instances)
        if num_instances == 1:
            return datapipe
        container = _ForkerIterDataPipe(datapipe, num_instances, buffer_size, copy)
        return [_ChildDataPipe(container, child) for child in range(num_instances)]


@functional_datapipe("demux")
class DemultiplexerIterDataPipe(IterDataPipe):
    """A list of datapipes; a function returns, for each element, the index of the datapipe that yields it.

    Parameters
    ----------
    datapipe : IterDataPipe
    num_instances : int
    classifier_fn : callable
    drop_none : bool, default False
        Drop the elements for which the function returns None.
    buffer_size : int, default 1000
        How many elements may be buffered; -1 for any number.

    Examples
    --------
    >>> from minitorch.utils.data.datapipes.iter import IterableWrapper
    >>> even, odd = IterableWrapper(range(5)).demux(2, (1).__and__)
    >>> list(even), list(odd)
    ([0, 2, 4], [1, 3])
    """

    def __new__(cls, datapipe, num_instances, classifier_fn, drop_none=False, buffer_size=1000):
        _check_number(num_instances)
        _check_unpickable_fn(classifier_fn)
        container = _DemultiplexerIterDataPipe(
            datapipe, num_instances, classifier_fn, drop_none, buffer_size
        )
        return [_ChildDataPipe(container, child) for child in range(num_instances)]


class _ContainerTemplate(ABC):
    """The interface of containers of child pipes."""

    @abstractmethod
    def get_next_element_by_instance(self, instance_id):
        """Iterate over the elements of a child."""

    @abstractmethod
    def is_every_instance_exhausted(self):
        """Return True if all children are exhausted."""

    @abstractmethod
    def reset(self):
        """Start again from the beginning of the source."""

    @abstractmethod
    def get_length_by_instance(self, instance_id):
        """Return the length of a child."""


class _Container(IterDataPipe, _ContainerTemplate):
    """The source of several children, and which of them are exhausted."""

    _kept: tuple[str, ...] = ()  # the attributes that are pickled

    def __init__(self, datapipe, num_instances, buffer_size):
        self.main_datapipe = datapipe
        self.num_instances = num_instances
        self.buffer_size = buffer_size
        self._restart()
        if buffer_size < 0:
            warnings.warn(
                f"Unlimited buffer size is set for `{self._name}`, please be aware of OOM at random places",
                UserWarning,
                stacklevel=3,
            )

    def _restart(self):
        self._datapipe_iterator = None
        self._child_stop = [True] * self.num_instances

    def _begin(self, instance_id):
        """Begin a pass over the source unless one is running; return whether it was begun."""
        if self._datapipe_iterator is not None or not self._child_stop[instance_id]:
            return False
        self._datapipe_iterator = iter(self.main_datapipe)
        self._snapshot_state = _SnapshotState.Iterating
        self._child_stop = [False] * self.num_instances
        return True

    def reset(self):
        self._restart()

    def __getstate__(self):
        state = tuple(getattr(self, name) for name in self._kept)
        return self._hooked_state(
            (*state, self._valid_iterator_id, self._number_of_samples_yielded)
        )

    def __setstate__(self, state):
        names = (*self._kept, "_valid_iterator_id", "_number_of_samples_yielded")
        self.__dict__.update(zip(names, state, strict=True))
        self._restart()

    def __del__(self):
        self._cleanup()


class _ForkerIterDataPipe(_Container):
    """The container of `fork`; its buffer holds the elements between the slowest and the fastest child."""

    _name = "fork"
    _kept = ("main_datapipe", "num_instances", "buffer_size", "copy_fn")

    def __init__(self, datapipe, num_instances, buffer_size=1000, copy=None):
        super().__init__(datapipe, num_instances, buffer_size)
        if copy not in _COPIES:
            raise ValueError(
                f"Unknown copy method `{copy}` requested, choose one of None, `shallow` or `deep`."
            )
        self.copy_fn = _COPIES[copy]

    def _restart(self):
        super()._restart()
        self.buffer = deque()
        self.child_pointers = [0] * self.num_instances
        self.slowest_ptr = 0
        self.leading_ptr = 0
        self.end_ptr = None

    def __len__(self):
        return len(self.main_datapipe)

    def get_length_by_instance(self, instance_id):
        """Return the length of the source."""
        return len(self.main_datapipe)

    def is_every_instance_exhausted(self):
        """Return True if all children are exhausted."""
        return self.end_ptr is not None and all(self._child_stop)

    def _take(self, instance_id):
        """Return the next element of a child; raise StopIteration at its end."""
        self.child_pointers[instance_id] += 1
        place = self.child_pointers[instance_id]
        if place == self.end_ptr:
            raise StopIteration
        if self.buffer and place <= self.leading_ptr:
            element = self.buffer[place - self.slowest_ptr - 1]
        else:
            self.leading_ptr = place
            try:
                element = next(self._datapipe_iterator)
            except StopIteration:
                self._datapipe_iterator = None
                self.end_ptr = place
                raise
            self.buffer.append(element)
        if place == self.slowest_ptr + 1 and min(self.child_pointers) > self.slowest_ptr:
            self.slowest_ptr += 1
            self.buffer.popleft()
        if 0 <= self.buffer_size < self.leading_ptr - self.slowest_ptr:
            raise BufferError(
                f"ForkerIterDataPipe buffer overflow,buffer size {self.buffer_size} is insufficient."
            )
        return element

    def get_next_element_by_instance(self, instance_id):
        """Iterate over the elements of a child."""
        self._begin(instance_id)
        try:
            while not self._child_stop[instance_id]:
                try:
                    element = self._take(instance_id)
                except StopIteration:
                    return
                yield self.copy_fn(element)
        finally:
            self._child_stop[instance_id] = True
            if all(self._child_stop):
                self._datapipe_iterator = None
                self._cleanup()

    def _cleanup(self):
        while self.buffer:
            StreamWrapper.close_streams(self.buffer.popleft())


class _DemultiplexerIterDataPipe(_Container):
    """The container of `demux`, with a buffer for each child."""

    _name = "demux"
    _kept = ("main_datapipe", "num_instances", "buffer_size", "classifier_fn", "drop_none")

    def __init__(self, datapipe, num_instances, classifier_fn, drop_none, buffer_size):
        super().__init__(datapipe, num_instances, buffer_size)
        self.classifier_fn = classifier_fn
        self.drop_none = drop_none

    def _restart(self):
        super()._restart()
        self.current_buffer_usage = 0
        self.child_buffers = [deque() for _ in range(self.num_instances)]
        self.main_datapipe_exhausted = False

    def get_length_by_instance(self, instance_id):
        """Raise TypeError: the lengths of the children are unknown."""
        raise TypeError

    def is_every_instance_exhausted(self):
        """Return True if all children are exhausted."""
        return self.main_datapipe_exhausted and all(self._child_stop)

    def _find_next(self, instance_id):
        """Return the next element for a child, and buffer the elements for other children."""
        while True:
            if self.main_datapipe_exhausted or self._child_stop[instance_id]:
                raise StopIteration
            if self._datapipe_iterator is None:
                raise ValueError(
                    "_datapipe_iterator has not been set, likely because this private method is called "
                    "directly without invoking get_next_element_by_instance() first."
                )
            element = next(self._datapipe_iterator)
            child = self.classifier_fn(element)
            if child is None and self.drop_none:
                StreamWrapper.close_streams(element)
                continue
            if child is None or not 0 <= child < self.num_instances:
                raise ValueError(
                    f"Output of the classification fn should be between 0 and {self.num_instances - 1}. "
                    f"{child} is returned."
                )
            if child == instance_id:
                return element
            self.child_buffers[child].append(element)
            self.current_buffer_usage += 1
            if 0 <= self.buffer_size < self.current_buffer_usage:
                raise BufferError(
                    "DemultiplexerIterDataPipe buffer overflow, buffer size "
                    f"{self.buffer_size} is insufficient."
                )

    def get_next_element_by_instance(self, instance_id):
        """Iterate over the elements of a child."""
        if self._begin(instance_id):
            self.main_datapipe_exhausted = False
        waiting = self.child_buffers[instance_id]
        try:
            while not self._child_stop[instance_id]:
                if waiting:
                    self.current_buffer_usage -= 1
                    yield waiting.popleft()
                    continue
                try:
                    element = self._find_next(instance_id)
                except StopIteration:
                    self.main_datapipe_exhausted = True
                    self._datapipe_iterator = None
                    return
                yield element
        finally:
            self._child_stop[instance_id] = True
            if all(self._child_stop):
                self._datapipe_iterator = None
            if self.child_buffers[instance_id]:
                self._cleanup(instance_id)

    def _cleanup(self, instance_id=None):
        which = range(self.num_instances) if instance_id is None else [instance_id]
        for child in which:
            waiting = self.child_buffers[child]
            while waiting:
                StreamWrapper.close_streams(waiting.popleft())


class _ChildDataPipe(IterDataPipe):
    """A child of a `fork` or `demux`.

    The passes of the children have the container's number. If a child begins a pass and has that
    number already, a new pass begins for all children.
    """

    _is_child_datapipe = True

    def __init__(self, main_datapipe, instance_id):
        if not isinstance(main_datapipe, _ContainerTemplate):
            raise AssertionError("main_datapipe must implement _ContainerTemplate")
        self.main_datapipe = main_datapipe
        self.instance_id = instance_id

    def __iter__(self):
        # no generator function, so that a pass begins with the call of iter()
        return self.main_datapipe.get_next_element_by_instance(self.instance_id)

    def __len__(self):
        return self.main_datapipe.get_length_by_instance(self.instance_id)

    def _set_main_datapipe_valid_iterator_id(self):
        main = self.main_datapipe
        if main._valid_iterator_id is None:
            main._valid_iterator_id = 0
        elif main._valid_iterator_id == self._valid_iterator_id:
            main._valid_iterator_id += 1
            if not main.is_every_instance_exhausted():
                warnings.warn(
                    "Some child DataPipes are not exhausted when __iter__ is called. We are resetting "
                    "the buffer and each child DataPipe will read from the start again.",
                    UserWarning,
                    stacklevel=2,
                )
            main.reset()
        self._valid_iterator_id = main._valid_iterator_id
        return self._valid_iterator_id

    def _check_valid_iterator_id(self, iterator_id):
        return iterator_id == self._valid_iterator_id == self.main_datapipe._valid_iterator_id
