"""diffusers: a small U-Net learns to take noise away; six samplers; an autoencoder."""

import diffusers
import torch
from torch.nn import functional as F

BLOCKS = {"block_out_channels": (8, 16), "norm_num_groups": 4}
SAMPLERS = [
    diffusers.DDPMScheduler,
    diffusers.DDIMScheduler,
    diffusers.EulerDiscreteScheduler,
    diffusers.PNDMScheduler,
    diffusers.DPMSolverMultistepScheduler,
    diffusers.FlowMatchEulerDiscreteScheduler,
]


def some(x):
    return [round(v, 4) for v in x.detach().flatten()[:4].tolist()]


torch.manual_seed(0)
unet = diffusers.UNet2DModel(
    sample_size=16,
    layers_per_block=1,
    down_block_types=("DownBlock2D", "AttnDownBlock2D"),
    up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    attention_head_dim=4,
    **BLOCKS,
)
schedule = diffusers.DDPMScheduler(num_train_timesteps=50)
optimizer = torch.optim.AdamW(unet.parameters(), lr=1e-3)
pictures = torch.randn(2, 3, 16, 16)
for _ in range(3):
    noise, times = torch.randn_like(pictures), torch.randint(0, 50, (2,))
    loss = F.mse_loss(unet(schedule.add_noise(pictures, noise, times), times).sample, noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("loss", round(loss.item(), 5))

for sampler in SAMPLERS:
    torch.manual_seed(0)
    schedule = sampler()
    schedule.set_timesteps(5)
    x = torch.randn(1, 3, 4, 4)
    for time in schedule.timesteps:
        x = schedule.step(x * 0.1, time, x).prev_sample
    print(sampler.__name__, some(x))

torch.manual_seed(0)
coder = diffusers.AutoencoderKL(
    down_block_types=("DownEncoderBlock2D",) * 2,
    up_block_types=("UpDecoderBlock2D",) * 2,
    latent_channels=2,
    **BLOCKS,
)
latent = coder.encode(pictures).latent_dist
decoded = coder.decode(latent.sample()).sample
(F.mse_loss(decoded, pictures) + 1e-3 * latent.kl().sum()).backward()
print("decoded", some(decoded), some(coder.quant_conv.weight.grad))
