"""The choice of dimensions in grid_sample, and its derivatives."""


def grid_sampler_composed(
    input: Tensor, grid: Tensor, interpolation: int, padding: int, align_corners: bool
) -> Tensor:
    """Sample in two or three dimensions."""
    if input.dim() == 5:
        return grid_sampler_3d(input, grid, interpolation, padding, align_corners)
    return grid_sampler_2d(input, grid, interpolation, padding, align_corners)


def grid_sampler_double_backward(
    ggi: "Tensor?",
    ggg: "Tensor?",
    grad: Tensor,
    input: Tensor,
    grid: Tensor,
    interpolation: int,
    padding: int,
    align_corners: bool,
) -> any:
    """Return the second derivatives, composed of weights that can be differentiated repeatedly.

    With W the weights of the pixels and W_a their derivatives by coordinate a, the gradient of the
    image is the sum over the points of W * grad. The gradient of the grid is the sum over pixels
    and channels of W_a * grad * input.
    """
    sizes = input.sizes()
    dims = len(sizes) - 2
    batch = sizes[0]
    channels = sizes[1]
    pixels = numel_of(sizes[2:])
    offsets = grid_sampler_offsets(grid, sizes, interpolation, padding, align_corners)
    points = offsets.size(1)
    taps = offsets.size(2)
    flat = (batch, channels, points * taps)
    everywhere = expand(reshape(offsets, (batch, 1, points * taps)), flat)
    at_points = (batch, channels, points, taps)
    slope = reshape(grad, (batch, channels, points, 1))
    seen = gather(reshape(input, (batch, channels, pixels)), 2, everywhere)
    seen = reshape(seen, at_points)
    go = None
    gi = None
    pulls = [None] * dims
    if ggi is not None:
        moved = gather(reshape(ggi, (batch, channels, pixels)), 2, everywhere)
        moved = reshape(moved, at_points)
        weights = grid_sampler_weights(
            grid, sizes, (0,) * dims, interpolation, padding, align_corners
        )
        go = sum_dim(moved * unsqueeze(weights, 1), (3,), False)
        pulled = sum_dim(slope * moved, (1,), False)
        for a in range(dims):
            weights = grid_sampler_weights(
                grid, sizes, once_more((0,) * dims, a), interpolation, padding, align_corners
            )
            pulls[a] = pulled * weights
    if ggg is not None:
        along = reshape(ggg, (batch, points, dims, 1))
        reach = sum_dim(slope * seen, (1,), False)
        turn = None
        for a in range(dims):
            orders = once_more((0,) * dims, a)
            weights = grid_sampler_weights(
                grid, sizes, orders, interpolation, padding, align_corners
            )
            turn = add_to(turn, select(along, 2, a) * weights)
            for b in range(dims):
                weights = grid_sampler_weights(
                    grid, sizes, once_more(orders, b), interpolation, padding, align_corners
                )
                pulls[b] = add_to(pulls[b], select(along, 2, a) * reach * weights)
        go = add_to(go, sum_dim(seen * unsqueeze(turn, 1), (3,), False))
        nothing = zeros((batch, channels, pixels), grad.scalar_type())
        parts = reshape(slope * unsqueeze(turn, 1), flat)
        gi = reshape(scatter_add(nothing, 2, everywhere, parts), sizes)
    gg = stack([sum_dim(pull, (2,), False) for pull in pulls], 2)
    return reshape(go, grad.sizes()), gi, reshape(gg, grid.sizes())


def once_more(orders: "int[]", a: int) -> "int[]":
    """Increase the order of differentiation by coordinate a."""
    return orders[:a] + (orders[a] + 1,) + orders[a + 1 :]


def grid_weights_gradient(
    grad: Tensor,
    grid: Tensor,
    sizes: "int[]",
    orders: "int[]",
    interpolation: int,
    padding: int,
    align_corners: bool,
) -> Tensor:
    """Return the gradient of the grid, from the weights of one order more per coordinate."""
    coordinates = []
    for a in range(len(orders)):
        weights = grid_sampler_weights(
            grid, sizes, once_more(orders, a), interpolation, padding, align_corners
        )
        coordinates.append(sum_dim(grad * weights, (2,), False))
    return reshape(stack(coordinates, 2), grid.sizes())
