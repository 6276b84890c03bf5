"""The writing of kernels."""
