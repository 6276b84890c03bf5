"""PyTorch's compiler, which other tests start, switches the checks of its distributions off."""

import pytest


@pytest.fixture(autouse=True)
def arguments_are_checked():
    from tests.both import real

    real.distributions.Distribution.set_default_validate_args(True)
