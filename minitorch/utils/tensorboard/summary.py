"""Summaries: a message of TensorBoard's protocol for each kind of logged value.

Each function builds a ``Summary`` from a tag and from tensors, arrays or numbers;
`writer.SummaryWriter` writes it to the event file.
"""

import io
import logging
import struct
import wave

import numpy as np
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.pr_curve.plugin_data_pb2 import PrCurvePluginData
from tensorboard.plugins.text.plugin_data_pb2 import TextPluginData

from minitorch.autograd.functions.tensor_methods import view_as_real
from minitorch.utils.tensorboard._convert_np import make_np
from minitorch.utils.tensorboard._hparams import hparams
from minitorch.utils.tensorboard._mesh import mesh
from minitorch.utils.tensorboard._pictures import (
    draw_boxes,
    image,
    image_boxes,
    make_image,
    make_video,
    video,
)

__all__ = [
    "half_to_int",
    "int_to_half",
    "hparams",
    "scalar",
    "histogram_raw",
    "histogram",
    "make_histogram",
    "image",
    "image_boxes",
    "draw_boxes",
    "make_image",
    "video",
    "make_video",
    "audio",
    "custom_scalars",
    "text",
    "tensor_proto",
    "pr_curve_raw",
    "pr_curve",
    "compute_curve",
    "mesh",
]

logger = logging.getLogger(__name__)

_MOST_THRESHOLDS = 127  # the most that TensorBoard's page of curves shows
_LEAST_COUNT = 1e-7  # lower bound of divisors


def _shape(*sizes):
    return TensorShapeProto(dim=[TensorShapeProto.Dim(size=size) for size in sizes])


def _for_plugin(name, content=b""):
    return SummaryMetadata(
        plugin_data=SummaryMetadata.PluginData(plugin_name=name, content=content)
    )


def half_to_int(f):
    """Return the bits of a float32 as an integer."""
    return struct.unpack("i", struct.pack("f", f))[0]


def int_to_half(i):
    """Return the float32 with the given bits."""
    return struct.unpack("f", struct.pack("i", i))[0]


def _numbers(tensor):
    return tensor.flatten().tolist()


def _bits(tensor):
    return [half_to_int(number) for number in _numbers(tensor)]


def _pairs(tensor):
    return _numbers(view_as_real(tensor))


# name of a dtype -> TensorFlow's name, the field of the message, the function that fills the field
_TENSOR_TYPE_MAP = {
    "float16": ("DT_HALF", "half_val", _bits),
    "bfloat16": ("DT_BFLOAT16", "half_val", _bits),
    "float32": ("DT_FLOAT", "float_val", _numbers),
    "float64": ("DT_DOUBLE", "double_val", _numbers),
    "int8": ("DT_INT8", "int_val", _numbers),
    "uint8": ("DT_UINT8", "uint32_val", _numbers),
    "int16": ("DT_INT16", "int_val", _numbers),
    "int32": ("DT_INT32", "int_val", _numbers),
    "int64": ("DT_INT64", "int64_val", _numbers),
    "complex64": ("DT_COMPLEX64", "scomplex_val", _pairs),
    "complex128": ("DT_COMPLEX128", "dcomplex_val", _pairs),
    "bool": ("DT_BOOL", "bool_val", _numbers),
}


def scalar(name, tensor, collections=None, new_style=False, double_precision=False):
    """Return the summary of a number; in the new style it is a tensor of the scalars plugin."""
    tensor = make_np(tensor).squeeze()
    if tensor.ndim != 0:
        raise AssertionError(
            "Tensor should contain one element (0 dimensions). "
            f"            Was given size: {tensor.size} and {tensor.ndim} dimensions."
        )
    number = float(tensor)
    if not new_style:
        return Summary(value=[Summary.Value(tag=name, simple_value=number)])
    if double_precision:
        message = TensorProto(double_val=[number], dtype="DT_DOUBLE")
    else:
        message = TensorProto(float_val=[number], dtype="DT_FLOAT")
    return Summary(value=[Summary.Value(tag=name, tensor=message, metadata=_for_plugin("scalars"))])


def tensor_proto(tag, tensor):
    """Return the summary of a whole tensor with its dtype and shape."""
    if tensor.numel() * tensor.itemsize >= 1 << 31:
        raise ValueError("tensor is bigger than protocol buffer's hard limit of 2GB in size")
    known = _TENSOR_TYPE_MAP.get(str(tensor.dtype).removeprefix("torch."))
    if known is None:
        raise ValueError(f"{tag} has unsupported tensor dtype {tensor.dtype}")
    dtype, field, fill = known
    message = TensorProto(
        **{"dtype": dtype, "tensor_shape": _shape(*tensor.shape), field: fill(tensor)}
    )
    return Summary(value=[Summary.Value(tag=tag, metadata=_for_plugin("tensor"), tensor=message)])


def histogram_raw(name, min, max, num, sum, sum_squares, bucket_limits, bucket_counts):
    """Return the summary of a precomputed histogram."""
    message = HistogramProto(
        min=min,
        max=max,
        num=num,
        sum=sum,
        sum_squares=sum_squares,
        bucket_limit=bucket_limits,
        bucket=bucket_counts,
    )
    return Summary(value=[Summary.Value(tag=name, histo=message)])


def histogram(name, values, bins, max_bins=None):
    """Return the histogram of the values; see ``numpy.histogram`` for `bins`."""
    message = make_histogram(make_np(values).astype(float), bins, max_bins)
    return Summary(value=[Summary.Value(tag=name, histo=message)])


