"""Mutants of `autograd/node.pyx` and `autograd/node.pxd`."""

from tests.mutant_list.mutant import of

MUTANTS = [
    *of(
        "autograd/node.pyx",
        (
            "    _sequence_nr += 1\n    return _sequence_nr - 1\n",
            "    _sequence_nr += 1\n    return _sequence_nr\n",
            "sequence numbers of Functions",
        ),
        (
            "    PyObject_GC_UnTrack(<void*>self)\n    self.sequence_nr = _sequence_nr\n",
            "    self.sequence_nr = _sequence_nr\n",
            "the collector sees the graph grow",
        ),
        (
            "    self.sequence_nr = _sequence_nr\n    _sequence_nr += 1\n",
            "    self.sequence_nr = _sequence_nr\n",
            "all nodes have one number",
        ),
        ("    self.sequence_nr = TOP_PRIORITY\n", "    self.sequence_nr = 0\n", "sinks come last"),
        (
            "        while len(self.outs) <= k - 3:\n",
            "        while len(self.outs) < k - 3:\n",
            "gradients of further edges",
        ),
        (
            "        self.outs[k - 3] = gradient\n",
            "        self.outs[len(self.outs) - 1] = gradient\n",
            "gradients of further edges land on the last",
        ),
        (
            "            return function.needed == 1\n",
            "            return function.needed != 0\n",
            "unneeded nodes are wanted",
        ),
        (
            "        return self.elsewhere is not None and function in self.elsewhere\n",
            "        return False\n",
            "nodes that an outer backward holds are not run",
        ),
        (
            "        return self.elsewhere is not None and function in self.elsewhere\n",
            "        return True\n",
            "a nested backward runs what it must not",
        ),
        (
            "            release_geometry(self.metadata0.geometry)\n        if self.more",
            "            pass\n        if self.more",
            "shapes of outputs leak",
        ),
        (
            "            for k in range(self.num_outputs - 1):\n                release",
            "            for k in range(self.num_outputs - 2 if self.num_outputs > 1 else 0):\n                release",
            "the shape of a last output leaks",
        ),
        (
            "            free(self.more_metadata)\n",
            "            pass\n",
            "metadata of further outputs leaks",
            "the memory is malloc's, of which memory_stats() knows nothing; no program can see it",
        ),
        (
            "        if self.saved0 is not None:\n            self.saved0 = None\n",
            "",
            "slot 0 is not freed",
        ),
        (
            "        if self.saved1 is not None:\n            self.saved1 = None\n",
            "",
            "slot 1 is not freed",
        ),
        (
            "        if self.saved2 is not None:\n            self.saved2 = None\n",
            "",
            "slot 2 is not freed",
        ),
        (
            "        if self.packed is not None:\n            self.packed = None\n",
            "",
            "what hooks packed is not freed",
        ),
        (
            "        if self.tangents is not None:\n            self.tangents = None\n",
            "",
            "tangents of what was saved are not freed",
        ),
        (
            "        self.released = True\n",
            "        pass\n",
            "a second backward finds nothing saved",
        ),
        (
            "            version[0] = self.version0\n",
            "            version[0] = self.version1\n",
            "the version of slot 0 is read from slot 1",
        ),
        (
            "            version[0] = self.version1\n            return self.saved1",
            "            version[0] = self.version0\n            return self.saved1",
            "the version of slot 1 is read from slot 0",
        ),
        (
            "        version[0] = self.version2\n        return",
            "        version[0] = self.version1\n        return",
            "the version of slot 2 is read from slot 1",
        ),
        (
            "        return self.saved2\n",
            "        return self.saved1\n",
            "slot 2 is read from slot 1",
        ),
        (
            "            self.saved1 = saved\n            self.version1 = version\n",
            "            self.saved1 = saved\n",
            "the place of what was packed from slot 1",
        ),
        (
            "            self.saved2 = saved\n            self.version2 = version\n",
            "            self.saved2 = saved\n",
            "the place of what was packed from slot 2",
        ),
        (
            "            self.nr1 = input_nr\n",
            "            self.nr1 = 0\n",
            "edge 1 to a further output",
        ),
        (
            "            self.nr2 = input_nr\n",
            "            self.nr2 = 0\n",
            "edge 2 to a further output",
        ),
        (
            "            while len(self.more_edges) <= <Py_ssize_t>k - 3:\n                self.more_edges.append(None)\n            if function",
            "            self.more_edges.append(None)\n            if function",
            "missing edges among further ones",
        ),
        (
            "                edge.input_nr = input_nr\n",
            "                edge.input_nr = 0\n",
            "further edges to a further output",
        ),
        (
            "        if k >= self.num_edges:\n            self.num_edges = k + 1",
            "        if k > self.num_edges:\n            self.num_edges = k + 1",
            "number of edges",
        ),
        (
            "        metadata.dtype = output.dtype\n        metadata.device",
            "        metadata.dtype = self.metadata0.dtype\n        metadata.device",
            "dtype of further outputs",
        ),
        (
            "            track_graph(self)\n        return self.hooks\n",
            "            pass\n        return self.hooks\n",
            "cycles through hooks",
        ),
        (
            "            result.append((function, input_nr if function is not None else 0))\n",
            "            result.append((function, 0))\n",
            "numbers in next_functions",
        ),
        (
            "            self._metadata = _Metadata()\n            track_graph(self)\n",
            "            self._metadata = _Metadata()\n",
            "cycles through metadata",
        ),
        (
            "        if hooks.post_hooks is None:\n            hooks",
            "        if True:\n            hooks",
            "a second post-hook replaces the first",
        ),
        (
            "        if hooks.pre_hooks is None:\n            hooks",
            "        if True:\n            hooks",
            "a second pre-hook replaces the first",
        ),
        (
            "        autograd_calls.track_held(value)\n        dict.",
            "        dict.",
            "cycles through a value of metadata",
        ),
        (
            "    autograd_calls.track_held(fn)\n    handle",
            "    handle",
            "cycles through what a hook holds",
        ),
        (
            "        if PyObject_GC_IsTracked(node):\n            continue\n",
            "",
            "a node is tracked twice",
        ),
        (
            "            if k >= 3:\n                edge =",
            "            if k > 3:\n                edge =",
            "the fourth edge is not tracked",
        ),
        (
            "            if k >= 3:\n                edge =",
            "            if k >= 300:\n                edge =",
            "edges from the fourth on are not tracked",
        ),
        (
            "            if function is not None and not PyObject_GC_IsTracked(function):\n                stack.append(function)\n",
            "            if k == 0 and function is not None and not PyObject_GC_IsTracked(function):\n                stack.append(function)\n",
            "only the graph below the first edge is tracked",
        ),
    ),
    *of(
        "autograd/node.pxd",
        (
            "            input_nr[0] = self.nr1\n",
            "            input_nr[0] = self.nr0\n",
            "edge 1 leads to the output of edge 0",
        ),
        (
            "            input_nr[0] = self.nr2\n",
            "            input_nr[0] = self.nr1\n",
            "edge 2 leads to the output of edge 1",
        ),
        (
            "        input_nr[0] = edge.input_nr\n",
            "        input_nr[0] = 0\n",
            "further edges lead to output 0",
        ),
    ),
]
