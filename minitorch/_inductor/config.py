"""Switches of the generator of kernels. Programs set what they like, and nothing comes of it."""

cpp_wrapper = False
fallback_random = False
size_asserts = True
