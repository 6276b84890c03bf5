"""Inputs for the rows that write into chosen places, copy views, and sample images."""

import numpy as np

from tests.autograd.samples import (
    SAMPLES,
    Dtype,
    Flags,
    cplx,
    integers,
    ix,
    positive,
    real,
    rough,
    s,
)

# ---- into a part of a copy
SAMPLES["select_scatter"] = [
    s(real(3, 4), real(4), 0, 1),
    s(real(3, 4), real(3), -1, -2),
]
SAMPLES["slice_scatter"] = [
    s(real(4, 3), real(2, 3), 0, 1, 3),
    s(real(2, 5), real(2, 3), 1, None, None, 2),
    s(real(3), real(3)),
]
SAMPLES["diagonal_scatter"] = [
    s(real(3, 4), real(3)),
    s(real(3, 4), real(2), 2),
    s(real(2, 3, 4), real(3, 2), 0, 0, 2),
    s(cplx(2, 2), cplx(1), -1),
]
SAMPLES["as_strided_scatter"] = [
    s(real(3, 4), real(2, 2), (2, 2), (4, 1), 1),
    s(real(6), real(2), (2,), (2,)),
]
_index = ix([0, 2, 1, 0], [1, 1, 0, 2])
_zeros = real(2, 4)
_zeros[0, 0] = _zeros[1, 2] = 0
SAMPLES["scatter_reduce"] = [
    s(real(3, 4), 0, _index, real(2, 4), reduce, include_self=own)
    for reduce in ("sum", "prod", "mean", "amax", "amin")
    for own in (True, False)
] + [
    s(real(3, 4), 0, _index, _zeros, "prod"),
    s(real(3), -1, ix(1, 1), real(2), "mean"),
    s(real(), 0, ix(0), real(1), "sum"),
    s(integers(3, 4), 0, _index, integers(2, 4), "amax"),
    s(integers(3, 4), 0, _index, integers(2, 4), "mean"),
]
SAMPLES["scatter_src_reduce"] = [
    s(real(3, 4), 0, _index, real(2, 4), reduce="add"),
    s(real(3, 4), 0, _index, real(2, 4), reduce="multiply"),
]
SAMPLES["scatter_value_reduce"] = [
    s(real(3, 4), 0, _index, 1.5, reduce="add"),
    s(integers(3, 4), 0, _index, 2, reduce="multiply"),
]
_zero_rows = real(3, 4)
_zero_rows[1, 2] = 0
SAMPLES["index_reduce"] = [
    s(real(3, 4), 0, ix(0, 2, 0), real(3, 4), reduce, include_self=own)
    for reduce in ("prod", "mean", "amax", "amin")
    for own in (True, False)
] + [
    s(real(3, 4), 0, ix(0, 2, 0), _zero_rows, "prod"),
    s(real(2, 3), 1, ix(1), real(2, 1), "mean"),
    s(integers(3, 4), 0, ix(0, 2, 0), integers(3, 4), "amin"),
    s(integers(3, 4), 0, ix(0, 2, 0), integers(3, 4), "mean", include_self=False),
]
SAMPLES["put"] = [
    s(real(2, 3), ix(0, 4), real(2)),
    s(real(2, 3), ix([0, -1], [0, 3]), real(2, 2), True),
    s(real(2, 3), ix(1, 2), real(2, 1), accumulate=True),
    s(cplx(3), ix(1), cplx(1)),
]
SAMPLES["fill_copy"] = [s(real(2, 3), 1.5), s(integers(2), 3), s(real(), 0)]
SAMPLES["fill_copy_tensor"] = [s(real(2, 3), real()), s(cplx(2), cplx())]
SAMPLES["copied"] = [
    s(real(2, 3), real(3), False),
    s(real(2, 3), integers(2, 3), False),
    s(cplx(2), real(2), False),
]
SAMPLES["zeroed"] = [s(real(2, 3)), s(cplx(3)), s(integers(2))]
SAMPLES["_embedding_bag"] = [
    s(real(5, 3), ix(0, 2, 4, 2, 1), ix(0, 2, 2), False, 0),
    s(real(5, 3), ix(0, 2, 4, 2, 1), ix(0, 2, 2), False, 1),
    s(real(5, 3), ix(0, 2, 4, 2, 1), ix(0, 2, 2), False, 2),
    rough(real(5, 3), ix(0, 2, 4, 2, 1), ix(0, 2, 2), True, 0),
    rough(real(5, 3), ix(0, 2, 4, 2, 1), ix(0, 2, 2), True, 1),
    s(real(5, 3), ix(0, 2, 4, 2), ix(0, 3), False, 0, False, real(4)),
    s(real(5, 3), ix(0, 2, 4, 2), ix(0, 1), False, 0, False, real(4), False, 2),
    s(real(5, 3), ix(0, 2, 4, 2), ix(0, 1, 4), False, 1, False, None, True),
    s(real(5, 3), ix(0, 2, 4, 2), ix(0, 1), False, 2, False, None, False, 2),
]
SAMPLES["take_along_dim"] = [
    s(real(2, 3), ix([0, 2], [1, -1]), 1),
    s(real(2, 3), ix([1, 0, 1]).reshape(1, 3), 0),
    s(real(2, 3), ix(5, 0)),
    s(real(3, 1), ix([0], [-1]), 0),
]
SAMPLES["narrow_tensor"] = [s(real(4, 2), 0, np.array(1), 2), s(real(4, 2), 0, np.array(-2), 2)]
# numbers that are drawn have a gradient of zero
SAMPLES["normal_tensor_float"] = [rough(real(2, 3), 1.5), rough(real(20), 0.0)]
SAMPLES["normal_float_tensor"] = [rough(0.5, positive(2, 3))]
SAMPLES["normal_tensor_tensor"] = [
    rough(real(2, 3), positive(2, 3)),
    rough(real(3), positive(2, 1)),
]

