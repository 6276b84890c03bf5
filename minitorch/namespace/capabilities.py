"""What the processor can do, as NumPy found out."""

import os
import platform
import re

from numpy._core._multiarray_umath import __cpu_features__

# SSE41 and AVX512VNNI are sse4_1 and avx512_vnni
_PARTS = re.compile(r"^(sse4|avx512)_?(?=.)")


def get_capabilities():
    """Instruction sets by name, with True where the processor has them; and ``architecture``."""
    found = {_PARTS.sub(r"\1_", name.lower()): there for name, there in __cpu_features__.items()}
    return {**found, "architecture": platform.machine(), "num_logical_cores": os.cpu_count()}


def cpu_capability():
    """The widest vectors there are, in PyTorch's word: ``AVX512``, ``AVX2`` or ``DEFAULT``."""
    found = __cpu_features__
    if found.get("AVX512_SKX"):
        return "AVX512"
    return "AVX2" if found.get("AVX2") and found.get("FMA3") else "DEFAULT"
