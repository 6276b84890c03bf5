"""Adaptive softmax: a softmax over many classes, with the rare ones in clusters.

References
----------
Grave et al. 2016, Efficient softmax approximation for GPUs.
"""

from collections import namedtuple

from minitorch.autograd.functions import tensor_methods as _ops
from minitorch.nn._making import zeros
from minitorch.nn.modules.container import ModuleList, Sequential
from minitorch.nn.modules.linear import Linear
from minitorch.nn.modules.module import Module
from minitorch.tensors.vmap_values import all_samples

_ASMoutput = namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    """Log-probabilities of the targets; a rare class is reached through its cluster.

    Parameters
    ----------
    in_features, n_classes : int
        The classes must be sorted by frequency, the most common first.
    cutoffs : sequence of int
        The first class of each cluster of rare classes.
    div_value : float, default 4.0
        The factor by which the features of each cluster are fewer than those of the previous one.
    head_bias : bool, default False
    device, dtype : optional
        Where the parameters are stored ("cpu" or "meta"), and their dtype; by default that of
        `torch.get_default_dtype()`.

    Raises
    ------
    ValueError
        For cutoffs that are not increasing, or not between 1 and n_classes - 1.

    Examples
    --------
    >>> import minitorch as torch
    >>> model = torch.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [4, 7])
    >>> output, loss = model(torch.zeros(2, 8), torch.tensor([0, 9]))
    >>> output.shape, loss.shape
    (torch.Size([2]), torch.Size([]))
    """

    def __init__(
        self,
        in_features,
        n_classes,
        cutoffs,
        div_value=4.0,
        head_bias=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        if (
            cutoffs != sorted(cutoffs)
            or min(cutoffs) <= 0
            or max(cutoffs) > n_classes - 1
            or len(set(cutoffs)) != len(cutoffs)
            or any(int(c) != c for c in cutoffs)
        ):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing "
                "order, where each value is between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*cutoffs, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        made = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, bias=head_bias, **made)
        self.tail = ModuleList()
        for k in range(self.n_clusters):
            features = int(in_features // div_value ** (k + 1))
            size = self.cutoffs[k + 1] - self.cutoffs[k]
            self.tail.append(
                Sequential(
                    Linear(in_features, features, bias=False, **made),
                    Linear(features, size, bias=False, **made),
                )
            )

    def reset_parameters(self):
        """Reset the linear maps."""
        self.head.reset_parameters()
        for first, second in self.tail:
            first.reset_parameters()
            second.reset_parameters()

    def forward(self, input_, target_):
        """Return the log-probabilities of the targets, and minus their mean.

        Raises
        ------
        RuntimeError
            For shapes that do not match, or targets that are not classes.
        """
        input, target = input_, target_
        if target.dim() == 1:
            if input.size(0) != target.size(0):
                raise RuntimeError(
                    "Input and target should have the same size in the batch dimension."
                )
            if input.dim() != 2:
                raise RuntimeError(
                    f"1D target tensor expects 2D input tensors, but found inputs with size "
                    f"{input.size()}"
                )
        elif target.dim() == 0:
            if input.dim() != 1:
                raise RuntimeError(
                    f"0D target tensor expects 1D input tensors, but found inputs with size "
                    f"{input.size()}"
                )
        else:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        is_batched = target.dim() > 0
        if not is_batched:
            input, target = input.unsqueeze(0), target.unsqueeze(0)
        every, _ = all_samples(target)
        if every.numel() and (int(every.min()) < 0 or int(every.max()) >= self.n_classes):
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range "
                f"[{target.min().item()}, {target.max().item()}] were found. "
            )
        output = zeros((target.size(0),), dtype=input.dtype, device=input.device)
        column = target.clone()
        for k in range(self.n_clusters):
            low, high = self.cutoffs[k], self.cutoffs[k + 1]
            rows = ((target >= low) & (target < high)).nonzero().squeeze(1)
            if rows.numel() == 0:
                continue
            inside = self.tail[k](input.index_select(0, rows)).log_softmax(1)
            local = target.index_select(0, rows) - low
            output = output.index_add(0, rows, inside.gather(1, local.unsqueeze(1)).squeeze(1))
            column = column.index_fill(0, rows, self.shortlist_size + k)
        head = self.head(input).log_softmax(1)
        output = output + head.gather(1, column.unsqueeze(1)).squeeze(1)
        loss = (-output).mean()
        return _ASMoutput(output if is_batched else output.squeeze(0), loss)

    def log_prob(self, input):
        """Return the log-probabilities of all classes, (N, n_classes).

        Examples
        --------
        >>> import minitorch as torch
        >>> model = torch.nn.AdaptiveLogSoftmaxWithLoss(8, 10, [4])
        >>> model.log_prob(torch.zeros(2, 8)).exp().sum(1)
        tensor([1.0000, 1.0000], grad_fn=<SumBackward1>)
        """
        head = self.head(input).log_softmax(1)
        parts = [head[:, : self.shortlist_size]]
        for k, tail in enumerate(self.tail):
            cluster = head[:, self.shortlist_size + k].unsqueeze(1)
            parts.append(tail(input).log_softmax(1) + cluster)
        return _ops.cat(parts, 1)

    def predict(self, input):
        """Return the most probable class of each row."""
        return self.log_prob(input).argmax(1)
