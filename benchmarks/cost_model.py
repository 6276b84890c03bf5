"""A cost model of one data-parallel training step.

A step has a forward pass, a backward pass, the sums of the gradients over the ranks, and the optimizer's
step. The sums are made bucket by bucket, in order, and each may begin when its bucket is full. So a sum takes
time only as far as it does not fit beside the rest of the backward pass.

The time of one sum of `n` bytes over `p` ranks is that of a ring: ``2 (p - 1)`` messages one after the other, each
with a p-th of the bytes. Every message costs a latency, and every byte the inverse of the bandwidth. Where the
memory of one machine is shared, `Link` is fitted to measured sums instead, see `fit`.
"""

from dataclasses import dataclass

__all__ = ["Link", "Step", "efficiency", "fit", "ring", "step_time"]


@dataclass(frozen=True)
class Link:
    """What a sum over all ranks costs: `latency` seconds, and `per_byte` seconds for each byte."""

    latency: float
    per_byte: float

    def time(self, size):
        """Return the seconds of a sum of `size` bytes."""
        return self.latency + size * self.per_byte


@dataclass(frozen=True)
class Step:
    """What one rank does in a step without communication; times in seconds.

    Attributes
    ----------
    forward, backward, optimizer : float
    buckets : tuple of (float, int)
        For each bucket, when it is full, counted from the start of the backward pass, and its bytes.
    copy : float
        Seconds for each byte that is copied into a bucket and back.
    """

    forward: float
    backward: float
    optimizer: float
    buckets: tuple = ()
    copy: float = 0.0

    @property
    def compute(self):
        """The time of a step on one rank without `DistributedDataParallel`."""
        return self.forward + self.backward + self.optimizer


def ring(ranks, latency, bandwidth):
    """Return the `Link` of a ring of ranks with messages of `latency` seconds and `bandwidth` bytes a second.

    Examples
    --------
    >>> ring(1, 1e-5, 1e9).time(1000)
    0.0
    >>> ring(2, 1e-5, 1e9).time(1000) == 2 * 1e-5 + 1000 / 1e9
    True
    """
    messages = 2 * (ranks - 1)
    return Link(messages * latency, messages / ranks / bandwidth)


def fit(measured):
    """Return the `Link` that is nearest to measured sums, in relative errors.

    Parameters
    ----------
    measured : list of (int, float)
        Bytes and seconds. At least two different sizes.

    Examples
    --------
    >>> found = fit([(1000, 0.002), (2000, 0.003)])
    >>> round(found.latency, 6), round(found.per_byte, 9)
    (0.001, 1e-06)
    """
    # weighted least squares for latency and per_byte, with the weights 1 / seconds
    rows = [(1 / seconds, size / seconds) for size, seconds in measured]
    aa = sum(a * a for a, _ in rows)
    ab = sum(a * b for a, b in rows)
    bb = sum(b * b for _, b in rows)
    a1, b1 = sum(a for a, _ in rows), sum(b for _, b in rows)
    determinant = aa * bb - ab * ab
    latency = (a1 * bb - b1 * ab) / determinant
    if latency < 0:
        return Link(0.0, b1 / bb)
    return Link(latency, (b1 * aa - a1 * ab) / determinant)


def step_time(step, link, overlap=True):
    """Return the seconds of one data-parallel step.

    Parameters
    ----------
    step : Step
    link : Link
    overlap : bool
        Whether the sums are made beside the backward pass. They need a core for each rank that
        the backward pass does not use.

    Examples
    --------
    >>> step = Step(forward=1.0, backward=2.0, optimizer=0.5, buckets=((1.0, 10), (2.0, 10)))
    >>> step_time(step, Link(0.0, 0.05))  # the first sum fits beside the pass, the second one does not
    4.0
    >>> step_time(step, Link(0.0, 0.05), overlap=False)
    4.5
    """
    copies = step.copy * sum(size for _, size in step.buckets)
    end = 0.0 if overlap else step.backward
    for full, size in step.buckets:
        end = max(end, full) + link.time(size)
    return step.forward + max(step.backward, end) + copies + step.optimizer


def efficiency(step, link, overlap=True):
    """Return the share of the time that is not lost to communication: 1 means none.

    Examples
    --------
    >>> step = Step(forward=1.0, backward=2.0, optimizer=1.0, buckets=((2.0, 10),))
    >>> efficiency(step, Link(0.0, 0.1))
    0.8
    """
    return step.compute / step_time(step, link, overlap)