def make_histogram(values, bins, max_bins=None):
    """Return the message of a histogram, without empty buckets at both ends."""
    if values.size == 0:
        raise ValueError("The input has no element.")
    values = values.reshape(-1)
    counts, limits = np.histogram(values, bins=bins)
    if max_bins is not None and len(counts) > max_bins:
        counts, limits = _joined(counts, limits, len(counts) // max_bins)
    filled = np.flatnonzero(counts)
    if filled.size == 0:
        raise ValueError("The histogram is empty, please file a bug report.")
    first, last = int(filled[0]), int(filled[-1])
    # TensorBoard reads only the right end of each bucket, so an empty bucket precedes the first
    before = counts[first - 1 : first] if first else [0]
    return HistogramProto(
        min=values.min(),
        max=values.max(),
        num=len(values),
        sum=values.sum(),
        sum_squares=values.dot(values),
        bucket_limit=limits[first : last + 2].tolist(),
        bucket=np.concatenate([before, counts[first : last + 1]]).tolist(),
    )


def _joined(counts, limits, several):
    """Merge each `several` neighbouring buckets into one."""
    missing = -len(counts) % several
    counts = np.pad(counts, (0, missing)).reshape(-1, several).sum(-1)
    return counts, np.append(limits[:-1:several], limits[-1])


def audio(tag, tensor, sample_rate=44100):
    """Encode mono audio, numbers between -1 and 1, as a 16-bit WAV summary."""
    sound = make_np(tensor).squeeze()
    if abs(sound).max() > 1:
        print("warning: audio amplitude out of range, auto clipped.")
        sound = sound.clip(-1, 1)
    if sound.ndim != 1:
        raise AssertionError("input tensor should be 1 dimensional.")
    sound = (sound * np.iinfo(np.int16).max).astype("<i2")
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sample_rate)
        file.writeframes(sound.data)
    message = Summary.Audio(
        sample_rate=sample_rate,
        num_channels=1,
        length_frames=sound.shape[-1],
        encoded_audio_string=buffer.getvalue(),
        content_type="audio/wav",
    )
    return Summary(value=[Summary.Value(tag=tag, audio=message)])


def custom_scalars(layout):
    """Return the summary that defines custom charts: ``{category: {title: [kind, tags]}}``."""
    categories = [
        layout_pb2.Category(
            title=title, chart=[_chart(name, kind, tags) for name, (kind, tags) in charts.items()]
        )
        for title, charts in layout.items()
    ]
    message = TensorProto(
        dtype="DT_STRING",
        string_val=[layout_pb2.Layout(category=categories).SerializeToString()],
        tensor_shape=TensorShapeProto(),
    )
    value = Summary.Value(
        tag="custom_scalars__config__", tensor=message, metadata=_for_plugin("custom_scalars")
    )
    return Summary(value=[value])


def _chart(title, kind, tags):
    if kind != "Margin":
        return layout_pb2.Chart(title=title, multiline=layout_pb2.MultilineChartContent(tag=tags))
    if len(tags) != 3:
        raise AssertionError("len(tags) != 3")
    series = layout_pb2.MarginChartContent.Series(value=tags[0], lower=tags[1], upper=tags[2])
    return layout_pb2.Chart(title=title, margin=layout_pb2.MarginChartContent(series=[series]))


def text(tag, text):
    """Return the summary of a text, which TensorBoard renders as Markdown."""
    message = TensorProto(
        dtype="DT_STRING", string_val=[text.encode(encoding="utf_8")], tensor_shape=_shape(1)
    )
    metadata = _for_plugin("text", TextPluginData(version=0).SerializeToString())
    value = Summary.Value(tag=tag + "/text_summary", metadata=metadata, tensor=message)
    return Summary(value=[value])


def pr_curve_raw(tag, tp, fp, tn, fn, precision, recall, num_thresholds=127, weights=None):
    """Return the summary of a precomputed precision-recall curve."""
    return _curve(tag, np.stack((tp, fp, tn, fn, precision, recall)), num_thresholds)


def pr_curve(tag, labels, predictions, num_thresholds=127, weights=None):
    """Return the precision-recall curve of predictions between 0 and 1."""
    num_thresholds = min(num_thresholds, _MOST_THRESHOLDS)
    data = compute_curve(labels, predictions, num_thresholds=num_thresholds, weights=weights)
    return _curve(tag, data, num_thresholds)


def _curve(tag, data, num_thresholds):
    content = PrCurvePluginData(
        version=0, num_thresholds=min(num_thresholds, _MOST_THRESHOLDS)
    ).SerializeToString()
    message = TensorProto(
        dtype="DT_FLOAT",
        float_val=data.reshape(-1).tolist(),
        tensor_shape=_shape(*data.shape[:2]),
    )
    metadata = _for_plugin("pr_curves", content)
    return Summary(value=[Summary.Value(tag=tag, metadata=metadata, tensor=message)])


def compute_curve(labels, predictions, num_thresholds=None, weights=None):
    """Return rows of true and false positives and negatives, precision and recall by threshold."""
    weights = 1.0 if weights is None else weights
    places = np.int32(np.floor(predictions * (num_thresholds - 1)))
    positive = labels.astype(np.float64)

    def at_least(weight):
        counts, _ = np.histogram(
            places, bins=num_thresholds, range=(0, num_thresholds - 1), weights=weight
        )
        return np.cumsum(counts[::-1])[::-1]

    tp = at_least(positive * weights)
    fp = at_least((1.0 - positive) * weights)
    tn = fp[0] - fp
    fn = tp[0] - tp
    precision = tp / np.maximum(_LEAST_COUNT, tp + fp)
    recall = tp / np.maximum(_LEAST_COUNT, tp + fn)
    return np.stack((tp, fp, tn, fn, precision, recall))
