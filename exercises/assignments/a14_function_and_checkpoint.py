"""Write operators with a derivative of your own, and a checkpoint that recomputes what it needs.

A subclass of `torch.autograd.Function` is an operator whose derivative you write. Its `apply` makes
a node, the `ctx`, and calls `forward(ctx, ...)` without recording. The backward pass calls
`backward(ctx, ...)` with one gradient for each output. It returns one for each argument of
`forward` after `ctx`, and None for an argument that is no tensor or needs no gradient.

With `create_graph=True` the operators in `backward` are recorded, so the gradients can be
differentiated again. This works if `backward` reaches everything that depends on an input by
recorded operators. `ctx.saved_tensors` gives back inputs and outputs with their history. A tensor
that `forward` has computed on the way has no history, and is a constant for the second derivative.

In the first part you write three operators that can be differentiated as often as one likes:

    Cube.apply(x, weight)    weight * x**3
    Moments.apply(x, dim)    mean and standard deviation; it saves its results
    Take.apply(x, index)     rows of x; its backward is itself a Function, Put

In the second part you write `checkpoint(function, *inputs)`. It calls the function and keeps none
of the tensors that the function saves. The backward pass calls the function again, with the same
random numbers. So a long computation needs less memory, and takes the time of one more forward
pass. You may write it with `Checkpoint`, whose methods are prepared below, or in another way.
"""

import minitorch as torch
from minitorch.autograd.function import once_differentiable

# ---- the first part: operators


