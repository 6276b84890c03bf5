"""What the tests draw is the same in each run of them, and helpers explain their failures as tests do."""

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
