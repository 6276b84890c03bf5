"""skorch: a classifier with the interface of scikit-learn."""

import torch
from torch import nn


def show(*values):
    print(*(round(float(value), 4) for value in values))


import numpy as np
from skorch import NeuralNetClassifier

torch.manual_seed(0)
X = np.random.RandomState(0).randn(60, 4).astype("float32")
y = (X[:, 0] > 0).astype("int64")


class M(nn.Module):
    def __init__(s, h=5):
        super().__init__()
        s.a = nn.Linear(4, h)
        s.b = nn.Linear(h, 2)

    def forward(s, x):
        return torch.softmax(s.b(torch.relu(s.a(x))), -1)


n = NeuralNetClassifier(M, max_epochs=3, lr=0.1, verbose=0, iterator_train__shuffle=False)
n.fit(X, y)
show(*n.history[:, "train_loss"], *n.history[:, "valid_loss"], *n.predict_proba(X[:2]).ravel())