class Cube(torch.autograd.Function):
    """``Cube.apply(x, weight)`` is ``weight * x**3``, for two tensors of the same shape."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return weight * x * x * x

    @staticmethod
    def backward(ctx, grad):
        """Return the gradients of `x` and `weight`.

        ``ctx.needs_input_grad`` has a bool for each argument of `forward`. Compute no gradient that
        is not needed; return None for it.
        """
        # <answer Cube.backward>
        # hint: The derivative with respect to `x` is 3 * weight * x**2, and x**3 with respect to
        #   `weight`. Multiply each by `grad`.
        # hint: Get both tensors with `x, weight = ctx.saved_tensors` and use them as they are. They
        #   have their history; `detach` or `no_grad` would cut it off.
        # hint: Begin with None for both gradients. Compute the first one only
        #   `if ctx.needs_input_grad[0]`, and the second one only `if ctx.needs_input_grad[1]`.
        x, weight = ctx.saved_tensors
        grad_x = grad_weight = None
        if ctx.needs_input_grad[0]:
            grad_x = grad * 3 * weight * x * x
        if ctx.needs_input_grad[1]:
            grad_weight = grad * x * x * x
        return grad_x, grad_weight
        # <wrong detached_in_backward>
        #|- x, weight = ctx.saved_tensors
        #|+ x, weight = (tensor.detach() for tensor in ctx.saved_tensors)
        # <wrong every_gradient_computed>
        #| x, weight = ctx.saved_tensors
        #| return grad * 3 * weight * x * x, grad * x * x * x
        # </answer>


class Moments(torch.autograd.Function):
    """``Moments.apply(x, dim)`` returns three tensors without the dimension `dim` of `x`.

    The first is the mean along the dimension. The second is the standard deviation, the root of the
    mean of ``(x - mean)**2``. The third is the peak, the largest ``abs(x - mean)``. The peak is
    only for a log, and has no derivative.
    """

    @staticmethod
    def forward(ctx, x, dim):
        """Compute the three tensors, and save `x` and the first two of them for `backward`.

        Mark the peak with ``ctx.mark_non_differentiable``. Then a program that differentiates it
        gets an error, and not a gradient of zero.

        A program may use the mean and not the standard deviation. Usually `backward` gets zeros for
        an output that was not used. Call ``ctx.set_materialize_grads(False)`` to get None instead.
        """
        # <answer Moments.forward>
        # hint: Compute the mean first, and then `x - mean.unsqueeze(dim)`, from which you get the
        #   other two. The mean of the squares minus the square of the mean would be the same on
        #   paper, but nearly all digits are lost if the mean is large.
        # hint: `ctx.save_for_backward(x, mean, std)` saves an input and two outputs: all three come
        #   back with their history, and a write in place is noticed. `dim` is no tensor, so keep
        #   it as an attribute: `ctx.dim = dim`.
        # hint: `std` is `(away * away).mean(dim).sqrt()` and the peak is `away.abs().amax(dim)`,
        #   where `away` is the difference. Do not save `away`: it has no history.
        mean = x.mean(dim)
        away = x - mean.unsqueeze(dim)
        std = (away * away).mean(dim).sqrt()
        peak = away.abs().amax(dim)
        ctx.dim = dim
        ctx.save_for_backward(x, mean, std)
        ctx.mark_non_differentiable(peak)
        ctx.set_materialize_grads(False)
        return mean, std, peak
        # <wrong kept_as_attributes>
        #|- ctx.save_for_backward(x, mean, std)
        #|+ ctx.kept = x, mean, std
        # <wrong difference_saved>
        #|- ctx.save_for_backward(x, mean, std)
        #|+ ctx.save_for_backward(away, mean, std)
        # <wrong peak_not_marked>
        #|- ctx.mark_non_differentiable(peak)
        # <wrong zeros_for_unused_outputs>
        #|- ctx.set_materialize_grads(False)
        # <wrong mean_of_squares>
        #|- away = x - mean.unsqueeze(dim)
        #|- std = (away * away).mean(dim).sqrt()
        #|- peak = away.abs().amax(dim)
        #|+ std = ((x * x).mean(dim) - mean * mean).clamp(min=0).sqrt()
        #|+ peak = (x - mean.unsqueeze(dim)).abs().amax(dim)
        # </answer>

    @staticmethod
    def backward(ctx, grad_mean, grad_std, grad_peak):
        """Return the gradient of `x`, and None for `dim`.

        `grad_mean` or `grad_std` is None if that output was not used, and `grad_peak` always is.
        """
        # <answer Moments.backward>
        # hint: Let n be `x.shape[dim]`. A change of one element moves the mean by 1 / n, and the
        #   standard deviation by (x - mean) / (n * std).
        # hint: The gradients have no dimension `dim`. Put it back with `unsqueeze(ctx.dim)`, and
        #   let the operators broadcast.
        # hint: Begin with `torch.zeros_like(x)`. Add a term for each of the two gradients that is
        #   not None. A zero instead of None would do harm: if all elements are equal, std is 0, and
        #   0 / 0 is not a number.
        x, mean, std = ctx.saved_tensors
        n = x.shape[ctx.dim]
        grad_x = torch.zeros_like(x)
        if grad_mean is not None:
            grad_x = grad_x + (grad_mean / n).unsqueeze(ctx.dim)
        if grad_std is not None:
            away = x - mean.unsqueeze(ctx.dim)
            grad_x = grad_x + away * (grad_std / (n * std)).unsqueeze(ctx.dim)
        return grad_x, None
        # <wrong mean_always_used>
        #|- if grad_mean is not None:
        #|-     grad_x = grad_x + (grad_mean / n).unsqueeze(ctx.dim)
        #|+ grad_x = grad_x + (grad_mean / n).unsqueeze(ctx.dim)
        # <wrong kept_as_attributes>
        #|- x, mean, std = ctx.saved_tensors
        #|+ x, mean, std = ctx.kept
        # <wrong difference_saved>
        #| away, mean, std = ctx.saved_tensors
        #| n = away.shape[ctx.dim]
        #| grad_x = torch.zeros_like(away)
        #| if grad_mean is not None:
        #|     grad_x = grad_x + (grad_mean / n).unsqueeze(ctx.dim)
        #| if grad_std is not None:
        #|     grad_x = grad_x + away * (grad_std / (n * std)).unsqueeze(ctx.dim)
        #| return grad_x, None
        # <wrong zeros_for_unused_outputs>
        #| x, mean, std = ctx.saved_tensors
        #| n = x.shape[ctx.dim]
        #| away = x - mean.unsqueeze(ctx.dim)
        #| from_std = away * (grad_std / (n * std)).unsqueeze(ctx.dim)
        #| return (grad_mean / n).unsqueeze(ctx.dim) + from_std, None
        # </answer>


class Take(torch.autograd.Function):
    """``Take.apply(x, index)`` returns the rows of `x` whose numbers are in `index`.

    `index` is a tensor of integers with one dimension. A row may be taken several times.
    """

    @staticmethod
    def forward(ctx, x, index):
        ctx.save_for_backward(index)
        ctx.size = x.shape[0]
        return x[index]

    @staticmethod
    def backward(ctx, grad):
        """Return the gradient of `x`: each row of `grad` goes where the row of `x` was taken from.

        Use `Put`, so that the step back is a node of its own, with a derivative of its own.
        """
        # <answer Take.backward>
        # hint: Which function puts rows back to their places? It is below.
        # hint: Call `Put.apply(...)` and not `Put.forward(...)`: only `apply` makes a node.
        #   Integers have no derivative, so the second gradient is None.
        # hint: Get the index with `(index,) = ctx.saved_tensors`. The first gradient is
        #   `Put.apply(grad, index, ctx.size)`.
        (index,) = ctx.saved_tensors
        return Put.apply(grad, index, ctx.size), None
        # <wrong put_not_recorded>
        #| (index,) = ctx.saved_tensors
        #| with torch.no_grad():
        #|     return Put.apply(grad, index, ctx.size), None
        # </answer>


class Put(torch.autograd.Function):
    """``Put.apply(rows, index, size)`` returns a tensor with `size` rows, the reverse of `Take`.

    Row ``index[k]`` is the sum of all ``rows[k]`` that go there. Rows where nothing goes are zeros.
    """

    @staticmethod
    def forward(ctx, rows, index, size):
        """Compute the tensor, and save `index` for `backward`."""
        # <answer Put.forward>
        # hint: What if a number occurs twice in `index`? The rows add up.
        # hint: Begin with zeros of the same dtype: `rows.new_zeros(size, *rows.shape[1:])`.
        # hint: `index_add_(0, index, rows)` adds to the rows of a tensor in place. Nothing is
        #   recorded in `forward`, so you may write in place here.
        ctx.save_for_backward(index)
        return rows.new_zeros(size, *rows.shape[1:]).index_add_(0, index, rows)
        # <wrong two_dimensions_only>
        #|- return rows.new_zeros(size, *rows.shape[1:]).index_add_(0, index, rows)
        #|+ return rows.new_zeros(size, rows.shape[1]).index_add_(0, index, rows)
        # <wrong size_from_the_index>
        #|- return rows.new_zeros(size, *rows.shape[1:]).index_add_(0, index, rows)
        #|+ size = int(index.max()) + 1
        #|+ return rows.new_zeros(size, *rows.shape[1:]).index_add_(0, index, rows)
        # <wrong repeated_rows_overwritten>
        #| ctx.save_for_backward(index)
        #| result = rows.new_zeros(size, *rows.shape[1:])
        #| result[index] = rows
        #| return result
        # </answer>

    @staticmethod
    def backward(ctx, grad):
        (index,) = ctx.saved_tensors
        return Take.apply(grad, index), None, None


# ---- the second part: a checkpoint


class TENSOR:
    """Marks the place of a tensor in a list of other values."""


def split(values):
    """Return the tensors among some values, and the values with `TENSOR` in their places."""
    tensors = [value for value in values if isinstance(value, torch.Tensor)]
    return tensors, [TENSOR if isinstance(value, torch.Tensor) else value for value in values]


def join(tensors, rest):
    """Return the list of values that `split` has divided."""
    tensors = iter(tensors)
    return [next(tensors) if value is TENSOR else value for value in rest]


class Checkpoint(torch.autograd.Function):
    """The node of a checkpoint.

    The arguments of `apply` are the function, a tensor that `checkpoint` gives, and the inputs of
    the function. The function returns a tensor or a tuple of tensors.
    """

    @staticmethod
    def forward(ctx, function, anchor, *inputs):
        """Call the function, and keep what is needed to call it again.

        These are the function, the inputs and the state of the random number generator before the
        call, ``torch.get_rng_state()``. Save the tensors among the inputs as in the first part.
        """
        # <answer Checkpoint.forward>
        # hint: Take the state of the generator before you call the function. The call then draws
        #   its numbers as any call does: the state afterwards must not be reset.
        # hint: `split(inputs)` gives you the tensors, for `ctx.save_for_backward`, and the rest.
        #   Then a write to an input is noticed, and the inputs are freed after the pass.
        # hint: Keep the function, the rest and the state as attributes of `ctx`. Return what the
        #   function returns. `apply` has switched recording off, so nothing inside is saved.
        ctx.function = function
        ctx.rng_state = torch.get_rng_state()
        tensors, ctx.rest = split(inputs)
        ctx.save_for_backward(*tensors)
        return function(*inputs)
        # <wrong inputs_as_attributes>
        #| ctx.function = function
        #| ctx.rng_state = torch.get_rng_state()
        #| ctx.inputs = inputs
        #| return function(*inputs)
        # <wrong generator_reset_in_forward>
        #|- return function(*inputs)
        #|+ result = function(*inputs)
        #|+ torch.set_rng_state(ctx.rng_state)
        #|+ return result
        # </answer>

    @staticmethod
    @once_differentiable  # an error is better than a wrong second derivative
    def backward(ctx, *grad_outputs):
        """Call the function again, and return the gradients of the inputs.

        The function may use tensors that are not among its inputs, such as the parameters of a
        layer. Their gradients are added to their `.grad`.

        The call draws the same random numbers as the first one. Afterwards, even if the call fails,
        the generator is in the state in which it was before: the program around the backward pass
        must not notice.
        """
        # <answer Checkpoint.backward>
        # hint: The second call is recorded, so recording has to be switched on. Its inputs have to
        #   be leaves, so that this graph ends there: `tensor.detach()`.
        # hint: Which of the leaves require grad? `ctx.needs_input_grad[2:]` says it for each input.
        #   An input may be an integer tensor, which cannot.
        # hint: Note the current state of the generator, set the old one, call the function inside
        #   of `with torch.enable_grad():`, and set the noted one in a `finally:` block.
        # hint: `torch.autograd.backward(outputs, gradients)` starts a pass inside of the pass that
        #   is running. It takes only outputs that require grad. Afterwards the `.grad` of each leaf
        #   is what you return, behind two None for `function` and `anchor`.
        values = zip(join(ctx.saved_tensors, ctx.rest), ctx.needs_input_grad[2:], strict=True)
        inputs = [
            value.detach().requires_grad_(needed) if isinstance(value, torch.Tensor) else value
            for value, needed in values
        ]
        state = torch.get_rng_state()
        torch.set_rng_state(ctx.rng_state)
        try:
            with torch.enable_grad():
                outputs = ctx.function(*inputs)
        finally:
            torch.set_rng_state(state)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        pairs = [pair for pair in zip(outputs, grad_outputs, strict=True) if pair[0].requires_grad]
        torch.autograd.backward([output for output, _ in pairs], [grad for _, grad in pairs])
        return None, None, *[getattr(value, "grad", None) for value in inputs]
        # <wrong inputs_as_attributes>
        #|- values = zip(join(ctx.saved_tensors, ctx.rest), ctx.needs_input_grad[2:], strict=True)
        #|+ values = zip(ctx.inputs, ctx.needs_input_grad[2:], strict=True)
        # <wrong other_random_numbers>
        #|- torch.set_rng_state(ctx.rng_state)
        # <wrong generator_left_behind>
        #|-     torch.set_rng_state(state)
        #|+     pass
        # <wrong inputs_not_detached>
        #|- values = zip(join(ctx.saved_tensors, ctx.rest), ctx.needs_input_grad[2:], strict=True)
        #|- inputs = [
        #|-     value.detach().requires_grad_(needed) if isinstance(value, torch.Tensor) else value
        #|-     for value, needed in values
        #|- ]
        #|+ inputs = join(ctx.saved_tensors, ctx.rest)
        # <wrong every_input_requires_grad>
        #|-     value.detach().requires_grad_(needed) if isinstance(value, torch.Tensor) else value
        #|+     value.detach().requires_grad_() if isinstance(value, torch.Tensor) else value
        # <wrong only_the_inputs>
        #|- torch.autograd.backward([output for output, _ in pairs], [grad for _, grad in pairs])
        #|- return None, None, *[getattr(value, "grad", None) for value in inputs]
        #|+ leaves = [value for value in inputs if getattr(value, "requires_grad", False)]
        #|+ roots, gradients = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        #|+ grads = iter(torch.autograd.grad(roots, leaves, gradients, allow_unused=True))
        #|+ return None, None, *[
        #|+     next(grads) if getattr(value, "requires_grad", False) else None for value in inputs
        #|+ ]
        # <wrong once_for_each_output>
        #| values = zip(join(ctx.saved_tensors, ctx.rest), ctx.needs_input_grad[2:], strict=True)
        #| inputs = [
        #|     value.detach().requires_grad_(needed) if isinstance(value, torch.Tensor) else value
        #|     for value, needed in values
        #| ]
        #| for k, grad in enumerate(grad_outputs):
        #|     state = torch.get_rng_state()
        #|     torch.set_rng_state(ctx.rng_state)
        #|     try:
        #|         with torch.enable_grad():
        #|             outputs = ctx.function(*inputs)
        #|     finally:
        #|         torch.set_rng_state(state)
        #|     output = outputs[k] if isinstance(outputs, tuple) else outputs
        #|     if output.requires_grad:
        #|         output.backward(grad)
        #| return None, None, *[getattr(value, "grad", None) for value in inputs]
        # </answer>


def checkpoint(function, *inputs):
    """Call ``function(*inputs)`` without keeping what it saves; the backward pass calls it again.

    Parameters
    ----------
    function : callable
        Returns a tensor or a tuple of tensors. It must do the same in both calls.
    *inputs : object
        Tensors and other values.

    Returns
    -------
    Tensor or tuple of Tensor
        The result of the function. Its node is recorded even if no input requires grad, because
        the function may use parameters that do.
    """
    # <answer checkpoint>
    # hint: `Checkpoint.apply` records a node if an argument is a tensor that requires grad. It does
    #   not see the parameters that the function uses.
    # hint: So give it such a tensor as the `anchor`, always. It needs no elements.
    # hint: `torch.empty(0, requires_grad=True)` is such a tensor.
    return Checkpoint.apply(function, torch.empty(0, requires_grad=True), *inputs)
    # <wrong no_anchor>
    #| return Checkpoint.apply(function, None, *inputs)
    # </answer>


# <tests>
import contextlib
import gc
import re
import types
import weakref

import minitorch
from exercises import plugs
from exercises.engines import nodes_below
from exercises.scenario import error_of, scenario
from minitorch.autograd.current_task import _current_graph_task_id as current_pass
from minitorch.autograd.graph import saved_tensors_hooks
from minitorch.nn.functional import dropout
from minitorch.utils import _checkpoint_frames, _checkpoint_reentrant, _checkpoint_selective
from minitorch.utils import checkpoint as _checkpoint

ABOUT = {
    "number": 14,
    "title": "Functions and a checkpoint",
    "part": "Use",
    "goal": "Write operators that can be differentiated twice, and trade time for memory.",
    "reading": [
        "learn/side_paths/function",
        "learn/side_paths/create_graph",
        "learn/side_paths/memory",
        "learn/side_paths/re_entrancy",
    ],
    "difficulty": 3,
    "importance": 4,
    "hours": 4,
}

FUNCTION = "learn/side_paths/function"
RECORDED = "learn/side_paths/create_graph"
MEMORY = "learn/side_paths/memory"
NESTED = "learn/side_paths/re_entrancy"


def install(piece):
    return contextlib.nullcontext()


def retire():
    """Take away checkpoints, hooks on what is saved, and derivatives that are no backward passes."""
    modules = [_checkpoint, _checkpoint_frames, _checkpoint_reentrant, _checkpoint_selective]
    for module in modules:
        for value in list(vars(module).values()):
            empty_out(value, {m.__name__ for m in modules})
    plugs.forbid_functions(
        *("checkpoint", "checkpoint_sequential", "_without_reentrant", "CheckpointFunction"),
        *("Frame", "_SavedArguments", "detach_variable"),
        *("grad_and_value", "vjp", "jvp", "jacrev", "jacfwd", "jacobian", "hessian", "hvp", "vhp"),
        *("linearize", "make_dual", "enter_dual_level"),
        *("saved_tensors_hooks", "save_on_cpu", "entered_hooks", "disable_saved_tensors_hooks"),
        "allow_mutation_on_saved_tensors",
    )
    plugs.forbid_node_calls()


def empty_out(value, modules):
    """Replace the code of a function or of a class's methods, so that no other name leads to it."""
    value = getattr(value, "__func__", value)
    if isinstance(value, type) and value.__module__ in modules:
        for method in list(vars(value).values()):
            empty_out(method, modules)
    elif isinstance(value, types.FunctionType) and value.__module__ in modules:
        if not value.__code__.co_freevars:
            value.__code__ = _retired.__code__


