"""PyTorch's own testing modules work on minitorch, and the private modules that they are made of."""

import importlib
import sys
import warnings

import pytest

import minitorch
from tests.both import compare, like_pytorch, run_tests_in_pytorchs_way

# PyTorch's tests are written like this one; its testing modules are in its wheel
_PROGRAM = """
import sys, unittest
import torch
import torch.testing

torch.testing.__path__.append(sys.argv[1])
from torch.testing._internal.autograd_function_db import autograd_function_db
from torch.testing._internal.common_device_type import instantiate_device_type_tests, ops
from torch.testing._internal.common_methods_invocations import mask_not_all_zeros, op_db
from torch.testing._internal.common_modules import module_db
from torch.testing._internal.common_optimizers import optim_db
from torch.testing._internal.common_utils import TestCase, TestGradients, parametrize
from torch.testing._internal.inductor_utils import maybe_skip_size_asserts
from torch.testing._internal.jit_metaprogramming_utils import get_all_nn_module_tests
from torch.testing._internal.jit_utils import JitTestCase, RUN_CUDA
from torch.testing._internal.logging_tensor import LoggingTensor
from torch.testing._internal.opinfo.definitions.nested import njt_op_db
from torch.testing._internal.two_tensor import TwoTensor

chosen = [op for op in op_db if op.name in ("mul", "flip", "cumprod", "nn.functional.gelu")]


class TestSome(TestGradients):
    @ops(chosen, allowed_dtypes=[torch.float64])
    def test_gradient(self, device, dtype, op):
        with maybe_skip_size_asserts(op):
            self._grad_test_helper(device, dtype, op, op.get_op())

    @ops(chosen, allowed_dtypes=[torch.float32])
    def test_errors(self, device, dtype, op):
        for error in op.error_inputs(device) if op.error_inputs_func else ():
            sample = error.sample_input
            with self.assertRaisesRegex(error.error_type, error.error_regex):
                op(sample.input, *sample.args, **sample.kwargs)


instantiate_device_type_tests(TestSome, globals(), only_for=("cpu",))
print(len(op_db) > 600, len(module_db) > 100, len(optim_db) > 10, len(autograd_function_db) > 5)
unittest.main(argv=["x"])
"""


def test_tests_in_pytorchs_way_run(tmp_path):
    done = run_tests_in_pytorchs_way(_PROGRAM, tmp_path, timeout=300)
    assert done.stdout.startswith("True True True True"), done.stderr
    assert done.returncode == 0, done.stderr
    assert "OK" in done.stderr
    assert "Ran 8 tests" in done.stderr


def module(torch, name):
    return importlib.import_module(f"{torch.__name__}.{name}")


def test_the_rules_of_elementwise_dtypes():
    def program(torch):
        common = module(torch, "_prims_common")
        names = "bool uint8 int32 int64 bfloat16 float32 float64 complex64 complex128".split()
        dtypes = [getattr(torch, name) for name in names]
        operands = [torch.ones(2, dtype=d) for d in dtypes] + [
            torch.ones((), dtype=d) for d in dtypes
        ]
        operands += [True, 2, 0.5, 1j, None]
        found = {}
        for kind in common.ELEMENTWISE_TYPE_PROMOTION_KIND:
            for i, a in enumerate(operands):
                for j, b in enumerate(operands):
                    dtypes_ = common.elementwise_dtypes(a, b, type_promotion_kind=kind)
                    found[f"{kind.name} {i} {j}"] = str(dtypes_)
        properties = [
            (
                common.dtype_to_type(d).__name__,
                common.is_integer_dtype(d),
                common.is_boolean_dtype(d),
                common.is_float_dtype(d),
                common.is_complex_dtype(d),
                str(common.get_computation_dtype(d)),
            )
            for d in dtypes
        ]
        back = [str(common.type_to_dtype(t)) for t in (bool, int, float, complex)]
        return found, properties, back

    compare(program)


