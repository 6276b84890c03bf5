"""Where a row differs from PyTorch on purpose or for want of repair.

A difference is (pattern of cases, part of what the test says, reason); a case is called
``row/form/variant: what differs``. test_against_pytorch.py fails for an entry of KNOWN that differs
no longer.
"""

_TRIGAMMA = "PyTorch's trigamma is exact to a few ten-thousandths, ours to float64"
_GAMMA = "PyTorch approximates this derivative to about a thousandth; ours is exact"
_REAL_PART = "PyTorch has no gradient where a real operand met a complex one; ours is its real part"
_EQUAL = "which of equal elements is found is left open; ours is the first"
_UNSORTED = "the boundaries are not sorted"
_COMPLEX32 = "there is no complex32"
_READS_BEYOND = "PyTorch reads memory beyond the gradient; ours is checked"
_RESIZED = "the strides of an out= that had to be resized"

# ---- operators that are not layers or losses
OPERATORS = [
    ("digamma/*gradient*", "", _TRIGAMMA),
    ("lgamma/*: second gradient 0", "", _TRIGAMMA),
    ("_standard_gamma/*: first gradient 0", "", _GAMMA),
    ("_standard_gamma_grad/*: result", "value", _GAMMA),
    ("where/*: first gradient", "input_is_complex", _REAL_PART),
    ("masked_fill/*: first gradient", "input_is_complex", _REAL_PART),
    ("logaddexp/*: first gradient", "input_is_complex", _REAL_PART),
    ("sum/*: first gradient", "input_is_complex", _REAL_PART),
    ("mean/*: first gradient", "input_is_complex", _REAL_PART),
    ("prod/*: first gradient", "input_is_complex", _REAL_PART),
    ("complex/function/?-float16: error", "", _COMPLEX32),
    ("view_as_complex/function/?-float16: error", "", _COMPLEX32),
    ("unfold_backward/*", "", _READS_BEYOND),
    ("masked_scatter_backward/*-argument-1-0-dim: error", "", "a mask of one element is broadcast"),
    ("abs/out/2-transposed: empty", "strides", _RESIZED),
    ("angle/out/2-transposed: empty", "strides", _RESIZED),
    ("take/out/0-transposed: empty", "strides", _RESIZED),
    ("pow_number/out/1-transposed: empty", "strides", _RESIZED),
    (
        "*median_dim/*/1-expanded*",
        "",
        "PyTorch sorts in place in memory that the elements of an expanded tensor share",
    ),
    ("conj/*/2-*: result", "strides", "conj is computed at once here, in memory without gaps"),
    ("index_put*", "got NoneType", "None stands for a whole dimension, as it does in x[None]"),
    (
        "index_fill/*-argument-0-empty*",
        "setStorage",
        "an index out of range of an empty dimension is called that",
    ),
    (
        "addcdiv/*-argument-2-*: first gradient",
        "",
        "PyTorch divides the number by the tensor in the tensor's own type, and stumbles",
    ),
    (
        "addmv/*/1-argument-1-empty-2d*",
        "",
        "a matrix without rows: PyTorch gives a number instead of an empty vector",
    ),
    (
        "nan_to_num/*: error",
        "nan_to_num does not support automatic differentiation",
        "complex numbers have this gradient here",
    ),
    (
        "atan2/*-argument-0-bool: first gradient",
        "Negation",
        "PyTorch negates the mask it was given",
    ),
    ("t/inplace/0-argument-0-deeper: error", "t_() expects", "the message names the other form"),
]

KNOWN = [*OPERATORS]

# these depend on the numbers of a sample, and may be missing
SOMETIMES = [
    ("kthvalue/*", "", _EQUAL),
    ("topk/*int*: result 1", "value", _EQUAL),
    ("topk/*bool*: result 1", "value", _EQUAL),
    ("*median_dim/*int*: result 1", "value", _EQUAL),
    ("*median_dim/*longer: *", "", _EQUAL),
    ("searchsorted/*-argument-0-longer*", "", _UNSORTED),
    ("bucketize/*-argument-1-longer*", "", _UNSORTED),
]
