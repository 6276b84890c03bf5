"""Decoding of files by extension: text, numbers, JSON, tensors, images, audio and video."""

import importlib
import io
import json
import os.path
import pickle
import tempfile

from minitorch.autograd.functions.from_data import from_numpy
from minitorch.utils.data.datapipes.utils.common import StreamWrapper

__all__ = [
    "Decoder",
    "ImageHandler",
    "MatHandler",
    "audiohandler",
    "basichandlers",
    "extension_extract_fn",
    "handle_extension",
    "imagehandler",
    "mathandler",
    "videohandler",
]

_NUMBERS = ("cls", "cls2", "class", "count", "index", "inx", "id")
_FILMS = ("mp4", "ogv", "mjpeg", "avi", "mov", "h264", "mpg", "webm", "wmv")
_SOUNDS = ("flac", "mp3", "sox", "wav", "m4a", "ogg", "wma")
_MODES = ("l", "rgb", "rgba")

# specification -> the library of the result, the element type, and the image mode
imagespecs = {
    **{f"{mode}8": ("numpy", "uint8", mode) for mode in _MODES},
    **{mode: ("numpy", "float", mode) for mode in _MODES},
    **{f"torch{mode}8": ("torch", "uint8", mode) for mode in _MODES},
    **{f"torch{mode}": ("torch", "float", mode) for mode in _MODES},
    "torch": ("torch", "float", "rgb"),
    **{f"pil{mode}": ("pil", None, mode) for mode in _MODES},
    "pil": ("pil", None, "rgb"),
}


def _needed(name, what):
    """Import the module `name`, with an error that names its package if it is missing."""
    package = name.partition(".")[0]
    try:
        return importlib.import_module(name)
    except ImportError as error:
        wanted = "Pillow" if package == "PIL" else package
        raise ModuleNotFoundError(
            f"Package `{package}` is required to be installed for {what}."
            f"Please use `pip install {wanted}` to install the package"
        ) from error


def basichandlers(extension, data):
    """Decode text, a number, JSON, a pickle or a file of `torch.save`, by its extension.

    Parameters
    ----------
    extension : str
    data : bytes

    Returns
    -------
    object
        None for other extensions.

    Examples
    --------
    >>> from minitorch.utils.data.datapipes.utils.decoder import basichandlers
    >>> basichandlers("json", b'{"a": [1]}'), basichandlers("cls", b"7"), basichandlers("zip", b"")
    ({'a': [1]}, 7, None)
    """
    # a substring matches too, as in PyTorch
    if extension in "txt text transcript":
        return data.decode("utf-8")
    if extension in _NUMBERS:
        try:
            return int(data)
        except ValueError:
            return None
    if extension in "json jsn":
        return json.loads(data)
    if extension in ("pyd", "pickle"):
        return pickle.loads(data)
    if extension == "pt":
        from minitorch.serialization import load

        return load(io.BytesIO(data))
    return None


class ImageHandler:
    """A handler that reads images with Pillow.

    Parameters
    ----------
    imagespec : str
        ``"pil"`` for an image of Pillow, ``"torch"`` for a tensor, each optionally followed by a mode
        (``"l"``, ``"rgb"``, ``"rgba"``), or a mode alone for a NumPy array. Arrays and tensors hold
        floats, or bytes if the mode is followed by ``"8"``.
    """

    def __init__(self, imagespec):
        if imagespec not in imagespecs:
            raise AssertionError(f"unknown image specification: {imagespec}")
        self.imagespec = imagespec.lower()

    def __call__(self, extension, data):
        if extension.lower() not in ("jpg", "jpeg", "png", "ppm", "pgm", "pbm", "pnm"):
            return None
        numpy = _needed("numpy", "default image decoder")
        pillow = _needed("PIL.Image", "default image decoder")
        kind, elements, mode = imagespecs[self.imagespec]
        with io.BytesIO(data) as stream:
            image = pillow.open(stream)
            image.load()
            image = image.convert(mode.upper())
        if kind == "pil":
            return image
        pixels = numpy.asarray(image)
        if kind == "numpy":
            return pixels if elements == "uint8" else pixels.astype("f") / 255.0
        pixels = from_numpy(numpy.array(pixels.transpose(2, 0, 1)))
        return pixels if elements == "uint8" else pixels / 255.0


