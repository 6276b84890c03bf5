"""Random inputs for benchmarks: `Fuzzer` draws parameters and creates tensors with these sizes.

The numbers are drawn from NumPy's generator in the same order as in PyTorch, so that a seed gives
the same inputs.
"""

import itertools
import math

import numpy as np

from minitorch.autograd.functions.random import rand, randint
from minitorch.core.dtype import _dtypes
from minitorch.random import manual_seed

__all__ = ["FuzzedParameter", "FuzzedTensor", "Fuzzer", "ParameterAlias"]

_TRIES = 1000
_FLOAT32 = _dtypes()["float32"]


class FuzzedParameter:
    """A random parameter.

    Parameters
    ----------
    name : str
    minval, maxval : int or float, optional
        The bounds, both inclusive for integers.
    distribution : {"uniform", "loguniform"} or dict
        The distribution; for a dict from values to probabilities, one of its keys is drawn.
    strict : bool
        Whether the value is kept when parameters are drawn again because they do not fit.

    Raises
    ------
    AssertionError
        If the distribution is unknown or, as in PyTorch, if the probabilities have the sum 1.
    """

    def __init__(self, name, minval=None, maxval=None, distribution=None, strict=False):
        self._name, self._minval, self._maxval = name, minval, maxval
        self._distribution = self._check_distribution(distribution)
        self.strict = strict

    @property
    def name(self):
        """The name of the parameter."""
        return self._name

    def sample(self, state):
        """Draw a value with a `numpy.random.RandomState`."""
        low, high, kind = self._minval, self._maxval, self._distribution
        if isinstance(kind, dict):
            place = state.choice(np.arange(len(kind)), p=tuple(kind.values()))
            return list(kind)[place]
        if kind == "uniform":
            if isinstance(low, int) and isinstance(high, int):
                return int(state.randint(low=low, high=high + 1))
            return state.uniform(low=low, high=high)
        bounds = [None if bound is None else np.log2(bound) for bound in (low, high)]
        drawn = int(2 ** state.uniform(*bounds))
        return max(drawn, low) if drawn < low else min(drawn, high)

    def _check_distribution(self, distribution):
        problem = None
        if not isinstance(distribution, dict):
            if distribution not in ("loguniform", "uniform"):
                problem = f"Unknown distribution: {distribution}"
        elif any(probability < 0 for probability in distribution.values()):
            problem = "Probabilities cannot be negative"
        elif abs(sum(distribution.values()) - 1) <= 1e-5:
            problem = "Distribution is not normalized"
        elif self._minval is not None or self._maxval is not None:
            bound = "minval" if self._minval is not None else "maxval"
            problem = f"When passing a custom distribution, '{bound}' must be None"
        if problem is not None:
            raise AssertionError(problem)
        return distribution


class ParameterAlias:
    """A parameter value that refers to another parameter."""

    def __init__(self, alias_to):
        self.alias_to = alias_to

    def __repr__(self):
        return f"ParameterAlias[alias_to: {self.alias_to}]"


def dtype_size(dtype):
    """Return the number of bytes per element."""
    return dtype.itemsize


def prod(values, base=1):
    """Return the product of the sizes and `base`, without overflow."""
    return math.prod(map(int, values), start=base)


class FuzzedTensor:
    """A random tensor.

    Parameters
    ----------
    name : str
    size, steps : tuple of int or str
        Numbers or names of parameters. With steps, a larger tensor is created and only every
        step-th element of a dimension is kept.
    probability_contiguous : float
        The probability that the dimensions keep their order in memory.
    min_elements, max_elements, max_allocation_bytes : int, optional
        Bounds of the tensor's size; parameters that exceed them are drawn again.
    dim_parameter : str, optional
        The name of the parameter for the number of dimensions.
    roll_parameter : str, optional
        Not used, as in PyTorch.
    dtype : dtype
    cuda : bool
        Whether to move the tensor to CUDA, which raises here.
    tensor_constructor : callable, optional
        Creates the tensor from ``size``, ``dtype`` and the parameters.
    """

    def __init__(
        self, name, size, steps=None, probability_contiguous=0.5, min_elements=None, max_elements=None,
        max_allocation_bytes=None, dim_parameter=None, roll_parameter=None, dtype=_FLOAT32,
        cuda=False, tensor_constructor=None,
    ):  # fmt: skip
        self._name, self._size, self._steps = name, size, steps
        self._probability_contiguous = probability_contiguous
        self._min_elements, self._max_elements = min_elements, max_elements
        self._max_allocation_bytes = max_allocation_bytes
        self._dim_parameter = dim_parameter
        self._dtype, self._cuda = dtype, cuda
        self._tensor_constructor = tensor_constructor

    @property
    def name(self):
        """The name in the results."""
        return self._name

    @staticmethod
    def default_tensor_constructor(size, dtype, **kwargs):
        """Return a tensor of uniform numbers, or of integers from 1 to 126."""
        if dtype.is_floating_point or dtype.is_complex:
            return rand(size, dtype=dtype)
        return randint(1, 127, size, dtype=dtype)

    def satisfies_constraints(self, params):
        """Return whether a tensor of these parameters has an allowed size."""
        size, _, allocated = self._get_size_and_steps(params)
        count = prod(size)
        if count < 0:
            raise AssertionError("Computed number of elements is negative")
        nbytes = prod(allocated, base=dtype_size(self._dtype))
        bounds = [
            (self._min_elements, count),
            (count, self._max_elements),
            (nbytes, self._max_allocation_bytes),
        ]
        return all(low is None or high is None or low <= high for low, high in bounds)

    def _get_size_and_steps(self, params):
        named = self._dim_parameter
        dims = len(self._size) if named is None else params[named]
        ones = itertools.repeat(1)
        size, steps = (
            tuple(itertools.islice(itertools.chain((params.get(v, v) for v in given), ones), dims))
            for given in (self._size, self._steps or ())
        )
        return size, steps, tuple(n * step for n, step in zip(size, steps, strict=True))

    def _make_tensor(self, params, state):
        size, steps, allocated = self._get_size_and_steps(params)
        make = self._tensor_constructor or self.default_tensor_constructor
        whole = make(size=allocated, dtype=self._dtype, **params)
        if self._cuda:
            whole = whole.cuda()
        dims = len(size)
        order = same = np.arange(dims)
        if state.rand() > self._probability_contiguous:
            while dims > 1 and np.array_equal(order, same):
                order = state.permutation(whole.dim())
            whole = whole.permute(tuple(order)).contiguous().permute(tuple(np.argsort(order)))
        taken = tuple(slice(0, n * step, step) for n, step in zip(size, steps, strict=True))
        tensor = whole[taken]
        return tensor, {
            "numel": int(tensor.numel()),
            "order": order,
            "steps": steps,
            "is_contiguous": tensor.is_contiguous(),
            "dtype": str(self._dtype),
        }


