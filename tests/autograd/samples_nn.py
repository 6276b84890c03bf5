"""Inputs for the rows of pooling, convolution, normalization, dropout, losses and random numbers."""

import numpy as np

from tests.autograd.samples import (
    SAMPLES,
    Flags,
    between,
    const,
    cplx,
    integers,
    ix,
    log_probabilities,
    mask,
    positive,
    real,
    rough,
    s,
    unit,
)

# ---- convolution and normalization
SAMPLES["convolution"] = [
    s(real(1, 2, 4), real(2, 2, 2), real(2), (1,), (0,), (1,), False, (0,), 1),
    s(real(1, 2, 4, 3), real(2, 1, 2, 2), real(2), (2, 1), (1, 1), (1, 1), False, (0, 0), 2),
    s(real(1, 2, 3), real(2, 1, 2), None, (2,), (0,), (1,), True, (1,), 1),
    s(
        real(1, 1, 3, 3, 2),
        real(1, 1, 2, 2, 2),
        None,
        (1,) * 3,
        (0,) * 3,
        (1,) * 3,
        False,
        (0,) * 3,
        1,
    ),
]
_all = Flags((True, True, True))
SAMPLES["convolution_backward"] = [
    s(real(1, 2, 3), real(1, 2, 4), real(2, 2, 2), (2,), (1,), (0,), (1,), False, (0,), 1, _all),
    s(
        real(1, 1, 2),
        real(1, 2, 3),
        real(2, 1, 2),
        None,
        (1,),
        (1,),
        (1,),
        True,
        (0,),
        1,
        Flags((True, True, False)),
    ),
]
for _d in (1, 2, 3):
    _size = (3, 2, 2)[3 - _d :] if _d > 1 else (4,)
    SAMPLES[f"conv{_d}d_int"] = [
        s(real(1, 2, *_size), real(2, 2, *[2] * _d), real(2)),
        s(real(2, *_size), real(2, 1, *[2] * _d), None, 2, 1, 1, 2),
    ]
    SAMPLES[f"conv{_d}d_padding"] = [
        s(real(1, 1, *_size), real(1, 1, *[2] * _d), real(1), padding="same"),
        s(real(1, 1, *_size), real(1, 1, *[2] * _d), padding="valid"),
    ]
    SAMPLES[f"conv_transpose{_d}d"] = [
        s(real(1, 2, *_size), real(2, 1, *[2] * _d), real(1)),
        s(real(2, *_size), real(2, 1, *[2] * _d), None, 2, 1, 1, 2),
    ]
SAMPLES["native_layer_norm"] = [
    s(real(2, 3), (3,), positive(3), real(3), 1e-5),
    s(real(2, 2, 3), (2, 3), None, None, 1e-5),
    s(real(2, 3), (3,), positive(3), None, 1e-3),
]
SAMPLES["native_layer_norm_backward"] = [
    s(real(2, 3), real(2, 3), (3,), real(2, 1), positive(2, 1), positive(3), real(3), _all)
]
SAMPLES["layer_norm"] = [
    s(real(2, 3), (3,), positive(3), real(3)),
    s(real(2, 3), (3,)),
    s(real(2, 2, 3), (2, 3), positive(2, 3), real(2, 3), 1e-3),
]
SAMPLES["native_batch_norm"] = [
    s(real(3, 2), positive(2), real(2), None, None, True, 0.1, 1e-5),
    s(real(2, 2, 3), positive(2), real(2), const(real(2)), const(positive(2)), False, 0.1, 1e-5),
    s(real(2, 2, 2, 2), None, None, None, None, True, 0.1, 1e-5),
]
SAMPLES["native_batch_norm_backward"] = [
    s(real(3, 2), real(3, 2), positive(2), None, None, real(2), positive(2), True, 1e-5, _all)
]
SAMPLES["batch_norm"] = [s(*sample.args, False) for sample in SAMPLES["native_batch_norm"]]
SAMPLES["instance_norm"] = [
    s(real(2, 2, 3), positive(2), real(2), None, None, True, 0.1, 1e-5, False),
    s(real(2, 2, 3), None, None, const(real(2)), const(positive(2)), False, 0.1, 1e-5, False),
]
SAMPLES["_scaled_dot_product_flash_attention_for_cpu"] = [
    s(real(1, 2, 3, 4), real(1, 2, 2, 4), real(1, 2, 2, 4)),
    s(real(2, 2, 3, 2), real(2, 1, 3, 2), real(2, 1, 3, 2), 0.0, True, scale=0.5),
    s(*(real(1, 2, 2, 3) for _ in range(3)), attn_mask=const(real(1, 2, 1, 2))),
]
SAMPLES["_scaled_dot_product_flash_attention_for_cpu_backward"] = [
    s(*(real(1, 2, 3, 4) for _ in range(5)), real(1, 2, 3), 0.0, False)
]
SAMPLES["native_group_norm"] = [
    s(real(2, 4, 3), positive(4), real(4), 2, 4, 3, 2, 1e-5),
    s(real(2, 4), None, None, 2, 4, 1, 2, 1e-5),
]
SAMPLES["native_group_norm_backward"] = [
    s(real(2, 4, 3), real(2, 4, 3), real(2, 2), positive(2, 2), positive(4), 2, 4, 3, 2, _all)
]
SAMPLES["group_norm"] = [s(real(2, 4, 3), 2, positive(4), real(4)), s(real(2, 4), 2)]

