"""Write the input buffers: the places where the gradients that arrive at a node are added up.

A node may be reached along several edges. Until it runs, the gradients that have arrived wait in
its `InputBuffer`, which has one place for each output of the node. The first gradient is put there
as it is. The second makes a sum. Later gradients are added to this sum *in place*, so that a node
with a thousand edges needs one new tensor and not a thousand.

In place is dangerous, however. The first gradient may also be on its way to other nodes: the two
gradients of `a + b` are one and the same tensor. Or it belongs to the user, who gave it to
`backward`, or to a hook that has kept it. A buffer may write only into a tensor that it has made
itself. In a recorded pass (`create_graph=True`) it may not even write into these, since the sums
are parts of a new graph: `torch.is_grad_enabled()` is true then.

You write three parts:

1. `add_gradients` adds two gradients, in place if that is allowed;
2. `InputBuffer.add` adds a gradient to the place of one output;
3. `InputBuffer.take` returns the sums and empties the buffer.

The engine below is given. It has no queue: it sorts the nodes by their age, which is slower but
also right. `Variable._execution_engine = Engine()` makes all of minitorch run on it.
"""

import minitorch as torch
from minitorch.autograd.engine_steps import (
    call_function,
    call_tensor_pre_hooks,
    unpack_arguments,
)

# ---- yours to write


def add_gradients(old, new, owned):
    """Return the sum of two gradients of the same shape.

    Parameters
    ----------
    old, new : Tensor
        `new` must stay as it is.
    owned : bool
        Whether `old` is a sum that `add_gradients` has made. Then, unless the pass is recorded, add
        to it in place and return it. If not, `old` must stay as it is, and the sum is a new
        tensor of version 0: nothing was written to it after it was made.
    """
    # <answer add_gradients>
    # hint: There are two cases: one writes into `old`, and the other makes a new tensor.
    # hint: `torch.is_grad_enabled()` says whether the pass is recorded, and `old.add_(new)` writes
    #   into `old` and returns it.
    if owned and not torch.is_grad_enabled():
        return old.add_(new)
    return old + new
    # <wrong writes_into_alias>
    #| return old.add_(new)
    # <wrong writes_into_the_new_one>
    #| if owned and not torch.is_grad_enabled():
    #|     return old.add_(new)
    #| return new.add_(old)
    # <wrong in_place_while_recording>
    #| return old.add_(new) if owned else old + new
    # <wrong requires_grad_for_recorded>
    #|- if owned and not torch.is_grad_enabled():
    #|+ if owned and not (old.requires_grad or new.requires_grad):
    # <wrong never_in_place>
    #| return old + new
    # <wrong keeps_the_last>
    #| return new
    # </answer>


