"""The same call on both sides: variants of a sample, and what differs between the two outcomes."""

import fnmatch
import warnings
from itertools import islice

import numpy as np
import torch

import minitorch
from minitorch.autograd.functions import tensor_methods
from tests.autograd.samples import SAMPLES, Const, Dtype, Flags, Sample

aten = torch.ops.aten


def _method(name):
    # from the class: a bound method calls itself by another name in its errors
    return lambda self, *args, **kwargs: getattr(type(self), name)(self, *args, **kwargs)


# row -> PyTorch's function; None where PyTorch has none. Other rows are found by their names.
COUNTERPARTS = {
    "_unique_consecutive": aten.unique_consecutive,
    "diag_embed": None,
    "unsqueeze_to": None,
    "unsqueeze_to_dim": None,
    "unsqueeze_to_dims": None,
    "as_strided_backward": None,
    "as_strided_gather": None,
    "reshape_alias": None,
    # parts of an ordinary backward: under create_graph PyTorch's operators are recorded instead
    "gather_backward": None,
    "index_select_backward": None,
    "masked_select_backward": None,
    "strided_copy": None,
    # those of functionalize, which have derivatives here: tests/func/test_functionalize.py
    "copied": None,
    "zeroed": None,
    "_repeat_positions": None,
    "index_backward": None,
    "take_backward": None,
    "_once_differentiable": None,
    "_delayed_error": None,
    "reflection_pad1d_backward": None,
    "reflection_pad2d_backward": None,
    "reflection_pad3d_backward": None,
    "replication_pad1d_backward": None,
    "replication_pad2d_backward": None,
    "replication_pad3d_backward": None,
    "circular_pad": None,
    "circular_pad_backward": None,
    "grid_sampler_weights": None,
    "grid_sampler_offsets": None,
    "affine_grid_generator_backward": None,
    "normal_tensor_float": torch.normal,
    "normal_float_tensor": torch.normal,
    "normal_tensor_tensor": torch.normal,
    "all_dims": None,
    "_linalg_eigvals": None,
    "_cdist_forward": None,
    "_pdist_forward": None,
    "any_dims": None,
    "_add_scalar": None,
    "_sub_scalar": None,
    "_mul_scalar": None,
    "_div_scalar": None,
    "_block_diag": None,
    # checks no sizes, and takes the process with it: tests/nn/test_flash_attention.py
    "_scaled_dot_product_flash_attention_for_cpu": None,
    "_scaled_dot_product_flash_attention_for_cpu_backward": None,
    "_isfinite": None,
    "_matmul": None,
    "_linear": None,
    "max_pool1d_with_indices": torch.max_pool1d_with_indices,
    "binary_cross_entropy_with_logits_backward": None,
    "log_sigmoid_backward": lambda grad, self: aten.log_sigmoid_backward(
        grad, self, aten.log_sigmoid_forward(self.detach())[1]
    ),
    "dropout_noise": None,
    "cast": None,
    "norm_dim": lambda self, *args: aten.norm.ScalarOpt_dim(self, *args),
    "_to_copy": lambda self, dtype=None: aten._to_copy(self, dtype=dtype),
    "view_dtype": lambda self, dtype: self.view(dtype),
    "slice": aten.slice,
    "alias": aten.alias,
    "split": torch._VF.split,
    "split_sizes": torch._VF.split,
    "arange": lambda start, end, step, dtype=None: torch.arange(start, end, step, dtype=dtype),
    "empty": None,
    "empty_like": None,
    "linalg_solve_triangular": torch.linalg.solve_triangular,
    "linalg_cross": torch.linalg.cross,
    # parts of others, which check
    "_euclidean_dist": None,
    "_cdist_backward": None,
    "_pdist_backward": None,
    # vectors are determined but for a factor of modulus 1: compared in tests/linalg
    "_linalg_eigh": None,
    "_linalg_svd": None,
    "linalg_eig": None,
}


# cases in which PyTorch itself divides by zero or writes where it must not
CRASHES = [
    "native_batch_norm/function/*-argument-0-empty-2d",
    "native_batch_norm_backward/function/*-argument-1-empty-2d",
    "_adaptive_avg_pool?d_backward/function/*-argument-?-longer",
    "adaptive_max_pool?d_backward/function/*-argument-1-longer",
    "_embedding_bag/function/*-argument-2-empty*",
    "unfold_backward/function/*-argument-0-0-dim",
    "unfold_backward/function/*-argument-0-empty*",
    "lu_unpack/function/*-argument-1-empty*",
]


