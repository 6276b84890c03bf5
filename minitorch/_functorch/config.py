"""Settings of the gradient compiler. Programs may set them; they have no effect."""

functionalize_rng_ops = False
fake_tensor_allow_meta = True
fake_tensor_propagate_real_tensors = False
debug_assert = False
cse = True
enable_autograd_cache = True
activation_memory_budget = 1.0
donated_buffer = False
treat_parameters_as_static = False
