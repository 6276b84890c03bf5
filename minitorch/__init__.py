"""PyTorch's autograd, small enough to read in a week, fast enough to train with.

``import minitorch as torch`` runs ordinary PyTorch programs on the CPU.
"""

from math import e, inf, nan, pi

from minitorch import _aliases, autograd, backends, cuda, functional
from minitorch import random as random
from minitorch._settings import (
    are_deterministic_algorithms_enabled,
    compile,
    get_default_device,
    get_float32_matmul_precision,
    get_num_interop_threads,
    set_default_device,
    set_default_tensor_type,
    set_float32_matmul_precision,
    set_num_interop_threads,
    use_deterministic_algorithms,
)
from minitorch._storage import TypedStorage, is_storage
from minitorch._tensor import Tensor
from minitorch._tensor_str import set_printoptions
from minitorch._type_info import finfo, get_default_dtype, iinfo, set_default_dtype
from minitorch._types import (
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
    is_floating_point,
    is_nonzero,
    is_tensor,
    numel,
    typename,
)
from minitorch.autograd import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)
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
from minitorch.core import return_types
from minitorch.core.dtype import _dtypes, dtype
from minitorch.core.storage import UntypedStorage
from minitorch.core.types import (
    Size,
    channels_last,
    channels_last_3d,
    contiguous_format,
    device,
    layout,
    memory_format,
    preserve_format,
    strided,
)
from minitorch.random import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)

__version__ = "0.1.0"

newaxis = None

globals().update(_dtypes())
globals().update(
    {
        name: getattr(_tensor_methods, name)
        for name in _tensor_methods.public_functions
        if name not in _tensor_methods.namespaces
    }
)
globals().update(_aliases.functions())
globals().update(_aliases.dtypes(_dtypes()))
empty = _creation.empty_
range = _creation.range_

# they need the names above
from minitorch import _C, linalg, nn, optim, utils  # noqa: E402
