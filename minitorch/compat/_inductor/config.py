"""Settings of the kernel generator, which have no effect."""

import sys

from minitorch.utils._config_module import install_config_module

cpp_wrapper = False
fallback_random = False
size_asserts = True
fx_graph_cache = True

install_config_module(sys.modules[__name__])