def counterpart(row):
    if row.name in COUNTERPARTS:
        return COUNTERPARTS[row.name]
    name = row.public_name
    if name.startswith("special_"):
        return getattr(torch.special, name.removeprefix("special_"))
    if "function" in row.variants or (not row.variants and hasattr(torch, name)):
        return getattr(torch, name, None)
    if hasattr(torch._C._nn, name):
        return getattr(torch._C._nn, name)
    if "method" in row.variants:
        return _method(name)
    return getattr(aten, row.name, None)


def own(row):
    if "function" in row.variants:
        return getattr(tensor_methods, row.public_name)
    if hasattr(tensor_methods, row.name):
        return getattr(tensor_methods, row.name)
    if "method" in row.variants:
        return _method(row.public_name)
    return None


def forms(row):
    """(form, ours, theirs): the function, the method, in place, with out=."""
    theirs = counterpart(row)
    if row.name in COUNTERPARTS and theirs is None:
        return
    ours = own(row)
    by_method = "method" in row.variants and "function" not in row.variants
    if by_method and not hasattr(torch._C._nn, row.public_name):
        ours = None
    if not row.inplace_only and ours is not None and theirs is not None:
        yield "function", ours, theirs
    if "method" in row.variants:
        yield "method", _method(row.public_name), _method(row.public_name)
    if "inplace" in row.variants:
        name = row.public_name + "_"
        own_function = getattr(tensor_methods, name, None)
        places = [p for p in (torch._C._nn, torch) if hasattr(p, name)]
        if hasattr(torch.Tensor, name) or not places:
            yield "inplace", _method(name), _method(name)
        else:
            yield "inplace", own_function, getattr(places[0], name)
    if "out" in row.variants:
        yield "out", getattr(tensor_methods, row.public_name), theirs


# ---- tensors


class Layout:
    """How an array lies in memory: the same calls make it on both sides."""

    def __init__(self, array, kind="contiguous", dtype=None):
        self.kind = kind
        self.array = array
        # one that NumPy does not know: only for contiguous tensors
        self.dtype = dtype

    @property
    def dtype_name(self):
        return self.dtype or str(self.array.dtype)

    def make(self, library):
        a = self.array
        if self.kind == "transposed" and a.ndim >= 2:
            order = (*range(1, a.ndim), 0)
            flat = library.from_numpy(np.array(np.asarray(a).transpose(order), order="C"))
            return flat.permute(tuple(np.argsort(order).tolist())).detach()
        if self.kind == "sliced" and a.ndim >= 1:
            wide = np.zeros((*a.shape[:-1], 2 * a.shape[-1] + 1), a.dtype)
            wide[..., 1::2] = a
            t = library.from_numpy(wide)
            return t.as_strided(a.shape, (*t.stride()[:-1], 2), 1).detach()
        if self.kind == "expanded" and a.ndim >= 1 and a.shape[0]:
            t = library.from_numpy(np.array(np.asarray(a)[:1], order="C"))
            return t.expand(a.shape).detach()
        t = library.from_numpy(np.array(np.asarray(a), order="C", copy=True))
        return t if self.dtype is None else t.to(getattr(library, self.dtype))


def build(library, value, requires_grad, made):
    if isinstance(value, Layout):
        tensor = value.make(library)
        constant = isinstance(value.array, Const)
        if (
            requires_grad
            and not constant
            and (tensor.dtype.is_floating_point or tensor.dtype.is_complex)
        ):
            tensor.requires_grad_()
        made.append(tensor)
        return tensor
    if isinstance(value, Dtype):
        return getattr(library, value.name)
    if isinstance(value, Flags):
        return value.values if library is torch else tuple(map(int, value.values))
    if isinstance(value, (list, tuple)):
        return type(value)(build(library, v, requires_grad, made) for v in value)
    return value


# ---- variants of a sample


def _map(value, change):
    """`change` applied to every array."""
    if isinstance(value, np.ndarray):
        return change(value)
    if isinstance(value, list):
        return [_map(v, change) for v in value]
    return value


