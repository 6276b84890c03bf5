"""Names that packages reach when they are imported: tracers, stores, hubs, assertions."""

import importlib
import sys
import warnings
from operator import attrgetter

import pytest

import minitorch
from tests.both import compare, like_pytorch, real


def module(torch, name):
    return importlib.import_module(f"{torch.__name__}.{name}")


@like_pytorch
def test_nothing_is_traced_or_fake(torch):
    fake = module(torch, "_subclasses.fake_tensor")
    proxies = module(torch, "fx.experimental.proxy_tensor")
    return (
        *(fake.is_fake(torch.ones(1)), fake.is_fake(3), proxies.get_proxy_mode()),
        isinstance(torch.nn.Linear(1, 1), module(torch, "fx").GraphModule),
        isinstance(torch.nn.Linear(1, 1), module(torch, "_dynamo.eval_frame").OptimizedModule),
        callable(module(torch, "_dynamo").is_dynamo_supported),
        module(torch, "onnx").is_in_onnx_export(),
        torch._C._are_functorch_transforms_active(),
        torch.torch is torch,
        module(torch, "hub").HASH_REGEX.search("net-1a2b3c.pth").group(1),
    )


def test_whether_a_transform_is_computed():
    from minitorch.autograd.levels import enter_level, exit_level

    level = enter_level("grad")
    inside = minitorch._C._are_functorch_transforms_active()
    exit_level(level)
    assert (inside, minitorch._C._are_functorch_transforms_active()) == (True, False)


@pytest.mark.parametrize("argument", ["len", len, 3])
def test_what_is_wrapped_for_a_tracer(argument):
    compare(lambda torch: module(torch, "fx").wrap(argument))

    def at_the_top(torch):
        names = {"wrap": module(torch, "fx").wrap, "argument": argument}
        exec("result = wrap(argument) is argument", names)
        return names["result"]

    compare(at_the_top)


ASSERTED = {
    "true": lambda torch: (torch.tensor(True),),
    "one": lambda torch: (torch.tensor([2.0]), "not reached"),
    "zero": lambda torch: (torch.tensor(0),),
    "zero with a text": lambda torch: (torch.tensor(False), "the text"),
    "two": lambda torch: (torch.ones(2),),
    "none": lambda torch: (torch.ones(0), "the text"),
    "no tensor": lambda torch: (3,),
    "no text": lambda torch: (torch.tensor(0), 3),
}


@pytest.mark.parametrize("case", ASSERTED)
def test_assert_async(case):
    compare(lambda torch: torch._assert_async(*ASSERTED[case](torch)))


@pytest.mark.parametrize("condition", [True, False, 0, "yes"])
def test_assert(condition):
    compare(lambda torch: torch._assert(condition, "the text"))
    compare(lambda torch: torch._assert(torch.tensor(bool(condition)), "the text"))


PARSED = {
    "dtype": lambda torch: ((torch.float64,), {}),
    "device": lambda torch: (("cpu",), {}),
    "all": lambda torch: ((torch.device("cpu"), torch.float16, True), {}),
    "tensor": lambda torch: ((torch.ones(1, dtype=torch.float64),), {}),
    "format": lambda torch: ((), {"memory_format": torch.channels_last}),
    "nothing": lambda torch: ((), {}),
    "copy": lambda torch: ((), {"dtype": torch.int8, "copy": True}),
    "non_blocking": lambda torch: ((torch.int8,), {"non_blocking": True}),
}


@pytest.mark.parametrize("case", PARSED)
def test_the_arguments_of_to(case):
    def program(torch):
        args, kwargs = PARSED[case](torch)
        device, dtype, non_blocking, memory_format = torch._C._nn._parse_to(*args, **kwargs)
        return str(device), str(dtype), non_blocking, str(memory_format)

    compare(program)


NOT_HERE = {
    "torch.onnx.export": lambda torch: module(torch, "onnx").export(abs, (), "x"),
    "torch.distributed.FileStore": lambda torch: module(torch, "distributed").FileStore("x", 1),
}


@pytest.mark.parametrize("name", NOT_HERE)
def test_what_is_only_a_name_says_so(name):
    with pytest.raises(NotImplementedError, match=f"^{name} is not part of minitorch$"):
        NOT_HERE[name](minitorch)


def test_the_names_are_pytorchs():
    for name in ("fx", "onnx", "utils.flop_counter", "hub"):
        ours = module(minitorch, name)
        assert [n for n in ours.__all__ if not hasattr(module(real, name), n)] == []


