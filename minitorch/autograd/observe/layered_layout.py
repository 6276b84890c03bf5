"""A layered layout of acyclic graphs: the positions of boxes and of the bends of edges.

There are three steps. Each node's layer is the length of the longest path that leads to it, so that
every edge runs downwards. The order within a layer follows the barycentres of the neighbours, in
several sweeps, and then adjacent nodes are exchanged where that removes crossings. Finally each
node moves as close to the mean of its neighbours as the boxes beside it allow. An edge over several
layers gets a waypoint in each layer between, which takes part in the ordering and placing, so that
edges run around boxes.

References
----------
K. Sugiyama, S. Tagawa, M. Toda, "Methods for visual understanding of hierarchical system
structures", IEEE Transactions on Systems, Man, and Cybernetics 11 (1981).
"""

SWEEPS = 8
ROUNDS = 4  # number of rounds of exchanges
MAX_PAIRS = 400  # of edges compared for an exchange; with more, none is made
GAP = 24  # between two boxes of a layer
EDGE_GAP = 14  # the width of a waypoint
MAX_WAYPOINTS = 20_000  # with more waypoints, long edges are drawn straight


def layers_of(count, edges):
    """Return the layer of each of `count` nodes: the length of the longest path that leads to it.

    Parameters
    ----------
    count : int
    edges : sequence of (int, int)
        Pairs (source, target), without cycles.

    Examples
    --------
    >>> layers_of(4, [(0, 1), (1, 2), (0, 2), (2, 3)])
    [0, 1, 2, 3]
    """
    below = [[] for _ in range(count)]
    waits_for = [0] * count
    for source, target in edges:
        below[source].append(target)
        waits_for[target] += 1
    layers = [0] * count
    ready = [node for node in range(count) if waits_for[node] == 0]
    for node in ready:  # grows during the iteration
        for target in below[node]:
            layers[target] = max(layers[target], layers[node] + 1)
            waits_for[target] -= 1
            if waits_for[target] == 0:
                ready.append(target)
    return layers


def lay_out(widths, edges):
    """Place the boxes of an acyclic graph.

    Parameters
    ----------
    widths : sequence of float
        The width of each box.
    edges : sequence of (int, int)

    Returns
    -------
    centres : list of float
        The horizontal centre of each box; the leftmost box begins at 0.
    layers : list of int
    routes : list of list of (float, int)
        The waypoints of each edge, as pairs (position, layer), from the upper end to the lower.
    """
    count = len(widths)
    layers = layers_of(count, edges)
    all_widths, all_layers, segments, chains = _cut(list(widths), layers, edges)
    rows = [[] for _ in range(max(all_layers, default=-1) + 1)]
    for node, layer in enumerate(all_layers):
        rows[layer].append(node)
    above = [[] for _ in all_widths]
    below = [[] for _ in all_widths]
    for source, target in segments:
        above[target].append(source)
        below[source].append(target)
    _order(rows, above, below)
    centres = _place(rows, all_widths, above, below)
    left = min((centres[n] - all_widths[n] / 2 for n in range(len(centres))), default=0)
    centres = [centre - left for centre in centres]
    routes = [[(centres[node], all_layers[node]) for node in chain] for chain in chains]
    return centres[:count], layers, routes


def _cut(widths, layers, edges):
    """Insert a waypoint, as an extra node, into each layer that an edge passes through."""
    layers = list(layers)
    passed = sum(max(layers[target] - layers[source] - 1, 0) for source, target in edges)
    segments, chains = [], []
    for source, target in edges:
        chain = []
        if passed <= MAX_WAYPOINTS:
            for layer in range(layers[source] + 1, layers[target]):
                chain.append(len(widths))
                widths.append(EDGE_GAP)
                layers.append(layer)
        path = [source, *chain, target]
        segments += zip(path, path[1:], strict=False)
        chains.append(chain)
    return widths, layers, segments, chains


def _order(rows, above, below):
    place = {node: k for row in rows for k, node in enumerate(row)}

    def barycentre(node, neighbours):
        near = neighbours[node]
        return sum(place[n] for n in near) / len(near) if near else place[node]

    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        neighbours = above if downwards else below
        for row in rows if downwards else reversed(rows):
            if len(row) > 1:
                centres = {node: barycentre(node, neighbours) for node in row}
                row.sort(key=centres.__getitem__)
                place.update((node, k) for k, node in enumerate(row))
    for _ in range(ROUNDS):
        if not sum(_exchange(row, place, above, below) for row in rows):
            break


def _exchange(row, place, above, below):
    """Exchange adjacent nodes where that removes crossings; return the number of exchanges."""
    count = 0
    for k in range(len(row) - 1):
        left, right = row[k], row[k + 1]
        crossings = 0  # crossings removed by an exchange
        for neighbours in (above, below):
            of_left, of_right = neighbours[left], neighbours[right]
            if len(of_left) * len(of_right) <= MAX_PAIRS:
                for a in of_left:
                    for b in of_right:
                        crossings += (place[a] > place[b]) - (place[a] < place[b])
        if crossings > 0:
            row[k], row[k + 1] = right, left
            place[left], place[right] = k + 1, k
            count += 1
    return count


def _place(rows, widths, above, below):
    centres = [0.0] * len(widths)
    offsets = [_offsets(row, widths) for row in rows]
    for row, offset in zip(rows, offsets, strict=True):
        for node, o in zip(row, offset, strict=True):
            centres[node] = o - offset[-1] / 2
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        numbered = list(enumerate(rows))
        for k, row in numbered if downwards else reversed(numbered):
            wanted = []
            for node in row:
                near = (above if downwards else below)[node] or below[node] or above[node]
                wanted.append(sum(centres[n] for n in near) / len(near) if near else centres[node])
            for node, centre in zip(row, _apart(wanted, offsets[k]), strict=True):
                centres[node] = centre
    return centres


def _offsets(row, widths):
    """Return the distance of each box's centre from the first one's in a tightly packed row."""
    offsets = [0.0] * len(row)
    for k in range(1, len(row)):
        offsets[k] = offsets[k - 1] + (widths[row[k - 1]] + widths[row[k]]) / 2 + GAP
    return offsets


def _apart(wanted, offsets):
    """Return the positions closest to `wanted` that keep the boxes apart and in order.

    After subtracting the offsets this is an isotonic regression: neighbours in the wrong order are
    pooled at their mean.
    """
    pools = []  # (sum, count)
    for w, offset in zip(wanted, offsets, strict=True):
        total, size = w - offset, 1
        while pools and pools[-1][0] * size > total * pools[-1][1]:
            earlier = pools.pop()
            total, size = total + earlier[0], size + earlier[1]
        pools.append((total, size))
    means = [total / size for total, size in pools for _ in range(size)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
