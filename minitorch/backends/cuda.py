"""Switches of CUDA's libraries and of the implementations of attention."""

import contextlib
import enum
import warnings
from typing import NamedTuple

from minitorch._tensor import Tensor
from minitorch.tensors.settings import get_float32_matmul_precision, set_float32_matmul_precision

__all__ = [
    "SDPAParams",
    "can_use_efficient_attention",
    "can_use_flash_attention",
    "cudnn_sdp_enabled",
    "enable_cudnn_sdp",
    "enable_flash_sdp",
    "enable_math_sdp",
    "enable_mem_efficient_sdp",
    "flash_sdp_enabled",
    "is_built",
    "is_flash_attention_available",
    "math_sdp_enabled",
    "matmul",
    "mem_efficient_sdp_enabled",
    "preferred_blas_library",
    "preferred_linalg_library",
    "sdp_kernel",
]


class _LinalgBackend(enum.Enum):
    Default = 0
    Cusolver = 1
    Magma = 2


class _BlasBackend(enum.Enum):
    Default = 0
    Cublas = 1
    Cublaslt = 2
    Ck = 3


def _chosen(backend, libraries, default):
    """Return the default library; raise RuntimeError for any other, since none is available."""
    if backend is None or backend in (default, "default"):
        return default
    name = libraries.get(backend.lower()) if isinstance(backend, str) else backend.name
    if name is None:
        raise RuntimeError(f"Unknown input value. Choose from: default, {', '.join(libraries)}.")
    raise RuntimeError(
        f"Cannot set preferred backend to {name} if PyTorch has not been compiled with {name}."
    )


def preferred_linalg_library(backend=None):
    """Return the library for decompositions on a GPU: the default, since there is no GPU."""
    libraries = {"cusolver": "cuSOLVER", "magma": "MAGMA"}
    return _chosen(backend, libraries, _LinalgBackend.Default)


def preferred_blas_library(backend=None):
    """Return the library for products on a GPU: the default, since there is no GPU."""
    libraries = {
        "cublas": "cuBLAS",
        "hipblas": "hipBLAS",
        "cublaslt": "cuBLASLt",
        "hipblaslt": "hipBLASLt",
    }
    if backend in ("cublas", "hipblas", _BlasBackend.Cublas):
        backend = None
    return _chosen(backend, {**libraries, "ck": "CK"}, _BlasBackend.Cublas)


class _MatMul:
    allow_fp16_reduced_precision_reduction = True
    allow_bf16_reduced_precision_reduction = True
    allow_fp16_accumulation = False

    @property
    def allow_tf32(self):
        """True if products may use reduced precision; see `set_float32_matmul_precision`."""
        return get_float32_matmul_precision() != "highest"

    @allow_tf32.setter
    def allow_tf32(self, allowed):
        set_float32_matmul_precision("high" if allowed else "highest")


matmul = _MatMul()

_attention = dict.fromkeys(("flash", "mem_efficient", "math", "cudnn", "overrideable"), True)


def is_built():
    """Return False, since there is no CUDA support."""
    return False


def flash_sdp_enabled():
    """Return True if attention may use FlashAttention."""
    return _attention["flash"]


def enable_flash_sdp(enabled):
    """Set whether attention may use FlashAttention."""
    _attention["flash"] = bool(enabled)


def mem_efficient_sdp_enabled():
    """Return True if attention may use the memory-efficient implementation."""
    return _attention["mem_efficient"]


def enable_mem_efficient_sdp(enabled):
    """Set whether attention may use the memory-efficient implementation."""
    _attention["mem_efficient"] = bool(enabled)


def math_sdp_enabled():
    """Return True if attention may use the plain implementation."""
    return _attention["math"]


def enable_math_sdp(enabled):
    """Set whether attention may use the plain implementation, which is always used here."""
    _attention["math"] = bool(enabled)


def cudnn_sdp_enabled():
    """Return True if attention may use cuDNN."""
    return _attention["cudnn"]


def enable_cudnn_sdp(enabled):
    """Set whether attention may use cuDNN."""
    _attention["cudnn"] = bool(enabled)


def is_flash_attention_available():
    """Return False, since there is no FlashAttention."""
    return False


class SDPAParams(NamedTuple):
    """The parameters of an attention call, for queries about the implementations."""

    query: Tensor
    key: Tensor
    value: Tensor
    attn_mask: Tensor | None
    dropout: float
    is_causal: bool
    enable_gqa: bool


def can_use_flash_attention(params, debug=False):
    """Return False, since there is no FlashAttention."""
    return False


def can_use_efficient_attention(params, debug=False):
    """Return False, since there is no memory-efficient attention."""
    return False


@contextlib.contextmanager
def _allowed(**ways):
    """Set switches in a block, for `sdp_kernel` and `nn.attention.sdpa_kernel`."""
    before = dict(_attention)
    _attention.update(ways)
    try:
        yield {}
    finally:
        _attention.update(before)


def sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    """Select the implementations of attention in a block; deprecated by `nn.attention.sdpa_kernel`.

    Warns
    -----
    FutureWarning
        Always.
    """
    warnings.warn(
        "`torch.backends.cuda.sdp_kernel()` is deprecated. In the future, this context manager will be "
        "removed. Please see `torch.nn.attention.sdpa_kernel()` for the new context manager, with "
        "updated signature.",
        FutureWarning,
        stacklevel=2,
    )
    return _allowed(
        flash=enable_flash,
        math=enable_math,
        mem_efficient=enable_mem_efficient,
        cudnn=enable_cudnn,
        overrideable=False,
    )