# ---- pooling
SAMPLES["max_pool1d"] = [s(real(1, 2, 5), 2), s(real(2, 5), 3, 1, 1, 2, True)]
SAMPLES["max_pool1d_with_indices"] = SAMPLES["max_pool1d"]
SAMPLES["max_pool2d"] = [s(real(1, 2, 4, 3), 2), s(real(1, 4, 4), (2, 3), 1, 1, 1, True)]
SAMPLES["max_pool2d_with_indices"] = SAMPLES["max_pool2d"]
SAMPLES["max_pool3d"] = [s(real(1, 1, 3, 4, 2), 2), s(real(1, 3, 3, 3), 2, 2, 1, 1, True)]
SAMPLES["max_pool3d_with_indices"] = SAMPLES["max_pool3d"]
SAMPLES["max_pool2d_with_indices_backward"] = [
    s(
        real(1, 1, 2),
        real(1, 2, 4),
        (2, 2),
        (2, 2),
        (0, 0),
        (1, 1),
        False,
        ix([[[1, 6]]]).reshape(1, 1, 2),
    )
]
SAMPLES["max_pool3d_with_indices_backward"] = [
    s(
        real(1, 1, 1, 2), real(1, 2, 2, 4), (2,) * 3, (2,) * 3, (0,) * 3, (1,) * 3, False,
        np.array([1, 6]).reshape(1, 1, 1, 2),
    )
]  # fmt: skip
SAMPLES["avg_pool1d"] = [s(real(1, 2, 5), 2), s(real(2, 5), 3, 1, 1, True, False)]
SAMPLES["avg_pool2d"] = [s(real(1, 2, 4, 3), 2), s(real(1, 4, 4), (2, 3), 1, 1, True, False, 3)]
SAMPLES["avg_pool3d"] = [s(real(1, 1, 3, 4, 2), 2), s(real(1, 3, 3, 3), 2, 2, 1, True, False, 3)]
SAMPLES["avg_pool2d_backward"] = [
    s(real(1, 2, 2), real(1, 4, 4), (2, 2), (2, 2), (0, 0), False, True, None)
]
SAMPLES["avg_pool3d_backward"] = [
    s(real(1, 1, 2, 2), real(1, 2, 4, 4), (2,) * 3, (2,) * 3, (0,) * 3, False, True, None)
]
SAMPLES["adaptive_avg_pool1d"] = [s(real(1, 2, 5), 2), s(real(2, 5), (3,))]
SAMPLES["adaptive_avg_pool2d"] = [
    s(real(1, 2, 4, 3), (2, 2)),
    s(real(2, 4, 3), 1),
    s(real(1, 3, 3), (4, 2)),
]
SAMPLES["_adaptive_avg_pool2d"] = SAMPLES["adaptive_avg_pool2d"]
SAMPLES["_adaptive_avg_pool3d"] = [s(real(1, 1, 3, 4, 2), (2, 2, 1)), s(real(1, 3, 3, 3), 2)]
SAMPLES["adaptive_avg_pool3d"] = [*SAMPLES["_adaptive_avg_pool3d"], s(real(1, 3, 2, 3, 2), 1)]
SAMPLES["_adaptive_avg_pool2d_backward"] = [s(real(2, 2, 2), real(2, 4, 3))]
SAMPLES["_adaptive_avg_pool3d_backward"] = [s(real(1, 2, 2, 2), real(1, 3, 4, 2))]
SAMPLES["adaptive_max_pool1d"] = [s(real(1, 2, 5), 2), s(real(2, 5), (3,))]
SAMPLES["adaptive_max_pool2d"] = [s(real(1, 2, 4, 3), (2, 2)), s(real(2, 4, 3), 1)]
SAMPLES["adaptive_max_pool3d"] = [s(real(1, 1, 3, 4, 2), (2, 2, 1)), s(real(1, 3, 3, 3), 2)]
SAMPLES["adaptive_max_pool2d_backward"] = [
    s(real(1, 1, 2), real(1, 2, 4), np.array([1, 6]).reshape(1, 1, 2))
]
SAMPLES["adaptive_max_pool3d_backward"] = [
    s(real(1, 1, 1, 2), real(1, 2, 2, 4), np.array([1, 6]).reshape(1, 1, 1, 2))
]