class Fuzzer:
    """A generator of random parameters and tensors.

    Parameters
    ----------
    parameters : list of FuzzedParameter, or of lists of them
    tensors : list of FuzzedTensor, or of lists of them
    constraints : list of callable, optional
        Functions of the dict of parameters; if one returns False, the parameters are drawn again.
    seed : int, optional

    Raises
    ------
    ValueError
        If a parameter and a tensor have the same name.

    Examples
    --------
    >>> from minitorch.utils.benchmark import FuzzedParameter, FuzzedTensor, Fuzzer
    >>> n = FuzzedParameter("n", minval=2, maxval=9, distribution="uniform")
    >>> fuzzer = Fuzzer([n], [FuzzedTensor("x", size=("n", 3))], seed=0)
    >>> [tensors["x"].shape[0] == params["n"] for tensors, properties, params in fuzzer.take(2)]
    [True, True]
    """

    def __init__(self, parameters, tensors, constraints=None, seed=None):
        if seed is None:
            seed = int(np.random.RandomState().randint(0, 2**32 - 1, dtype=np.int64))
        self._seed = seed
        self._parameters = _flat(parameters, FuzzedParameter)
        self._tensors = _flat(tensors, FuzzedTensor)
        self._constraints = constraints or ()
        both = {p.name for p in self._parameters} & {t.name for t in self._tensors}
        if both:
            raise ValueError(f"Duplicate names in parameters and tensors: {both}")
        self._rejections = self._total_generated = 0

    @property
    def rejection_rate(self):
        """The fraction of drawn parameters that did not fit."""
        return self._rejections / self._total_generated if self._total_generated else 0.0

    def take(self, n):
        """Yield `n` times the tensors, their properties and the parameters, each as a dict by name."""
        state = np.random.RandomState(self._seed)
        manual_seed(state.randint(low=0, high=2**63, dtype=np.int64))
        for _ in range(n):
            params = self._generate(state)
            made = {t.name: t._make_tensor(params, state) for t in self._tensors}
            tensors = {name: tensor for name, (tensor, _) in made.items()}
            yield tensors, {name: told for name, (_, told) in made.items()}, params

    def _generate(self, state):
        kept = {}
        for _ in range(_TRIES):
            drawn = {}
            for p in self._parameters:
                drawn[p.name] = kept[p.name] if p.name in kept else p.sample(state)
                if p.strict:
                    kept[p.name] = drawn[p.name]
            params = _resolved(drawn)
            self._total_generated += 1
            fits = all(asked(params) for asked in self._constraints)
            if fits and all(t.satisfies_constraints(params) for t in self._tensors):
                return params
            self._rejections += 1
        raise ValueError("Failed to generate a set of valid parameters.")


def _flat(values, cls):
    return tuple(itertools.chain.from_iterable([v] if isinstance(v, cls) else v for v in values))


def _resolved(params):
    """Return the values, with aliases replaced by the values they refer to."""
    found = dict(params)
    for name in params:
        passed = set()
        while isinstance(found[name], ParameterAlias):
            if found[name].alias_to in passed:
                raise ValueError(f"ParameterAlias cycle detected\n{found}")
            passed.add(found[name].alias_to)
            found[name] = found[found[name].alias_to]
    return found
