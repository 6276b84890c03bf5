"""Inputs for the rows of views, copies, creation, reductions, indexing, products and sorting."""

import numpy as np

from tests.autograd.samples import (
    D64,
    SAMPLES,
    Dtype,
    cplx,
    integers,
    ix,
    mask,
    real,
    rough,
    s,
)

# ---- views
SAMPLES["view"] = [
    s(real(2, 6), (3, 4)),
    s(real(2, 3), (-1,)),
    s(real(), (1, 1)),
    s(cplx(2, 2), (4,)),
]
SAMPLES["reshape"] = [s(real(2, 6), (3, -1)), s(real(2, 3), (6,)), s(real(1), ())]
SAMPLES["_unsafe_view"] = [s(real(2, 6), (3, 4))]
SAMPLES["expand"] = [s(real(3, 1), (2, 3, 4)), s(real(3), (2, -1)), s(real(), (2,))]
SAMPLES["permute"] = [s(real(2, 3, 4), (2, 0, 1)), s(real(2, 3), (-1, 0)), s(real(), ())]
SAMPLES["transpose"] = [s(real(2, 3, 4), 0, 2), s(real(2, 3), -1, 0), s(real(), 0, -1)]
SAMPLES["t"] = [s(real(2, 3)), s(real(3)), s(real())]
SAMPLES["unsqueeze"] = [s(real(2, 3), 1), s(real(2, 3), -1), s(real(), 0)]
SAMPLES["squeeze"] = [s(real(2, 1, 3, 1)), s(real(1)), s(real(2))]
SAMPLES["squeeze_dim"] = [s(real(2, 1, 3), 1), s(real(2, 1, 3), 0), s(real(2, 1), -1), s(real(), 0)]
SAMPLES["squeeze_dims"] = [
    s(real(2, 1, 3, 1), (1, 3)),
    s(real(2, 1, 3, 1), (0, -1)),
    s(real(2), ()),
]
SAMPLES["select"] = [s(real(2, 3), 1, 2), s(real(2, 3), 0, -1)]
SAMPLES["slice"] = [
    s(real(5, 2), 0, 1, 4, 2),
    s(real(2, 4), 1, -3, None, 1),
    s(real(4)),
    s(real(3), 0, 2, 1),
]
SAMPLES["diagonal"] = [s(real(3, 4)), s(real(3, 4), 1), s(real(2, 3, 4), -1, 0, 2)]
SAMPLES["unfold"] = [s(real(5, 2), 0, 3, 1), s(real(2, 6), 1, 2, 2), s(real(), 0, 1, 1)]
SAMPLES["as_strided"] = [
    s(real(3, 4), (2, 2), (4, 1), 1),
    s(real(3, 4), (3, 3), (1, 1)),
    s(real(6), (2, 3), (0, 2), 0),
]
SAMPLES["split"] = [s(real(5, 2), 2), s(real(2, 4), 2, 1), s(real(2, 4), 3, -1)]
SAMPLES["split_with_sizes"] = [s(real(5, 2), [2, 3]), s(real(2, 4), (1, 0, 3), 1)]
SAMPLES["unbind"] = [s(real(3, 2)), s(real(2, 3), -1)]
SAMPLES["alias"] = [s(real(2, 3)), s(real())]
SAMPLES["split_sizes"] = SAMPLES["split_with_sizes"]
SAMPLES["view_dtype"] = [s(real(2, 4), Dtype("int64")), s(integers(3), D64)]
SAMPLES["flatten"] = [s(real(2, 3, 2)), s(real(2, 3, 2), 1), s(real())]
SAMPLES["unflatten"] = [s(real(2, 6), 1, (2, -1)), s(real(4), 0, (2, 2))]
SAMPLES["ravel"] = [s(real(2, 3)), s(real())]
SAMPLES["narrow"] = [s(real(2, 4), 1, 1, 2), s(real(3), 0, -2, 1)]
SAMPLES["chunk"] = [s(real(5, 2), 2), s(real(2, 4), 3, -1)]
SAMPLES["movedim"] = SAMPLES["moveaxis"] = [
    s(real(2, 3, 4), 0, 2),
    s(real(2, 3, 4), (0, 1), (-1, 0)),
]
SAMPLES["swapaxes"] = SAMPLES["swapdims"] = SAMPLES["transpose"]
SAMPLES["expand_as"] = [s(real(3, 1), integers(2, 3, 4))]
SAMPLES["view_as"] = SAMPLES["reshape_as"] = [s(real(2, 6), integers(3, 4))]
SAMPLES["broadcast_to"] = [s(real(3, 1), (2, 3, 4)), s(real(), (2,))]
SAMPLES["permute"].append(s(real(2, 3, 4), (0, -1, 1)))
SAMPLES["unsqueeze_to"] = [s(real(2, 3), (2, 1, 3, 1)), s(real(), (1, 1))]
SAMPLES["unsqueeze_to_dim"] = [s(real(2, 3), 1, (2, 1, 3)), s(real(2, 3), 1, (2, 3))]
SAMPLES["unsqueeze_to_dims"] = [s(real(2, 3), (1, 3), (2, 1, 3, 1)), s(real(2), (), (2,))]
SAMPLES["select_backward"] = [s(real(2), (2, 3), 1, 2), s(real(3), (2, 3), 0, -1)]
SAMPLES["slice_backward"] = [s(real(2, 2), (5, 2), 0, 1, 4, 2)]
SAMPLES["diagonal_backward"] = [s(real(3), (3, 4), 1, 0, 1), s(real(3, 1), (2, 3, 4), -1, 0, 2)]
SAMPLES["diag_embed"] = [s(real(3), (4, 4), 1, 0, 1), s(cplx(2, 3), (2, 3, 3), 0, 1, 2)]
SAMPLES["trace"] = [s(real(2, 3)), s(cplx(3, 2)), s(integers(2, 2))]
SAMPLES["unfold_backward"] = [s(real(3, 2, 3), (5, 2), 0, 3, 1)]
SAMPLES["as_strided_gather"] = [s(real(3, 4), (3, 4), (4, 1), 0, (2, 2), (4, 1), 1)]
SAMPLES["reshape_alias"] = [s(real(2, 6), (3, 4)), s(real(), (1, 1))]
SAMPLES["as_strided_backward"] = [s(real(2, 2), (3, 4), (4, 1), 0, (2, 2), (4, 1), 1)]