@pytest.mark.parametrize("wrong", ["x", [1]])
def test_what_is_no_operand(wrong):
    def program(torch):
        common = module(torch, "_prims_common")
        kind = common.ELEMENTWISE_TYPE_PROMOTION_KIND.DEFAULT
        common.elementwise_dtypes(torch.ones(2), wrong, type_promotion_kind=kind)

    compare(program)


def test_versions_compare():
    def program(torch):
        version = module(torch, "_vendor.packaging.version")
        a, b = version.parse("2.13.0rc1"), version.Version("2.13")
        refused = []
        try:
            version.parse("no version")
        except version.InvalidVersion as error:
            refused.append(str(error))
        return a < b, b >= version.parse("2.9.1"), b.release, a.major, a.minor, b.micro, refused

    compare(program)


def test_references_are_the_operators():
    refs = module(minitorch, "_refs")
    x = minitorch.tensor([4.0, 9.0])
    assert refs.sqrt(x).tolist() == [2.0, 3.0]
    assert refs.view(x, 2, 1).shape == (2, 1)
    assert refs.nn.functional.gelu is minitorch.nn.functional.gelu
    assert refs.special.erf is minitorch.special.erf
    assert refs._conversions.long(x).dtype is minitorch.int64
    assert refs.exponential(x).shape == (2,)
    with pytest.raises(AttributeError, match="no attribute 'not_there'"):
        _ = refs.not_there


@pytest.mark.parametrize(
    "text",
    [
        "R.isnan(x, out=torch.empty(0, dtype=torch.bool))",
        "R.isreal(x, out=torch.empty(2, 3, dtype=torch.int8))",
        "R.nn.functional.relu(x, out=torch.empty(0))",
        "R.nn.functional.elu(x, out=torch.empty(2, 3, dtype=torch.float64))",
        "R.nn.functional.relu(x, out=torch.empty(2, 3, dtype=torch.int64))",
        "R.T(x), R.fft.fft(x), R.diag_embed(x, out=torch.empty(0))",
    ],
)
def test_references_write_to_out(text):
    def program(torch):
        R = module(torch, "_refs")
        return eval(text, {"torch": torch, "R": R, "x": torch.tensor([[-1.0, 2.0, 0.0]] * 2)})

    compare(program)


def test_coordinates_on_another_device():
    def program(torch):
        torch.gradient(torch.ones(3), spacing=(torch.ones(3, device="meta"),))

    compare(program)


def test_tensors_in_groups():
    def program(torch):
        lists = [[torch.ones(1), torch.ones(2).long(), torch.ones(3)], [None, torch.ones(5), None]]
        foreach = module(torch, "utils._foreach_utils")
        groups = foreach._group_tensors_by_device_and_dtype(lists, True)
        return sorted(
            (
                str(device),
                str(dtype),
                [[t is None or tuple(t.shape) for t in row] for row in rows],
                at,
            )
            for (device, dtype), (rows, at) in groups.items()
        )

    compare(program)


def test_a_kernel_for_graphics_cards_can_be_made_and_not_called():
    def program(torch):
        make = torch.cuda.jiterator._create_jit_fn
        function = make("template <typename T> T f(T x) { return x; }")
        try:
            make("T f(T x)")
        except Exception as error:
            assert "Couldn't parse code" in str(error)
        return function(torch.ones(1))

    compare(program)


@pytest.mark.parametrize("name", ["_scaled_mm", "sparse.sampled_addmm"])
def test_what_is_absent_says_so(name):
    parent, _, function = name.rpartition(".")
    place = module(minitorch, parent) if parent else minitorch
    with pytest.raises(NotImplementedError, match=f"torch.{name} is not part of minitorch"):
        getattr(place, function)(minitorch.ones(1))


