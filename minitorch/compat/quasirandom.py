"""`SobolEngine`: low-discrepancy points in the unit cube."""

import os
from functools import cache, cached_property

import numpy as np
import scipy

from minitorch.autograd.functions import tensor_methods as _operators
from minitorch.autograd.functions.creation import arange, zeros
from minitorch.autograd.functions.from_data import from_numpy
from minitorch.autograd.functions.random import randint
from minitorch.core.dtype import _dtypes
from minitorch.random import Generator
from minitorch.tensors.type_info import get_default_dtype

__all__ = ["SobolEngine"]

SPAN = 512  # a power of two


@cache
def _polynomials():
    """Return Joe and Kuo's primitive polynomial and initial direction numbers of each dimension."""
    path = os.path.join(os.path.dirname(scipy.__file__), "stats", "_sobol_direction_numbers.npz")
    with np.load(path) as numbers:
        return numbers["poly"].astype(np.int64), numbers["vinit"].astype(np.int64)


def _directions(dimension, bits):
    """Return the direction numbers as `bits`-bit integers of shape ``(dimension, bits)``."""
    polynomials, first = (numbers[:dimension] for numbers in _polynomials())
    v = np.ones((dimension, bits), np.int64)
    degrees = np.array([int(p).bit_length() - 1 for p in polynomials])
    degrees[0] = 0
    for degree in range(1, int(degrees.max()) + 1):
        rows = np.flatnonzero(degrees == degree)
        if not rows.size:
            continue
        v[rows, :degree] = first[rows, :degree]
        for j in range(degree, bits):
            new = v[rows, j - degree]
            for k in range(1, degree + 1):
                taken = polynomials[rows] >> (degree - k) & 1
                new = new ^ (taken * v[rows, j - k] << k)
            v[rows, j] = new
    return v << np.arange(bits - 1, -1, -1)


