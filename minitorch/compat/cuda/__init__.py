"""The interface of CUDA devices, which minitorch does not support.

Queries report that there are no devices, and switches and seeds have no effect. Functions that need
a GPU raise the same errors as a CPU build of PyTorch.
"""

from minitorch.cuda import amp, jiterator, memory, nvtx, random, streams
from minitorch.cuda._none import NOT_COMPILED, needs_cuda, tensor_types
from minitorch.cuda.memory import (
    caching_allocator_alloc,
    empty_cache,
    get_per_process_memory_fraction,
    max_memory_allocated,
    max_memory_cached,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_cached,
    memory_reserved,
    memory_stats,
    reset_max_memory_allocated,
    reset_max_memory_cached,
    reset_peak_memory_stats,
    set_per_process_memory_fraction,
)
from minitorch.cuda.random import (
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)
from minitorch.cuda.streams import (
    CUDAGraph,
    Event,
    ExternalStream,
    Stream,
    StreamContext,
    graph,
    graph_pool_handle,
    is_current_stream_capturing,
    make_graphed_callables,
    stream,
)
from minitorch.tensors.errors import AcceleratorError, OutOfMemoryError

has_half = True
_initialized = False
has_magma = False
default_generators = ()

globals().update(
    tensor_types(
        ["BFloat16", "Bool", "Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short"]
    )
)


class CudaError(RuntimeError):
    """An error reported by a GPU."""


class DeferredCudaCallError(Exception):
    """An error in a call that was deferred until CUDA is initialized."""


def is_available():
    """Return False: CUDA is not available."""
    return False


def is_initialized():
    """Return False: CUDA is never initialized."""
    return False


def device_count():
    """Return 0: there are no GPUs."""
    return 0


def is_bf16_supported(including_emulation=True):
    """Return False: there is no GPU with bfloat16."""
    return False


def is_tf32_supported():
    """Return False: there is no GPU with TF32."""
    return False


def get_arch_list():
    """Return an empty list: no architecture is compiled for."""
    return []


def get_gencode_flags():
    """Return an empty string: there are no compiler flags."""
    return ""


def memory_stats_as_nested_dict(device=None):
    """Return an empty dictionary: there are no memory statistics."""
    return {}


def _is_in_bad_fork():
    """Return False: CUDA was not initialized before a fork."""
    return False


def _is_compiled():
    """Return False: this build has no CUDA."""
    return False


def _lazy_call(callable, **kwargs):
    """Defer a call until CUDA is initialized, which never happens."""


def set_stream(stream):  # noqa: F811 (the name of PyTorch's argument)
    """Set the current stream; only None is accepted, which has no effect."""
    if stream is not None:
        raise AssertionError(NOT_COMPILED)


init = needs_cuda("init")
_lazy_init = needs_cuda("_lazy_init")
current_device = needs_cuda("current_device")
synchronize = needs_cuda("synchronize")
current_stream = needs_cuda("current_stream")
default_stream = needs_cuda("default_stream")
get_device_capability = needs_cuda("get_device_capability")
get_device_name = needs_cuda("get_device_name")
get_device_properties = needs_cuda("get_device_properties")
set_device = needs_cuda("set_device")
cudart = needs_cuda("cudart")
can_device_access_peer = needs_cuda("can_device_access_peer")
ipc_collect = needs_cuda("ipc_collect")
get_sync_debug_mode = needs_cuda("get_sync_debug_mode")
set_sync_debug_mode = needs_cuda("set_sync_debug_mode")


class device:
    """Context manager that selects a GPU; a negative index or None has no effect.

    Raises
    ------
    RuntimeError
        If the block is entered with a GPU selected.
    """

    def __init__(self, device):
        from minitorch.core.types import device as _device

        if device is None or (isinstance(device, int) and device < 0):
            self.idx = -1
        else:
            self.idx = _device("cuda", device).index if isinstance(device, int) else (
                _device(device).index or 0)  # fmt: skip

    def __enter__(self):
        if self.idx >= 0:
            raise RuntimeError("PyTorch was compiled without CUDA support")

    def __exit__(self, *error):
        return False


class device_of(device):
    """Context manager that selects the GPU of a tensor; a CPU tensor has no effect."""

    def __init__(self, obj):
        super().__init__(obj.get_device() if obj.is_cuda else -1)
