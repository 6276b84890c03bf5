"""Execution traces: the files that observers write of the same programs with both libraries."""

import gzip
import json
import os

import numpy as np
import pytest

from tests.both import compare, like_pytorch

# what PyTorch's kernels call of their own
PARTS = {
    "aten::as_strided", "aten::transpose", "aten::resolve_conj", "aten::copy_", "aten::to", "aten::_to_copy",
    "aten::empty_strided", "aten::clamp_min", "detach", "aten::detach",
}  # fmt: skip


def nodes_of(path):
    with gzip.open(path) if path.endswith(".gz") else open(path) as file:
        document = json.load(file)
    return document["nodes"], sorted(document)


def attributes(node):
    return {a["name"]: a["value"] for a in node["attrs"]}


def traced(torch, path, program):
    observer = torch.profiler.ExecutionTraceObserver().register_callback(path)
    observer.start()
    program()
    observer.stop()
    observer.unregister_callback()
    return nodes_of(path)


def known(nodes):
    """What can be compared: names, whose parts they are, and what was given and returned."""
    by_id = {node["id"]: node for node in nodes}
    found = []
    for node in sorted(nodes, key=lambda node: node["id"]):
        around = by_id[node["ctrl_deps"]]
        if node["name"] in PARTS or around["name"] == "aten::sum":
            continue
        facts = attributes(node)
        told = [{**node[side], "values": _values(node[side])} for side in ("inputs", "outputs")]
        kept = ("seq_id", "scope", "tid", "fw_tid", "op_schema", "kernel_backend", "kernel_file")
        forward = by_id[facts["fw_parent"]]["name"] if facts["fw_parent"] else None
        types = [(a["name"], a["type"]) for a in node["attrs"]]
        found.append((node["name"], around["name"], told, [facts[k] for k in kept], forward, types))
    return found


def _values(side):
    """Without the numbers of tensors and of their memory."""

    def without(value, kind):
        if kind.startswith("Tensor("):
            return value[2:]
        if isinstance(value, list) and "Tensor(" in kind:
            return [without(item, "Tensor(") for item in value]
        return value

    return [without(v, kind) for v, kind in zip(side["values"], side["types"], strict=True)]


def _step(torch):
    x = torch.randn(3, 4, requires_grad=True)
    with torch.profiler.record_function("a block", "its text"):
        y = (x @ torch.ones(4, 5)).relu()
        y.sum().backward()
    torch.cat([x, x], dim=1)
    with torch.no_grad():
        x.add(x, alpha=2.5)
    torch.topk(x, 2)
    torch.full_like(x, 2)
    torch.nn.functional.gelu(x).sum().item()
    x.sum((0, 1), keepdim=True)


def test_nodes_are_pytorchs(tmp_path):
    def program(torch):
        torch.manual_seed(0)
        nodes, keys = traced(torch, str(tmp_path / torch.__name__), lambda: _step(torch))
        found = known(nodes)
        rounded = json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 4))
        first = next(n["attrs"][2]["value"] for n in nodes if n["name"] == "aten::matmul")
        for item in rounded:  # sequence numbers begin anywhere
            item[3][0] = item[3][0] - first if item[3][0] >= 0 else item[3][0]
        return [item for item in rounded if "::ones_like" not in item[0]], keys

    ours, theirs = _both(program)
    for mine, other in zip(ours[0], theirs[0], strict=False):
        assert mine == other
    assert len(ours[0]) == len(theirs[0])
    assert ours[1] == theirs[1]


def _both(program):
    import minitorch

    return program(minitorch), program(pytest.importorskip("torch"))


def test_all_kinds_of_values(tmp_path):
    def program(torch):
        def run():
            x = torch.ones(2, 3)
            given = (
                1,
                False,
                2.5,
                [x, x],
                (x, x),
                "hello",
                x,
                float("inf"),
                None,
                [1, 2],
                {"a": 1},
                3j,
                torch.int8,
            )
            enter = torch.autograd._record_function_with_args_enter
            torch.autograd._record_function_with_args_exit(enter("mine", *given))

        nodes, _ = traced(torch, str(tmp_path / torch.__name__), run)
        (node,) = [n for n in nodes if n["name"] == "mine"]
        return _values(node["inputs"]), {k: v for k, v in node["inputs"].items() if k != "values"}

    compare(program)


def test_tensors_and_their_memory_keep_their_numbers(tmp_path):
    def program(torch):
        x = torch.ones(4)
        nodes, _ = traced(torch, str(tmp_path / torch.__name__), lambda: x[1:].add_(x[1:]).mul(2))
        (added,) = [n for n in nodes if n["name"] == "aten::add_"]
        (sliced, *_) = [n for n in nodes if n["name"] == "aten::slice"]
        (view,) = sliced["outputs"]["values"]
        own, result = sliced["inputs"]["values"][0], added["outputs"]["values"][0]
        return view[0] == own[0], view[1] == own[1], view[2], result == added["inputs"]["values"][0]

    compare(program)