# ---- copies
SAMPLES["clone"] = [s(real(2, 3)), s(real()), s(cplx(2))]
SAMPLES["contiguous"] = [s(real(2, 3)), s(real())]
SAMPLES["cast"] = [
    s(real(2, 3), D64),
    s(real(2), Dtype("complex128")),
    s(cplx(2), Dtype("complex128")),
]
SAMPLES["_to_copy"] = [s(real(2, 3)), s(real(2), dtype=Dtype("complex128"))]
SAMPLES["strided_copy"] = [s(real(2, 3), (1, 2)), s(real(2, 3), (3, 1))]
SAMPLES["copy"] = [s(real(2, 3), real(3)), s(cplx(2), real(2)), s(real(2), real())]
SAMPLES["fill"] = [s(real(2, 3), 1.5), s(integers(3), 2)]
SAMPLES["fill_tensor"] = [
    s(np.ones((2, 3)), np.array(1.5)),
    s(np.arange(3), np.array(2)),
]
SAMPLES["zero"] = [s(real(2, 3)), s(integers(3))]
SAMPLES["detach"] = [s(real(2, 3))]
SAMPLES["cat"] = [
    s([real(2, 3), real(1, 3)]),
    s([real(2, 3), real(2, 2)], 1),
    s([real(2, 2), real(0), cplx(2, 2)], -1),
    s([integers(2), mask(1)]),
]
SAMPLES["_block_diag"] = [
    s([np.array([[0.3, 1.2]]), np.array([0.7, -0.4, 1.1]), np.array(0.5)]),
    s([np.array([0.5]), np.array([[1 + 1j], [0.5j]])]),
]
SAMPLES["stack"] = [s([real(2, 3), real(2, 3)]), s([real(2), cplx(2)], 1), s([real(), real()], -1)]
SAMPLES["repeat"] = [s(real(2, 3), (2, 1)), s(real(3), (2, 2)), s(real(), (3,)), s(real(2), (0,))]
SAMPLES["flip"] = [s(real(2, 3), (1,)), s(real(2, 3), (0, -1)), s(real(), ())]
SAMPLES["roll"] = [s(real(2, 3), (1,), (1,)), s(real(2, 3), (1, -2), (0, 1)), s(real(2, 3), 4)]
for _name in ["tril", "triu"]:
    SAMPLES[_name] = [s(real(3, 4)), s(real(2, 3, 3), -1), s(real(3, 2), 1), s(cplx(2, 2))]

