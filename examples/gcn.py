"""A graph convolutional network (Kipf and Welling 2017) finds groups from a few labelled nodes."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.kernel = nn.Parameter(torch.empty(inputs, outputs))
        self.bias = nn.Parameter(torch.zeros(outputs))
        nn.init.xavier_normal_(self.kernel)

    def forward(self, features, adjacency):
        return adjacency @ (features @ self.kernel) + self.bias


class GCN(nn.Module):
    def __init__(self, inputs, hidden, groups):
        super().__init__()
        self.gc1 = GraphConv(inputs, hidden)
        self.gc2 = GraphConv(hidden, groups)
        self.dropout = nn.Dropout(0.5)

    def forward(self, features, adjacency):
        hidden = self.dropout(F.relu(self.gc1(features, adjacency)))
        return F.log_softmax(self.gc2(hidden, adjacency), dim=1)


def graph(nodes, groups, inside=0.2, between=0.02):
    """A random graph with more edges inside the groups, normalised, and noisy features."""
    labels = torch.arange(nodes) % groups
    same = labels[:, None] == labels[None, :]
    chance = torch.where(same, torch.tensor(inside), torch.tensor(between))
    edges = torch.triu(torch.bernoulli(chance), diagonal=1)
    adjacency = edges + edges.T + torch.eye(nodes)
    scale = adjacency.sum(dim=1).rsqrt()
    adjacency = scale[:, None] * adjacency * scale[None, :]
    features = F.one_hot(labels, groups).float().repeat(1, 4) + 1.5 * torch.randn(nodes, 4 * groups)
    return features, adjacency, labels


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=200)
    args = parser.parse_args()

    torch.manual_seed(42)
    features, adjacency, labels = graph(args.nodes, groups=4)
    order = torch.randperm(args.nodes)
    known, unknown = order[: args.nodes // 5], order[args.nodes // 5 :]
    model = GCN(features.shape[1], 16, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    for epoch in range(1, args.epochs + 1):
        model.train()
        optimizer.zero_grad()
        loss = F.nll_loss(model(features, adjacency)[known], labels[known])
        loss.backward()
        optimizer.step()
        if epoch % max(1, args.epochs // 5) == 0:
            model.eval()
            with torch.no_grad():
                output = model(features, adjacency)[unknown]
                right = (output.argmax(dim=1) == labels[unknown]).float().mean()
            print(f"epoch {epoch}: loss {loss.item():.5f} accuracy {right.item():.4f}")


if __name__ == "__main__":
    main()
