"""What the profilers say of a mistake, beside PyTorch; and what events of devices and files of them tell."""

import importlib
import sqlite3

import pytest

from tests.both import compare
from tests.mistakes import check_mistake, mistakes, named

PRELUDE = """
import importlib

def module(name):
    return importlib.import_module(torch.__name__ + "." + name)

P, U, L = (module("autograd." + name) for name in ("profiler", "profiler_util", "profiler_legacy"))
Config = torch._C._profiler._ExperimentalConfig

def measured(profile, call=lambda p: None):
    with profile:
        torch.ones(1)
        call(profile)
    return profile

def traced():
    return measured(P.profile(experimental_config=Config(trace_only=True)))

def event(device="CPU", **facts):
    facts = {"id": 1, "name": "n", "thread": 0, "start_us": 0.0, "end_us": 10.0, **facts}
    return U.FunctionEvent(device_type=getattr(torch.autograd.DeviceType, device), **facts)

def average(*events):
    total = U.FunctionEventAvg()
    for each in events:
        total.add(each)
    return total

def after_the_device():
    total = average(event(input_shapes=[], overload_name="", stack=[]))
    total.self_device_time_total = 5
    return U.EventList([total])

def nested():
    first, second = event(), event(id=2, start_us=1.0, end_us=9.0)
    second.set_cpu_parent(event(id=3))
    return U.EventList([first, second])

def done():
    future = module("futures").Future()
    future.set_result(3)
    return future

def labelled(call):
    label = P.record_function("label")
    with label:
        call(label)

def seen_twice():
    keys = P.EnforceUnique()
    keys.see(1, 2)
    keys.see(1, 2)

def ahead():
    steps = P.KinetoStepTracker
    steps._current_step, before = 0, (steps._current_step, dict(steps._step_dict))
    steps._step_dict.clear()
    steps._step_dict["ahead"] = 5
    try:
        return steps.increment_step("ahead")
    finally:
        steps._current_step = before[0]
        steps._step_dict.clear()
        steps._step_dict.update(before[1])

def entered(marks):
    marks.entered = True
    return marks
"""

PROFILE = r"""
P.profile(use_cuda=True).use_cuda
P.profile(use_device="cuda").use_device
P.profile(use_device="xpu").use_device
P.profile(use_device="hpu").use_device
P.profile(use_device="mtia")
P.profile(use_device="abacus").use_device
P.profile(use_cpu=False)
P.profile(use_cpu=False, use_kineto=True)
P.profile(post_processing_timeout_s=-1)
P.profile(with_stack=True, experimental_config=Config(trace_only=True)).experimental_config.trace_only
p = P.profile();; measured(p);; measured(p)
p = P.profile();; measured(p, measured)
traced().function_events
traced().table()
traced().key_averages()
traced().total_average()
traced().self_cpu_time_total
traced().export_stacks("/dev/null")
str(traced())
repr(traced())
measured(P.profile()).export_stacks("/dev/null")
measured(P.profile(with_stack=True)).export_stacks("/dev/null", "mood")
measured(P.profile()).key_averages().table(sort_by="mood")
P.record_function("label").__exit__(None, None, None)
P.record_function(3).__enter__()
P.record_function(None).__enter__()
P.record_function("label", 3).__enter__()
P.record_function("label")._call_end_callbacks_on_future(done())
labelled(lambda l: (l._call_end_callbacks_on_future(done()), l._call_end_callbacks_on_future(done())))
entered(P.emit_itt()).__enter__()
P.emit_nvtx().__enter__()
entered(P.emit_nvtx()).__enter__()
P.load_nvprof("/nowhere/at/all")
seen_twice()
ahead()
"""

LEGACY = r"""
L.profile(use_cuda=True).use_cuda
p = L.profile();; measured(p);; measured(p)
L.profile().__exit__(None, None, None)
L.profile().table()
L.profile().key_averages()
L.profile().total_average()
L.profile().self_cpu_time_total
L.profile().export_stacks("/dev/null")
L.profile().export_chrome_trace("/dev/null")
measured(L.profile(), lambda p: p.table())
measured(L.profile()).export_stacks("/dev/null")
measured(L.profile(with_stack=True)).export_stacks("/dev/null", "mood")
"""

EVENTS = r"""
event("CUDA").append_kernel("k", 0, 1)
event("CUDA").append_cpu_child(event())
event().append_cpu_child(3)
event().append_cpu_child(event("CUDA"))
event("CUDA").set_cpu_parent(event())
event().set_cpu_parent(None)
event().set_cpu_parent(event("CUDA"))
event("MKLDNN", use_device="cuda").device_time_total
event("MKLDNN", use_device="cuda").self_device_time_total
event().cuda_time
event().cuda_time_total
event().self_cuda_time_total
event().self_cuda_memory_usage
event().metadata_json
average(3)
average(event(), 3)
average(event(), event(name="m"))
U.EventList([event()]).key_averages()
U.EventList([event()]).export_stacks("/dev/null", "mood")
U._format_time_share(3, 0)
after_the_device().table()
nested()._populate_cpu_children()
U.EventList([event(scope=1, stack=[])])._build_tree()
"""


@pytest.mark.parametrize("mistake", mistakes(PRELUDE, PROFILE + LEGACY + EVENTS), ids=named)
def test_a_mistake_raises_as_in_pytorch(mistake):
    check_mistake(mistake)


