"""What the profiler's events tell: of what is made, of inputs, of memory; settings, schedules and files."""

import gzip
import importlib
import json
import os
import threading

import pytest

import minitorch
from tests.both import compare, like_pytorch


def _profiler(torch, **options):
    return torch.profiler.profile(**options)


def _exported(prof, folder):
    path = os.path.join(str(folder), "trace.json")
    prof.export_chrome_trace(path)
    with open(path) as file:
        return json.load(file)


MAKES = [
    "torch.ones(2, 3)", "torch.zeros(2, dtype=torch.int64)", "torch.empty(3)", "torch.rand(2, 2)",
    "torch.randn(3, generator=torch.Generator().manual_seed(1))", "torch.full((2,), 3.0)", "torch.full((2,), 1)",
    "torch.full((2,), True)", "torch.randint(3, (2,))", "x.new_zeros(3)", "x.new_ones((2,))", "x.new_full((2,), 7)",
    "torch.ones_like(x)", "torch.rand_like(x)", "torch.full_like(x, 2, dtype=torch.float64)",
    "torch.randn(3, requires_grad=True)",
]  # fmt: skip


@pytest.mark.parametrize("text", MAKES)
def test_what_makes_tensors_is_seen_with_its_steps(text):
    def program(torch):
        torch.manual_seed(3)
        x = torch.ones(2, 3)
        with _profiler(torch, record_shapes=True) as prof:
            made = eval(text, {"torch": torch, "x": x})
        steps = [
            (e.name, e.concrete_inputs, e.input_dtypes, e.input_shapes)
            for e in prof.events()
            # what empty_like is made of, and new_empty
            if e.cpu_parent is None or e.cpu_parent.cpu_parent is None and "strided" not in e.name
        ]
        return steps, made if "empty" not in text else made.shape, made.requires_grad

    compare(program)


@pytest.mark.parametrize(
    "text", ["torch.zeros(-1)", "torch.ones(2, dtype=torch.int8, requires_grad=True)"]
)
def test_what_cannot_be_made_is_refused_in_a_profile_as_outside(text):
    def program(torch):
        with _profiler(torch):
            eval(text, {"torch": torch})

    compare(program)


@like_pytorch
def test_inputs_of_events(torch):
    x = torch.ones(2, 3, requires_grad=True)
    with _profiler(torch, record_shapes=True) as prof:
        y = torch.cat([x, x.detach()], dim=1).mul(2.5)
        torch.nn.functional.gelu(y).sum(0, keepdim=True)
        y.sum().backward()
        with torch.profiler.record_function("a block", "its text"):
            x.detach().clone()
    seen = ("aten::cat", "aten::mul", "aten::gelu", "MulBackward0", "a block", "aten::clone")
    return [
        (e.name, e.input_shapes, e.structured_input_shapes, e.structured_input_strides, e.input_dtypes,
         e.concrete_inputs, e.kwinputs, e.scope, e.activity_type, e.is_user_annotation)
        for e in prof.events() if e.name in seen
    ]  # fmt: skip


@like_pytorch
def test_numbers_of_operators_that_record_nothing(torch):
    x = torch.ones(2)
    with _profiler(torch) as prof:
        x.neg()
        with torch.no_grad():
            x.exp()
        torch.ones(2)
    return [e.sequence_nr >= 0 for e in prof.events() if e.cpu_parent is None]


@like_pytorch
def test_reading_a_number_is_an_event(torch):
    x = torch.ones(1)
    with _profiler(torch) as prof:
        x.item()
    return [(e.name, e.cpu_parent is None) for e in prof.events()]


def test_memory_is_followed(tmp_path):
    def program(torch):
        old = torch.ones(100)
        with _profiler(torch, profile_memory=True) as prof:
            with torch.profiler.record_function("takes"):
                x = torch.rand(10, 10)
            with torch.profiler.record_function("gives back"):
                del x
            y = torch.rand(5, 5)
            del y, old
        averages = {
            e.key: (e.count, e.cpu_memory_usage, e.self_cpu_memory_usage)
            for e in prof.key_averages()
        }
        events = [e for e in _exported(prof, tmp_path)["traceEvents"] if e["name"] == "[memory]"]
        facts = ("Bytes", "Total Allocated", "Total Reserved", "Device Type", "Device Id")
        told = [(e["ph"], e["cat"], [e["args"][fact] for fact in facts]) for e in events]
        return averages, told

    compare(program)


