"""Recordings of programs: their states, their explanations and the HTML that plays them."""

import copy
import html
import json
import re
from html.parser import HTMLParser

import pytest

import minitorch as torch
from minitorch.autograd.observe import engine_sources, player_page, tracing
from minitorch.autograd.observe.program_recording import record_program
from minitorch.autograd.observe.trace_replay import phase_of, replay
from tests.autograd.test_trace_json import errors
from tests.site.replayed import PROGRAMS, ROOT, expected

SCHEMA = json.loads((ROOT / "docs" / "trace.schema.json").read_text(encoding="utf-8"))
_recordings = {}


@pytest.fixture(params=PROGRAMS, ids=lambda path: path.stem)
def recording(request):
    path = request.param
    if path not in _recordings:
        _recordings[path] = json.loads(record_program(path).to_json())
    return _recordings[path]


def of(name):
    path = ROOT / "docs" / "recordings" / f"{name}.py"
    return record_program(path).recording()


class TestRecording:
    def test_it_fits_the_schema(self, recording):
        assert list(errors(SCHEMA, recording, SCHEMA)) == []

    def test_only_the_recording_of_an_error_has_one(self, recording):
        is_error = recording["program"]["name"] == "error.py"
        assert (recording["error"] is not None) == is_error

    def test_every_event_has_a_line_of_the_program_and_of_the_engine(self, recording):
        lines = recording["program"]["source"].splitlines()
        for event in recording["events"]:
            if event["program_line"] is None:  # a note from the thread that reduces buckets
                assert event["kind"] == "note" and event["task"] is None
            else:
                line = lines[event["program_line"] - 1]
                assert "backward(" in line or "grad(" in line
            source = recording["sources"][event["function"]]
            line = source["text"].splitlines()[event["line"] - source["first_line"]]
            place = engine_sources.place_of(
                event["kind"], event["source"] is not None, event["detail"]
            )
            assert place.call in line

    def test_edges_lead_to_the_nodes_that_are_counted(self, recording):
        for event in recording["events"]:
            if event["kind"] == "dependency" and event["source"] is not None:
                edge = recording["nodes"][event["source"]]["edges"][event["edge"]]
                assert edge == [event["node"], event["output_nr"]]

    def test_titles_tell_nodes_apart(self, recording):
        titles = [node["title"] for node in recording["nodes"]]
        assert len(set(titles)) == len(titles)

    def test_leaves_have_the_names_of_the_program(self):
        assert [n["label"] for n in of("broadcasting")["nodes"] if n["kind"] == "sink"] == [
            "s",
            "w",
            "b",
        ]

    def test_parameters_have_the_names_of_their_modules(self, tmp_path):
        path = tmp_path / "program.py"
        path.write_text(
            "import minitorch as torch\n"
            "net = torch.nn.Linear(2, 1)\n"
            "net(torch.ones(1, 2)).sum().backward()\n"
        )
        labels = {n["label"] for n in record_program(path).recording()["nodes"]}
        assert {"net.weight", "net.bias"} <= labels

    def test_values_are_those_of_the_program(self):
        recording = of("chain")
        values = {
            recording["nodes"][e["node"]]["name"]: e["gradients"][0]["values"]
            for e in recording["events"]
            if e["kind"] == "apply"
        }
        x = torch.tensor([0.5, 1.0, 2.0])
        assert values["MulBackward0"] == pytest.approx((2 * x).exp().tolist())
        assert recording["events"][-1]["result"]["values"] == pytest.approx(
            (2 * (2 * x).exp()).tolist()
        )

    def test_all_values_are_known_and_agree(self, recording):
        if any(saved["shape"] is None for node in recording["nodes"] for saved in node["saved"]):
            return  # applying a node twice would run the checkpoint twice
        if "vmap(" in recording["program"]["source"]:
            return  # the elements of a sample cannot be read while its level is entered
        held, sent = {}, {}
        hooked = {e["node"] for e in recording["events"] if e["kind"] == "hook"}
        for event in recording["events"]:
            gradients = [g and g["values"] for g in event["gradients"]]
            key = event["task"], event["node"], event["output_nr"]
            if event["kind"] == "validate":
                assert None not in gradients
                sent.setdefault((event["source"], *key), []).append(gradients[1])
            elif event["kind"] == "buffer":
                if event["source"] is not None:
                    assert gradients[0] == sent[event["source"], *key].pop(0)
                first = event["detail"] == "first"
                total = torch.tensor(gradients[0]) + (0 if first else torch.tensor(held[key]))
                held[key] = event["result"]["values"]
                assert torch.tensor(held[key]).equal(total)
            elif event["kind"] == "apply" and event["node"] not in hooked:
                assert gradients == [
                    held.pop((event["task"], event["node"], nr), None)
                    for nr in range(len(gradients))
                ]
            elif event["kind"] in ("hook", "capture", "accumulate", "root"):
                assert None not in gradients

    def test_recording_values_runs_no_function_twice_and_no_hook(self):
        calls = []

        class Noted(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.clone()

            @staticmethod
            def backward(ctx, gradient):
                calls.append("backward")
                return gradient * 2

        x = torch.ones(2, requires_grad=True)
        y = Noted.apply(x * 3)
        y.grad_fn.register_hook(lambda *_: calls.append("hook"))
        y.grad_fn.next_functions[0][0].register_hook(lambda *_: calls.append("hook"))
        with torch.autograd.graph.saved_tensors_hooks(
            lambda t: t, lambda t: calls.append("unpack") or t
        ):
            z = (y * y).sum()
        with torch.autograd.trace(values=8):
            z.backward()
        assert sorted(calls) == ["backward", "hook", "hook", "unpack", "unpack"]
        assert x.grad.tolist() == [36.0, 36.0]

    def test_values_of_large_tensors_are_left_out(self):
        x = torch.ones(5, requires_grad=True)
        with torch.autograd.trace(values=4) as steps:
            (x * 2).sum().backward()
        values = [g["values"] for e in steps.recording()["events"] for g in e["gradients"] if g]
        assert values.count(None) > 0 and all(v is None or v == 1.0 for v in values)

    def test_without_values_nothing_is_copied(self, recording):
        steps = record_program(
            ROOT / "docs" / "recordings" / recording["program"]["name"], values=None
        )
        found = steps.recording()
        assert all(
            g is None or g["values"] is None for e in found["events"] for g in e["gradients"]
        )
        assert [e["kind"] for e in found["events"]] == [e["kind"] for e in recording["events"]]

    def test_traces_with_and_without_values_can_be_open_together(self):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.trace(values=4) as known, torch.autograd.trace() as unknown:
            (x * 3).sum().backward()
        assert [g.values for e in known.of("apply") for g in e.gradients] == [
            1.0,
            [1.0] * 2,
            [3.0] * 2,
        ]
        assert [g.values for e in unknown.of("apply") for g in e.gradients] == [None] * 3

    def test_ctrl_c_while_a_trace_begins_leaves_it_closed(self, monkeypatch):
        def interrupted(filename):
            raise KeyboardInterrupt

        x = torch.ones(2, requires_grad=True)
        steps = torch.autograd.trace()
        with monkeypatch.context() as patched:
            patched.setattr(tracing, "TracedProgram", interrupted)
            with pytest.raises(KeyboardInterrupt), steps:
                pass
        x.sum().backward()
        assert len(steps) == 0
        with steps:
            x.sum().backward()
        assert len(steps) > 0

    def test_the_error_is_that_of_the_last_block(self):
        steps = torch.autograd.trace()
        with pytest.raises(ZeroDivisionError) as caught, steps:
            1 / 0  # noqa: B018
        assert steps.error is caught.value
        with steps:
            pass
        assert steps.error is None

    def test_values_do_not_end_stealing(self):
        x = torch.ones(200, requires_grad=True)
        y = (x * 2).tanh() * 3
        with torch.autograd.trace(values=1000) as steps:
            (y + y).sum().backward()
        assert [e.detail for e in steps.of("accumulate")] == ["taken"]

    def test_a_hook_that_replaces_the_gradient_is_not_overlooked(self):
        recording = of("hook")
        (halved,) = [n["id"] for n in recording["nodes"] if n["label"] == "h"]
        applied = next(
            e for e in recording["events"] if e["kind"] == "apply" and e["node"] == halved
        )
        assert applied["gradients"][0]["values"] == [4.0, 8.0]
        arrived = [
            e["result"]["values"]
            for e in recording["events"]
            if e["kind"] == "buffer" and e["node"] == halved
        ]
        assert arrived == [[4.0, 8.0], [8.0, 16.0]]
        seen = [e["gradients"][0]["values"] for e in recording["events"] if e["kind"] == "hook"]
        assert seen == [[8.0, 16.0], [4.0, 8.0]]


class TestStates:
    def test_each_is_what_the_history_says(self, recording):
        for k, state in enumerate(replay(recording)):
            wanted = expected(recording, k)
            nodes = range(len(recording["nodes"]))
            assert {n: phase_of(state, n) for n in nodes} == wanted["phases"]
            task = state["tasks"].get(str(state["task"]), {})
            assert task.get("queue", []) == wanted["queue"]
            for name in ("dependencies", "buffers"):
                assert {int(n): v for n, v in task.get(name, {}).items()} == wanted[name]
            assert {int(n): v for n, v in state["grads"].items()} == wanted["grads"]
            assert set(state["freed"]) == wanted["freed"]
            captured = state["captured"].get(str(state["task"]), {})
            assert {int(n): v for n, v in captured.items()} == wanted["captured"]

    def test_at_the_end_nothing_is_ready_or_running(self, recording):
        *_, state = replay(recording)
        phases = {phase_of(state, n) for n in range(len(recording["nodes"]))}
        if recording["error"] is None:
            assert phases <= {"done", "freed", "waiting"}
        else:
            assert "running" in phases

    def test_the_queue_has_the_size_that_the_engine_reports(self, recording):
        for state in replay(recording):
            event = recording["events"][state["event"] - 1]
            if state["event"] and event["kind"] in ("push", "pop"):
                assert len(state["tasks"][str(event["task"])]["queue"]) == event["count"]

    def test_an_inner_pass_has_a_queue_of_its_own(self):
        recording = of("re_entrant")
        outer, inner = dict.fromkeys(e["task"] for e in recording["events"])
        for state in map(copy.deepcopy, replay(recording)):
            if state["task"] == inner:
                running = state["tasks"][str(outer)]["running"]
                assert recording["nodes"][running]["name"] == "InnerBackward"


class TestExplanations:
    def test_each_event_has_one_that_names_its_node(self, recording):
        for event in recording["events"]:
            text = event["sentence"]
            assert re.fullmatch(r"(\w.*[.])", text) and "  " not in text
            if event["kind"] not in ("accumulate", "hook", "note"):
                assert recording["nodes"][event["node"]]["title"] in text

    @pytest.mark.parametrize(
        "name, kind, text",
        [
            (
                "chain",
                "push",
                "AccumulateGrad of x is ready, because the one gradient it waited for has arrived. It enters the ready queue, which was empty.",
            ),
            (
                "shared_leaf",
                "pop",
                "MulBackward0 #2 is taken from the ready queue before MulBackward0 #1, because it was recorded last.",
            ),
            (
                "diamond",
                "apply",
                "MulBackward0 #1 runs, because all three gradients it waited for have arrived. Gradient in: [26.09, 415.4]. Out: [78.26, 1246] for x. It uses what it has saved: other = 3.",
            ),
            (
                "broadcasting",
                "validate",
                "Along edge 1 of AddBackward0 #1 comes [[2, 2], [2, 2]], but AccumulateGrad of b needs shape [2], because its tensor was broadcast. The gradient is summed to [4, 4].",
            ),
            (
                "retain_graph",
                "accumulate",
                "x.grad exists, so the gradient [2, 4] is added to it in place. x.grad is now [4, 8].",
            ),
            (
                "inputs",
                "skip",
                "AccumulateGrad of w does not run, because the gradient is returned and not accumulated. Nothing is added to w.grad.",
            ),
            (
                "error",
                "apply",
                "MulBackward0 #3 runs, because the one gradient it waited for has arrived. Gradient in: [1, 1]. It raises RuntimeError, which ends the pass.",
            ),
        ],
    )
    def test_it_says_what_happened_and_why(self, name, kind, text):
        sentences = [e["sentence"] for e in of(name)["events"] if e["kind"] == kind]
        assert text in sentences


class Elements(HTMLParser):
    """The start tags of a page, and the text in each kind of element."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.open = [], {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        for tag in set(self.open):
            self.texts.setdefault(tag, []).append(data)


class TestPage:
    def test_it_is_self_contained(self, recording):
        page = player_page.page(recording)
        assert not re.search(
            r"(https?:)?//\w+\.\w+/|@import|\burl\((?!#)",
            page.replace("http://www.w3.org/2000/svg", ""),
        )
        for tag, attributes in Elements(page).tags:
            assert tag not in ("iframe", "img", "object", "embed")
            assert "src" not in attributes
            assert attributes.get("href", "data:,") == "data:,"

    def test_the_embedded_recording_is_the_recording(self, recording):
        (data,) = re.findall(
            r'class="mtp-recording">(.*?)</script>', player_page.fragment(recording)
        )
        assert json.loads(data) == recording

    def test_text_of_a_program_cannot_end_the_script(self):
        recording = of("chain")
        recording["program"]["source"] = "x = '</script><script>alert(1)</script><!--'"
        page = player_page.page(recording, "<b>&")
        assert page.count("</script>") == 2
        assert "alert(1)</script>" not in page and "<title>&lt;b&gt;&amp;</title>" in page

    def test_without_javascript_there_is_a_table_with_every_event(self, recording):
        elements = Elements(player_page.fragment(recording))
        assert elements.tags.count(("tr", {})) == 1 + len(recording["events"]) + (
            recording["error"] is not None
        )
        text = " ".join(elements.texts["td"])
        for event in recording["events"]:
            assert event["sentence"].split("[")[0] in text

    def test_the_table_has_the_ready_queue_after_each_event(self):
        recording = of("shared_leaf")
        rows = re.findall(
            r"<tr><td>(\d+)</td><td>.*?</td><td>(.*?)</td>", player_page.fragment(recording)
        )
        titles = [n["title"] for n in recording["nodes"]]
        for number, shown in rows:
            queue = expected(recording, int(number))["queue"]
            assert shown == (", ".join(titles[n] for n in queue) or "empty")

    def test_several_players_share_one_script(self):
        fragments = "".join(player_page.fragment(of(name)) for name in ("chain", "hook"))
        assert fragments.count("<script") == fragments.count("application/json") == 2
        assert player_page.assets().count("<script>") == 1

    def test_colours_for_dark_pages_are_the_same_in_both_places(self):
        style = player_page.style_sheet()
        assert "DARK }" not in style
        colours = re.findall(r"--mtp-accent: (#\w+)", style)
        assert len(colours) == 3 and colours[1] == colours[2] != colours[0]

    def test_save_writes_it(self, tmp_path):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.trace({"x": x}, values=4) as steps:
            (x * 3).sum().backward()
        steps.save(tmp_path / "steps.html")
        text = (tmp_path / "steps.html").read_text(encoding="utf-8")
        assert text == steps.to_html() and "x.grad is now [3, 3]" in text

    def test_without_the_engines_source_there_is_none_in_the_recording(self, monkeypatch, tmp_path):
        monkeypatch.setattr(engine_sources, "FOLDER", tmp_path)
        engine_sources.function_source.cache_clear()
        engine_sources.line_of.cache_clear()
        try:
            recording = of("chain")
        finally:
            engine_sources.function_source.cache_clear()
            engine_sources.line_of.cache_clear()
        assert recording["sources"] == {} and {e["line"] for e in recording["events"]} == {None}
        assert list(errors(SCHEMA, recording, SCHEMA)) == []

    def test_a_large_graph_has_no_layout_and_a_page_nevertheless(self):
        x = torch.ones((), requires_grad=True)
        y = x
        for _ in range(1001):
            y = y * 1
        with torch.autograd.trace(origin=False) as steps:
            y.backward()
        assert steps.recording()["layout"] is None
        assert "Event 2001 and later" in steps.to_html()


class TestInANotebook:
    def steps(self):
        x = torch.ones(2, requires_grad=True)
        with torch.autograd.trace({"x": x}, values=4) as steps:
            (x * 2).sum().backward()
        return steps

    def test_a_trace_displays_the_player_in_a_frame_of_its_own(self):
        steps = self.steps()
        shown = steps._repr_html_()
        srcdoc = re.search(r'<iframe [^>]*srcdoc="([^"]*)"[^>]*sandbox="allow-scripts"', shown)[1]
        assert html.unescape(srcdoc) == steps.to_html()

    def test_a_trace_without_events_has_no_player(self):
        assert "<iframe" not in torch.autograd.trace()._repr_html_()
