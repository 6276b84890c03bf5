"""What `__torch_dispatch__` may return, composed functions in inference mode, and the dispatcher's own questions."""

import importlib

import numpy
import pytest

from tests.both import compare, like_pytorch, logging_mode


def full_log(torch):
    """A mode that writes down the operators with the numbers among their arguments."""
    dispatch = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")

    class Logging(dispatch.TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.log = []

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            given = [a if isinstance(a, (int, float, str, list, tuple)) else "" for a in args]
            plain = [
                [v for v in a if isinstance(v, int)] if isinstance(a, list) else a for a in given
            ]
            self.log.append((str(func), str(plain), sorted(kwargs or ())))
            return func(*args, **(kwargs or {}))

    return Logging()


def answering(torch, answer, plain_functions=False):
    """A mode and a tensor of a class that answer the same to whatever they are told."""
    dispatch = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")

    class Mode(dispatch.TorchDispatchMode):
        def __repr__(self):
            return "mode"

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return answer

    class Answering(torch.Tensor):
        if plain_functions:
            __torch_function__ = torch._C._disabled_torch_function_impl

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return answer

    return Mode(), torch.Tensor._make_subclass(Answering, torch.ones(2))


CALLS = {
    "mul": lambda torch, a: a * 2,
    "add": lambda torch, a: a + a,
    "sub": lambda torch, a: 1 - a,
    "pow": lambda torch, a: a**2,
    "rpow": lambda torch, a: 2**a,
    "neg": lambda torch, a: -a,
    "abs": lambda torch, a: abs(a),
    "eq": lambda torch, a: a == 1,
    "lt": lambda torch, a: a < 1,
    "matmul": lambda torch, a: a @ a,
    "floordiv": lambda torch, a: a // 2,
    "mod": lambda torch, a: a % 2,
    "getitem": lambda torch, a: a[0],
    "function": lambda torch, a: torch.mul(a, 2),
    "method": lambda torch, a: a.sum(),
    "detach": lambda torch, a: a.detach(),
    "clone": lambda torch, a: a.clone(),
    "double": lambda torch, a: a.double(),
    "relu": lambda torch, a: torch.nn.functional.relu(a),
    "new_zeros": lambda torch, a: a.new_zeros(2),
    "operator": lambda torch, a: torch.ops.aten.add.Tensor(a, a),
    "in place": lambda torch, a: a.add_(1) is a,
    "out": lambda torch, a: torch.add(a, a, out=a) is a,
    "transposed": lambda torch, a: a.T,
    "data": lambda torch, a: a.data,
    "split": lambda torch, a: a.split(1),
    "len": lambda torch, a: len(a),
}


@pytest.mark.parametrize("plain_functions", [False, True])
@pytest.mark.parametrize("answer", [None, NotImplemented], ids=["None", "NotImplemented"])
@pytest.mark.parametrize("call", CALLS)
def test_answers_without_a_tensor(call, answer, plain_functions):
    if call == "data" and answer is NotImplemented:
        pytest.skip("PyTorch tells `data` in its own way")

    def of_class(torch):
        _, t = answering(torch, answer, plain_functions)
        return CALLS[call](torch, t)

    def of_mode(torch):
        mode, _ = answering(torch, answer)
        with mode:
            return CALLS[call](torch, x[torch])

    import minitorch
    from tests.both import real

    x = {torch: torch.ones(2) for torch in (real, minitorch)}
    compare(of_class)
    compare(of_mode)


COMPOSED = [
    "torch.nn.functional.linear(x, x)",
    "torch.nn.functional.linear(x, x, x[0])",
    "torch.matmul(x, x)",
    "x @ x",
    "x.reshape(4)",
    "x.reshape(2, 2)",
    "x.reshape((-1,))",
    "x.flatten()",
    "torch.flatten(x, 0, 1)",
    "x.softmax(0)",
    "x.softmax(-1, dtype=torch.float64)",
    "torch.hstack([x, x])",
    "torch.true_divide(x, 2)",
    "torch.fliplr(x)",
    "x.narrow(0, 0, 1)",
    "torch.positive(x)",
    "x.T",
    "x.mT",
    "x.real",
    "x.contiguous()",
    "x.mT.contiguous()",
    "x.to(torch.float64)",
    "x.double()",
    "x.float()",
    "x.type_as(x.double())",
    "x.expand_as(x)",
    "torch.nn.functional.conv2d(x[None, None], x[None, None], padding=1)",
    "torch.einsum('ij,jk->ik', x, x)",
    "torch.quantile(x, 0.5)",
    "x.max(x)",
    "x.max(0)",
    "x.var(0)",
    "x.var(dim=0, correction=0)",
    "torch.meshgrid(x[0], x[0], indexing='ij')",
    "x.chunk(2)",
    "x.clip(0)",
    "x.size(0) + x.dim()",
    "x.isclose(x)",
    "x.add_(1).sub(2)",
    "torch.where(x > 0, x, 0)",
]


@pytest.mark.parametrize("text", COMPOSED)
def test_composed_functions_are_one_call_in_inference_mode(text):
    def program(torch):
        x = torch.ones(2, 2)
        logging = full_log(torch)
        with torch.inference_mode(), logging:
            eval(text, {"torch": torch, "x": x})
        return logging.log

    compare(program)


CONVERTED = [
    "torch.zeros(2, dtype=float)",
    "torch.zeros((numpy.int64(2), 3))",
    "torch.zeros_like(x, dtype=int)",
    "torch.full((2,), numpy.float32(2))",
    "torch.arange(numpy.int64(3))",
    "torch.linspace(0, 1, numpy.int64(3))",
    "x.new_zeros((2,), dtype=float)",
    "x.multiply(numpy.float32(2))",
    "torch.clip(x, numpy.float32(1))",
    "torch.dropout(x, True, True)",
    "torch.float_power(x, numpy.float64(2))",
    "torch.movedim(x, numpy.int64(0), 1)",
]


@pytest.mark.parametrize("text", CONVERTED)
def test_modes_see_the_values_that_the_parser_makes_of_the_arguments(text):
    def program(torch):
        x = torch.ones(2, 2)
        logging = full_log(torch)
        with torch.inference_mode(), logging:
            eval(text, {"torch": torch, "x": x, "numpy": numpy})
        return logging.log

    compare(program)


@like_pytorch
def test_transforms_take_composed_functions_apart(torch):
    x = torch.ones(3, 2, 2)
    with torch.inference_mode(), full_log(torch):
        mapped = torch.vmap(lambda a: torch.matmul(a, a).reshape(4))(x)
        tangent = torch.func.jvp(lambda a: a.flatten().softmax(0), (x,), (x,))[1]
    return mapped, tangent


@like_pytorch
def test_a_composed_function_is_decomposed_on_demand(torch):
    aten = torch.ops.aten
    x = torch.ones(2, 2)
    logging = full_log(torch)
    with torch.inference_mode(), logging:
        result = aten.linear.default.decompose(x, x)
    refused = aten.add.Tensor.decompose(x, x) is NotImplemented
    return result, logging.log, refused


@like_pytorch
def test_operators_know_their_kernels(torch):
    aten = torch.ops.aten
    found = []
    for op in (
        aten.linear.default,
        aten.add.Tensor,
        aten.reshape.default,
        aten.empty_like.default,
        aten.detach.default,
        aten.native_layer_norm.default,
        aten.silu.default,
        aten.acos_.default,
    ):
        keys = "CPU Meta CompositeImplicitAutograd CompositeExplicitAutograd Autograd ADInplaceOrView".split()
        found.append([op.has_kernel_for_dispatch_key(key) for key in keys])
        found.append(op._can_decompose())
        found.append(op.has_kernel_for_any_dispatch_key(torch._C._dispatch_keys(torch.ones(2))))
    return (
        found,
        torch._C._dispatch_has_kernel("aten::add.Tensor"),
        torch._C._dispatch_has_kernel("aten::no"),
    )


@pytest.mark.parametrize("name", ["aten::add.Tensor", "aten::no"])
@pytest.mark.parametrize("key", ["CPU", "NoKey"])
def test_kernels_of_what_there_is_not(name, key):
    compare(lambda torch: torch._C._dispatch_has_kernel_for_dispatch_key(name, key))


COMPOSED_OF_A_TENSOR = {
    "a function": lambda torch, x: torch.ravel(x),
    "a method": lambda torch, x: x.swapaxes(0, 1).expand_as(x.mT),
    "an attribute": lambda torch, x: x.mT,
    "a sign": lambda torch, x: x @ x.mT,
    "a list": lambda torch, x: torch.hstack([x, x]),
    "moments": lambda torch, x: (x.std(), x.var(True), x.std(0), torch.var_mean(x, 1)),
    "a loss": lambda torch, x: torch.nn.functional.logsigmoid(x),
    "a dtype": lambda torch, x: x.double(),
}


@pytest.mark.parametrize("case", COMPOSED_OF_A_TENSOR)
def test_composed_functions_of_inference_tensors_are_one_call(case):
    function = COMPOSED_OF_A_TENSOR[case]

    def program(torch):
        with torch.inference_mode():
            x = torch.ones(2, 3)
        with logging_mode(torch) as outside:
            function(torch, x)
        with logging_mode(torch) as beside_another:
            torch.hstack([x, torch.ones(2, 3)])
        return outside.log, beside_another.log

    compare(program)


@pytest.mark.parametrize("case", COMPOSED_OF_A_TENSOR)
def test_a_class_sees_composed_functions_as_one_call_in_inference_mode(case):
    function = COMPOSED_OF_A_TENSOR[case]

    def program(torch):
        told = []
        cls = wrapper(torch)
        inner = cls.__torch_dispatch__

        def dispatch(cls, func, types, args=(), kwargs=None):
            told.append(str(func))
            return inner(func, types, args, kwargs)

        cls.__torch_dispatch__ = classmethod(dispatch)
        # outside of it PyTorch cannot make views of such a tensor
        with torch.inference_mode():
            function(torch, cls(torch.arange(6.0).reshape(2, 3)))
        return told

    compare(program)


@pytest.mark.parametrize("name", ["kl_div", "hinge_embedding_loss", "soft_margin_loss"])
def test_the_default_reduction_of_an_operator_is_the_mean(name):
    def program(torch):
        x = torch.arange(1.0, 4.0)
        loss = getattr(torch.ops.aten, name)
        return loss(x, x), loss(x, x, 0), loss(x, x, reduction=2)

    compare(program)


@like_pytorch
def test_a_tensor_of_data_is_detached_in_inference_mode(torch):
    with torch.inference_mode(), logging_mode(torch) as logging:
        x = torch.tensor([1.0, 2.0])
    return logging.log, x.is_inference()


@like_pytorch
def test_the_kernel_of_a_set_of_keys(torch):
    keys, key = torch._C.DispatchKeySet, torch._C.DispatchKey
    both = keys(key.CPU) | keys(key.AutogradCPU)
    return both.highestPriorityTypeId().name, keys(key.Meta).highestPriorityTypeId().name


@like_pytorch
def test_keys_of_tensors(torch):
    x = torch.ones(2)
    _, computed = answering(torch, None)
    keys = torch._C._dispatch_keys
    return (
        [
            repr(keys(t))
            for t in (x, x.to("meta"), computed, torch.ones(2, dtype=torch.cfloat).conj())
        ],
        [torch._C._dispatch_isTensorSubclassLike(t) for t in (x, computed, x.to("meta"))],
        repr(torch._C.DispatchKeySet("TESTING_ONLY_GenericMode")),
    )


@like_pytorch
def test_operators_are_found_and_called_by_name(torch):
    sin = torch._C._dispatch_find_schema_or_throw("aten::sin", "")
    return torch._C._dispatch_call_boxed(sin, torch.ones(2))


@like_pytorch
def test_an_operator_that_is_not_there_is_not_found(torch):
    torch._C._dispatch_find_schema_or_throw("aten::sinn", "")


@like_pytorch
def test_modes_of_the_compiler_are_not_those_of_programs(torch):
    dispatch = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")

    class Infra(dispatch.TorchDispatchMode):
        @classmethod
        def is_infra_mode(cls):
            return True

    class Own(dispatch.TorchDispatchMode):
        pass

    inside = dispatch.is_in_torch_dispatch_mode
    with Infra():
        first = inside(), inside(include_infra_modes=False)
        with Own():
            second = inside(), inside(include_infra_modes=False)
    return first, second, inside()


@like_pytorch
def test_a_class_says_its_shape_although_it_has_memory(torch):
    class Sized(torch.Tensor):
        @staticmethod
        def __new__(cls, data):
            return torch.Tensor._make_subclass(
                cls, data, True, dispatch_sizes_strides_policy="sizes", dispatch_layout=True
            )

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            if func.overloadpacket is torch.ops.aten.dim:
                return 2
            if func.overloadpacket is torch.ops.aten.sym_size:
                return (5, 3)
            if func.overloadpacket is torch.ops.prim.layout:
                return torch.sparse_coo
            return NotImplemented

    t = Sized(torch.ones(2, 2))
    return t.dim(), t.size(), str(t.layout)


@like_pytorch
def test_an_unknown_policy_of_sizes(torch):
    _, computed = answering(torch, None)
    torch.Tensor._make_subclass(type(computed), torch.ones(2), dispatch_sizes_strides_policy="x")


def wrapper(torch):
    class Wrapper(torch.Tensor):
        @staticmethod
        def __new__(cls, elem):
            self = torch.Tensor._make_wrapper_subclass(cls, elem.shape, dtype=elem.dtype)
            self.elem = elem
            return self

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            tree_map = importlib.import_module(f"{torch.__name__}.utils._pytree").tree_map
            given = tree_map(lambda a: a.elem if isinstance(a, Wrapper) else a, args)
            result = func(*given, **(kwargs or {}))
            return cls(result) if isinstance(result, torch.Tensor) else result

    return Wrapper


@pytest.mark.parametrize(
    "make",
    [
        lambda torch, cls, t: torch.Tensor._make_subclass(cls, t),
        lambda torch, cls, t: t.as_subclass(cls),
        lambda torch, cls, t: cls(t),
        lambda torch, cls, t: type(torch.Tensor._make_subclass(torch.Tensor, t)).__name__,
        lambda torch, cls, t: type(t.as_subclass(torch.Tensor)).__name__,
    ],
)
def test_a_tensor_has_one_class_that_computes(make):
    def program(torch):
        class Other(torch.Tensor):
            pass

        return make(torch, Other, wrapper(torch)(torch.ones(2)))

    compare(program)


@like_pytorch
def test_setting_data_leaves_the_class_that_computes(torch):
    told = []

    class Told(torch.Tensor):
        __torch_function__ = torch._C._disabled_torch_function_impl

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            told.append(str(func))
            return super().__torch_dispatch__(func, types, args, kwargs)

    t = torch.Tensor._make_subclass(Told, torch.ones(2))
    t.data = torch.zeros(2)
    t.data  # noqa: B018
    t.set_(torch.zeros(3))
    t.data  # noqa: B018
    return told, type(t) is Told


@like_pytorch
def test_a_mask_without_dimensions_of_a_class(torch):
    t = wrapper(torch)(torch.tensor(2.0))
    mask = t > 0
    mask = type(t)(torch.tensor(True)) if mask.dtype != torch.bool else mask
    return tuple(t[mask].shape), tuple(torch.ops.aten.sym_size.default(torch.ones(2, 3)))


@like_pytorch
def test_extra_keys_of_a_wrapper(torch):
    keys = torch._C.DispatchKeySet(torch._C.DispatchKey.NestedTensor)
    _, computed = answering(torch, None)
    t = torch.Tensor._make_wrapper_subclass(type(computed), (2,), _extra_dispatch_keys=keys)
    has = torch._C._dispatch_keys(t).has
    return has(torch._C.DispatchKey.NestedTensor), has(torch._C.DispatchKey.AutogradNestedTensor)


@like_pytorch
def test_modes_see_stream_operators(torch):
    stream = torch.Stream(stream_id=1, device_index=2, device_type=3)
    logging = full_log(torch)
    t = torch.ones(2)
    try:
        with logging:
            t.record_stream(stream)
    except NotImplementedError as error:
        return logging.log, str(error)[:60]


@like_pytorch
def test_operators_composed_only_here_are_one_call(torch):
    logging = full_log(torch)
    x = torch.arange(12.0).reshape(1, 3, 4)
    samples = torch.full((1, 1, 2), 0.3)
    with logging:
        torch.ops.aten._foobar(x, False, arg3=False)
        torch.nn.functional.fractional_max_pool2d(x, 2, 2, _random_samples=samples)
        torch.nn.functional.multilabel_margin_loss(x[0], torch.tensor([[1, -1, 0, 2]] * 3))
        torch.histogram(x, 3)
        torch.histogram(x, 3, range=(0.0, 1.0))
        torch.segment_reduce(x[0, 0], "sum", lengths=torch.tensor([1, 3]))
    return [
        entry for entry in logging.log if "lift_fresh" not in entry[0] and "detach" not in entry[0]
    ]


@like_pytorch
def test_gradients_of_operators_seen_as_one_call(torch):
    x = torch.arange(12.0).reshape(1, 3, 4).requires_grad_()
    samples = torch.full((1, 1, 2), 0.3)
    with full_log(torch):
        y = torch.nn.functional.fractional_max_pool2d(x, 2, 2, _random_samples=samples)
        z = torch.nn.functional.multilabel_margin_loss(x[0], torch.tensor([[1, -1, 0, 2]] * 3))
    (y.sum() + z).backward()
    return y, z, x.grad


@like_pytorch
def test_traces_leave_subclasses_to_their_class(torch):
    make_fx = importlib.import_module(f"{torch.__name__}.fx.experimental.proxy_tensor").make_fx
    cls = wrapper(torch)

    def f(a, b):
        return (cls(a) * b).elem + b

    x = torch.ones(2)
    return [str(node.target) for node in make_fx(f, tracing_mode="fake")(x, x).graph.nodes]


@like_pytorch
def test_traces_in_inference_mode_have_the_operators_of_composed_functions(torch):
    make_fx = importlib.import_module(f"{torch.__name__}.fx.experimental.proxy_tensor").make_fx
    x = torch.ones(2, 2)
    with torch.inference_mode():
        graph = make_fx(lambda a: torch.nn.functional.linear(a, a).reshape(-1))(x).graph
    return [str(node.target) for node in graph.nodes]


@like_pytorch
def test_what_libraries_have_registered(torch):
    library = importlib.import_module(f"{torch.__name__}.library")
    mine = library.Library("protocol_test", "DEF")
    mine.define("foo(Tensor x, Tensor (b!) z) -> ()")
    mine.impl("foo", lambda x, z: None, "CPU")
    schema = str(torch.ops.protocol_test.foo.default._schema)
    own, known = sorted(mine._op_impls), "protocol_test/foo/CPU" in library._impls
    mine._destroy()
    return schema, own, known, "protocol_test/foo/CPU" in library._impls


@like_pytorch
def test_a_kernel_for_another_key_than_the_librarys(torch):
    library = importlib.import_module(f"{torch.__name__}.library")
    mine = library.Library("aten", "IMPL", dispatch_key="CPU")
    try:
        mine.impl("sum", lambda *a: a[0], "Conjugate")
    except RuntimeError as error:
        return str(error).partition("  (")[0]


@like_pytorch
def test_operator_names_that_a_mode_sees(torch):
    told = []
    overrides = importlib.import_module(f"{torch.__name__}.overrides")

    class Mode(overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            told.append((func.__name__, sorted(kwargs or ())))
            return func(*args, **(kwargs or {}))

    x = torch.ones(2)
    with Mode():
        1 / x
        torch.nn.functional.l1_loss(x, x)
        torch.nn.functional.l1_loss(x, x, weight=None)
        torch.Tensor([1.0, 2.0])
    return told


@pytest.mark.parametrize("index", ["x[m]", "y[:, m]", "y[None, m]", "y[m, i]", "y[i, m]"])
def test_modes_see_the_index_tensors_themselves(index):
    def program(torch):
        dispatch = importlib.import_module(f"{torch.__name__}.utils._python_dispatch")
        x, y, i = torch.ones(2), torch.ones(2, 2), torch.tensor([0, 1])
        m, told = x > 0, []

        class Asking(dispatch.TorchDispatchMode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                for item in args[1] if "index" in str(func) else ():
                    told.append("m" if item is m else "i" if item is i else str(item))
                return func(*args, **(kwargs or {}))

        names = {"x": x, "y": y, "m": m, "i": i}
        with Asking():
            eval(index, names)
            exec(f"{index} = 1.0", names)
        return told

    compare(program)


@pytest.mark.parametrize(
    "text",
    [
        "torch.arange(0, 3)",
        "torch.arange(start=0, end=3)",
        "torch.arange(0, 3, 1)",
        "torch.arange(end=3)",
        "torch.ones(2).type_as(torch.ones(1, device='meta'))",
        "torch.ones(2).to('meta')",
        "torch.Tensor(2, 3), torch.Tensor(), torch.Tensor(torch.Size([2])), torch.FloatTensor(2)",
        "torch.Tensor([1.0]), torch.LongTensor([1]), torch.Tensor([])",
        "torch.ones(1).new(2), torch.ones(1).new([1.0]), torch.ones(1, device='meta').new(2)",
        "torch.tensor_split(torch.ones(4), torch.tensor(2))",
        "torch.unravel_index(torch.tensor([1]), (2, 2))",
        "torch.linalg.pinv(torch.ones(2, 3), rtol=0.1)",
        "torch.linalg.pinv(torch.ones(2, 3), rtol=torch.tensor(0.1))",
    ],
)
def test_the_operators_that_a_mode_sees(text):
    def program(torch):
        told = []
        mode = importlib.import_module(f"{torch.__name__}.utils._python_dispatch").TorchDispatchMode

        class Logging(mode):
            def __torch_dispatch__(self, func, types, args=(), kwargs=None):
                told.append((str(func), sorted((k, str(v)) for k, v in (kwargs or {}).items())))
                return func(*args, **(kwargs or {}))

        with Logging():
            eval(text, {"torch": torch})
        return told

    compare(program)
