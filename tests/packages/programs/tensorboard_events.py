import os
import tempfile

import numpy as np
import torch
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from torch.utils.tensorboard import SummaryWriter

torch.manual_seed(0)


def refused(call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except Exception as error:
        print(type(error).__name__, error)


folder = tempfile.mkdtemp()
with SummaryWriter(folder, purge_step=2) as writer:
    for step in range(3):
        writer.add_scalar("loss", torch.tensor(0.5 * step, requires_grad=True), step, walltime=1)
    writer.add_scalar("new", np.float32(3), np.int64(4), 1, new_style=True, double_precision=True)
    writer.add_scalars("run/x", {"sine": 1.0, "cosine": torch.tensor(2)}, 5, walltime=1)
    writer.add_histogram("weights", torch.randn(1000), 1, walltime=1)
    writer.add_histogram("few", torch.arange(7.0), bins=5, max_bins=2, walltime=1)
    writer.add_histogram_raw("raw", 0, 3, 5, 7, 9, [1, 2, 3], [1, 2, 2], walltime=1)
    writer.add_image("picture", torch.rand(3, 8, 9), 1, walltime=1)
    writer.add_image("bytes", torch.randint(0, 255, (8, 9)).byte(), 1, 1, dataformats="HW")
    writer.add_images("pictures", torch.rand(11, 1, 5, 4), walltime=1)
    boxes = torch.tensor([[1, 2, 10, 12], [3, 4, 20, 30]])
    writer.add_image_with_boxes(
        "boxes", torch.rand(3, 32, 32), boxes, labels=["a", "b"], walltime=1
    )
    writer.add_audio("sound", torch.sin(torch.arange(100.0)), 1, walltime=1)
    writer.add_text("text", "so *much*", 0, walltime=1)
    writer.add_pr_curve("curve", torch.randint(0, 2, (100,)), torch.rand(100), 0, walltime=1)
    writer.add_custom_scalars(
        {"all": {"a": ["Multiline", ["x", "y"]], "b": ["Margin", list("xyz")]}}
    )
    writer.add_mesh("mesh", torch.rand(1, 4, 3), faces=torch.randint(0, 4, (1, 2, 3)), walltime=1)
    for dtype in (torch.bfloat16, torch.int64, torch.complex64, torch.bool):
        writer.add_tensor(str(dtype), torch.tensor([[1, 0], [2, 3]]).to(dtype), 1, 1)
    writer.add_embedding(torch.randn(4, 3), list("abcd"), torch.rand(4, 3, 5, 5), 1, "a/b")
    writer.add_hparams({"rate": 0.1}, {"score": 10}, {"rate": [0.1, 0.2]}, run_name="one")
    refused(writer.add_scalar, "two", torch.ones(2))
    refused(writer.add_image, "flat", torch.ones(2, 2))
    refused(writer.add_histogram, "none", torch.ones(0))
    refused(writer.add_histogram, "list", [1, 2])
    refused(writer.add_embedding, torch.ones(3, 2), ["a"])
    refused(writer.add_hparams, {"list": [1]}, {})
    model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
    refused(writer.add_graph, model, torch.ones(1, 4))
writer.add_scalar("opened again", 1, walltime=1)
writer.close()

for path, _, names in sorted(os.walk(folder)):
    for name in sorted(names):
        file = os.path.join(path, name)
        if "tfevents" not in name:
            with open(file, "rb") as content:
                print(os.path.relpath(file, folder), len(content.read()))
            continue
        for event in EventFileLoader(file).Load():
            event.wall_time = 0
            event.ClearField("source_metadata")
            print(os.path.relpath(path, folder), event)