# ---- copies of views
SAMPLES["alias_copy"] = [s(real(2, 3)), s(cplx(2)), s(integers(3))]
SAMPLES["detach_copy"] = [s(real(2, 3)), s(integers(3))]
SAMPLES["as_strided_copy"] = [s(real(3, 4), (2, 2), (4, 1), 1), s(real(4), (2, 2), (1, 1))]
SAMPLES["diagonal_copy"] = [s(real(3, 4)), s(real(2, 3, 4), 1, 1, 2), s(cplx(2, 2), -1)]
SAMPLES["expand_copy"] = [s(real(3, 1), (2, 3, 4)), s(real(3), (2, -1))]
SAMPLES["permute_copy"] = [s(real(2, 3, 4), (2, 0, 1)), s(cplx(2, 3), (-1, 0))]
SAMPLES["select_copy"] = [s(real(2, 3), 1, 2), s(real(2, 3), 0, -1)]
SAMPLES["slice_copy"] = [s(real(4, 3), 0, 1, 3), s(real(2, 5), 1, None, None, 2), s(real(3))]
SAMPLES["squeeze_copy"] = [s(real(2, 1, 3, 1)), s(real(2))]
SAMPLES["squeeze_copy_dim"] = [s(real(2, 1, 3), 1), s(real(2, 1, 3), 0)]
SAMPLES["squeeze_copy_dims"] = [s(real(2, 1, 3, 1), (1, 3)), s(real(2, 1), (0, -1))]
SAMPLES["t_copy"] = [s(real(2, 3)), s(cplx(3))]
SAMPLES["transpose_copy"] = [s(real(2, 3, 4), 0, 2), s(real(2, 3), -1, 0)]
SAMPLES["unfold_copy"] = [s(real(2, 5), 1, 2, 2), s(real(5), 0, 3, 1)]
SAMPLES["unsqueeze_copy"] = [s(real(2, 3), 1), s(real(), 0)]
SAMPLES["view_copy"] = [s(real(2, 6), (3, 4)), s(real(2, 3), (-1,))]
SAMPLES["view_copy_dtype"] = [s(integers(2, 3), Dtype("int32")), s(real(2), Dtype("int64"))]
SAMPLES["view_as_real_copy"] = [s(cplx(2, 3))]
SAMPLES["view_as_complex_copy"] = [rough(real(3, 2))]
SAMPLES["narrow_copy"] = [s(real(4, 2), 0, 1, 2), s(real(2, 4), -1, -3, 2)]
for _name in ("split_copy", "unsafe_split"):
    SAMPLES[_name] = [s(real(5, 2), 2), s(real(2, 4), 2, 1)]
for _name in ("split_with_sizes_copy", "unsafe_split_with_sizes"):
    SAMPLES[_name] = [s(real(5, 2), (2, 3)), s(cplx(2, 4), (1, 0, 3), 1)]
SAMPLES["unbind_copy"] = [s(real(2, 3)), s(real(2, 3), 1)]
SAMPLES["unsafe_chunk"] = [s(real(5, 2), 2), s(real(2, 4), 3, 1)]

