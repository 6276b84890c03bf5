"""The writers of event files: `FileWriter` writes summaries, `SummaryWriter` builds them from values."""

import datetime
import os
import socket
import time

from google.protobuf import text_format
from tensorboard.compat import tf
from tensorboard.compat.proto import event_pb2
from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from minitorch.utils.tensorboard._convert_np import make_np
from minitorch.utils.tensorboard._embedding import (
    get_embedding_info,
    make_mat,
    make_sprite,
    make_tsv,
    write_pbtxt,
)
from minitorch.utils.tensorboard._pytorch_graph import graph
from minitorch.utils.tensorboard._utils import figure_to_image
from minitorch.utils.tensorboard.summary import (
    audio,
    custom_scalars,
    histogram,
    histogram_raw,
    hparams,
    image,
    image_boxes,
    mesh,
    pr_curve,
    pr_curve_raw,
    scalar,
    tensor_proto,
    text,
    video,
)

__all__ = ["FileWriter", "SummaryWriter"]


def _default_bins():
    """Return TensorFlow's bucket limits: powers of 1.1 on both sides of zero."""
    ends, end = [], 1e-12
    while end < 1e20:
        ends.append(end)
        end *= 1.1
    return [-end for end in reversed(ends)] + [0] + ends


class FileWriter:
    """A writer of events to a file in a folder, with a thread of its own.

    Parameters
    ----------
    log_dir : str or os.PathLike
        The folder.
    max_queue : int
        How many events wait before the next one blocks.
    flush_secs : int
        The interval, in seconds, at which the file is flushed.
    filename_suffix : str
        The suffix of the file's name.
    """

    def __init__(self, log_dir, max_queue=10, flush_secs=120, filename_suffix=""):
        # TensorBoard requires a string; this class also accepts a path
        self.event_writer = EventFileWriter(str(log_dir), max_queue, flush_secs, filename_suffix)

    def get_logdir(self):
        """Return the log directory."""
        return self.event_writer.get_logdir()

    def add_event(self, event, step=None, walltime=None):
        """Write an event with a step and a time; the default time is now."""
        event.wall_time = time.time() if walltime is None else walltime
        if step is not None:
            event.step = int(step)  # protobuf rejects NumPy's integers
        self.event_writer.add_event(event)

    def add_summary(self, summary, global_step=None, walltime=None):
        """Write a summary as an event."""
        self.add_event(event_pb2.Event(summary=summary), global_step, walltime)

    def add_graph(self, graph_profile, walltime=None):
        """Write a graph and the description of the device that it ran on."""
        nodes, stats = graph_profile
        self.add_event(event_pb2.Event(graph_def=nodes.SerializeToString()), None, walltime)
        run = event_pb2.TaggedRunMetadata(tag="step1", run_metadata=stats.SerializeToString())
        self.add_event(event_pb2.Event(tagged_run_metadata=run), None, walltime)

    def add_onnx_graph(self, graph, walltime=None):
        """Write a graph without a device description."""
        self.add_event(event_pb2.Event(graph_def=graph.SerializeToString()), None, walltime)

    def flush(self):
        """Write pending events to the file."""
        self.event_writer.flush()

    def close(self):
        """Write pending events and close the file."""
        self.event_writer.close()

    def reopen(self):
        """Open another file in the same folder."""
        self.event_writer.reopen()