@like_pytorch
def test_memory_of_an_operator_is_that_of_its_result(torch):
    x = torch.ones(8, 8)
    with _profiler(torch, profile_memory=True) as prof:
        y = x @ x
        z = torch.cat([x, y])
    sizes = {e.name: e.cpu_memory_usage for e in prof.events() if e.cpu_parent is None}
    return sizes, z.shape


def test_the_document_of_a_trace(tmp_path):
    def program(torch):
        x = torch.ones(2, 2, requires_grad=True)
        with _profiler(torch, record_shapes=True, with_flops=True) as prof:
            (x * x).sum().backward()
            prof.add_metadata("name", "a text")
            prof.add_metadata_json("numbers", "[1, 2]")
        document = _exported(prof, tmp_path)
        events = document.pop("traceEvents")
        (product,) = [
            e for e in events if e["name"] == "aten::mul" and "Sequence number" in e.get("args", {})
        ]
        flows = sorted((e["ph"], e["name"]) for e in events if e.get("cat") == "fwdbwd")
        kept = {
            k: document[k]
            for k in ("name", "numbers", "record_shapes", "with_flops", "schemaVersion")
        }
        spans = [(e["ph"], e["pid"]) for e in events if e["pid"] in ("Spans", "Traces", "")]
        return (
            sorted(document), kept, sorted(product), sorted(product["args"]), product["args"]["Input Dims"],
            flows, spans, [e["name"] for e in events if e["ph"] == "M"][:4],
        )  # fmt: skip

    compare(program)


@pytest.mark.parametrize("packed", [False, True])
def test_traces_for_tensorboard(tmp_path, packed):
    def program(torch):
        folder = str(tmp_path / torch.__name__)
        ready = torch.profiler.tensorboard_trace_handler(folder, "me", use_gzip=packed)
        with _profiler(torch, on_trace_ready=ready):
            torch.ones(2).neg()
        (name,) = os.listdir(folder)
        path = os.path.join(folder, name)
        with gzip.open(path, "rt") if packed else open(path) as file:
            events = json.load(file)["traceEvents"]
        return name.split(".")[0], name.split(".")[2:], "aten::neg" in [e["name"] for e in events]

    compare(program)


PLANS = [
    ["RECORD", "NONE"], ["WARMUP", "NONE"], ["WARMUP"], ["RECORD"], ["NONE", "RECORD_AND_SAVE", "RECORD_AND_SAVE"],
    ["NONE", "DEVICE_STOPPED"], ["DEVICE_STOPPED"], ["WARMUP", "RECORD_AND_SAVE", "NONE", "RECORD_AND_SAVE"],
]  # fmt: skip


@pytest.mark.parametrize("plan", PLANS, ids=" ".join)
def test_what_follows_what(plan):
    def program(torch):
        actions = [getattr(torch.profiler.ProfilerAction, name) for name in plan]
        ready = []

        def note(prof):
            ready.append(
                (prof.step_num, [e.trace_name for e in prof.events() if e.cpu_parent is None])
            )

        with torch.profiler.profile(
            schedule=actions.__getitem__, on_trace_ready=note, acc_events=True
        ) as prof:
            for _ in actions[1:]:
                torch.ones(1)
                prof.step()
        return ready

    compare(program)


