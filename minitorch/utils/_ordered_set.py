"""`OrderedSet`: a set that remembers the order in which its elements came."""

from collections.abc import Iterable, MutableSet, Set

__all__ = ["OrderedSet"]


class OrderedSet(MutableSet):
    """A set whose elements are iterated over in the order of insertion.

    Parameters
    ----------
    iterable : iterable, optional

    Examples
    --------
    >>> from minitorch.utils._ordered_set import OrderedSet
    >>> OrderedSet([3, 1, 3]) | [2]
    OrderedSet([3, 1, 2])
    """

    __slots__ = ("_dict",)

    def __init__(self, iterable=None):
        self._dict = dict.fromkeys(iterable) if iterable is not None else {}

    @staticmethod
    def _from_dict(elements):
        made = OrderedSet()
        made._dict = elements
        return made

    def __contains__(self, elem):
        return elem in self._dict

    def __iter__(self):
        return iter(self._dict)

    def __reversed__(self):
        return reversed(self._dict)

    def __len__(self):
        return len(self._dict)

    def __repr__(self):
        return f"{self.__class__.__name__}({list(self)})"

    def __getstate__(self):
        return list(self)

    def __setstate__(self, state):
        self._dict = dict.fromkeys(state)

    def add(self, elem):
        """Put an element at the end, unless it is there."""
        self._dict[elem] = None

    def discard(self, elem):
        """Take an element out, if it is there."""
        self._dict.pop(elem, None)

    def clear(self):
        """Take all out."""
        self._dict.clear()

    def pop(self):
        """Remove and return the last element.

        Raises
        ------
        KeyError
            There is none.
        """
        if not self._dict:
            raise KeyError("pop from an empty set")
        return self._dict.popitem()[0]

    def copy(self):
        """Another one with the same elements."""
        return OrderedSet._from_dict(self._dict.copy())

    def union(self, *others):
        """Return the union with the others."""
        made = self.copy()
        made.update(*others)
        return made

    def update(self, *others):
        """Put the elements of the others at the end."""
        for other in others:
            self._dict.update(dict.fromkeys(other))

    def intersection(self, *others):
        """Return the intersection with the others."""
        others = [set(other) for other in others]
        return OrderedSet(e for e in self if all(e in other for other in others))

    def intersection_update(self, *others):
        """Leave the elements that all others have."""
        self._dict = self.intersection(*others)._dict

    def difference(self, *others):
        """Return the elements that are in none of the others."""
        without = set().union(*others)
        return OrderedSet(e for e in self if e not in without)

    def difference_update(self, *others):
        """Leave the elements that no other has."""
        self._dict = self.difference(*others)._dict

    def symmetric_difference(self, other):
        """Return the elements that are in exactly one of the two sets."""
        return self ^ OrderedSet(other)

    def symmetric_difference_update(self, other):
        """Leave the elements that one of the two has, and put in the other's."""
        self._dict = self.symmetric_difference(other)._dict

    def issubset(self, other):
        """Return True if all elements are in the other."""
        return self <= _as_set(other)

    def issuperset(self, other):
        """Return True if all elements of the other are in this set."""
        return self >= _as_set(other)

    def _operand(self, other):
        return isinstance(other, Iterable)

    def __or__(self, other):
        return self.union(other) if self._operand(other) else NotImplemented

    def __ior__(self, other):
        self.update(other)
        return self

    def __and__(self, other):
        return self.intersection(other) if self._operand(other) else NotImplemented

    def __sub__(self, other):
        return self.difference(other) if self._operand(other) else NotImplemented

    def __xor__(self, other):
        if not self._operand(other):
            return NotImplemented
        other = OrderedSet(other)
        return (self - other) | (other - self)


def _as_set(iterable):
    return iterable if isinstance(iterable, Set) else OrderedSet(iterable)
