"""Names of ``torch.optim.optimizer`` that optimizers in other packages import."""

from minitorch.autograd.functions.tensor_methods import view_as_real

_DEVICES = ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "privateuseone"]

# inserted into docstrings by these optimizers
_params_doc = "params (iterable): the parameters, named or not, or dicts of groups of them"
_foreach_doc = "foreach (bool, optional): whether to step over lists of parameters (default: None)"
_fused_doc = "fused (bool, optional): whether a step is one loop over a parameter (default: None)"
_capturable_doc = "capturable (bool, optional): for graphs of GPUs (default: False)"
_differentiable_doc = "differentiable (bool, optional): whether steps are recorded (default: False)"
_maximize_doc = "maximize (bool, optional): maximize the objective (default: False)"


def _stack_if_compiling(x):
    """Return the list unchanged, since nothing is compiled."""
    return x


def _disable_dynamo_if_unsupported(single_tensor_fn=None):
    """Return a decorator that returns its function unchanged, since nothing is compiled."""
    return lambda func: func


def _view_as_real(params, *state_and_grads):
    """Replace complex tensors in the lists by real views, in place."""
    for index, parameter in enumerate(params):
        if parameter.is_complex():
            for values in (params, *state_and_grads):
                values[index] = view_as_real(values[index])


def _device_dtype_check_for_fused(p, cuda_unsupported=False):
    """Raise RuntimeError unless a fused step supports the parameter."""
    devices = [d for d in _DEVICES if not (cuda_unsupported and d == "cuda")]
    if p.device.type not in devices or not p.is_floating_point():
        raise RuntimeError(
            "`fused=True` requires all the params to be floating point Tensors of supported "
            f"devices: {devices} but {p.dtype} and {p.device.type}"
        )
