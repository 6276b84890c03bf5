"""Pictures of graphs and of traces: what is in them, and that nothing overlaps."""

import random
import xml.etree.ElementTree as ElementTree

import pytest

import minitorch as torch
from minitorch.autograd.observe.layered_layout import GAP, lay_out, layers_of

SVG = "{http://www.w3.org/2000/svg}"


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def leaves():
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = torch.tensor(2.0, requires_grad=True)
    return w, b


def traced():
    w, b = leaves()
    with torch.autograd.trace({"w": w, "b": b}) as steps:
        h = w * b
        (h * h).sum().backward()
    return steps, w, b


def texts(svg, name):
    root = ElementTree.fromstring(svg)
    return [
        [t.text for t in group.iter(f"{SVG}text")]
        for group in root.iter(f"{SVG}g")
        if name in group.get("class", "").split()
    ]


class TestPicture:
    def test_boxes_have_name_shape_and_order_of_execution(self):
        steps, _, _ = traced()
        shown = texts(steps.to_svg(), "node")
        number = {n.id: n.sequence_nr for n in steps.nodes}
        assert shown == [
            ["SumBackward0", f"{number[0]}: float32[]", "1"],
            ["MulBackward0", f"{number[1]}: float32[3]", "2"],
            ["MulBackward0", f"{number[2]}: float32[3]", "3"],
            ["AccumulateGrad w", "float32[3]", "4"],
            ["AccumulateGrad b", "float32[]", "5"],
        ]

    def test_there_is_an_arrow_for_each_edge(self):
        steps, _, _ = traced()
        root = ElementTree.fromstring(steps.to_svg())
        assert len([p for p in root.iter(f"{SVG}path") if p.get("class") == "edge"]) == 5

    def test_a_node_that_runs_twice_has_both_numbers(self):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        with torch.autograd.trace() as steps:
            y.backward(torch.ones(2), retain_graph=True)
            y.backward(torch.ones(2))
        assert [box[2] for box in texts(steps.to_svg(), "node")] == ["1, 3", "2, 4"]

    def test_everything_lies_inside_the_picture(self):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        with torch.autograd.trace() as steps:
            for _ in range(9):
                y.backward(torch.ones(2), retain_graph=True)
        root = ElementTree.fromstring(steps.to_svg())
        width = float(root.get("width"))
        margin = float(root.find(f"{SVG}g").get("transform")[len("translate(") :].split()[0])
        for group in root.iter(f"{SVG}g"):
            if "node" in group.get("class", ""):
                left = margin + float(group.get("transform")[len("translate(") :].split()[0])
                for box in group.iter(f"{SVG}rect"):
                    start = left + float(box.get("x", 0))
                    assert start >= 0
                    assert start + float(box.get("width")) <= width

    def test_what_did_not_run_is_pale(self):
        w, b = leaves()
        y = (w * b).sum() + (w * w).sum()
        with torch.autograd.trace() as steps:
            torch.autograd.grad(y, b)
        assert [box[0] for box in texts(steps.to_svg(), "idle")] == [
            "SumBackward0",
            "MulBackward0",
            "AccumulateGrad",
        ]

    def test_names_that_are_no_markup_are_escaped(self):
        name = '<b>&"\x00'
        cls = type(
            "F<script>&",
            (torch.autograd.Function,),
            {
                "forward": staticmethod(lambda ctx, x: x * 1),
                "backward": staticmethod(lambda ctx, g: g),
            },
        )
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.trace({name: x}) as steps:
            cls.apply(x).sum().backward()
        svg = steps.to_svg()
        assert "<script>" not in svg + steps._repr_html_()
        shown = [box[0] for box in texts(svg, "node")]
        assert shown == ["SumBackward0", "F<script>&Backward", 'AccumulateGrad <b>&"\ufffd']

    def test_a_notebook_gets_the_picture_and_the_table(self):
        steps, _, _ = traced()
        assert steps._repr_svg_() == steps.to_svg()
        page = steps._repr_html_()
        ElementTree.fromstring(f"<div>{page}</div>")
        assert page.count("<tr>") == len(steps)

    def test_a_notebook_is_not_flooded(self):
        x = torch.ones(1, requires_grad=True)
        y = x
        for _ in range(1100):
            y = y * 2
        assert torch.autograd.graph.draw(y)._repr_svg_() is None
        with torch.autograd.trace() as steps:
            y.backward()
        page = steps._repr_html_()
        ElementTree.fromstring(f"<div>{page}</div>")
        assert page.count("<tr>") == 2001
        assert "<svg" not in page
        assert steps.to_svg().count('class="node ') == 1101

    def test_an_empty_trace_is_an_empty_picture(self):
        ElementTree.fromstring(torch.autograd.trace().to_svg())

    @pytest.mark.parametrize("ending", ["svg", "json", "txt"])
    def test_it_can_be_saved(self, tmp_path, ending):
        steps, _, _ = traced()
        path = tmp_path / f"steps.{ending}"
        steps.save(path)
        made = {"svg": steps.to_svg(), "json": steps.to_json(), "txt": str(steps)}
        assert path.read_text(encoding="utf-8") == made[ending]

    def test_another_ending_is_refused(self, tmp_path):
        steps, _, _ = traced()
        with pytest.raises(ValueError, match="has to end in .svg or .json or .txt"):
            steps.save(tmp_path / "steps.png")
        assert list(tmp_path.iterdir()) == []


