"""Dictionaries keyed by tensor identity that do not keep the tensors alive.

Examples
--------
>>> import minitorch as torch
>>> from minitorch.utils.weak import WeakTensorKeyDictionary
>>> x = torch.ones(2)
>>> names = WeakTensorKeyDictionary({x: "x"})
>>> names[x], torch.ones(2) in names
('x', False)
>>> del x
>>> len(names)
0
"""

import weakref
from collections.abc import MutableMapping
from copy import deepcopy

from minitorch._tensor import Tensor

__all__ = [
    "TensorWeakRef",
    "WeakIdKeyDictionary",
    "WeakIdRef",
    "WeakRef",
    "WeakTensorKeyDictionary",
]

WeakRef = weakref.ref


class _Ref(weakref.ref):
    """A weak reference that compares equal to another if `_key_of` of both objects is equal."""

    __slots__ = ("_id",)

    def __init__(self, key, callback=None):
        super().__init__(key, callback)
        self._id = self._key_of(key)

    def __hash__(self):
        return self._id

    def __eq__(self, other):
        ours, theirs = self(), other()
        if ours is None or theirs is None:
            # if an object is gone, compare the references themselves
            return self is other
        return self._key_of(ours) == self._key_of(theirs)


class WeakIdRef(_Ref):
    """A weak reference that compares by the identity of the object, not by its ``==``."""

    __slots__ = ()
    _key_of = staticmethod(id)


class _WeakHashRef(_Ref):
    """A weak reference that compares by the hash of the object."""

    __slots__ = ()
    _key_of = staticmethod(hash)


class WeakIdKeyDictionary(MutableMapping):
    """A dictionary with weak references as keys; an item is removed with its key."""

    def __init__(self, dict=None, ref_type=WeakIdRef):
        self.data = {}
        self.ref_type = ref_type
        data = self.data
        self._remove = lambda reference: data.pop(reference, None)
        if dict is not None:
            self.update(dict)

    def __getitem__(self, key):
        return self.data[self.ref_type(key)]

    def __setitem__(self, key, value):
        self.data[self.ref_type(key, self._remove)] = value

    def __delitem__(self, key):
        del self.data[self.ref_type(key)]

    def __contains__(self, key):
        try:
            return self.ref_type(key) in self.data
        except TypeError:
            return False

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        # a copy, since items may be removed during iteration
        for reference in list(self.data):
            key = reference()
            if key is not None:
                yield key

    def __repr__(self):
        return f"<{self.__class__.__name__} at {id(self):#x}>"

    def keyrefs(self):
        """Return the references to the keys as a list."""
        return list(self.data)

    def pop(self, key, *args):
        """Remove an item and return its value, or the default if the key is missing."""
        return self.data.pop(self.ref_type(key), *args)

    def update(self, dict=None, **kwargs):
        """Set items from a mapping or pairs, and from keyword arguments."""
        super().update(() if dict is None else dict, **kwargs)

    def copy(self):
        """Return a shallow copy."""
        return WeakIdKeyDictionary(self, self.ref_type)

    __copy__ = copy

    def __deepcopy__(self, memo):
        new = self.__class__()
        for key, value in self.items():
            new[key] = deepcopy(value, memo)
        return new

    def __or__(self, other):
        if not hasattr(other, "items"):
            return NotImplemented
        new = self.copy()
        new.update(other)
        return new

    def __ror__(self, other):
        if not hasattr(other, "items"):
            return NotImplemented
        new = self.__class__(other)
        new.update(self)
        return new

    def __ior__(self, other):
        self.update(other)
        return self

    def __eq__(self, other):
        if not hasattr(other, "items"):
            return NotImplemented
        return {id(k): v for k, v in self.items()} == {id(k): v for k, v in other.items()}


WeakTensorKeyDictionary = WeakIdKeyDictionary


class TensorWeakRef:
    """A weak reference to a tensor."""

    def __init__(self, tensor):
        if not isinstance(tensor, Tensor):
            raise AssertionError(f"expected torch.Tensor, got {type(tensor)}")
        self.ref = weakref.ref(tensor)

    def __call__(self):
        return self.ref()