def mapped(sample, change):
    return Sample(
        tuple(_map(v, change) for v in sample.args),
        {k: _map(v, change) for k, v in sample.kwargs.items()},
    )


def arrays(sample):
    """Places of the arrays that are arguments of their own."""
    for place, value in [*enumerate(sample.args), *sample.kwargs.items()]:
        if isinstance(value, np.ndarray):
            yield place, value


def replaced(sample, place, value):
    if isinstance(place, int):
        args = (*sample.args[:place], value, *sample.args[place + 1 :])
        return Sample(args, sample.kwargs)
    return Sample(sample.args, {**sample.kwargs, place: value})


DTYPES = ["float32", "float16", "bfloat16", "int64", "int32", "uint8", "bool", "complex128",
          "complex64"]  # fmt: skip


def cast(array, dtype):
    """The values in another dtype; real ones spread out for integers."""
    kind = np.dtype(dtype).kind
    if array.dtype.kind == "c" and kind != "c":
        array = array.real
    if array.dtype.kind == "f" and kind in "iu":
        array = np.nan_to_num(array * 3)
    with np.errstate(invalid="ignore"):
        return np.abs(array).astype(dtype) if kind == "u" else array.astype(dtype)


def _in_dtype(array, dtype):
    if array.dtype.kind not in "fc":
        return Layout(array)
    if dtype == "bfloat16":
        return Layout(cast(array, "float32"), dtype=dtype)
    return Layout(cast(array, dtype))


# what neither library can read the result of
UNREADABLE = {("_neg_view", "bool")}


def variants(row, form):
    """(label, sample) pairs: each sample in its layouts, then the first ones in all the other ways."""
    contiguous = Layout
    samples = SAMPLES[row.name]
    for k, sample in enumerate(samples):
        yield f"{k}", mapped(sample, contiguous)
        for kind in ("transposed", "sliced", "expanded"):
            if any(a.ndim for _, a in arrays(sample)):
                yield f"{k}-{kind}", mapped(sample, lambda a, kind=kind: Layout(a, kind))
    for k, sample in enumerate(samples[:2]):
        for dtype in DTYPES:
            if (row.name, dtype) in UNREADABLE:
                continue
            float_only = mapped(sample, lambda a, d=dtype: _in_dtype(a, d))
            yield f"{k}-{dtype}", float_only
        places = list(islice(arrays(sample), 3))
        for place, array in places:
            others = mapped(sample, contiguous)
            for dtype in ("float32", "int64", "bool", "complex128"):
                if array.dtype != dtype and (row.name, dtype) not in UNREADABLE:
                    yield (
                        f"{k}-argument-{place}-{dtype}",
                        replaced(others, place, Layout(cast(array, dtype))),
                    )
            shapes = {
                "0-dim": array.reshape(-1)[:1].reshape(()) if array.size else None,
                "empty": array.reshape(-1)[:0],
                "empty-2d": np.zeros((0, 3), array.dtype),
                "longer": np.concatenate([array, array[:1]]) if array.ndim else None,
                "deeper": array[None],
            }
            for what, changed in shapes.items():
                if changed is not None:
                    yield f"{k}-argument-{place}-{what}", replaced(others, place, Layout(changed))
    sample = mapped(samples[0], contiguous)
    if row.variants or hasattr(torch._C._nn, row.name):
        yield from bad_arguments(row, sample)


BAD = {
    "str": "x",
    "none": None,
    "list": [1.5],
    "float": 2.5,
    "int": 7,
    "bool": True,
    "object": object,
}


def bad_arguments(row, sample):
    """Arguments of a wrong type, too many, too few, unknown."""
    first = 1 if row.variants and "function" not in row.variants else 0
    for place in [*range(first, len(sample.args)), *sample.kwargs]:
        for what, value in BAD.items():
            yield f"bad-{place}-{what}", replaced(sample, place, value)
    yield "bad-too-many", Sample((*sample.args, "x", "y"), sample.kwargs)
    if len(sample.args) > first:
        yield "bad-too-few", Sample(sample.args[:-1], sample.kwargs)
    yield "bad-keyword", Sample(sample.args, {**sample.kwargs, "wrong": 1})


# ---- outcomes