def _retired(*arguments, **keywords):
    raise RuntimeError("a checkpoint is yours to write; the library's own is switched off here")


def tensor(torch, draw, *shape, grad=True):
    return torch.tensor(draw.floats(*shape), dtype=torch.float64, requires_grad=grad)


def pass_number(torch):
    """Return the number of a backward pass that is made here; the engine counts them."""
    numbers = []
    x = torch.ones((), requires_grad=True) * 1
    x.register_hook(lambda grad: numbers.append(current_pass()))
    x.backward()
    return numbers[0]


def own_nodes(*roots):
    """Return the names of the nodes below some tensors that belong to a `Function`, sorted."""
    ours = minitorch.autograd.function.BackwardCFunction
    found = [node for node in nodes_below(*roots) if isinstance(node, ours)]
    return sorted(type(node).name(node) for node in found)  # a node may have an attribute `name`


def derivatives(torch, draw, call, *leaves):
    """Yield the results of a call, their first and second derivatives and the number of passes."""
    before = pass_number(torch)
    outputs = call(*leaves)
    yield "values", [output.detach() for output in outputs]
    yield "nodes", own_nodes(*outputs)
    weights = [tensor(torch, draw, *output.shape) for output in outputs]
    first = torch.autograd.grad(outputs, leaves, weights, create_graph=True)
    yield "first derivatives", list(first)
    yield "calls of Put in them", own_nodes(*first).count("PutBackward")
    directions = [tensor(torch, draw, *leaf.shape, grad=False) for leaf in leaves]
    second = torch.autograd.grad(first, [*leaves, *weights], directions, allow_unused=True)
    yield "second derivatives", list(second)
    yield "passes", pass_number(torch) - before


