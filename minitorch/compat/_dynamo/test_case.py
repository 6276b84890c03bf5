"""Base class of the compiler's tests, derived from PyTorch's test case class.

PyTorch's testing modules come from its wheel and must be on the path of `minitorch.testing`. Only
such tests need them, so they are imported on first access to the class.
"""

import contextlib
import functools
import importlib

import minitorch
from minitorch._dynamo import config, utils


def _common():
    return importlib.import_module("minitorch.testing._internal.common_utils")


def run_tests(needs=()):
    """Run the tests of the main module, unless a package named in `needs` is missing."""
    for need in (needs,) if isinstance(needs, str) else needs:
        if need == "cuda" or importlib.util.find_spec(need) is None:
            return
    _common().run_tests()


@functools.cache
def _test_case():
    class TestCase(_common().TestCase):
        """Test case that restores the counters, the configuration and the grad mode."""

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

    TestCase.__qualname__ = "TestCase"
    return TestCase


def __getattr__(name):
    if name == "TestCase":
        return _test_case()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
