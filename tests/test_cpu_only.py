"""Questions about devices and the compiler: what a PyTorch answers that was built for the CPU alone."""

import pytest

import minitorch
from tests.both import compare, real
from tests.expressions import check, lines

pytestmark = pytest.mark.cpu_build

# GPUs and their relatives
DEVICES = lines(
    r"""
torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.is_initialized()
torch.cuda.is_bf16_supported(), torch.cuda.is_tf32_supported()
torch.cuda.current_device()
torch.cuda.synchronize()
torch.cuda.init()
torch.cuda.get_device_name(0)
torch.cuda.get_device_properties(0)
torch.cuda.get_device_capability()
torch.cuda.current_stream()
torch.cuda.Stream()
torch.cuda.Event(enable_timing=True)
torch.cuda.CUDAGraph()
torch.cuda.stream(None).__enter__()
torch.cuda.device(0).__enter__()
torch.cuda.device(-1).__enter__()
torch.cuda.device_of(x).__enter__()
torch.cuda.manual_seed(1), torch.cuda.manual_seed_all(1), torch.cuda.seed(), torch.cuda.seed_all()
torch.cuda.get_rng_state()
torch.cuda.get_rng_state_all()
torch.cuda.initial_seed()
torch.cuda.empty_cache(), torch.cuda.memory_allocated(), torch.cuda.max_memory_reserved()
torch.cuda.memory_stats()
torch.cuda.mem_get_info()
torch.cuda.get_arch_list(), torch.cuda.get_gencode_flags()
torch.cuda.nvtx.range_push('a')
torch.cuda.nvtx.range('a').__enter__()
torch.cuda._initialized, torch.cuda._is_in_bad_fork(), torch.cuda._is_compiled(), torch.cuda.set_stream(None)
torch.cuda._lazy_init()
torch.cuda.memory_stats_as_nested_dict(), torch.cuda._lazy_call(print)
torch.nn.parallel.data_parallel(torch.nn.Linear(2, 2), x)
torch.nn.parallel.replicate(torch.nn.Linear(2, 2), [0])
torch.nn.parallel.parallel_apply([torch.nn.Identity()], [(x,)])
torch.cuda.FloatTensor(3)
isinstance(x, torch.cuda.FloatTensor)
torch.cuda.OutOfMemoryError is torch.OutOfMemoryError, torch.OutOfMemoryError.__mro__[1].__name__
torch.mps.is_available(), torch.mps.device_count(), torch.mps.manual_seed(1)
torch.mps.empty_cache()
torch.mps.synchronize()
torch.xpu.is_available(), torch.xpu.device_count(), torch.xpu.manual_seed(1), torch.xpu.empty_cache()
torch.xpu.current_device()
torch.xpu.synchronize()
torch.mtia.is_available()
torch.accelerator.is_available(), torch.accelerator.current_accelerator(), torch.accelerator.device_count()
torch.cpu.is_available(), torch.cpu.device_count(), torch.cpu.current_device(), torch.cpu.synchronize()
torch.get_device_module() is torch.cpu, torch.get_device_module('cuda') is torch.cuda
x.is_cuda, x.is_mps, x.is_xpu, x.is_xla, x.is_ipu, x.is_mtia, x.is_vulkan, x.is_maia, x.is_sparse_csr
x.xpu()
x.cuda()
torch.ones(2, device='cuda')
torch.nn.Linear(2, 2).to('cuda')
x.pin_memory()
x.is_pinned()
torch.version.cuda, torch.version.hip, torch.version.debug
"""
)

