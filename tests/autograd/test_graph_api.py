"""`torch.autograd.graph` and its relatives: edges, nodes, versions, dictionaries of inputs."""

from collections import OrderedDict

import pytest

from tests.both import like_pytorch

pytestmark = pytest.mark.core


def leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


def errors_of(*actions):
    """Type and text of what each action raises."""
    result = []
    for action in actions:
        try:
            action()
        except Exception as error:
            result.append((type(error).__name__, str(error)))
        else:
            result.append(None)
    return result


# ---- edges


@like_pytorch
def test_the_edge_of_a_result_and_of_a_leaf(torch):
    x = leaf(torch)
    edge = torch.autograd.graph.get_gradient_edge
    part = edge((x * 2).unbind()[1])
    sink = edge(x)
    return (
        (part.node.name(), part.output_nr, part.ownership_token),
        (sink.node.name(), sink.output_nr, sink.ownership_token, sink.node.variable is x),
        sink.node is edge(x).node,
        part._fields,
        type(part).__name__,
    )


@like_pytorch
def test_the_edge_of_what_has_none(torch):
    edge = torch.autograd.graph.get_gradient_edge
    return errors_of(lambda: edge(torch.ones(1)), lambda: edge(3))


@like_pytorch
def test_edges_as_roots_and_ends(torch):
    x = leaf(torch)
    y = x * x
    z = y.exp()
    edge = torch.autograd.graph.get_gradient_edge
    seed = torch.ones(2)
    grads = [
        torch.autograd.grad(edge(z), x, seed, retain_graph=True),
        torch.autograd.grad(edge(z), edge(y), seed, retain_graph=True),
        torch.autograd.grad([edge(z)], [edge(x), y], [seed], retain_graph=True),
    ]
    torch.autograd.backward(edge(z), seed, inputs=edge(x), retain_graph=True)
    torch.autograd.backward([edge(z)], [seed], inputs=[edge(y)])
    return grads, x.grad


@like_pytorch
def test_a_scalar_edge_makes_its_own_gradient(torch):
    x = leaf(torch)
    edge = torch.autograd.graph.get_gradient_edge((x * x).sum())
    return torch.autograd.grad(edge, x)


@like_pytorch
def test_edges_keep_the_graph_alive(torch):
    x = leaf(torch)
    y = x * x
    edge = torch.autograd.graph.get_gradient_edge(y)
    del y
    return torch.autograd.grad(edge, x, torch.ones(2))


@like_pytorch
def test_gradients_that_do_not_fit_an_edge(torch):
    x = leaf(torch)
    edge = torch.autograd.graph.get_gradient_edge
    part = edge((x * 2).unbind()[1])
    return errors_of(
        lambda: torch.autograd.grad(part, x, torch.ones(3)),
        lambda: torch.autograd.grad(edge(x * 2), x),
        lambda: torch.autograd.grad((x * 2).sum(), part),
        lambda: torch.autograd.grad((x * 2).sum(), edge(leaf(torch))),
    )


@like_pytorch
def test_other_edges_of_another_node(torch):
    x = leaf(torch)
    y = x.exp()
    node = y.grad_fn
    edge = torch.autograd.graph.GradientEdge(node, 0)
    return torch.autograd.grad(edge, x, torch.ones(2)), edge.node is node


# ---- dictionaries of inputs


@like_pytorch
def test_gradients_by_name(torch):
    a, b = leaf(torch), leaf(torch)
    grad = torch.autograd.grad
    unused = {"b": b, "a": a}
    (a * b).sum().backward(inputs={"a": a})
    return (
        grad((a * b).sum(), {"a": a, "b": b}),
        grad((a * 2).sum(), unused, allow_unused=True),
        grad((a * 2).sum(), unused, materialize_grads=True),
        a.grad,
        b.grad,
    )


@like_pytorch
def test_dictionaries_that_are_refused(torch):
    a = leaf(torch)
    y = (a * 2).sum()
    return errors_of(
        lambda: torch.autograd.grad(y, {}),
        lambda: torch.autograd.grad(y, OrderedDict(a=a)),
        lambda: torch.autograd.backward(y, inputs={}),
        lambda: torch.autograd.backward(y, inputs=OrderedDict()),
        lambda: torch.autograd.grad(y, {"a": 3}),
        lambda: torch.autograd.grad(y, {"a": leaf(torch)}),
    )


# ---- nodes