class Packed:
    """A node saves this in place of a tensor while `Kept` watches."""

    def __init__(self, tensor):
        self.tensor = tensor


class Kept:
    """Counts the elements of the floating-point tensors that nodes keep."""

    def __init__(self):
        self.alive = weakref.WeakSet()

    def pack(self, tensor):
        packed = Packed(tensor.detach())
        self.alive.add(packed)
        return packed

    def watch(self):
        return saved_tensors_hooks(self.pack, lambda packed: packed.tensor)

    def elements(self):
        return sum(p.tensor.numel() for p in self.alive if p.tensor.is_floating_point())


_calls = {}  # how often each function of `counted` was called; an answer cannot reach it


def counted(function, last=99):
    """Return a function that counts its calls, and raises an exception after `last` of them."""

    def call(*inputs):
        _calls[call] += 1
        result = function(*inputs)
        if _calls[call] > last:
            raise KeyError(f"call {_calls[call]}")
        return result

    _calls[call] = 0
    return call


def calls(function):
    return _calls[function]


@scenario(points=6, idea="Use the saved tensors as they are: they have a history.", page=RECORDED)
def a_cube_and_its_derivatives(torch, piece, draw):
    x, weight = (tensor(torch, draw, 3) for _ in range(2))
    yield from derivatives(torch, draw, lambda *inputs: [piece.Cube.apply(*inputs)], x, weight)


