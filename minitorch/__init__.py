"""PyTorch's autograd, small enough to read in a week, fast enough to train with.

``import minitorch as torch`` runs ordinary PyTorch programs on the CPU.
"""

import os
import sys
from math import e, inf, nan, pi

from minitorch.core.compiled_modules import install as _install

# First, because most of what follows is compiled
_install()

# The compatibility modules live in compat/: `minitorch.fx`, for example, is compat/fx.
__path__.append(os.path.join(os.path.dirname(__file__), "compat"))

# First, because `aliases` completes the methods of `Tensor`, which the other modules read.
from minitorch.namespace import absent as _absent
from minitorch.namespace import aliases as _aliases

# isort: split
from minitorch import amp, autograd, functional
from minitorch import random as random
from minitorch._sparse.constructor import sparse_coo_tensor
from minitorch._sparse.functions import hspmm, native_norm, smm, sspaddmm
from minitorch._tensor import Tensor
from minitorch._tensor_str import set_printoptions
from minitorch.amp import GradScaler, autocast
from minitorch.amp._scaling import _amp_foreach_non_finite_check_and_unscale_, _amp_update_scale_
from minitorch.amp.autocast_mode import CASTS as _CASTS
from minitorch.amp.autocast_mode import (
    autocast_decrement_nesting,
    autocast_increment_nesting,
    clear_autocast_cache,
    get_autocast_dtype,
    is_autocast_cache_enabled,
    is_autocast_enabled,
    set_autocast_cache_enabled,
    set_autocast_dtype,
    set_autocast_enabled,
)
from minitorch.amp.autocast_mode import old_names as _old_names
from minitorch.autograd import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)
from minitorch.autograd import vmap_steps as _vmap_steps
from minitorch.autograd.anomaly import (
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_anomaly_enabled,
)
from minitorch.autograd.functions import creation as _creation
from minitorch.autograd.functions import manual as _manual
from minitorch.autograd.functions import tensor_methods as _tensor_methods
from minitorch.autograd.functions.creation import (
    arange,
    empty_like,
    empty_permuted,
    empty_strided,
    eye,
    full,
    full_like,
    linspace,
    logspace,
    ones,
    ones_like,
    scalar_tensor,
    tril_indices,
    triu_indices,
    zeros,
    zeros_like,
)
from minitorch.autograd.functions.from_data import (
    as_tensor,
    asarray,
    from_numpy,
    frombuffer,
    tensor,
)
from minitorch.autograd.functions.interchange import from_dlpack, is_same_size
from minitorch.autograd.functions.namespace import (
    can_cast,
    get_num_threads,
    promote_types,
    result_type,
    set_num_threads,
)
from minitorch.autograd.functions.properties import is_inference
from minitorch.autograd.functions.random import (
    normal,
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    randperm,
)
from minitorch.autograd.grad_mode import is_inference_mode_enabled
from minitorch.composed.assertions import (
    _assert,
    _assert_async,
    _assert_tensor_metadata,
    _check,
    _check_index,
    _check_is_size,
    _check_not_implemented,
    _check_tensor_all,
    _check_tensor_all_with,
    _check_type,
    _check_value,
    _check_with,
)
from minitorch.composed.comparisons import _test_functorch_fallback
from minitorch.composed.removed_functions import eig, lstsq, matrix_rank, solve, symeig
from minitorch.composed.test_operators import (
    _test_autograd_multiple_dispatch,
    _test_autograd_multiple_dispatch_view,
    _test_autograd_multiple_dispatch_view_copy,
)
from minitorch.core import return_types
from minitorch.core.dtype import _dtypes, _dtypes_without_tensors, dtype
from minitorch.core.lazy import lazy_attributes as _lazy_attributes
from minitorch.core.once import is_warn_always_enabled, set_warn_always
from minitorch.core.types import (
    Size,
    channels_last,
    channels_last_3d,
    contiguous_format,
    device,
    jagged,
    layout,
    legacy_contiguous_format,
    memory_format,
    per_channel_affine,
    per_channel_affine_float_qparams,
    per_channel_symmetric,
    per_tensor_affine,
    per_tensor_symmetric,
    preserve_format,
    qscheme,
    sparse_bsc,
    sparse_bsr,
    sparse_coo,
    sparse_csc,
    sparse_csr,
    strided,
)
from minitorch.namespace.as_torch import install_as_torch, uninstall_as_torch
from minitorch.random import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
    thread_safe_generator,
)
from minitorch.tensors import math_bits_rules as _math_bits
from minitorch.tensors import meta_rules as _meta
from minitorch.tensors.errors import AcceleratorError, FatalError, OutOfMemoryError
from minitorch.tensors.settings import (
    SymBool,
    SymFloat,
    SymInt,
    _register_device_module,
    are_deterministic_algorithms_enabled,
    compiled_with_cxx11_abi,
    get_default_device,
    get_deterministic_debug_mode,
    get_device_module,
    get_float32_matmul_precision,
    get_num_interop_threads,
    is_deterministic_algorithms_warn_only_enabled,
    is_vulkan_available,
    set_default_device,
    set_default_tensor_type,
    set_deterministic_debug_mode,
    set_float32_matmul_precision,
    set_flush_denormal,
    set_num_interop_threads,
    sym_float,
    sym_int,
    sym_ite,
    sym_max,
    sym_min,
    sym_not,
    sym_sum,
    use_deterministic_algorithms,
)
from minitorch.tensors.tensor_types import (
    BFloat16Tensor,
    BoolTensor,
    ByteTensor,
    CharTensor,
    DoubleTensor,
    FloatTensor,
    HalfTensor,
    IntTensor,
    LongTensor,
    ShortTensor,
    is_complex,
    is_conj,
    is_distributed,
    is_floating_point,
    is_neg,
    is_nonzero,
    is_signed,
    is_tensor,
    numel,
    typename,
)
from minitorch.tensors.type_info import finfo, get_default_dtype, iinfo, set_default_dtype
from minitorch.tensors.typed_storage import TypedStorage, UntypedStorage, is_storage
from minitorch.tensors.zero_rules import _efficientzerotensor as _efficientzerotensor

