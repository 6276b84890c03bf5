"""A careless change of one file, and lists of them."""

from typing import NamedTuple


class Mutant(NamedTuple):
    file: str  # below minitorch/
    old: str
    new: str
    breaks: str
    equivalent: str = ""

    def key(self):
        return (self.file, self.old, self.new)


def of(file, *changes):
    """Return the mutants of one file."""
    return [Mutant(file, *change) for change in changes]