def imagehandler(imagespec):
    """Return an `ImageHandler`."""
    return ImageHandler(imagespec)


def _from_file(read, extension, data):
    """Decode bytes with a function that reads a file."""
    with tempfile.TemporaryDirectory() as directory:
        name = os.path.join(directory, f"file.{extension}")
        with open(name, "wb") as stream:
            stream.write(data)
        return read(name)


def videohandler(extension, data):
    """Decode a video with torchvision; return None for other extensions."""
    if extension not in _FILMS:
        return None
    library = _needed("torchvision.io", "default video file loader")
    return _from_file(library.read_video, extension, data)


def audiohandler(extension, data):
    """Decode audio with torchaudio; return None for other extensions."""
    if extension not in _SOUNDS:
        return None
    library = _needed("torchaudio", "default audio file loader")
    return _from_file(library.load, extension, data)


class MatHandler:
    """A handler that reads MATLAB files with SciPy.

    Parameters
    ----------
    **loadmat_kwargs
        For `scipy.io.loadmat`.
    """

    def __init__(self, **loadmat_kwargs):
        self.sio = _needed("scipy.io", "mat file")
        self.loadmat_kwargs = loadmat_kwargs

    def __call__(self, extension, data):
        if extension != "mat":
            return None
        with io.BytesIO(data) as stream:
            return self.sio.loadmat(stream, **self.loadmat_kwargs)


def mathandler(**loadmat_kwargs):
    """Return a `MatHandler`."""
    return MatHandler(**loadmat_kwargs)


def extension_extract_fn(pathname):
    """Return the extension of a path, without its dot."""
    return os.path.splitext(pathname)[1][1:]


def handle_extension(extensions, f):
    """Return a handler of some extensions, which may consist of several parts.

    Parameters
    ----------
    extensions : str
        Separated by spaces.
    f : callable
        The decoder, called with the bytes.

    Examples
    --------
    >>> from minitorch.utils.data.datapipes.utils.decoder import handle_extension
    >>> count = handle_extension("small.txt csv", len)
    >>> count("a.small.txt", b"abc"), count("txt", b"abc")
    (3, None)
    """
    wanted = [extension.split(".") for extension in extensions.lower().split()]

    def handle(key, data):
        parts = key.lower().split(".")
        for target in wanted:
            if len(target) <= len(parts) and parts[-len(target) :] == target:
                return f(data)
        return None

    return handle


class Decoder:
    """A decoder that calls handlers in order until one of them decodes the bytes.

    Parameters
    ----------
    *handler : callable
        Called with the key and the bytes; returns None for a key that it does not handle.
    key_fn : callable, optional
        Returns the key of a path.
    """

    def __init__(self, *handler, key_fn=extension_extract_fn):
        self.handlers = list(handler)
        self.key_fn = key_fn

    def add_handler(self, *handler):
        """Add handlers before the existing ones."""
        self.handlers = [*handler, *self.handlers]

    @staticmethod
    def _is_stream_handle(data):
        inner = data.file_obj if isinstance(data, StreamWrapper) else data
        return isinstance(inner, (io.BufferedIOBase, io.RawIOBase))

    def decode1(self, key, data):
        """Decode one file, given as bytes or as a stream, which is read and closed."""
        if not data:
            return data
        if Decoder._is_stream_handle(data):
            stream, data = data, b"".join(data)
            stream.close()
        for handler in self.handlers:
            result = handler(key, data)
            if result is not None:
                return result
        return data

    def decode(self, data):
        """Decode pairs of path and bytes to a dict; a path that starts with ``_`` is text."""
        result = {}
        for path, value in [data] if isinstance(data, tuple) else data or ():
            if path[0] == "_" and isinstance(value, bytes):
                result[path] = value.decode("utf-8")
            else:
                result[path] = self.decode1(self.key_fn(path), value)
        return result

    def __call__(self, data):
        return self.decode(data)
