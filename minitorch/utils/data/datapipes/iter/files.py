"""Datapipes that list, open, read and decode files."""

from minitorch.utils.data.datapipes._decorator import functional_datapipe
from minitorch.utils.data.datapipes.datapipe import IterDataPipe
from minitorch.utils.data.datapipes.iter.utils import IterableWrapperIterDataPipe
from minitorch.utils.data.datapipes.utils.common import (
    _deprecation_warning,
    get_file_binaries_from_pathnames,
    get_file_pathnames_from_root,
    length_given,
    length_of,
)
from minitorch.utils.data.datapipes.utils.decoder import (
    Decoder,
    basichandlers,
    extension_extract_fn,
    imagehandler,
)

__all__ = [
    "FileListerIterDataPipe",
    "FileOpenerIterDataPipe",
    "RoutedDecoderIterDataPipe",
    "StreamReaderIterDataPipe",
]


@functional_datapipe("list_files")
class FileListerIterDataPipe(IterDataPipe):
    """A datapipe of the paths of the files in directories.

    Parameters
    ----------
    root : str, sequence of str or IterDataPipe, default "."
    masks : str or list of str, optional
        Shell patterns; only files whose names match one of them are listed.
    recursive : bool, default False
        Also list the files in subdirectories.
    abspath : bool, default False
        Yield absolute paths.
    non_deterministic : bool, default False
        Keep the order of the file system instead of sorting.
    length : int, default -1
        The value of ``len``; -1 for none.
    """

    def __init__(
        self,
        root=".",
        masks="",
        *,
        recursive=False,
        abspath=False,
        non_deterministic=False,
        length=-1,
    ):
        super().__init__()
        if isinstance(root, str):
            root = [root]
        self.datapipe = (
            root if isinstance(root, IterDataPipe) else IterableWrapperIterDataPipe(root)
        )
        self.masks = masks
        self.recursive = recursive
        self.abspath = abspath
        self.non_deterministic = non_deterministic
        self.length = length

    def __iter__(self):
        for path in self.datapipe:
            yield from get_file_pathnames_from_root(
                path, self.masks, self.recursive, self.abspath, self.non_deterministic
            )

    def __len__(self):
        return length_given(self, self.length)


@functional_datapipe("open_files")
class FileOpenerIterDataPipe(IterDataPipe):
    """A datapipe of pairs of a path and its open file.

    Parameters
    ----------
    datapipe : iterable of str
    mode : {"r", "rt", "t", "rb", "b"}
    encoding : str, optional
        The encoding of text files.
    length : int, default -1
        The value of ``len``; -1 for none.

    Raises
    ------
    ValueError
        For another mode, or an encoding with a binary mode.
    """

    def __init__(self, datapipe, mode="r", encoding=None, length=-1):
        super().__init__()
        self.datapipe = datapipe
        self.mode = mode
        self.encoding = encoding
        if mode not in ("b", "t", "rb", "rt", "r"):
            raise ValueError(f"Invalid mode {mode}")
        if "b" in mode and encoding is not None:
            raise ValueError("binary mode doesn't take an encoding argument")
        self.length = length

    def __iter__(self):
        yield from get_file_binaries_from_pathnames(self.datapipe, self.mode, self.encoding)

    def __len__(self):
        return length_given(self, self.length)


@functional_datapipe("read_from_stream")
class StreamReaderIterDataPipe(IterDataPipe):
    """A datapipe of paths and the contents of their streams, whole or in chunks; it closes the streams.

    Parameters
    ----------
    datapipe : IterDataPipe
        Pairs of a path and a stream.
    chunk : int, optional
        The size of a chunk; by default everything is read at once.
    """

    def __init__(self, datapipe, chunk=None):
        self.datapipe = datapipe
        self.chunk = chunk

    def __iter__(self):
        for path, stream in self.datapipe:
            while data := stream.read(self.chunk):
                yield path, data
            stream.close()


@functional_datapipe("routed_decode")
class RoutedDecoderIterDataPipe(IterDataPipe):
    """A datapipe of pairs of a path and the decoded contents of its stream; deprecated.

    Parameters
    ----------
    datapipe : iterable
        Pairs of a path and a stream.
    *handlers : callable
        The handlers of the `Decoder`; by default those for text, numbers, JSON, pickles and images.
    key_fn : callable, optional
    """

    def __init__(self, datapipe, *handlers, key_fn=extension_extract_fn):
        super().__init__()
        self.datapipe = datapipe
        self.decoder = Decoder(*(handlers or (basichandlers, imagehandler("torch"))), key_fn=key_fn)
        _deprecation_warning(
            type(self).__name__,
            deprecation_version="1.12",
            removal_version="1.13",
            old_functional_name="routed_decode",
        )

    def add_handler(self, *handler):
        """Add handlers before the existing ones."""
        self.decoder.add_handler(*handler)

    def __iter__(self):
        for data in self.datapipe:
            yield data[0], self.decoder(data)[data[0]]

    def __len__(self):
        return length_of(self, self.datapipe)