@scenario(points=6, idea="Return None where `ctx.needs_input_grad` is False.", page=FUNCTION)
def only_the_gradients_that_are_needed(torch, piece, draw):
    for which in draw.shuffled([[0], [1], [0, 1]]):
        inputs = [tensor(torch, draw, 2, grad=k in which) for k in range(2)]
        y, seen = piece.Cube.apply(*inputs), []
        y.grad_fn.register_hook(lambda grads, _, seen=seen: seen.append(list(grads)))
        y.backward(tensor(torch, draw, 2, grad=False))
        yield f"gradients of {which}", seen


@scenario(points=5, idea="Take the mean away before you square.", page=FUNCTION)
def moments_and_their_gradients(torch, piece, draw):
    for dim in (0, 1, -1):
        x = tensor(torch, draw, 4, 3)
        mean, std, peak = piece.Moments.apply(x, dim)
        yield "values", [mean, std, peak]
        weights = [tensor(torch, draw, *mean.shape, grad=False) for _ in range(2)]
        torch.autograd.backward([mean, std], weights)
        yield "x.grad", x.grad
    far = tensor(torch, draw, 5, grad=False) + draw.integer(10**5, 9 * 10**5)
    yield "far from zero", [*piece.Moments.apply(far, 0)]


@scenario(points=6, idea="What `forward` computes on the way has no history.", page=RECORDED)
def moments_differentiated_twice(torch, piece, draw):
    x = tensor(torch, draw, 3, 4)
    dim = draw.integer(0, 1)
    yield from derivatives(torch, draw, lambda x: piece.Moments.apply(x, dim)[:2], x)


