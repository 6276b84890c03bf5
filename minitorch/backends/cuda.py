"""Switches of CUDA's libraries, and of the ways to compute attention."""

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
    """The library in use, which is the default one, whatever is asked for."""
    if backend is None or backend in (default, "default"):
        return default
    name = libraries.get(backend.lower()) if isinstance(backend, str) else backend.name
    if name is None:
        raise RuntimeError(f"Unknown input value. Choose from: default, {', '.join(libraries)}.")
    raise RuntimeError(
        f"Cannot set preferred backend to {name} if PyTorch has not been compiled with {name}."
    )


def preferred_linalg_library(backend=None):
    """The library that decompositions on a GPU are left to; there is no choice without one."""
    libraries = {"cusolver": "cuSOLVER", "magma": "MAGMA"}
    return _chosen(backend, libraries, _LinalgBackend.Default)


def preferred_blas_library(backend=None):
    """The library that products on a GPU are left to; there is no choice without one."""
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
        """Whether products may have fewer bits, as `set_float32_matmul_precision` says too."""
        return get_float32_matmul_precision() != "highest"

    @allow_tf32.setter
    def allow_tf32(self, allowed):
        set_float32_matmul_precision("high" if allowed else "highest")


matmul = _MatMul()

_attention = dict.fromkeys(("flash", "mem_efficient", "math", "cudnn", "overrideable"), True)


def is_built():
    """Whether CUDA was compiled in: no."""
    return False


def flash_sdp_enabled():
    """Whether attention may be computed by FlashAttention."""
    return _attention["flash"]


def enable_flash_sdp(enabled):
    """Say whether attention may be computed by FlashAttention."""
    _attention["flash"] = bool(enabled)


def mem_efficient_sdp_enabled():
    """Whether attention may be computed with little memory."""
    return _attention["mem_efficient"]


def enable_mem_efficient_sdp(enabled):
    """Say whether attention may be computed with little memory."""
    _attention["mem_efficient"] = bool(enabled)


def math_sdp_enabled():
    """Whether attention may be computed as it is defined."""
    return _attention["math"]


def enable_math_sdp(enabled):
    """Say whether attention may be computed as it is defined; it is so in any case."""
    _attention["math"] = bool(enabled)


def cudnn_sdp_enabled():
    """Whether attention may be computed by cuDNN."""
    return _attention["cudnn"]


def enable_cudnn_sdp(enabled):
    """Say whether attention may be computed by cuDNN."""
    _attention["cudnn"] = bool(enabled)


def is_flash_attention_available():
    """Whether FlashAttention was compiled in: no."""
    return False


class SDPAParams(NamedTuple):
    """What an attention is asked to compute, for those who ask which way it can be computed."""

    query: Tensor
    key: Tensor
    value: Tensor
    attn_mask: Tensor | None
    dropout: float
    is_causal: bool
    enable_gqa: bool


def can_use_flash_attention(params, debug=False):
    """Whether FlashAttention can compute this: no."""
    return False


def can_use_efficient_attention(params, debug=False):
    """Whether memory-efficient attention can compute this: no."""
    return False


@contextlib.contextmanager
def _allowed(**ways):
    """What `sdp_kernel` and `nn.attention.sdpa_kernel` do: switches that are set for a block."""
    before = dict(_attention)
    _attention.update(ways)
    try:
        yield {}
    finally:
        _attention.update(before)


def sdp_kernel(enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
    """Say for a block how attention may be computed; `nn.attention.sdpa_kernel` took its place.

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
