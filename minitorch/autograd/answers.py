"""The calls that nodes and forward mode make upwards: see Note [Upward calls] in upward_calls.pyx."""

from minitorch.autograd.current_task import _current_autograd_node
from minitorch.autograd.engine_steps import _apply
from minitorch.autograd.forward_ad import _two_backwards
from minitorch.autograd.forward_grad import _is_fwd_grad_enabled, _set_fwd_grad_enabled
from minitorch.autograd.functions.overridable import _call_sign
from minitorch.autograd.graph_api.gc_tracking import _track_held
from minitorch.autograd.hooks import _add_hooks_of
from minitorch.autograd.saved_tensor import _raw_saved, _raw_saved_names, _see_new_node
from minitorch.autograd.upward_calls import AutogradCalls, register_autograd_calls
from minitorch.autograd.view_replay import _count_view_replay


class _Calls(AutogradCalls):
    __slots__ = ()
    apply_node = staticmethod(_apply)
    running_node = staticmethod(_current_autograd_node)
    see_new_node = staticmethod(_see_new_node)
    raw_saved = staticmethod(_raw_saved)
    raw_saved_names = staticmethod(_raw_saved_names)
    add_hooks_of = staticmethod(_add_hooks_of)
    track_held = staticmethod(_track_held)
    is_forward_mode_enabled = staticmethod(_is_fwd_grad_enabled)
    enable_forward_mode = staticmethod(_set_fwd_grad_enabled)
    count_view_replay = staticmethod(_count_view_replay)
    call_sign = staticmethod(_call_sign)
    two_backwards = staticmethod(_two_backwards)


register_autograd_calls(_Calls())