def parts(torch):
    return importlib.import_module(f"{torch.__name__}.autograd.profiler_util")


DEVICES = ("CPU", "CUDA", "MTIA", "XPU", "HPU", "PrivateUse1")


@pytest.mark.parametrize("use_device", [None, "cuda"])
@pytest.mark.parametrize("device", DEVICES)
def test_times_and_sizes_of_an_event_on_a_device(device, use_device):
    def program(torch):
        event = parts(torch).FunctionEvent(
            1,
            "n",
            0,
            0.0,
            10.0,
            device_type=getattr(torch.autograd.DeviceType, device),
            use_device=use_device,
            cpu_memory_usage=8,
            device_memory_usage=4,
        )
        return (
            event.cpu_time_total,
            event.self_cpu_time_total,
            event.device_time_total,
            event.self_device_time_total,
            event.self_cpu_memory_usage,
            event.self_device_memory_usage,
            event.device_time_str,
            repr(event),
            repr(parts(torch).FunctionEventAvg().add(event)),
        )

    compare(program)


@pytest.mark.parametrize("use_device", [None, "cuda"])
@pytest.mark.parametrize("legacy", [False, True])
@pytest.mark.parametrize("is_async", [False, True])
def test_times_of_kernels_are_those_of_what_started_them(use_device, legacy, is_async):
    def program(torch):
        facts = {"use_device": use_device, "is_legacy": legacy}
        make = parts(torch).FunctionEvent
        outer = make(1, "outer", 0, 0.0, 10.0, is_async=is_async, **facts)
        inner = make(2, "inner", 0, 2.0, 5.0, **facts)
        outer.append_kernel("k", 0, 7)
        inner.append_kernel("k", 0, 3)
        outer.append_cpu_child(inner)
        inner.set_cpu_parent(outer)
        return [
            (e.device_time_total, e.self_device_time_total, e.self_cpu_time_total)
            for e in (outer, inner)
        ]

    compare(program)


@pytest.mark.parametrize("counts", [[1000], [5, 10**7], [0], [-1], [float("inf")], [10**30]])
def test_flops_are_shown_in_the_unit_of_the_smallest_count(counts):
    def program(torch):
        make = parts(torch).FunctionEvent
        events = [
            make(k, f"e{k}", 0, 0.0, 10.0, flops=count, input_shapes=[])
            for k, count in enumerate(counts)
        ]
        return parts(torch).EventList(events, with_flops=True).table()

    compare(program)


def test_what_runs_in_a_backward_has_the_stack_of_the_forward():
    def program(torch):
        make = parts(torch).FunctionEvent
        forward = make(1, "f", 4, 0.0, 1.0, sequence_nr=3, stack=["line 1"])
        node = make(2, "node", 5, 2.0, 9.0, scope=1, sequence_nr=3, fwd_thread=4, stack=["line 2"])
        inside = make(3, "inside", 5, 3.0, 4.0, stack=["line 3"])
        events = parts(torch).EventList([forward, node, inside])
        events._build_tree()
        return [event.stack for event in events]

    compare(program)


def test_a_label_that_ends_with_a_future():
    def program(torch):
        profiler = importlib.import_module(f"{torch.__name__}.autograd.profiler")
        future = importlib.import_module(f"{torch.__name__}.futures").Future()
        with profiler.profile() as profile, profiler.record_function("label") as label:
            told = label._call_end_callbacks_on_future(future)
            future.set_result(3)
            value = told.wait()
        return value, [event.name for event in profile.function_events if event.name == "label"]

    compare(program)


def nvprof_file(path, kind=211, marks=1):
    """A file of NVIDIA's profiler with a mark, and a kernel that was started in it."""
    file = path / "file.nvprof"
    file.unlink(missing_ok=True)
    with sqlite3.connect(file) as database:
        for table in (
            "StringTable(_id_, value)",
            "CUPTI_ACTIVITY_KIND_MARKER(id, name, timestamp)",
            "CUPTI_ACTIVITY_KIND_RUNTIME(_id_, cbid, start, end, correlationId)",
            "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(correlationId, start, end, name)",
        ):
            database.execute(f"CREATE TABLE {table}")
        database.execute("INSERT INTO StringTable VALUES (1, 'mul'), (2, 'later')")
        rows = [(5, 1, 10)] * marks + [(5, 0, 30), (6, 2, 40), (6, 0, 50), (4, 1, 1), (4, 0, 2)]
        database.executemany("INSERT INTO CUPTI_ACTIVITY_KIND_MARKER VALUES (?, ?, ?)", rows)
        database.execute(f"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (7, {kind}, 12, 20, 9)")
        database.execute("INSERT INTO CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL VALUES (9, 13, 19, 2)")
    database.close()
    return str(file)


@pytest.mark.parametrize("facts", [{}, {"kind": 3}, {"marks": 2}])
def test_files_of_nvidias_profiler(tmp_path, facts):
    def program(torch):
        profiler = importlib.import_module(f"{torch.__name__}.autograd.profiler")
        events = profiler.load_nvprof(nvprof_file(tmp_path, **facts))
        return type(events).__name__, [
            (
                e.id,
                e.name,
                e.node_id,
                e.time_range.start,
                e.time_range.end,
                list(map(tuple, e.kernels)),
            )
            for e in events
        ]

    compare(program)
