"""Tensors of wrapper classes as a whole: gradients of all operators, copies, versions, and modes that record."""

import copy
import importlib

import pytest

from tests.both import compare, like_pytorch


def module(torch, name):
    """A module of the library under test."""
    return importlib.import_module(f"{torch.__name__}.{name}")


def base_of_modes(torch):
    """What modes derive from."""
    return module(torch, "utils._python_dispatch").TorchDispatchMode


def wrapper(torch):
    """A class with an inner tensor that computes by it."""
    map_only = module(torch, "utils._pytree").tree_map_only

    class Wrapper(torch.Tensor):
        @staticmethod
        def __new__(cls, inner):
            self = torch.Tensor._make_wrapper_subclass(
                cls, inner.shape, strides=inner.stride(), dtype=inner.dtype
            )
            self.inner = inner
            return self

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            args, kwargs = map_only(cls, lambda t: t.inner, (args, kwargs or {}))
            return map_only(torch.Tensor, cls, func(*args, **kwargs))

    return Wrapper


@like_pytorch
def test_masks_of_a_wrapper_class(torch):
    Wrapper = wrapper(torch)

    values = torch.tensor([[1.0, -2.0], [-3.0, 4.0]])
    x = Wrapper(values.clone()).requires_grad_()
    x[x > 0].sum().backward()
    y = Wrapper(values.clone())
    y[y > 0] = 5.0
    return [x.grad.inner, y.inner, x[x > 0].inner]


WITHOUT_AN_OPERATOR = {
    "squeeze": lambda torch, x: x[None].squeeze(),
    "squeeze_dims": lambda torch, x: x[None, None].squeeze((0, 1)),
    "squeeze_number": lambda torch, x: x.sum().squeeze((0,)),
    "diag_embed": lambda torch, x: x.diag_embed(1),
    "pdist": lambda torch, x: torch.nn.functional.pdist(x),
    "repeat": lambda torch, x: x.repeat_interleave(torch.tensor([1, 0, 2]), dim=0),
    "margins": lambda torch, x: torch.nn.functional.multi_margin_loss(x, torch.tensor([0, 2, 1])),
    "trace": lambda torch, x: x.trace(),
    "take": lambda torch, x: x.take(torch.tensor([0, 5, 0])),
    "as_strided": lambda torch, x: x.as_strided((2, 2), (3, 1)),
    "as_strided_scatter": lambda torch, x: torch.as_strided_scatter(
        torch.zeros(3, 3), x[:2, :2], (2, 2), (3, 1)
    ),
    "var_mean": lambda torch, x: torch.var_mean(x, 0)[0],
    "log_sigmoid": lambda torch, x: torch.nn.functional.logsigmoid(x),
    "slices": lambda torch, x: torch.cumulative_trapezoid(x),
    "replication": lambda torch, x: torch.nn.functional.pad(x, (1, 2), mode="replicate"),
    "reflection": lambda torch, x: torch.nn.functional.pad(x, (1, 2), mode="reflect"),
    "circular": lambda torch, x: torch.nn.functional.pad(x, (1, 2), mode="circular"),
    "cov": lambda torch, x: x.cov(),
    "count_nonzero": lambda torch, x: x.sum() + x.count_nonzero(),
    "logits": lambda torch, x: torch.nn.functional.binary_cross_entropy_with_logits(
        x, torch.ones(3, 3), pos_weight=torch.ones(3) * 2
    ),
}


@pytest.mark.parametrize("name", WITHOUT_AN_OPERATOR)
def test_gradients_that_no_operator_computes(name):
    def program(torch):
        Wrapper = wrapper(torch)

        x = Wrapper(torch.tensor([[0.5, -1.0, 2.0], [3.0, 0.1, -0.2], [1.0, 2.0, 4.0]]))
        x.requires_grad_()
        y = WITHOUT_AN_OPERATOR[name](torch, x)
        (y * y).sum().backward()
        return [y.detach().inner, x.grad.inner]

    compare(program)


@like_pytorch
def test_wrappers_are_wrapper(torch):
    x = wrapper(torch)(torch.ones(2)).requires_grad_()
    x.note = ["mine"]
    (x * x).sum().backward()
    y = copy.deepcopy(x)
    y.inner.add_(1)
    z = copy.copy(x)
    return [
        [type(t).__name__ for t in (y, z, y.grad)],
        [x.inner, y.inner, z.inner, y.grad.inner],
        [y.requires_grad, z.requires_grad, y.note == x.note, y.note is x.note],
    ]


@like_pytorch
def test_a_gradient_with_a_wrapped_index(torch):
    x = torch.ones(3, 3, requires_grad=True)
    y = torch.ops.aten.take.default(x, wrapper(torch)(torch.tensor([0, 5, 0])))
    y.sum().backward()
    return type(x.grad).__name__, x.grad.inner


