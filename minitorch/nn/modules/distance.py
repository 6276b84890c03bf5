"""Distances between vectors."""

from minitorch.nn import functional as F
from minitorch.nn.modules.module import Module


class CosineSimilarity(Module):
    """The cosine of the angle between vectors along `dim`.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.CosineSimilarity()(torch.ones(1, 2), torch.tensor([[1.0, 0.0]]))
    tensor([0.7071])
    """

    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1, x2):
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    """The p-norm of the difference of vectors, with `eps` added to each element of the difference.

    Examples
    --------
    >>> import minitorch as torch
    >>> torch.nn.PairwiseDistance()(torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]))
    tensor([5.0000])
    """

    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1, x2):
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)
