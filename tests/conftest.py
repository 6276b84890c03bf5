"""What the tests draw is the same in each run of them, and helpers explain their failures as tests do.

Next to a CUDA build of PyTorch, tests that compare with a CPU build are skipped.

With ``--engine FILE`` every backward pass runs on the class ``Engine`` of a file.
`any_engine.toml` says which tests have the marker ``any_engine``.
"""

import re
import sys
import tomllib
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


ANY_ENGINE = tomllib.loads((HERE / "any_engine.toml").read_text())


def pytest_addoption(parser):
    parser.addoption("--engine", metavar="FILE", help="run on the class Engine of this file")


def pytest_configure(config):
    if file := config.getoption("--engine"):
        from exercises.engines import plug_in  # the course is not needed without this option

        plug_in(file)


def pytest_collection_modifyitems(items):
    mark_any_engine(items)
    skip_next_to_cuda(items)


def mark_any_engine(items):
    """Mark the tests of the files in `ANY_ENGINE` that are not among the others there."""
    parameters = {}  # by test, what the parameters of those that are not marked contain
    for name in (name for group in ANY_ENGINE["others"] for name in group["tests"]):
        test, _, part = name.partition("[")
        parameters.setdefault(test, []).append(part.removesuffix("]"))
    for item in items:
        path = item.path.relative_to(HERE).as_posix() if HERE in item.path.parents else None
        if path not in ANY_ENGINE["files"]:
            continue
        test, _, parameter = item.nodeid.partition("::")[2].partition("[")
        if not any(part in parameter for part in parameters.get(f"{path}::{test}", ())):
            item.add_marker("any_engine")


def skip_next_to_cuda(items):
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