class TestNamesOfTestSuites:
    """What PyTorch's own helpers of tests look for."""

    test_tracebacks = staticmethod(
        like_pytorch(
            lambda torch: [
                [(f["name"], f["filename"] == __file__) for f in frames[:1]]
                for frames in torch._C._profiler.symbolize_tracebacks(
                    [torch._C._profiler.gather_traceback(python=True, script=False, cpp=False)]
                )
            ]
        )
    )

    @pytest.mark.parametrize("name", ["ScriptDict", "ScriptList", "ScriptMethod"])
    def test_there_is_nothing_of_torchscript(self, name):
        assert not isinstance({}, getattr(minitorch._C, name))
        with pytest.raises(NotImplementedError, match=name):
            getattr(minitorch._C, name)()

    @pytest.mark.parametrize("name", ["sparse_csr", "sparse_csc", "sparse_bsr", "jagged"])
    def test_layouts_are_names(self, name):
        layout = getattr(minitorch, name)
        compare(lambda torch: repr(getattr(torch, name)))
        assert layout != minitorch.ones(1).layout
        for function in (minitorch.zeros, minitorch.rand, minitorch.ones(1).new_zeros):
            with pytest.raises(NotImplementedError, match=f"layout=torch.{name}"):
                function(2, layout=layout)

    @pytest.mark.parametrize(
        "name", ["float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"]
    )
    def test_limits_of_short_floats(self, name):
        compare(lambda torch: repr(torch.finfo(getattr(torch, name))))

    def test_abbreviations(self):
        def program(torch):
            abbreviations = module(torch, "utils._dtype_abbrs").dtype_abbrs
            names = "float32 float64 float16 bfloat16 int64 uint8 bool complex64 complex128".split()
            return [abbreviations[getattr(torch, name)] for name in names]

        compare(program)

    def test_random_numbers_go_on_after_a_block_as_if_there_were_none(self):
        def program(torch):
            utils = module(torch, "testing._utils")
            torch.manual_seed(3)
            with utils.freeze_rng_state():
                torch.rand(5)
            first = torch.rand(2)
            return first, utils.wrapper_set_seed(torch.rand, 3), torch.rand(2)

        compare(program)

    def test_switches(self):
        def program(torch):
            modules = [
                module(torch, "utils._import_utils")._check_module_exists(n) for n in ("os", "no")
            ]
            same = module(torch, "utils._mode_utils").all_same_mode([1, 1])
            kept = torch._disable_dynamo(lambda s: 2 * s)("ab")
            path = module(torch, "_utils_internal").get_writable_path("/tmp")
            names = torch._C._get_privateuse1_backend_name(), torch._C._get_cpu_capability()
            capabilities = torch.cpu.get_capabilities()
            common = {n: capabilities[n] for n in ("avx2", "sse4_2", "avx512_vnni", "architecture")}
            return modules, same, kept, path, names, common, torch._C.has_lapack

        compare(program)

    @pytest.mark.parametrize("name", ["load", "load_inline", "CppExtension"])
    def test_there_is_no_interface_for_cpp(self, name):
        with pytest.raises(NotImplementedError, match=f"cpp_extension.{name} is not"):
            getattr(module(minitorch, "utils.cpp_extension"), name)("x")

    def test_checks_of_sparse_indices_can_be_queried(self):
        def program(torch):
            check = torch.sparse.check_sparse_tensor_invariants
            states = [check.is_enabled()]
            with check():
                states.append(check.is_enabled())
                with check(False):
                    states.append(check.is_enabled())
            check.enable()
            states.append(check(False)(check.is_enabled)())
            states.append(check.is_enabled())
            check.disable()
            twice = check()
            with twice, twice:
                pass

        compare(program)

    def test_operators_that_make_tensors(self):
        def program(torch):
            fake = module(torch, "_subclasses.fake_tensor")
            aten = torch.ops.aten
            operators = (aten.ones.default, aten.add.Tensor, aten.zeros_like.default)
            return [fake._is_tensor_constructor(operator) for operator in operators]

        compare(program)

    def test_switches_of_the_executor_of_compiled_code(self):
        def program(torch):
            _C = torch._C
            first = _C._jit_set_profiling_executor(True), _C._get_graph_executor_optimize(True)
            return first, _C._jit_set_profiling_executor(True), _C._get_graph_executor_optimize()

        compare(program)

    @pytest.mark.cpu_build
    def test_switches_of_fusion_in_compiled_code(self):
        def program(torch):
            _C = torch._C

            def asked():
                return (
                    _C._jit_texpr_fuser_enabled(),
                    _C._jit_can_fuse_on_cpu(),
                    _C._jit_can_fuse_on_gpu(),
                )

            before = asked()
            given = (
                _C._jit_set_profiling_mode(False),
                _C._jit_set_profiling_mode(True),
                _C._jit_set_texpr_fuser_enabled(False),
                _C._jit_override_can_fuse_on_cpu(True),
                _C._jit_override_can_fuse_on_gpu(True),
            )
            after = asked()
            _C._jit_set_texpr_fuser_enabled(before[0])
            _C._jit_override_can_fuse_on_cpu(before[1])
            return before, given, after, asked()

        compare(program)


