"""The processor's features, as detected by NumPy."""

import os
import platform
import re

from numpy._core._multiarray_umath import __cpu_features__

# for example, SSE41 becomes sse4_1 and AVX512VNNI becomes avx512_vnni
_PARTS = re.compile(r"^(sse4|avx512)_?(?=.)")


def get_capabilities():
    """Return which instruction sets the processor has, its architecture and its number of cores."""
    found = {_PARTS.sub(r"\1_", name.lower()): there for name, there in __cpu_features__.items()}
    return {**found, "architecture": platform.machine(), "num_logical_cores": os.cpu_count()}


def cpu_capability():
    """Return PyTorch's name for the widest vector instructions: AVX512, AVX2 or DEFAULT."""
    found = __cpu_features__
    if found.get("AVX512_SKX"):
        return "AVX512"
    return "AVX2" if found.get("AVX2") and found.get("FMA3") else "DEFAULT"
