"""Names of PyTorch's detectors of slow patterns, which are not implemented."""

from minitorch.namespace.absent import Absent, absent

__all__ = ["Pattern", "report_all_anti_patterns"]

_NAMES = (
    "NamePattern ExtraCUDACopyPattern ForLoopIndexingPattern FP32MatMulPattern OptimizerSingleTensorPattern "
    "SynchronizedDataLoaderPattern GradNotSetToNonePattern Conv2dBiasFollowedByBatchNorm2dPattern "
    "MatMulDimInFP16Pattern"
)


class Pattern(Absent):
    """A slow pattern; not implemented."""


globals().update(
    {name: type(name, (Pattern,), {"__module__": __name__}) for name in _NAMES.split()}
)
report_all_anti_patterns = absent("torch.profiler._pattern_matcher.report_all_anti_patterns")