METADATA = {
    "nothing": {},
    "all": {"size": [3], "stride": [1], "dtype": "float32", "device": "cpu"},
    "another size": {"size": [1, 3]},
    "another stride": {"stride": [2]},
    "another dtype": {"dtype": "int32"},
    "no tensor": {"a": 3},
}


@pytest.mark.parametrize("case", METADATA)
def test_what_a_tensor_is_like_is_asserted(case):
    def program(torch):
        options = {"a": torch.ones(3), **METADATA[case]}
        if "dtype" in options:
            options["dtype"] = getattr(torch, options["dtype"])
        return torch._assert_tensor_metadata(**options)

    compare(program)


def test_futures_are_set_once_and_hand_errors_on():
    def program(torch):
        done, failed = torch.futures.Future(), torch.futures.Future()
        done.set_result(1)
        failed.set_exception(ValueError("no"))
        texts = []
        for call in (
            lambda: done.set_result(2),
            lambda: torch.futures.collect_all([done, failed]).wait(),
            lambda: done.then(lambda _: 1 / 0).wait(),
        ):
            try:
                call()
            except (RuntimeError, ValueError) as error:
                # behind the first line PyTorch lists the calls
                texts.append((type(error).__name__, str(error).splitlines()[0]))
        return texts

    compare(program)


CHECKED = {
    "true": lambda torch: torch._check(True),
    "false": lambda torch: torch._check(False),
    "a text": lambda torch: torch._check(False, lambda: "the text"),
    "no function": lambda torch: torch._check(False, "the text"),
    "a tensor": lambda torch: torch._check(torch.tensor(True)),
    "a number": lambda torch: torch._check(1),
    "index": lambda torch: torch._check_index(False, lambda: "the text"),
    "type": lambda torch: torch._check_type(False, lambda: 3),
    "value": lambda torch: torch._check_value(False),
    "not implemented": lambda torch: torch._check_not_implemented(False),
    "another error": lambda torch: torch._check_with(KeyError, False, lambda: "the text"),
    "a size": lambda torch: torch._check_is_size(0),
    "no size": lambda torch: torch._check_is_size(-1),
    "too large": lambda torch: torch._check_is_size(2, max=1, message=lambda: "the text"),
    "all": lambda torch: torch._check_tensor_all(torch.tensor([True, True])),
    "not all": lambda torch: torch._check_tensor_all(torch.tensor([True, False])),
    "all of a bool": lambda torch: torch._check_tensor_all(True),
    "all of numbers": lambda torch: torch._check_tensor_all(torch.ones(2)),
}


@pytest.mark.parametrize("case", CHECKED)
def test_check(case):
    compare(CHECKED[case])


STREAMS = {
    "a stream": lambda torch: repr(torch.Stream()),
    "its device": lambda torch: str(torch.Stream("cpu:0").device),
    "equal": lambda torch: torch.Stream() == torch.Stream("cpu"),
    "done": lambda torch: (torch.Stream().query(), torch.Event().query()),
    "waited for": lambda torch: torch.Stream().wait_event(torch.Event()),
    "waits": lambda torch: torch.Stream().wait_stream(torch.Stream()),
    "a mark": lambda torch: torch.Stream().record_event(),
    "recorded": lambda torch: torch.Event().record(),
    "a timed event": lambda torch: repr(torch.Event(enable_timing=True)),
    "not timed": lambda torch: torch.Event().elapsed_time(torch.Event()),
    "of a GPU": lambda torch: torch.Stream("cuda"),
    "of no device": lambda torch: torch.Event("nothing"),
    "a graph": lambda torch: torch.cuda.graph(None),
    "capturing": lambda torch: torch.cuda.is_current_stream_capturing(),
}