@pytest.mark.parametrize("dim", [-3, -1, 0, 1, 2])
@pytest.mark.parametrize(
    "shapes", [[(2, 3), (4,)], [(4,), (2, 3)], [(2, 3), (2, 4)], [(3, 4), (2, 4)]]
)
def test_chunks_side_by_side(dim, shapes):
    def program(torch):
        tensors = [torch.arange(1.0, 1.0 + torch.Size(s).numel()).view(s) for s in shapes]
        return torch._chunk_cat(tensors, dim, 2)

    compare(program)


def test_indices_under_a_mask():
    def program(torch):
        x = torch.arange(12.0).view(3, 4)
        at, mask = torch.tensor([0, 2, 9]), torch.tensor([[True], [True], [False]])
        values = torch.ones(3, 4)
        return (
            torch._unsafe_masked_index(x, mask, [at], 7.0),
            torch._unsafe_masked_index(x, mask.int(), [at - 20], 7.0),
            torch._unsafe_masked_index_put_accumulate(x, mask, [at], values),
        )

    compare(program)


def test_constructors_marked_for_export():
    def program(torch):
        wrappers = module(torch, "_export.wrappers")

        class Marked:
            @wrappers.mark_subclass_constructor_exportable_experimental
            def __init__(self, x):
                self.x = x

        assert Marked(3).x == 3
        wrappers.mark_subclass_constructor_exportable_experimental(lambda x: x)

    compare(program)


@pytest.mark.parametrize(
    "text",
    [
        "torch.ones(2), torch.zeros(2)",
        "torch.ones(2), torch.ones(3)",
        "torch.ones(2), torch.ones(3), False",
        "torch.ones(2), torch.ones(2, dtype=torch.int64)",
        "torch.ones(2), torch.ones(2, device='meta')",
        "torch.ones(2, 3), torch.ones(3, 2).t()",
        "torch.ones(2, 3), torch.ones(3, 2).t(), True, True",
        "torch.ones(1, 3), torch.ones(3, 1).t(), True, True",
        "torch.ones(3)[1:], torch.ones(2), True, True",
        "torch.ones(2) * 1j, (torch.ones(2) * 1j).conj()",
        "torch.ones(2), torch._neg_view(torch.ones(2))",
    ],
)
def test_what_two_tensors_differ_in(text):
    def program(torch):
        check = module(torch, "_prims_common").compare_tensor_meta
        try:
            check(*eval(text, {"torch": torch}))
        except RuntimeError as error:
            return type(error).__name__, str(error)
        return "the same"

    compare(program)


_LISTED = """
import sys
import torch
import torch.testing

torch.testing.__path__.append(sys.argv[1])
from torch.testing._internal.generated.annotated_fn_args import annotated_args

print(len(annotated_args) > 1500, torch.add in annotated_args, torch.Tensor.add in annotated_args)
"""


def test_the_arguments_of_all_functions_in_c_are_listed(tmp_path):
    done = run_tests_in_pytorchs_way(_LISTED, tmp_path, timeout=300)
    assert done.stdout.split() == ["True"] * 3, done.stderr


@pytest.mark.parametrize("name", ["_VariableFunctions.quantize_per_tensor", "_nn.mkldnn_linear"])
def test_what_is_absent_in_c_says_so(name):
    namespace, _, function = name.partition(".")
    with pytest.raises(NotImplementedError, match=f"torch._C.{name} is not part of minitorch"):
        getattr(getattr(minitorch._C, namespace), function)(minitorch.ones(2))


@pytest.mark.parametrize("name", ["_VariableFunctions", "_nn", "_linalg", "_fft"])
def test_what_pytorch_lacks_too_is_no_attribute(name):
    with pytest.raises(AttributeError, match="no_such_function"):
        getattr(minitorch._C, name).no_such_function  # noqa: B018


