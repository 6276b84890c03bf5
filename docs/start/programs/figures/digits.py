"""Figures of the page that trains a network on the digits."""

import numpy as np


def draw_curves(figure, names, output):
    losses, accuracies = names["losses"], names["accuracies"]
    batches = len(losses) // len(accuracies)
    epochs = np.arange(1, len(losses) + 1) / batches
    left, right = figure.subplots(1, 2)
    left.plot(epochs, losses, linewidth=0.6, alpha=0.5)
    smooth = np.convolve(losses, np.ones(batches) / batches, mode="valid")
    left.plot(epochs[batches - 1 :], smooth, color="C0", linewidth=2)
    left.set(title="loss of a batch", xlabel="epoch", yscale="log")
    right.plot(np.arange(1, len(accuracies) + 1), np.array(accuracies) * 100, "o-", color="C2")
    right.axhline(98, color="C1", linewidth=1, linestyle="--")
    right.set(title="test accuracy in %", xlabel="epoch")


def draw_mistakes(figure, names, output):
    torch, model = names["torch"], names["model"]
    images, labels = next(iter(names["test_batches"]))
    model.eval()
    with torch.no_grad():
        chances = model(images).softmax(dim=1)
    guesses = chances.argmax(dim=1)
    # the images whose own label got the smallest probability
    hardest = chances[torch.arange(len(labels)), labels].argsort()[:8].tolist()
    for axes, index in zip(figure.subplots(2, 4).flat, hardest, strict=True):
        axes.imshow(images[index, 0].numpy(), cmap="gray")
        guess, label = guesses[index].item(), labels[index].item()
        axes.set_title(f"{label}, read as {guess}", color="C0" if guess == label else "C1")
        axes.set_axis_off()
