"""The modules of ``nn.modules`` in which PyTorch defines its layers.

Some layers are defined in other files here, but programs import them and their base classes from
PyTorch's modules. `settle` adds the missing names; it runs once, after all layers are imported.
"""

import importlib
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

from minitorch.namespace.rename_method import own_method
from minitorch.nn.modules._constants import declare

PACKAGE = __name__.rpartition(".")[0]

HOMES = {
    "activation": "MultiheadAttention Threshold ReLU RReLU Hardtanh ReLU6 Sigmoid Hardsigmoid Tanh "
    "SiLU Mish Hardswish ELU CELU SELU GLU GELU Hardshrink LeakyReLU LogSigmoid Softplus "
    "Softshrink PReLU Softsign Tanhshrink Softmin Softmax Softmax2d LogSoftmax",
    "adaptive": "AdaptiveLogSoftmaxWithLoss",
    "batchnorm": "_NormBase _BatchNorm _LazyNormBase BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm "
    "LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d",
    "channelshuffle": "ChannelShuffle",
    "container": "Container Sequential ModuleList ModuleDict ParameterList ParameterDict",
    "conv": "_ConvNd _ConvTransposeNd _LazyConvXdMixin Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d "
    "ConvTranspose3d LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d LazyConvTranspose2d "
    "LazyConvTranspose3d",
    "distance": "PairwiseDistance CosineSimilarity",
    "dropout": "_DropoutNd Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout",
    "flatten": "Flatten Unflatten",
    "fold": "Fold Unfold",
    "instancenorm": "_InstanceNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d "
    "LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d",
    "linear": "Identity Linear Bilinear LazyLinear NonDynamicallyQuantizableLinear",
    "loss": "L1Loss NLLLoss NLLLoss2d PoissonNLLLoss GaussianNLLLoss KLDivLoss MSELoss BCELoss "
    "BCEWithLogitsLoss HingeEmbeddingLoss MultiLabelMarginLoss SmoothL1Loss HuberLoss "
    "SoftMarginLoss CrossEntropyLoss LinearCrossEntropyLoss MultiLabelSoftMarginLoss "
    "CosineEmbeddingLoss MarginRankingLoss MultiMarginLoss TripletMarginLoss "
    "TripletMarginWithDistanceLoss CTCLoss",
    "normalization": "LocalResponseNorm CrossMapLRN2d LayerNorm GroupNorm RMSNorm",
    "padding": "_CircularPadNd _ConstantPadNd _ReflectionPadNd _ReplicationPadNd "
    + " ".join(
        f"{kind}Pad{n}d"
        for kind in ("Circular", "Constant", "Reflection", "Replication", "Zero")
        for n in (1, 2, 3)
    ),
    "pixelshuffle": "PixelShuffle PixelUnshuffle",
    "pooling": "_MaxPoolNd _MaxUnpoolNd _AvgPoolNd _LPPoolNd _AdaptiveMaxPoolNd _AdaptiveAvgPoolNd "
    "FractionalMaxPool2d FractionalMaxPool3d "
    + " ".join(
        f"{kind}Pool{n}d"
        for kind in ("Max", "Avg", "LP", "AdaptiveMax", "AdaptiveAvg")
        for n in (1, 2, 3)
    )
    + " MaxUnpool1d MaxUnpool2d MaxUnpool3d",
    "rnn": "RNNBase RNN LSTM GRU RNNCellBase RNNCell LSTMCell GRUCell",
    "sparse": "Embedding EmbeddingBag",
    "transformer": "Transformer TransformerEncoder TransformerDecoder TransformerEncoderLayer "
    "TransformerDecoderLayer",
    "linear_cross_entropy_options": "LinearCrossEntropyOptions",
    "upsampling": "Upsample UpsamplingNearest2d UpsamplingBilinear2d",
}

# the file that defines each class which is not in the namespace of ``nn``
ELSEWHERE = {
    "_NormBase": "normalization",
    "_BatchNorm": "normalization",
    "_LazyNormBase": "lazy",
    "_InstanceNorm": "normalization",
    "_LazyConvXdMixin": "lazy",
    "_DropoutNd": "misc",
    "_LPPoolNd": "_more_pooling",
    "_MaxUnpoolNd": "_more_pooling",
    "NonDynamicallyQuantizableLinear": "multihead",
    "RNNCellBase": "rnn_cells",
}


def _module(name):
    """Import a module of the package, or create it if it has no file."""
    full = f"{PACKAGE}.{name}"
    try:
        return importlib.import_module(full)
    except ModuleNotFoundError as error:
        if error.name != full:
            raise
    module = ModuleType(full, f"Layers that PyTorch keeps in ``nn.modules.{name}``.")
    module.__spec__ = ModuleSpec(full, None)
    module.__package__ = PACKAGE
    sys.modules[full] = module
    setattr(sys.modules[PACKAGE], name, module)
    return module


# base classes that have no `forward` in PyTorch: their subclasses define it
_WITHOUT_FORWARD = set(
    "_MaxPoolNd _LPPoolNd _AdaptiveAvgPoolNd _AdaptiveMaxPoolNd _DropoutNd _MaxUnpoolNd".split()
)


# layers that define `forward` although their base class does, too
_WITH_FORWARD = {"SyncBatchNorm"}


def _own_forward(cls, known):
    """Copy an inherited `forward` to a layer that defines it itself in PyTorch."""
    owner = next(base for base in cls.__mro__ if "forward" in vars(base))
    inherited = owner.__name__ in known - _WITHOUT_FORWARD and cls.__name__ not in _WITH_FORWARD
    if cls.__name__ in _WITHOUT_FORWARD or inherited:
        return
    cls.forward = own_method(cls, owner.forward)


def settle(layers):
    """Move layers to the modules where PyTorch defines them.

    Parameters
    ----------
    layers : dict of str to type
        The namespace of ``nn``.
    """
    package = sys.modules[PACKAGE]
    settled = {}
    for name, names in HOMES.items():
        module = vars(_module(name))
        for layer in names.split():
            if layer not in module:
                home = vars(_module(ELSEWHERE[layer])) if layer in ELSEWHERE else layers
                module[layer] = home[layer]
            module[layer].__module__ = f"{PACKAGE}.{name}"
            settled[layer] = module[layer]
            if not layer.startswith("_"):
                setattr(package, layer, module[layer])
    package.Module = layers["Module"]
    known = {"Module", *settled}
    for layer in settled.values():
        if isinstance(layer, type) and issubclass(layer, package.Module):
            _own_forward(layer, known)
    declare(settled)
    public = {name for names in HOMES.values() for name in names.split() if hasattr(package, name)}
    package.__all__ = sorted({"Module", *public} - {"NonDynamicallyQuantizableLinear"})
    _module("utils")