class InputBuffer:
    """The gradients that have arrived at a node.

    Attributes
    ----------
    gradients : list of (Tensor or None)
        The sum of what has arrived for each output; None if nothing has.
    owned : list of bool
        Whether that sum is a tensor that `add_gradients` has made.
    """

    def __init__(self, num_outputs):
        self.gradients = [None] * num_outputs
        self.owned = [False] * num_outputs

    def add(self, output_nr, gradient):
        """Add a gradient, a Tensor or None, to what has arrived for one output.

        None is a gradient of zeros: nothing has to be added.
        """
        # <answer InputBuffer.add>
        # hint: Three cases: no gradient came, it is the first, or there is one already.
        # hint: Keep the first gradient itself. A copy would be safe, but wasted if it stays alone.
        # hint: After `add_gradients`, the sum is yours: set `owned` of this output to True.
        if gradient is None:
            return
        old = self.gradients[output_nr]
        if old is None:
            self.gradients[output_nr] = gradient
        else:
            self.gradients[output_nr] = add_gradients(old, gradient, self.owned[output_nr])
            self.owned[output_nr] = True
        # <wrong copies_the_first>
        #| if gradient is None:
        #|     return
        #| old = self.gradients[output_nr]
        #| if old is None:
        #|     self.gradients[output_nr] = gradient.clone()
        #| else:
        #|     self.gradients[output_nr] = add_gradients(old, gradient, True)
        #| self.owned[output_nr] = True
        # <wrong first_is_owned>
        #|-     self.owned[output_nr] = True
        #|+ self.owned[output_nr] = True
        # <wrong same_tensor_counts_once>
        #|- else:
        #|+ elif gradient is not old:
        # <wrong drops_zeros>
        #|- if gradient is None:
        #|+ if gradient is None or not gradient.any():
        # <wrong none_makes_owned>
        #| old = self.gradients[output_nr]
        #| if old is None:
        #|     self.gradients[output_nr] = gradient
        #| else:
        #|     if gradient is not None:
        #|         self.gradients[output_nr] = add_gradients(old, gradient, self.owned[output_nr])
        #|     self.owned[output_nr] = True
        # <wrong none_clears_the_place>
        #| old = self.gradients[output_nr]
        #| if old is None or gradient is None:
        #|     self.gradients[output_nr] = gradient
        #| else:
        #|     self.gradients[output_nr] = add_gradients(old, gradient, self.owned[output_nr])
        #|     self.owned[output_nr] = True
        # <wrong owned_for_all_outputs>
        #|-     self.owned[output_nr] = True
        #|+     self.owned = [True] * len(self.owned)
        # </answer>

    def take(self):
        """Return the list of gradients, and leave an empty buffer that owns nothing."""
        # <answer InputBuffer.take>
        # hint: What has been returned is no longer yours: the node may keep it, or give it to hooks.
        # hint: Put new lists of None and False into the two attributes.
        gradients = self.gradients
        self.gradients = [None] * len(gradients)
        self.owned = [False] * len(gradients)
        return gradients
        # <wrong take_keeps>
        #| return list(self.gradients)
        # <wrong still_owned>
        #| gradients = self.gradients
        #| self.gradients = [None] * len(gradients)
        #| return gradients
        # </answer>


# ---- given


def newest_first(roots):
    """Return all nodes below the roots; each comes after every node with an edge to it."""
    found, stack = {}, list(roots)
    while stack:
        node = stack.pop()
        if node is not None and node not in found:
            found[node] = node._sequence_nr() if node.next_functions else -1
            stack += [function for function, _ in node.next_functions]
    return sorted(found, key=found.get, reverse=True)


class Engine:
    """An engine for `backward()` and `grad()`; ``backward(inputs=...)`` is left out."""

    def __init__(self):
        self.spare = []  # empty buffers, to be used again

    def run_backward(
        self,
        tensors,
        grad_tensors,
        keep_graph,
        create_graph,
        inputs=(),
        allow_unreachable=False,
        accumulate_grad=False,
    ):
        with torch.set_grad_enabled(create_graph):
            roots, ends = unpack_arguments(tensors, grad_tensors, inputs, accumulate_grad)
            buffers, captured = {}, [None] * len(ends)
            self.hand_on([root[:2] for root in roots], [root[2] for root in roots], buffers)
            for node in newest_first([root[0] for root in roots]):
                buffer = buffers.pop(node)
                gradients = buffer.take()
                self.spare.append(buffer)
                gradients = call_tensor_pre_hooks(node, gradients)
                for index, (target, output_nr, _) in enumerate(ends):
                    if target is node:
                        captured[index] = gradients[output_nr]
                if node.next_functions or not ends:
                    results = call_function(node, gradients, keep_graph)
                    self.hand_on(node.next_functions, results, buffers)
        return () if accumulate_grad else tuple(captured)

    def hand_on(self, edges, gradients, buffers):
        for (function, output_nr), gradient in zip(edges, gradients, strict=True):
            if function is not None:
                if function not in buffers:
                    buffers[function] = self.new_buffer(len(function._input_metadata))
                buffers[function].add(output_nr, gradient)

    def new_buffer(self, num_outputs):
        for k, buffer in enumerate(self.spare):
            if len(buffer.gradients) == num_outputs:
                return self.spare.pop(k)
        return InputBuffer(num_outputs)