@like_pytorch
def test_what_is_a_node(torch):
    class Identity(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

    Node = torch.autograd.graph.Node
    x = leaf(torch)
    nodes = [
        (x * 2).grad_fn,
        Identity.apply(x).grad_fn,
        torch.autograd.graph.get_gradient_edge(x).node,
    ]
    return [isinstance(n, Node) for n in nodes], isinstance(x, Node), isinstance(None, Node)


@like_pytorch
def test_the_base_of_nodes_cannot_be_made(torch):
    torch.autograd.graph.Node()


@like_pytorch
def test_input_metadata(torch):
    x = leaf(torch)
    nodes = [(x * 2).grad_fn, torch.stack([x, x]).grad_fn, torch.stack([x, x]).unbind()[0].grad_fn]
    nodes.append(torch.autograd.graph.get_gradient_edge(x).node)
    result = []
    for node in nodes:
        data = node._input_metadata
        result.append(
            (
                type(data).__name__,
                [(m.shape, str(m.dtype), str(m.device), m.is_nested_tensor) for m in data],
            )
        )
    return result


@like_pytorch
def test_attributes_of_nodes(torch):
    node = (leaf(torch) * 2).grad_fn
    same = node.metadata is node.metadata
    node.metadata["note"] = 1
    return (
        same,
        node.metadata,
        errors_of(
            lambda: setattr(node, "note", 1),
            lambda: setattr(node, "metadata", 1),
            lambda: setattr(node, "next_functions", ()),
            lambda: node.something,
        ),
        node == node,
        type(node).__name__,
        repr(node).split(" at ")[0],
    )


@like_pytorch
def test_sequence_numbers(torch):
    x = leaf(torch)
    first, second = (x * 2).grad_fn, (x * 3).grad_fn
    sink = torch.autograd.graph.get_gradient_edge(x).node
    step = second._sequence_nr() - first._sequence_nr()
    first._set_sequence_nr(12345)
    return step, sink._sequence_nr(), first._sequence_nr()


@like_pytorch
def test_one_node_for_all_outputs(torch):
    a, b = leaf(torch).unbind()
    return a.grad_fn is b.grad_fn, a.output_nr, b.output_nr, a.grad_fn == b.grad_fn


@like_pytorch
def test_walking_the_graph(torch):
    x, w = leaf(torch), leaf(torch)
    y = ((x * w).exp() + torch.stack([x, w]).sum(0)).sum()
    names, stack = [], [y.grad_fn]
    while stack:
        node = stack.pop()
        names.append(node.name())
        stack += [n for n, _ in node.next_functions if n is not None]
    return names


# ---- versions


@like_pytorch
def test_increment_version(torch):
    increment = torch.autograd.graph.increment_version
    x, y = torch.ones(2), torch.ones(2)
    increment(x)
    increment([x, y, x])
    increment(t for t in (y, y))
    view = x[:1]
    increment(view)
    return x._version, y._version, view._version, increment(())


@like_pytorch
def test_increment_version_of_what_is_no_tensor(torch):
    increment = torch.autograd.graph.increment_version
    return errors_of(
        lambda: increment(3),
        lambda: increment([3]),
        lambda: increment("a"),
        lambda: increment(None),
    )


@like_pytorch
def test_a_graph_notices_the_incremented_version(torch):
    x = leaf(torch) * 1
    y = x * x
    torch.autograd.graph.increment_version(x)
    y.sum().backward()


@like_pytorch
def test_preserved_versions(torch):
    preserve = torch.autograd.grad_mode._unsafe_preserve_version_counter
    x = leaf(torch)
    y = x * 1
    z = y * y
    with torch.no_grad(), preserve(y):
        y.mul_(2)
    versions = [y._version]
    with preserve((x, y)):
        with torch.no_grad():
            x.add_(1)
            y.mul_(0.5)
    versions += [x._version, y._version]
    z.sum().backward()
    return versions, x.grad, errors_of(lambda: preserve([x]))


# ---- layout of gradients


@pytest.mark.parametrize("enforced", [True, False])
def test_the_layout_of_a_gradient(enforced):
    @like_pytorch
    def program(torch):
        x = torch.ones(2, 3).t().requires_grad_()
        with torch.autograd.enforce_grad_layout_policy(enforced):
            (x * 2).backward(torch.arange(6.0).reshape(3, 2))
        y = torch.ones(2, 3).t().requires_grad_()
        (y * 2).backward(torch.arange(6.0).reshape(3, 2))
        return x.grad, y.grad

    program()


# ---- the old name


@like_pytorch
def test_variable(torch):
    Variable = torch.autograd.Variable
    x = leaf(torch)
    made = [Variable(x), Variable(x, True), Variable(), Variable(data=x * 2), Variable(None)]
    made.append(Variable(torch.ones(2), volatile=True))
    return made, made[1].is_leaf, isinstance(x, Variable), isinstance(3, Variable)


@like_pytorch
def test_variables_that_cannot_be(torch):
    Variable = torch.autograd.Variable
    return errors_of(
        lambda: Variable(3),
        lambda: Variable([1.0]),
        lambda: Variable(torch.ones(2), True, True),
        lambda: Variable(torch.arange(2), True),
        lambda: torch.autograd.variable(2.0),
    )


@pytest.mark.parametrize("used", [True, False])
def test_a_gradient_of_zeros_needs_a_tensor_to_be_like(used):
    @like_pytorch
    def program(torch):
        x, y = (torch.ones(2, requires_grad=True).clone() for _ in range(2))
        edge = torch.autograd.graph.get_gradient_edge(x if used else y)
        return torch.autograd.grad(
            x.clone().sum(), (edge, y if used else x), allow_unused=True, materialize_grads=True
        )

    program()


@like_pytorch
def test_names_that_stand_in_the_module_as_well(torch):
    autograd = torch.autograd
    x = torch.ones(1, requires_grad=True)
    number = autograd._get_sequence_nr()
    return (
        *(autograd.torch is torch, (x * 2).grad_fn._sequence_nr() == number),
        *(autograd.is_tensor_like(x), autograd.has_torch_function((x,))),
        autograd.ProfilerActivity is torch.profiler.ProfilerActivity,
        *(str(autograd.DeviceType.CPU), autograd.SavedTensor.__name__),
    )


@like_pytorch
def test_the_class_of_a_function_is_no_node_and_the_class_of_its_nodes_is(torch):
    node = torch.autograd.graph.Node
    function = torch.autograd.function

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 2

    made = Double.apply(torch.ones(2, requires_grad=True)).grad_fn
    classes = [Double, type(made), function.Function, function.BackwardCFunction]
    classes += [function._SingleLevelFunction, function.NestedIOFunction, int, torch.Tensor]
    return [issubclass(each, node) for each in classes], isinstance(made, node)