def describe(tensor):
    if tensor is None:
        return None
    grad_fn = tensor.grad_fn.name() if tensor.grad_fn is not None else None
    return {
        "dtype": str(tensor.dtype),
        "shape": tuple(tensor.shape),
        "strides": tuple(tensor.stride()),
        "requires_grad": tensor.requires_grad,
        "grad_fn": grad_fn,
        "value": values(tensor),
    }


def values(tensor):
    if tensor is None:
        return None
    tensor = tensor.detach()
    if str(tensor.dtype) == "torch.complex32":
        tensor = tensor.cfloat()
    if str(tensor.dtype) == "torch.bfloat16":
        tensor = tensor.float()
    return np.array(tensor.numpy(force=True), copy=True)


def is_tensor(value):
    return isinstance(value, (torch.Tensor, minitorch.Tensor))


def tensors(result):
    if is_tensor(result):
        return [result]
    if isinstance(result, (tuple, list)):
        return [v for v in result if is_tensor(v)]
    return []


def gradients(library, result, inputs):
    """First and second gradients with respect to what requires grad; an error ends them."""
    outputs = [o for o in tensors(result) if o.requires_grad]
    # an in-place comparison of integers has a node too, and no seed
    kinds = (
        "torch.float16",
        "torch.bfloat16",
        "torch.float32",
        "torch.float64",
        "torch.complex64",
        "torch.complex128",
    )
    outputs = [o for o in outputs if str(o.dtype) in kinds]
    inputs = [t for t in inputs if t.requires_grad and t.is_leaf]
    if not outputs or not inputs:
        return {}
    found = {}
    seeds = [library.from_numpy(seed(o, k)).to(o.dtype) for k, o in enumerate(outputs)]
    for s in seeds:
        s.requires_grad_()
    try:
        first = library.autograd.grad(outputs, inputs, seeds, create_graph=True, allow_unused=True)
    except Exception as error:  # noqa: BLE001 - the error is what is compared
        return {"first gradient": failure(error)}
    for k, g in enumerate(first):
        found[f"first gradient {k}"] = values(g)
        found[f"dtype of gradient {k}"] = None if g is None else str(g.dtype)
    outputs = [g for g in first if g is not None and g.requires_grad]
    if not outputs:
        return found
    try:
        second = library.autograd.grad(
            outputs,
            [*inputs, *seeds],
            [library.from_numpy(seed(o, k + 5)).to(o.dtype) for k, o in enumerate(outputs)],
            allow_unused=True,
        )
    except Exception as error:  # noqa: BLE001
        return {**found, "second gradient": failure(error)}
    for k, g in enumerate(second):
        found[f"second gradient {k}"] = values(g)
    return found


def seed(output, k):
    dtype = values(output).dtype
    numbers = np.random.default_rng(k).uniform(-1, 1, tuple(output.shape))
    if dtype.kind == "c":
        numbers = numbers + 0.5j * numbers[::-1] if numbers.ndim else numbers + 0.5j
    return np.asarray(numbers).astype(dtype)


def failure(error):
    return type(error).__name__, str(error).split("\nException raised from")[0]


