"""Compilation of graphs to kernels, which is absent."""

from minitorch.namespace.absent import absent

__all__ = ["compile_fx", "shape_env_from_inputs"]

compile_fx = absent("torch._inductor.compile_fx.compile_fx")
shape_env_from_inputs = absent("torch._inductor.compile_fx.shape_env_from_inputs")
