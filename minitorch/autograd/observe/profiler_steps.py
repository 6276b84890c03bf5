"""Keys that must be new, and the count of a program's steps."""

from collections import defaultdict
from warnings import warn


class EnforceUnique:
    """Raise an error for a key that was seen before.

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
        """Note a key; a RuntimeError if it is known."""
        if key in self.seen:
            raise RuntimeError("duplicate key: " + str(key))
        self.seen.add(key)


class KinetoStepTracker:
    """The step a program is in, where profilers and optimizers count steps side by side.

    The program's step is that of the one who has counted furthest.

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
        """`requester` counts from the present step on."""
        cls._step_dict[requester] = cls._current_step

    @classmethod
    def erase_step_count(cls, requester):
        """Forget `requester`; whether it was known."""
        return cls._step_dict.pop(requester, None) is not None

    @classmethod
    def increment_step(cls, requester):
        """`requester` has done a step; the program's step after it."""
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
        """The program's step."""
        return cls._current_step
