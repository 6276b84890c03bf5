"""`backward` and `grad` by the rules of PyTorch 0.2."""

import warnings

import pytest

import minitorch
from minitorch import legacy
from minitorch.legacy import ImperativeEngine
from minitorch.legacy.autograd import Variable, backward, grad


def leaf(*values):
    return Variable(minitorch.tensor(values or (1.0, 2.0)), requires_grad=True)


def volatile(*values):
    return Variable(minitorch.tensor(values or (3.0, 4.0)), volatile=True)


@pytest.fixture
def calls():
    """What `run_backward` is called with; nothing is run."""

    class Engine:
        def run_backward(self, *arguments):
            calls.append(arguments)

    calls = []
    previous = Variable._execution_engine
    Variable._execution_engine = Engine()
    yield calls
    Variable._execution_engine = previous


class TestDefaults:
    """What reaches the engine, for each kind of gradient."""

    @pytest.mark.parametrize(
        "gradient, create_graph, is_volatile, keep",
        [
            (lambda: None, None, True, False),
            (lambda: None, False, True, False),
            (lambda: None, True, False, True),
            (lambda: minitorch.ones(1), None, True, False),
            (lambda: minitorch.ones(1), False, True, False),
            (lambda: minitorch.ones(1), True, False, True),
            (lambda: Variable(minitorch.ones(1)), None, False, True),
            (lambda: Variable(minitorch.ones(1)), False, False, False),
            (lambda: Variable(minitorch.ones(1)), True, False, True),
            (lambda: volatile(1.0), None, True, False),
            (lambda: volatile(1.0), True, True, True),
        ],
    )
    @pytest.mark.parametrize("function", ["method", "backward", "grad"])
    def test_one_gradient(self, calls, function, gradient, create_graph, is_volatile, keep):
        x = leaf(3.0)
        y, g = x * x, gradient()
        if function == "method":
            y.backward(g, create_graph=create_graph)
        elif function == "backward":
            backward(y, g, create_graph=create_graph)
        else:
            grad(y, x, g, create_graph=create_graph)
        ((variables, grads, keep_graph, *rest),) = calls
        assert variables == (y,)
        assert isinstance(grads[0], Variable)
        assert (grads[0].volatile, keep_graph) == (is_volatile, keep)
        if isinstance(g, Variable):
            assert grads[0] is g
        assert rest == ([(x,), True] if function == "grad" else [])

    def test_one_variable_among_the_gradients_decides_for_all(self, calls):
        x = leaf(3.0)
        backward([x * 2, x * 3, x * 4], [minitorch.ones(1), Variable(minitorch.ones(1)), None])
        ((_, grads, keep_graph),) = calls
        assert [g.volatile for g in grads] == [False, False, False]
        assert keep_graph is True

    @pytest.mark.parametrize("retain_graph", [True, False])
    def test_retain_graph_is_what_is_given(self, calls, retain_graph):
        leaf(3.0).backward(retain_graph=retain_graph, create_graph=not retain_graph)
        assert calls[0][2] is retain_graph

    def test_retain_variables_is_the_old_name(self, calls):
        with pytest.warns(UserWarning) as caught:
            leaf(3.0).backward(retain_variables=True)
        assert [str(w.message) for w in caught] == [
            "retain_variables option is deprecated and will be removed in 0.3. "
            "Use retain_graph instead."
        ]
        assert calls[0][2] is True

    def test_it_is_said_once(self, calls):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("default")
            for _ in range(3):
                leaf(3.0).backward(retain_variables=False)
        assert len(caught) == 1

    @pytest.mark.parametrize("retain_graph", [True, False])
    @pytest.mark.parametrize("retain_variables", [True, False])
    def test_both_names_at_once_are_refused(self, calls, retain_graph, retain_variables):
        for function in (leaf(3.0).backward, lambda **options: backward(leaf(3.0), **options)):
            with pytest.raises(ValueError) as error:
                function(retain_graph=retain_graph, retain_variables=retain_variables)
            wanted = "only one of retain_graph and retain_variables can be specified"
            assert str(error.value) == wanted
        assert calls == []

    def test_a_gradient_of_another_kind_is_refused(self, calls):
        with pytest.raises(TypeError) as error:
            leaf(3.0).backward(2.0)
        assert str(error.value) == "'float' object is not iterable"
        with pytest.raises(TypeError) as error:
            leaf(3.0).backward([2.0])
        wanted = "gradients can be either Tensors, Variables or None, but got float"
        assert str(error.value) == wanted

    def test_a_root_that_is_no_scalar_needs_a_gradient(self, calls):
        with pytest.raises(RuntimeError) as error:
            (leaf() * 2).backward()
        assert str(error.value) == "grad can be implicitly created only for scalar outputs"


