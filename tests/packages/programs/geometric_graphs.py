"""torch_geometric: sixteen convolutions with gradients, pooling, batches, a network that learns."""

import torch
import torch_geometric.nn as gnn
from torch import nn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.utils import get_laplacian, softmax, to_dense_adj, to_undirected

EDGES = torch.tensor([[0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 5, 1], [1, 0, 2, 1, 3, 2, 4, 3, 0, 4, 1, 5]])
CONVOLUTIONS = [
    "GCNConv", "SAGEConv", "GATConv", "GATv2Conv", "TransformerConv", "GraphConv", "TAGConv", "ARMAConv",
    "SGConv", "LEConv", "ClusterGCNConv", "GENConv", "FeaStConv", "SuperGATConv", "MFConv",
    "ResGatedGraphConv",
]  # fmt: skip


def some(x):
    return [round(v, 4) for v in x.detach().flatten()[:4].tolist()]


torch.manual_seed(0)
x, y = torch.randn(6, 8), torch.tensor([0, 1, 0, 1, 0, 1])
for name in CONVOLUTIONS:
    torch.manual_seed(0)
    before, convolution = nn.Linear(8, 8), getattr(gnn, name)(8, 4)
    out = convolution(before(x), EDGES)
    out.square().sum().backward()
    print(name, some(out), some(before.weight.grad))

torch.manual_seed(0)
model = gnn.GCN(8, 16, 2, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for _ in range(20):
    loss = nn.functional.cross_entropy(model(x, EDGES), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss", round(loss.item(), 4))

graphs = [Data(x=torch.randn(n, 8), edge_index=EDGES[:, :8]) for n in range(5, 9)]
for batch in DataLoader(graphs, batch_size=2):
    hidden = model(batch.x, batch.edge_index)
    pooled = gnn.global_mean_pool(hidden, batch.batch), gnn.global_max_pool(hidden, batch.batch)
    print(batch, *map(some, pooled))
print(
    to_undirected(EDGES).shape, some(to_dense_adj(EDGES)), some(softmax(torch.ones(12), EDGES[0]))
)
print(some(get_laplacian(EDGES, normalization="sym")[1]), some(gnn.TopKPooling(8)(x, EDGES)[0]))