SWITCHES = lines(
    r"""
torch.backends.cudnn.is_available(), torch.backends.cudnn.version(), torch.backends.cudnn.enabled
torch.backends.cudnn.benchmark, torch.backends.cudnn.deterministic
torch.backends.cudnn.flags(enabled=False).__enter__();; torch.backends.cudnn.enabled
torch.backends.cuda.is_built(), torch.backends.cuda.matmul.allow_tf32
torch.backends.cuda.flash_sdp_enabled(), torch.backends.cuda.math_sdp_enabled()
torch.backends.mps.is_available(), torch.backends.mps.is_built()
torch.backends.mkldnn.enabled, torch.backends.nnpack.flags().__class__.__name__
torch.backends.openmp.is_available(), torch.backends.opt_einsum.is_available()
torch.is_deterministic_algorithms_warn_only_enabled()
torch.set_deterministic_debug_mode('warn');; torch.get_deterministic_debug_mode(), torch.set_deterministic_debug_mode(0)
torch.set_deterministic_debug_mode('loud')
torch.set_deterministic_debug_mode(3)
torch.set_deterministic_debug_mode(None)
torch.set_warn_always(1)
torch.is_warn_always_enabled()
torch.sym_int(-3.5), torch.sym_float(3), torch.sym_not(True), torch.sym_max(2, 3.), torch.sym_min(2, 3.), torch.sym_ite(True, 1, 2)
torch.nn.attention.SDPBackend.MATH.name, int(torch.nn.attention.SDPBackend.ERROR)
torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH).__enter__();; torch.backends.cuda.flash_sdp_enabled()
torch.nn.attention.sdpa_kernel(3).__enter__()
torch.nn.DataParallel(torch.nn.Linear(3, 2))(x)
torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2))
list(torch.nn.DataParallel(torch.nn.Linear(3, 2)).state_dict())
torch.distributed.is_initialized(), torch.distributed.is_nccl_available()
torch.distributed.get_rank()
torch.distributed.all_reduce(x)
torch.multiprocessing.get_sharing_strategy()
torch.compiler.is_compiling(), torch.compiler.is_dynamo_compiling(), torch.compiler.is_exporting()
torch.compiler.disable(lambda: 3)()
torch.compiler.disable()(lambda: 3)()
torch.jit.is_scripting(), torch.jit.is_tracing()
torch.jit.annotate(int, 3)
def f(x): return x + 1;; torch.jit.ignore(f)(1), torch.jit.ignore(drop=True)(f)(1), torch.jit.unused(f)(1), torch.jit.export(f)(1)
torch.jit.isinstance([1, 2], list[int]), torch.jit.isinstance({'a': x}, dict[str, torch.Tensor])
torch.jit.isinstance((1, 'a'), tuple[int, str]), torch.jit.isinstance((1, 2), tuple[int, str])
x.storage_type().__name__, x.byte().storage_type().__name__
torch._utils._flatten_dense_tensors([x, m])
torch._utils._unflatten_dense_tensors(torch.arange(15.), [x, m])
torch._utils._get_device_index('cpu')
torch.overrides.is_tensor_like(x), torch.overrides.is_tensor_like(3), torch.overrides.has_torch_function((x, 3))
torch.overrides.is_tensor_method_or_property(torch.Tensor.add), torch.overrides.is_tensor_method_or_property(len)
torch.is_distributed(x), torch.is_signed(x), torch.is_signed(torch.ones(1).byte()), torch.is_conj(x), torch.is_neg(x)
torch.nn.modules.utils._pair(3), torch.nn.modules.utils._triple((1, 2, 3))
torch.nn.Linear(2, 2).to(torch.int32)
torch.nn.Linear(2, 2).to(torch.ones(1).double()).weight.dtype, torch.nn.Linear(2, 2).type('torch.DoubleTensor').bias.dtype
torch.nn.Linear(2, 2).to('cpu', 'cpu')
torch.nn.Linear(2, 2).to(torch.float64, copy=True)
torch.nn.Conv2d(3, 2, 3).to(memory_format=torch.channels_last).weight.stride()
torch.nn.Linear(2, 2).to(parrot=1)
torch.nn.Linear(2, 2).xpu()
torch.nn.ReLU().cuda()
s = torch.nn.Sequential(torch.nn.ReLU());; s.set_submodule('0', torch.nn.Tanh());; s
torch.nn.Sequential().set_submodule('', torch.nn.Tanh())
torch.nn.Sequential().set_submodule('1', 3)
torch.nn.Sequential().set_submodule('1', torch.nn.Tanh(), strict=True)
torch.nn.Sequential(torch.nn.Linear(1, 1)).set_submodule('0.weight', torch.nn.Tanh())
torch.nn.modules.utils._reverse_repeat_tuple((1, 2), 2)
"""
)

AUTOCAST = lines(
    r"""
torch.is_autocast_enabled(), torch.is_autocast_enabled('cpu'), torch.is_autocast_cache_enabled()
torch.is_autocast_cpu_enabled()
torch.get_autocast_dtype('cuda'), torch.get_autocast_gpu_dtype()
torch.autocast('cpu', dtype=torch.float16).__enter__();; torch.is_autocast_enabled('cpu')
torch.autocast('cpu', dtype=torch.float32).__enter__();; torch.is_autocast_enabled('cpu')
torch.autocast('cpu', enabled=False).__enter__();; torch.is_autocast_enabled('cpu')
torch.autocast('cuda').__enter__();; torch.is_autocast_enabled('cuda')
torch.autocast(3)
torch.autocast('parrot')
torch.amp.is_autocast_available('cpu'), torch.amp.is_autocast_available('cuda')
torch.amp.GradScaler('cuda').is_enabled(), torch.amp.GradScaler('cpu').is_enabled()
torch.amp.GradScaler('cpu').state_dict()
torch.cuda.amp.GradScaler().state_dict()
torch.cuda.amp.GradScaler().scale(x)
torch.amp.GradScaler('cpu').scale([x, (m, x)])
torch.amp.GradScaler('cpu').scale(3)
torch.amp.GradScaler('cpu').update()
torch.amp.GradScaler('cpu', growth_factor=1.)
torch.amp.custom_fwd(abs, device_type=3)
"""
)


