"""The line search of L-BFGS: a length that satisfies the strong Wolfe conditions.

First steps grow until an interval must hold such a length, then cubic interpolation narrows it
(Nocedal and Wright, algorithms 3.5 and 3.6).
"""

from typing import NamedTuple

from minitorch._tensor import Tensor


class _Point(NamedTuple):
    """What is known at one length along the direction."""

    length: object
    loss: float
    grad: Tensor
    slope: object


def _cubic_minimum(a, b, bounds=None):
    """Where the cubic through two points with their slopes is least, within bounds."""
    if a.length > b.length:
        a, b = b, a
    low, high = (a.length, b.length) if bounds is None else bounds
    d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.length - b.length)
    square = d1**2 - a.slope * b.slope
    if not square >= 0:
        return (low + high) / 2.0
    d2 = square.sqrt()
    share = (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2)
    return min(max(b.length - (b.length - a.length) * share, low), high)


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
    loss, _, slope = start
    size = direction.abs().max()
    evaluations = 0

    def look(at):
        nonlocal evaluations
        evaluations += 1
        value, grad = evaluate(at)
        return _Point(at, value, grad, grad.dot(direction))

    def too_high(point):
        return point.loss > loss + c1 * point.length * slope

    def flat(point):
        return abs(point.slope) <= -c2 * slope

    previous, point = _Point(0, *start), look(length)
    tries, bracket = 0, None
    while tries < max_ls:
        if too_high(point) or (tries > 1 and point.loss >= previous.loss):
            bracket = [previous, point]
            break
        if flat(point):
            return point.loss, point.grad, point.length, evaluations
        if point.slope >= 0:
            bracket = [previous, point]
            break
        bounds = (
            point.length + 0.01 * (point.length - previous.length),
            point.length * 10,
        )
        previous, point = point, look(_cubic_minimum(previous, point, bounds))
        tries += 1
    if bracket is None:
        bracket = [_Point(0, *start), point]

    stuck = False
    low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
    while tries < max_ls and abs(bracket[1].length - bracket[0].length) * size >= tolerance:
        ends = [end.length for end in bracket]
        at = _cubic_minimum(*bracket)
        margin = 0.1 * (max(ends) - min(ends))
        # near an end twice, or beyond it: take a tenth of the way
        if min(max(ends) - at, at - min(ends)) < margin:
            if stuck or at >= max(ends) or at <= min(ends):
                nearer_right = abs(at - max(ends)) < abs(at - min(ends))
                at = max(ends) - margin if nearer_right else min(ends) + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        point = look(at)
        tries += 1
        if too_high(point) or point.loss >= bracket[low].loss:
            bracket[high] = point
            low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
            continue
        done = flat(point)
        if not done and point.slope * (bracket[high].length - bracket[low].length) >= 0:
            bracket[high] = bracket[low]
        bracket[low] = point
        if done:
            break
    best = bracket[low]
    return best.loss, best.grad, best.length, evaluations