SETTINGS = [
    "autograd.profiler.profile(use_cpu=False)",
    "autograd.profiler.profile(use_cpu=False, use_kineto=True)",
    "autograd.profiler.profile(use_device='cuda').use_device",
    "autograd.profiler.profile(use_device='nothing').use_device",
    "autograd.profiler.profile(use_device='mtia')",
    "autograd.profiler.profile(use_cuda=True).use_device",
    "autograd.profiler.profile(post_processing_timeout_s=-1)",
    "profiler.profile(activities=[CPU, CPU])",
    "profiler.profile(activities=[{CPU: []}]).activity_filters[CPU]",
    "profiler.profile(activities=[{CPU: []}, CPU])",
    "profiler.profile(activities=['CPU'])",
    "profiler.profile(use_cuda=False).use_device",
    "profiler.profile(activities=[CUDA]).start()",
    "profiler.profile(with_stack=True, experimental_config=Config(trace_only=True)).experimental_config.trace_only",
    "type(autograd.profiler.profile(record_shapes=True).config()).__name__",
    "profiler.kineto_available()",
    "profiler.profile().export_memory_timeline('there')",
]


@pytest.mark.parametrize("text", SETTINGS)
def test_settings(text):
    def program(torch):
        kinds = torch.profiler.ProfilerActivity
        names = {
            "CPU": kinds.CPU,
            "CUDA": kinds.CUDA,
            "Config": torch._C._profiler._ExperimentalConfig,
        }
        return eval(text, {"autograd": torch.autograd, "profiler": torch.profiler, **names})

    compare(program)


def test_a_profile_that_is_only_to_be_written(tmp_path):
    def program(torch):
        config = torch._C._profiler._ExperimentalConfig(trace_only=True)
        with _profiler(torch, experimental_config=config) as prof:
            torch.ones(2).neg()
        written = [e["name"] for e in _exported(prof, tmp_path)["traceEvents"]]
        return "aten::neg" in written, prof.events()

    compare(program)


@like_pytorch
def test_names_of_overloads(torch):
    config = torch._C._profiler._ExperimentalConfig(capture_overload_names=True)
    x = torch.ones(2)
    with _profiler(torch, experimental_config=config) as prof:
        x.add(x).add(2).sum(0)
        x.sum()
    grouped = prof.key_averages(group_by_overload_name=True)
    return [
        (e.key, e.overload_name, e.count, e.device_type.name)
        for e in grouped
        if e.key == "aten::add" or e.overload_name == "dim_IntList"
    ]


@like_pytorch
def test_what_devices_write_of_events(torch):
    util = torch.autograd.profiler_util
    written = {
        "grid": "[1, 2, 3]",
        "Collective name": '"b"',
        "Is asynchronized op": "1",
        "stream": "7",
    }
    events = [
        util.FunctionEvent(1, "mine", 0, 0.0, 1.0, extra_meta=w)
        for w in (written, {"x": "1"}, None)
    ]
    return [e.event_metadata and e.event_metadata._asdict() for e in events]


@pytest.mark.parametrize(
    "name", ["cuda_time", "cuda_time_total", "self_cuda_memory_usage", "metadata_json"]
)
def test_former_names(name):
    compare(
        lambda torch: getattr(torch.autograd.profiler_util.FunctionEvent(1, "e", 0, 0.0, 1.0), name)
    )


@like_pytorch
def test_blocks_of_one_name_in_each_other_are_one(torch):
    block = torch.profiler.record_function
    with _profiler(torch) as prof, block("a"), block("a"), block("b"):
        torch.ones(1)
    return [(e.name, e.cpu_parent and e.cpu_parent.name) for e in prof.events() if len(e.name) == 1]


@like_pytorch
def test_a_backward_that_fails_leaves_nothing_open(torch):
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            raise ValueError("no gradient")

    x = torch.ones(1, requires_grad=True)
    with _profiler(torch) as prof:
        try:
            Fails.apply(x).backward()
        except ValueError:
            x.neg()
    return [e.cpu_parent is None for e in prof.events() if e.name == "aten::neg"]


@like_pytorch
def test_a_profile_is_of_its_thread(torch):
    def names(**wishes):
        config = torch._C._profiler._ExperimentalConfig(**wishes)
        with _profiler(torch, experimental_config=config) as prof:
            thread = threading.Thread(target=lambda: torch.ones(1).exp())
            thread.start()
            thread.join()
            torch.ones(1).sin()
        return [e.name for e in prof.events() if e.name in ("aten::exp", "aten::sin")]

    return names(), names(profile_all_threads=True)