@scenario(
    points=5, idea="What has no derivative is marked; what is not used is None.", page=FUNCTION
)
def outputs_that_are_not_differentiated(torch, piece, draw):
    x = tensor(torch, draw, 2, 3)
    _, _, peak = piece.Moments.apply(x, 1)
    yield "peak", [peak, error_of(peak.sum().backward)]
    x = torch.full((2, 3), draw.floats(), dtype=torch.float64, requires_grad=True)
    mean, _, _ = piece.Moments.apply(x, 1)
    mean.backward(tensor(torch, draw, 2, grad=False))
    yield "gradient of equal elements", x.grad
    x = tensor(torch, draw, 2, 3)
    piece.Moments.apply(x, 1)[1].backward(tensor(torch, draw, 2, grad=False))
    yield "gradient of the standard deviation", x.grad


@scenario(points=8, idea="The backward of Take is a node, too, if it calls apply.", page=RECORDED)
def rows_that_are_taken_twice(torch, piece, draw):
    for shape in draw.shuffled([(5,), (5, 2), (5, 2, 2)]):
        index = torch.tensor(draw.shuffled([0, 2, 2, 3, draw.integer(0, 3)]))
        x = tensor(torch, draw, *shape)
        yield from derivatives(torch, draw, lambda x, i=index: [piece.Take.apply(x, i)], x)


@scenario(
    points=9, idea="The second call needs leaves, and gives .grad to parameters.", page=NESTED
)
def a_checkpoint_gives_the_same_gradients(torch, piece, draw):
    a, b, weight = (tensor(torch, draw, *shape) for shape in ((2, 3), (2,), (2, 3)))
    factor, index = draw.integer(2, 5), torch.tensor(draw.integers(0, 1, 4))

    def rows(x, k, y, i):
        return (x * weight * k).sin()[i], (y * k).exp()[i], y.argmax()

    function = counted(rows)
    outputs = piece.checkpoint(function, a * 2, factor, b, index)
    yield "values and calls", [*outputs, calls(function)]
    grads = [tensor(torch, draw, *output.shape, grad=False) for output in outputs[:2]]
    torch.autograd.backward(outputs[:2], grads)
    yield "gradients", [a.grad, b.grad, weight.grad]
    yield "calls", [factor, calls(function)]


@scenario(
    points=9, idea="Both calls draw the same numbers, and later draws do not change.", page=MEMORY
)
def the_random_numbers_are_the_same(torch, piece, draw):
    torch.manual_seed(draw.integer(0, 10**6))
    x, weight = tensor(torch, draw, 8), tensor(torch, draw, 8)
    function = counted(lambda x: dropout(x * weight, 0.5) * torch.rand(8, dtype=torch.float64))
    y = piece.checkpoint(function, x)
    yield "value, and a number after the call", [y, torch.rand(2)]
    y.backward(torch.rand(8, dtype=torch.float64))
    yield "gradients", [x.grad, weight.grad]
    yield "a number after the pass", [torch.rand(2), calls(function)]
    y = piece.checkpoint(counted(function, last=1), x)
    grad = torch.rand(8, dtype=torch.float64)
    yield "a second call that fails", [error_of(y.backward, grad), torch.rand(2)]


@scenario(points=6, idea="A checkpoint keeps its inputs, and nothing else.", page=MEMORY)
def what_a_checkpoint_keeps(torch, piece, draw):
    gc.disable()
    kept, n = Kept(), draw.integer(3, 9)
    x, weight = tensor(torch, draw, n), tensor(torch, draw, n)
    function = counted(lambda x: (x * weight).sin().exp().cos())
    with kept.watch():
        y = piece.checkpoint(function, x * 2)
        yield "elements after the call", kept.elements()
        y.backward(tensor(torch, draw, n, grad=False))
        yield "gradients and calls", [x.grad, weight.grad, calls(function)]
        y = piece.checkpoint(function, x * 2)
    y = None
    yield "elements when the graph is gone, plus a number", kept.elements() + n


# </tests>


