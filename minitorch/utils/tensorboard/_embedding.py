"""Files for TensorBoard's projector: points, their labels and their images."""

import io
import math

import numpy as np
from tensorboard.compat import tf
from tensorboard.plugins.projector.projector_config_pb2 import EmbeddingInfo

from minitorch.utils.tensorboard._convert_np import make_np
from minitorch.utils.tensorboard._utils import make_grid

__all__ = ["get_embedding_info", "make_mat", "make_sprite", "make_tsv", "write_pbtxt"]


def _gfile_join(a, b):
    files = tf.io.gfile  # TensorFlow's gfile has join, TensorBoard's stub does not
    return files.join(a, b) if hasattr(files, "join") else files.get_filesystem(a).join(a, b)


def _write(folder, name, content):
    with tf.io.gfile.GFile(_gfile_join(folder, name), "wb") as file:
        file.write(tf.compat.as_bytes(content))


def make_tsv(metadata, save_path, metadata_header=None):
    """Write ``metadata.tsv`` with a label on each line, or with columns below a header."""
    if metadata_header:
        if len(metadata_header) != len(metadata[0]):
            raise AssertionError("len of header must be equal to the number of columns in metadata")
        lines = ["\t".join(str(e) for e in row) for row in [metadata_header] + metadata]
    else:
        lines = [str(label) for label in metadata]
    _write(save_path, "metadata.tsv", "\n".join(lines) + "\n")


def make_sprite(label_img, save_path):
    """Write ``sprite.png``, the images arranged in a square, row by row."""
    from PIL import Image

    grid = make_grid(make_np(label_img), ncols=math.ceil(label_img.size(0) ** 0.5))
    side = grid.shape[2]
    square = np.zeros((side, side, 3))
    square[: grid.shape[1]] = grid.transpose(1, 2, 0)
    buffer = io.BytesIO()
    Image.fromarray(np.uint8((square * 255).clip(0, 255))).save(buffer, format="PNG")
    _write(save_path, "sprite.png", buffer.getvalue())


def get_embedding_info(metadata, label_img, subdir, global_step, tag):
    """Return the message with the locations of the files of one embedding."""
    info = EmbeddingInfo()
    info.tensor_name = f"{tag}:{str(global_step).zfill(5)}"
    info.tensor_path = _gfile_join(subdir, "tensors.tsv")
    if metadata is not None:
        info.metadata_path = _gfile_join(subdir, "metadata.tsv")
    if label_img is not None:
        info.sprite.image_path = _gfile_join(subdir, "sprite.png")
        info.sprite.single_image_dim.extend([label_img.size(3), label_img.size(2)])
    return info


def write_pbtxt(save_path, contents):
    """Write the projector's configuration."""
    _write(save_path, "projector_config.pbtxt", contents)


def make_mat(matlist, save_path):
    """Write ``tensors.tsv`` with a point on each line."""
    lines = ["\t".join(str(number.item()) for number in row) + "\n" for row in matlist]
    _write(save_path, "tensors.tsv", "".join(lines))
