"""`__torch_function__`: classes take calls over, as in PyTorch."""

import copy
import pickle

import pytest

import minitorch
from tests.both import compare, like_pytorch, real


def logging_class(torch, log):
    """A class of tensors that notes what is called, and computes it."""

    class Logging(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs="none"):
            log.append(
                (
                    func.__name__,
                    [t.__name__ for t in types],
                    [type(a).__name__ for a in args],
                    kwargs if isinstance(kwargs, str) else list(kwargs),
                )
            )
            given = {} if isinstance(kwargs, str) else kwargs
            return super().__torch_function__(func, types, args, given)

    return Logging


EXPRESSIONS = """
x + 1
1 + x
x - p
1 - x
p - x
x / 2
2 / x
x // 2
2 // x
x % 2
2 % x
x @ p
p @ x
2 ** x
x == p
p == x
x < 1
p >= x
-x
abs(x)
+x
x[0]
x[0, 1]
x[:, None]
p[x > 2]
x.shape
x.T
x.mT
x.dtype
x.grad
x.requires_grad
x.is_leaf
x.real
x.ndim
x.sum()
x.sum(dim=0)
x.sum(0, keepdim=True)
torch.sum(x, dim=0)
torch.sum(input=x, dim=0)
torch.add(x, 1, alpha=1)
torch.add(p, other=x)
torch.cat([p, x])
torch.stack((x, x), dim=1)
torch.where(x > 1, x, p)
torch.zeros_like(x)
torch.ones_like(x, dtype=torch.float64)
torch.nn.functional.relu(x)
torch.nn.functional.linear(x, p)
torch.nn.functional.dropout(x, 0.5, training=False)
torch.nn.functional.mse_loss(x, p)
torch.nn.functional.layer_norm(x, (2,))
torch.linalg.det(x)
torch.linalg.norm(x, dim=0)
torch.special.erf(x)
torch.fft.fft(x).abs()
torch.einsum('ij->i', x)
torch.split(x, 1)
x.split(1)
torch.atleast_2d(x)
torch.max(x, dim=0)
x.sort()
x.topk(1)
x.new_zeros(2)
x.size()
x.dim()
len(x)
bool(x[0, 0])
float(x[0, 0])
[type(row).__name__ for row in x]
x.to(torch.float64)
x.double()
x.tolist()
2.0 in x
x.unflatten(0, (1, 2))
x.stride()
x.is_floating_point()
torch.is_floating_point(x)
torch.numel(x)
torch.result_type(x, p)
x.detach()
x.clone()
x.reshape(4)
x.reshape((4,))
x.view(-1)
torch.nn.init.constant_(x.detach(), 2.0)
torch.diag(x)
torch.tensor_split(x, 2)
x.quantile(0.5)
torch.meshgrid(x[0], x[1], indexing='ij')
torch.broadcast_tensors(x, p)
x.fill_diagonal_(3)
x.add_(1)
x.mul_(p)
p.add(x)
torch.autograd.grad(x.sum(), x, allow_unused=True)
""".strip().splitlines()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_what_an_override_sees(expression):
    def program(torch):
        log = []
        p = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        x = (p + 0.5).as_subclass(logging_class(torch, log))
        result = eval(expression, {"torch": torch, "x": x, "p": p})
        names = [type(r).__name__ for r in result] if isinstance(result, tuple) else None
        return log, type(result).__name__, names, plain(torch, result)

    compare(program)


def plain(torch, value):
    with torch._C.DisableTorchFunctionSubclass():
        if isinstance(value, torch.Tensor):
            return value.detach().as_subclass(torch.Tensor)
        if isinstance(value, (tuple, list)):
            return [plain(torch, item) for item in value]
        return str(value) if type(value).__name__ in ("dtype", "method") else value


ASSIGNMENTS = """
x += 1
x //= 2
p += x
x[0] = 1
p[0] = x[0]
x.grad = torch.ones(2, 2)
del x.grad
x.data = torch.ones(2)
x.requires_grad = True
x &= 1
""".strip().splitlines()


