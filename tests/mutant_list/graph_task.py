"""Mutants of `autograd/graph_task.pyx` and `autograd/graph_task.pxd`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/graph_task.pyx",
        (
            "            self.capacity = max(64, 2 * k)\n",
            "            self.capacity = max(64, k)\n",
            "the queue overflows",
        ),
        (
            "            parent = (k - 1) >> 1\n",
            "            parent = k >> 1\n",
            "the heap loses its order",
        ),
        (
            "        while self.size:\n            self.size -= 1\n            node = self.entries[self.size].node\n            Py_DECREF(<object>node)",
            "        self.size = 0\n        node = NULL",
            "nodes that are still queued after an error are never freed",
        ),
        (
            "                state.dependencies += 1\n                return state.dependencies",
            "                return False",
            "edges into a node of another task are counted once",
        ),
        (
            "            node.in0 = None\n            node.ins = None\n            return 1",
            "            return True",
            "input buffers of a failed backward are used again",
        ),
        (
            "            node.in0 = None\n            node.ins = None\n            return 1",
            "            node.in0 = None\n            return True",
            "buffers of nodes with several outputs are used again",
        ),
        (
            "            node.in0 = None\n            node.ins = None\n            return 1",
            "            node.ins = None\n            return 1",
            "buffers of nodes with one output are used again",
        ),
        (
            "        state.dependencies = 1\n        self.elsewhere",
            "        state.dependencies = 0\n        self.elsewhere",
            "a node of another task is ready too early",
        ),
        (
            "        if state.dependencies == 0:\n",
            "        if state.dependencies <= 1:\n",
            "ready before its last gradient",
        ),
        (
            "            return node.needed\n        return (<",
            "            return 1\n        return (<",
            "every node is needed",
        ),
        (
            "            (<NodeState>self.elsewhere[node]).needed = needed\n",
            "            node.needed = needed\n",
            "marks of an inner backward go to the outer one",
        ),
        (
            "            gradient = accumulate_in_buffer(old, gradient, self.recording)\n        if in_node",
            "            pass\n        if in_node",
            "only the last gradient counts",
        ),
        (
            "            gradient = accumulate_in_buffer(old, gradient, self.recording)\n        if in_node",
            "            gradient = accumulate_in_buffer(gradient, old, self.recording)\n        if in_node",
            "the sum is made in the newer gradient",
        ),
        (
            "            old = node.in0\n            node.in0 = None\n",
            "            old = node.in0\n",
            "the buffer holds on to what it adds to: sums need more memory",
        ),
        (
            "        if old is not None:\n            gradient = acc",
            "        if old is not None and in_node:\n            gradient = acc",
            "only the last gradient of one of several outputs counts",
        ),
        (
            "                node.ins = [None] * node.num_outputs\n",
            "                node.ins = [None]\n",
            "a node with several outputs has room for one gradient",
        ),
        (
            "        if state.ins is None:\n            state.ins",
            "        if True:\n            state.ins",
            "a nested backward drops the gradients that came first",
        ),
        (
            "            g.ins = node.ins\n            node.ins = None\n",
            "            g.ins = node.ins\n",
            "a node with several outputs keeps its gradients for the next backward",
        ),
        (
            "            g.ins = [None] * node.num_outputs\n        g.in0",
            "            g.ins = []\n        g.in0",
            "a node without any gradient",
        ),
        (
            "        g.in0 = g.ins[0]\n",
            "        g.in0 = g.ins[node.num_outputs - 1]\n",
            "the first gradient is the last",
        ),
        (
            "            if self.entries[parent].priority >= entry.priority:",
            "            if self.entries[parent].priority <= entry.priority:",
            "the oldest node comes first",
        ),
        (
            "            if self.entries[parent].priority >= entry.priority:",
            "            if self.entries[parent].priority > entry.priority:",
            "the order of sinks that are ready together",
        ),
        (
            "            if child == self.size or self.entries[child].priority < self.entries[child - 1].priority:",
            "            if child == self.size or self.entries[child].priority > self.entries[child - 1].priority:",
            "the smaller child moves up",
        ),
        (
            "            if child == self.size or self.entries[child].priority < self.entries[child - 1].priority:",
            "            if child == self.size or self.entries[child].priority <= self.entries[child - 1].priority:",
            "the order of sinks that are ready together",
        ),
        (
            "            if child == self.size or self",
            "            if self",
            "a child beyond the end is looked at",
        ),
        (
            "        while child <= self.size:",
            "        while child < self.size:",
            "the last left child is not looked at",
        ),
        (
            "        self.rise(k, self.entries[self.size])",
            "        self.entries[k] = self.entries[self.size]",
            "the last entry does not rise",
        ),
        (
            "        Py_INCREF(node)\n        self.size += 1",
            "        self.size += 1",
            "the queue does not hold its nodes",
        ),
    ),
    *of(
        "autograd/graph_task.pxd",
        (
            "            node.dependencies += 1\n            return node.dependencies\n        if node.task != 0",
            "            return False\n        if node.task != 0",
            "edges are counted once",
        ),
        (
            "        if node.task != 0 or self.elsewhere is not None:\n",
            "        if node.task != 0 and self.elsewhere is not None:\n",
            "a living task loses its scratch",
        ),
        (
            "        node.dependencies = 1\n",
            "        node.dependencies = 2\n",
            "nothing is ever ready",
        ),
        ("        node.needed = 0\n", "", "marks of an earlier backward count"),
        (
            "node.num_outputs == 1 and node.in0 is None and not watching:",
            "node.num_outputs == 1 and not watching:",
            "the last gradient replaces the others",
        ),
        (
            "            self.gradients.in0 = node.in0\n            node.in0 = None\n",
            "            self.gradients.in0 = node.in0\n",
            "a buffer keeps its gradient",
        ),
    ),
]