_CHECKED = """
import sys
import torch
import torch.testing

torch.testing.__path__.append(sys.argv[1])
from torch.testing._internal.optests import OpCheckError

with torch.library._scoped_library("checked", "FRAGMENT") as library:
    library.define("op(Tensor x) -> Tensor")
    library.impl("op", lambda x: x.add_(1).clone(), "CPU")
    try:
        torch.library.opcheck(torch.ops.checked.op.default, (torch.ones(2),), test_utils="test_schema")
    except OpCheckError as error:
        print("mutated" in str(error))
"""


def test_opcheck_raises_the_error_that_pytorchs_tests_expect(tmp_path):
    done = run_tests_in_pytorchs_way(_CHECKED, tmp_path, timeout=300)
    assert done.stdout.split() == ["True"], done.stderr


def test_operators_in_python_promote_and_take_out():
    def program(torch):
        wrappers = module(torch, "_prims_common.wrappers")
        kind = module(torch, "_prims_common").ELEMENTWISE_TYPE_PROMOTION_KIND

        @wrappers.out_wrapper()
        @wrappers.elementwise_type_promotion_wrapper(
            type_promoting_args=("a", "b"), type_promotion_kind=kind.INT_TO_FLOAT
        )
        def mean(a, b, *, dtype=None):
            seen.append(str(a.dtype))
            return (a + b) / 2

        @wrappers.out_wrapper("low", "high", exact_dtype=True, preserve_memory_format=True)
        def both(a):
            return a - 1, a + 1

        @wrappers.out_wrapper()
        def filled(size, *, dtype=None, device=None):
            return torch.full(size, 7, dtype=dtype, device=device)

        def tried(f, *args, **kwargs):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    value = f(*args, **kwargs)
                except (RuntimeError, TypeError, ValueError) as error:
                    return type(error).__name__, str(error)
                return value, len(caught)

        seen = []
        x, n = torch.tensor([1.0, 2.0]), torch.tensor([3, 4])
        out = torch.empty(0)
        image = torch.ones(1, 2, 3, 3).to(memory_format=torch.channels_last)
        pair = both(image, out=(torch.empty(0), torch.empty(0)))
        return (
            mean(n, n),
            mean(n, x.half()),
            mean(n, 2),
            mean(n, x, dtype=torch.float64),
            mean(x, n, out=out) is out,
            out,
            tried(mean, x, n, out=torch.empty(3)),
            tried(mean, x, n, out=torch.empty(2, dtype=torch.int64)),
            tried(both, x, out=(torch.empty(2),)),
            tried(both, x, out=(torch.empty(2).double(), torch.empty(2))),
            both(x).high,
            list(pair),
            filled((2,), out=torch.empty(2, dtype=torch.float64)),
            wrappers._maybe_remove_out_wrapper(filled) is filled.__wrapped__,
            wrappers._maybe_remove_out_wrapper(len) is len,
            seen,
        )

    compare(program)


def test_whose_memory_results_are():
    def program(torch):
        utils = module(torch, "_subclasses.fake_utils")
        x, y = torch.ones(3), torch.ones(2)
        sparse = torch.eye(2).to_sparse()
        cases = [
            ([x[1:]], (x, {"y": y})),
            ([x], (y, x)),
            ((y.clone(), y.clone()), [x, y, 3]),
            ((x[0], x[1]), [y]),
            (sparse, [sparse]),
        ]
        return [
            (
                utils.outputs_alias_inputs(*case),
                utils.outputs_are_inputs(*case),
                utils.output_alias_each_other(case[0]),
            )
            for case in cases
        ]

    compare(program)


def test_there_are_no_generated_kernels():
    """What PyTorch's helpers for tests of the compiler ask when they are imported."""
    utils = module(minitorch, "_inductor.utils")
    exc = module(minitorch, "_inductor.exc")
    with pytest.raises(exc.InvalidCxxCompiler):
        module(minitorch, "_inductor.codecache").CppCodeCache.load("")
    with pytest.raises(NotImplementedError, match=r"torch._inductor.graph.GraphLowering is not"):
        module(minitorch, "_inductor.graph").GraphLowering(None)
    assert utils.get_gpu_type() == "cuda"
    assert utils.is_gpu("cuda")
    assert not utils.is_gpu("cpu")
    assert not module(minitorch, "utils._triton").has_triton()