@pytest.fixture(autouse=True)
def restored():
    """The lines leave switches as they set them."""
    both = (real, minitorch)
    dtypes = {(t, device): t.get_autocast_dtype(device) for t in both for device in ("cpu", "cuda")}
    yield
    for torch in both:
        torch.set_autocast_enabled("cpu", False)
        torch.set_autocast_enabled("cuda", False)
        for device in ("cpu", "cuda"):
            torch.set_autocast_dtype(device, dtypes[torch, device])
        torch.clear_autocast_cache()
        torch.autocast_increment_nesting()
        while torch.autocast_decrement_nesting() > 0:
            pass  # what has been entered and not left
        if not real.backends.flags_frozen():  # what tests/compat imports freezes PyTorch's
            torch.backends.cudnn.enabled = True
        torch.backends.cuda.enable_flash_sdp(True)
        torch.backends.cuda.enable_mem_efficient_sdp(True)
        torch.backends.cuda.enable_cudnn_sdp(True)
        torch.set_deterministic_debug_mode(0)


@pytest.mark.parametrize("line", DEVICES + SWITCHES + AUTOCAST)
def test_line_does_what_it_does_in_pytorch_for_the_cpu(line):
    check(line)


def scaled_training(torch):
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=4.0, growth_interval=2)
    history = []
    for step in range(6):
        optimizer.zero_grad()
        inputs = torch.full((3, 4), float("inf") if step == 3 else 0.1 * step)
        scaler.scale(model(inputs).square().mean()).backward()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        history.append((scaler.get_scale(), float(norm) if step != 3 else 0.0))
    again = torch.amp.GradScaler("cpu")
    again.load_state_dict(scaler.state_dict())
    return history, again.state_dict(), model.weight.detach(), scaler._get_growth_tracker()


def test_the_scaler_grows_backs_off_and_leaves_out_steps():
    compare(scaled_training)


def step_twice(torch):
    w = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(w.sum()).backward()
    scaler.step(optimizer)
    scaler.step(optimizer)


def unscale_twice(torch):
    w = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale(w.sum()).backward()
    scaler.unscale_(optimizer)
    scaler.unscale_(optimizer)


def step_without_scale(torch):
    torch.amp.GradScaler("cpu").step(torch.optim.SGD([torch.ones(2, requires_grad=True)], lr=0.1))


@pytest.mark.parametrize("program", [step_twice, unscale_twice, step_without_scale])
def test_a_scaler_used_in_the_wrong_order_raises(program):
    compare(program)


def function_under_autocast(torch):
    seen = []

    class Twice(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float16)
        def forward(ctx, x):
            seen.append((str(x.dtype), torch.is_autocast_enabled("cpu")))
            return x * 2

        @staticmethod
        @torch.amp.custom_bwd(device_type="cpu")
        def backward(ctx, gradient):
            seen.append(torch.is_autocast_enabled("cpu"))
            return gradient.float() * 2

    x = torch.ones(2, requires_grad=True)
    Twice.apply(x).sum().backward()
    with torch.autocast("cpu", dtype=torch.float16):
        Twice.apply(x).float().sum().backward()
    return seen, x.grad


def test_decorated_functions_see_the_dtype_and_the_switch():
    compare(function_under_autocast)


def overridden(torch):
    from importlib import import_module

    overrides = import_module(f"{torch.__name__}.overrides")

    class Logged:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return func.__name__, [kind.__name__ for kind in types], len(args)

    class More(Logged):
        pass

    class Refusing:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    @overrides.wrap_torch_function(lambda a, b: (a, b))
    def mean_of(a, b):
        return (a + b) / 2

    results = [mean_of(1, 3), mean_of(Logged(), 2), mean_of(Logged(), More()),
               mean_of(Refusing(), Logged())]  # fmt: skip
    try:
        mean_of(Refusing(), 1)
    except TypeError as error:
        results.append(str(error)[:30])
    return results


def test_classes_take_calls_over_from_functions_that_ask():
    compare(overridden)


# every layer of nn by the module that PyTorch keeps it in
@pytest.mark.parametrize("name", sorted(n for n in dir(real.nn) if n[0].isupper()))
def test_layer_is_found_in_pytorchs_module(name):
    layer = getattr(real.nn, name)
    home = getattr(layer, "__module__", "")
    if not home.startswith("torch.nn.modules") or not hasattr(minitorch.nn, name):
        pytest.skip("no layer, or none of ours")
    minitorch.install_as_torch()
    try:
        found = getattr(__import__(home, fromlist=[name]), name)
    finally:
        minitorch.uninstall_as_torch()
    assert found is getattr(minitorch.nn, name)
