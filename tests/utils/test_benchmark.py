"""`utils.benchmark`: what measurements and tables say; the times themselves are not tested."""

import pickle
from importlib import import_module

import pytest

from tests.both import compare

TIMES = {
    "one": [3.2e-4],
    "three": [3e-4, 1e-4, 2e-4],
    "even": [5.1e-6, 5.2e-6, 5.0e-6, 5.3e-6, 5.15e-6],
    "spread": [1e-3, 1.1e-3, 1.2e-3, 1.3e-3, 1e-3],
    "wild": [1.0, 5.0, 2.0, 9.0, 3.0],
}
TASKS = {
    "plain": {"stmt": "x + 1", "setup": "pass"},
    "named": {
        "stmt": "x",
        "setup": "y = 1",
        "label": "add",
        "sub_label": "float",
        "description": "n=4",
    },
    "lines": {"stmt": "x\ny", "setup": "a = 1\nb = 2", "sub_label": "two", "num_threads": 2},
}


def benchmark(torch):
    return import_module(f"{torch.__name__}.utils.benchmark")


def measurement(torch, times, number=1, **task):
    tools = benchmark(torch)
    return tools.Measurement(
        number, times, tools.TaskSpec(**{"stmt": "x", "setup": "pass", **task})
    )


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("times", TIMES)
def test_a_measurement_is_written(times, task):
    def program(torch):
        m = measurement(torch, TIMES[times], 10, **TASKS[task])
        return repr(m).splitlines()[1:]  # the first line has the address

    compare(program)


@pytest.mark.parametrize("times", TIMES)
def test_statistics(times):
    def program(torch):
        m = measurement(torch, TIMES[times], 10)
        again = pickle.loads(pickle.dumps(m))
        numbers = torch.tensor([m.median, m.mean, m.iqr, again.median], dtype=torch.float64)
        return (
            numbers,
            m.significant_figures,
            m.has_warnings,
            m.meets_confidence(0.2),
            m.num_threads,
        )

    compare(program)


def test_measurements_of_one_task_are_merged():
    def program(torch):
        results = [
            measurement(torch, [4.0], 2),
            measurement(torch, [1.0], label="a"),
            measurement(torch, [3.0]),
        ]
        merged = benchmark(torch).Measurement.merge(results)
        return [(m.times, m.number_per_run, m.label) for m in merged]

    compare(program)


def tables(torch):
    rows = (
        ("add", "float", "n=1", 1, 2.0), ("add", "float", "n=4", 1, 3.5), ("add", "int", "n=1", 1, 11.04),
        ("add", "int", "n=4", 2, 7.25), ("add", "float", "n=1", 2, 200.0), ("mul", None, "n=1", 1, 1.5e6),
    )  # fmt: skip
    return [
        measurement(
            torch, [t * 1e-6 * f for f in (1, 1.03, spread, spread)],
            label=label, sub_label=sub, description=text, num_threads=threads,
        )
        for (label, sub, text, threads, t), spread in zip(rows, (1, 1.5, 1, 1, 1.2, 1), strict=True)
    ]  # fmt: skip


@pytest.mark.parametrize("trims", [False, True])
@pytest.mark.parametrize("warns", [False, True])
@pytest.mark.parametrize("colors", [None, False, True])
def test_tables(trims, warns, colors):
    def program(torch):
        table = benchmark(torch).Compare(tables(torch))
        if trims:
            table.trim_significant_figures()
        if warns:
            table.highlight_warnings()
        if colors is not None:
            table.colorize(rowwise=colors)
        return str(table)

    compare(program)


def test_tables_of_environments(capsys):
    def program(torch):
        results = [
            measurement(torch, [t], label="a", description="d", env=env, sub_label=sub)
            for t, env, sub in ((1.0, "new", "x"), (2.0, "base line", "x"), (3.0, "new", "y"))
        ]
        benchmark(torch).Compare(results).print()
        return capsys.readouterr().out

    compare(program)


def test_units_and_digits():
    def program(torch):
        tools = benchmark(torch)
        units = [tools.select_unit(t) for t in (2e-10, 3e-9, 4e-5, 0.2, 3.0, 2e4)]
        digits = torch.tensor(
            [tools.trim_sigfig(x, n) for x, n in ((3.14159, 2), (31415.9, 3), (0.0123, 1))]
        )
        return units, digits, [tools.unit_to_english(u) for u, _ in units]

    compare(program)


def test_a_timer_counts_its_runs():
    def program(torch):
        calls = []
        seen = []
        timer = benchmark(torch).Timer(
            """
            f(torch.ones(1))
            """, "f = calls.append", globals={"calls": calls}, num_threads=1, description="d"
        )  # fmt: skip
        m = timer.timeit(300)
        timed = len(calls)
        ranged = timer.blocked_autorange(lambda n, t: seen.append(n), min_run_time=0.002)
        adapted = timer.adaptive_autorange(threshold=100.0, max_run_time=1.0)
        return (
            timed, m.number_per_run, len(m.raw_times), m.stmt, m.setup, m.description,
            sum(ranged.raw_times) >= 0.002, seen == [ranged.number_per_run] * len(ranged.times),
            len(adapted.times) > 3,
        )  # fmt: skip

    compare(program)


