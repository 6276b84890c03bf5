"""Distances between vectors."""

from minitorch.nn import functional as F
from minitorch.nn.modules.module import Module


class CosineSimilarity(Module):
    """Return the cosine of the angle between vectors.

    The two inputs broadcast; the output lacks `dim`.

    Parameters
    ----------
    dim : int, default 1
        The dimension of the vectors.
    eps : float, default 1e-08
        The smallest value of each norm in the denominator.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.CosineSimilarity(dim=0)(torch.tensor([1.0, 0.0]), torch.tensor([1.0, 1.0]))
    tensor(0.7071)
    """

    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1, x2):
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """Return the p-norm of the difference of vectors.

    The two inputs have the shape ``(N, D)`` or ``(D,)``, the output the shape ``(N,)`` or ``()``.

    Parameters
    ----------
    p : float, default 2.0
    eps : float, default 1e-06
        Added to each element of the difference, so that the derivative is finite.
    keepdim : bool, default False
        Keep the last dimension, of size 1.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.PairwiseDistance()(torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0]]))
    tensor([5.0000])
    """

    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1, x2):
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
