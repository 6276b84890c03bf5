"""The figure of the decision boundary."""

import numpy as np


def draw_boundary(figure, names, output):
    torch, model, x, y = (names[name] for name in ("torch", "model", "x", "y"))
    axes = figure.subplots()
    across, up = np.meshgrid(np.linspace(-1.6, 2.6, 150), np.linspace(-1.1, 1.6, 100))
    grid = torch.tensor(np.stack([across.ravel(), up.ravel()], axis=1), dtype=torch.float32)
    with torch.no_grad():
        chances = model(grid)[:, 0].sigmoid().numpy().reshape(across.shape)
    shown = axes.contourf(
        across, up, chances, levels=np.linspace(0, 1, 11), cmap="coolwarm", alpha=0.6
    )
    axes.contour(
        across, up, chances, levels=[0.5], colors=axes.xaxis.label.get_color(), linewidths=2
    )
    for value, colour, marker in ((0, "#2456c8", "o"), (1, "#b3242c", "^")):
        of_class = x[y == value].numpy()
        axes.scatter(*of_class.T, s=18, c=colour, marker=marker, edgecolors="white", linewidths=0.6)
    axes.set(xlabel="$x_1$", ylabel="$x_2$")
    bar = figure.colorbar(shown, ax=axes, ticks=[0, 0.5, 1])
    bar.set_label("probability of a triangle")
