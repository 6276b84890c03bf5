"""PyTorch's CPU random generator: the same seeds give the same numbers.

The numbers themselves are drawn in ``kernels/``: this file holds the state, its seeding and its
copies. A state is an array of 5056 bytes laid out as PyTorch's, so that one can be exchanged with
it (``Generator.get_state``).

References
----------
PyTorch's counterparts are ``ATen/CPUGeneratorImpl.cpp`` and ``torch/csrc/Generator.cpp``.
"""

import os

cimport cython
cimport numpy as cnp
from cpython.pythread cimport PyThread_allocate_lock, PyThread_free_lock
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

import numpy

from minitorch.core.python_classes cimport python_classes
from minitorch.core.mt19937 cimport STATE_N, seed_engine, temper

cnp.import_array()

cdef uint64_t DEFAULT_SEED = 67280421310721


cdef struct PackedState:
    # PyTorch's bytes. Its words are 64 bits wide each, a relic of Torch's first generator.
    uint64_t seed
    int32_t left                # words to draw until a new block is made, and one
    int32_t seeded
    uint64_t next
    uint64_t[STATE_N] state
    double normal_x             # unused since the days of Torch, as is normal_rho
    double normal_y             # the kept sample in float64
    double normal_rho
    int32_t normal_is_valid
    int32_t padding
    float next_float_normal_sample
    uint8_t has_float_normal_sample
    uint8_t[3] more_padding