# ---- activations with more to them, padding, distances
SAMPLES["softmax"] = [s(real(2, 3), 1), s(real(3), 0), s(real(2, 3), 0, dtype=None)]
SAMPLES["log_softmax"] = SAMPLES["softmax"]
SAMPLES["_safe_softmax"] = SAMPLES["softmax"][:2]
SAMPLES["prelu"] = [s(real(2, 3), real(3)), s(real(2, 3), real(1)), s(real(), real())]
SAMPLES["_prelu_kernel_backward"] = [s(real(2, 3), real(2, 3), real(1, 3))]
SAMPLES["glu"] = [s(real(2, 4)), s(real(4, 3), 0)]
SAMPLES["constant_pad_nd"] = [
    s(real(2, 3), (1, 2)),
    s(real(2, 3), (1, -1, 0, 2), 1.5),
    s(cplx(2), (1, 0), 2),
]
SAMPLES["cosine_similarity"] = [s(real(2, 3), real(2, 3)), s(real(2, 3), real(3), 0, 1e-6)]
SAMPLES["pairwise_distance"] = [
    s(real(2, 3), real(2, 3)),
    s(real(2, 3), real(3), 3.0, 1e-6, True),
    s(real(2, 3), real(2, 3), 1.0),
]

# ---- losses
for _name in ["mse_loss", "smooth_l1_loss", "huber_loss", "l1_loss", "soft_margin_loss"]:
    SAMPLES[_name] = [
        s(real(2, 3), real(2, 3)),
        s(real(2, 3), real(2, 3), 0),
        s(real(2, 3), real(2, 3), 2),
    ]
SAMPLES["soft_margin_loss"] = [
    s(real(2, 3), np.sign(real(2, 3))),
    s(real(2, 3), np.sign(real(2, 3)), 0),
    s(real(2, 3), np.sign(real(2, 3)), 2),
]
SAMPLES["smooth_l1_loss"] += [s(real(2, 3), real(2, 3), 1, 0.5)]
SAMPLES["huber_loss"] += [s(real(2, 3), real(2, 3), 1, 0.5)]
SAMPLES["mse_loss_backward"] = [
    s(real(2, 3), real(2, 3), real(2, 3), 0),
    s(real(), real(2, 3), real(2, 3), 1),
]
SAMPLES["soft_margin_loss_backward"] = [s(real(2, 3), real(2, 3), np.sign(real(2, 3)), 0)]
for _name in ["smooth_l1_loss_backward", "huber_loss_backward"]:
    SAMPLES[_name] = [
        s(real(2, 3), real(2, 3), real(2, 3), 0, 0.5),
        s(real(), real(2, 3), real(2, 3), 1, 0.5),
    ]
