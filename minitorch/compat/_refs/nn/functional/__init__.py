"""The references of `torch.nn.functional`."""

from minitorch._refs._outputs import found_in
from minitorch.nn import functional

__getattr__ = found_in(
    functional,
    "celu channel_shuffle elu glu hardtanh huber_loss leaky_relu mish nll_loss pairwise_distance pdist relu relu6 "
    "selu threshold",
)
