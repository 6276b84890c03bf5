"""Functions that return their input or a view of it, classes of nodes, and what wrapper classes are made of."""

import pytest

from tests.both import compare, like_pytorch


def identity(torch):
    class Identity(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad

    return Identity


def viewing(torch, outputs):
    class Viewing(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.view(-1) if outputs == 1 else (x.view(-1), x[0])

        @staticmethod
        def backward(ctx, *grads):
            return grads[0].view(2, 2)

    return Viewing


@pytest.mark.parametrize("requires_grad", [True, False])
@pytest.mark.parametrize("mode", ["enable_grad", "no_grad", "inference_mode"])
@pytest.mark.parametrize("kind", ["subclass", "parameter", "plain", "overriding"])
def test_an_input_that_is_returned_keeps_its_class(kind, mode, requires_grad):
    def program(torch):
        called = []

        class Subclass(torch.Tensor):
            pass

        class Overriding(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                called.append(func.__name__)
                return super().__torch_function__(func, types, args, kwargs or {})

        x = torch.ones(2)
        if kind == "parameter":
            x = torch.nn.Parameter(x, requires_grad)
        elif kind == "plain":
            x.requires_grad_(requires_grad)
        else:
            x = x.as_subclass(Subclass if kind == "subclass" else Overriding)
            x.requires_grad_(requires_grad)
        x.note = 1
        with getattr(torch, mode)():
            y = identity(torch).apply(x)
        told = "view_as" in called
        return type(y).__name__, y is x, y._is_view(), hasattr(y, "note"), y.requires_grad, told

    compare(program)


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("mode", ["enable_grad", "no_grad", "inference_mode"])
@pytest.mark.parametrize("write", ["view", "base", "view of a leaf"])
def test_a_view_that_a_function_made_is_written_to(write, mode, outputs):
    def program(torch):
        x = torch.ones(2, 2, requires_grad=write != "view of a leaf") * 1
        with getattr(torch, mode)():
            y = viewing(torch, outputs).apply(x)
        y = y if outputs == 1 else y[0]
        if write == "base":
            x.add_(1)
            return type(y.grad_fn).__name__
        y.mul_(torch.ones(1, requires_grad=True))
        return y.detach(), type(y.grad_fn).__name__

    compare(program)


@like_pytorch
def test_nodes_are_instances_of_the_abstract_node(torch):
    x = torch.ones(2, requires_grad=True)
    y = identity(torch).apply(x * 2)
    abstract = torch.autograd.graph.Node
    mul = y.grad_fn.next_functions[0][0]
    sink = mul.next_functions[0][0]
    delayed = torch._C._functions.DelayedError("message", 1)
    found = [
        (
            isinstance(node, abstract),
            issubclass(type(node), abstract),
            abstract in type(node).__mro__,
        )
        for node in (y.grad_fn, mul, sink, delayed)
    ]
    classes = [torch._C._functions.AccumulateGrad, torch._C._functions.DelayedError]
    found.append([issubclass(each, abstract) for each in classes])
    found.append(type(sink) is classes[0])
    return found + [isinstance(3, abstract), issubclass(int, abstract)]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("name", ["conv1d", "conv2d", "conv3d", "conv_transpose2d"])
def test_the_saved_sizes_of_a_bias(name, bias):
    def program(torch):
        dims = int(name[-2])
        x = torch.ones(1, 2, *[4] * dims, requires_grad=True)
        weight = torch.ones(2, 2, *[3] * dims)
        y = getattr(torch.nn.functional, name)(x, weight, torch.ones(2) if bias else None)
        return y.grad_fn._saved_bias_sym_sizes_opt

    compare(program)


@pytest.mark.parametrize("fails", ["nan", "raises"])
def test_a_warning_of_anomaly_mode_that_raises_leaves_the_error(fails):
    def program(torch):
        import warnings

        class Fails(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 1

            @staticmethod
            def backward(ctx, grad):
                raise ValueError("of the backward")

        with torch.autograd.set_detect_anomaly(True):
            x = torch.zeros(1, requires_grad=True)
            y = x.sqrt() * 0 if fails == "nan" else Fails.apply(x)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    y.sum().backward()
                except Exception as error:
                    return type(error).__name__, str(error), error.__cause__, error.__context__

    compare(program)


BASES = {
    "same sizes": lambda torch: torch.arange(6.0).view(2, 3) * 2,
    "longer": lambda torch: torch.arange(8.0),
    "transposed": lambda torch: torch.arange(10.0).view(2, 5).t(),
    "too short": lambda torch: torch.arange(2.0),
    "integers": lambda torch: torch.arange(9),
    "number": lambda torch: 3,
}


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("name", ["_view_func", "_view_func_unsafe"])
@pytest.mark.parametrize("kind", ["view", "no view"])
def test_a_view_is_made_of_another_base(kind, name, base):
    def program(torch):
        t = torch.arange(6.0).view(2, 3)
        t = t[1, 1:] if kind == "view" else torch.ones(2)
        return getattr(t, name)(BASES[base](torch))

    compare(program)


OPTIONS = {
    "none": {},
    "strides": {"strides": (1, 2)},
    "offset": {"strides": (3, 1), "storage_offset": 2},
    "storage_size": {"storage_size": 100},
    "storage_size and offset": {"strides": (3, 1), "storage_offset": 2, "storage_size": 200},
    "pin_memory": {"pin_memory": True},
    "requires_grad": {"requires_grad": True},
    "unknown": {"unknown": 1},
}


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("layout", [None, "strided", "sparse_coo"])
def test_what_a_wrapper_class_is_made_of(options, layout):
    def program(torch):
        class Wrapper(torch.Tensor):
            @staticmethod
            def __new__(cls, **options):
                return torch.Tensor._make_wrapper_subclass(cls, (2, 3), **options)

            @classmethod
            def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
                raise NotImplementedError

        more = {} if layout is None else {"layout": getattr(torch, layout)}
        t = Wrapper(**OPTIONS[options], **more)
        size = t.untyped_storage().size()
        return t.size(), t.stride(), t.storage_offset(), str(t.layout), t.requires_grad, size

    compare(program)


@pytest.mark.parametrize("options", [(), (True, True), (False,), (True, False)])
@pytest.mark.parametrize("values", [[3, 1, 3], [[3, 1], [3, 2]], []])
def test_unique_of_the_first_kind(values, options):
    compare(lambda torch: list(torch._unique(torch.tensor(values), *options)))


@like_pytorch
def test_a_view_made_without_recording_may_be_kept_by_a_function(torch):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_forward(*inputs)
            ctx.kept = [inputs[0]]

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    x = torch.ones(2, 3, requires_grad=True)
    with torch.no_grad():
        views = [x.movedim(-1, 0), x[0], x.view(6), x.detach()]
        return [(view.requires_grad, Double.apply(view)) for view in views]
