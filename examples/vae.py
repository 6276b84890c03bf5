"""A variational autoencoder of digits: the reparametrisation trick, and two terms of a loss."""

import argparse

import torch
import torch.nn.functional as F
from mnist_cnn import digits
from torch import nn


class VAE(nn.Module):
    def __init__(self, pixels=64, hidden=64, latent=8):
        super().__init__()
        self.fc1 = nn.Linear(pixels, hidden)
        self.fc21 = nn.Linear(hidden, latent)
        self.fc22 = nn.Linear(hidden, latent)
        self.fc3 = nn.Linear(latent, hidden)
        self.fc4 = nn.Linear(hidden, pixels)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return self.fc21(h), self.fc22(h)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + torch.randn_like(std) * std

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x)
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(reconstruction, x, mu, logvar):
    likelihood = F.binary_cross_entropy(reconstruction, x, reduction="sum")
    divergence = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return likelihood, divergence


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--images", type=int, default=1024)
    args = parser.parse_args()

    torch.manual_seed(1)
    images = digits()[0][: args.images].flatten(1)
    model = VAE()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(1, args.epochs + 1):
        sums = [0.0, 0.0]
        for batch in images[torch.randperm(len(images))].split(64):
            optimizer.zero_grad()
            reconstruction, mu, logvar = model(batch)
            terms = loss_function(reconstruction, batch, mu, logvar)
            sum(terms).backward()
            optimizer.step()
            sums = [total + term.item() for total, term in zip(sums, terms, strict=True)]
        likelihood, divergence = (total / len(images) for total in sums)
        print(f"epoch {epoch}: likelihood {likelihood:.4f} divergence {divergence:.4f}")
    with torch.no_grad():
        sample = model.decode(torch.randn(4, 8))
    print("ink of four samples:", " ".join(f"{ink:.4f}" for ink in sample.sum(dim=1).tolist()))


if __name__ == "__main__":
    main()