# ---- images
_image, _volume = real(2, 3, 4, 5), real(1, 2, 3, 2, 4)
_grid = np.random.default_rng(3).uniform(-1.3, 1.3, (2, 2, 3, 2))
_grid3 = np.random.default_rng(4).uniform(-1.2, 1.2, (1, 2, 1, 2, 3))
SAMPLES["grid_sampler_2d"] = [
    s(_image, _grid, mode, padding, aligned)
    for mode in (0, 1, 2)
    for padding in (0, 1, 2)
    for aligned in (False, True)
]
SAMPLES["grid_sampler_3d"] = [
    s(_volume, _grid3, mode, padding, aligned)
    for mode in (0, 1)
    for padding in (0, 1, 2)
    for aligned in (False, True)
]
SAMPLES["grid_sampler"] = [s(_image, _grid, 0, 0, True), s(_volume, _grid3, 0, 1, False)]
SAMPLES["grid_sampler_weights"] = [
    s(_grid, (2, 3, 4, 5), (0, 0), 0, 0, False),
    s(_grid, (2, 3, 4, 5), (1, 0), 2, 1, True),
    s(_grid, (2, 3, 4, 5), (1, 1), 2, 2, False),
    s(_grid3, (1, 2, 3, 2, 4), (0, 1, 0), 0, 2, False),
]
SAMPLES["grid_sampler_offsets"] = [s(_grid, (2, 3, 4, 5), 0, 0, False)]
SAMPLES["grid_sampler_2d_backward"] = [
    rough(real(2, 3, 2, 3), _image, _grid, 0, 0, False, Flags((True, True))),
    rough(real(2, 3, 2, 3), _image, _grid, 2, 1, True, Flags((False, True))),
]
_slope3 = np.random.default_rng(5).uniform(-1, 1, (1, 2, 2, 1, 2))
SAMPLES["grid_sampler_3d_backward"] = [
    rough(_slope3, _volume, _grid3, 0, 0, False, Flags((True, True))),
]
SAMPLES["affine_grid_generator"] = [
    s(real(2, 2, 3), (2, 1, 3, 4), False),
    s(real(2, 2, 3), (2, 1, 1, 4), True),
    s(real(1, 3, 4), (1, 2, 2, 1, 3), False),
]
SAMPLES["affine_grid_generator_backward"] = [
    s(real(2, 3, 4, 2), (2, 1, 3, 4), False),
    s(real(1, 2, 1, 3, 3), (1, 2, 2, 1, 3), True),
]

# ---- padding with elements of the input
for _kind in ("reflection", "replication"):
    SAMPLES[f"{_kind}_pad1d"] = [
        s(real(2, 3, 4), (2, 1)),
        s(cplx(2, 4), (-1, 3)),
        s(real(1, 3), (0, 0)),
    ]
    SAMPLES[f"{_kind}_pad2d"] = [
        s(real(2, 1, 3, 4), (1, 2, 0, 2)),
        s(real(2, 3, 3), (-1, 1, 2, -1)),
    ]
    SAMPLES[f"{_kind}_pad3d"] = [s(real(1, 2, 2, 3, 3), (1, 1, 0, 2, 1, 1))]
    SAMPLES[f"{_kind}_pad1d_backward"] = [s(real(2, 4), real(2, 3), (1, 0))]
    SAMPLES[f"{_kind}_pad2d_backward"] = [s(real(1, 3, 3), real(1, 2, 2), (1, 0, 0, 1))]
    SAMPLES[f"{_kind}_pad3d_backward"] = [
        s(real(1, 1, 1, 3, 3), real(1, 1, 1, 2, 3), (0, 0, 1, 0, 0, 0))
    ]
SAMPLES["circular_pad"] = [s(real(2, 3, 4), (4, 1)), s(cplx(1, 2, 3, 3), (-1, 2, 1, 0))]
SAMPLES["circular_pad_backward"] = [s(real(1, 5, 6), (1, 3, 4), (1, 1, 2, 0))]

# ---- images in another resolution, and their windows as columns


def _resampled(name, dims, *corners):
    old, new = (3, 2, 2)[:dims], (2, 3, 4)[:dims]
    other = tuple(not c for c in corners)
    SAMPLES[name] = [
        s(real(1, 2, *old), new, *corners),
        s(real(2, 1, *old), new, *other, *(1.4,) * dims),
    ]
    SAMPLES[f"{name}_backward"] = [
        s(real(1, 2, *new), new, (1, 2, *old), *corners),
        s(real(2, 1, *new), new, (2, 1, *old), *other, *(1.4,) * dims),
    ]


for _d in (1, 2, 3):
    _resampled(f"upsample_nearest{_d}d", _d)
    _resampled(f"_upsample_nearest_exact{_d}d", _d)
    _resampled(f"upsample_{('linear', 'bilinear', 'trilinear')[_d - 1]}{_d}d", _d, True)
_resampled("upsample_bicubic2d", 2, True)
SAMPLES["im2col"] = [
    s(real(1, 2, 3, 4), (2, 2), (1, 1), (0, 0), (1, 1)),
    s(real(2, 4, 3), (2, 1), (2, 1), (1, 0), (1, 2)),
    s(cplx(1, 1, 3, 3), (2, 2), (1, 1), (1, 1), (2, 1)),
]
SAMPLES["col2im"] = [
    s(real(1, 8, 6), (3, 4), (2, 2), (1, 1), (0, 0), (1, 1)),
    s(real(4, 8), (4, 3), (2, 1), (2, 1), (1, 0), (1, 2)),
    s(cplx(1, 4, 8), (3, 3), (2, 2), (1, 1), (1, 1), (2, 1)),
]