@pytest.mark.cpu_build
@pytest.mark.parametrize("case", STREAMS)
def test_streams_of_the_cpu(case):
    compare(STREAMS[case])


@like_pytorch
def test_defaults_of_functions_in_python(torch):
    return (
        torch.meshgrid.__kwdefaults__,
        torch.norm.__defaults__,
        hasattr(torch.add, "__defaults__"),
    )


def test_what_names_of_processes_say():
    with pytest.raises(NotImplementedError, match="torch.distributed.fsdp.fully_shard"):
        module(minitorch, "distributed.fsdp").fully_shard(None)
    with pytest.raises(NotImplementedError, match="torch.export.export"):
        module(minitorch, "export").export(None, ())
    compare(lambda torch: module(torch, "distributed").get_process_group_ranks(None))


@like_pytorch
def test_sets_of_dispatch_keys(torch):
    keys, one = torch._C.DispatchKeySet, torch._C.DispatchKey
    both = keys(one.AutocastCPU) | keys(one.CPU)
    return repr(both), both.has(one.CPU), repr(both - keys(one.CPU)), both == keys(one.CPU)


@like_pytorch
def test_a_symbol_is_registered_under_a_name(torch):
    onnx = module(torch, "onnx")
    onnx.register_custom_op_symbolic("own::op", None, 9)
    onnx.unregister_custom_op_symbolic("own::op", 9)
    onnx.register_custom_op_symbolic("op", None, 9)


def test_what_the_library_was_built_with():
    config = module(minitorch, "__config__")
    assert "USE_CUDA=OFF" in config.show()
    assert "at::get_num_threads()" in config.parallel_info()
    assert not minitorch.ops.loaded_libraries
    compare(lambda torch: torch.ops.load_library("/no/such/library.so"))


@like_pytorch
def test_helpers_of_optimizers_that_are_written_like_pytorchs(torch):
    names = module(torch, "optim.optimizer")
    values = [torch.ones(2, dtype=torch.complex64), torch.ones(1)]
    states = [torch.zeros(2, dtype=torch.complex64), torch.zeros(1)]
    names._view_as_real(values, states)
    double = names._disable_dynamo_if_unsupported(single_tensor_fn=None)(lambda x: 2 * x)
    texts = [getattr(names, f"_{n}_doc") for n in ("params", "foreach", "fused", "maximize")]
    texts += [names._capturable_doc, names._differentiable_doc]
    return (
        (values, states, double(3), names._stack_if_compiling(values) is values),
        [text.split()[0] for text in texts],
        names._device_dtype_check_for_fused(torch.ones(1)),
    )


def test_a_fused_step_refuses_integers():
    def program(torch):
        refuse = module(torch, "optim.optimizer")._device_dtype_check_for_fused
        refuse(torch.ones(1, dtype=torch.int64))

    compare(program)


@like_pytorch
def test_helpers_of_distributions(torch):
    normal = module(torch, "distributions.multivariate_normal")
    transforms = module(torch, "distributions.transforms")
    lower = torch.tensor([[2.0, 0.0], [0.5, 1.0]])
    x = torch.tensor([[1.0, 2.0], [3.0, -1.0]])
    return (
        normal._batch_mahalanobis(lower, x),
        normal._batch_mv(lower, x),
        normal._precision_to_scale_tril(lower @ lower.T),
        transforms._clipped_sigmoid(torch.tensor([-200.0, 0.0, 200.0])),
        transforms._sum_rightmost(x, 1),
    )


@like_pytorch
def test_functions_are_found_in_torch_functional_too(torch):
    f = torch.functional
    return (
        f.stft(torch.ones(8), 4, window=torch.ones(4), return_complex=True).abs(),
        [t.tolist() for t in f.unravel_index(torch.tensor([5]), (2, 3))],
        [callable(getattr(f, n)) for n in ("istft", "lu", "pca_lowrank", "svd_lowrank")],
    )


def test_there_is_one_process():
    compare(lambda torch: module(torch, "distributed.nn").all_reduce(torch.ones(1)))
    compare(lambda torch: module(torch, "distributed.nn.functional").all_gather(torch.ones(1)))
    compare(lambda torch: str(module(torch, "distributed.constants").default_pg_timeout))
    with pytest.raises(NotImplementedError, match=r"distributed\.autograd\.backward is not part"):
        module(minitorch, "distributed.autograd").backward(1, [])


