"""Layout of images: figures as arrays, several images as one, the frames of videos."""

import numpy as np

__all__ = ["convert_to_HWC", "figure_to_image", "make_grid"]


def figure_to_image(figures, close=True):
    """Return the pixels of Matplotlib figures, of shape (3, height, width) each, stacked."""
    if isinstance(figures, list):
        return np.stack([_pixels(figure, close) for figure in figures])
    return _pixels(figures, close)


def _pixels(figure, close):
    from matplotlib import pyplot
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    width, height = figure.canvas.get_width_height()
    pixels = np.frombuffer(canvas.buffer_rgba(), np.uint8).reshape(height, width, 4)
    if close:
        pyplot.close(figure)
    return np.moveaxis(pixels[:, :, :3], 2, 0)


def _prepare_video(V):
    """Tile videos of shape (batch, frames, channels, height, width) into one of (frames, height, width, channels).

    The numbers of rows and columns are powers of two; empty tiles are black.
    """
    batch, frames, channels, height, width = V.shape
    if V.dtype == np.uint8:
        V = np.float32(V) / 255.0
    places = 1 << (batch - 1).bit_length()
    if places > batch:
        V = np.concatenate((V, np.zeros((places - batch, frames, channels, height, width))))
    rows = 1 << ((batch.bit_length() - 1) // 2)
    V = V.reshape(rows, places // rows, frames, channels, height, width)
    return V.transpose(2, 0, 4, 1, 5, 3).reshape(
        frames, rows * height, places // rows * width, channels
    )


def make_grid(I, ncols=8):  # noqa: E741 (PyTorch's name)
    """Arrange images of shape (n, 1 or 3, height, width) as one of shape (3, rows * height, columns * width)."""
    if not isinstance(I, np.ndarray):
        raise AssertionError("plugin error, should pass numpy array here")
    if I.shape[1] == 1:
        I = np.concatenate([I, I, I], 1)  # noqa: E741
    if I.ndim != 4 or I.shape[1] != 3:
        raise AssertionError("Input should be a 4D numpy array with 3 channels")
    count, _, height, width = I.shape
    ncols = min(count, ncols)
    grid = np.zeros((3, height * -(-count // ncols), width * ncols), dtype=I.dtype)
    for place, picture in enumerate(I):
        row, column = divmod(place, ncols)
        grid[:, row * height : (row + 1) * height, column * width : (column + 1) * width] = picture
    return grid


def convert_to_HWC(tensor, input_format):
    """Convert an array whose dimensions `input_format` names to an image of shape (height, width, 3)."""
    if len(set(input_format)) != len(input_format):
        raise AssertionError(
            "You can not use the same dimension shorthand twice. "
            f"            input_format: {input_format}"
        )
    if len(tensor.shape) != len(input_format):
        raise AssertionError(
            "size of input tensor and input format are different. "
            f"        tensor shape: {tensor.shape}, input_format: {input_format}"
        )
    input_format = input_format.upper()
    if len(input_format) == 4:
        return make_grid(_ordered(tensor, input_format, "NCHW")).transpose(1, 2, 0)
    if len(input_format) == 3:
        picture = _ordered(tensor, input_format, "HWC")
        return np.concatenate([picture] * 3, 2) if picture.shape[2] == 1 else picture
    if len(input_format) == 2:
        return np.stack([_ordered(tensor, input_format, "HW")] * 3, 2)
    return None


def _ordered(tensor, given, wanted):
    return tensor.transpose([given.find(name) for name in wanted])
