"""Variables of PyTorch 0.2: around tensors, volatile or not."""

import copy
import gc
import pickle
import warnings
import weakref

import pytest

import minitorch
from minitorch import legacy
from minitorch.legacy import functional as F
from minitorch.legacy.autograd import Variable, backward, grad


def leaf(*values):
    return Variable(minitorch.tensor(values or (1.0, 2.0)), requires_grad=True)


def volatile(*values):
    return Variable(minitorch.tensor(values or (3.0, 4.0)), volatile=True)


class TestVariable:
    def test_the_arguments_and_their_defaults(self):
        x = Variable(minitorch.ones(2))
        assert (x.requires_grad, x.volatile, x.grad, x.grad_fn) == (False, False, None, None)
        assert leaf().requires_grad is True
        assert volatile().volatile is True

    def test_it_shares_memory_and_not_the_history_with_its_tensor(self):
        t = minitorch.ones(2, requires_grad=True)
        x = Variable(t * 2)
        assert x.grad_fn is None
        assert not x.requires_grad
        data = minitorch.zeros(2)
        x = Variable(data, requires_grad=True)
        data += 1
        assert x.data.tolist() == [1.0, 1.0]
        x.data.fill_(3)
        assert data.tolist() == [3.0, 3.0]
        assert type(x.data) is minitorch.Tensor

    def test_a_tensor_is_no_variable_and_a_variable_no_tensor(self):
        assert not isinstance(minitorch.ones(1), Variable)
        assert not minitorch.is_tensor(leaf())

    def test_both_volatile_and_requiring_grad_is_refused(self):
        with pytest.raises(RuntimeError) as error:
            Variable(minitorch.ones(1), requires_grad=True, volatile=True)
        assert str(error.value) == "Variable can't be volatile and require_grad at the same time!"

    @pytest.mark.parametrize("data", [[1.0], 2.0, None])
    def test_data_that_is_no_tensor_is_refused(self, data):
        with pytest.raises(RuntimeError) as error:
            Variable(data)
        name = type(data).__name__
        assert str(error.value) == f"Variable data has to be a tensor, but got {name}"

    def test_a_variable_of_a_variable_is_refused(self):
        with pytest.raises(RuntimeError, match="but got Variable"):
            Variable(leaf())

    def test_volatile_is_set_on_leaves_alone(self):
        x = leaf()
        x.volatile = True
        assert (x * 2).volatile
        x.volatile = False
        with pytest.raises(RuntimeError) as error:
            (x * 2).volatile = True
        assert str(error.value) == "volatile can only be set on leaf variables"
        with pytest.raises(RuntimeError, match="volatile must be a bool"):
            x.volatile = 1

    def test_methods_attributes_and_numbers(self):
        x = leaf(1.0, -2.0)
        assert isinstance(x.abs().sum(), Variable)
        assert x.size() == (2,)
        assert x.dim() == 1
        assert x.sum().item() == -1.0
        assert float(x.sum()) == -1.0
        assert len(x) == 2
        assert [float(item) for item in x] == [1.0, -2.0]
        assert bool(x[0] > 0)
        values, indices = x.max(0)
        assert (values.data.item(), indices.data.item()) == (1.0, 0)
        with pytest.raises(AttributeError, match="'Variable' object has no attribute 'nothing'"):
            x.nothing  # noqa: B018

    def test_operators_with_numbers_variables_and_tensors_on_either_side(self):
        x, t = leaf(1.0, 2.0), minitorch.tensor([2.0, 4.0])
        results = [x + 1, 1 + x, x - t, t - x, x * x, 8 / x, t @ x, -x, x**2, 2**x, x == x]
        wanted = [
            [2, 3], [2, 3], [-1, -2], [1, 2], [1, 4], [8, 4], 10, [-1, -2], [1, 4], [2, 4], [1, 1],
        ]  # fmt: skip
        assert [r.data.tolist() for r in results] == wanted
        assert all(isinstance(r, Variable) for r in results)

    def test_writing_in_place_keeps_the_variable(self):
        x = Variable(minitorch.zeros(3))
        y = x
        x += leaf(1.0, 2.0, 3.0)
        assert x is y
        assert x.grad_fn is not None
        assert x.add_(1) is x
        x[0] = 7
        assert x.data.tolist() == [7.0, 3.0, 4.0]

    def test_a_variable_has_one_handle(self):
        x = leaf()
        (x * 2).sum().backward()
        assert x.grad is x.grad
        assert hash(x) == hash(x)
        assert {x: 1}[x] == 1

    def test_variables_are_freed(self):
        x = leaf()
        y = x * 2
        gone = weakref.ref(y)
        gc.disable()
        try:
            del y
            assert gone() is None
        finally:
            gc.enable()

    def test_hooks_see_variables_and_can_replace_the_gradient(self):
        x, seen = leaf(), []
        handle = x.register_hook(lambda g: seen.append(g) or g * 10)
        (x * 2).sum().backward()
        assert isinstance(seen[0], Variable)
        assert seen[0].volatile
        assert x.grad.data.tolist() == [20.0, 20.0]
        handle.remove()
        (x * 2).sum().backward()
        assert x.grad.data.tolist() == [22.0, 22.0]

    def test_a_hook_that_sees_a_gradient_of_the_user_leaves_it_as_it_is(self):
        x, g = leaf(), Variable(minitorch.ones(2))
        x.register_hook(lambda gradient: None)
        x.backward(g, create_graph=False)
        assert not g.volatile

    @pytest.mark.parametrize(
        "make, message",
        [
            (volatile, "cannot register a hook on a volatile variable"),
            (
                lambda: Variable(minitorch.ones(1)),
                "cannot register a hook on a variable that doesn't require gradient",
            ),
        ],
    )
    def test_hooks_where_no_gradient_comes_are_refused(self, make, message):
        with pytest.raises(RuntimeError) as error:
            make().register_hook(print)
        assert str(error.value) == message

    def test_grad_can_be_assigned_and_taken_away(self):
        x = leaf()
        x.grad = Variable(minitorch.ones(2))
        assert not x.grad.volatile
        (x * 2).sum().backward()
        assert x.grad.data.tolist() == [3.0, 3.0]
        x.grad = None
        assert x.grad is None
        with pytest.raises(TypeError, match="has to be a Variable or None"):
            x.grad = minitorch.ones(2)

    def test_grad_of_a_result_is_none_without_a_warning(self):
        x = leaf()
        y = x * 2
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert y.grad is None
        y.retain_grad()
        y.sum().backward()
        assert y.grad.data.tolist() == [1.0, 1.0]

    def test_copies_and_pickles_are_leaves(self):
        x = leaf()
        for other in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
            assert (other.requires_grad, other.data.tolist()) == (True, [1.0, 2.0])
            other.data.fill_(9)
        assert x.data.tolist() == [1.0, 2.0]
        assert copy.deepcopy(volatile()).volatile
        with pytest.raises(RuntimeError, match="created explicitly by the user"):
            copy.deepcopy(x * 2)

    def test_repr(self):
        assert repr(leaf()) == "Variable containing:\ntensor([1., 2.])"


