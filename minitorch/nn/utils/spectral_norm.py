"""Spectral norm by a forward pre-hook; `parametrizations.spectral_norm` is its newer form."""

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.types import contiguous_format
from minitorch.nn._normalization import normalize
from minitorch.nn.parameter import Parameter, UninitializedParameter
from minitorch.nn.utils._norms import output_dim
from minitorch.nn.utils.weight_norm import find_hook

__all__ = [
    "SpectralNorm",
    "SpectralNormLoadStateDictPreHook",
    "SpectralNormStateDictHook",
    "remove_spectral_norm",
    "spectral_norm",
]


class SpectralNorm:
    """The hook, which computes the weight.

    The parameter ``<name>_orig`` is trained; ``<name>_u`` and ``<name>_v`` are buffers.

    Parameters
    ----------
    name : str, default "weight"
    n_power_iterations : int, default 1
    dim : int, default 0
    eps : float, default 1e-12
    """

    # version of the saved state; states before version 1 have no `_v`
    _version = 1

    def __init__(self, name="weight", n_power_iterations=1, dim=0, eps=1e-12):
        self.name = name
        self.dim = dim
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def reshape_weight_to_matrix(self, weight):
        """Return the weight as a matrix with one row for each output."""
        if self.dim != 0:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module, do_power_iteration):
        """Return the weight divided by its largest singular value.

        `do_power_iteration` updates the estimates of the singular vectors first.
        """
        weight, u, v = (getattr(module, self.name + part) for part in ("_orig", "_u", "_v"))
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    normalize(_ops.mv(matrix.t(), u), dim=0, eps=self.eps, out=v)
                    normalize(_ops.mv(matrix, v), dim=0, eps=self.eps, out=u)
                # a second forward call may modify the buffers before the first backward
                u, v = (x.clone(memory_format=contiguous_format) for x in (u, v))
        return weight / _ops.dot(u, _ops.mv(matrix, v))

    def remove(self, module):
        """Make the weight an ordinary parameter again."""
        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for part in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + part)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module, module.training))

    def _solve_v_and_rescale(self, matrix, u, sigma):
        """Return the least-squares solution `v` of u = W v, scaled so that uᵀ W v is `sigma`."""
        gram = matrix.t().mm(matrix)
        v = gram.pinverse().mm(matrix.t()).mv(u)
        return v.mul_(sigma / _ops.dot(u, _ops.mv(matrix, v)))

    @staticmethod
    def apply(module, name, n_power_iterations, dim, eps):
        """Add a hook to a module."""
        if find_hook(module, SpectralNorm, name) is not None:
            raise RuntimeError(
                f"Cannot register two spectral_norm hooks on the same parameter {name}"
            )
        hook = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        if isinstance(weight, UninitializedParameter):
            raise ValueError(
                "The module passed to `SpectralNorm` can't have uninitialized parameters. Make sure to "
                "run the dummy forward before applying spectral normalization"
            )
        with no_grad():
            u, v = (
                normalize(weight.new_empty(size).normal_(0, 1), dim=0, eps=eps)
                for size in hook.reshape_weight_to_matrix(weight).size()
            )
        delattr(module, name)
        module.register_parameter(f"{name}_orig", weight)
        # not a parameter, so it is neither trained nor saved
        setattr(module, name, weight.data)
        module.register_buffer(f"{name}_u", u)
        module.register_buffer(f"{name}_v", v)
        module.register_forward_pre_hook(hook)
        module._register_state_dict_hook(SpectralNormStateDictHook(hook))
        module._register_load_state_dict_pre_hook(SpectralNormLoadStateDictPreHook(hook))
        return hook


class SpectralNormLoadStateDictPreHook:
    """Computes the buffer `_v` that states of older versions do not have."""

    def __init__(self, fn):
        self.fn = fn

    def __call__(
        self,
        state_dict,
        prefix,
        local_metadata,
        strict,
        missing_keys,
        unexpected_keys,
        error_msgs,
    ):
        version = local_metadata.get("spectral_norm", {}).get(f"{self.fn.name}.version")
        if version is not None and version >= 1:
            return
        key = prefix + self.fn.name
        present = {part for part in ("", "_orig", "_u", "_v") if key + part in state_dict}
        if version is None and present == {"_orig", "_u", "_v"}:
            # a state of the current version without metadata
            return
        missing = [key + part for part in ("_orig", "", "_u") if part not in present]
        if missing:
            if strict:
                missing_keys.extend(missing)
            return
        with no_grad():
            original, u = state_dict[key + "_orig"], state_dict[key + "_u"]
            sigma = (original / state_dict.pop(key)).mean()
            matrix = self.fn.reshape_weight_to_matrix(original)
            state_dict[key + "_v"] = self.fn._solve_v_and_rescale(matrix, u, sigma)


class SpectralNormStateDictHook:
    """Writes the version of the state into the metadata."""

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, module, state_dict, prefix, local_metadata):
        versions = local_metadata.setdefault("spectral_norm", {})
        key = f"{self.fn.name}.version"
        if key in versions:
            raise RuntimeError(f"Unexpected key in metadata['spectral_norm']: {key}")
        versions[key] = self.fn._version


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divide a weight by its largest singular value before each call; see `parametrizations`.

    Parameters
    ----------
    module : Module
    name : str, default "weight"
    n_power_iterations : int, default 1
        The number of power iterations per call in training.
    eps : float, default 1e-12
        The minimum norm to divide by.
    dim : int, optional
        The dimension of the outputs; by default 1 for transposed convolutions, else 0.

    Returns
    -------
    Module

    References
    ----------
    .. [1] Miyato et al., Spectral normalization for generative adversarial networks, 2018.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.spectral_norm(torch.nn.Linear(2, 3))
    >>> sorted(layer.state_dict())
    ['bias', 'weight_orig', 'weight_u', 'weight_v']
    """
    dim = output_dim(module) if dim is None else dim
    SpectralNorm.apply(module, name, n_power_iterations, dim, eps)
    return module


def remove_spectral_norm(module, name="weight"):
    """Remove the hook of `spectral_norm` and keep the current weight.

    Parameters
    ----------
    module : Module
    name : str, default "weight"

    Returns
    -------
    Module
        `module` itself.

    Raises
    ------
    ValueError
        When the module has no such hook.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.spectral_norm(torch.nn.Linear(2, 3))
    >>> torch.nn.utils.remove_spectral_norm(layer)
    Linear(in_features=2, out_features=3, bias=True)
    """
    key = find_hook(module, SpectralNorm, name)
    if key is None:
        raise ValueError(f"spectral_norm of '{name}' not found in {module}")
    hook = module._forward_pre_hooks.pop(key)
    hook.remove(module)
    for hooks in (module._state_dict_hooks, module._load_state_dict_pre_hooks):
        for key, other in list(hooks.items()):
            # load_state_dict pre-hooks are wrapped in other objects
            if getattr(getattr(other, "hook", other), "fn", None) is hook:
                del hooks[key]
    return module
