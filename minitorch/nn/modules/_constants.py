"""``__constants__`` of the layers: the attributes that PyTorch's compiler treats as constants.

Nothing is compiled here, but tools that inspect layers read the names.
"""

# pairs of layers (and their subclasses) and the names of their constants
CONSTANTS = (
    ("_AdaptiveAvgPoolNd", "output_size"),
    ("_AdaptiveMaxPoolNd", "output_size return_indices"),
    ("_DropoutNd", "p inplace"),
    ("_AvgPoolNd", "kernel_size stride padding ceil_mode count_include_pad"),
    (
        "AvgPool2d AvgPool3d",
        "kernel_size stride padding ceil_mode count_include_pad divisor_override",
    ),
    (
        "BCELoss KLDivLoss L1Loss MSELoss MultiLabelMarginLoss MultiLabelSoftMarginLoss SmoothL1Loss SoftMarginLoss",
        "reduction",
    ),
    ("_NormBase", "track_running_stats momentum eps num_features affine"),
    ("Bilinear", "in1_features in2_features out_features"),
    ("CELU ELU", "alpha inplace"),
    ("CTCLoss", "blank reduction"),
    ("ChannelShuffle", "groups"),
    ("_CircularPadNd _ReflectionPadNd _ReplicationPadNd", "padding"),
    ("_ConstantPadNd ConstantPad2d", "padding value"),
    (
        "_ConvNd",
        "stride padding dilation groups padding_mode output_padding in_channels out_channels kernel_size",
    ),
    ("CosineEmbeddingLoss HingeEmbeddingLoss MarginRankingLoss", "margin reduction"),
    ("CosineSimilarity", "dim eps"),
    ("CrossEntropyLoss", "ignore_index reduction label_smoothing"),
    (
        "Embedding",
        "num_embeddings embedding_dim padding_idx max_norm norm_type scale_grad_by_freq sparse",
    ),
    (
        "EmbeddingBag",
        "num_embeddings embedding_dim max_norm norm_type scale_grad_by_freq mode sparse include_last_offset padding_idx",
    ),
    ("Flatten", "start_dim end_dim"),
    ("Fold", "output_size kernel_size dilation padding stride"),
    (
        "FractionalMaxPool2d FractionalMaxPool3d",
        "kernel_size return_indices output_size output_ratio",
    ),
    ("GELU", "approximate"),
    ("GLU LogSoftmax Softmax Softmin", "dim"),
    (
        "RNNBase",
        "mode input_size hidden_size num_layers bias batch_first dropout bidirectional proj_size",
    ),
    ("RNNCellBase", "input_size hidden_size bias"),
    ("GaussianNLLLoss", "full eps reduction"),
    ("GroupNorm", "num_groups num_channels eps affine"),
    ("Hardshrink Softshrink", "lambd"),
    ("Hardsigmoid Hardswish Mish ReLU SELU SiLU", "inplace"),
    ("Hardtanh", "min_val max_val inplace"),
    ("HuberLoss", "reduction delta"),
    ("_LPPoolNd", "norm_type kernel_size stride ceil_mode"),
    ("LayerNorm RMSNorm", "normalized_shape eps elementwise_affine"),
    ("Linear", "in_features out_features"),
    ("LeakyReLU", "inplace negative_slope"),
    ("LinearCrossEntropyLoss", "num_classes out_features reduction ignore_index label_smoothing"),
    ("LocalResponseNorm", "size alpha beta k"),
    ("_MaxPoolNd", "kernel_size stride padding dilation return_indices ceil_mode"),
    ("MultiMarginLoss", "p margin reduction"),
    ("MultiheadAttention", "batch_first"),
    ("NLLLoss", "ignore_index reduction"),
    ("PReLU", "num_parameters"),
    ("PairwiseDistance", "norm eps keepdim"),
    ("PixelShuffle", "upscale_factor"),
    ("PixelUnshuffle", "downscale_factor"),
    ("PoissonNLLLoss", "log_input full eps reduction"),
    ("RNNCell", "input_size hidden_size bias nonlinearity"),
    ("RReLU", "lower upper inplace"),
    ("Softplus", "beta threshold"),
    ("Threshold", "threshold value inplace"),
    ("TransformerDecoder TransformerEncoder", "norm"),
    ("TransformerDecoderLayer TransformerEncoderLayer", "norm_first"),
    ("TripletMarginLoss", "margin p eps swap reduction"),
    ("TripletMarginWithDistanceLoss", "margin swap reduction"),
    ("Unflatten", "dim unflattened_size"),
    ("Unfold", "kernel_size dilation padding stride"),
    ("Upsample", "size scale_factor mode align_corners name recompute_scale_factor"),
)


def declare(layers):
    """Set ``__constants__`` of the layers in a dictionary by name."""
    for names, constants in CONSTANTS:
        for name in names.split():
            layers[name].__constants__ = constants.split()
