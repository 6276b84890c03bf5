"""Code generation for kernels, which is absent."""