class TestDraw:
    def test_the_graph_of_a_tensor(self, tmp_path):
        w, b = leaves()
        h = w * b
        picture = torch.autograd.graph.draw((h * h).sum(), {"w": w, "h": h})
        shown = [box[0] for box in texts(picture._repr_svg_(), "node")]
        assert shown == [
            "SumBackward0",
            "MulBackward0",
            "MulBackward0 h",
            "AccumulateGrad w",
            "AccumulateGrad",
        ]
        picture.save(tmp_path / "graph.svg")
        assert (tmp_path / "graph.svg").read_text(encoding="utf-8") == picture.to_svg()

    def test_nothing_is_run_and_nothing_noted(self):
        w, b = leaves()
        y = (w * b).sum()
        torch.autograd.graph.draw(y).to_svg()
        assert w.grad is None
        y.backward()
        assert w.grad.tolist() == [2.0, 2.0, 2.0]

    def test_a_leaf_several_roots_and_an_edge(self):
        w, b = leaves()
        assert repr(torch.autograd.graph.draw(w)) == "<Diagram of 1 nodes, 0 edges>"
        y = w * b
        assert repr(torch.autograd.graph.draw([y, w.sum()])) == "<Diagram of 4 nodes, 3 edges>"
        edge = torch.autograd.graph.get_gradient_edge(y)
        assert repr(torch.autograd.graph.draw(edge)) == "<Diagram of 3 nodes, 2 edges>"

    def test_functions_of_the_user_and_lines_of_the_program(self):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.graph.record_origin():
            y = Twice.apply(x)
        svg = torch.autograd.graph.draw(y).to_svg()
        assert [box[0] for box in texts(svg, "function")] == ["TwiceBackward"]
        assert "y = Twice.apply(x)" in svg

    def test_a_tensor_without_a_graph_is_refused(self):
        with pytest.raises(RuntimeError, match="does not require grad"):
            torch.autograd.graph.draw(torch.ones(2))

    @pytest.mark.parametrize("leaf_everywhere", [False, True])
    def test_a_long_chain_is_drawn(self, leaf_everywhere):
        x = torch.ones(1, requires_grad=True)
        y = x
        for _ in range(1000):
            y = y * (x if leaf_everywhere else 2)
        root = ElementTree.fromstring(torch.autograd.graph.draw(y).to_svg())
        assert len(list(root.iter(f"{SVG}text"))) == 2 * 1001


def crossings(widths, edges):
    """How many edges between two layers next to each other cross."""
    centres, layers, _ = lay_out(widths, edges)
    ends = [(layers[a], centres[a], centres[b]) for a, b in edges if layers[b] == layers[a] + 1]
    return sum(
        layer == other and top < other_top and bottom > other_bottom
        for layer, top, bottom in ends
        for other, other_top, other_bottom in ends
    )


class TestLayout:
    GRAPHS = [
        (5, [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3), (3, 4), (0, 4)]),
        (6, [(0, 3), (1, 3), (2, 3), (0, 4), (1, 5), (2, 5), (2, 4)]),
        (4, [(0, 1), (0, 1), (1, 2), (1, 3)]),
        (3, []),
    ]

    @pytest.mark.parametrize("count, edges", GRAPHS)
    def test_edges_run_down_and_a_layer_is_the_longest_path(self, count, edges):
        layers = layers_of(count, edges)
        for node in range(count):
            above = [layers[source] for source, target in edges if target == node]
            assert layers[node] == max(above, default=-1) + 1

    @pytest.mark.parametrize("count, edges", GRAPHS)
    def test_boxes_of_a_layer_do_not_overlap(self, count, edges):
        widths = [50 + 30 * (k % 3) for k in range(count)]
        centres, layers, routes = lay_out(widths, edges)
        for a in range(count):
            for b in range(a):
                if layers[a] == layers[b]:
                    apart = abs(centres[a] - centres[b])
                    assert apart >= (widths[a] + widths[b]) / 2 + GAP - 1e-6
        for (source, target), route in zip(edges, routes, strict=True):
            assert [layer for _, layer in route] == list(range(layers[source] + 1, layers[target]))
            for x, layer in route:
                for box in range(count):
                    if layers[box] == layer:
                        assert abs(x - centres[box]) > widths[box] / 2

    def test_crossings_are_taken_out(self):
        # written so that the order of the numbers crosses every edge
        edges = [(0, 5), (1, 4), (2, 3)]
        assert crossings([50] * 6, edges) == 0

    @pytest.mark.parametrize("seed", range(20))
    def test_a_tree_has_no_crossings(self, seed):
        chance = random.Random(seed)
        names = list(range(15))
        chance.shuffle(names)
        edges = [(names[(k - 1) // 2], names[k]) for k in range(1, 15)]
        chance.shuffle(edges)
        assert crossings([50] * 15, edges) == 0

    def test_a_chain_is_straight(self):
        centres, _, _ = lay_out([80, 40, 60], [(0, 1), (1, 2)])
        assert centres == [40, 40, 40]