@like_pytorch
def test_functions_of_programs_are_events(torch):
    class Times(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, n):
            return x * n

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 2, None

    x = torch.ones(2, requires_grad=True)
    with _profiler(torch, record_shapes=True) as prof:
        Times.apply(x, 3).sum().backward()
    return [
        (e.name, e.scope, e.input_shapes, e.input_dtypes, e.concrete_inputs, e.cpu_parent is None)
        for e in prof.events()
        if "Times" in e.name
    ]


@pytest.mark.parametrize("name", ["einsum", "lstm"])
def test_composed_functions_are_one_event(name):
    def program(torch):
        x, lstm = torch.ones(3, 1, 3), torch.nn.LSTM(3, 2)
        with _profiler(torch) as prof:
            lstm(x) if name == "lstm" else torch.einsum("abc,abd->cd", x, x)
        return [e.name for e in prof.events() if e.cpu_parent is None and "zeros" not in e.name]

    compare(program)


def test_the_former_class_marks_its_events_and_writes_them_alone(tmp_path):
    def program(torch):
        legacy = importlib.import_module(f"{torch.__name__}.autograd.profiler_legacy")
        prof = legacy.profile()
        texts = [repr(prof), str(prof)]
        with prof:
            torch.ones(2).neg()
        path = tmp_path / torch.__name__
        prof.export_chrome_trace(str(path))
        written = [e for e in json.loads(path.read_text()) if e["name"] == "aten::neg"]
        return texts, [e.is_legacy for e in prof.function_events][:1], [sorted(e) for e in written]

    compare(program)


@like_pytorch
def test_numbers_count_as_one_operation(torch):
    x = torch.ones(1, dtype=torch.float64)
    with _profiler(torch, with_flops=True) as prof:
        x.add(0).mul(2).mul(x)
    return [(e.name, e.flops) for e in prof.events() if e.cpu_parent is None]


def test_what_is_noted_of_an_operator_is_no_memory():
    x = minitorch.ones(8)
    with minitorch.profiler.profile(profile_memory=True, record_shapes=True) as prof:
        y = x * 2.5
    assert {e.name: e.cpu_memory_usage for e in prof.events()}["aten::mul"] == y.nbytes


@like_pytorch
def test_operators_refuse_arguments_as_they_do_outside_of_a_profile(torch):
    with _profiler(torch, with_flops=True):
        torch.nn.functional.linear(torch.ones(3), torch.ones(3), torch.ones(3))


@like_pytorch
def test_the_table_has_a_column_of_overloads_if_there_are_names(torch):
    config = torch._C._profiler._ExperimentalConfig(capture_overload_names=True)
    with torch.profiler.profile(experimental_config=config) as prof:
        torch.ones(2, 2).sum(0)
    titles = []
    for grouped in (True, False):
        table = prof.key_averages(group_by_overload_name=grouped).table()
        titles.append([row.split() for row in table.splitlines() if "Name" in row])
        rows = [row.split()[:2] for row in table.splitlines() if "aten::sum" in row]
        titles.append(rows if grouped else [row[0] for row in rows])
    return titles


@like_pytorch
def test_a_program_can_ask_whether_a_profile_runs(torch):
    from importlib import import_module

    profiler = import_module(f"{torch.__name__}.autograd.profiler")
    legacy = import_module(f"{torch.__name__}.autograd.profiler_legacy")
    autograd = torch._C._autograd

    def asked():
        kind = autograd._profiler_type()
        return profiler._is_profiler_enabled, autograd._profiler_enabled(), kind.name, int(kind)

    answers = [asked()]
    for kind in (torch.profiler.profile, profiler.profile, legacy.profile):
        with kind():
            answers.append(asked())
        answers.append(asked())
    return answers, [scope.name for scope in sorted(set(_scopes(torch)), key=int)]


def _scopes(torch):
    return torch._C._profiler.RecordScope.__members__.values()


@like_pytorch
def test_a_trace_is_written_once(torch):
    import os
    import tempfile

    with torch.profiler.profile() as prof:
        torch.ones(1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        prof.export_chrome_trace(path)
        try:
            prof.export_chrome_trace(path)
        except RuntimeError as error:
            return str(error)
