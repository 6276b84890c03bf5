"""Summaries of meshes: vertices, faces and colours in three dimensions."""

import json

from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto

from minitorch.autograd.functions.from_data import as_tensor


def mesh(tag, vertices, colors, faces, config_dict, display_name=None, description=None):
    """Return a summary with a value for each given tensor of shape (batch, n, 3)."""
    from tensorboard.plugins.mesh import metadata
    from tensorboard.plugins.mesh.plugin_data_pb2 import MeshPluginData

    config = "{}" if config_dict is None else json.dumps(config_dict, sort_keys=True)
    kinds = (
        (vertices, MeshPluginData.VERTEX),
        (faces, MeshPluginData.FACE),
        (colors, MeshPluginData.COLOR),
    )
    given = [(tensor, kind) for tensor, kind in kinds if tensor is not None]
    components = metadata.get_components_bitmask([kind for _, kind in given])
    values = []
    for tensor, kind in given:
        tensor = as_tensor(tensor)
        about = metadata.create_summary_metadata(
            tag, display_name, kind, components, tensor.shape, description, json_config=config
        )
        sizes = [TensorShapeProto.Dim(size=tensor.shape[i]) for i in range(3)]
        message = TensorProto(
            dtype="DT_FLOAT",
            float_val=tensor.reshape(-1).tolist(),
            tensor_shape=TensorShapeProto(dim=sizes),
        )
        name = metadata.get_instance_name(tag, kind)
        values.append(Summary.Value(tag=name, tensor=message, metadata=about))
    return Summary(value=values)
