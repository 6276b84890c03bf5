"""`torch.overrides`: modes, the lists of functions, what functions of other packages use."""

import inspect
import threading

import pytest

import minitorch
from minitorch.namespace.absent_names import IN_C
from tests.both import compare, like_pytorch, real


def logging_mode(torch, log):
    class Logging(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs="none"):
            log.append(
                (
                    func.__name__,
                    [t.__name__ for t in types],
                    [type(a).__name__ for a in args],
                    kwargs if isinstance(kwargs, str) else list(kwargs),
                )
            )
            return func(*args, **({} if isinstance(kwargs, str) else kwargs))

    return Logging()


EXPRESSIONS = """
t + 1
1 - t
t // 2
t == t
-t
t[0]
t.shape
t.dtype
t.grad
t.sum()
t.sum(dim=0)
t.dim()
t.size()
t.numel()
t.item
t.detach()
t.requires_grad_()
t.neg().abs()
t.numpy().tolist()
t.to(torch.float64)
t.new_zeros(2)
t.unbind(0)
list(t)
len(t)
bool(t[0, 0])
repr(t)
3 in t
t.backward
torch.zeros(2)
torch.ones(2, dtype=torch.float64)
torch.empty(0)
torch.full((1,), 2)
torch.arange(3)
torch.linspace(0, 1, 2)
torch.eye(2)
torch.rand(2).shape
torch.randn(2).shape
torch.tensor([1.0])
torch.as_tensor(t)
torch.zeros_like(t)
torch.add(t, 1, alpha=2)
torch.cat([t, t])
torch.split(t, 1)
torch.einsum('ij->i', t)
torch.meshgrid(t[0], t[0], indexing='ij')
torch.nn.functional.relu(t)
torch.nn.functional.linear(t, t)
torch.nn.functional.cross_entropy(t, torch.tensor([0, 1]))
torch.linalg.inv(t + torch.eye(2))
torch.fft.fft(t).real
torch.special.erf(t)
torch.result_type(t, t)
torch.promote_types(torch.int32, torch.float32)
torch.can_cast(torch.int32, torch.int64)
torch.get_default_dtype()
torch.is_tensor(t)
torch.is_grad_enabled()
torch.diag(t)
torch.quantile(t, 0.5)
torch.equal(t, t)
torch.isclose(t, t)
torch.nn.init.constant_(t, 1.0).shape
t.as_subclass(torch.Tensor).shape
torch.autograd.grad((p * 2).sum(), p)
(p * 2).sum().backward()
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_a_mode_sees(expression):
    def program(torch):
        log = []
        t = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
        p = torch.nn.Parameter(torch.ones(2))
        with logging_mode(torch, log):
            result = eval(expression, {"torch": torch, "t": t, "p": p})
        # switches of the grad mode are reported by PyTorch as calls of a private function
        return [entry for entry in log if entry[0] != "_set_grad_enabled"], plain(torch, result)

    compare(program)


def plain(torch, value):
    if isinstance(value, (tuple, list)):
        return [plain(torch, item) for item in value]
    if isinstance(value, torch.Tensor):
        return value.detach()
    if type(value).__name__ in ("dtype", "method", "builtin_function_or_method"):
        return None
    return value


@like_pytorch
def test_modes_in_modes(torch):
    log = []

    class Named(torch.overrides.TorchFunctionMode):
        def __init__(self, name):
            self.name = name

        def __torch_function__(self, func, types, args=(), kwargs=None):
            log.append((self.name, func.__name__, len(stack())))
            return func(*args, **(kwargs or {}))

    def stack():
        return torch.overrides._get_current_function_mode_stack()

    a, b = Named("a"), Named("b")
    with a as entered:
        same = entered is a
        with b:
            torch.ones(2) + 1
            names = [mode.name for mode in stack()]
            innermost = torch.overrides._get_current_function_mode().name
        torch.ones(1)
    torch.ones(1)
    return log, same, names, innermost, torch.overrides._get_current_function_mode() is None


@like_pytorch
def test_a_mode_may_enter_itself_again(torch):
    log = []

    class Inner(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            log.append(func.__name__)
            if func is torch.exp:
                with self:
                    return torch.sin(args[0])
            return func(*args, **(kwargs or {}))

    with Inner():
        result = torch.exp(torch.ones(2))
    return log, result


@like_pytorch
def test_a_mode_before_a_class(torch):
    log = []

    class MyTensor(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log.append(("class", func.__name__))
            return super().__torch_function__(func, types, args, kwargs)

    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            log.append(("mode", func.__name__, [t.__name__ for t in types]))
            return func(*args, **(kwargs or {}))

    x = torch.ones(2).as_subclass(MyTensor)
    with Mode():
        y = torch.exp(x) + torch.ones(2)
    return log, type(y).__name__


@like_pytorch
def test_a_mode_that_declines(torch):
    class Declining(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return NotImplemented

    x, seen = torch.ones(2), []
    with Declining():
        for call in (lambda: torch.ones(2), lambda: x + 1, lambda: torch.exp(x)):
            try:
                seen.append(call())
            except TypeError as error:
                seen.append(str(error).split(" object ")[0].split("test_overrides")[0])
    return seen


@like_pytorch
def test_a_mode_that_raises_is_left(torch):
    class Failing(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            raise ValueError("no")

    texts = []
    try:
        with Failing():
            torch.ones(2)
    except ValueError as error:
        texts.append(str(error))
    return texts, torch.ones(2), torch._C._len_torch_function_stack()


@like_pytorch
def test_disabled_functions_pass_modes_by(torch):
    log = []
    with logging_mode(torch, log):
        with torch._C.DisableTorchFunctionSubclass():
            torch.ones(1)
        with torch._C.DisableTorchFunction():
            torch.zeros(1)
            inside = torch._C._is_torch_function_mode_enabled()
    return log, inside


@like_pytorch
def test_the_base_mode_changes_nothing(torch):
    with torch.overrides.BaseTorchFunctionMode():
        return torch.ones(2) + 1


@like_pytorch
def test_a_mode_without_a_method(torch):
    with torch.overrides.TorchFunctionMode():
        return torch.ones(2)


@like_pytorch
def test_popping_an_empty_stack(torch):
    torch._C._pop_torch_function_stack()


def test_a_mode_is_of_one_thread():
    log, results = [], []
    with logging_mode(minitorch, log):
        thread = threading.Thread(target=lambda: results.append(minitorch.ones(2) + 1))
        thread.start()
        thread.join()
    assert log == [] and results[0].tolist() == [2.0, 2.0]


@like_pytorch
def test_a_function_of_another_package(torch):
    overrides = torch.overrides

    def double(a, factor=2):
        if overrides.has_torch_function_unary(a):
            return overrides.handle_torch_function(double, (a,), a, factor=factor)
        return a * factor

    class Doubled:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func.__name__, [t.__name__ for t in types], len(args), kwargs

    @overrides.wrap_torch_function(lambda a, b: (a, b))
    def join(a, b):
        """Of two."""
        return a + b

    t = torch.ones(2)
    return double(t), double(Doubled()), join(t, t), join(t, Doubled()), join.__name__, join.__doc__


@like_pytorch
def test_questions(torch):
    overrides = torch.overrides

    class Like:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    t, like = torch.ones(1), Like()
    return (
        [overrides.is_tensor_like(v) for v in (t, like, 1, torch.nn.Parameter(t), Like)],
        [overrides.has_torch_function(v) for v in ((t,), (like,), [t, like], (), (1,))],
        overrides.has_torch_function_unary(like),
        overrides.has_torch_function_variadic(t, like),
        overrides.has_torch_function_variadic(t, 1, None),
        [type(a).__name__ for a in overrides._get_overloaded_args((t, like, like, 3, t))],
    )


@like_pytorch
def test_redispatch(torch):
    log = []

    class Logging(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log.append(func.__name__)
            return torch.overrides.redispatch_function(func, types, args, kwargs)

    def scaled(a, b):
        if torch.overrides.has_torch_function((a, b)):
            return torch.overrides.handle_torch_function(scaled, (a, b), a, b)
        return torch.mul(a, b) + 1

    x = torch.ones(2).as_subclass(Logging)
    result = scaled(x, x)
    return log, type(result).__name__, result


NAMES = """
torch.add
torch.cat
torch.Tensor.add
torch.Tensor.shape.__get__
torch.Tensor.T.__get__
torch.Tensor.__getitem__
torch.nn.functional.relu
torch.nn.functional.linear
torch.nn.init.uniform_
torch.special.erf
torch.linalg.inv
torch.fft.fft
torch.split
torch.einsum
torch.zeros
torch.is_tensor
""".split()


@pytest.mark.parametrize("name", NAMES)
def test_names(name):
    def program(torch):
        function, overrides = eval(name, {"torch": torch}), torch.overrides
        return (
            overrides.resolve_name(function),
            overrides.is_tensor_method_or_property(function),
            function in overrides.get_ignored_functions(),
            function in overrides.get_testing_overrides(),
            overrides.resolve_name(len),
        )

    compare(program)


def test_lists_agree():
    """What is in both libraries can be taken over in both, or in neither."""
    ours, theirs = minitorch.overrides, real.overrides
    mine = {ours.resolve_name(f) for f in ours.get_testing_overrides()}
    others = {theirs.resolve_name(f) for f in theirs.get_testing_overrides()} - {None}
    offered = {name for name in others if find(minitorch, name) is not None}
    assert {
        n for n in offered - mine if find(minitorch, n) not in ours.get_testing_overrides()
    } == set()
    # second names of one function there, functions that PyTorch's list has forgotten, rows of formulas alone
    assert {n for n in mine - others if find(real, n) not in theirs.get_testing_overrides()} <= {
        "torch.sym_int",
        "torch.Tensor.__rdiv__",
        "torch.Tensor._neg_view",
        "torch.Tensor._mul_scalar_",
        "torch.Tensor._div_scalar_",
        *(f"torch.Tensor.{name}" for name in IN_C["Tensor"]),
    }


def find(library, name):
    value = library
    for part in name.split(".")[1:]:
        value = getattr(value, part, None)
    return value


@pytest.mark.parametrize("name", ["torch.add", "torch.sum", "torch.nn.functional.relu"])
def test_stand_ins(name):
    stand_in = minitorch.overrides.get_testing_overrides()[eval(name, {"torch": minitorch})]
    count = sum(
        p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD
        for p in inspect.signature(stand_in).parameters.values()
    )
    assert stand_in(*[minitorch.ones(1)] * count) == -1
    with pytest.raises(TypeError):
        stand_in()


OPERANDS = """
torch.Tensor.__add__ torch.Tensor.__rsub__ torch.Tensor.__truediv__ torch.Tensor.__matmul__
torch.Tensor.__and__ torch.Tensor.__rxor__ torch.Tensor.__lshift__ torch.Tensor.__floordiv__
torch.nn.functional.relu torch.nn.functional.dropout torch.nn.functional.softmax
torch.nn.functional.batch_norm torch.nn.functional.unfold torch.squeeze torch.trapezoid
torch.histogram torch.Tensor.histogram
""".split()


@pytest.mark.parametrize("name", OPERANDS)
def test_stand_ins_need_as_many_arguments(name):
    def program(torch):
        stand_in = torch.overrides.get_testing_overrides()[eval(name, {"torch": torch})]
        parameters = inspect.signature(stand_in).parameters.values()
        return sum(p.default is p.empty and p.kind is not p.VAR_POSITIONAL for p in parameters)

    compare(program)


@like_pytorch
def test_a_stand_in_takes_what_any_form_of_its_function_is_given(torch):
    stand_ins = torch.overrides.get_testing_overrides()
    F, x = torch.nn.functional, torch.ones(2)
    return (
        stand_ins[F.relu](x, inplace=True),
        stand_ins[F.dropout](x, p=0.5, training=True, inplace=False),
        stand_ins[torch.sum](x, 0),
        stand_ins[torch.squeeze](x, 0),
        stand_ins[torch.Tensor.max](x, 0),
        stand_ins[torch.std](x, None),
    )


@like_pytorch
def test_results_that_are_not_wrapped(torch):
    x = torch.Tensor
    functions = torch.overrides.get_default_nowrap_functions()
    return x.grad.__get__ in functions, x._base.__get__ in functions, x.add in functions


@like_pytorch
def test_setters_and_operators_have_names_too(torch):
    Tensor, ops = torch.Tensor, torch.ops.aten
    functions = [Tensor.grad.__set__, Tensor.data.__set__, ops.add.Tensor, ops.add, len]
    functions += [Tensor.__rdiv__, Tensor.__truediv__, Tensor.__bool__, Tensor.__int__]
    return [torch.overrides.resolve_name(f) for f in functions]


@like_pytorch
def test_a_mode_sees_the_creation_of_sparse_tensors(torch):
    log = []
    with logging_mode(torch, log):
        torch.sparse_coo_tensor([[0]], [1.0], (1,), check_invariants=False)
    return [name for name, *_ in log if name == "sparse_coo_tensor"]


@like_pytorch
def test_values_of_a_class_make_a_plain_sparse_tensor(torch):
    class Own(torch.Tensor):
        pass

    made = torch.sparse_coo_tensor(
        [[0]], torch.ones(1).as_subclass(Own), (1,), check_invariants=False
    )
    return type(made).__name__


@like_pytorch
def test_a_device_context_is_a_mode(torch):
    from importlib import import_module

    context = import_module(f"{torch.__name__}.utils._device").DeviceContext("meta")
    with context:
        inside = torch.ones(2).device.type, torch.get_default_device().type
        told = context in torch.overrides._get_current_function_mode_stack()
    return (
        isinstance(context, torch.overrides.TorchFunctionMode),
        str(context.device),
        inside,
        told,
        torch.ones(2).device.type,
    )
