"""The line search of L-BFGS: a length that satisfies the strong Wolfe conditions.

The loss along the direction has fallen enough (`falls`), and its slope is nearly gone (`flat`). The first
lengths grow until two of them must have such a length between them (`grow`: Nocedal and Wright, algorithm
3.5); then the interval is narrowed (`narrow`: algorithm 3.6). Both guess the next length by a cubic.
"""

from typing import NamedTuple

from minitorch._tensor import Tensor


class _Point(NamedTuple):
    """What is known at one length along the direction."""

    length: object
    loss: float
    grad: Tensor
    slope: object


class _Interval(NamedTuple):
    """Two points with the wanted length between them; of equal ones, the first found is the best."""

    best: _Point
    other: _Point
    best_is_first: bool

    @classmethod
    def of(cls, first, second):
        """The interval of two points in the order they were found."""
        if first.loss <= second.loss:
            return cls(first, second, True)
        return cls(second, first, False)

    def with_other(self, point):
        """The interval with a point in the place of the worse one."""
        return self.of(self.best, point) if self.best_is_first else self.of(point, self.best)

    @property
    def ends(self):
        """The shorter and the longer length."""
        lengths = self.best.length, self.other.length
        return min(lengths), max(lengths)


def _cubic_minimum(a, b, low, high):
    """Where the cubic through two points with their slopes is least, between two bounds."""
    if a.length > b.length:
        a, b = b, a
    mean = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.length - b.length)
    square = mean**2 - a.slope * b.slope
    if not square >= 0:
        return (low + high) / 2.0
    root = square.sqrt()
    share = (b.slope + root - mean) / (b.slope - a.slope + 2 * root)
    return min(max(b.length - (b.length - a.length) * share, low), high)


class _Search:
    """One search: the conditions at its start, and how often it has looked."""

    def __init__(self, evaluate, direction, start, c1, c2, max_ls):
        self.evaluate, self.direction = evaluate, direction
        self.start = _Point(0, *start)
        self.c1, self.c2 = c1, c2
        # the first look is not counted among them
        self.evaluations, self.left = 0, max_ls + 1

    def look(self, length):
        """The point at a length."""
        self.evaluations += 1
        self.left -= 1
        loss, grad = self.evaluate(length)
        return _Point(length, loss, grad, grad.dot(self.direction))

    def falls(self, point):
        """Whether the loss is as low as the first slope, by a share of it, lets expect."""
        return not point.loss > self.start.loss + self.c1 * point.length * self.start.slope

    def flat(self, point):
        """Whether the slope is a share of the first one or less."""
        return abs(point.slope) <= -self.c2 * self.start.slope

    def grow(self, length):
        """Look further and further: the point that was sought, or an interval."""
        before, point = self.start, self.look(length)
        while self.left > 0:
            # of the first two lengths, only the conditions are asked
            rises = self.evaluations > 2 and point.loss >= before.loss
            if rises or not self.falls(point):
                return _Interval.of(before, point)
            if self.flat(point):
                return point
            if point.slope >= 0:
                return _Interval.of(before, point)
            least = point.length + 0.01 * (point.length - before.length)
            length = _cubic_minimum(before, point, least, point.length * 10)
            before, point = point, self.look(length)
        return _Interval.of(self.start, point)

    def narrow(self, interval, tolerance):
        """Look between the ends of an interval: the point that was sought, or the best one."""
        size, near_end = self.direction.abs().max(), False
        while self.left > 0:
            low, high = interval.ends
            if (high - low) * size < tolerance:
                break
            length, near_end = _between(interval, near_end)
            point, best, other = self.look(length), interval.best, interval.other
            if point.loss >= best.loss or not self.falls(point):
                interval = interval.with_other(point)
            elif self.flat(point):
                return point
            else:
                # the slope says on which side of the point the minimum is
                beyond = point.slope * (other.length - best.length) >= 0
                interval = _Interval(point, best if beyond else other, interval.best_is_first)
        return interval.best


def _between(interval, near_end):
    """The next length, and whether the guess was near an end, as the last one may have been."""
    low, high = interval.ends
    length, margin = _cubic_minimum(interval.best, interval.other, low, high), 0.1 * (high - low)
    if not min(high - length, length - low) < margin:
        return length, False
    if not near_end and low < length < high:
        return length, True
    return (high - margin if high - length < length - low else low + margin), False


def strong_wolfe(evaluate, length, direction, start, c1=1e-4, c2=0.9, tolerance=1e-9, max_ls=25):
    """Search a length.

    Parameters
    ----------
    evaluate : callable
        ``evaluate(length)`` gives loss and gradient there.
    length : float or Tensor
        The first length to try.
    direction : Tensor
        Where to go.
    start : (float, Tensor, Tensor)
        Loss, gradient and slope at length 0.
    c1, c2 : float
        The decrease asked for, and how far the slope must have flattened.
    tolerance : float
        The least width of the interval.
    max_ls : int
        The most evaluations after the first.

    Returns
    -------
    (float, Tensor, length, int)
        Loss, gradient, length, and the number of evaluations.
    """
    search = _Search(evaluate, direction, start, c1, c2, max_ls)
    found = search.grow(length)
    if isinstance(found, _Interval):
        found = search.narrow(found, tolerance)
    return found.loss, found.grad, found.length, search.evaluations


def _cubic_interpolate(x1, f1, g1, x2, f2, g2, bounds=None):
    """`_cubic_minimum` as line searches of packages call it: of two lengths, losses and slopes."""
    a, b = _Point(x1, f1, None, g1), _Point(x2, f2, None, g2)
    return _cubic_minimum(a, b, *(bounds if bounds is not None else (min(x1, x2), max(x1, x2))))


def _strong_wolfe(obj_func, x, t, d, f, g, gtd, c1=1e-4, c2=0.9, tolerance_change=1e-9, max_ls=25):
    """`strong_wolfe` as packages call it: the function is also given the point and the direction."""

    def evaluate(length):
        return obj_func(x, length, d)

    return strong_wolfe(evaluate, t, d, (f, g, gtd), c1, c2, tolerance_change, max_ls)