# <tests>
from exercises.engines import grow, install_engine, leaves, retire_engine
from exercises.scenario import scenario

ABOUT = {
    "number": 8,
    "title": "Input buffers",
    "part": "The engine",
    "goal": "Add up the gradients that arrive at a node, in place only where nothing else sees it.",
    "reading": ["learn/backward/09_sum", "learn/side_paths/create_graph"],
    "difficulty": 2,
    "importance": 4,
    "hours": 2,
}


def install(piece):
    return install_engine(piece)


def retire():
    """Remove the compiled engine."""
    retire_engine()


def vectors(torch, draw, count, n=2):
    return [torch.tensor(draw.floats(n), dtype=torch.float64) for _ in range(count)]


def filled(torch, piece, gradients, output_nr=0, num_outputs=1):
    """Return what a buffer makes of some gradients for one output, in a pass without recording."""
    buffer = piece.InputBuffer(num_outputs)
    with torch.no_grad():
        for gradient in gradients:
            buffer.add(output_nr, gradient)
        return buffer.take()[output_nr]


def index_of(tensor, tensors):
    """Return which of the tensors this one is, or None."""
    return next((k for k, other in enumerate(tensors) if other is tensor), None)


@scenario(points=3, idea="All gradients that arrive for one output are added up.")
def gradients_of_two_paths_are_added(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * draw.integer(2, 9)
    (a * draw.integer(2, 9) + a * draw.integer(2, 9) + a * a).backward(*vectors(torch, draw, 1))
    yield "x.grad", x.grad
    (same,) = vectors(torch, draw, 1)
    yield "one tensor that arrives twice", filled(torch, piece, [same, same])


@scenario(points=5, idea="Each output of a node has its own place.")
def outputs_are_kept_apart(torch, piece, draw):
    (x,) = leaves(draw, 1, 4)
    parts = x.unbind(0)
    loss = 0
    for k in draw.shuffled([0, 1, 1, 3, 3, 3]):
        loss = loss + parts[k] * draw.integer(2, 9)
    loss.backward()
    yield "x.grad", x.grad


@scenario(
    points=8, idea="The two gradients of p + q are one tensor. Adding to it in place changes both."
)
def a_gradient_on_its_way_to_two_nodes_stays_as_it_is(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    q = w * draw.integer(2, 9)
    p = x * draw.integer(2, 9)
    u = p * draw.integer(2, 9)
    s = p + q
    (s + u).backward(*vectors(torch, draw, 1))
    yield "gradients", [x.grad, w.grad]


@scenario(points=8, idea="The gradients that the user gives to `backward` belong to the user.")
def the_gradient_of_the_user_stays_as_it_is(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * draw.integer(2, 9)
    given = vectors(torch, draw, 3)
    for gradient in draw.shuffled(given)[:2]:
        gradient.add_(1)  # a version other than 0 does not make it the buffer's own
    torch.autograd.backward([a, a, a], given)
    yield "x.grad", x.grad
    yield "the gradients that were given", given


@scenario(points=7, idea="A hook may keep a gradient, which must not change afterwards.")
def a_gradient_that_a_hook_keeps_stays_as_it_is(torch, piece, draw):
    x, w = leaves(draw, 2, 2)
    kept = []
    a = x * draw.integer(2, 9)
    b = a * draw.integer(2, 9)
    c = a * w
    c.grad_fn.register_hook(lambda grad_inputs, grad_outputs: kept.extend(grad_inputs))
    c.register_hook(kept.append)
    (b + c).backward(*vectors(torch, draw, 1))
    yield "what the hooks have kept", kept
    yield "gradients", [x.grad, w.grad]


@scenario(points=6, idea="None adds nothing, and does not remove what has arrived before.")
def none_adds_nothing(torch, piece, draw):
    a, b = vectors(torch, draw, 2)
    yield (
        "all orders",
        [
            filled(torch, piece, draw.shuffled([a, None, b, None])),
            filled(torch, piece, [a, None, b]),
            filled(torch, piece, [None, a]),
            filled(torch, piece, [a, None]),
            filled(torch, piece, [None]),
        ],
    )
    yield "the gradients afterwards", [a, b]


@scenario(points=7, idea="A gradient that stays alone needs no copy.")
def a_single_gradient_is_not_copied(torch, piece, draw):
    given = draw.shuffled(vectors(torch, draw, 3))
    k = draw.integer(0, 2)
    result = filled(torch, piece, [given[k]])
    yield "which of the three it is", [k, index_of(result, given), result]
    zero = given[0] * 0
    wide = torch.tensor(draw.floats(), dtype=torch.float64).expand(3)
    for kind, tensor in (("zero", zero), ("expanded", wide)):
        result = filled(torch, piece, [tensor])
        yield f"a gradient that is {kind}", [k, index_of(result, [tensor]), result]
    yield "two gradients", filled(torch, piece, given[:2])


@scenario(
    points=10, idea="After the second gradient the sum is the buffer's own: add to it in place."
)
def the_third_gradient_is_added_in_place(torch, piece, draw):
    n = draw.integer(3, 30)
    given = vectors(torch, draw, n)
    result = filled(torch, piece, given, 1, 2)
    buffer = piece.InputBuffer(2)
    with torch.no_grad():
        for gradient in given[:3]:
            buffer.add(1, gradient)
            nothing, arrived = buffer.gradients
            yield "what is in the buffer after each", [nothing, arrived.clone()]
    yield "the sum and how often it was written to", [result, result._version]
    yield "the gradients and how often they were written to", [[g, g._version] for g in given]


@scenario(
    points=10,
    idea="A recorded sum is part of a new graph, so it must not be written to.",
    page="learn/side_paths/create_graph",
)
def a_recorded_sum_is_never_written_to(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    given = [x * draw.integer(2, 9) for _ in range(4)]
    buffer = piece.InputBuffer(2)
    with torch.enable_grad():
        for gradient in given:
            buffer.add(0, gradient)
            buffer.add(1, gradient.detach())
        result, constant = buffer.take()
    yield "the sum and its version", [result, result._version]
    yield "its node", result.grad_fn.name()
    yield "a sum that needs no gradient, and its version", [constant, constant._version]
    yield "the versions of the gradients", [[g, g._version] for g in given]


@scenario(
    points=4,
    idea="With create_graph, the sums are differentiated too.",
    page="learn/side_paths/create_graph",
)
def sums_can_be_differentiated(torch, piece, draw):
    (x,) = leaves(draw, 1, 2)
    a = x * x
    b = a * a + a * draw.integer(2, 9) + a * x
    (dx,) = torch.autograd.grad(b.sum(), x, create_graph=True)
    c = x * draw.integer(2, 9)
    given = vectors(torch, draw, 2)
    torch.autograd.backward([c, c], given)
    yield "given to a pass without recording", given
    (ddx,) = torch.autograd.grad((dx * dx).sum(), x)
    yield "derivatives", [dx, ddx]


@scenario(points=7, idea="After `take`, the buffer is empty and owns nothing.")
def a_taken_buffer_is_empty(torch, piece, draw):
    buffer = piece.InputBuffer(2)
    given = vectors(torch, draw, 8)
    for k in range(3):
        buffer.add(1, given[k])
    yield "the first time", buffer.take()
    yield "the second time", [draw.integer(1, 99), buffer.take()]
    with torch.no_grad():
        for k in range(3, 7):
            buffer.add(1, given[k])
        result = buffer.take()
    yield "the third time", result
    yield "its version and those of the gradients", [given[7], [g._version for g in given]]


# </tests>


# <hidden>
@scenario(points=10, idea="Only a sum that the buffer has made may be written to.", hidden=True)
def a_drawn_sequence(torch, piece, draw):
    for _ in range(4):
        n = draw.integer(1, 4)
        buffer = piece.InputBuffer(n)
        for _ in range(2):
            given = [*vectors(torch, draw, 8), torch.zeros(2, dtype=torch.float64)]
            given = draw.shuffled(given)
            given[0].add_(1)
            with torch.no_grad():
                for gradient in given:
                    arriving = draw.choice([gradient, gradient, draw.choice(given), None])
                    buffer.add(draw.integer(0, n - 1), arriving)
                result = buffer.take()
            yield "which", [index_of(gradient, given) for gradient in result]
            yield "sums", [None if s is None else [s, s._version] for s in result]
            yield "given", [[g, g._version] for g in given]


@scenario(points=8, idea="The sums are right in any graph.", hidden=True)
def drawn_graphs(torch, piece, draw):
    inputs = leaves(draw, 3, 2)
    for _ in range(3):
        made = list(grow(draw, inputs, 14).values())
        given = vectors(torch, draw, 5)
        torch.autograd.backward(draw.shuffled(made[-3:] + made[-2:]), given)
        yield "gradients", [leaf.grad for leaf in inputs]
        yield "given", given


@scenario(
    points=7, idea="All elements of an expanded gradient are one number in memory.", hidden=True
)
def expanded_gradients_are_added(torch, piece, draw):
    (x,) = leaves(draw, 1, 3)
    a = x * draw.integer(2, 9)
    (a.sum() * draw.integer(2, 9) + (a * a).sum() + a.sum()).backward()
    yield "x.grad", x.grad
    given = [torch.tensor(draw.floats(), dtype=torch.float64).expand(3) for _ in range(3)]
    yield "alone", [given[0], index_of(filled(torch, piece, given[:1]), given)]
    result = filled(torch, piece, [given[0], *given])
    yield "a sum of four", [result, result._version, list(result.stride())]
    yield "given", given


MISTAKES = {
    "writes_into_alias": "Your buffer adds in place even to a gradient that it has not made. The same "
    "tensor may be on its way to another node, or belong to the user.",
    "writes_into_the_new_one": "Your buffer writes the sum into the gradient that has just arrived. "
    "This tensor may be on its way to another node too.",
    "in_place_while_recording": "In a recorded pass, your buffer writes into a sum that is already "
    "part of the new graph.",
    "requires_grad_for_recorded": "You look at `requires_grad` of the gradients to find out whether the"
    " pass is recorded. `torch.is_grad_enabled()` tells you.",
    "never_in_place": "Your sums are right, but each gradient makes a new tensor. From the third one "
    "on, add in place.",
    "keeps_the_last": "Your buffer keeps the gradient that arrived last and forgets those before it.",
    "copies_the_first": "Your buffer copies the first gradient. Most nodes get a single one, so most "
    "of these copies are wasted.",
    "first_is_owned": "Your buffer believes that it owns the first gradient, and writes into it when "
    "the second one comes. It owns the sums only.",
    "same_tensor_counts_once": "If the same tensor arrives twice for one output, your buffer counts it"
    " once. It counts twice.",
    "drops_zeros": "Your buffer drops a gradient whose elements are all zero. Only None adds nothing.",
    "none_makes_owned": "After a gradient and then None, your buffer believes that it has made a sum."
    " It writes into the first gradient when the next one comes.",
    "none_clears_the_place": "A gradient of None removes what has arrived before. It should add "
    "nothing.",
    "owned_for_all_outputs": "A sum for one output makes your buffer believe that it owns what has "
    "arrived for the other outputs.",
    "take_keeps": "Your buffer still holds its gradients after `take`, and adds the next ones to them.",
    "still_owned": "After `take` your buffer still believes that it owns a place, and writes into the "
    "next gradient that it is given.",
}
# </hidden>
