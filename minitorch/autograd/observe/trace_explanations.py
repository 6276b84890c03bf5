"""One sentence or a few for each event of a recording: what happened, and why it was possible."""

from minitorch.autograd.observe.trace_replay import replay

_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def explanations(recording):
    """Return the explanation of each event.

    Parameters
    ----------
    recording : dict
        What `trace.recording` returns; the nodes must have titles.

    Returns
    -------
    list of str
    """
    writer = _Writer(recording)
    return [
        writer.explain(event, state)
        for event, state in zip(recording["events"], replay(recording), strict=False)
    ]


def shown_values(values):
    """Return nested lists of numbers as a short text.

    Examples
    --------
    >>> shown_values([[2.0, 0.333333333], [1.5e-12, "nan"]])
    '[[2, 0.3333], [1.5e-12, nan]]'
    """
    if isinstance(values, list):
        return f"[{', '.join(map(shown_values, values))}]"
    return _shown_float(values) if isinstance(values, float) else str(values)


def _shown_float(value):
    """Return a whole number with all digits, and any other with four; player.js does the same."""
    size = abs(value)
    if value.is_integer() and size < 1e15:
        return str(int(value))
    if 1e-4 <= size < 1e6:
        return f"{float(f'{value:.4g}'):.10g}"
    mantissa, exponent = f"{value:.3e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"


def shown_gradient(gradient):
    """Return the values of a gradient, or its dtype and shape if they are not known.

    Examples
    --------
    >>> shown_gradient({"shape": [2], "dtype": "float32", "values": [1.0, 2.0]})
    '[1, 2]'
    >>> shown_gradient({"shape": [2], "dtype": "float32", "values": None})
    'float32[2]'
    """
    if gradient is None:
        return "none"
    if gradient["values"] is not None:
        return shown_values(gradient["values"])
    return f"{gradient['dtype']}{gradient['shape']}"


def _number(count):
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _counted(count, noun):
    return f"{_number(count)} {noun}{'' if count == 1 else 's'}"


def _listed(words):
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