# ---- creation
SAMPLES["zeros"] = [s((2, 3)), s((2,), dtype=Dtype("int64"))]
SAMPLES["ones"] = [s((2, 3)), s((2,), dtype=Dtype("int64"))]
SAMPLES["full"] = [s((2, 3), 1.5), s((2,), 3), s((2,), True), s((), 1j), s((2,), 3, dtype=D64)]
SAMPLES["empty"] = [s((0, 3)), s((0,), dtype=D64)]
SAMPLES["arange"] = [s(0, 5, 1), s(1.0, 3.0, 0.3), s(5, 0, -2), s(0, 3, 1, dtype=D64)]
SAMPLES["linspace"] = [
    s(0, 1, 5),
    s(3.0, -1.0, 4, dtype=D64),
    s(0, 1, 1),
    s(0, 10, 3, dtype=Dtype("int64")),
]
SAMPLES["logspace"] = [s(0, 1, 5, dtype=D64), s(0, 3, 4, 2.0, dtype=D64)]
SAMPLES["eye"] = [s(2, 3), s(3, 3, dtype=Dtype("int64"))]
SAMPLES["zeros_like"] = [s(real(2, 3)), s(real(2), dtype=Dtype("int64"))]
SAMPLES["ones_like"] = [s(real(2, 3)), s(real(2), dtype=Dtype("bool"))]
SAMPLES["full_like"] = [s(real(2, 3), 2), s(real(2), 1.5, dtype=Dtype("int64"))]
SAMPLES["empty_like"] = [s(real(0, 3)), s(real(0), dtype=Dtype("int64"))]

# ---- reductions
SAMPLES["sum_to_size"] = [s(real(2, 3), (1, 3)), s(real(2, 3), (3,)), s(real(2, 3), ())]
for _name in ["sum", "mean", "prod"]:
    SAMPLES[_name] = [
        s(real(2, 3)),
        s(real()),
        s(cplx(2, 2)),
        s(cplx(3), dtype=Dtype("complex128")),
    ]
SAMPLES["prod"] += [s(np.array([1.5, 0.0, 2.0])), s(integers(3))]
# PyTorch's gradient has no history there
SAMPLES["prod"] += [rough(np.array([0.0, 0.0, 2.0]))]
for _name in ["sum_dim", "mean_dim"]:
    SAMPLES[_name] = [
        s(real(2, 3), 1),
        s(real(2, 3, 2), (0, -1), True),
        s(cplx(2, 2), (0,)),
        s(real(2, 3), None, True),
        s(real(2, 3), (), True),
        s(real(), 0),
    ]
SAMPLES["prod_dim_int"] = [
    s(real(2, 3), 1),
    s(real(2, 3), 0, True),
    s(cplx(2, 2), -1),
    s(np.array([[1.5, 0.0, 2.0], [0.0, 0.0, 3.0]]), 1),
    s(real(), 0),
]
SAMPLES["nansum"] = [
    s(np.array([[1.0, np.nan], [2.0, 3.0]])),
    s(real(2, 3), 1),
    s(real(2, 3), (0, 1), True),
]
_all_any = [s(mask(2, 3)), s(real(3)), s(integers(3))]
SAMPLES["all"], SAMPLES["any"] = _all_any, _all_any
SAMPLES["all_dims"] = SAMPLES["any_dims"] = [
    s(mask(2, 3)),
    s(mask(2, 3), (0,)),
    s(real(2, 3), (0, 1), True),
]
SAMPLES["all_dim"] = SAMPLES["any_dim"] = [
    s(mask(2, 3), 0),
    s(mask(2, 3), (0, 1), True),
    s(mask(), 0),
]
SAMPLES["count_nonzero"] = [
    s(integers(2, 3)),
    s(integers(2, 3), 1),
    s(cplx(2), 0),
    s(mask(2, 3), (0, 1)),
]
SAMPLES["hash_tensor"] = [
    s(real(2, 3)),
    s(real(2, 3), 1),
    s(integers(2, 3), (0, 1), keepdim=True),
    s(mask(3), 0),
]
for _name in ["amax", "amin"]:
    SAMPLES[_name] = [
        s(real(2, 3)),
        s(real(2, 3), 1),
        s(real(2, 3, 2), (0, 2), True),
        s(real(), 0),
        rough(np.array([[1.0, 1.0, 0.5]]), 1),
    ]
