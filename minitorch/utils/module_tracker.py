"""`ModuleTracker`: tracks the modules that are running."""

import weakref

from minitorch._tensor import Tensor
from minitorch.autograd import Variable
from minitorch.autograd.current_task import _current_graph_task_id
from minitorch.autograd.graph import register_multi_grad_hook
from minitorch.utils._pytree import tree_leaves

__all__ = ["ModuleTracker"]


class ModuleTracker:
    """A context manager whose `parents` holds the names of the running modules.

    A module counts as running during its forward and its backward pass.

    ``"Global"`` is always among them. A module at the root of a call names its children.

    Examples
    --------
    >>> import minitorch as torch
    >>> from minitorch.utils.module_tracker import ModuleTracker
    >>> class Square(torch.nn.Module):
    ...     def forward(self, x):
    ...         print(sorted(tracker.parents))
    ...         return x * x
    >>> model = torch.nn.Sequential(Square())
    >>> with ModuleTracker() as tracker:
    ...     y = model(torch.ones(2))
    ['Global', 'Sequential', 'Sequential.0']
    """

    def __init__(self):
        self.parents = {"Global"}
        self._names = weakref.WeakKeyDictionary()
        self._seen = weakref.WeakSet()
        self._handles = []
        self._waits_for_the_end = False

    @property
    def is_bw(self):
        """True if a backward pass is running."""
        return _current_graph_task_id() != -1

    def _name_of(self, module):
        name = self._names.setdefault(module, type(module).__name__)
        if module not in self._seen:
            for child_name, child in module.named_children():
                self._names[child] = f"{name}.{child_name}"
                self._name_of(child)
            self._seen.add(module)
        return name

    def _enter(self, name, backward):
        def enter(*_):
            if backward and not self._waits_for_the_end:
                self._waits_for_the_end = True
                Variable._execution_engine.queue_callback(self._end)
            self.parents.add(name)

        return enter

    def _leave(self, name):
        def leave(*_):
            self.parents.discard(name)

        return leave

    def _end(self):
        self.parents = {"Global"}
        self._waits_for_the_end = False

    def _before(self, module, args):
        name = self._name_of(module)
        self._enter(name, False)()
        self._hook(args, self._leave(name))

    def _after(self, module, args, output):
        name = self._name_of(module)
        self._leave(name)()
        self._hook(output, self._enter(name, True))

    def _hook(self, tree, function):
        tensors = [t for t in tree_leaves(tree) if isinstance(t, Tensor) and t.requires_grad]
        if tensors:
            self._handles.append(register_multi_grad_hook(tensors, function))

    def __enter__(self):
        # `nn` must not be imported when this module is
        from minitorch.nn.modules.module import (
            register_module_forward_hook,
            register_module_forward_pre_hook,
        )

        self._module_handles = [
            register_module_forward_pre_hook(self._before),
            register_module_forward_hook(self._after),
        ]
        return self

    def __exit__(self, *error):
        for handle in self._module_handles + self._handles:
            handle.remove()
        self._handles.clear()
