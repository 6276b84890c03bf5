"""timm: models of many families at small sizes, their gradients, pieces of training."""

import torch

try:
    import torchvision  # noqa: F401
except ImportError:
    pass
except RuntimeError:
    # a torchvision compiled for another library wants the names of two of its operators
    for name in ("nms", "qnms"):
        torch.library.define(f"torchvision::{name}", "(Tensor a, Tensor b, float c) -> Tensor")
import timm
import timm.loss
import timm.optim
import timm.scheduler
import timm.utils

MODELS = (
    "resnet18 seresnet18 densenet121 mobilenetv3_small_100 efficientnet_b0 regnetx_002"
    " convnext_atto vit_tiny_patch16_224 swin_tiny_patch4_window7_224 mixer_s32_224 poolformer_s12"
    " mobilevit_xxs ghostnet_100 nfnet_l0 repvgg_a0 efficientvit_b0 xcit_nano_12_p16_224"
    " eva02_tiny_patch14_224"
)
SIZED = ("vit_tiny_patch16_224", "mixer_s32_224", "eva02_tiny_patch14_224")
for name in MODELS.split():
    torch.manual_seed(0)
    size = 56 if "eva02" in name else 224 if "swin" in name else 64
    options = {"img_size": size} if name in SIZED else {}
    model = timm.create_model(name, num_classes=5, **options).eval()
    output = model(torch.randn(1, 3, size, size))
    output.square().sum().backward()
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    mean = sum(g.abs().mean() for g in gradients) / len(gradients)
    print(name, len(gradients), *(round(value, 3) for value in output[0].tolist()))
    print(round(float(mean / output.detach().abs().mean()), 2))

torch.manual_seed(0)
model = timm.create_model("test_resnet", num_classes=5)
optimizer = timm.optim.create_optimizer_v2(model, "adamw", lr=0.01, weight_decay=0.05)
scheduler, epochs = timm.scheduler.create_scheduler_v2(optimizer, "cosine", num_epochs=5)
average = timm.utils.ModelEmaV3(model, decay=0.9)
loss_of = timm.loss.LabelSmoothingCrossEntropy(0.1)
x, y = torch.randn(4, 3, 32, 32), torch.tensor([0, 1, 2, 4])
for epoch in range(3):
    optimizer.zero_grad()
    loss = loss_of(model(x), y)
    loss.backward()
    optimizer.step()
    scheduler.step(epoch + 1)
    average.update(model)
    print(epoch, round(float(loss), 2), round(optimizer.param_groups[0]["lr"], 5))