for _name in ["max", "min"]:
    SAMPLES[_name + "_all"] = [s(real(2, 3)), s(real()), s(integers(3))]
    SAMPLES[_name + "_dim"] = [
        s(real(2, 3), 1),
        s(real(2, 3), 0, True),
        s(real(), 0),
        s(integers(2, 3), -1),
    ]
    SAMPLES[_name + "_other"] = [s(real(2, 3), real(3))]
SAMPLES["argmax"] = SAMPLES["argmin"] = [
    s(real(2, 3)),
    s(real(2, 3), 1),
    s(integers(2, 3), 0, True),
    s(real(), 0),
]
SAMPLES["aminmax"] = [s(real(2, 3)), s(real(2, 3), dim=1), s(real(2, 3), dim=0, keepdim=True)]
SAMPLES["logsumexp"] = [s(real(2, 3), 1), s(real(2, 3, 2), (0, 2), True), s(real(), 0)]
for _name in ["cumsum", "cumprod"]:
    SAMPLES[_name] = [
        s(real(2, 3), 1),
        s(real(2, 3), 0),
        s(cplx(3), -1),
        s(real(), 0),
        s(integers(3), 0),
    ]
SAMPLES["cumprod"] += [
    s(np.array([1.5, 0.0, 2.0, 3.0]), 0),
    s(np.array([1.5, 0.0, 2.0, 0.0, 3.0]), 0),
]
for _name in ["cummax", "cummin"]:
    SAMPLES[_name] = [s(real(2, 3), 1), s(real(4), 0), s(integers(4), 0)]
SAMPLES["norm_dim"] = [s(real(2, 3), 2, (1,), False), s(real(2, 3), 3.5, (-1,), True)]
SAMPLES["linalg_vector_norm"] = [
    s(real(2, 3)),
    s(real(2, 3), 1),
    s(real(2, 3), 3.5, (1,)),
    s(real(2, 3), float("inf"), (1,), True),
    s(real(2, 3), float("-inf"), (0,)),
    s(real(2, 3), 0),
    s(real(2, 3), 0.5),
    s(cplx(2, 2), 2, (1,)),
    s(cplx(2), 1),
]
for _name in ["var", "std"]:
    SAMPLES[_name + "_unbiased"] = [s(real(2, 3), True), s(real(2, 3), False), s(cplx(3), True)]
    SAMPLES[_name + "_dims"] = [
        s(real(2, 3), correction=0),
        s(real(2, 3), 1, correction=1),
        s(real(2, 3, 2), (0, 2), correction=0.5, keepdim=True),
        s(cplx(2, 3), 1, correction=1),
    ]
    SAMPLES[_name + "_mean"] = SAMPLES[_name + "_dims"]
    SAMPLES[_name + "_dim_unbiased"] = [s(real(2, 3), 1, False), s(real(2, 3), 0, True, True)]

