"""Switches of the generator of kernels. Programs set what they like, and nothing comes of it."""

import sys

from minitorch.utils._config_module import install_config_module

cpp_wrapper = False
fallback_random = False
size_asserts = True
fx_graph_cache = True

install_config_module(sys.modules[__name__])