SAMPLES["binary_cross_entropy"] = [
    s(unit(2, 3), unit(2, 3)),
    s(unit(2, 3), unit(2, 3), positive(3), 2),
    s(unit(2, 3), unit(2, 3), None, 0),
]
SAMPLES["binary_cross_entropy_backward"] = [
    s(real(), unit(2, 3), unit(2, 3), None, 1),
    s(real(2, 3), unit(2, 3), unit(2, 3), positive(2, 3), 0),
]
SAMPLES["binary_cross_entropy_with_logits"] = [
    s(real(2, 3), unit(2, 3)),
    s(real(2, 3), unit(2, 3), positive(3), positive(3), 2),
    s(real(2, 3), unit(2, 3), None, positive(3), 0),
]
SAMPLES["binary_cross_entropy_with_logits_backward"] = [
    s(real(), real(2, 3), unit(2, 3), None, None, 1),
    s(real(2, 3), real(2, 3), unit(2, 3), positive(3), positive(3), 0),
]
SAMPLES["kl_div"] = [
    s(log_probabilities(2, 3), unit(2, 3)),
    s(log_probabilities(2, 3), unit(2, 3), 2),
    s(log_probabilities(2, 3), log_probabilities(2, 3), 0, log_target=True),
]
SAMPLES["nll_loss_forward"] = [
    s(log_probabilities(3, 4), ix(0, 3, 1), None, 1, -100),
    s(log_probabilities(3, 4), ix(0, 3, 1), positive(4), 1, 3),
    s(log_probabilities(3, 4), ix(0, 3, 1), positive(4), 0, -100),
    s(real(4), np.array(2), None, 2, -100),
]
SAMPLES["nll_loss_backward"] = [
    s(real(), log_probabilities(3, 4), ix(0, 3, 1), None, 1, -100, np.array(3.0)),
    s(real(3), log_probabilities(3, 4), ix(0, 3, 1), positive(4), 0, -100, np.array(0.0)),
]
_labels = np.array([[[0, 2], [1, 1]]])
SAMPLES["nll_loss2d_forward"] = [
    s(log_probabilities(1, 3, 2, 2), _labels, None, 1, -100),
    s(log_probabilities(1, 3, 2, 2), _labels, positive(3), 0, 2),
]
SAMPLES["nll_loss2d_backward"] = [
    s(real(), log_probabilities(1, 3, 2, 2), _labels, None, 1, -100, np.array(4.0)),
]
SAMPLES["nll_loss_nd"] = [
    s(log_probabilities(3, 4), ix(0, 3, 1)),
    s(log_probabilities(1, 3, 2, 2), _labels, const(positive(3)), 2),
    s(log_probabilities(1, 3, 2), ix([0, 2], [1, 1])[:1], None, 0),
]
SAMPLES["cross_entropy_loss"] = [
    s(real(3, 4), ix(0, 3, 1)),
    s(real(3, 4), ix(0, 3, 1), const(positive(4)), 2, 3, 0.1),
    s(real(3, 4), unit(3, 4)),
    s(real(1, 3, 2, 2), _labels, None, 0),
    s(real(4), np.array(2)),
]

# ---- dropout and random numbers: both sides draw the same
SAMPLES["dropout_noise"] = [s(real(2, 3), 0.4, False), s(real(2, 3, 2), 0.4, True)]
SAMPLES["dropout"] = [s(real(4, 5), 0.4, True), s(real(2, 3), 0.4, False), s(real(2), 1.0, True)]
SAMPLES["feature_dropout"] = [s(real(2, 4, 3), 0.4, True), s(real(2, 3), 0.4, False)]
SAMPLES["native_dropout"] = [s(real(4, 5), 0.4, True), s(real(2, 3), 0.4, False)]
SAMPLES["native_dropout_backward"] = [s(real(2, 3), mask(2, 3), 1.5)]
SAMPLES["uniform"] = [s(real(4)), s(real(4, 5), -1.0, 2.0)]
SAMPLES["normal"] = [s(real(4)), s(real(4, 5), -1.0, 2.0)]
SAMPLES["log_normal"] = [s(real(4)), s(real(4, 5), -1.0, 0.5)]
SAMPLES["exponential"] = [s(real(4)), s(real(4, 5), 2.0)]
SAMPLES["geometric"] = [s(real(4), 0.3), s(integers(4), 0.3)]
SAMPLES["cauchy"] = [s(real(4)), s(real(4, 5), -1.0, 0.5)]
SAMPLES["random_from_to"] = [s(real(4), 2, 9), s(integers(4), -5, 100)]
SAMPLES["random_to"] = [s(real(4), 9), s(integers(4), 5)]
SAMPLES["random"] = [s(real(4)), s(integers(4)), s(mask(4))]
SAMPLES["bernoulli_tensor"] = [s(real(4), unit(4)), s(integers(2, 3), unit(3))]
SAMPLES["bernoulli_float"] = [s(real(4)), s(integers(2, 3), 0.3)]
SAMPLES["bernoulli"] = [s(unit(4)), s(unit(2, 3))]
SAMPLES["bernoulli_p"] = [s(real(4), 0.3)]
SAMPLES["multinomial"] = [s(unit(4), 2), s(unit(2, 3), 5, True)]
SAMPLES["poisson"] = [s(positive(4)), s(between(0, 20, 2, 3))]
SAMPLES["binomial"] = [s(np.array([5.0, 20.0, 3.0]), unit(3))]
# a sample is no smooth function of its parameter where it was drawn by rejection
SAMPLES["_standard_gamma"] = [rough(positive(4))]
SAMPLES["_standard_gamma_grad"] = [s(positive(4), positive(4))]