# ---- indexing
SAMPLES["index"] = [
    s(real(3, 4), [ix(0, 2, 2)]),
    s(real(3, 4), [None, ix(1, 3)]),
    s(real(3, 4), [ix([[0], [1]]), ix(1, 3)]),
    s(real(3, 4), [mask(3, 4)]),
    s(real(2, 3, 4), [ix(0, 1), None, ix(1, 3)]),
]
SAMPLES["index_backward"] = [s(real(3, 4), (3, 4), [ix(0, 2, 2)])]
SAMPLES["index_put"] = [
    s(real(3, 4), [ix(0, 2)], real(2, 4)),
    s(real(3, 4), [ix(0, 2, 2), ix(1, 1, 1)], real(3), True),
    s(real(3, 4), [None, ix(1)], real()),
    s(real(3), [np.array([True, False, True])], real(2)),
]
SAMPLES["index_put_copy"] = SAMPLES["index_put"]
SAMPLES["index_select"] = [
    s(real(3, 4), 1, ix(0, 2, 2)),
    s(real(3), 0, ix(1, 1)),
    s(real(), 0, np.array(0)),
]
SAMPLES["index_select_backward"] = [s(real(3, 3), (3, 4), 1, ix(0, 2, 2))]
SAMPLES["index_add"] = [
    s(real(3, 4), 0, ix(0, 2, 0), real(3, 4)),
    s(real(3, 4), 1, ix(1, 1), real(3, 2), alpha=1.5),
    s(cplx(3), 0, ix(2, 0), cplx(2)),
]
SAMPLES["index_copy"] = [
    s(real(3, 4), 0, ix(0, 2), real(2, 4)),
    s(real(3, 4), 1, ix(1, 3), real(3, 2)),
]
SAMPLES["index_fill"] = [
    s(real(3, 4), 0, ix(0, 2), 1.5),
    s(real(3, 4), 1, ix(1, 1), 0),
    s(integers(3), 0, ix(0, 1), 2),
]
SAMPLES["index_fill_tensor"] = [
    s(np.arange(12.0).reshape(3, 4), 0, ix(0, 2), np.array(1.5)),
    s(np.arange(12.0).reshape(3, 4), 1, ix(1, 1), np.array(0.5)),
]
SAMPLES["gather"] = [
    s(real(3, 4), 0, ix([0, 2, 1, 0], [1, 1, 0, 2])),
    s(real(3, 4), 1, ix([[0, 3], [1, 1], [2, 2]])),
]
SAMPLES["gather_backward"] = [s(real(2, 4), (3, 4), 0, ix([0, 2, 1, 0], [1, 1, 0, 2]))]
_scatter_index = ix([0, 2, 1, 0], [1, 1, 0, 2])
SAMPLES["scatter_src"] = [
    s(real(3, 4), 0, _scatter_index, real(2, 4)),
    rough(real(3, 4), 1, ix([[0], [2]]), real(2, 2)),
]
SAMPLES["scatter_value"] = [s(real(3, 4), 0, _scatter_index, 1.5), s(real(3), 0, ix(2, 0), 0)]
SAMPLES["scatter_add"] = [
    s(real(3, 4), 0, _scatter_index, real(2, 4)),
    rough(real(3), 0, ix(0, 0), real(3)),
]
SAMPLES["masked_select"] = [
    s(real(2, 3), mask(2, 3)),
    s(real(3), mask(2, 3)),
    s(real(2, 3), np.ones((), bool)),
]
SAMPLES["masked_select_backward"] = [
    s(real(2), real(2, 2), np.array([[True, False], [False, True]]))
]
SAMPLES["masked_scatter"] = [
    s(real(2, 3), np.array([[True, False, True], [False, False, True]]), real(5)),
    s(real(2, 3), np.array([True, False, True]), real(2, 2)),
]
SAMPLES["masked_scatter_backward"] = [s(real(2, 2), np.array([[True, False], [False, True]]), (3,))]
SAMPLES["take"] = [
    s(real(2, 3), ix([[0, 5], [2, 2]])),
    s(real(3), ix(-1, 0)),
    s(real(), np.array(0)),
]
SAMPLES["take_backward"] = [s(real(2, 2), (2, 3), ix([[0, 5], [2, 2]]))]
SAMPLES["nonzero"] = [s(integers(2, 3)), s(mask(4)), s(np.array(1.0))]
SAMPLES["argwhere"] = [s(integers(2, 3)), s(mask(4)), s(np.array(1.0))]
SAMPLES["one_hot"] = [s(ix(0, 2, 1)), s(ix([[0, 2], [1, 1]]), 4)]
SAMPLES["embedding"] = [
    s(real(4, 3), ix(0, 2, 2)),
    rough(real(4, 3), ix([[0, 1], [1, 3]]), 1),
    rough(real(4, 3), ix(0, 2, 2, 0), 0, True),
]
SAMPLES["embedding_dense_backward"] = [
    s(real(3, 3), ix(0, 2, 2), 4, -1, False),
    s(real(3, 3), ix(0, 2, 2), 4, 0, False),
    rough(real(3, 3), ix(0, 2, 2), 4, -1, True),
]

