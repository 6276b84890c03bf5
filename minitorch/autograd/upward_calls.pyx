"""Calls from the compiled modules of autograd into modules that are built on them.

Note [Upward calls]
A module imports only from its own layer and from those below it. A few calls must lead upwards nevertheless: an
operator inside `vmap`, for example, calls its batching rule, which is written in Python with operators. Each class
here lists all calls that one higher part of the library answers. That part has one subclass, in a file `answers.py`,
and registers an instance of it when it is imported. So this file is the whole list of what autograd calls and does
not contain, apart from class `EngineOperators` (variable.pxd), whose methods the engine calls for each node.

The classes have empty `__slots__`, so that Python looks for a method only in the class: operators call some of these
methods many times.
"""


class AutogradCalls:
    """Calls of nodes, of the grad mode and of forward mode; autograd/answers.py answers them."""

    __slots__ = ()

    def apply_node(self, node, gradients):
        """Compute ``node(*gradients)``."""
        raise NotImplementedError

    def running_node(self):
        """Return the node that runs on this thread, or None."""
        raise NotImplementedError

    def see_new_node(self, node):
        """Let the modes of this thread see a new node; called only while such a mode is on in some thread."""
        raise NotImplementedError

    def raw_saved(self, node, name):
        """Return an attribute such as ``node._raw_saved_self``."""
        raise NotImplementedError

    def raw_saved_names(self, node):
        """Return the names that `raw_saved` takes for a node."""
        raise NotImplementedError

    def add_hooks_of(self, tensor, node):
        """Make `node` call the hooks of `tensor`, one of its outputs."""
        raise NotImplementedError

    def track_held(self, value):
        """Make the garbage collector track the graphs of the tensors and nodes that `value` holds."""
        raise NotImplementedError

    def is_forward_mode_enabled(self):
        """Return whether this thread computes tangents."""
        raise NotImplementedError

    def enable_forward_mode(self, enabled):
        """Set whether this thread computes tangents."""
        raise NotImplementedError

    def count_view_replay(self, more):
        """Count `more` threads on which views keep the operators that made them."""
        raise NotImplementedError

    def call_sign(self, name, args):
        """Compute ``a @ b`` and its like as one call for a mode; `NOT_DISPATCHED` of overridable.pyx: it is none."""
        raise NotImplementedError

    def two_backwards(self, call, arguments, tangents, outputs, records):
        """Return the tangents of ``call(*arguments)``, by differentiating v -> J^T v with the engine."""
        raise NotImplementedError


class DispatchCalls:
    """Calls to modes, to classes with ``__torch_dispatch__`` and to kernels; _dispatch/answers.py answers them."""

    __slots__ = ()

    factories = {}                       # name -> function that makes a tensor and calls `create`
    rules = {}                           # class of Special -> f(operator, arguments): the value of a call, or None
    casts = {}                           # name -> f(args, kwargs): the arguments as `autocast` casts them, or None

    def dispatch(self, operator, arguments):
        """Return the result of an operator from a mode, a class or a kernel; None: compute it here."""
        raise NotImplementedError

    def decompose(self, operator, arguments):
        """Call the operators of which PyTorch composes this one, or return None."""
        raise NotImplementedError

    def kernel(self, operator, arguments):
        """Call a kernel that the program has registered to run before recording, or return None."""
        raise NotImplementedError

    def create(self, name, args, kwargs):
        """Dispatch a function that makes a tensor; None: nothing handles it."""
        raise NotImplementedError

    def create_by_steps(self, name, args, kwargs):
        """Make a tensor by the operators of which PyTorch composes the function `name`, or return None."""
        raise NotImplementedError

    def call_in_inference_mode(self, name, args, kwargs, is_attribute):
        """Dispatch a whole call of a composed function to a mode, or return `NOT_DISPATCHED` of overridable.pyx."""
        raise NotImplementedError

    def call_with_out(self, name, args, kwargs):
        """Dispatch a whole call with ``out=`` to a mode, or return `NOT_DISPATCHED` of overridable.pyx."""
        raise NotImplementedError

    def property_of(self, tensor, name, *rest):
        """Return a property of a tensor from its class; None: what the tensor itself has."""
        raise NotImplementedError

    def name_of(self, operator):
        """Return PyTorch's name of an operator, such as ``aten::mul_``."""
        raise NotImplementedError

    def full_name_of(self, operator, arguments):
        """Return PyTorch's name, with the overload, for a call of an operator, such as ``aten::mul_.Tensor``."""
        raise NotImplementedError

    def begin_label(self, name, args=None):
        """Begin a label in the running profile by the operator that modes see; return its handle."""
        raise NotImplementedError

    def end_label(self, label):
        """End such a label."""
        raise NotImplementedError

    def record_stream(self, tensor, stream):
        """Call the operator that `Tensor.record_stream` is."""
        raise NotImplementedError


