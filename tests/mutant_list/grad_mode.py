"""Mutants of `autograd/grad_mode.pyx`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/grad_mode.pyx",
        (
            "    static _Thread_local int minitorch_grad_enabled FIXED = 1;",
            "    static int minitorch_grad_enabled = 1;",
            "grad mode is that of all threads",
        ),
        (
            "    static _Thread_local int minitorch_inference_enabled FIXED = 0;",
            "    static int minitorch_inference_enabled = 0;",
            "inference mode is that of all threads",
        ),
        (
            "    static _Thread_local int minitorch_shown = -1; ",
            "    static int minitorch_shown = -1; ",
            "the mode that is shown leaks to other threads",
        ),
        (
            "    return minitorch_grad_enabled and not minitorch_inference_enabled\n",
            "    return minitorch_grad_enabled\n",
            "enable_grad inside inference mode records",
        ),
        (
            "    if minitorch_shown < 0:\n        minitorch_grad_enabled = enabled\n    else:\n        minitorch_shown = enabled\n",
            "    minitorch_grad_enabled = enabled\n",
            "what a program switches in a __torch_dispatch__",
        ),
        (
            "    return bool(minitorch_grad_enabled if minitorch_shown < 0 else minitorch_shown)\n",
            "    return bool(minitorch_grad_enabled)\n",
            "the mode that a __torch_dispatch__ sees",
        ),
        (
            '    if not isinstance(enabled, bool):\n        raise TypeError(f"{function}()',
            '    if enabled is None:\n        raise TypeError(f"{function}()',
            "modes that are no bools",
        ),
        (
            "        self.previous = is_grad_enabled()\n        _set_grad_enabled(False)\n",
            "        self.previous = True\n        _set_grad_enabled(False)\n",
            "no_grad inside no_grad",
        ),
        (
            "        self.previous = is_grad_enabled()\n        _set_grad_enabled(True)\n",
            "        self.previous = False\n        _set_grad_enabled(True)\n",
            "enable_grad where it is on already",
        ),
        (
            "        self.previous = is_grad_enabled()\n        self.mode = mode\n",
            "        self.previous = not mode\n        self.mode = mode\n",
            "set_grad_enabled to the mode that holds",
        ),
        (
            "        _set_grad_enabled(self.previous)\n        return super().__call__(function)\n",
            "        return super().__call__(function)\n",
            "set_grad_enabled as a decorator switches at once",
        ),
        (
            "    def __enter__(self):\n        _set_grad_enabled(self.mode)\n",
            "    def __enter__(self):\n        pass\n",
            "set_grad_enabled entered later",
        ),
    ),
    *of(
        "autograd/other_modes.pyx",
        (
            "    static _Thread_local int minitorch_layout_enforced = 1;",
            "    static int minitorch_layout_enforced = 1;",
            "the layout policy leaks to other threads",
        ),
        (
            "    static _Thread_local int minitorch_view_replay = 0;",
            "    static int minitorch_view_replay = 0;",
            "the replay of views leaks to other threads",
        ),
        (
            "        switch_grad_mode(not self.mode)\n",
            "",
            "inference mode does not say so to is_grad_enabled",
        ),
        (
            "        autograd_calls.enable_forward_mode(not self.mode)\n",
            "",
            "tangents in inference mode",
        ),
        (
            "        set_inference(self.previous[0])\n",
            "        set_inference(False)\n",
            "inference mode inside inference mode",
        ),
        (
            "        switch_grad_mode(self.previous[1])\n",
            "        switch_grad_mode(True)\n",
            "grad mode after inference mode",
        ),
        (
            "        autograd_calls.enable_forward_mode(self.previous[2])\n",
            "        autograd_calls.enable_forward_mode(True)\n",
            "forward mode after inference mode",
        ),
        (
            "        self.prev = bool(minitorch_layout_enforced)\n",
            "        self.prev = True\n",
            "layout policies one inside the other",
        ),
        (
            "        _set_layout_enforced(self.prev)\n        return super()",
            "        return super()",
            "the layout policy as a decorator",
        ),
        (
            "    def __exit__(self, exc_type, exc_value, traceback):\n        _set_layout_enforced(self.prev)\n",
            "    def __exit__(self, exc_type, exc_value, traceback):\n        pass\n",
            "the layout policy stays",
        ),
        (
            "        self.prev = is_multithreading_enabled()\n",
            "        self.prev = True\n",
            "multithreading flags one inside the other",
        ),
        (
            "        _set_view_replay_enabled(self.prev)\n        return super()",
            "        return super()",
            "view replay as a decorator",
        ),
    ),
]
