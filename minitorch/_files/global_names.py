"""Conversion between minitorch's classes and functions and PyTorch's names for them in files.

A pickle names a class by its module. Classes of ``minitorch`` are written with their module in
``torch``, so that PyTorch can read minitorch's files and the other way round.
"""

import importlib
import pickle
import sys

# PyTorch's file in torch.nn.modules -> its layers, where the file has another name in minitorch
_LAYERS = {
    "activation": "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid "
    "LogSoftmax Mish MultiheadAttention PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmax2d Softmin "
    "Softplus Softshrink Softsign Tanh Tanhshrink Threshold",
    "batchnorm": "BatchNorm1d BatchNorm2d BatchNorm3d LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d "
    "SyncBatchNorm",
    "channelshuffle": "ChannelShuffle",
    "container": "Container ModuleDict ModuleList ParameterDict ParameterList Sequential",
    "conv": "LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d LazyConvTranspose3d",
    "dropout": "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d FeatureAlphaDropout",
    "flatten": "Flatten Unflatten",
    "fold": "Fold Unfold",
    "instancenorm": "InstanceNorm1d InstanceNorm2d InstanceNorm3d LazyInstanceNorm1d LazyInstanceNorm2d "
    "LazyInstanceNorm3d",
    "linear": "LazyLinear NonDynamicallyQuantizableLinear",
    "loss": "CTCLoss CosineEmbeddingLoss GaussianNLLLoss HingeEmbeddingLoss LinearCrossEntropyLoss "
    "MarginRankingLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss PoissonNLLLoss "
    "TripletMarginLoss TripletMarginWithDistanceLoss",
    "normalization": "CrossMapLRN2d LocalResponseNorm RMSNorm",
    "pixelshuffle": "PixelShuffle PixelUnshuffle",
    "pooling": "AdaptiveAvgPool3d AdaptiveMaxPool3d FractionalMaxPool2d FractionalMaxPool3d LPPool1d "
    "LPPool2d LPPool3d MaxUnpool1d MaxUnpool2d MaxUnpool3d",
    "rnn": "GRUCell LSTMCell RNNCell RNNCellBase",
    "sparse": "Embedding EmbeddingBag",
    "transformer": "TransformerDecoderLayer TransformerEncoderLayer",
    "upsampling": "Upsample UpsamplingBilinear2d UpsamplingNearest2d",
}
_OF_LAYER = {
    name: f"torch.nn.modules.{file}" for file, names in _LAYERS.items() for name in names.split()
}
# other names whose module does not follow from the file
_PLACES = {
    "Generator": "torch._C",
    "Adafactor": "torch.optim",
    "Muon": "torch.optim",
    "_rebuild_from_type_v2": "torch._tensor",
    "restore_storage": "torch._storage",
}
# file of minitorch -> PyTorch's file, which has the contents of several
_FILES = {
    "autograd.graph_api.abstract_node": "autograd.graph",
    "autograd.observe.profiler_steps": "autograd.profiler",
    "autograd.graph_api.saved_tensor_contexts": "autograd.graph",
    "distributions._constraint": "distributions.constraints",
    "distributions._transform": "distributions.transforms",
    "distributions._transforms_of_events": "distributions.transforms",
    "distributions._transforms_of_numbers": "distributions.transforms",
    "fx._codegen": "fx.graph",
    "nn.modules._state": "nn.modules.module",
    "nn.utils._orthogonal": "nn.utils.parametrizations",
    "nn.utils._parametrization_list": "nn.utils.parametrize",
    "utils.data._utils.fetch": "utils.data.dataloader",
}
_ELSEWHERE = {
    "NonDynamicallyQuantizableLinear": "minitorch.nn.modules.multihead",
    "restore_storage": "minitorch.tensors.typed_storage",
}


def _attribute(value, path):
    for name in path.split("."):
        value = getattr(value, name)
    return value


def find(module, name):
    """Return minitorch's object for PyTorch's name ``module.name``.

    Raises
    ------
    ModuleNotFoundError
        Neither the module exists nor does a package above it have the name.
    AttributeError
        The module exists, but neither it nor a package above it has the name.
    """
    parts = ["minitorch", *module.split(".")[1:]]
    if name in ("_VariableFunctionsClass", "_VariableFunctions"):
        return importlib.import_module("minitorch")  # PyTorch's pickles get torch.relu from it
    if name in _ELSEWHERE:
        parts = _ELSEWHERE[name].split(".")
    own = ".".join(parts)
    # if minitorch does not have a file of PyTorch's, the package may still export its names
    while parts:
        try:
            return _attribute(importlib.import_module(".".join(parts)), name)
        except (ImportError, AttributeError):
            parts.pop()
    if module.startswith("torch._C") and module != "torch._C":
        return find("torch.nn.functional", name)
    if own not in sys.modules:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)
    raise AttributeError(f"Can't get attribute {name!r} on {sys.modules[own]!r}")


def _is_at(obj, module, name):
    try:
        return find(module, name) is obj
    except (ImportError, AttributeError):
        return False


def name_of(obj, name=None):
    """Return PyTorch's ``(module, name)`` of one of minitorch's classes or functions.

    The result is None for other objects.
    """
    module = getattr(obj, "__module__", None) or type(obj).__module__
    name = name or getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return None
    root, *parts = module.split(".")
    # PyTorch itself may be loaded too, and its classes are not minitorch's
    if root != "minitorch" and not (root == "torch" and _is_at(obj, module, name)):
        return None
    public = []
    for part in parts:
        if part.startswith("_") and part != "_utils":
            break
        public.append(part)
    if public[:1] == ["core"] or public[:2] == ["autograd", "functions"]:
        public = []  # folders that PyTorch does not have
    candidates = [".".join(["torch", *public]), "torch.nn.functional", "torch"]
    if parts[:1] == ["nn"] and name in _OF_LAYER:
        candidates.insert(0, _OF_LAYER[name])
    if ".".join(parts) in _FILES:
        candidates.insert(0, f"torch.{_FILES['.'.join(parts)]}")
    if name in _PLACES:
        candidates.insert(0, _PLACES[name])
    for candidate in candidates:
        if _is_at(obj, candidate, name):
            return candidate, name
    return ".".join(["torch", *parts]), name


class Names:
    """Mixin of picklers written in Python, to write PyTorch's names for minitorch's objects."""

    def save_global(self, obj, name=None):
        """Write a class or a function by its module and name."""
        place = name_of(obj, name)
        if place is None:
            try:
                super().save_global(obj, name)
            except pickle.PicklingError:
                pickle.dumps(obj, self.proto)  # the same error, with the C pickler's message
                raise
            return
        module, name = place
        if self.proto >= 4:
            self.save(module)
            self.save(name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
        self.memoize(obj)
