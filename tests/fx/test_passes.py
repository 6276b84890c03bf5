"""What is done to graphs: patterns replaced, modules split and fused, arguments in one form."""

import importlib
import operator
import warnings

import pytest

from tests.both import compare, like_pytorch


def module(torch, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what else PyTorch's imports
        return importlib.import_module(f"{torch.__name__}.{name}")


def both_functions(x):
    y = x.relu()
    return y.sin(), y.cos()


PATTERNS = {
    "one node": lambda torch: (
        lambda x: torch.neg(x) + torch.sigmoid(x), lambda x: torch.neg(x), lambda x: torch.relu(x)
    ),
    "the whole program": lambda torch: (
        lambda x: torch.neg(x), lambda x: torch.neg(x), lambda x: x.sin().cos()
    ),
    "two places": lambda torch: (
        lambda x: torch.add(torch.relu(torch.add(torch.relu(x), 1)), 1),
        lambda x: torch.add(torch.relu(x), 1),
        lambda x: torch.sigmoid(x),
    ),
    "places that overlap": lambda torch: (
        lambda x: x.relu().relu().relu(), lambda x: x.relu().relu(), lambda x: x.neg()
    ),
    "a value that is used outside": lambda torch: (
        lambda x: torch.neg(torch.relu(x)) + torch.relu(x), lambda x: torch.neg(torch.relu(x)),
        lambda x: x * 3,
    ),
    "two outputs": lambda torch: (both_functions, both_functions, lambda x: (x.exp(), x.log())),
    "another constant": lambda torch: (lambda x: x + 4, lambda x: x + 3, lambda x: x * 2),
    "a constant for an input": lambda torch: (
        lambda x: x + 4, lambda x, y: x + y, lambda x, y: x * y
    ),
    "another name": lambda torch: (
        lambda x: torch.sum(x, dim=0), lambda x: torch.sum(x, 0), lambda x: x
    ),
    "other parameters": lambda torch: (lambda x: x.neg(), lambda x: x.neg(), lambda x, y: x + y),
    "other results": lambda torch: (lambda x: x.neg(), lambda x: x.neg(), lambda x: (x, x)),
    "dead code": lambda torch: (lambda x: x.neg(), lambda x: (x.sin(), x.cos())[1], lambda x: x),
}  # fmt: skip


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns(name):
    def program(torch):
        function, pattern, replacement = PATTERNS[name](torch)
        traced = torch.fx.symbolic_trace(function)
        places = torch.fx.replace_pattern(traced, pattern, replacement)
        traced.graph.lint()
        maps = [(str(place.anchor), str(place.nodes_map)) for place in places]
        return traced.code, maps, traced(torch.ones(2))

    compare(program)


@like_pytorch
def test_patterns_with_modules(torch):
    class Pattern(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.act = torch.nn.ReLU()

        def forward(self, x):
            return self.act(x)

    class Net(Pattern):
        def forward(self, x):
            return self.act(x) + 1

    class Other(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.other = torch.nn.Sigmoid()

        def forward(self, x):
            return self.other(x)

    traced = torch.fx.symbolic_trace(Net())
    torch.fx.replace_pattern(traced, Pattern(), torch.fx.symbolic_trace(Other()))
    return traced.code, sorted(dict(traced.named_modules())), traced(torch.zeros(1))


@like_pytorch
def test_places_are_chosen(torch):
    rewriter = module(torch, "fx.subgraph_rewriter")
    traced = torch.fx.symbolic_trace(lambda x: torch.relu(x) + torch.relu(x + 1))

    def of_input(match, graph, pattern):
        return match.placeholder_nodes[0].op == "placeholder"

    (place,) = rewriter.replace_pattern_with_filters(
        traced, lambda x: torch.relu(x), lambda x: x.sin().cos(), [of_input]
    )
    loose = torch.fx.symbolic_trace(lambda x: torch.add(x, 4))
    rewriter.replace_pattern_with_filters(
        loose, lambda x: torch.add(x, 3), ignore_literals=True,
        replacement_callback=lambda *_: torch.fx.symbolic_trace(lambda x: x - 1).graph,
    )  # fmt: skip
    return traced.code, str(place.replacements), loose.code


@like_pytorch
def test_a_pattern_without_replacement(torch):
    traced = torch.fx.symbolic_trace(lambda x: x + 1)
    module(torch, "fx.subgraph_rewriter").replace_pattern_with_filters(traced, lambda x: x + 1)


class Parts:
    """A module, and the number of the part of each of its nodes."""

    @staticmethod
    def net(torch):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = torch.nn.Linear(4, 4)
                self.shift = torch.nn.Parameter(torch.ones(4))

            def forward(self, x, y):
                z = self.linear(x + self.shift).clamp(min=0)
                return z + self.linear(y).neg(), z

        torch.manual_seed(0)
        return Net()

    numbers = {"add": 0, "linear": 0, "clamp": 1, "linear_1": 1, "neg": 2, "add_1": 2}


@pytest.mark.parametrize("options", [{}, {"keep_original_order": True}, {"tuple_return": True},
                                     {"partition_affix": "p", "keep_original_input_name": False},
                                     {"keep_original_node_name": True}])  # fmt: skip
def test_a_module_is_split(options):
    def program(torch):
        net, names = Parts.net(torch), {}
        traced = torch.fx.symbolic_trace(net)
        split = module(torch, "fx.passes.split_module").split_module(
            traced, net, lambda node: Parts.numbers[node.name], names, **options
        )
        codes = [part.code for _, part in split.named_children()]
        x = torch.ones(2, 4)
        assert torch.equal(split(x, x)[0], net(x, x)[0])
        return split.code, codes, names, sorted(split.meta["partition_names"])

    compare(program)


@like_pytorch
def test_parts_that_need_each_other(torch):
    traced = torch.fx.symbolic_trace(lambda x: x.neg().sin().neg())
    split = module(torch, "fx.passes.split_module").split_module
    split(traced, traced, lambda node: node.target)


@like_pytorch
def test_batch_norms_become_part_of_layers(torch):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.BatchNorm2d(2), torch.nn.Dropout())
    fused = module(torch, "fx.experimental.optimization").fuse(net.eval())
    plain = module(torch, "fx.experimental.optimization").remove_dropout(net)
    x = torch.rand(1, 1, 4, 4)
    return fused.code, plain.code, torch.allclose(fused(x), net(x), atol=1e-6)


@like_pytorch
def test_targets_and_sizes(torch):
    tools = module(torch, "fx.passes.graph_manipulation")
    traced = torch.fx.symbolic_trace(lambda a, b: a + b)
    tools.replace_target_nodes_with(
        traced, "call_function", operator.add, "call_function", operator.mul
    )
    tools.get_size_of_all_nodes(traced, [torch.ones(2), torch.ones(2)])
    return traced.code, [getattr(node, "size_bytes", None) for node in traced.graph.nodes]


def passes(torch):
    base = module(torch, "fx.passes.infra.pass_base")
    manager = module(torch, "fx.passes.infra.pass_manager")

    def rename(gm):
        for node in gm.graph.find_nodes(op="call_function", target=operator.add):
            node.target = operator.mul

    def nothing(gm):
        return base.PassResult(gm, False)

    return manager, manager.pass_result_wrapper(rename), nothing, rename


@like_pytorch
def test_passes_one_after_the_other(torch):
    manager, rename, nothing, _ = passes(torch)
    first = manager.this_before_that_pass_constraint(nothing, rename)
    run = manager.PassManager([rename, nothing], [first])
    result = run(torch.fx.symbolic_trace(lambda x: x + 3))
    return result.graph_module.code, result.modified, [p.__name__ for p in run.passes]


@like_pytorch
def test_a_pass_that_returns_nothing(torch):
    manager, _, _, rename = passes(torch)
    manager.PassManager([rename])(torch.fx.symbolic_trace(lambda x: x + 3))


@like_pytorch
def test_arguments_in_one_form(torch):
    schemas = module(torch, "fx.operator_schemas")
    net = torch.nn.Sequential(torch.nn.Linear(1, 1))
    named = {"normalize_to_only_use_kwargs": True}
    return [
        str(schemas.normalize_function(torch.relu, (1,), **named)),
        str(schemas.normalize_function(torch.nn.functional.relu, (1, True), **named)),
        str(schemas.normalize_function(operator.add, (1, 2))),
        str(schemas.normalize_module(net, "0", (3,), **named)),
        [list(form.parameters) for form in schemas.get_signature_for_torch_op(torch.relu)],
    ]


@like_pytorch
def test_operators_that_write_are_refused(torch):
    class Pure(torch.fx.Tracer):
        check_mutable_operations = True

    Pure().trace(lambda x: torch.ops.aten.add_.Tensor(x, 1))