@like_pytorch
def test_views_of_wrappers_count_writes_together(torch):
    x = wrapper(torch)(torch.ones(2, 2))
    counts = [x._version]
    x[0] = 3.0
    counts.append(x._version)
    x.view(4).add_(1)
    x.detach().mul_(2)
    return [*counts, x._version]


@like_pytorch
def test_a_saved_wrapper_that_was_written_to(torch):
    x = wrapper(torch)(torch.ones(2)).requires_grad_()
    y = x.exp()
    y.add_(1)
    y.sum().backward()


@like_pytorch
def test_a_wrapped_middle_between_plain_ends(torch):
    Wrapper = wrapper(torch)

    class Wrap(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return Wrapper(x.clone())

        @staticmethod
        def backward(ctx, grad):
            return grad.inner

    class Unwrap(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.inner.clone()

        @staticmethod
        def backward(ctx, grad):
            return Wrapper(grad)

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = Unwrap.apply(Wrap.apply(x) * 3)
    (y * y).sum().backward()
    return x.grad


@like_pytorch
def test_dispatch_that_records(torch):
    map_only = module(torch, "utils._pytree").tree_map_only

    class Recording(wrapper(torch)):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            with torch.overrides.enable_reentrant_dispatch():
                args = map_only(
                    cls, lambda t: t.inner.detach().requires_grad_(t.requires_grad), args
                )
                result = func(*args, **(kwargs or {}))
                seen.append(result.requires_grad)
            return map_only(torch.Tensor, lambda t: cls(t.detach()), result)

    seen = []
    x = Recording(torch.ones(2)).requires_grad_()
    (x * 2).sum().backward()
    return [seen, x.grad.inner]


@like_pytorch
def test_writes_to_views_of_wrappers_are_differentiated(torch):
    Wrapper = wrapper(torch)
    x = Wrapper(torch.tensor([1.0, 2.0, 3.0])).requires_grad_()
    y = Wrapper(torch.zeros(2, 4))
    y[1][1:].copy_(x)
    other = y[1]
    (other * other * y).sum().backward()
    z = (x * 1).view(3, 1)
    z[1:].mul_(5)
    (gradient,) = torch.autograd.grad((z * z).sum(), x)
    return [y.inner, x.grad.inner, gradient.inner]


@like_pytorch
def test_the_stack_by_numbers(torch):
    dispatch = module(torch, "utils._python_dispatch")
    Mode = base_of_modes(torch)
    first, second = Mode(), Mode()
    with first, second:
        with dispatch._disable_current_modes() as left:
            order = [mode is first for mode in left]
        return [
            order,
            torch._C._len_torch_dispatch_stack(),
            torch._C._get_dispatch_stack_at(0) is first,
            isinstance(torch.ops.aten.add.Tensor, torch._ops.OpOverload),
        ]


@like_pytorch
def test_the_sizes_of_a_wrapper_are_checked(torch):
    class Wrapper(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    make = torch.Tensor._make_wrapper_subclass
    texts = []
    for args, options in [
        ((2,), {}),
        (((2.5,),), {}),
        ((), {}),
        (((2,),), {"dtype": "float"}),
        (((2,),), {"dtype": torch.int64, "requires_grad": True}),
        (((2,),), {"dispatch_sizes_strides_policy": "none"}),
    ]:
        try:
            make(Wrapper, *args, **options)
        except Exception as error:
            texts.append([type(error).__name__, str(error)])
    return texts


@pytest.mark.parametrize("kind", ["function", "dispatch"])
def test_modes_have_plain_methods(kind):
    def program(torch):
        if kind == "function":
            base = torch.overrides.TorchFunctionMode
        else:
            base = torch.utils._python_dispatch.TorchDispatchMode

        def method(cls, func, types, args=(), kwargs=None):
            return func(*args, **(kwargs or {}))

        mode = type("Mode", (base,), {f"__torch_{kind}__": classmethod(method)})
        with mode():
            x = torch.ones(2)
        return x

    compare(program)


@like_pytorch
def test_a_subclass_is_made_of_a_tensor(torch):
    torch.Tensor._make_subclass(torch.Tensor, 3)


def test_a_wrapper_stays_one_when_it_looks_at_other_memory():
    def program(torch):
        Wrapper = wrapper(torch)
        x, view = Wrapper(torch.ones(3, 4)), Wrapper(torch.ones(4, 3))
        with module(torch, "utils._mode_utils").no_dispatch():
            view.set_(torch.transpose(x, 0, 1))
        return type(view).__name__, str(view.device), view.shape, view.stride()

    compare(program)


def returning(torch, result):
    """A tensor of a class whose ``__torch_dispatch__`` returns `result`, whatever is asked."""

    class Constant(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return result

    return torch.ones(3).as_subclass(Constant)


@like_pytorch
def test_nothing_need_be_returned_of_a_write(torch):
    x = returning(torch, None)
    return x.add_(1) is x, torch.add(x, x, out=torch.ones(3)), x.equal(x)


CALLED = {
    "a tensor": lambda torch, x: x + x,
    "a list": lambda torch, x: x.unbind(),
    "two tensors": lambda torch, x: x.max(0),
    "a truth value": lambda torch, x: x.equal(x),
}


@pytest.mark.parametrize("case", CALLED)
@pytest.mark.parametrize("result", ("abc", [], [None], [1], (1, 2)), ids=str)
def test_a_result_of_another_type_is_refused(case, result):
    def program(torch):
        if (case, result) == ("two tensors", "abc"):
            return None  # a string is a sequence to PyTorch here
        return CALLED[case](torch, returning(torch, result))

    compare(program)


@like_pytorch
def test_a_copy_of_a_tensor_of_a_wrapper_class_is_one(torch):
    x = wrapper(torch)(torch.ones(3))
    copies = torch.tensor(x), torch.tensor(x, dtype=torch.float64, requires_grad=True)
    new = torch.ones(1, dtype=torch.float64).new_tensor(x)
    return [(type(t) is type(x), str(t.dtype), t.requires_grad, t.inner) for t in (*copies, new)]


SAID = {
    "aten.sym_size.default": (4, 2),
    "aten.sym_stride.default": (1, 4),
    "aten.dim.default": 2,
    "aten.sym_numel.default": 8,
    "aten.is_contiguous.default": False,
    "aten.is_contiguous.memory_format": True,
    "aten.sym_storage_offset.default": 5,
}
OF_A_TENSOR = {
    "shape": lambda torch, t: (t.shape, t.size(), t.size(0), len(t)),
    "strides": lambda torch, t: (t.stride(), t.stride(1)),
    "dimensions": lambda torch, t: (t.dim(), t.ndim),
    "elements": lambda torch, t: t.numel(),
    "contiguous": lambda torch, t: t.is_contiguous(),
    "channels last": lambda torch, t: t.is_contiguous(memory_format=torch.channels_last),
    "offset": lambda torch, t: t.storage_offset(),
    "device": lambda torch, t: str(t.device),
    "layout": lambda torch, t: str(t.layout),
}
ASKED_FOR = {
    "nothing": {},
    "sizes": {"dispatch_sizes_strides_policy": "sizes"},
    "strides": {"dispatch_sizes_strides_policy": "strides"},
    "device": {"dispatch_device": True},
    "layout": {"dispatch_layout": True},
}


@pytest.mark.parametrize("case", OF_A_TENSOR)
@pytest.mark.parametrize("options", ASKED_FOR)
@pytest.mark.parametrize("says", ("all", "None", "nothing"))
def test_a_class_says_what_its_shape_is(case, options, says):
    def program(torch):
        seen = []
        devices = {
            "prim.device.default": torch.device("meta"),
            "prim.layout.default": torch.sparse_csr,
        }

        class Saying(torch.Tensor):
            @staticmethod
            def __new__(cls):
                return torch.Tensor._make_wrapper_subclass(cls, (2, 3), **ASKED_FOR[options])

            @classmethod
            def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
                seen.append((str(func), len(args)))
                said = {**SAID, **devices} if says == "all" else {}
                return said.get(str(func), NotImplemented if says == "nothing" else None)

        return OF_A_TENSOR[case](torch, Saying()), seen

    compare(program)


@like_pytorch
def test_a_copy_is_made_by_the_class(torch):
    """A class may give what its methods make attributes that `__torch_function__` needs."""

    class Noting(torch.Tensor):
        __slots__ = ["notes"]

        def __new__(cls, data, notes=None):
            made = torch.Tensor._make_subclass(cls, data, require_grad=data.requires_grad)
            made.notes = [] if notes is None else notes
            return made

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            notes = next(x.notes for x in args if isinstance(x, cls))
            made = torch.overrides.redispatch_function(func, types, args, kwargs)
            return cls(made, notes) if type(made) is torch.Tensor else made

    x = Noting(torch.arange(3.0, requires_grad=True))
    copied = copy.deepcopy(x)
    return type(copied).__name__, copied.requires_grad, copied.detach().as_subclass(torch.Tensor)


def telling(torch, told):
    """A wrapper that notes the operators it computes, and computes views in place of itself too."""
    disabled = module(torch, "utils._python_dispatch")._disable_current_modes

    class Telling(wrapper(torch)):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            told.append(str(func))
            result = super().__torch_dispatch__(func, types, args, kwargs)
            if torch.Tag.inplace_view not in func.tags:
                return result
            with disabled(), torch._C._DisableTorchDispatch():
                func(*args, **(kwargs or {}))
            return args[0]

    return Telling


IN_PLACE_VIEWS = {
    "unsqueeze_": lambda x: x.unsqueeze_(0),
    "squeeze_": lambda x: x.unsqueeze_(0).squeeze_(0),
    "transpose_": lambda x: x.transpose_(0, 1),
    "t_": lambda x: x.t_(),
    "as_strided_": lambda x: x.as_strided_((2,), (2,)),
}


@pytest.mark.parametrize("name", IN_PLACE_VIEWS)
def test_a_wrapper_with_another_shape_is_still_one(name):
    def program(torch):
        told = []
        Telling = telling(torch, told)
        x = Telling(torch.arange(6.0).reshape(2, 3)) * 2
        y = IN_PLACE_VIEWS[name](x)
        return told, y is x, [type(t) is Telling for t in (x, x.detach(), x + 1)], tuple(x.shape)

    compare(program)


@like_pytorch
def test_a_vector_times_a_matrix_of_a_wrapper_is_dual(torch):
    forward_ad = module(torch, "autograd.forward_ad")
    Wrapper = wrapper(torch)
    with forward_ad.dual_level():
        x = forward_ad.make_dual(Wrapper(torch.tensor([1.0, 2.0])), torch.tensor([3.0, 5.0]))
        primal, tangent = forward_ad.unpack_dual(x @ torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        return type(primal) is Wrapper, primal.inner, type(tangent) is Wrapper, tangent.inner


@like_pytorch
def test_a_write_gives_a_tensor_a_tangent_of_a_class(torch):
    forward_ad = module(torch, "autograd.forward_ad")
    Wrapper = wrapper(torch)
    with forward_ad.dual_level():
        x = forward_ad.make_dual(torch.ones(2), Wrapper(torch.tensor([3.0, 5.0])))
        tangent = forward_ad.unpack_dual(torch.zeros(2).sub_(x)).tangent
        return type(tangent) is Wrapper, tangent.inner


@like_pytorch
def test_zeros_in_place_of_a_wrapper_write_zeros_to_its_tangent(torch):
    forward_ad = module(torch, "autograd.forward_ad")
    with forward_ad.dual_level():
        x = forward_ad.make_dual(wrapper(torch)(torch.ones(2)), torch.ones(2)) * 2
        x.zero_()
        primal, tangent = forward_ad.unpack_dual(x)
        return primal.inner, tangent


@like_pytorch
def test_an_operator_of_parts_has_a_tangent_with_a_wrapper(torch):
    forward_ad = module(torch, "autograd.forward_ad")
    Wrapper = wrapper(torch)
    with forward_ad.dual_level():
        x = torch.arange(6.0).reshape(2, 3)
        x = forward_ad.make_dual(Wrapper(x), Wrapper(x * x))
        more = torch.ones(3), torch.zeros(3), torch.zeros(3), torch.ones(3), 0.1, 1e-5
        out = torch.ops.aten._batch_norm_with_update(x, *more)[0]
        return forward_ad.unpack_dual(out).tangent.inner


NUMBERS = {
    "narrow": lambda torch, x, n: x.narrow(1, n, 2),
    "index": lambda torch, x, n: x[n],
    "index of a dimension": lambda torch, x, n: x[:, n],
    "slice": lambda torch, x, n: x[:, n:],
    "assignment": lambda torch, x, n: x.__setitem__(n, 5.0) or x,
    "linspace": lambda torch, x, n: torch.linspace(n, 3, 3, dtype=torch.float32),
    "linspace by name": lambda torch, x, n: torch.linspace(start=0, end=n, steps=3),
    "logspace": lambda torch, x, n: torch.logspace(torch.tensor(0), n, 3),
    "classes": lambda torch, x, n: torch.nn.functional.one_hot(n),
    "lengths": lambda torch, x, n: torch.segment_reduce(
        torch.ones(1), "sum", lengths=n.reshape(1), unsafe=True
    ),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_a_class_are_asked_for(name):
    def program(torch):
        told = []
        Telling = telling(torch, told)
        n = Telling(torch.tensor(1))
        result = NUMBERS[name](torch, torch.arange(6.0).reshape(2, 3), n)
        return told, result.inner if isinstance(result, Telling) else result

    compare(program)


@like_pytorch
def test_an_operator_that_is_called_by_a_class_gives_what_it_returns(torch):
    base = base_of_modes(torch)
    Wrapper = wrapper(torch)
    unwrap = module(torch, "utils._pytree").tree_map_only

    class Unwrapping(base):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return func(*unwrap(Wrapper, lambda t: t.inner, args), **(kwargs or {}))

    class Asking(Wrapper):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            with Unwrapping():
                return func(*args, **(kwargs or {}))

    x = torch.tensor([[2.0, 1.0], [1.0, 3.0]])
    return torch.equal(Asking(x), x), torch.linalg.inv(Asking(x)), torch.linalg.lu_factor(Asking(x))