@cython.binding(False)
cdef class Generator:
    """The state of a stream of random numbers.

    Parameters
    ----------
    device : str or device, optional
        Only the CPU has a generator.

    Notes
    -----
    The generator is a Mersenne Twister, MT19937, whose numbers are PyTorch's.

    Examples
    --------
    >>> import minitorch as torch
    >>> g = torch.Generator()
    >>> g.manual_seed(0).initial_seed()
    0
    """

    def __cinit__(self, *args, **kwargs):
        self._mutex = PyThread_allocate_lock()
        if self._mutex is NULL:
            raise MemoryError()
        self._device_type = "cpu"
        self.seed_with(DEFAULT_SEED)

    def __init__(self, device="cpu"):
        kind = str(device).partition(":")[0]
        if kind != "cpu":
            raise RuntimeError(f"Device type {kind} is not supported for torch.Generator() api.")

    def __dealloc__(self):
        if self._mutex is not NULL:
            PyThread_free_lock(self._mutex)

    cdef void seed_with(self, unsigned long long seed) noexcept nogil:
        self.lock()
        seed_engine(&self.engine, seed)
        self.has_double_normal_sample = False
        self.has_float_normal_sample = False
        self.unlock()

    cdef bytes pack_state(self):
        cdef PackedState packed
        cdef Py_ssize_t i
        memset(&packed, 0, sizeof(PackedState))
        self.lock()
        packed.seed = self.engine.seed
        packed.left = <int32_t>(self.engine.end - self.engine.next + 1)
        packed.seeded = 1
        packed.next = self.engine.next
        for i in range(STATE_N):
            packed.state[i] = self.engine.state[i]
        if self.has_double_normal_sample:
            packed.normal_y = self.next_double_normal_sample
            packed.normal_is_valid = 1
        if self.has_float_normal_sample:
            packed.next_float_normal_sample = self.next_float_normal_sample
            packed.has_float_normal_sample = 1
        self.unlock()
        return (<char*>&packed)[:sizeof(PackedState)]

    cdef int unpack_state(self, const unsigned char* state) except -1:
        cdef PackedState packed
        cdef Py_ssize_t i
        memcpy(&packed, state, sizeof(PackedState))
        cdef uint32_t begin = <uint32_t>packed.next
        # PyTorch takes any `left` up to 624 and would then read behind its state
        if (not packed.seeded or not 0 < packed.left <= STATE_N or begin > STATE_N
                or packed.left - 1 > <int32_t>(STATE_N - begin)):
            raise RuntimeError("Invalid mt19937 state")
        self.lock()
        self.engine.seed = packed.seed
        self.engine.next = begin
        self.engine.end = begin + packed.left - 1
        for i in range(STATE_N):
            self.engine.state[i] = <uint32_t>packed.state[i]
        temper(&self.engine)
        self.has_double_normal_sample = packed.normal_is_valid != 0
        self.next_double_normal_sample = packed.normal_y
        self.has_float_normal_sample = packed.has_float_normal_sample != 0
        self.next_float_normal_sample = packed.next_float_normal_sample
        self.unlock()
        return 0

    cdef Generator clone_impl(self):
        cdef Generator copy = <Generator>type(self).__new__(type(self))
        self.lock()
        memcpy(&copy.engine, &self.engine, sizeof(mt19937))
        copy.has_double_normal_sample = self.has_double_normal_sample
        copy.next_double_normal_sample = self.next_double_normal_sample
        copy.has_float_normal_sample = self.has_float_normal_sample
        copy.next_float_normal_sample = self.next_float_normal_sample
        self.unlock()
        return copy

    @property
    def device(self):
        """The device of the generator."""
        return self._device_type

    def manual_seed(self, seed):
        """Start the stream that belongs to `seed`.

        Parameters
        ----------
        seed : int
            From ``-2**63`` to ``2**64 - 1``; a negative one counts as ``2**64 + seed``. Seeds that
            agree in their low 32 bits give the same numbers.

        Returns
        -------
        Generator
            This generator.

        Raises
        ------
        RuntimeError
            If `seed` is not an integer.
        ValueError
            If it is out of range.
        """
        if isinstance(seed, numpy.integer):
            raise TypeError("an integer is required")
        if not isinstance(seed, int) or isinstance(seed, bool):
            kind = type(seed)
            name = kind.__name__
            if kind.__module__ == "numpy":      # the one module whose types carry its name in C
                name = "numpy." + name
            raise RuntimeError(f"manual_seed expected a long, but got {name}")
        if not -(1 << 63) <= seed < 1 << 64:
            raise ValueError("Overflow when unpacking long long")
        self.seed_with(<uint64_t>(seed & 0xFFFFFFFFFFFFFFFF))
        return self

    def seed(self):
        """Seed the generator with a random number from the operating system, and return that number."""
        cdef uint64_t drawn = int.from_bytes(os.urandom(8), "little")
        self.seed_with(drawn)
        return drawn

    def initial_seed(self):
        """Return the seed with which the stream was started."""
        return self.engine.seed

    def get_state(self):
        """Return the state as an array of 5056 bytes, in PyTorch's layout."""
        return numpy.frombuffer(bytearray(self.pack_state()), dtype=numpy.uint8)

    def set_state(self, new_state):
        """Continue where the generator was when `get_state` returned `new_state`.

        Raises
        ------
        TypeError
            If `new_state` is not an array of bytes.
        RuntimeError
            If it does not have PyTorch's size or is not a valid state. The generator is unchanged then.
        """
        if not isinstance(new_state, numpy.ndarray):
            raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
        cdef cnp.ndarray state = new_state
        if cnp.PyArray_TYPE(state) != cnp.NPY_UINT8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if not cnp.PyArray_IS_C_CONTIGUOUS(state):
            raise RuntimeError("RNG state must be contiguous")
        if cnp.PyArray_SIZE(state) != sizeof(PackedState):
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {sizeof(PackedState)} but found the "
                f"input RNG state size to be {cnp.PyArray_SIZE(state)}")
        self.unpack_state(<const unsigned char*>cnp.PyArray_DATA(state))
        return self

    def clone_state(self):
        """Return a new generator that will produce the same numbers as this one."""
        return self.clone_impl()

    def graphsafe_get_state(self):
        raise NotImplementedError("graphsafe_get_state is not supported in this Generator")

    def graphsafe_set_state(self, state):
        raise NotImplementedError("graphsafe_set_state is not supported in this Generator")

    def get_offset(self):
        raise RuntimeError("CPU Generator does not use offset")

    def set_offset(self, offset):
        raise RuntimeError("CPU Generator does not use offset")

    def __copy__(self):
        return self.clone_impl()

    def __deepcopy__(self, memo):
        return self.clone_impl()

    def __reduce__(self):
        return type(self), (self.device,), (self.initial_seed(), None, self.get_state())

    def __setstate__(self, state):
        seed, _, engine_state = state
        self.manual_seed(seed)
        self.set_state(engine_state)


cdef Generator _default_generator = None     # made when it is first used


cdef Generator default_generator():
    global _default_generator
    if _default_generator is None:
        _default_generator = python_classes.get(Generator, Generator)()
        _default_generator.seed()            # unseeded programs differ from run to run
    return _default_generator


cdef Generator get_generator_or_default(generator):
    if generator is None:
        return default_generator()
    if not isinstance(generator, Generator):
        raise TypeError(f"expected a torch.Generator, but got {type(generator).__name__}")
    return <Generator>generator


def _get_default_generator():
    """Return the generator that is used if none is given."""
    return default_generator()
