"""What classes and functions are called in files: PyTorch's names, both ways.

A pickle names a class by its module. Ours stand in ``minitorch`` and are written as ``torch...``, the
module where PyTorch has them, so that PyTorch reads our files and we read its.
"""

import importlib
import pickle
import sys

# where PyTorch keeps the layers that stand in files of other names here
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
# and other things whose place is not their file's name
_PLACES = {
    "Generator": "torch._C",
    "Adafactor": "torch.optim",
    "Muon": "torch.optim",
    "_rebuild_from_type_v2": "torch._tensor",
    "restore_storage": "torch._storage",
}
# the file that PyTorch has of what several files of ours have
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
    """What PyTorch calls ``module.name``, a name in ``torch``.

    Raises
    ------
    ModuleNotFoundError
        When there is neither such a module nor such a name in the packages above it.
    AttributeError
        When the module has nothing of this name.
    """
    parts = ["minitorch", *module.split(".")[1:]]
    if name in ("_VariableFunctionsClass", "_VariableFunctions"):
        return importlib.import_module("minitorch")  # PyTorch's pickles ask it for torch.relu
    if name in _ELSEWHERE:
        parts = _ELSEWHERE[name].split(".")
    own = ".".join(parts)
    # a file that we do not have was part of a package that we do: its names stand there
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
    """``(module, name)`` by which PyTorch knows one of our classes or functions.

    None for what is not ours.
    """
    module = getattr(obj, "__module__", None) or type(obj).__module__
    name = name or getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return None
    root, *parts = module.split(".")
    # PyTorch itself may be there too, and its classes are not ours
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
    """What a pickler written in Python is mixed with to write PyTorch's names for ours."""

    def save_global(self, obj, name=None):
        """Write a class or a function by its name."""
        place = name_of(obj, name)
        if place is None:
            try:
                super().save_global(obj, name)
            except pickle.PicklingError:
                pickle.dumps(obj, self.proto)  # the same error, in the words of the pickler in C
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
