"""Summaries of images, of images with boxes, and of videos."""

import io
import tempfile

import numpy as np
from tensorboard.compat.proto.summary_pb2 import Summary

from minitorch.utils.tensorboard._convert_np import make_np
from minitorch.utils.tensorboard._utils import _prepare_video, convert_to_HWC


def _as_bytes(picture):
    """Scale numbers between 0 and 1 to bytes; return bytes unchanged."""
    scale = 1 if picture.dtype == np.uint8 else 255
    return (picture.astype(np.float32) * scale).clip(0, 255).astype(np.uint8)


def image(tag, tensor, rescale=1, dataformats="NCHW"):
    """Return the summary of an image, or of several in a grid."""
    picture = _as_bytes(convert_to_HWC(make_np(tensor), dataformats))
    return Summary(value=[Summary.Value(tag=tag, image=make_image(picture, rescale=rescale))])


def image_boxes(tag, tensor_image, tensor_boxes, rescale=1, dataformats="CHW", labels=None):
    """Return the summary of an image with boxes, each (left, top, right, bottom)."""
    picture = _as_bytes(convert_to_HWC(make_np(tensor_image), dataformats))
    message = make_image(picture, rescale=rescale, rois=make_np(tensor_boxes), labels=labels)
    return Summary(value=[Summary.Value(tag=tag, image=message)])


def draw_boxes(disp_image, boxes, labels=None):
    """Draw each box, with its label at its lower edge, into a Pillow image."""
    for i in range(boxes.shape[0]):
        _draw_box(disp_image, *boxes[i, :4], label=None if labels is None else labels[i])
    return disp_image


def _draw_box(picture, left, top, right, bottom, label, color="Red", thickness=2):
    from PIL import ImageDraw, ImageFont

    draw = ImageDraw.Draw(picture)
    corners = [(left, top), (left, bottom), (right, bottom), (right, top), (left, top)]
    draw.line(corners, width=thickness, fill=color)
    if label:
        font = ImageFont.load_default()
        x0, y0, x1, y1 = font.getbbox(label)
        width, height = x1 - x0, y1 - y0
        margin = np.ceil(0.05 * height)
        draw.rectangle([(left, bottom - height - 2 * margin), (left + width, bottom)], fill=color)
        draw.text((left + margin, bottom - height - margin), label, fill="black", font=font)


def make_image(tensor, rescale=1, rois=None, labels=None):
    """Encode an image, bytes of shape (height, width, channels), as a PNG message."""
    from PIL import Image

    height, width, channel = tensor.shape
    picture = Image.fromarray(tensor)
    if rois is not None:
        picture = draw_boxes(picture, rois, labels=labels)
    picture = picture.resize(
        (int(width * rescale), int(height * rescale)), Image.Resampling.LANCZOS
    )
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return Summary.Image(
        height=height,
        width=width,
        colorspace=channel,
        encoded_image_string=buffer.getvalue(),
    )


def video(tag, tensor, fps=4):
    """Return the summary of videos tiled into one; without moviepy it has only the tag."""
    message = make_video(_as_bytes(_prepare_video(make_np(tensor))), fps)
    return Summary(value=[Summary.Value(tag=tag, image=message)])


def make_video(tensor, fps):
    """Encode a video, bytes of shape (frames, height, width, channels), as a GIF message."""
    try:
        import moviepy  # noqa: F401
    except ImportError:
        print("add_video needs package moviepy")
        return None
    try:
        from moviepy import editor
    except ImportError:
        print(
            "moviepy is installed, but can't import moviepy.editor.",
            "Some packages could be missing [imageio, requests]",
        )
        return None
    _, height, width, channels = tensor.shape
    clip = editor.ImageSequenceClip(list(tensor), fps=fps)
    with tempfile.NamedTemporaryFile(suffix=".gif") as file:
        clip.write_gif(file.name, verbose=False, logger=None)
        return Summary.Image(
            height=height,
            width=width,
            colorspace=channels,
            encoded_image_string=file.read(),
        )