def test_a_timer_chooses_the_block_by_the_clock_it_is_given():
    def program(torch):
        class Clock:
            def __init__(self, stmt, setup, timer, globals):
                self.cost = float(stmt)

            def timeit(self, number):
                return 1e-7 + number * self.cost

        class Timer(benchmark(torch).Timer):
            _timer_cls = Clock

        found = [Timer(cost).blocked_autorange() for cost in ("1e-8", "1e-5", "0.3")]
        return [(m.number_per_run, len(m.times)) for m in found]

    compare(program)


@pytest.mark.parametrize(
    "arguments",
    [{"stmt": len}, {"language": "rust"}, {"global_setup": "#include <x>"}, {"stmt": "1 +"}],
)
def test_a_timer_refuses(arguments):
    def program(torch):
        with pytest.raises((ValueError, SyntaxError)) as caught:
            benchmark(torch).Timer(**arguments)
        return type(caught.value), str(caught.value)

    compare(program)


def test_what_is_not_there():
    minitorch = import_module("minitorch")
    tools = benchmark(minitorch)
    with pytest.raises(NotImplementedError, match="C\\+\\+"):
        tools.Timer(language="cpp")
    with pytest.raises(NotImplementedError, match="Valgrind"):
        tools.Timer().collect_callgrind()
    for name in ("repeat", "autorange"):
        with pytest.raises(NotImplementedError, match="blocked_autorange"):
            getattr(tools.Timer(), name)()


def test_tables_hold_measurements_only():
    def program(torch):
        with pytest.raises(ValueError) as caught:
            benchmark(torch).Compare([1.0])
        return str(caught.value)

    compare(program)


def test_the_report_of_the_machine_has_pytorchs_lines(capsys):
    def program(torch):
        env = import_module(f"{torch.__name__}.utils.collect_env")
        env.main()
        head = capsys.readouterr().out.partition("CPU:")[0]
        return [line.partition(":")[0] for line in head.splitlines()]

    compare(program)


FUZZERS = {
    "sizes": ([dict(name="n", minval=1, maxval=16, distribution="loguniform")], [dict(name="x", size=("n",))], {}),
    "strided": (
        [dict(name="n", minval=2, maxval=6, distribution="uniform"), dict(name="k", minval=1, maxval=3,
         distribution="uniform", strict=True), dict(name="a", minval=0.5, maxval=2, distribution="uniform")],
        [dict(name="x", size=("n", "n", 3), steps=("k", 1, 2), probability_contiguous=0.2, max_elements=60,
              max_allocation_bytes=2000), dict(name="y", size=("n", 2), dim_parameter="k", min_elements=3)],
        {},
    ),
    "asked": (
        [dict(name="n", minval=1, maxval=50, distribution="uniform")],
        [dict(name="x", size=("n",), probability_contiguous=1.0)], {"constraints": [lambda p: p["n"] % 3 == 0]},
    ),
    "impossible": (
        [dict(name="n", minval=1, maxval=5, distribution="uniform")], [dict(name="x", size=("n",), min_elements=9)],
        {},
    ),
    "of one name": ([dict(name="x", minval=1, maxval=5, distribution="uniform")], [dict(name="x", size=(2,))], {}),
    "unknown": ([dict(name="n", distribution="normal")], [], {}),
    "by probability": ([dict(name="n", distribution={1: 0.5, 2: 0.5})], [], {}),
    "with bounds": ([dict(name="n", maxval=3, distribution={1: 0.5})], [], {}),
}  # fmt: skip


@pytest.mark.parametrize("name", FUZZERS)
def test_random_inputs_are_those_of_the_seed(name):
    parameters, tensors, options = FUZZERS[name]

    def program(torch):
        benchmark = import_module(f"{torch.__name__}.utils.benchmark")
        fuzzer = benchmark.Fuzzer(
            [benchmark.FuzzedParameter(**given) for given in parameters],
            [[benchmark.FuzzedTensor(**given) for given in tensors]],
            seed=3,
            **options,
        )
        drawn = []
        for made, told, params in fuzzer.take(4):
            facts = {k: {**facts, "order": list(facts["order"])} for k, facts in told.items()}
            drawn.append((made, facts, params))
        return drawn, fuzzer.rejection_rate

    compare(program)


@pytest.mark.parametrize("aliases", [{"b": "a"}, {"b": "c", "c": "a"}, {"b": "c", "c": "b"}])
def test_values_of_other_parameters(aliases):
    def program(torch):
        fuzzer = import_module(f"{torch.__name__}.utils.benchmark.utils.fuzzer")

        class Given(fuzzer.FuzzedParameter):
            def sample(self, state):
                alias = aliases.get(self.name)
                return 4 if alias is None else fuzzer.ParameterAlias(alias)

        parameters = [Given(name, 1, 9, "uniform") for name in "bca"]
        try:
            ((_, _, params),) = fuzzer.Fuzzer(parameters, [], seed=0).take(1)
        except ValueError as error:
            return str(error).split("\n")[0]
        return params, repr(fuzzer.ParameterAlias("a"))

    compare(program)