@pytest.mark.parametrize("ending", [".json", ".json.gz"])
def test_an_observer_starts_and_stops(tmp_path, ending, capsys):
    def program(torch):
        path = str(tmp_path / (torch.__name__ + ending))
        observer = torch.profiler.ExecutionTraceObserver()
        states = [
            observer.is_registered,
            observer.get_output_file_path(),
            observer.get_resources_dir(),
        ]
        observer.start()
        states.append(observer.is_running())
        observer.register_callback(path)
        for step in range(6):
            if step in (1, 4):
                observer.start()
            elif step in (3, 5):
                observer.stop()
            states.append(observer.is_running())
            with torch.profiler.record_function(f"step {step}"):
                torch.ones(2)
        states.append(observer.is_registered)
        observer.unregister_callback()
        states.append(observer.is_registered)
        nodes, _ = nodes_of(path)
        return states, [n["name"] for n in nodes if n["name"].startswith("step")]

    compare(program)


def test_nothing_was_seen(tmp_path):
    def program(torch):
        path = str(tmp_path / torch.__name__)
        torch.profiler.ExecutionTraceObserver().register_callback(path).unregister_callback()
        return [node["name"] for node in nodes_of(path)[0]]

    compare(program)


def test_a_profile_and_its_trace_have_the_same_numbers(tmp_path):
    def program(torch):
        path, chrome = (
            str(tmp_path / f"{torch.__name__}.{kind}.json") for kind in ("et", "chrome")
        )
        observer = torch.profiler.ExecutionTraceObserver().register_callback(path)
        plan = torch.profiler.schedule(skip_first=3, wait=1, warmup=1, active=2, repeat=1)
        with torch.profiler.profile(schedule=plan, execution_trace_observer=observer) as prof:
            for step in range(10):
                with torch.profiler.record_function(f"loop {step}"):
                    x = torch.randn(3, requires_grad=True)
                    (x * x).sum().backward()
                prof.step()
        prof.export_chrome_trace(chrome)
        nodes = [n for n in nodes_of(path)[0] if not n["name"].startswith("[pytorch")]
        with open(chrome) as file:
            events = json.load(file)["traceEvents"]
        numbers = [
            e["args"]["Record function id"]
            for e in events
            if e.get("cat") in ("cpu_op", "user_annotation")
        ]
        loops = [n["name"] for n in nodes if n["name"].startswith("loop")]
        return (
            loops,
            sorted(numbers) == sorted(attributes(n)["rf_id"] for n in nodes),
            min(numbers) > 0,
        )

    compare(program)


def test_an_observer_by_the_environment(tmp_path, monkeypatch):
    def program(torch):
        monkeypatch.setenv("ENABLE_PYTORCH_EXECUTION_TRACE", "1")
        monkeypatch.setenv("ENABLE_PYTORCH_EXECUTION_TRACE_EXTRAS", "1")
        with torch.profiler.profile() as prof:
            torch.ones(2)
        monkeypatch.setenv("ENABLE_PYTORCH_EXECUTION_TRACE", "0")
        observer = prof.execution_trace_observer
        path, folder = observer.get_output_file_path(), observer.get_resources_dir()
        names = [n["name"] for n in nodes_of(path)[0]]
        listed = os.listdir(folder)
        os.remove(path)
        os.rmdir(folder)
        return listed, names, torch.profiler.profile().execution_trace_observer

    compare(program)


def test_integers_are_kept_when_the_environment_says_so(tmp_path, monkeypatch):
    def program(torch):
        setting = "ENABLE_PYTORCH_EXECUTION_TRACE_SAVE_INTEGRAL_TENSOR_"
        monkeypatch.setenv(setting + "RANGE", "1")
        monkeypatch.setenv(setting + "DATA", "aten::gather")
        x, index = torch.tensor([[1, 2], [3, 4]]), torch.tensor([[0, 0], [1, 0]])
        path = str(tmp_path / f"{torch.__name__}.json")
        observer = torch.profiler.ExecutionTraceObserver().register_callback(path)
        observer.set_extra_resource_collection(True)
        observer.start()
        torch.gather(x, 1, index)
        observer.unregister_callback()
        (node,) = [n for n in nodes_of(path)[0] if n["name"] == "aten::gather"]
        folder = observer.get_resources_dir()
        kept = {
            name: np.fromfile(os.path.join(folder, name), np.int64).tolist()
            for name in sorted(os.listdir(folder))
        }
        return attributes(node)["tensor_range"], kept

    compare(program)


@like_pytorch
def test_where_nothing_can_be_written(torch):
    observer = torch.profiler.ExecutionTraceObserver()
    observer.register_callback("/there/is/no/such/folder.json")
    observer.start()
    return observer.is_registered, observer.is_running(), observer.get_output_file_path()
