"""Keys of the dispatcher: kernels that a program registers for them, and those that a thread adds or passes by."""

import contextlib
import importlib
import warnings

import pytest

import minitorch
from tests.both import like_pytorch, logging_mode


@contextlib.contextmanager
def library(torch, *args):
    """A `Library` for a time; that it replaces PyTorch's own kernels is warned of once in a process."""
    scoped = importlib.import_module(f"{torch.__name__}.library")._scoped_library
    with warnings.catch_warnings(), scoped(*args) as lib:
        warnings.simplefilter("ignore")
        yield lib


def key(torch, name):
    return torch._C.DispatchKeySet(name)


@like_pytorch
def test_a_kernel_for_recording_is_called_in_the_place_of_pytorchs(torch):
    with library(torch, "aten", "IMPL") as lib:
        called = []

        class Twice(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                with torch._C._AutoDispatchBelowAutograd():
                    return torch.ops.aten.sin(x)

            @staticmethod
            def backward(ctx, grad):
                return grad * 2

        def sin(x):
            called.append(x.requires_grad)
            return Twice.apply(x)

        lib.impl("sin", sin, "AutogradCPU")
        x = torch.tensor([0.5], requires_grad=True)
        y = x.sin()
        y.sum().backward()
        torch.sin(torch.ones(1))
    return y, x.grad, y.grad_fn.name(), called, torch.ones(1).sin()


@like_pytorch
def test_a_kernel_for_recording_comes_before_modes(torch):
    with library(torch, "aten", "IMPL") as lib:

        def sin(x):
            with torch._C._AutoDispatchBelowAutograd():
                return torch.ops.aten.cos(x)

        lib.impl("sin", sin, "Autograd")
        x = torch.ones(1, requires_grad=True)
        with logging_mode(torch) as logging:
            y = x.sin()
    return logging.log, y, y.requires_grad


@like_pytorch
def test_other_operators_reach_a_mode_beside_a_kernel_for_recording(torch):
    with library(torch, "aten", "IMPL") as lib:
        lib.impl("sin", lambda x: x, "Autograd")
        with logging_mode(torch) as logging:
            made = torch.tensor([1.0])
    return logging.log, made


@like_pytorch
def test_a_kernel_for_recording_is_called_with_tangents_and_inside_of_transforms(torch):
    func = importlib.import_module(f"{torch.__name__}.func")
    fwad = importlib.import_module(f"{torch.__name__}.autograd.forward_ad")
    x = torch.tensor([0.5, 2.0])
    with library(torch, "aten", "IMPL") as lib:
        lib.impl("sin", lambda x: x.cos() * 3, "AutogradCPU")
        with fwad.dual_level():
            dual = tuple(fwad.unpack_dual(torch.sin(fwad.make_dual(x, x))))
        return (
            dual,
            func.grad(lambda x: torch.sin(x).sum())(x),
            func.jvp(torch.sin, (x,), (x,)),
            func.vmap(func.grad(torch.sin))(x),
            func.grad(lambda x: func.vmap(torch.sin)(x).sum())(x),
            func.hessian(lambda x: x.sin().sum())(x),
        )


@like_pytorch
def test_kernels_for_writes_zeros_and_conjugates(torch):
    with library(torch, "aten", "IMPL") as lib:
        lib.impl("add.Tensor", lambda x, y, alpha=1: torch.full_like(y, 9.0), "ZeroTensor")
        lib.impl("abs", lambda x: torch.full((1,), 7.0), "Conjugate")
        lib.impl("mul_.Tensor", lambda x, y: x, "ADInplaceOrView")
        conjugate = torch.ones(2, dtype=torch.cfloat).conj()
        return (
            torch._efficientzerotensor(2) + torch.ones(2),
            torch.ones(2) + torch.ones(2),
            conjugate.abs(),
            torch.ones(2, dtype=torch.cfloat).abs(),
            torch.ones(2).mul_(torch.full((2,), 3.0)),
        )


@like_pytorch
def test_a_kernel_for_all_devices_yields_to_one_for_the_device(torch):
    with library(torch, "aten", "IMPL") as lib:
        lib.impl("relu", lambda x: x * 10, "CompositeExplicitAutograd")
        return torch.relu(torch.ones(1))


def test_a_kernel_that_would_not_be_found_is_refused():
    with library(minitorch, "aten", "IMPL") as lib:
        for name, key in (("linear", "AutogradCPU"), ("sin", "AutocastCPU")):
            with pytest.raises(NotImplementedError, match=f"aten::{name} for {key}"):
                lib.impl(name, lambda x: x, key)


@like_pytorch
def test_the_kernels_of_an_own_operator_are_called_in_the_order_of_their_keys(torch):
    with library(torch, "keys", "DEF") as lib:
        lib.define("f(Tensor x) -> Tensor")
        called = []

        def recording(x):
            called.append("Autograd")
            with torch._C._ExcludeDispatchKeyGuard(key(torch, torch._C.DispatchKey.AutogradCPU)):
                return torch.ops.keys.f(x)

        def writing(x):
            called.append("ADInplaceOrView")
            with torch._C._AutoDispatchBelowADInplaceOrView():
                return torch.ops.keys.f(x)

        lib.impl("f", lambda x: x * 2, "CPU")
        lib.impl("f", recording, "Autograd")
        lib.impl("f", writing, "ADInplaceOrView")
        y = torch.ops.keys.f(torch.ones(2, requires_grad=True))
    return y, y.requires_grad, called


@like_pytorch
def test_a_kernel_is_handed_its_keys_and_calls_the_next_one(torch):
    with library(torch, "keys", "DEF") as lib:
        lib.define("f(Tensor x) -> Tensor")
        shown = []

        def recording(keys, x):
            shown.append(repr(keys))
            return torch.ops.keys.f.default.redispatch(keys & torch._C._after_autograd_keyset, x)

        lib.impl("f", recording, "Autograd", with_keyset=True)
        lib.impl("f", lambda x: x * 2, "CPU")
        y = torch.ops.keys.f(torch.ones(2, requires_grad=True))
    return y, y.requires_grad, shown


@like_pytorch
def test_an_operator_of_pytorchs_is_called_for_some_keys_alone(torch):
    x = torch.ones(1, requires_grad=True)
    sin = torch.ops.aten.sin.default
    keys = key(torch, torch._C.DispatchKey.CPU) | key(torch, torch._C.DispatchKey.AutogradCPU)
    plain = sin.redispatch(key(torch, torch._C.DispatchKey.CPU), x)
    return plain.requires_grad, sin.redispatch(keys, x).requires_grad


@like_pytorch
def test_a_fallback_is_called_for_all_operators(torch):
    test = key(torch, "TESTING_ONLY_GenericMode")
    include = torch._C._dispatch_tls_local_include_set() | test
    exclude = torch._C._dispatch_tls_local_exclude_set()
    called = []
    with library(torch, "_", "IMPL") as lib:

        def fallback(operator, *args, **kwargs):
            with torch._C._ForceDispatchKeyGuard(include, exclude | test):
                called.append((str(operator), len(args), sorted(kwargs)))
                return torch.empty(5)

        lib.fallback(fallback, "TESTING_ONLY_GenericMode")
        x, y = torch.ones(2), torch.ones(2)
        with torch._C._ForceDispatchKeyGuard(include, exclude):
            sizes = (x + y).shape, torch.empty(2, dtype=torch.float64).shape
    return called, sizes, (x + y).shape


@like_pytorch
def test_a_fallback_is_handed_the_keys_and_calls_the_next_kernel(torch):
    test = key(torch, "TESTING_ONLY_GenericMode")
    include = torch._C._dispatch_tls_local_include_set() | test
    exclude = torch._C._dispatch_tls_local_exclude_set()
    shown = []
    with library(torch, "_", "IMPL") as lib:

        def fallback(keys, operator, *args, **kwargs):
            shown.append((repr(keys), str(operator)))
            with torch._C._ForceDispatchKeyGuard(include, exclude | test):
                return operator.redispatch(keys - test, *args, **kwargs)

        lib.fallback(fallback, "TESTING_ONLY_GenericMode", with_keyset=True)
        x = torch.ones(2, requires_grad=True)
        with torch._C._ForceDispatchKeyGuard(include, exclude):
            y = x.sin()
    return y, y.grad_fn.name(), shown


@like_pytorch
def test_a_fallthrough_fallback_changes_nothing(torch):
    fallthrough = importlib.import_module(f"{torch.__name__}.library").fallthrough_kernel
    test = key(torch, "TESTING_ONLY_GenericMode")
    with library(torch, "_", "IMPL") as lib:
        lib.fallback(fallthrough, "TESTING_ONLY_GenericMode")
        include = torch._C._dispatch_tls_local_include_set() | test
        exclude = torch._C._dispatch_tls_local_exclude_set()
        with torch._C._ForceDispatchKeyGuard(include, exclude):
            return torch.ones(2) + torch.ones(2)


@like_pytorch
def test_what_is_passed_by_on_a_thread(torch):
    keys, c = torch._C.DispatchKey, torch._C
    x = torch.ones(1, requires_grad=True)

    def shown():
        return repr(c._dispatch_tls_local_include_set()), repr(c._dispatch_tls_local_exclude_set())

    found = [shown()]
    with c._ExcludeDispatchKeyGuard(key(torch, keys.AutogradCPU)):
        found += [shown(), x.sin().requires_grad, torch.is_grad_enabled()]
    guard = c._ExcludeDispatchKeyGuard(key(torch, keys.AutogradCPU))
    found.append(x.sin().requires_grad)
    del guard
    with c._AutoDispatchBelowADInplaceOrView():
        found.append(shown())
    with torch.inference_mode():
        found.append(shown())
    with logging_mode(torch) as logging:
        found.append(shown())
        python = key(torch, keys.Python) | key(torch, keys.PythonTLSSnapshot)
        with c._ExcludeDispatchKeyGuard(python):
            x.cos()
        x.sin()
    c._dispatch_tls_set_dispatch_key_excluded(keys.AutogradCPU, True)
    found += [c._dispatch_tls_is_dispatch_key_excluded(keys.AutogradCPU), x.sin().requires_grad]
    c._dispatch_tls_set_dispatch_key_excluded(keys.AutogradCPU, False)
    found += [c._dispatch_tls_is_dispatch_key_excluded(keys.AutogradCPU), x.sin().requires_grad]
    return found, logging.log


@like_pytorch
def test_numbers_and_names_of_keys(torch):
    c = torch._C
    known = c.DispatchKey.__members__
    return (
        sorted((name, int(known[name])) for name in known),
        [repr(c._dispatch_key_parse(n)) for n in ("CPU", "Autograd", "Meta")],
        c._dispatch_key_name(c.DispatchKey.AutogradCPU),
        c._parse_dispatch_key("no such key"),
        [c._dispatch_key_for_device(d) for d in ("cpu", "cuda", "meta", "privateuseone")],
        repr(c._dispatch_keyset_full()),
        repr(c._dispatch_keyset_full_after(c.DispatchKey.AutogradOther)),
        repr(c._dispatch_keys(torch._efficientzerotensor(1))),
    )


@pytest.mark.parametrize("name", ["CPU", "AutogradCPU", "NestedTensorCPU", "SparseCPU", "Meta"])
def test_an_alias_key_expands_to_its_keys(name):
    @like_pytorch
    def program(torch):
        c = torch._C
        aliases = "Autograd CompositeImplicitAutograd CompositeExplicitAutograd FuncTorchBatchedDecomposition"
        one = c._dispatch_key_parse(name)
        return [
            c._dispatch_is_included_in_alias(one, c._dispatch_key_parse(alias))
            for alias in aliases.split()
        ]

    program()


@like_pytorch
def test_a_key_that_is_none(torch):
    torch._C._dispatch_key_parse("no such key")


@like_pytorch
def test_a_type_of_devices_that_is_none(torch):
    torch._C._dispatch_key_for_device("no such device")


@like_pytorch
def test_which_operators_have_kernels(torch):
    c = torch._C
    names = set(c._dispatch_get_registrations_for_dispatch_key("CPU"))
    has = c._dispatch_has_computed_kernel_for_dispatch_key
    return (
        [name in names for name in ("aten::sin", "aten::linear", "aten::add.Tensor")],
        "aten::add.Tensor" in c._dispatch_get_all_op_names(),
        [has("aten::linear", k) for k in ("CPU", "AutogradCPU", "Meta", "SparseCPU")],
        [has("aten::view", k) for k in ("CPU", "AutogradCPU", "Meta", "SparseCPU", "CUDA")][:4],
        c._dispatch_has_kernel_for_any_dispatch_key("aten::sin", key(torch, "CPU")),
        c._dispatch_has_backend_fallback(c.DispatchKey.AutogradCPU),
        c._dispatch_has_backend_fallback(c.DispatchKey.CPU),
        str(c._get_schema("aten::add", "Tensor")),
    )


@like_pytorch
def test_a_schema_that_is_none(torch):
    torch._C._get_schema("aten::add", "no such overload")


@like_pytorch
def test_a_function_in_python_is_kept_with_an_operator(torch):
    with library(torch, "keys", "DEF") as lib:
        lib.define("f(Tensor x) -> Tensor")
        operator = torch.ops.keys.f.default
        f = operator.py_impl(torch._C.DispatchKey.Meta)(lambda x: x)
        kept = operator.py_kernels[torch._C.DispatchKey.Meta] is f
        assert kept
        operator.py_impl(torch._C.DispatchKey.Meta)(lambda x: x)


def get_kernel(torch, operator, name):
    return importlib.import_module(f"{torch.__name__}.library").get_kernel(operator, name)


@like_pytorch
def test_a_kernel_that_is_kept_is_called_by_the_one_in_its_place(torch):
    before = get_kernel(torch, "aten::add.Tensor", "CPU")
    with library(torch, "aten", "IMPL") as lib:

        def add(keys, x, y, alpha=1):
            return before.call_boxed(keys, x, y, alpha=alpha) * 10

        lib.impl("add.Tensor", add, "CPU", with_keyset=True)
        found = torch.ones(1) + torch.ones(1)
    return type(before).__name__, found, torch.ones(1) + torch.ones(1)


@like_pytorch
def test_a_kernel_of_an_own_operator_is_kept(torch):
    cpu = key(torch, torch._C.DispatchKey.CPU)
    with library(torch, "keys", "DEF") as lib:
        lib.define("f(Tensor x) -> Tensor")
        lib.impl("f", lambda x: x * 2, "CPU")
        kernel = get_kernel(torch, torch.ops.keys.f.default, torch._C.DispatchKey.CPU)
        lib.impl("f", lambda x: x * 3, "CPU")
        return kernel.call_boxed(cpu, torch.ones(1)), torch.ops.keys.f(torch.ones(1))


@like_pytorch
def test_the_kernel_for_recording_records(torch):
    names = torch._C.DispatchKey
    keys = key(torch, names.AutogradCPU) | key(torch, names.CPU)
    x = torch.ones(1, requires_grad=True)
    return get_kernel(torch, "aten::sin", "AutogradCPU").call_boxed(keys, x).requires_grad


@pytest.mark.parametrize(
    "operator, name",
    [("aten::linear", "CompositeImplicitAutograd"), ("aten::no_such_operator", "CPU")],
)
def test_a_kernel_that_is_none(operator, name):
    like_pytorch(lambda torch: get_kernel(torch, operator, name))()


@like_pytorch
def test_arguments_of_a_kernel_that_are_missing(torch):
    cpu = key(torch, torch._C.DispatchKey.CPU)
    get_kernel(torch, torch.ops.aten.sin.default, "CPU").call_boxed(cpu)


@like_pytorch
def test_the_decorator_of_a_kernel_gives_nothing(torch):
    module = importlib.import_module(f"{torch.__name__}.library")
    with library(torch, "keys", "DEF") as lib:
        lib.define("f(Tensor x) -> Tensor")
        return module.impl("keys::f", "cpu", lib=lib)(lambda x: x.clone())