def test_an_error_is_written_down_for_the_one_who_started_the_program(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHELASTIC_ERROR_FILE", str(tmp_path / "error.json"))

    @module(minitorch, "distributed.elastic.multiprocessing.errors").record
    def main(x):
        return 1 / x

    assert main(2) == 0.5
    with pytest.raises(ZeroDivisionError):
        main(0)
    assert "ZeroDivisionError: division by zero" in (tmp_path / "error.json").read_text()


@like_pytorch
def test_the_old_name_of_quantization(torch):
    old = module(torch, "quantization")
    return old.QuantStub()(torch.ones(1)), issubclass(old.FakeQuantize, old.FakeQuantizeBase)


@like_pytorch
def test_a_convolution_by_its_inner_name(torch):
    x, weight = torch.arange(9.0).view(1, 1, 3, 3), torch.ones(2, 1, 2, 2)
    options = [1, 1], [0, 0], [1, 1], False, [0, 0], 1
    return (
        torch._convolution(x, weight, None, *options, False, False, True),
        torch.ops.aten._convolution(x, weight, None, *options, False, False, True, True),
    )


@like_pytorch
def test_layers_call_the_functions_of_functional(torch):
    functional, called = torch.nn.functional, []

    def counted(name):
        old = getattr(functional, name)

        def new(*args, **kwargs):
            called.append(name)
            return old(*args, **kwargs)

        setattr(functional, name, new)
        return name, old

    model = torch.nn.Sequential(
        *(torch.nn.Conv2d(1, 1, 1), torch.nn.ReLU(), torch.nn.MaxPool2d(1), torch.nn.GELU()),
        *(torch.nn.AdaptiveAvgPool2d(1), torch.nn.Dropout(0.1), torch.nn.Hardswish()),
    )
    names = "conv2d", "relu", "max_pool2d", "gelu", "adaptive_avg_pool2d", "dropout", "hardswish"
    before = [counted(name) for name in names]
    try:
        model(torch.ones(1, 1, 2, 2))
    finally:
        for name, old in before:
            setattr(functional, name, old)
    return [name for name in called if name != "conv2d"]


def test_containers_put_functions_of_their_own_into_vmap(monkeypatch):
    vmap = module(minitorch, "_functorch.vmap")
    seen = []

    def unwrap(outputs, out_dims, level, batch_size, func):
        seen.append((batch_size, vmap._get_name(func)))
        return vmap._maybe_remove_batch_dim("f", outputs, level, batch_size, out_dims)

    def create(flat_in_dims, flat_args, level, spec):
        return [vmap._add_batch_dim(flat_args[0], flat_in_dims[0], level)]

    monkeypatch.setattr(vmap, "_unwrap_batched", unwrap)
    monkeypatch.setattr(vmap, "_create_batched_inputs", create)
    result = minitorch.vmap(minitorch.sum)(minitorch.ones(3, 2))
    assert result.tolist() == [2.0, 2.0, 2.0]
    assert seen == [(3, "sum")]


@like_pytorch
def test_calls_as_texts(torch):
    x = torch.ones(100, 100)
    texts = [torch._utils.render_call(torch.sum, [x], {"dim": 0})]
    return [*texts, torch._utils.render_call(torch.Tensor.add, [x, 1], {})]


def test_modules_of_devices_are_registered_once():
    with pytest.raises(RuntimeError, match="^The runtime module of 'cpu' has already been registe"):
        minitorch._register_device_module("cpu", pytest)
    minitorch._register_device_module("privateuseone", pytest)
    assert minitorch.privateuseone is pytest
    del minitorch.privateuseone, sys.modules["minitorch.privateuseone"]


@like_pytorch
def test_tracers_find_the_decorator_of_compatible_methods(torch):
    return (
        module(torch, "fx._symbolic_trace")
        .compatibility(is_backward_compatible=True)(module)(torch, "fx")
        .__name__[-2:]
    )


@like_pytorch
def test_modules_and_devices_that_counters_of_operations_ask_for(torch):
    parallel = torch.nn.parallel
    same = parallel.distributed.DistributedDataParallel is parallel.DistributedDataParallel
    return same, torch._C._get_default_device()


def test_a_trace_calls_with_a_list_of_arguments():
    def program(torch):
        class Sum(torch.nn.Module):
            def forward(self, x, y):
                return x + y

        x = torch.ones(2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch deprecates each name that it passes by
            traced = torch.jit.trace_module(Sum(), {"forward": [x, x]})
            return traced(x, x), torch.jit.trace(Sum(), [x, x])(x, x)

    compare(program)


@like_pytorch
def test_no_kernel_of_triton_can_run(torch):
    triton = module(torch, "utils._triton")
    return triton.has_triton(), triton.has_triton_package()


@like_pytorch
def test_a_warning_is_given_once_whatever_the_filters(torch):
    warn_once = module(torch, "_dynamo.utils").warn_once
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for text in ("first", "second", "first"):
            warn_once(text)
    return [(str(w.message), w.category) for w in seen], ["test_names" in w.filename for w in seen]


MODULES = (
    "_compile _custom_op _custom_op.autograd "
    "_custom_op.impl _custom_ops _decomp "
    "_decomp.decompositions _dynamo._trace_wrapped_higher_order_op _export.wrappers "
    "_functorch _higher_order_ops _inductor.custom_graph_pass "
    "_inductor.exc _library _library.autograd "
    "_library.custom_ops _library.fake_profile _library.infer_schema "
    "_library.utils _prims_common.wrappers _subclasses.fake_utils "
    "_subclasses.functional_tensor autograd.profiler_legacy export.exported_program "
    "fx._pytree fx.experimental fx.experimental.proxy_tensor "
    "fx.experimental.symbolic_shapes fx.operator_schemas fx.passes.graph_manipulation "
    "fx.passes.infra fx.passes.infra.pass_base fx.passes.infra.pass_manager "
    "fx.passes.shape_prop fx.passes.split_module jit.annotations "
    "jit.frontend masked.maskedtensor.binary masked.maskedtensor.reductions "
    "masked.maskedtensor.unary nn.modules._functions nn.utils._expanded_weights "
    "nn.utils._expanded_weights.expanded_weights_impl nn.utils._expanded_weights.expanded_weights_utils nn.utils._named_member_accessor "
    "onnx.symbolic_helper onnx.symbolic_opset9 optim._functional "
    "profiler._memory_profiler utils._config_module utils._device "
    "utils._ordered_set utils._pallas utils._traceback "
    "utils._triton utils.data.datapipes.dataframe utils.data.datapipes.dataframe.dataframe_wrapper "
    "utils.data.datapipes.dataframe.dataframes utils.data.datapipes.dataframe.datapipes "
).split()


@pytest.mark.parametrize("name", MODULES)
def test_modules_are_attributes_of_their_packages(name):
    def kind(torch):
        found = attrgetter(name)(torch)
        return type(found).__name__, found.__name__.rpartition(".")[2]

    compare(kind)


@like_pytorch
def test_names_in_namespaces_that_libraries_look_up(torch):
    return (
        torch.nn.functional.grad is torch.nn.grad,
        torch.autograd.variable.Variable is torch.autograd.Variable,
        isinstance(torch.ones(1), torch.autograd.variable.Variable),
        repr(torch.nn.Module.T_destination),
        torch.DispatchKey is torch._C.DispatchKey,
        torch.classes.__file__,
    )


@like_pytorch
def test_a_missing_custom_class_raises(torch):
    return torch.classes.some_library.SomeClass


@like_pytorch
def test_private_functions_of_distributions(torch):
    distributions = torch.distributions
    x = torch.tensor([0.5, 3.0, 5.0])
    concentration = torch.tensor([0.3, 1.0, 2.0])
    factor = torch.tensor([[1.0, 2.0], [0.5, -1.0], [0.0, 3.0]])
    sample = torch.tensor([0.2, 0.3, 0.5])
    return (
        distributions.von_mises._log_modified_bessel_fn(x),
        distributions.von_mises._log_modified_bessel_fn(x, order=1),
        distributions.lowrank_multivariate_normal._batch_capacitance_tril(factor, concentration),
        distributions.kl._batch_trace_XXT(torch.stack([factor, 2 * factor])),
        distributions.dirichlet._Dirichlet_backward(sample, concentration, x),
        issubclass(distributions.dirichlet._Dirichlet, torch.autograd.Function),
    )


def test_angles_drawn_by_rejection_have_the_mean_of_their_distribution():
    distribution = minitorch.distributions.VonMises(
        minitorch.tensor(0.5), minitorch.tensor(4.0).double()
    )
    minitorch.manual_seed(0)
    angles = minitorch.distributions.von_mises._rejection_sample(
        distribution.loc.double(),
        distribution.concentration,
        distribution._proposal_r,
        minitorch.empty(20000, dtype=minitorch.float64),
    )
    mean = minitorch.atan2(angles.sin().mean(), angles.cos().mean())
    assert angles.shape == (20000,) and angles.abs().max() <= minitorch.pi
    assert abs(mean - 0.5) < 0.02
