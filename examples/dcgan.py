"""Steps of a DCGAN: two networks with opposite aims, transposed convolutions, batch norms."""

import argparse

import torch
from mnist_cnn import digits
from torch import nn


def weights_init(module):
    name = module.__class__.__name__
    if name.find("Conv") != -1:
        torch.nn.init.normal_(module.weight, 0.0, 0.02)
    elif name.find("BatchNorm") != -1:
        torch.nn.init.normal_(module.weight, 1.0, 0.02)
        torch.nn.init.zeros_(module.bias)


class Generator(nn.Module):
    def __init__(self, noise=16, width=8):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(noise, width * 4, 2, 1, 0, bias=False),
            nn.BatchNorm2d(width * 4),
            nn.ReLU(True),
            nn.ConvTranspose2d(width * 4, width * 2, 4, 2, 1, bias=False),
            nn.BatchNorm2d(width * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(width * 2, 1, 4, 2, 1, bias=False),
            nn.Tanh(),
        )

    def forward(self, x):
        return self.main(x)


class Discriminator(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, width, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(width, width * 2, 4, 2, 1, bias=False),
            nn.BatchNorm2d(width * 2),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(width * 2, 1, 2, 1, 0, bias=False),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.main(x).view(-1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=24)
    args = parser.parse_args()

    torch.manual_seed(999)
    images = digits()[0] * 2 - 1
    generator, discriminator = Generator(), Discriminator()
    generator.apply(weights_init)
    discriminator.apply(weights_init)
    criterion = nn.BCELoss()
    optimizer_d = torch.optim.Adam(discriminator.parameters(), lr=2e-3, betas=(0.5, 0.999))
    optimizer_g = torch.optim.Adam(generator.parameters(), lr=2e-3, betas=(0.5, 0.999))
    batch = 32
    real_label, fake_label = torch.ones(batch), torch.zeros(batch)
    for step in range(args.steps):
        real = images[torch.randint(len(images), (batch,))]
        discriminator.zero_grad()
        loss_real = criterion(discriminator(real), real_label)
        loss_real.backward()
        fake = generator(torch.randn(batch, 16, 1, 1))
        loss_fake = criterion(discriminator(fake.detach()), fake_label)
        loss_fake.backward()
        optimizer_d.step()

        generator.zero_grad()
        loss_g = criterion(discriminator(fake), real_label)
        loss_g.backward()
        optimizer_g.step()
        if step % max(1, args.steps // 6) == 0:
            loss_d = (loss_real + loss_fake).item()
            print(f"step {step}: discriminator {loss_d:.5f} generator {loss_g.item():.5f}")


if __name__ == "__main__":
    main()
