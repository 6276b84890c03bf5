"""Settings of the compiler, which have no effect."""

import sys

from minitorch.utils._config_module import install_config_module

suppress_errors = False
cache_size_limit = recompile_limit = 8
accumulated_cache_size_limit = accumulated_recompile_limit = 256
verbose = False
disable = True
compiled_autograd = False
assume_static_by_default = True
automatic_dynamic_shapes = True
specialize_int = False
inline_inbuilt_nn_modules = True
allow_rnn = False
capture_scalar_outputs = False
capture_dynamic_output_shape_ops = False
capture_func_transforms = True
guard_nn_modules = True
error_on_recompile = False
fail_on_recompile_limit_hit = False
optimize_ddp = True
nested_graph_breaks = False
raise_on_ctx_manager_usage = True
log_compilation_metrics = True
debug_disable_compile_counter = False

install_config_module(sys.modules[__name__])