# <hidden>
@scenario(points=4, hidden=True, idea="Save tensors with `save_for_backward`.", page=MEMORY)
def what_moments_keep(torch, piece, draw):
    gc.disable()
    kept, n = Kept(), draw.integer(3, 9)
    x = tensor(torch, draw, 2, n)
    with kept.watch():
        mean, std, _ = piece.Moments.apply(x, 1)
    yield "elements after the call", kept.elements()
    torch.autograd.backward([mean, std], [torch.ones(2, dtype=torch.float64)] * 2)
    yield "elements after the pass", [x.grad, kept.elements()]


def written(torch, call, changed, number):
    """Return the versions in the error of a backward pass after `number` writes to a tensor."""
    for _ in range(number):
        changed.add_(1)
    kind, message = error_of(call) or ("no error", "")
    return [kind, re.findall(r"is at version (\d+)", message), number]


@scenario(
    points=7,
    hidden=True,
    idea="Only what `save_for_backward` has saved is protected from writes.",
    page="learn/side_paths/inplace",
)
def writes_are_noticed(torch, piece, draw):
    number = draw.integer(1, 5)
    x = tensor(torch, draw, 3)
    for which in range(2):
        doubled = x * 2
        mean, std, _ = piece.Moments.apply(doubled, 0)
        changed = (doubled, std)[which]
        total = mean + std.exp()
        yield f"moments {which}", written(torch, total.backward, changed, number)
    doubled = x * 2
    y = piece.checkpoint(lambda x: x.exp().sum(), doubled)
    yield "checkpoint", written(torch, y.backward, doubled, number)


@scenario(points=5, hidden=True, idea="Everything in `backward` has to be recorded.", page=RECORDED)
def a_penalty_on_the_gradients(torch, piece, draw):
    x, weight = tensor(torch, draw, 5, 3, 2), tensor(torch, draw, 5, 3, 2)
    index = torch.tensor(draw.integers(0, 3, 6))
    frozen, before = tensor(torch, draw, 5, 3, 2, grad=False), pass_number(torch)
    cube, seen = piece.Cube.apply(x, frozen), []
    cube.grad_fn.register_hook(lambda grads, _: seen.append(grads[1]))
    rows = piece.Take.apply(piece.Cube.apply(cube, weight), index)
    mean, std, _ = piece.Moments.apply(rows, draw.choice([0, 1]))
    first = torch.autograd.grad((mean * std).sum(), [x, weight], create_graph=True)
    yield "calls of Put", [first[0].detach(), own_nodes(*first).count("PutBackward")]
    sum((grad * grad).sum() for grad in first).backward()
    yield "gradients", [x.grad, weight.grad]
    yield "gradients of a constant, and passes", [*seen, pass_number(torch) - before]


@scenario(points=5, hidden=True, idea="Think of rows that are far from zero, or all equal.")
def moments_of_unusual_rows(torch, piece, draw):
    x = tensor(torch, draw, 3, 5, 2, grad=False) + draw.integer(10**5, 9 * 10**5)
    x[:, :, 1] = draw.floats()
    x.requires_grad_()
    mean, std, peak = piece.Moments.apply(x, -2)
    yield "values", [mean, std, peak]
    (mean[:, 1].exp().sum() + mean[:, 0].sum() * draw.integer(2, 5)).backward()
    yield "x.grad", x.grad
    yield "peak", error_of((peak * 2).sum().backward)
    x = tensor(torch, draw, 3, 5)
    (piece.Moments.apply(x, -2)[1] * draw.integer(2, 5)).sum().backward()
    yield "without the mean", x.grad


@scenario(points=5, hidden=True, idea="A checkpoint may be called in a checkpoint.", page=NESTED)
def checkpoints_in_checkpoints(torch, piece, draw):
    torch.manual_seed(draw.integer(0, 10**6))
    x, weight = tensor(torch, draw, 6), tensor(torch, draw, 6)

    def layers(depth, x):
        x = dropout((x * weight).sin(), 0.25)
        return piece.checkpoint(layers, depth - 1, x).cos() if depth else x

    for first in (x, x.detach()):
        kept = Kept()
        with kept.watch():
            y = piece.checkpoint(layers, 3, first)
            y = piece.checkpoint(lambda y: dropout(y * weight, 0.5), y)
            yield "value and elements kept", [y, kept.elements()]
            y.backward(torch.rand(6, dtype=torch.float64))
        yield "gradients and a number", [x.grad, weight.grad, torch.rand(2)]


@scenario(
    points=5, hidden=True, idea="Only outputs that require grad have a gradient.", page=NESTED
)
def several_outputs_of_a_checkpoint(torch, piece, draw):
    x, weight = tensor(torch, draw, 5), tensor(torch, draw, 5)

    def function(x, y, index):
        flags.append([x.requires_grad, y.requires_grad])
        z = (x * weight)[index]
        return z.sin(), z.argmax(), z.exp() * y, y * 2

    call, flags = counted(function), []
    y = tensor(torch, draw, 5, grad=False)
    outputs = piece.checkpoint(call, x, y, torch.tensor(draw.shuffled(range(5))))
    yield "values", list(outputs)
    weights = [tensor(torch, draw, 5, grad=False) for _ in range(2)]
    torch.autograd.backward([outputs[0], outputs[2]], weights, retain_graph=True)
    yield "gradients and calls", [x.grad, weight.grad, y.grad, calls(call), flags]
    outputs[0].sum().backward()
    yield "after a second pass", [x.grad, weight.grad, calls(call)]


