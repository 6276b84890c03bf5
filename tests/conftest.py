"""What the tests draw is the same in each run of them, and helpers explain their failures as tests do.

Next to a CUDA build of PyTorch, tests that compare with a CPU build are skipped.
"""

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
pytest.register_assert_rewrite(
    *(
        ".".join(path.relative_to(HERE.parent).with_suffix("").parts)
        for path in HERE.rglob("*.py")
        if not path.name.startswith(("test_", "conftest"))
    )
)

import minitorch  # noqa: E402

minitorch.manual_seed(0)

# lines of programs that a PyTorch built with CUDA answers in another way, though there is no GPU
OF_A_CPU_BUILD = re.compile(
    r"cuda|pin_memory|nccl|has_cud|nvtx"
    r"|torch\.(device|Generator)\(1\)|x\.to\(3\)|fork_rng\(devices=|parallel_apply\("
)


def pytest_collection_modifyitems(items):
    torch = sys.modules.get("torch")
    if torch is None or torch is minitorch or torch.version.cuda is None:
        return
    skip = pytest.mark.skip(
        reason="compares with a CPU build of PyTorch, and this one is built with CUDA"
    )
    for item in items:
        parameters = item.nodeid.partition("[")[2]
        if item.get_closest_marker("cpu_build") or OF_A_CPU_BUILD.search(parameters):
            item.add_marker(skip)
