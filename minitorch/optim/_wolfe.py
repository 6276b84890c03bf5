"""The line search of L-BFGS: a step length that satisfies the strong Wolfe conditions.

The conditions are sufficient decrease of the loss (`falls`) and a small slope (`flat`). The step
length first grows until two lengths bracket an acceptable one (`grow`: Nocedal and Wright,
algorithm 3.5). Then the bracket is narrowed (`narrow`: algorithm 3.6). Both choose the next length
by cubic interpolation.
"""

from typing import NamedTuple

from minitorch._tensor import Tensor


class _Point(NamedTuple):
    """The loss, gradient and slope at one length along the direction."""

    length: object
    loss: float
    grad: Tensor
    slope: object


class _Interval(NamedTuple):
    """Two points that bracket an acceptable length.

    If their losses are equal, the first one found is the best.
    """

    best: _Point
    other: _Point
    best_is_first: bool

    @classmethod
    def of(cls, first, second):
        """Return the interval of two points, given in the order in which they were found."""
        if first.loss <= second.loss:
            return cls(first, second, True)
        return cls(second, first, False)

    def with_other(self, point):
        """Return the interval with its worse end replaced by a point."""
        return self.of(self.best, point) if self.best_is_first else self.of(point, self.best)

    @property
    def ends(self):
        """The shorter and the longer length."""
        lengths = self.best.length, self.other.length
        return min(lengths), max(lengths)


def _cubic_minimum(a, b, low, high):
    """Return the minimizer between two bounds of the cubic through two points and slopes."""
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
    """One line search: its starting point, conditions and evaluation counts."""

    def __init__(self, evaluate, direction, start, c1, c2, max_ls):
        self.evaluate, self.direction = evaluate, direction
        self.start = _Point(0, *start)
        self.c1, self.c2 = c1, c2
        # the first evaluation does not count towards `max_ls`
        self.evaluations, self.left = 0, max_ls + 1

    def look(self, length):
        """Evaluate the loss and the gradient at a length."""
        self.evaluations += 1
        self.left -= 1
        loss, grad = self.evaluate(length)
        return _Point(length, loss, grad, grad.dot(self.direction))

    def falls(self, point):
        """Return True if the loss satisfies the sufficient decrease condition."""
        return not point.loss > self.start.loss + self.c1 * point.length * self.start.slope

    def flat(self, point):
        """Return True if the slope satisfies the curvature condition."""
        return abs(point.slope) <= -self.c2 * self.start.slope

    def grow(self, length):
        """Increase the length until it is acceptable or a bracket is found, and return either."""
        before, point = self.start, self.look(length)
        while self.left > 0:
            # for the first two lengths, only the conditions are checked
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
        """Narrow a bracket and return the acceptable point, or the best one found."""
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
                # the sign of the slope determines on which side of the point the minimum is
                beyond = point.slope * (other.length - best.length) >= 0
                interval = _Interval(point, best if beyond else other, interval.best_is_first)
        return interval.best


def _between(interval, near_end):
    """Return the next length, and whether it is close to an end of the interval.

    A second guess in a row close to an end is moved away from it.
    """
    low, high = interval.ends
    length, margin = _cubic_minimum(interval.best, interval.other, low, high), 0.1 * (high - low)
    if not min(high - length, length - low) < margin:
        return length, False
    if not near_end and low < length < high:
        return length, True
    return (high - margin if high - length < length - low else low + margin), False


def strong_wolfe(evaluate, length, direction, start, c1=1e-4, c2=0.9, tolerance=1e-9, max_ls=25):
    """Search for a step length that satisfies the strong Wolfe conditions.

    Parameters
    ----------
    evaluate : callable
        ``evaluate(length)`` returns the loss and the gradient at a length.
    length : float or Tensor
        The first length to try.
    direction : Tensor
        The search direction.
    start : (float, Tensor, Tensor)
        The loss, gradient and slope at length 0.
    c1, c2 : float
        The constants of the sufficient decrease and the curvature condition.
    tolerance : float
        The width of the interval below which the search stops.
    max_ls : int
        The maximum number of evaluations after the first.

    Returns
    -------
    (float, Tensor, length, int)
        The loss, the gradient, the length and the number of evaluations.
    """
    search = _Search(evaluate, direction, start, c1, c2, max_ls)
    found = search.grow(length)
    if isinstance(found, _Interval):
        found = search.narrow(found, tolerance)
    return found.loss, found.grad, found.length, search.evaluations


def _cubic_interpolate(x1, f1, g1, x2, f2, g2, bounds=None):
    """Call `_cubic_minimum` with the signature that other packages use."""
    a, b = _Point(x1, f1, None, g1), _Point(x2, f2, None, g2)
    return _cubic_minimum(a, b, *(bounds if bounds is not None else (min(x1, x2), max(x1, x2))))


def _strong_wolfe(obj_func, x, t, d, f, g, gtd, c1=1e-4, c2=0.9, tolerance_change=1e-9, max_ls=25):
    """Call `strong_wolfe` with the signature that other packages use."""

    def evaluate(length):
        return obj_func(x, length, d)

    return strong_wolfe(evaluate, t, d, (f, g, gtd), c1, c2, tolerance_change, max_ls)