class TransformCalls:
    """Calls to transforms such as `vmap`; _functorch/answers.py answers them.

    That folder is imported when a transform is first used. The methods that return something here may be called
    before, when there is no tensor of a transform.
    """

    __slots__ = ()

    without_rule = {}                    # public name -> WithoutRule: Note [Functions without a batching rule]

    def load(self):
        """Import the transforms."""
        raise NotImplementedError

    def apply_function(self, cls, arguments):
        """Apply a `Function` inside transforms or to their tensors."""
        raise NotImplementedError

    def batched(self, operator, arguments, level):
        """Compute an operator for a batch, by its batching rule."""
        raise NotImplementedError

    def draw_without_batch(self, operator, arguments):
        """Apply a random operator inside `vmap` if no argument is batched; None: it is another operator."""
        raise NotImplementedError

    def draw(self, function, args):
        """Call ``function(args)``, which draws random numbers, once for a whole batch."""
        return function(args)

    def levels_that_differ(self, out):
        """Return the levels of `vmap` whose samples draw their own numbers, the outermost first."""
        return []

    def every_sample(self, tensor, levels):
        """Return the tensor of all samples with the batches in front; None if it is not batched at each level."""
        raise NotImplementedError

    def for_each_sample(self, function, arguments):
        """Call a function for each sample of the innermost batch among its arguments."""
        raise NotImplementedError

    def copies_like(self, like, result, memory_format=None):
        """Return a batch of copies of `result` if `like` is batched.

        With the code of a memory format, the copies are laid out as the whole batch of `like` would be.
        """
        return result

    def call_without_rule(self, rule, function, args, kwargs, level):
        """Call a function that has no batching rule for each sample; None if it has a rule for these arguments."""
        raise NotImplementedError

    def warn_without_rule(self, name, level):
        """Warn that an operator without a batching rule is called for each sample."""
        raise NotImplementedError

    def check_out(self, name, args, kwargs, level):
        """Raise the error of a call with ``out=`` at a level of `vmap`."""
        raise NotImplementedError

    def overload_of(self, name, args, kwargs):
        """Return PyTorch's operator of a public name, or None."""
        return None

    def flatten(self, tree):
        """Return the leaves of a nested structure, and its form."""
        raise NotImplementedError

    def unflatten(self, leaves, form):
        """Make a nested structure from its leaves and its form."""
        raise NotImplementedError

    def broadcast_and_flatten(self, tree, form):
        """Return a leaf of `tree` for each leaf of a structure of this form; None if they do not match."""
        raise NotImplementedError


autograd_calls = AutogradCalls()
dispatch_calls = DispatchCalls()
transform_calls = TransformCalls()


# Slot: nodes and the grad mode are below the modules that make tensors and run the engine
def register_autograd_calls(calls):
    """Register the only instance of the subclass of `AutogradCalls`."""
    global autograd_calls
    autograd_calls = calls


# Slot: the dispatch is written in Python with operators, and operators call it for modes and classes
def register_dispatch_calls(calls):
    """Register an object with the methods of `DispatchCalls`: first one that imports the one that answers."""
    global dispatch_calls
    dispatch_calls = calls


# Slot: batching rules are written in Python with operators, and operators inside `vmap` call them
def register_transform_calls(calls):
    """Register an instance of `TransformCalls`: first one that can only load, then the one that answers."""
    global transform_calls
    transform_calls = calls


def dispatch():
    """Return the registered `DispatchCalls`."""
    return dispatch_calls


def transforms():
    """Return the registered `TransformCalls`."""
    return transform_calls