class TestVolatile:
    @pytest.mark.parametrize(
        "operator",
        [
            lambda x, v: x + v,
            lambda x, v: v + x,
            lambda x, v: x.mul(v),
            lambda x, v: v[0] * x,
            lambda x, v: legacy.mm(x.view(1, 2), v.view(2, 1)),
            lambda x, v: legacy.cat([x, v]),
            lambda x, v: legacy.stack((x, x, v), dim=0),
            lambda x, v: legacy.where(x.data > 0, x, v),
            lambda x, v: F.linear(x, weight=v.view(1, 2)),
            lambda x, v: (x * v).sum() * x,
        ],
    )
    def test_a_result_with_a_volatile_input_is_volatile_and_not_recorded(self, operator):
        y = operator(leaf(), volatile())
        assert (y.volatile, y.requires_grad, y.grad_fn) == (True, False, None)

    def test_results_of_others_are_not_volatile(self):
        x = leaf()
        assert not (x * 2).volatile
        assert not (Variable(minitorch.ones(2)) * 2).volatile
        assert (x * Variable(minitorch.ones(2))).requires_grad

    def test_every_result_of_several_is_volatile(self):
        values, indices = volatile().max(0)
        assert values.volatile
        assert indices.volatile
        assert all(part.volatile for part in volatile().split(1))

    def test_recording_goes_on_afterwards(self):
        volatile() * 2
        assert minitorch.is_grad_enabled()
        with pytest.raises(RuntimeError):
            volatile().view(5)
        assert minitorch.is_grad_enabled()
        assert (leaf() * 2).grad_fn is not None

    def test_a_detached_variable_is_volatile_if_it_was(self):
        assert volatile().detach().volatile
        assert not (leaf() * 2).detach().volatile
        assert not (leaf() * 2).detach().requires_grad

    def test_what_is_written_to_from_something_volatile_is_volatile(self):
        x = leaf() * 2
        x += volatile()
        assert (x.volatile, x.grad_fn, x.data.tolist()) == (True, None, [5.0, 8.0])
        y = Variable(minitorch.zeros(2))
        y[0] = volatile()[0]
        assert y.volatile

    @pytest.mark.parametrize(
        "write",
        [
            lambda x, v: x.add_(v),
            lambda x, v: x.__imul__(v),
            lambda x, v: x.__setitem__(0, v[0]),
        ],
    )
    def test_a_leaf_that_requires_grad_is_not_written_to(self, write):
        x = leaf()
        with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
            write(x, volatile())
        assert (x.volatile, x.requires_grad, x.data.tolist()) == (False, True, [1.0, 2.0])

    def test_an_argument_that_is_handed_through_stays_what_it_is(self):
        x = leaf()
        y = legacy.lift(lambda a, b: a)(x, volatile())
        assert y.volatile
        assert (x.volatile, x.requires_grad) == (False, True)
        assert volatile().contiguous().volatile

    def test_what_is_written_to_as_out_is_volatile(self):
        out = Variable(minitorch.zeros(2))
        legacy.mul(volatile(), 2, out=out)
        assert (out.volatile, out.data.tolist()) == (True, [6.0, 8.0])

    def test_a_module_and_a_function_are_lifted(self):
        class Double(minitorch.autograd.Function):
            @staticmethod
            def forward(ctx, t):
                return t * 2

            @staticmethod
            def backward(ctx, gradient):
                return gradient * 2

        net = minitorch.nn.Linear(2, 1)
        assert legacy.lift(net)(volatile()).volatile
        assert legacy.lift(Double.apply)(volatile()).volatile
        x = leaf()
        legacy.lift(Double.apply)(legacy.lift(net)(x)).sum().backward()
        assert minitorch.equal(x.grad.data, 2 * net.weight.data[0])

    def test_functions_of_tensors_give_tensors(self):
        assert type(legacy.ones(2)) is minitorch.Tensor
        assert type(legacy.add(minitorch.ones(2), 1)) is minitorch.Tensor
        assert legacy.float32 is minitorch.float32
        with pytest.raises(AttributeError):
            legacy.nothing  # noqa: B018

    def test_a_volatile_root_is_refused(self):
        y = (volatile() * 2).sum()
        for run in (y.backward, lambda: backward([y]), lambda: grad(y, leaf())):
            with pytest.raises(RuntimeError) as error:
                run()
            assert str(error.value) == "element 0 of variables tuple is volatile"
