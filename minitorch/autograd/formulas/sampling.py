"""grid_sample: which dimensions, and its derivatives."""


def grid_sampler_composed(
    input: Tensor, grid: Tensor, interpolation: int, padding: int, align_corners: bool
) -> Tensor:
    """In two or three dimensions."""
    if input.dim() == 5:
        return grid_sampler_3d(input, grid, interpolation, padding, align_corners)
    return grid_sampler_2d(input, grid, interpolation, padding, align_corners)


def grid_sampler_gradient(
    grad: Tensor,
    input: Tensor,
    grid: Tensor,
    interpolation: int,
    padding: int,
    align_corners: bool,
    mask: "any",
) -> any:
    """With create_graph out of the weights of the pixels, which can be differentiated."""
    if not records() and input.dim() == 5:
        return grid_sampler_3d_backward(
            grad, input, grid, interpolation, padding, align_corners, mask
        )
    if not records():
        return grid_sampler_2d_backward(
            grad, input, grid, interpolation, padding, align_corners, mask
        )
    sizes = input.sizes()
    dims = len(sizes) - 2
    batch = sizes[0]
    channels = sizes[1]
    pixels = numel_of(sizes[2:])
    offsets = grid_sampler_offsets(grid, sizes, interpolation, padding, align_corners)
    points = offsets.size(1)
    taps = offsets.size(2)
    everywhere = expand(
        reshape(offsets, (batch, 1, points * taps)), (batch, channels, points * taps)
    )
    slope = reshape(grad, (batch, channels, points, 1))
    gi = None
    gg = None
    if mask[0]:
        weights = grid_sampler_weights(
            grid, sizes, (0,) * dims, interpolation, padding, align_corners
        )
        parts = reshape(slope * unsqueeze(weights, 1), (batch, channels, points * taps))
        flat = zeros((batch, channels, pixels), grad.scalar_type())
        gi = reshape(scatter_add(flat, 2, everywhere, parts), sizes)
    if mask[1]:
        seen = gather(reshape(input, (batch, channels, pixels)), 2, everywhere)
        seen = reshape(seen, (batch, channels, points, taps))
        reach = sum_dim(slope * seen, (1,), False)
        coordinates = []
        for a in range(dims):
            orders = (0,) * a + (1,) + (0,) * (dims - 1 - a)
            weights = grid_sampler_weights(
                grid, sizes, orders, interpolation, padding, align_corners
            )
            coordinates.append(sum_dim(reach * weights, (2,), False))
        gg = reshape(stack(coordinates, 2), grid.sizes())
    return gi, gg


def grid_weights_gradient(
    grad: Tensor,
    grid: Tensor,
    sizes: "int[]",
    orders: "int[]",
    interpolation: int,
    padding: int,
    align_corners: bool,
) -> Tensor:
    """By each coordinate the weights of one order more."""
    coordinates = []
    for a in range(len(orders)):
        more = orders[:a] + (orders[a] + 1,) + orders[a + 1 :]
        weights = grid_sampler_weights(grid, sizes, more, interpolation, padding, align_corners)
        coordinates.append(sum_dim(grad * weights, (2,), False))
    return reshape(stack(coordinates, 2), grid.sizes())