__version__ = "0.1.0"

newaxis = None
has_lapack = has_spectral = True
has_mkl = False

# Modules that many programs do not use are imported on first access.
_SUBMODULES = (
    "_VF", "__config__", "__future__", "_classes", "_compile", "_custom_op", "_custom_ops", "_decomp", "_dynamo", "_export",
    "_C", "_functorch", "_guards", "_higher_order_ops", "_inductor", "_jit_internal", "_library", "_linalg_utils", "_lobpcg", "_logging", "_lowrank", "_ops", "_prims", "_prims_common", "_refs", "_subclasses", "_utils_internal", "_vmap_internals", "_weights_only_unpickler", "accelerator",
    "ao", "backends", "compiler", "cpu", "cuda", "distributed", "distributions", "export", "func", "futures", "fx", "hub", "jit", "library", "masked",
    "monitor", "mps", "mtia",
    "multiprocessing", "onnx", "optim", "overrides", "profiler", "quantization", "quasirandom", "serialization", "signal", "testing", "torch_version", "types", "version", "xpu",
)  # fmt: skip
_LAZY_NAMES = {
    "DispatchKey": "minitorch._dispatch.key_sets",
    "Tag": "minitorch._dispatch.operators",
    "ops": "minitorch._dispatch.operators",
    "Event": "minitorch.tensors.streams",
    "Future": "minitorch.futures",
    "PyTorchFileReader": "minitorch._files.file_reader",
    "PyTorchFileWriter": "minitorch._files.file_writer",
    "ScriptFunction": "minitorch.jit",
    "ScriptModule": "minitorch.jit",
    "Stream": "minitorch.tensors.streams",
    "_disable_dynamo": "minitorch._compile",
    "_dirichlet_grad": "minitorch.distributions._dirichlet_numbers",
    "_sample_dirichlet": "minitorch.distributions._dirichlet_numbers",
    "classes": "minitorch._classes",
    "compile": "minitorch.compiler",
    "cond": "minitorch._higher_order_ops.cond",
    "load": "minitorch.serialization",
    "save": "minitorch.serialization",
    "vmap": "minitorch._functorch.apis",
    "while_loop": "minitorch._higher_order_ops.while_loop",
}
_lazy = _lazy_attributes(__name__, *_SUBMODULES, names=_LAZY_NAMES)


