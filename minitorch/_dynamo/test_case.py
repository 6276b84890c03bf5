"""The class of tests of the compiler, on top of that of PyTorch's testing modules."""

import contextlib
import importlib
from typing import Any

import minitorch
from minitorch._dynamo import config, utils

__all__ = ["TestCase", "run_tests"]

# of PyTorch's wheel: whoever runs such tests has put them on the path of `minitorch.testing`
_common: Any = importlib.import_module("minitorch.testing._internal.common_utils")


def run_tests(needs=()):
    """Run the tests of the program, unless a package named in `needs` is missing."""
    for need in (needs,) if isinstance(needs, str) else needs:
        if need == "cuda" or importlib.util.find_spec(need) is None:
            return
    _common.run_tests()


class TestCase(_common.TestCase):
    """Tests that leave the counters, the switches and the grad mode as they found them."""

    _exit_stack: contextlib.ExitStack

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls._exit_stack = contextlib.ExitStack()
        cls._exit_stack.enter_context(config.patch(suppress_errors=False))

    @classmethod
    def tearDownClass(cls):
        cls._exit_stack.close()
        super().tearDownClass()

    def setUp(self):
        self._grad_was_enabled = minitorch.is_grad_enabled()
        super().setUp()
        utils.counters.clear()

    def tearDown(self):
        utils.counters.clear()
        super().tearDown()
        minitorch.set_grad_enabled(self._grad_was_enabled)