def test_parameters_of_an_attention():
    def program(torch):
        q, k, v = torch.ones(3, 1, 2, 4, 8).unbind(0)
        params = torch.backends.cuda.SDPAParams(q, k, v, None, 0.5, True, False)
        return (
            params.query is q,
            params.attn_mask,
            params.dropout,
            params.is_causal,
            params.enable_gqa,
            torch.backends.cuda.can_use_flash_attention(params),
        )

    compare(program)


def test_dill_leaves_picklers_alone(monkeypatch):
    utils = module(minitorch, "utils._import_utils")
    calls = []
    monkeypatch.setattr(utils, "dill_available", lambda: True)
    fake = type("dill", (), {"extend": staticmethod(lambda **given: calls.append(given))})
    monkeypatch.setitem(sys.modules, "dill", fake)
    assert utils.import_dill() is fake
    assert calls == [{"use_dill": False}]
    monkeypatch.setattr(utils, "dill_available", lambda: False)
    assert utils.import_dill() is None


@like_pytorch
def test_sizes_that_are_known_are_numbers(torch):
    shapes = module(torch, "fx.experimental.symbolic_shapes")
    return (
        shapes.sym_eq((1, 2), [1, 2]),
        shapes.sym_eq((1,), (1, 2)),
        shapes.is_nested_int(3),
        shapes.is_symbolic(3),
        shapes.guard_int(3),
        shapes.statically_known_true(True),
        list(shapes.free_symbols(3)),
        {kind.name: kind.value for kind in shapes.DimDynamic},
    )


@pytest.mark.parametrize(
    "text", ["sym_eq('a', 1)", "guard_int(2.5)", "statically_known_true(1)", "no_such_name"]
)
def test_what_is_no_size(text):
    compare(lambda torch: eval(text, vars(module(torch, "fx.experimental.symbolic_shapes"))))


@pytest.mark.parametrize(
    "name",
    [
        "_subclasses.functional_tensor.FunctionalTensorMode",
        "_subclasses.functional_tensor.FunctionalTensor",
        "fx.experimental.symbolic_shapes.StatelessSymbolicContext",
        "jit.frontend.get_jit_def",
        "jit.quantized.QuantizedLinear",
    ],
)
def test_what_a_compiler_needs_can_be_named_and_says_that_it_is_absent(name):
    place, _, last = name.rpartition(".")
    with pytest.raises(NotImplementedError, match=f"{last} is not part of minitorch"):
        getattr(module(minitorch, place), last)()


@like_pytorch
def test_functions_are_computed_by_their_references(torch):
    with module(torch, "_prims.context").TorchRefsMode(strict=True):
        return torch.add(torch.ones(2), 1), torch.ones(2).sin().requires_grad


@like_pytorch
def test_a_dispatcher_in_python_is_entered(torch):
    python = module(torch, "_dispatch.python")
    with python.enable_python_dispatcher(), python.no_python_dispatcher():
        return torch.ones(2).sin()


@like_pytorch
def test_which_classes_are_operators(torch):
    ops = module(torch, "_ops")
    sin = torch.ops.aten.sin.default
    key = torch._C.DispatchKey
    return (
        isinstance(sin, ops.OperatorBase),
        issubclass(ops.HigherOrderOperator, ops.OperatorBase),
        ops.is_included_in_alias(key.CPU, key.CompositeExplicitAutograd),
        sorted(str(overload) for overload in torch.ops.aten.relu.op_overloads()),
    )


@like_pytorch
def test_the_defaults_of_a_function(torch):
    frontend = module(torch, "jit.frontend")
    return frontend.get_default_args(lambda x, y=3, *, z="a": x), frontend.get_default_args(None)