# ---- products
SAMPLES["mm"] = [
    s(real(2, 3), real(3, 4)),
    s(cplx(2, 2), cplx(2, 2)),
    s(integers(2, 3), integers(3, 2)),
]
SAMPLES["mv"] = [s(real(2, 3), real(3)), s(cplx(2, 2), cplx(2)), s(integers(2, 3), integers(3))]
SAMPLES["dot"] = [s(real(3), real(3)), s(cplx(3), cplx(3)), s(integers(3), integers(3))]
SAMPLES["vdot"] = [s(real(3), real(3)), s(cplx(3), cplx(3))]
SAMPLES["bmm"] = [s(real(2, 2, 3), real(2, 3, 2)), s(cplx(1, 2, 2), cplx(1, 2, 2))]
SAMPLES["addmm"] = [
    s(real(2, 4), real(2, 3), real(3, 4)),
    s(real(4), real(2, 3), real(3, 4), beta=0.5, alpha=2),
    s(cplx(2, 2), cplx(2, 2), cplx(2, 2), beta=1j, alpha=1 - 1j),
    s(integers(2, 2), integers(2, 3), integers(3, 2), alpha=2),
    s(real(2, 2), real(2, 3), real(3, 2), beta=0),
]
SAMPLES["addmv"] = [
    s(real(2), real(2, 3), real(3)),
    s(real(), real(2, 3), real(3), beta=0.5, alpha=2),
    s(cplx(2), cplx(2, 2), cplx(2), beta=1j, alpha=1 - 1j),
]
SAMPLES["addr"] = [
    s(real(2, 3), real(2), real(3)),
    s(real(3), real(2), real(3), beta=0.5, alpha=2),
    s(cplx(2, 2), cplx(2), cplx(2), beta=1j, alpha=1 - 1j),
]
SAMPLES["baddbmm"] = [
    s(real(2, 2, 2), real(2, 2, 3), real(2, 3, 2)),
    s(real(2), real(2, 2, 3), real(2, 3, 2), beta=0.5, alpha=2),
]
SAMPLES["outer"] = [s(real(2), real(3)), s(cplx(2), cplx(2))]
SAMPLES["matmul"] = [
    s(real(3), real(3)),
    s(real(2, 3), real(3)),
    s(real(3), real(3, 2)),
    s(real(2, 3), real(3, 2)),
    s(real(2, 2, 3), real(3, 2)),
    s(real(2, 2, 3), real(3)),
    s(real(2, 1, 2, 3), real(2, 3, 2)),
    s(real(2, 3), real(2, 3, 2)),
    s(real(3), real(2, 3, 2)),
    s(cplx(2, 2), cplx(2)),
]
SAMPLES["_matmul"] = [s(real(2, 3), real(3, 2))]
SAMPLES["linear"] = [
    s(real(2, 3), real(4, 3), real(4)),
    s(real(2, 3), real(4, 3)),
    s(real(3), real(4, 3), real(4)),
    s(real(2, 2, 3), real(4, 3), real(4)),
    s(real(2, 3), real(3)),
]
SAMPLES["_linear"] = [s(real(2, 3), real(4, 3), real(4))]

# ---- sorting
SAMPLES["sort"] = [s(real(2, 3)), s(real(2, 3), 0, True), s(real(), 0), s(integers(4))]
SAMPLES["sort_stable"] = [
    s(real(2, 3), stable=True),
    s(integers(6), stable=True, dim=0, descending=True),
]
SAMPLES["argsort"] = [s(real(2, 3)), s(real(2, 3), 0, True)]
SAMPLES["argsort_stable"] = [s(integers(2, 6), stable=True, dim=1)]
SAMPLES["msort"] = [s(real(3, 2))]
SAMPLES["topk"] = [s(real(2, 4), 2), s(real(2, 4), 1, 0, False, True), s(real(), 1)]
SAMPLES["kthvalue"] = [s(real(2, 4), 2), s(real(2, 4), 1, 0, True), s(real(), 1)]
for _name in ["median", "nanmedian"]:
    SAMPLES[_name] = [s(real(2, 3)), s(real(4)), s(real())]
    SAMPLES[_name + "_dim"] = [s(real(2, 3), 1), s(real(2, 3), 0, True), s(real(), 0)]
SAMPLES["nanmedian"] += [s(np.array([np.nan, 2.0, 1.0]))]
SAMPLES["mode"] = [s(real(2, 3)), s(integers(3, 5), 0, True), s(real())]
SAMPLES["_unique2"] = [s(integers(2, 4)), s(integers(6), True, True, True), s(real(3))]
SAMPLES["unique_dim"] = [s(integers(4, 2, high=-1), 0), s(integers(2, 3), 1, True, True, True)]
SAMPLES["_unique_consecutive"] = [
    s(integers(8, high=-1)),
    s(integers(4, 2, high=-2), True, True, 0),
]
_sorted = np.array([-1.0, 0.5, 0.5, 2.0])
SAMPLES["searchsorted"] = [
    s(_sorted, real(2, 3)),
    s(_sorted, real(2), right=True, out_int32=True),
    s(_sorted, real(2), side="right"),
]
SAMPLES["bucketize"] = [s(real(2, 3), _sorted), s(real(3), _sorted, right=True, out_int32=True)]
SAMPLES["bincount"] = [s(ix(0, 2, 2)), s(ix(0, 2, 2), real(3)), s(ix(1, 1), None, 5)]
SAMPLES["histc"] = [s(real(6), 4), s(real(6), 4, -1.0, 1.0)]
SAMPLES["_repeat_positions"] = [s(ix(0, 2, 1))]