class TestBackward:
    def test_a_first_derivative_is_volatile(self):
        x = leaf()
        (x * x * x).sum().backward()
        assert x.grad.data.tolist() == [3.0, 12.0]
        assert (x.grad.volatile, x.grad.requires_grad) == (True, False)

    @pytest.mark.parametrize("create_graph", [None, True])
    def test_a_second_derivative(self, create_graph):
        x = leaf()
        gradient = Variable(minitorch.ones(2)) if create_graph is None else minitorch.ones(2)
        (x * x * x).backward(gradient, create_graph=create_graph)
        first = x.grad
        assert (first.volatile, first.requires_grad) == (False, True)
        x.grad = None
        first.sum().backward()
        assert x.grad.data.tolist() == [6.0, 12.0]

    def test_a_recorded_gradient_without_history_is_not_volatile(self):
        x = leaf()
        (x * 2).backward(Variable(minitorch.ones(2)))
        assert (x.grad.volatile, x.grad.requires_grad) == (False, False)
        (x * 2).sum().backward()
        assert not x.grad.volatile

    def test_the_graph_is_freed_unless_it_is_kept(self):
        x = leaf()
        y = (x * x).sum()
        y.backward(retain_graph=True)
        y.backward()
        assert x.grad.data.tolist() == [4.0, 8.0]
        with pytest.raises(RuntimeError, match="second time"):
            y.backward()

    def test_several_roots(self):
        x, still = leaf(), Variable(minitorch.ones(1))
        backward((x * 2, (x * 3).sum()), [minitorch.ones(2), None])
        assert x.grad.data.tolist() == [5.0, 5.0]
        with pytest.raises(RuntimeError, match="does not require grad"):
            still.backward()

    def test_too_few_gradients_are_refused(self):
        with pytest.raises(RuntimeError) as error:
            backward([leaf(1.0), leaf(2.0)], [None])
        assert str(error.value) == "got 2 variables and 1 gradients"


class TestGrad:
    def test_gradients_of_leaves_and_results(self):
        x = leaf()
        y = x * x
        results = grad((y * y).sum(), [x, y])
        assert [r.data.tolist() for r in results] == [[4.0, 32.0], [2.0, 8.0]]
        assert [r.volatile for r in results] == [True, True]
        assert x.grad is None

    def test_the_second_derivative(self):
        x = leaf()
        (first,) = grad((x * x * x).sum(), x, create_graph=True)
        assert (first.volatile, first.requires_grad) == (False, True)
        assert grad(first.sum(), x)[0].data.tolist() == [6.0, 12.0]

    @pytest.mark.parametrize("only_inputs", [True, False])
    def test_other_leaves_get_theirs_only_when_asked(self, only_inputs):
        x, w = leaf(), leaf(3.0, 4.0)
        x.grad = Variable(minitorch.ones(2))
        (result,) = grad((x * w).sum(), x, only_inputs=only_inputs)
        assert result.data.tolist() == [3.0, 4.0]
        assert x.grad.data.tolist() == [1.0, 1.0]
        assert (w.grad is None) == only_inputs
        if not only_inputs:
            assert w.grad.data.tolist() == [1.0, 2.0]
            assert len(x._tensor._backward_hooks) == 0

    @pytest.mark.parametrize("only_inputs", [True, False])
    def test_an_input_outside_the_graph_is_an_error(self, only_inputs):
        with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
            grad(leaf().sum(), leaf(), only_inputs=only_inputs)

    def test_an_input_that_does_not_require_grad_is_an_error(self):
        with pytest.raises(RuntimeError) as error:
            grad(leaf().sum(), Variable(minitorch.ones(1)))
        assert str(error.value) == "One of the differentiated Variables does not require grad"


class TestEngine:
    @pytest.mark.parametrize(
        "arguments, message",
        [
            (([], (), False), "variables argument is expected to be a tuple, but got list"),
            (((), [], False), "grad_variables argument is expected to be a tuple, but got list"),
            (
                ((minitorch.ones(1),), (None,), False),
                "element 0 of variables tuple is not a Variable",
            ),
            (
                ((leaf(1.0),), (minitorch.ones(1),), False),
                "element 0 of gradients tuple is not a Variable or None",
            ),
            (
                ((leaf(1.0),), (None,), False),
                "element 0 of gradients tuple is None, but the corresponding Variable requires grad",
            ),
            (((), (), False, [leaf()]), "inputs to run_backward must be a tuple"),
            (((), (), False, (3,)), "all inputs have to be Variables, but got int"),
        ],
    )
    def test_wrong_arguments(self, arguments, message):
        with pytest.raises((RuntimeError, AttributeError)) as error:
            ImperativeEngine().run_backward(*arguments)
        assert (type(error.value), str(error.value)) == (RuntimeError, message)

    def test_it_is_called_by_keyword_too(self):
        x = leaf(3.0)
        assert (
            ImperativeEngine().run_backward(
                variables=(x * x,), grad_variables=(volatile(1.0),), keep_graph=False
            )
            is None
        )
        assert x.grad.data.tolist() == [6.0]

    def test_the_engine_underneath_is_the_one_of_today(self):
        class Counting:
            def run_backward(self, *arguments, **keywords):
                calls.append(arguments)
                return engine.run_backward(*arguments, **keywords)

        calls, engine = [], minitorch.autograd.Variable._execution_engine
        minitorch.autograd.Variable._execution_engine = Counting()
        try:
            leaf(3.0).backward()
        finally:
            minitorch.autograd.Variable._execution_engine = engine
        assert len(calls) == 1

    def test_a_program_of_that_time(self):
        """Newton's method on sin, with grad of grad."""
        x = Variable(minitorch.tensor([2.5]), requires_grad=True)
        for _ in range(6):
            y = -legacy.cos(x)
            (first,) = grad(y, x, create_graph=True)
            (second,) = grad(first, x)
            x.data -= first.data / second.data
        assert abs(x.data.item() - minitorch.pi) < 1e-4
