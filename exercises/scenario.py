"""Scenarios: what an assignment's code is asked to do, and the values that are seen.

A scenario is a generator function. It gets the package, the module under test and a source of
drawn values, and yields what it sees as pairs of a label and a plain value:

    @scenario(points=4, idea="A node waits for all edges that lead to it.")
    def a_diamond_adds_up_both_paths(torch, piece, draw):
        x = torch.tensor(draw.integers(1, 9, 3), dtype=torch.float64, requires_grad=True)
        y = x * draw.integer(2, 5)
        (y + y * x).sum().backward()
        yield "gradient of x", x.grad

No scenario judges. The values leave the sandbox as JSON. Outside, where a submission never runs,
they are compared with the values that the reference gave for the same seed. So a value must depend
on what was drawn, and a single boolean says too little to be believed: `check` rejects both.
"""

import json
import math
import random
from dataclasses import dataclass


@dataclass
class Scenario:
    """One scenario and what it is worth.

    Attributes
    ----------
    function : callable
        ``function(torch, piece, draw)`` yields pairs of a label and a value.
    points : float
    idea : str
        What to think about if it fails; one sentence.
    page : str or None
        The page of the site that explains it; by default the assignment's first.
    hidden : bool
        Whether only the teacher has it.
    tolerance : float
        The relative error that a floating-point value may have.
    seconds : float
        The wall time it may take.
    cost : float or None
        If given, the processor time it may take, as a multiple of what the reference took.
    baseline : bool
        Whether `cost` is a multiple of what the scenario takes with ``baseline()`` of the tests as
        its piece. That runs in the same worker, right before. So both are measured by the same
        clock, outside the process of the submission, and under the same load. What seems too slow
        is measured again, since other programs may disturb a measurement.
    """

    function: object
    points: float
    idea: str
    page: str = None
    hidden: bool = False
    tolerance: float = 1e-9
    seconds: float = 10
    cost: float = None
    baseline: bool = False

    @property
    def name(self):
        return self.function.__name__


def scenario(**options):
    """Turn a generator function into a `Scenario`; see there for the options."""
    return lambda function: Scenario(function, **options)


def scenarios_of(namespace):
    """Return the scenarios in the namespace of a section, by name and in order."""
    return {s.name: s for s in namespace.values() if isinstance(s, Scenario)}


class Draw:
    """Random inputs, as plain numbers and nested lists."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def integer(self, low, high):
        """Draw one integer from `low` to `high`, both included."""
        return self.random.randint(low, high)

    def integers(self, low, high, *shape):
        """Draw nested lists of integers."""
        return self._fill(lambda: self.random.randint(low, high), shape)

    def floats(self, *shape, low=-2.0, high=2.0):
        """Draw nested lists of multiples of 1/64, so that sums are exact in any order."""
        return self._fill(lambda: self.random.randint(int(low * 64), int(high * 64)) / 64, shape)

    def choice(self, options):
        """Draw one of the options."""
        return self.random.choice(options)

    def shuffled(self, items):
        """Return the items in a drawn order."""
        items = list(items)
        self.random.shuffle(items)
        return items

    def _fill(self, make, shape):
        if not shape:
            return make()
        return [self._fill(make, shape[1:]) for _ in range(shape[0])]


def error_of(call, *arguments, **keywords):
    """Call something that should fail, and return the type and message of its exception."""
    try:
        call(*arguments, **keywords)
    except Exception as error:  # noqa: BLE001 (whatever it raises is what was seen)
        return [type(error).__name__, str(error)]
    return None


def plain(value, depth=0):
    """Return a value as JSON can hold it; tensors become their dtype, shape and numbers."""
    if depth > 50:
        raise ValueError("nested too deeply to be sent")
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if type(value) is complex:
        return {"complex": [plain(value.real), plain(value.imag)]}
    # not the methods of a subclass, which are the student's and would run outside of all guards
    if isinstance(value, list | tuple):
        items = list if isinstance(value, list) else tuple
        return [plain(item, depth + 1) for item in items.__iter__(value)]
    if isinstance(value, dict):
        return {"dict": [[plain(k), plain(v, depth + 1)] for k, v in dict.items(value)]}
    if hasattr(value, "detach"):
        value = value.detach()
        return {
            "tensor": str(value.dtype).rpartition(".")[2],
            "shape": list(value.shape),
            "data": plain(value.tolist(), depth + 1),
        }
    raise TypeError(f"a {type(value).__name__} cannot be sent; yield plain values and tensors")


def encode(pairs):
    """Return the JSON text of a list of observations."""
    return json.dumps([[str(label), plain(value)] for label, value in pairs], allow_nan=False)


def differs(seen, expected, tolerance):
    """Return whether a decoded value differs from the expected one."""
    if type(expected) is float and type(seen) in (int, float):
        try:
            return not math.isclose(seen, expected, rel_tol=tolerance, abs_tol=tolerance)
        except OverflowError:  # an integer that no float can hold
            return True
    if type(seen) is not type(expected):
        return True
    if isinstance(expected, list):
        return len(seen) != len(expected) or any(
            differs(s, e, tolerance) for s, e in zip(seen, expected, strict=True)
        )
    if isinstance(expected, dict):
        return seen.keys() != expected.keys() or any(
            differs(seen[k], expected[k], tolerance) for k in expected
        )
    return seen != expected
