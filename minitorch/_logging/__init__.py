"""Which of the package's logs are kept, and from which level on.

The logs of what is compiled can be asked for, and are never written: nothing is compiled.
"""

import logging

__all__ = ["set_logs"]

_LEVELS = (50, 40, 30, 20, 10, 0)
_LOGS = (
    "all dynamo aot autograd dynamic inductor distributed c10d ddp fsdp dtensor onnx export"
).split()
_ARTIFACTS = (
    "bytecode aot_graphs aot_joint_graph ddp_graphs graph graph_code graph_code_verbose graph_breaks "
    "side_effects graph_sizes guards recompiles recompiles_verbose trace_source trace_call trace_bytecode "
    "output_code kernel_code schedule perf_hints pre_grad_graphs post_grad_graphs ir_pre_fusion ir_post_fusion "
    "onnx_diagnostics fusion overlap cudagraphs sym_node compiled_autograd compiled_autograd_verbose "
    "cudagraph_static_inputs benchmarking autotuning incremental graph_region_expansion inductor_metrics "
    "hierarchical_compile compute_dependencies caching"
).split()


def set_logs(*, modules=None, **logs):
    """Set from which level on logs are kept.

    Parameters
    ----------
    modules : dict, optional
        Levels by names of modules, such as ``{"torch.fx": logging.DEBUG}``.
    **logs
        Levels by PyTorch's names of parts, ``autograd=logging.INFO``; True or False by those of what is
        written of a compilation.

    Raises
    ------
    TypeError
        There is no such log.
    ValueError
        No such level or module.

    Examples
    --------
    >>> import logging
    >>> import minitorch as torch
    >>> torch._logging.set_logs(autograd=logging.INFO)
    >>> logging.getLogger("minitorch.autograd").level == logging.INFO
    True
    """
    for name, value in logs.items():
        if name in _LOGS:
            _set_level(name, value)
        elif name not in _ARTIFACTS:
            raise TypeError(f"set_logs() got an unexpected keyword argument '{name}'")
        elif not isinstance(value, bool):
            raise ValueError(f"Expected bool to enable artifact {name}, received {value}")
    for name, value in (modules or {}).items():
        if name.partition(".")[0] not in ("torch", "minitorch"):
            raise ValueError(f"Unrecognized log or artifact name passed to set_logs: {name}")
        _logger(name).setLevel(value)


def _set_level(name, value):
    if value is None:
        return
    if value not in _LEVELS:
        shown = "torch" if name == "all" else name
        levels = ",".join(map(str, _LEVELS))
        raise ValueError(
            f"Unrecognized log level for log {shown}: {value}, valid level values are: {levels}"
        )
    _logger("torch" if name == "all" else f"torch.{name}").setLevel(value)


def _logger(name):
    """The package's logger under PyTorch's name."""
    _, dot, rest = name.partition(".")
    return logging.getLogger(f"minitorch{dot}{rest}")