@pytest.mark.parametrize("statement", ASSIGNMENTS)
def test_what_an_override_sees_of_an_assignment(statement):
    def program(torch):
        log = []
        names = {"torch": torch, "p": torch.ones(2, 2)}
        names["x"] = torch.ones(2, 2).as_subclass(logging_class(torch, log))
        exec(statement, names)
        return log

    compare(program)


@like_pytorch
def test_the_class_of_results_is_kept(torch):
    class MyTensor(torch.Tensor):
        pass

    x = torch.arange(6.0).reshape(2, 3).as_subclass(MyTensor)
    results = [
        x + 1, x.sum(), x[0], x.T, torch.exp(x), x.max(dim=0).values, x.split(1)[1],
        torch.nn.functional.softmax(x, 1), x.to(torch.int64), x.new_zeros(2), x.clone(), x.detach(),
        torch.zeros_like(x), x == x, torch.cat([x, torch.ones(1, 3)]), x.unbind()[0], x.data,
    ]  # fmt: skip
    return [type(r).__name__ for r in results], type(x.max(dim=0)).__name__, type(x.shape).__name__


@like_pytorch
def test_subclasses_of_two_kinds(torch):
    class A(torch.Tensor):
        pass

    class B(A):
        pass

    class Other(torch.Tensor):
        pass

    a, b, other = (torch.ones(2).as_subclass(c) for c in (A, B, Other))
    return (
        type(a + b).__name__,
        type(b + a).__name__,
        type(torch.ones(2) + b).__name__,
        failure(lambda: torch.add(a, other)),
        failure(lambda: a + other),
        failure(lambda: torch.nn.functional.mse_loss(a, other)),
    )


def failure(function):
    try:
        function()
    except TypeError as error:
        return str(error).replace("test_torch_function.", "")
    return None


@like_pytorch
def test_history_of_a_subclass(torch):
    class MyTensor(torch.Tensor):
        pass

    leaf = torch.ones(2, requires_grad=True)
    x = leaf.as_subclass(MyTensor)
    y = x * 3
    y.sum().backward()
    return x.is_leaf, type(y.grad_fn).__name__, y.requires_grad, leaf.grad, type(leaf.grad).__name__


@like_pytorch
def test_gradient_of_a_leaf_of_a_subclass(torch):
    class MyTensor(torch.Tensor):
        pass

    x = torch.ones(2).as_subclass(MyTensor).requires_grad_()
    (x * x).sum().backward()
    return type(x).__name__, type(x.grad).__name__, x.grad, x.is_leaf


def diagonal_class(torch):
    """A matrix that is a number times the identity: no tensor."""
    handled = {}

    class Diagonal:
        def __init__(self, n, value):
            self.n, self.value = n, value

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            if func not in handled:
                return NotImplemented
            return handled[func](*args, **(kwargs or {}))

    handled[torch.mean] = lambda m: m.value / m.n
    handled[torch.Tensor.add] = lambda a, b: ("sum", type(a).__name__, type(b).__name__)
    handled[torch.add] = handled[torch.Tensor.add]
    handled[torch.mm] = lambda a, b: Diagonal(a.n, a.value * b.value)
    handled[torch.cat] = lambda tensors, dim=0: ("cat", len(tensors), dim)
    handled[torch.nn.functional.relu] = lambda m, inplace=False: Diagonal(m.n, max(m.value, 0))
    return Diagonal


@like_pytorch
def test_an_object_that_is_no_tensor(torch):
    Diagonal = diagonal_class(torch)
    d, t = Diagonal(5, -2), torch.ones(5, 5)
    return (
        torch.mean(d),
        torch.mm(d, d).value,
        torch.nn.functional.relu(d).value,
        torch.add(t, d),
        t + d,
        t.add(d),
        torch.cat([t, d], dim=1),
        torch.cat((d, d)),
    )


