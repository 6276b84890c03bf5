"""The names of logs and artifacts."""

__all__ = ["ARTIFACTS", "LOGS", "OFF_BY_DEFAULT", "VISIBLE"]

_DYNAMIC = [
    f"torch.fx.experimental.{part}" for part in ("symbolic_shapes", "sym_node", "recording")
]

# short name -> loggers
LOGS = {
    "torch": ["torch"],
    "autograd": ["torch.autograd"],
    "dynamo": ["torch._dynamo", *_DYNAMIC],
    "fake_tensor": ["torch._subclasses.fake_tensor"],
    "aot": ["torch._functorch.aot_autograd", "torch._functorch._aot_autograd"],
    "inductor": ["torch._inductor", "torch._inductor.cudagraph_trees"],
    "dynamic": _DYNAMIC,
    "distributed": ["torch.distributed", "torch.nn.parallel.distributed"],
    "c10d": ["torch.distributed.distributed_c10d", "torch.distributed.rendezvous"],
    "ddp": ["torch.nn.parallel.distributed"],
    "pp": ["torch.distributed.pipelining"],
    "fsdp": ["torch.distributed.fsdp", "torch.distributed._composable.fsdp"],
    "dtensor": ["torch.distributed._tensor", "torch.distributed.tensor"],
    "onnx": ["torch.onnx"],
    "export": ["torch._dynamo", "torch.export", *_DYNAMIC, "torch.fx.experimental.proxy_tensor"],
}

# outputs of the compiler, which are never written
ARTIFACTS = (
    "guards verbose_guards bytecode graph graph_code graph_code_verbose graph_sizes trace_source trace_call "
    "trace_bytecode trace_shape_events aot_graphs aot_joint_graph aot_graphs_effects pre_grad_graphs "
    "post_grad_graphs ir_pre_fusion ir_post_fusion compiled_autograd compiled_autograd_verbose ddp_graphs "
    "recompiles recompiles_verbose graph_breaks side_effects not_implemented output_code kernel_code schedule "
    "perf_hints onnx_diagnostics compute_dependencies fusion loop_ordering loop_tiling overlap "
    "overlap_scheduling sym_node cudagraphs cudagraph_static_inputs benchmarking incremental autotuning "
    "graph_region_expansion inductor_metrics hierarchical_compile annotation caching"
).split()
VISIBLE = set(
    "guards aot_graphs aot_graphs_effects compiled_autograd recompiles recompiles_verbose graph_breaks "
    "side_effects output_code kernel_code".split()
)
# enabled only by name, not by the DEBUG level of a parent log
OFF_BY_DEFAULT = set(
    "verbose_guards bytecode ir_pre_fusion ir_post_fusion compiled_autograd_verbose recompiles_verbose "
    "output_code kernel_code schedule perf_hints onnx_diagnostics compute_dependencies fusion loop_ordering "
    "loop_tiling overlap overlap_scheduling sym_node trace_shape_events cudagraph_static_inputs benchmarking "
    "incremental autotuning graph_region_expansion inductor_metrics hierarchical_compile annotation caching".split()
)
