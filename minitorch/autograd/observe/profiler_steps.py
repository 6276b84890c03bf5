"""Checks for duplicate keys, and the count of a program's steps."""

from collections import defaultdict
from warnings import warn


class EnforceUnique:
    """Raise an error for a key that was seen before.

    The method `see` takes a key of any number of hashable values.

    Examples
    --------
    >>> from minitorch.autograd.profiler import EnforceUnique
    >>> unique = EnforceUnique()
    >>> unique.see("a", 1)
    >>> unique.see("a", 1)
    Traceback (most recent call last):
    ...
    RuntimeError: duplicate key: ('a', 1)
    """

    def __init__(self):
        self.seen = set()

    def see(self, *key):
        """Note a key; raise RuntimeError if it was seen before."""
        if key in self.seen:
            raise RuntimeError("duplicate key: " + str(key))
        self.seen.add(key)


class KinetoStepTracker:
    """Tracks the step of a program in which profilers and optimizers count steps side by side.

    The program's step is the largest of their counts.

    The counts are ints in a dict of the class, with the name of each part as the key.

    Examples
    --------
    >>> from minitorch.autograd.profiler import KinetoStepTracker
    >>> KinetoStepTracker.init_step_count("mine")
    >>> before = KinetoStepTracker.current_step()
    >>> KinetoStepTracker.increment_step("mine") - before
    1
    >>> KinetoStepTracker.erase_step_count("mine")
    True
    """

    _current_step = 0
    _step_dict: defaultdict[str, int] = defaultdict(int)

    @classmethod
    def init_step_count(cls, requester):
        """Start the count of `requester` at the current step."""
        cls._step_dict[requester] = cls._current_step

    @classmethod
    def erase_step_count(cls, requester):
        """Remove `requester`; return whether it was registered."""
        return cls._step_dict.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester):
        """Count one step of `requester`; return the program's step."""
        if requester not in cls._step_dict:
            cls.init_step_count(requester)
        cls._step_dict[requester] += 1
        furthest = max(cls._step_dict.values())
        if furthest > cls._current_step + 1:
            warn(
                "Profiler step count has increased more than 1 - current_step = "
                f"{cls._current_step} step dict =  {cls._step_dict}",
                stacklevel=2,
            )
        cls._current_step = max(furthest, cls._current_step)
        return cls._current_step

    @classmethod
    def current_step(cls):
        """Return the program's step."""
        return cls._current_step