@pytest.mark.parametrize(
    "expression",
    [
        "torch.sin(d)",
        "torch.linalg.inv(d)",
        "torch.special.erf(d)",
        "torch.stack([t, d])",
        "t.mul(d)",
        "t[d]",
        "torch.nn.functional.dropout(d)",
        "torch.nn.functional.linear(t, d)",
        "torch.split(d, 1)",
        "t * d",
        "d * t",
        "t // d",
        "t == d",
    ],
)
def test_refusals(expression):
    def program(torch):
        d, t = diagonal_class(torch)(5, 2), torch.ones(5, 5)
        return eval(expression, {"torch": torch, "d": d, "t": t})

    compare(program)


@like_pytorch
def test_a_plain_method_is_deprecated(torch):
    class Old:
        def __torch_function__(self, func, types, args=(), kwargs=None):
            return "taken over"

    return torch.nn.functional.relu(Old())


@like_pytorch
def test_an_exception_of_the_override(torch):
    class Failing(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            raise ValueError(func.__name__)

    return torch.ones(2).as_subclass(Failing) + 1


@like_pytorch
def test_a_class_with_overrides_disabled(torch):
    class Quiet(torch.Tensor):
        __torch_function__ = torch._C._disabled_torch_function_impl

    x = torch.ones(2).as_subclass(Quiet)
    p = torch.nn.Parameter(torch.ones(2))
    return (
        type(x + 1).__name__,
        type(p + x).__name__,
        type(p * 2).__name__,
        torch.overrides.has_torch_function((x, p)),
        torch.Tensor.__torch_function__.__name__,
    )


@like_pytorch
def test_switches(torch):
    class MyTensor(torch.Tensor):
        pass

    x, seen, C = torch.ones(2).as_subclass(MyTensor), [], torch._C

    def note():
        seen.append(
            (
                type(x + 1).__name__,
                C._is_torch_function_enabled(),
                C._is_torch_function_all_disabled(),
                int(C._get_torch_function_state()),
                torch.overrides.has_torch_function((x,)),
            )
        )

    note()
    with C.DisableTorchFunctionSubclass():
        note()
        with C.DisableTorchFunction():
            note()
            with torch.overrides._enable_torch_function():
                note()
        note()
    note()
    return seen


@like_pytorch
def test_pickles_and_copies(torch):
    x = torch.nn.Parameter(torch.ones(2))
    again = pickle.loads(pickle.dumps(x))
    return type(again).__name__, again, type(copy.deepcopy(x)).__name__


@pytest.mark.parametrize(
    "name", ["torch.add", "torch.nn.functional.relu", "torch.split", "torch.linalg.inv"]
)
def test_functions_are_pickled_by_name(name):
    function = eval(name, {"torch": minitorch})
    assert pickle.loads(pickle.dumps(function)) is function
    assert copy.deepcopy(function) is function


@like_pytorch
def test_printing(torch):
    class MyTensor(torch.Tensor):
        pass

    x = torch.ones(2).as_subclass(MyTensor)
    return repr(x), str(x + 1), f"{x[0]:.2f}"


@like_pytorch
def test_a_subclass_through_a_module(torch):
    class MyTensor(torch.Tensor):
        pass

    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Softmax(dim=1))
    out = model(torch.ones(4, 2).as_subclass(MyTensor))
    out.sum().backward()
    return type(out).__name__, type(model[0].weight.grad).__name__, tuple(out.shape)


@like_pytorch
def test_an_attribute_of_a_subclass(torch):
    class Named(torch.Tensor):
        @staticmethod
        def __new__(cls, data, label):
            self = torch.Tensor._make_subclass(cls, data)
            self.label = label
            return self

        @property
        def shape(self):
            return ("my", super().shape)

    x = Named(torch.ones(2, 3), "a")
    return x.label, x.shape[0], tuple(x.shape[1]), type(x * 2).__name__, hasattr(x * 2, "label")


@like_pytorch
def test_gradcheck_of_wrapped_tensors(torch):
    class MyTensor(torch.Tensor):
        pass

    def function(a, b):
        product = a.as_subclass(MyTensor) * b
        return (product.sin() + product[0]).as_subclass(torch.Tensor)

    a = torch.rand(3, dtype=torch.float64, requires_grad=True)
    b = torch.rand(3, dtype=torch.float64, requires_grad=True)
    return torch.autograd.gradcheck(function, (a, b))


