"""Common parametrizations: orthogonal matrices, weight norm and spectral norm."""

from minitorch._tensor import Tensor
from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.autograd.grad_mode import no_grad
from minitorch.core.types import contiguous_format
from minitorch.nn._normalization import normalize
from minitorch.nn.modules.module import Module
from minitorch.nn.utils import parametrize
from minitorch.nn.utils._norms import as_matrix, norm_except_dim, output_dim, scale_to_norm
from minitorch.nn.utils._orthogonal import _Orthogonal, maps

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def _weight_of(module, name):
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    return weight


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """Keep a matrix orthogonal: QᵀQ = 1, or QQᵀ = 1 if it has more columns than rows.

    Parameters
    ----------
    module : Module
    name : str, default "weight"
    orthogonal_map : {"matrix_exp", "cayley", "householder"}, optional
        By default "matrix_exp" for square and complex matrices, else "householder".
    use_trivialization : bool, default True
        Multiply the result of the map by a base matrix, which eases training.

    Returns
    -------
    Module

    Raises
    ------
    ValueError
        When there is no such tensor, it is not a matrix, or the map is unknown.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(2, 2), orthogonal_map="no")
    Traceback (most recent call last):
    ...
    ValueError: orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: no
    """
    weight = _weight_of(module, name)
    if weight.ndim < 2:
        raise ValueError(
            f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions."
        )
    if orthogonal_map is None:
        smooth = weight.size(-2) == weight.size(-1) or weight.is_complex()
        orthogonal_map = "matrix_exp" if smooth else "householder"
    if orthogonal_map not in maps:
        raise ValueError(
            'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: '
            f"{orthogonal_map}"
        )
    function = _Orthogonal(weight, orthogonal_map, use_trivialization)
    return parametrize.register_parametrization(module, name, function, unsafe=True)


class _WeightNorm(Module):
    """Maps norms g and directions v to g v / |v|."""

    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return scale_to_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight):
        return norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    """Reparametrize a weight as norms and directions, which are trained separately.

    Parameters
    ----------
    module : Module
    name : str, default "weight"
    dim : int or None, default 0
        The dimension whose slices have one norm each; None for a single norm of all elements.

    Returns
    -------
    Module
        The norms are ``parametrizations.weight.original0``, the directions ``original1``. The
        module can also load the state of `torch.nn.utils.weight_norm`.

    References
    ----------
    Salimans and Kingma, Weight normalization: a simple reparameterization to accelerate training of deep
    neural networks, 2016.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(20, 40))
    >>> layer.parametrizations.weight.original0.shape
    torch.Size([40, 1])
    """
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def load_older_names(state_dict, prefix, *_):
        older = [f"{prefix}{name}_g", f"{prefix}{name}_v"]
        if all(key in state_dict for key in older):
            for k, key in enumerate(older):
                state_dict[f"{prefix}parametrizations.{name}.original{k}"] = state_dict.pop(key)

    module._register_load_state_dict_pre_hook(load_older_names)
    return module


class _SpectralNorm(Module):
    """A weight divided by its largest singular value, which is estimated by power iterations.

    The buffers `_u` and `_v` are estimates of the singular vectors.
    """

    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{ndim}, {ndim - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                "Expected n_power_iterations to be positive, but got "
                f"n_power_iterations={n_power_iterations}"
            )
        self.dim = dim % ndim
        self.eps = eps
        if ndim == 1:
            return
        self.n_power_iterations = n_power_iterations
        matrix = as_matrix(weight, self.dim)
        rows, columns = matrix.size()
        u, v = (matrix.new_empty(size).normal_(0, 1) for size in (rows, columns))
        self.register_buffer("_u", normalize(u, dim=0, eps=eps))
        self.register_buffer("_v", normalize(v, dim=0, eps=eps))
        self._follow(matrix, 15)

    @no_grad()
    def _follow(self, matrix, iterations):
        # in place, because replicas of a module on several devices share these buffers in PyTorch;
        # assigned, because hooks of all modules' buffers see that there
        for _ in range(iterations):
            self._u = normalize(_ops.mv(matrix, self._v), dim=0, eps=self.eps, out=self._u)
            self._v = normalize(_ops.mv(matrix.H, self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight):
        if weight.ndim == 1:
            return normalize(weight, dim=0, eps=self.eps)
        matrix = as_matrix(weight, self.dim)
        if self.training:
            self._follow(matrix, self.n_power_iterations)
        # a second forward call may modify the buffers before the first backward
        u, v = (x.clone(memory_format=contiguous_format) for x in (self._u, self._v))
        return weight / _ops.vdot(u, _ops.mv(matrix, v))

    def right_inverse(self, value):
        # the original singular value is unknown
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Keep the largest singular value of a weight at 1.

    Parameters
    ----------
    module : Module
    name : str, default "weight"
    n_power_iterations : int, default 1
        The number of power iterations each time the weight is read in training.
    eps : float, default 1e-12
        The minimum norm to divide by.
    dim : int, optional
        The dimension of the outputs; by default 1 for transposed convolutions, else 0.

    Returns
    -------
    Module

    References
    ----------
    Miyato et al., Spectral normalization for generative adversarial networks, 2018.

    Examples
    --------
    >>> import minitorch as torch
    >>> layer = torch.nn.utils.parametrizations.spectral_norm(torch.nn.Linear(20, 40))
    >>> layer.parametrizations.weight[0]._u.shape
    torch.Size([40])
    """
    weight = _weight_of(module, name)
    dim = output_dim(module) if dim is None else dim
    function = _SpectralNorm(weight, n_power_iterations, dim, eps)
    return parametrize.register_parametrization(module, name, function)