@scenario(points=5, hidden=True, idea="A frozen input does not freeze the parameters.", page=NESTED)
def only_the_parameters_require_grad(torch, piece, draw):
    x, weight = tensor(torch, draw, 4, grad=False), tensor(torch, draw, 4)
    flags = []

    def function(x):
        flags.append(x.requires_grad)
        return (x * weight).sin()

    piece.checkpoint(function, x).backward(tensor(torch, draw, 4, grad=False))
    yield "gradients, and whether x required grad", [weight.grad, x.grad, flags]


@scenario(points=4, hidden=True, idea="Set the generator back in a `finally:` block.", page=MEMORY)
def a_second_call_that_fails(torch, piece, draw):
    torch.manual_seed(draw.integer(0, 10**6))
    x = tensor(torch, draw, 3)
    function = counted(lambda x: x.exp() * torch.rand(3, dtype=torch.float64), last=1)
    y = piece.checkpoint(function, x)
    torch.rand(2)
    yield "error, a number and the gradient", [error_of(y.sum().backward), torch.rand(2), x.grad]


MISTAKES = {
    "detached_in_backward": "Your Cube detaches the saved tensors. Their history is lost, and the "
    "second derivative with it.",
    "every_gradient_computed": "Your Cube computes both gradients, even if `ctx.needs_input_grad` "
    "says that one is not needed.",
    "kept_as_attributes": "Your Moments keeps tensors as attributes of ctx. Then writes in place "
    "are not noticed, and the tensors are not freed after the pass. Use `save_for_backward`.",
    "difference_saved": "Your Moments saves the difference that `forward` has computed. It has no "
    "history, so it is a constant for the second derivative. Compute it again in `backward`.",
    "peak_not_marked": "Your Moments does not mark the peak with `mark_non_differentiable`.",
    "zeros_for_unused_outputs": "Your Moments gets zeros for outputs that were not used. Zero "
    "divided by a standard deviation of zero is not a number.",
    "mean_always_used": "Your Moments uses the gradient of the mean even if it is None. That is so if "
    "a program uses the standard deviation alone.",
    "mean_of_squares": "Your Moments takes the square of the mean from the mean of the squares. If "
    "the mean is large, these are nearly the same, and few digits are left.",
    "put_not_recorded": "Your Take calls Put under no_grad, so its backward cannot be "
    "differentiated.",
    "two_dimensions_only": "Your Put works only if rows have one dimension. They may have none or "
    "several.",
    "size_from_the_index": "Your Put ends with the last row that was taken. The rows after it are "
    "missing; `size` says how many there are in all.",
    "repeated_rows_overwritten": "Your Put writes rows over each other. If a row was taken twice, "
    "the gradients have to be added.",
    "inputs_as_attributes": "Your checkpoint keeps its inputs as attributes of ctx. Then writes in "
    "place are not noticed, and the tensors are not freed after the pass.",
    "generator_reset_in_forward": "Your checkpoint resets the random number generator after the "
    "first call, so the program draws the same numbers again.",
    "other_random_numbers": "The second call of your checkpoint draws other random numbers than "
    "the first one.",
    "generator_left_behind": "Your checkpoint leaves the random number generator in another state "
    "than it was in before the backward pass.",
    "inputs_not_detached": "Your checkpoint calls the function with the inputs themselves. The "
    "inner pass then runs on below them, and gradients arrive twice or not at all.",
    "every_input_requires_grad": "Your checkpoint asks for the gradient of a tensor that has none, such "
    "as an integer. Of the inputs, `ctx.needs_input_grad` says which need one.",
    "only_the_inputs": "Your checkpoint computes the gradients of the inputs, but not those of the "
    "parameters that the function uses.",
    "once_for_each_output": "Your checkpoint calls the function again for each of its outputs. "
    "Once is enough for all.",
    "no_anchor": "Your checkpoint records no node if no input requires grad. Then the parameters "
    "that the function uses get no gradients.",
}

EQUIVALENT = {
    "values = zip(join(ctx.saved_tensors, ctx.rest), ctx.needs_input_grad[2:], "
    "strict=True)  ->  values = zip(join(ctx.saved_tensors, ctx.rest), "
    "ctx.needs_input_grad[2:], strict=False)": "there is a flag for each input",
    "pairs = [pair for pair in zip(outputs, grad_outputs, strict=True) if "
    "pair[0].requires_grad]  ->  pairs = [pair for pair in zip(outputs, grad_outputs, "
    "strict=False) if pair[0].requires_grad]": "there is a gradient for each output",
    "return Checkpoint.apply(function, torch.empty(0, requires_grad=True), *inputs)  ->  "
    "return Checkpoint.apply(function, torch.empty( 1, requires_grad=True), *inputs)": "the "
    "elements of the anchor are not used",
}
# </hidden>
