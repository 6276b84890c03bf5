"""Summaries of hyperparameters: their definitions, their values, and the end of the run."""

import logging

from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata

from minitorch._tensor import Tensor
from minitorch.utils.tensorboard._convert_np import make_np

logger = logging.getLogger("minitorch.utils.tensorboard.summary")

# a Python bool is an int, and TensorBoard shows it as a number, here as in PyTorch
_KINDS = ((int | float, "number_value", "FLOAT64"), (str, "string_value", "STRING"))


def hparams(hparam_dict=None, metric_dict=None, hparam_domain_discrete=None):
    """Return three summaries: the experiment, the start of a session with its values, and its end.

    Parameters
    ----------
    hparam_dict : dict
        Names and values, which may be numbers, strings or tensors with one element; None is skipped.
    metric_dict : dict
        The metrics; only their names are used here.
    hparam_domain_discrete : dict, optional
        The possible values of a hyperparameter, as a list by name.
    """
    from tensorboard.plugins.hparams import api_pb2, metadata, plugin_data_pb2

    domains = hparam_domain_discrete or {}
    _check(hparam_dict, metric_dict, domains)
    start = plugin_data_pb2.SessionStartInfo()
    infos = []
    for name, value in hparam_dict.items():
        if value is None:
            continue
        field, kind, value = _described(value)
        setattr(start.hparams[name], field, value)
        infos.append(
            api_pb2.HParamInfo(
                name=name,
                type=api_pb2.DataType.Value(f"DATA_TYPE_{kind}"),
                domain_discrete=_domain(field, domains.get(name)),
            )
        )
    metrics = [api_pb2.MetricInfo(name=api_pb2.MetricName(tag=tag)) for tag in metric_dict]
    experiment = api_pb2.Experiment(hparam_infos=infos, metric_infos=metrics)
    end = plugin_data_pb2.SessionEndInfo(status=api_pb2.Status.Value("STATUS_SUCCESS"))

    def summary(tag, **content):
        data = plugin_data_pb2.HParamsPluginData(version=metadata.PLUGIN_DATA_VERSION, **content)
        about = SummaryMetadata.PluginData(
            plugin_name=metadata.PLUGIN_NAME, content=data.SerializeToString()
        )
        value = Summary.Value(tag=tag, metadata=SummaryMetadata(plugin_data=about))
        return Summary(value=[value])

    return (
        summary(metadata.EXPERIMENT_TAG, experiment=experiment),
        summary(metadata.SESSION_START_INFO_TAG, session_start_info=start),
        summary(metadata.SESSION_END_INFO_TAG, session_end_info=end),
    )


def _check(hparam_dict, metric_dict, domains):
    for name, given in (("hparam_dict", hparam_dict), ("metric_dict", metric_dict)):
        if not isinstance(given, dict):
            text = f"parameter: {name} should be a dictionary, nothing logged."
            logger.warning(text)
            raise TypeError(text)
    if not isinstance(domains, dict):
        raise TypeError("parameter: hparam_domain_discrete should be a dictionary, nothing logged.")
    for name, values in domains.items():
        if (
            name not in hparam_dict
            or not isinstance(values, list)
            or not all(isinstance(value, type(hparam_dict[name])) for value in values)
        ):
            raise TypeError(
                f"parameter: hparam_domain_discrete[{name}] should be a list of same type as "
                f"hparam_dict[{name}]."
            )


def _described(value):
    """Return the message field for a value, the name of its type, and the converted value."""
    for kind, field, name in _KINDS:
        if isinstance(value, kind):
            return field, name, value
    if isinstance(value, Tensor):
        return "number_value", "FLOAT64", make_np(value)[0]
    raise ValueError("value should be one of int, float, str, bool, or torch.Tensor")


def _domain(field, values):
    from google.protobuf import struct_pb2

    if values is None:
        return None
    return struct_pb2.ListValue(values=[struct_pb2.Value(**{field: value}) for value in values])