class _Writer:
    """Writes the explanations of one recording, event by event."""

    def __init__(self, recording):
        self.nodes = recording["nodes"]
        self.events = recording["events"]
        self.counted = {}  # (task, node) -> how many edges lead into the node
        self.roots = set()  # of (task, node)
        self.passes = {}  # task -> its place in the order of the passes
        self.error = recording["error"]

    def explain(self, event, before):
        """Return the explanation of an event, given the state before it."""
        self.passes.setdefault(event["task"], len(self.passes) + 1)
        text = getattr(self, "_" + event["kind"])(event, before)
        return "T" + text[1:] if text.startswith("the ") else text

    def _title(self, node):
        return self.nodes[node]["title"]

    def _grad_of(self, node):
        label = None if node is None else self.nodes[node]["label"]
        return f"{label}.grad" if label else "the leaf's .grad"

    def _root(self, event, before):
        title = self._title(event["node"])
        (gradient,) = event["gradients"]
        text = f"The gradient {shown_gradient(gradient)} enters at {title}"
        around = [
            task
            for number, task in before["tasks"].items()
            if task["running"] is not None and number != str(event["task"])
        ]
        if around:
            other = max(around, key=lambda task: task["order"])["running"]
            return (
                f"Backward pass {self.passes[event['task']]} begins while {self._title(other)}, a node of "
                f"another pass, is running. {text}, the node of its root. Each pass has its own ready queue."
            )
        if len(self.passes) > 1:
            return (
                f"Backward pass {self.passes[event['task']]} begins. {text}, the node of its root."
            )
        if gradient and not gradient["shape"] and gradient["values"] == 1:
            return f"{text}. It is the derivative of the result with respect to itself, so it is 1."
        return f"{text}, the node that made the tensor that the pass starts from."

    def _dependency(self, event, before):
        title, count = self._title(event["node"]), event["count"]
        self.counted[event["task"], event["node"]] = count
        if event["source"] is None:
            self.roots.add((event["task"], event["node"]))
            return f"{title} is the root, so it waits for one gradient: the one that the pass starts with."
        edge = f"Edge {event['edge']} of {self._title(event['source'])} leads to {title}"
        if count == 1:
            return f"{edge}, so {title} has to wait for one gradient."
        return (
            f"{edge} too, so {title} now has to wait for {_counted(count, 'gradient')}. "
            "It may not run before all of them are there."
        )

    def _arrived(self, event):
        """Return why a node may run: which gradients have arrived."""
        key = event["task"], event["node"]
        count = self.counted.get(key, 1)
        if count == 1:
            return (
                "the pass starts there and no edge leads to it"
                if key in self.roots
                else "the one gradient it waited for has arrived"
            )
        each = "both" if count == 2 else f"all {_number(count)}"
        return f"{each} gradients it waited for have arrived"

    def _push(self, event, before):
        size = event["count"]
        queue = "which was empty" if size == 1 else f"which now has {_counted(size, 'node')}"
        return (
            f"{self._title(event['node'])} is ready, because {self._arrived(event)}. "
            f"It enters the ready queue, {queue}."
        )

    def _pop(self, event, before):
        title, node = self._title(event["node"]), event["node"]
        task = before["tasks"].get(str(event["task"]), {"queue": []})
        others = [n for n in task["queue"] if n != node]
        if not others:
            return f"{title} is taken from the ready queue. It is the only node that is ready."
        text = f"{title} is taken from the ready queue before {_listed(map(self._title, others))}"
        if self.nodes[node]["sequence_nr"] is not None:
            return f"{text}, because it was recorded last."
        if any(self.nodes[n]["sequence_nr"] is not None for n in others):
            return f"{text}: the node of a leaf always goes first."
        return f"{text}. Nodes of leaves have equal priority, so the heap decides."

    def _apply(self, event, before):
        node = self.nodes[event["node"]]
        text = f"{node['title']} runs, because {self._arrived(event)}. "
        given = [
            shown_gradient(g) if g else "none for output " + str(k)
            for k, g in enumerate(event["gradients"])
        ]
        text += f"Gradient in: {', '.join(given) or 'none'}."
        if node["kind"] == "sink":
            return f"{text} It belongs in {self._grad_of(event['node'])}."
        out = self._outputs(event)
        if out:
            shown = (shown_gradient(g) + (f" for {to}" if to else "") for g, to in out)
            text += f" Out: {', '.join(shown)}."
        saved = [s for s in node["saved"] if s["values"] is not None]
        if saved and event["node"] not in before["freed"]:
            used = _listed(f"{s['name']} = {shown_values(s['values'])}" for s in saved)
            text += f" It uses what it has saved: {used}."
        elif any(s["shape"] is None for s in node["saved"]):
            text += (
                " A hook has packed what it saved, and another hook is called now to unpack it. "
                "With a checkpoint, the first such call runs the forward pass again."
            )
            if any(g is not None and g["values"] is None for g, _ in out):
                text += (
                    " The recording has no values of what goes out: to get them, it would have to "
                    "run the node, and so the hook, once more."
                )
        if self.error is not None and event is self.events[-1]:
            text += f" It raises {self.error['type']}, which ends the pass."
        return text

    def _outputs(self, event):
        """Return ``(gradient, label of its leaf or None)`` for each edge of a node that has run."""
        found = []
        for later in self.events[event["number"] :]:
            if later["task"] != event["task"]:
                continue
            if later["kind"] == "validate" and later["source"] == event["node"]:
                target = self.nodes[later["node"]]
                to = target["label"] if target["kind"] == "sink" and target["label"] else None
                found.append((later["gradients"][0], to))
            elif later["kind"] != "hook":
                break
        return found

    def _validate(self, event, before):
        source, title = self._title(event["source"]), self._title(event["node"])
        old, new = event["gradients"]
        edge = f"edge {event['edge']} of {source}"
        if old is None or new is None:
            return f"No gradient leaves along {edge}."
        if old["shape"] != new["shape"]:
            return (
                f"Along {edge} comes {shown_gradient(old)}, but {title} needs shape {new['shape']}, "
                f"because its tensor was broadcast. The gradient is summed to {shown_gradient(new)}."
            )
        if old["dtype"] != new["dtype"]:
            return f"Along {edge} comes a {old['dtype']} gradient. It is cast to {new['dtype']} for {title}."
        return f"The gradient {shown_gradient(new)} along {edge} has the shape and dtype that {title} needs, so it stays as it is."

    def _buffer(self, event, before):
        title, (gradient,) = self._title(event["node"]), event["gradients"]
        task = before["tasks"].get(str(event["task"]), {"dependencies": {}, "buffers": {}})
        left = task["dependencies"].get(str(event["node"]), 0) - 1
        if event["source"] is None:
            return f"The gradient {shown_gradient(gradient)} goes into the input buffer of the root, {title}."
        if event["detail"] == "first":
            text = f"The gradient {shown_gradient(gradient)} arrives at {title} and waits in its input buffer."
        else:
            held = task["buffers"].get(str(event["node"]), [None] * 99)[event["output_nr"]]
            text = f"Another gradient arrives at {title}, and the engine adds it to the one in the buffer"
            if event["result"] and event["result"]["values"] is not None:
                known = held and held["values"] is not None and gradient["values"] is not None
                total = shown_gradient(event["result"])
                text += (
                    f": {shown_gradient(held)} + {shown_gradient(gradient)} = {total}."
                    if known
                    else f". The sum is {total}."
                )
            else:
                text += "."
        if left > 0:
            text += f" {title} still waits for {_counted(left, 'gradient')}."
        return text

    def _hook(self, event, before):
        place, _, name = event["detail"].partition(" ")
        title, given = (
            self._title(event["node"]),
            ", ".join(map(shown_gradient, event["gradients"])),
        )
        name = name.rpartition(".")[2].replace("<lambda>", "a lambda")
        if place == "tensor_pre_hook":
            return (
                f"The tensor's hook, {name}, is called with {given} before {title} runs. "
                "If it returns a tensor, that replaces the gradient."
            )
        if place == "retain_grad":
            return f"retain_grad() was called on the output of {title}, so {given} is stored in its .grad."
        if place == "pre_hook":
            return (
                f"The pre-hook of {title}, {name}, sees the gradients {given} and may replace them."
            )
        if place == "post_hook":
            return (
                f"The hook of {title}, {name}, is called after the node has run. It sees what goes out, "
                f"{given}, and may replace it."
            )
        return f"{self._grad_of(event['node'])} is complete, so the hook {name} is called with the leaf."

    def _accumulate(self, event, before):
        grad, (gradient,) = self._grad_of(event["node"]), event["gradients"]
        total = event["result"]
        subject = grad.replace("the leaf", "The leaf")
        now = (
            f" {subject} is now {shown_gradient(total)}."
            if total and total["values"] is not None
            else ""
        )
        return {
            "taken": f"{grad} was None and nothing else holds the gradient, so it becomes {grad} without a copy.",
            "copied": f"{grad} was None, so it gets a copy of the gradient.",
            "added in place": f"{grad} exists, so the gradient {shown_gradient(gradient)} is added to it in place.",
            "added": f"create_graph is set, so the recorded sum with the old {grad} becomes the new one.",
        }[event["detail"]] + now

    def _free(self, event, before):
        names = _listed(event["detail"].split(", "))
        return (
            f"{self._title(event['node'])} has run and the graph is not retained, so it lets go of {names}. "
            "A second backward through it would raise an error."
        )

    def _capture(self, event, before):
        (gradient,) = event["gradients"]
        return (
            f"{self._title(event['node'])} belongs to inputs[{event['count']}], so the gradient "
            f"{shown_gradient(gradient)} is a result of the call."
        )

    def _note(self, event, before):
        given = ", ".join(map(shown_gradient, event["gradients"]))
        detail = event["detail"][:1].upper() + event["detail"][1:]
        return f"{detail}, with {given}." if given else f"{detail}."

    def _skip(self, event, before):
        node = self.nodes[event["node"]]
        if node["kind"] != "sink":
            return f"{node['title']} does not run, because nothing below it is wanted."
        return (
            f"{node['title']} does not run, because the gradient is returned and not accumulated. "
            f"Nothing is added to {self._grad_of(event['node'])}."
        )