def run(library, function, form, sample):
    """What a call does: results, gradients, changed inputs, warnings, or the error."""
    made = []
    outcome = {}
    # the destination is no leaf: what requires grad cannot be written to
    args = build(library, sample.args, True, made)
    kwargs = {k: build(library, v, True, made) for k, v in sample.kwargs.items()}
    if form == "inplace" and args and is_tensor(args[0]):
        args = (args[0].clone() if dense(args[0]) else args[0].detach(), *args[1:])
    library.manual_seed(11)
    # an earlier test may have used up warnings that are given once per process
    library.set_warn_always(True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            if form == "out":
                return run_out(library, function, args, kwargs)
            result = function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001
            return {"error": failure(error)}
        finally:
            library.set_warn_always(False)
    outcome["warnings"] = [str(w.message).split(" (Triggered internally")[0] for w in caught]
    if form == "inplace":
        outcome["returns its tensor"] = result is args[0]
    if is_tensor(result):
        outcome["result"] = describe(result)
    elif isinstance(result, (tuple, list)):
        outcome["number of results"] = len(result)
        for k, r in enumerate(result):
            outcome[f"result {k}"] = describe(r) if is_tensor(r) else r
    else:
        outcome["result"] = result
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcome.update(gradients(library, result, made))
    return outcome


def dense(tensor):
    return all(s > 0 for s in tensor.stride())


def run_out(library, function, args, kwargs):
    """out= of the right size, of a wrong one, and with gradients."""
    with library.no_grad():
        result = function(*args, **kwargs)
    if not is_tensor(result):
        return {}
    outcome = {}
    exact = library.empty_like(result)
    with library.no_grad():
        returned = function(*args, **kwargs, out=exact)
    outcome["returns out"] = returned is exact
    outcome["exact"] = describe(exact)
    for name in ("float32", "int64", "complex64"):
        other = library.zeros(tuple(result.shape), dtype=getattr(library, name))
        with library.no_grad():
            try:
                function(*args, **kwargs, out=other)
                outcome[name] = describe(other)
            except Exception as error:  # noqa: BLE001
                outcome[name] = failure(error)
    small = library.zeros((0,), dtype=result.dtype)
    with library.no_grad():
        function(*args, **kwargs, out=small)
    outcome["empty"] = describe(small)
    try:
        outcome["recorded"] = describe(function(*args, **kwargs, out=exact))
    except Exception as error:  # noqa: BLE001
        outcome["recorded"] = failure(error)
    return outcome


# ---- comparison

TOLERANCE = {
    "float16": 4e-3,
    "bfloat16": 3e-2,
    "float32": 2e-5,
    "complex64": 2e-5,
    "float64": 1e-9,
    "complex128": 1e-9,
}


def loosest(sample):
    """The tolerance of the least exact of the inputs: what it was computed in shows in the result."""
    found = []
    _map_layouts(sample.args, found)
    _map_layouts(tuple(sample.kwargs.values()), found)
    dtypes = {layout.dtype_name for layout in found}
    if dtypes & {"float64", "complex128"} and any(d.startswith(("int", "uint")) for d in dtypes):
        # a function of integers is computed in float32
        dtypes.add("float32")
    return max((TOLERANCE.get(d, 0) for d in dtypes), default=0)


def _map_layouts(value, found):
    if isinstance(value, Layout):
        found.append(value)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _map_layouts(item, found)


def same(a, b, least=0):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k], least) for k in a)
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        limit = TOLERANCE.get(str(a.dtype))
        if limit is None:
            return np.array_equal(a, b)
        limit = max(limit, least)
        with np.errstate(all="ignore"):
            return np.allclose(a, b, rtol=limit, atol=limit, equal_nan=True)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        # a gradient that is not there is one of zeros
        there = a if isinstance(a, np.ndarray) else b
        return (a is None or b is None) and np.allclose(there, 0, atol=1e-12)
    return a == b


ERRORS = ("error", "first gradient", "second gradient")


def stage_of(key):
    """How far a call has come when it can tell `key`."""
    if "second gradient" in key:
        return 2
    return 1 if "gradient" in key else 0


def differences(label, form, ours, theirs, sample):
    if any(fnmatch.fnmatchcase(label, pattern) for pattern in CRASHES):
        return
    least = loosest(sample)
    mine = run(minitorch, ours, form, sample)
    other = run(torch, theirs, form, sample)
    for key in ERRORS:
        # nothing that comes later is comparable
        if key in mine or key in other:
            stage = ERRORS.index(key)
            keep = [k for k in {*mine, *other} if stage_of(k) < stage]
            mine = {k: mine[k] for k in [*keep, key] if k in mine}
            other = {k: other[k] for k in [*keep, key] if k in other}
            break
    for key in sorted({*mine, *other}):
        a, b = mine.get(key, "nothing"), other.get(key, "nothing")
        if same(a, b, least) or ("dtype of gradient" in key and None in (a, b)):
            continue
        if isinstance(a, dict) and isinstance(b, dict):
            inner = [k for k in sorted({*a, *b}) if not same(a.get(k), b.get(k), least)]
            a, b = {k: a.get(k) for k in inner}, {k: b.get(k) for k in inner}
        yield f"{label}: {key}\n    here:    {show(a)}\n    PyTorch: {show(b)}"


def show(value):
    text = repr(value).replace("\n", " ")
    return text if len(text) < 600 else text[:600] + " ..."