class SobolEngine:
    """A Sobol sequence in the unit cube.

    Parameters
    ----------
    dimension : int
        From 1 to 21201.
    scramble : bool, default False
        Whether to scramble the sequence with random bits: a linear matrix scramble and a shift.
    seed : int, optional
        Seed of the random bits of the scramble.

    Raises
    ------
    ValueError
        If `dimension` is out of range.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.quasirandom.SobolEngine(2).draw(4)
    tensor([[0.0000, 0.0000],
            [0.5000, 0.5000],
            [0.7500, 0.2500],
            [0.2500, 0.7500]])

    References
    ----------
    Joe and Kuo 2008, Constructing Sobol sequences with better two-dimensional projections.
    Matousek 1998, On the L2-discrepancy for anchored boxes.
    Owen 2003, Variance and discrepancy with alternative scramblings.
    """

    MAXBIT = 30
    MAXDIM = 21201

    def __init__(self, dimension, scramble=False, seed=None):
        if dimension > self.MAXDIM or dimension < 1:
            raise ValueError(
                f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]"
            )
        self.seed = seed
        self.scramble = scramble
        self.dimension = dimension
        self.sobolstate = from_numpy(_directions(dimension, self.MAXBIT))
        self.shift = zeros(dimension, dtype=_dtypes()["int64"])
        if scramble:
            self._scramble()
        self.quasi = self.shift.clone()
        self._first_point = (self.quasi / 2**self.MAXBIT).reshape(1, -1)
        self.num_generated = 0

    def draw(self, n=1, out=None, dtype=None):
        """Return the next `n` points.

        Parameters
        ----------
        n : int, default 1
        out : Tensor, optional
            Resized and filled with the points.
        dtype : dtype, optional
            The default dtype if not given.

        Returns
        -------
        Tensor
            Of shape ``(n, dimension)``.
        """
        dtype = get_default_dtype() if dtype is None else dtype
        if self.num_generated:
            result = self._in_cube(self._following(n, self.num_generated - 1), dtype)
        else:
            result = self._first_point.to(dtype)
            if n != 1:
                others = self._in_cube(self._following(n - 1, 0), dtype)
                result = _operators.cat([result, others], -2)
        self.num_generated += n
        return result if out is None else out.resize_as_(result).copy_(result)

    def draw_base2(self, m, out=None, dtype=None):
        """Return the next ``2**m`` points.

        Raises
        ------
        ValueError
            If the number of points drawn so far would then not be a power of two.
        """
        n = 2**m
        total = self.num_generated + n
        if total & (total - 1):
            raise ValueError(
                "The balance properties of Sobol' points require n to be a power of 2. "
                f"{self.num_generated} points have been previously generated, then: "
                f"n={self.num_generated}+2**{m}={total}. If you still want to do this, please use "
                "'SobolEngine.draw()' instead."
            )
        return self.draw(n, out=out, dtype=dtype)

    def reset(self):
        """Restart the sequence and return the engine."""
        self.quasi.copy_(self.shift)
        self.num_generated = 0
        return self

    def fast_forward(self, n):
        """Skip the next `n` points and return the engine.

        Parameters
        ----------
        n : int
        """
        if self.num_generated:
            self._following(n, self.num_generated - 1)
        else:
            self._following(n - 1, 0)
        self.num_generated += n
        return self

    @cached_property
    def _span(self):
        """The first `SPAN` points without the shift, of shape ``(dimension, SPAN)``."""
        directions = self.sobolstate.numpy()[:, :, None]
        points = np.zeros((self.dimension, SPAN), np.int32)
        # in Gray code order, point 2**j + i is point 2**j - 1 - i xor direction number j
        for j in range(SPAN.bit_length() - 1):
            half = 1 << j
            points[:, half : 2 * half] = points[:, half - 1 :: -1] ^ directions[:, j]
        return points

    def _following(self, count, start):
        """Return the `count` points after number `start`; `quasi` becomes the last of them."""
        span, directions = self._span, self.sobolstate.numpy()
        points = np.empty((self.dimension, max(count, 0)), np.int32)
        place = start % SPAN
        base = self.quasi.numpy().astype(np.int32) ^ span[:, place]
        place, done = place + 1, 0
        while done < count:
            if place == SPAN:
                # the next span has the same points, xor the bits of its first point
                number = start + done
                lowest_zero = (~number & (number + 1)).bit_length() - 1
                base ^= span[:, -1] ^ directions[:, lowest_zero].astype(np.int32)
                place = 0
            many = min(SPAN - place, count - done)
            part = span[:, place : place + many]
            np.bitwise_xor(part, base[:, None], out=points[:, done : done + many])
            place, done = place + many, done + many
        if done:
            self.quasi.copy_(from_numpy(points[:, -1].astype(np.int64)))
        return points.T

    def _in_cube(self, points, dtype):
        """Convert points in integers to a tensor of numbers in the unit cube."""
        wide = np.float32 if dtype is _dtypes()["float32"] else np.float64
        numbers = points.astype(wide, order="C")
        numbers *= 2.0**-self.MAXBIT
        return from_numpy(numbers).to(dtype)

    def _scramble(self):
        generator = None
        if self.seed is not None:
            generator = Generator()
            generator.manual_seed(self.seed)
        bits = self.MAXBIT
        shift = randint(2, (self.dimension, bits), generator=generator)
        self.shift = (shift * 2 ** arange(bits)).sum(1)
        matrices = randint(2, (self.dimension, bits, bits), generator=generator).tril()
        rows = matrices.numpy()
        rows[:, np.arange(bits), np.arange(bits)] = 1
        rows = (rows << np.arange(bits - 1, -1, -1)).sum(-1)
        # each bit of a new number is the parity of (a row of the matrix & the old number)
        parity = np.bitwise_count(rows[:, :, None] & self.sobolstate.numpy()[:, None, :]) & 1
        places = np.arange(bits - 1, -1, -1)[:, None]
        self.sobolstate = from_numpy((parity.astype(np.int64) << places).sum(1))

    def __repr__(self):
        text = f"dimension={self.dimension}"
        if self.scramble:
            text += ", scramble=True"
        if self.seed is not None:
            text += f", seed={self.seed}"
        return f"{type(self).__name__}({text})"