@like_pytorch
def test_uninitialized_parameters(torch):
    p = torch.nn.parameter.UninitializedParameter()
    texts = [failing(f) for f in (lambda: p + 1, lambda: torch.sin(p), lambda: p[0], p.numel)]
    return texts, str(p.dtype), p.requires_grad, type(p.double()).__name__


def failing(function):
    with pytest.raises(ValueError) as caught:
        function()
    return str(caught.value).split(" in <")[0]


def test_every_function_can_be_overridden():
    """A stand-in for a tensor reaches the override of every function in the lists of both libraries."""
    missing = []
    ours = {
        minitorch.overrides.resolve_name(f): f for f in minitorch.overrides.get_testing_overrides()
    }
    for function in real.overrides.get_testing_overrides():
        name = real.overrides.resolve_name(function)
        if name is None or name.endswith("__"):
            continue
        found = minitorch
        for part in name.split(".")[1:]:
            found = getattr(found, part, None)
        if found is not None and found not in ours.values():
            missing.append(name)
    assert missing == []


SEEN = object()


class Everything:
    """Takes every call over."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return SEEN


class EveryTensor(minitorch.Tensor):
    __torch_function__ = Everything.__torch_function__


@pytest.mark.parametrize("namespace", minitorch.overrides.get_overridable_functions(), ids=str)
def test_a_walk_over_all_functions(namespace):
    import inspect

    overrides = minitorch.overrides.get_testing_overrides()
    x = minitorch.ones(2, 2).as_subclass(EveryTensor)
    data_model = minitorch.namespace.overridden.DATA_MODEL
    for function in minitorch.overrides.get_overridable_functions()[namespace]:
        stand_in, args, kwargs = overrides[function], [], {}
        for p in inspect.signature(stand_in).parameters.values():
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty:
                args.append([x] if p.name in ("tensors", "operands") else x)
            elif p.kind is p.VAR_POSITIONAL and not args:
                args.append(x)
            elif p.kind is p.KEYWORD_ONLY and p.default is p.empty:
                kwargs[p.name] = x
        if getattr(function, "__name__", "") in data_model:
            continue
        assert stand_in(*args, **kwargs) == -1
        assert function(*args, **kwargs) is SEEN, function


@like_pytorch
def test_operators_by_their_names_are_taken_over(torch):
    log = []

    class Any:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log.append((str(func), type(func).__name__, [t.__name__ for t in types]))
            return 3

    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            log.append((str(func), len(types)))
            return func(*args, **(kwargs or {}))

    class Own(torch.Tensor):
        pass

    aten, x = torch.ops.aten, torch.ones(1)
    results = [aten.add(Any(), 1), aten.cat([x, Any()]), aten.add.Tensor(x, other=Any())]
    with Mode():
        results.append(aten.neg(x))
    kinds = [type(f(x.as_subclass(Own), 1)).__name__ for f in (aten.add, aten.add.Scalar)]
    return results, log, kinds


@like_pytorch
def test_assertions_are_taken_over(torch):
    class Any:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func.__name__, args[1]

    return torch._assert(Any(), "text"), torch._assert(torch.ones(1), "text")


@like_pytorch
def test_einsum_and_chain_matmul_hand_on_operands_behind_each_other(torch):
    class Any:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func.__name__, [type(a).__name__ for a in args], kwargs

    x = torch.ones(2, 2)
    return (
        torch.einsum("ij,jk", Any(), x),
        torch.einsum("ij,jk", [Any(), x]),
        torch.chain_matmul(Any(), x),
    )


@like_pytorch
def test_a_mode_sees_gradients_switched_on_and_off(torch):
    seen = []

    class Told(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append((func.__name__, func is torch._C._set_grad_enabled, types, args, kwargs))
            return func(*args, **(kwargs or {}))

    with Told():
        with torch.no_grad(), torch.enable_grad(), torch.set_grad_enabled(False):
            seen.append(torch.is_grad_enabled())
        torch.set_grad_enabled(False)
        torch.no_grad()(lambda: None)()
        torch._C._set_grad_enabled(True)
        with pytest.raises(TypeError, match="must be bool, not int"):
            torch._C._set_grad_enabled(0)
        with torch.inference_mode():
            pass
    return seen, torch.is_grad_enabled()


MODULES = {
    "linear": lambda nn: nn.Linear(2, 3),
    "convolution": lambda nn: nn.Conv1d(1, 2, 3),
    "batch norm": lambda nn: nn.BatchNorm1d(2),
    "layer norm": lambda nn: nn.LayerNorm(2),
    "embedding": lambda nn: nn.Embedding(2, 3),
    "cell": lambda nn: nn.GRUCell(2, 3),
    "network": lambda nn: nn.LSTM(2, 3),
    "attention": lambda nn: nn.MultiheadAttention(4, 2),
    "slopes": lambda nn: nn.PReLU(2),
}


@pytest.mark.parametrize("case", MODULES)
def test_a_mode_chooses_where_modules_make_their_tensors(case):
    def program(torch):
        made = {getattr(torch, name): name for name in ("empty", "zeros", "ones", "tensor")}
        seen = []

        class Elsewhere(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, func, types, args=(), kwargs=None):
                kwargs = dict(kwargs or {})
                if func in made:
                    seen.append((made[func], func(*args).shape))
                    kwargs["device"] = "meta"
                return func(*args, **kwargs)

        with Elsewhere():
            module = MODULES[case](torch.nn)
        return seen, {k: (v.is_meta, str(v.dtype)) for k, v in module.state_dict().items()}

    compare(program)


DATA = {
    "tensor": lambda torch, data: torch.tensor(data),
    "a list": lambda torch, data: torch.tensor([data[0]]),
    "as_tensor": lambda torch, data: torch.as_tensor(data),
    "asarray": lambda torch, data: torch.asarray(data),
    "new_tensor": lambda torch, data: torch.ones(2).new_tensor(data),
    "new_tensor of it": lambda torch, data: data.new_tensor(torch.ones(2)),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("case", DATA)
def test_data_that_a_tensor_is_made_of_take_nothing_over(case):
    def program(torch):
        seen = []

        class Logged(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                seen.append(func.__name__)
                return super().__torch_function__(func, types, args, kwargs or {})

        made = DATA[case](torch, Logged([1.0]))
        return type(made).__name__, seen, torch.Tensor.tolist(made)

    compare(program)


@pytest.mark.parametrize("name", ["tensor", "as_tensor", "asarray"])
def test_an_object_that_is_no_data(name):
    def program(torch):
        class Answers:
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                return 3

        return getattr(torch, name)(Answers())

    compare(program)


@like_pytorch
def test_a_function_says_of_what_kind_it_is(torch):
    F = torch.nn.functional
    functions = [torch.flatten, torch.add, F.conv2d, torch.tensor, F.linear, torch.linalg.inv]
    functions += [torch.special.expit, torch.fft.fft, torch.einsum, F.relu, torch.Tensor.add]
    return [repr(function).split(" at ")[0] for function in functions]


@like_pytorch
def test_a_graph_names_a_function_of_the_namespace_by_its_kind(torch):
    graph = torch.fx.symbolic_trace(lambda x: torch.flatten(x, 1) + 1).graph
    return [str(node.target).split(" at ")[0] for node in graph.nodes]


@like_pytorch
def test_backward_of_a_subclass_is_handed_to_it(torch):
    class Seen(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            seen.append((function.__name__, len(args), sorted(kwargs or {})))
            return super().__torch_function__(function, types, args, kwargs or {})

    class Declines(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            return NotImplemented

    seen = []
    x = torch.ones(2).as_subclass(Seen).requires_grad_()
    torch.autograd.backward(x.sum())
    torch.autograd.backward([x.sum()], inputs=x)
    try:
        torch.autograd.backward(torch.ones(1, requires_grad=True).as_subclass(Declines))
    except TypeError as error:
        seen.append(str(error).split(" on types")[0])
    return seen, x.grad.sum().item()