# Deprecated names of functions in `minitorch.backends`.
_OLD_QUESTIONS = {
    "has_cuda": ("cuda", "is_built"),
    "has_cudnn": ("cudnn", "is_available"),
    "has_mkldnn": ("mkldnn", "is_available"),
    "has_mps": ("mps", "is_built"),
}


def _old_answer(name):
    import warnings
    from importlib import import_module

    module, question = _OLD_QUESTIONS[name]
    warnings.warn(
        f"'{name}' is deprecated, please use 'torch.backends.{module}.{question}()'", stacklevel=3
    )
    return getattr(import_module(f"{__name__}.backends.{module}"), question)()


def __getattr__(name):
    if name in _OLD_QUESTIONS:
        return _old_answer(name)
    return _lazy(name)


def __dir__():
    return sorted({*globals(), *_SUBMODULES, *_LAZY_NAMES})


globals().update(_dtypes())
globals().update(_dtypes_without_tensors())
globals().update(_old_names)
globals().update(
    {
        name: getattr(_tensor_methods, name)
        for name in _tensor_methods.public_functions
        if name not in _tensor_methods.namespaces
    }
)
globals().update(_aliases.functions())
globals().update(_absent.functions())
_absent.add_methods(Tensor)
gather = _aliases.gather
globals().update(_aliases.dtypes({**_dtypes(), **_dtypes_without_tensors()}))
empty = _creation.empty_
range = _creation.range_

# These imports need the names above.
from minitorch import (  # noqa: E402
    _utils,
    fft,
    linalg,
    nn,
    sparse,
    special,
    storage,
    utils,
)
from minitorch.fft._short_time import istft, stft  # noqa: E402
from minitorch.nn import _making  # noqa: E402

globals().update(storage.legacy_classes, Storage=storage.FloatStorage)
from minitorch.autograd import upward_calls as _upward_calls  # noqa: E402
from minitorch.composed.lobpcg import lobpcg  # noqa: E402, F401
from minitorch.namespace.public import register_public_names as _register_public_names  # noqa: E402
from minitorch.tensors import wrapper_methods as _wrapper_methods  # noqa: E402, F401
from minitorch.tensors.vmap_values import _is_all_true, _is_any_true  # noqa: E402, F401

_register_public_names(globals())


class _DispatchOnDemand:
    """Imports `minitorch._dispatch` when autograd first calls it."""

    casts = _CASTS

    def __getattr__(self, name):
        import minitorch._dispatch  # noqa: F401  (it registers its calls in the place of this object)

        return getattr(_upward_calls.dispatch(), name)


class _TransformsOnDemand(_upward_calls.TransformCalls):
    def load(self):
        import minitorch._functorch  # noqa: F401  (it registers the methods that this class does not have)


_upward_calls.register_dispatch_calls(_DispatchOnDemand())
_upward_calls.register_transform_calls(_TransformsOnDemand())
del globals()["ops"]  # the folder; `torch.ops` is one of _LAZY_NAMES

# All kernel modules are imported and have their BLAS pointers.
from minitorch.core.untyped_storage import UntypedStorage as StorageBase  # noqa: E402
from minitorch.kernels.common.parallel import OPENMP as has_openmp  # noqa: E402
from minitorch.kernels.linalg import _scipy_blas as _scipy_blas  # noqa: E402
from minitorch.storage import from_file  # noqa: E402

_scipy_blas.give_back()

from minitorch.nn import _namespace  # noqa: E402

globals().update(_namespace.functions())

# Some packages write `torch.torch.Tensor` in annotations.
torch = sys.modules[__name__]
from minitorch.autograd.functions.overridable import override_namespace as _override  # noqa: E402
from minitorch.namespace import overridden as _overridden  # noqa: E402

_override(
    globals(),
    [name for name, value in list(globals().items()) if _overridden.is_function(name, value)],
    in_python=_overridden.PYTHON_FUNCTIONS,
    torch_modules=("torch", "torch.functional"),
)
_aliases.override_methods()  # the methods that were added above
# Both namespaces contain the same function objects.
vars(functional).update({name: globals()[name] for name in functional.__all__})

if "TORCH_LOGS" in os.environ:
    from minitorch import _logging as _logging