class SummaryWriter:
    """A writer of event files for TensorBoard.

    Parameters
    ----------
    log_dir : str or os.PathLike, optional
        The folder; by default ``runs/<date>_<host><comment>``.
    comment : str
        The suffix of the default folder's name.
    purge_step : int, optional
        TensorBoard hides steps from this one on that a crashed run has logged.
    max_queue, flush_secs, filename_suffix
        As for `FileWriter`.

    Notes
    -----
    Most methods take `global_step`, the step to show it at, and `walltime`, the time in seconds.
    `add_graph` writes the functions that the module calls, not the nodes of TorchScript.

    Examples
    --------
    >>> import tempfile, minitorch
    >>> from minitorch.utils.tensorboard import SummaryWriter
    >>> with SummaryWriter(tempfile.mkdtemp()) as writer:
    ...     writer.add_scalar("loss", minitorch.tensor(0.25), global_step=3)
    ...     writer.add_histogram("weights", minitorch.randn(100), 3)
    """

    def __init__(
        self,
        log_dir=None,
        comment="",
        purge_step=None,
        max_queue=10,
        flush_secs=120,
        filename_suffix="",
    ):
        if not log_dir:
            now = datetime.datetime.now().strftime("%b%d_%H-%M-%S")
            log_dir = os.path.join("runs", f"{now}_{socket.gethostname()}{comment}")
        self.log_dir = log_dir
        self.purge_step = purge_step
        self.max_queue = max_queue
        self.flush_secs = flush_secs
        self.filename_suffix = filename_suffix
        self.file_writer = self.all_writers = None
        self._get_file_writer()
        self.default_bins = _default_bins()

    def _new_writer(self, log_dir):
        return FileWriter(log_dir, self.max_queue, self.flush_secs, self.filename_suffix)

    def _get_file_writer(self):
        """Return the writer, reopened if it was closed."""
        if self.all_writers is None or self.file_writer is None:
            self.file_writer = self._new_writer(self.log_dir)
            self.all_writers = {self.file_writer.get_logdir(): self.file_writer}
            if self.purge_step is not None:
                self._purge(self.purge_step)
                self.purge_step = None
        return self.file_writer

    def _purge(self, step):
        start = event_pb2.SessionLog(status=event_pb2.SessionLog.START)
        self.file_writer.add_event(event_pb2.Event(step=step, file_version="brain.Event:2"))
        self.file_writer.add_event(event_pb2.Event(step=step, session_log=start))

    def _add(self, summary, global_step=None, walltime=None):
        self._get_file_writer().add_summary(summary, global_step, walltime)

    def get_logdir(self):
        """Return the log directory."""
        return self.log_dir

    def add_hparams(
        self,
        hparam_dict,
        metric_dict,
        hparam_domain_discrete=None,
        run_name=None,
        global_step=None,
    ):
        """Log hyperparameters and the metrics of the run, in a subfolder."""
        if type(hparam_dict) is not dict or type(metric_dict) is not dict:
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        summaries = hparams(hparam_dict, metric_dict, hparam_domain_discrete)
        below = os.path.join(self._get_file_writer().get_logdir(), run_name or str(time.time()))
        with SummaryWriter(log_dir=below) as run:
            for summary in summaries:
                run._add(summary, global_step)
            for tag, value in metric_dict.items():
                run.add_scalar(tag, value, global_step)

    def add_scalar(
        self,
        tag,
        scalar_value,
        global_step=None,
        walltime=None,
        new_style=False,
        double_precision=False,
    ):
        """Log one number."""
        summary = scalar(tag, scalar_value, new_style=new_style, double_precision=double_precision)
        self._add(summary, global_step, walltime)

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        """Log numbers that are shown in one chart; each has its own folder and writer."""
        walltime = time.time() if walltime is None else walltime
        prefix = self._get_file_writer().get_logdir() + "/" + main_tag.replace("/", "_") + "_"
        for tag, value in tag_scalar_dict.items():
            if prefix + tag not in self.all_writers:
                self.all_writers[prefix + tag] = self._new_writer(prefix + tag)
            self.all_writers[prefix + tag].add_summary(
                scalar(main_tag, value), global_step, walltime
            )

    def add_tensor(self, tag, tensor, global_step=None, walltime=None):
        """Log a tensor with all its elements."""
        self._add(tensor_proto(tag, tensor), global_step, walltime)

    def add_histogram(
        self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None
    ):
        """Log a histogram of values; `bins` is as for ``numpy.histogram``."""
        if isinstance(bins, str) and bins == "tensorflow":
            bins = self.default_bins
        self._add(histogram(tag, values, bins, max_bins=max_bins), global_step, walltime)

    def add_histogram_raw(
        self,
        tag,
        min,
        max,
        num,
        sum,
        sum_squares,
        bucket_limits,
        bucket_counts,
        global_step=None,
        walltime=None,
    ):
        """Log a precomputed histogram; a limit is the right end of its bucket."""
        if len(bucket_limits) != len(bucket_counts):
            raise ValueError("len(bucket_limits) != len(bucket_counts), see the document.")
        summary = histogram_raw(tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts)
        self._add(summary, global_step, walltime)

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        """Log an image of numbers from 0 to 1, or of bytes."""
        self._add(image(tag, img_tensor, dataformats=dataformats), global_step, walltime)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        """Log several images as one, in rows of eight."""
        self._add(image(tag, img_tensor, dataformats=dataformats), global_step, walltime)

    def add_image_with_boxes(
        self,
        tag,
        img_tensor,
        box_tensor,
        global_step=None,
        walltime=None,
        rescale=1,
        dataformats="CHW",
        labels=None,
    ):
        """Log an image with boxes drawn into it; labels are drawn only if there is one for each box."""
        labels = [labels] if isinstance(labels, str) else labels
        if labels is not None and len(labels) != box_tensor.shape[0]:
            labels = None
        summary = image_boxes(
            tag, img_tensor, box_tensor, rescale=rescale, dataformats=dataformats, labels=labels
        )
        self._add(summary, global_step, walltime)

    def add_figure(self, tag, figure, global_step=None, close=True, walltime=None):
        """Log a Matplotlib figure or a list of figures, and close them unless `close` is False."""
        dataformats = "NCHW" if isinstance(figure, list) else "CHW"
        pixels = figure_to_image(figure, close)
        self.add_image(tag, pixels, global_step, walltime, dataformats=dataformats)

    def add_video(self, tag, vid_tensor, global_step=None, fps=4, walltime=None):
        """Log videos of shape (batch, frames, channels, height, width) as one; needs moviepy."""
        self._add(video(tag, vid_tensor, fps), global_step, walltime)

    def add_audio(self, tag, snd_tensor, global_step=None, sample_rate=44100, walltime=None):
        """Log mono audio: numbers from -1 to 1."""
        self._add(audio(tag, snd_tensor, sample_rate=sample_rate), global_step, walltime)

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        """Log a text."""
        self._add(text(tag, text_string), global_step, walltime)

    def add_onnx_graph(self, prototxt):
        """Raise NotImplementedError, since minitorch reads no ONNX files."""
        raise NotImplementedError("SummaryWriter.add_onnx_graph: minitorch reads no ONNX files")

    def add_graph(self, model, input_to_model=None, verbose=False, use_strict_trace=True):
        """Log the functions that a module calls for an input."""
        self._get_file_writer().add_graph(graph(model, input_to_model, verbose, use_strict_trace))

    @staticmethod
    def _encode(rawstr):
        """Convert a tag to a directory name."""
        for letter in "%/\\":
            rawstr = rawstr.replace(letter, f"%{ord(letter):02x}")
        return rawstr

    def add_embedding(
        self,
        mat,
        metadata=None,
        label_img=None,
        global_step=None,
        tag="default",
        metadata_header=None,
    ):
        """Log points, one per row, with labels and images, for the projector."""
        mat = make_np(mat)
        global_step = 0 if global_step is None else global_step
        subdir = f"{str(global_step).zfill(5)}/{self._encode(tag)}"
        log_dir = self._get_file_writer().get_logdir()
        path = os.path.join(log_dir, subdir)
        _make_folder(path)
        if metadata is not None:
            if mat.shape[0] != len(metadata):
                raise AssertionError("#labels should equal with #data points")
            make_tsv(metadata, path, metadata_header=metadata_header)
        if label_img is not None:
            if mat.shape[0] != label_img.shape[0]:
                raise AssertionError("#images should equal with #data points")
            make_sprite(label_img, path)
        if mat.ndim != 2:
            raise AssertionError("mat should be 2D, where mat.size(0) is the number of data points")
        make_mat(mat, path)
        if not hasattr(self, "_projector_config"):
            self._projector_config = ProjectorConfig()
        info = get_embedding_info(metadata, label_img, subdir, global_step, tag)
        self._projector_config.embeddings.extend([info])
        write_pbtxt(log_dir, text_format.MessageToString(self._projector_config))

    def add_pr_curve(
        self,
        tag,
        labels,
        predictions,
        global_step=None,
        num_thresholds=127,
        weights=None,
        walltime=None,
    ):
        """Log precision and recall of predictions from 0 to 1 at several thresholds."""
        summary = pr_curve(tag, make_np(labels), make_np(predictions), num_thresholds, weights)
        self._add(summary, global_step, walltime)

    def add_pr_curve_raw(
        self,
        tag,
        true_positive_counts,
        false_positive_counts,
        true_negative_counts,
        false_negative_counts,
        precision,
        recall,
        global_step=None,
        num_thresholds=127,
        weights=None,
        walltime=None,
    ):
        """Log precomputed precision and recall."""
        summary = pr_curve_raw(
            tag,
            true_positive_counts,
            false_positive_counts,
            true_negative_counts,
            false_negative_counts,
            precision,
            recall,
            num_thresholds,
            weights,
        )
        self._add(summary, global_step, walltime)

    def add_custom_scalars_multilinechart(self, tags, category="default", title="untitled"):
        """Show these numbers in one chart."""
        self.add_custom_scalars({category: {title: ["Multiline", tags]}})

    def add_custom_scalars_marginchart(self, tags, category="default", title="untitled"):
        """Show three numbers as a line and the margin around it."""
        if len(tags) != 3:
            raise AssertionError(f"Expected 3 tags, got {len(tags)}.")
        self.add_custom_scalars({category: {title: ["Margin", tags]}})

    def add_custom_scalars(self, layout):
        """Define custom charts: ``{category: {title: [kind, tags]}}``."""
        self._add(custom_scalars(layout))

    def add_mesh(
        self,
        tag,
        vertices,
        colors=None,
        faces=None,
        config_dict=None,
        global_step=None,
        walltime=None,
    ):
        """Log a mesh or a cloud of points, each tensor of shape (batch, n, 3)."""
        self._add(mesh(tag, vertices, colors, faces, config_dict), global_step, walltime)

    def flush(self):
        """Write pending events to all files."""
        for writer in (self.all_writers or {}).values():
            writer.flush()

    def close(self):
        """Close all files; later calls open a new one."""
        for writer in (self.all_writers or {}).values():
            writer.flush()
            writer.close()
        self.file_writer = self.all_writers = None

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()


def _make_folder(path):
    files = tf.io.gfile
    if not files.exists(path):
        files.makedirs(path)
    elif files.isdir(path):
        print("warning: Embedding dir exists, did you set global_step for add_embedding()?")
    else:
        raise NotADirectoryError(f"Path: `{path}` exists, but is a file. Cannot proceed.")
