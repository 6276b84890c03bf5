"""Train a classifier on scikit-learn's handwritten digits, then show one backward() step by step.

The network and the optimizer use only tensors and ``nn.functional``, so that this file shows
everything between the images and the printed accuracy.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import minitorch as torch

# the packages that the demo needs besides minitorch: module -> name to install
EXTRAS = {"sklearn": "scikit-learn", "tqdm": "tqdm", "matplotlib": "matplotlib"}

BATCH = 32
LEARNING_RATE = 0.1
MOMENTUM = 0.9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--epochs", type=int, default=12, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="default: %(default)s")
    parser.add_argument(
        "--model",
        choices=list(NETWORKS),
        default="cnn",
        help="a small convolutional network or a perceptron; default: %(default)s",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("minitorch-demo.png"),
        metavar="FILE",
        help="where the picture goes; default: %(default)s",
    )


def lacks(modules: Iterable[str]) -> bool:
    """Return whether one of `modules` is missing; if so, print how to install it."""
    missing = [EXTRAS[module] for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        print(
            f"The demo needs {', '.join(missing)}. In the checkout, this installs it:\n"
            '    pip install ".[demo]"',
            file=sys.stderr,
        )
    return bool(missing)


def main(options: argparse.Namespace) -> int:
    if lacks(EXTRAS):
        return 1

    torch.manual_seed(options.seed)
    digits = load(options.seed)
    network = NETWORKS[options.model]()
    print(f"{len(digits.train_labels)} images to learn from, {len(digits.test_labels)} held out")
    history = train(network, digits, options.epochs)
    draw(network, digits, history, options.output)
    print(f"held-out accuracy {history[-1].accuracy:.1%}; picture in {options.output}\n")
    show_backward()
    return 0


# -- the data ------------------------------------------------------------------------------------


class Digits(NamedTuple):
    """Images of shape (n, 1, 8, 8) with values from 0 to 1, and their labels."""

    train_images: Any
    train_labels: Any
    test_images: Any
    test_labels: Any


def load(seed: int) -> Digits:
    """Load the 1,797 images and split them 4 to 1, stratified by digit."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    data = load_digits()
    images = (data.images / 16).astype("float32")[:, None]
    train_images, test_images, train_labels, test_labels = train_test_split(
        images, data.target, test_size=0.2, stratify=data.target, random_state=seed
    )
    return Digits(
        torch.from_numpy(train_images),
        torch.from_numpy(train_labels.astype("int64")),
        torch.from_numpy(test_images),
        torch.from_numpy(test_labels.astype("int64")),
    )


# -- the networks --------------------------------------------------------------------------------


def weights(*shape: int) -> Any:
    """Draw normal numbers with the variance that preserves a signal's size through a ReLU."""
    scale = math.sqrt(2 / math.prod(shape[1:]))
    return (torch.randn(*shape) * scale).requires_grad_()


def zeros(size: int) -> Any:
    return torch.zeros(size, requires_grad=True)


class ConvolutionalNetwork:
    """Two convolutions, a max pool, dropout and a linear layer."""

    def __init__(self) -> None:
        self.conv1 = weights(16, 1, 3, 3), zeros(16)
        self.conv2 = weights(32, 16, 3, 3), zeros(32)
        self.linear = weights(10, 32 * 4 * 4), zeros(10)
        self.parameters = [*self.conv1, *self.conv2, *self.linear]

    def __call__(self, images: Any, training: bool = False) -> Any:
        functional = torch.nn.functional
        x = functional.relu(functional.conv2d(images, *self.conv1, padding=1))
        x = functional.relu(functional.conv2d(x, *self.conv2, padding=1))
        x = functional.dropout(functional.max_pool2d(x, 2), 0.25, training)
        return functional.linear(x.flatten(1), *self.linear)


class Perceptron:
    """Three linear layers."""

    def __init__(self) -> None:
        self.layers = [
            (weights(128, 64), zeros(128)),
            (weights(128, 128), zeros(128)),
            (weights(10, 128), zeros(10)),
        ]
        self.parameters = [parameter for layer in self.layers for parameter in layer]

    def __call__(self, images: Any, training: bool = False) -> Any:
        functional = torch.nn.functional
        x = images.flatten(1)
        for layer in self.layers[:-1]:
            x = functional.relu(functional.linear(x, *layer))
        return functional.linear(x, *self.layers[-1])


NETWORKS = {"cnn": ConvolutionalNetwork, "mlp": Perceptron}


# -- training ------------------------------------------------------------------------------------


class Epoch(NamedTuple):
    """The mean training loss of an epoch, and the accuracy on held-out images after it."""

    loss: float
    accuracy: float


def train(network: Any, digits: Digits, epochs: int) -> list[Epoch]:
    """Train by gradient descent with momentum and a linearly decreasing learning rate."""
    from tqdm import tqdm

    parameters = network.parameters
    velocities = [torch.zeros_like(parameter) for parameter in parameters]
    size = len(digits.train_labels)
    steps = epochs * math.ceil(size / BATCH)
    history = []
    with tqdm(total=steps, unit="step") as bar:
        for epoch in range(1, epochs + 1):
            total = 0.0
            for images, labels in batches(digits):
                for parameter in parameters:
                    parameter.grad = None
                loss = torch.nn.functional.cross_entropy(network(images, training=True), labels)
                loss.backward()
                with torch.no_grad():
                    rate = LEARNING_RATE * (1 - bar.n / steps)
                    for parameter, velocity in zip(parameters, velocities, strict=True):
                        velocity.mul_(MOMENTUM).add_(parameter.grad)
                        parameter.add_(velocity, alpha=-rate)
                total += loss.item() * len(labels)
                bar.update()
            history.append(Epoch(total / size, accuracy(network, digits)))
            bar.write(
                f"epoch {epoch:2}/{epochs}  loss {history[-1].loss:.4f}  "
                f"held-out accuracy {history[-1].accuracy:.1%}"
            )
    return history


def batches(digits: Digits) -> Iterator[tuple[Any, Any]]:
    """Yield all training images and labels once, in batches of random order."""
    order = torch.randperm(len(digits.train_labels))
    for start in range(0, len(order), BATCH):
        chosen = order[start : start + BATCH]
        yield digits.train_images[chosen], digits.train_labels[chosen]


def accuracy(network: Any, digits: Digits) -> float:
    with torch.no_grad():
        right = network(digits.test_images).argmax(1) == digits.test_labels
    return right.sum().item() / len(digits.test_labels)


def draw(network: Any, digits: Digits, history: list[Epoch], path: Path) -> None:
    """Save a picture of the loss curve and some predictions, the wrong ones first."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with torch.no_grad():
        predictions = network(digits.test_images).argmax(1).tolist()
    truth = digits.test_labels.tolist()
    wrong_first = sorted(range(len(truth)), key=lambda i: predictions[i] == truth[i])

    figure = Figure(figsize=(9, 4), layout="constrained")
    FigureCanvasAgg(figure)
    halves: Any = figure.subfigures(1, 2)
    left, right = halves
    axes = left.subplots()
    numbers = range(1, len(history) + 1)
    axes.semilogy(numbers, [epoch.loss for epoch in history], "o-")
    axes.set(xlabel="epoch", ylabel="mean loss")
    axes.set_title(f"{history[-1].accuracy:.1%} of the held-out images are right")
    right.suptitle("predictions on held-out images, the wrong ones first")
    for axes, i in zip(right.subplots(3, 5).flat, wrong_first, strict=False):
        axes.imshow(digits.test_images[i, 0].numpy(), cmap="gray_r")
        axes.set_axis_off()
        is_right = predictions[i] == truth[i]
        axes.set_title(
            str(predictions[i]) if is_right else f"{predictions[i]}, is {truth[i]}",
            color="black" if is_right else "tab:red",
            fontsize=9,
        )
    figure.savefig(path, dpi=120)


# -- one backward, step by step ------------------------------------------------------------------


def show_backward() -> None:
    """Print what the engine does during one backward() of a small expression."""
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(3.0, requires_grad=True)
    loss = (a * b + a) ** 2
    print(f"One backward(): loss = (a * b + a) ** 2 = {loss.item():g}, with a = 2 and b = 3\n")

    # the list keeps the AccumulateGrad nodes and their hooks alive; otherwise only the graph holds
    # them
    nodes = graph_of(loss.grad_fn)
    names = name_nodes(nodes, {"a": a, "b": b})

    print("The forward pass made these nodes, the last one first, and linked each to its inputs':")
    for node in nodes:
        if node.next_functions:
            targets = ", ".join(names[target] for target, _ in node.next_functions)
            print(f"  {names[node]:<18} number {node._sequence_nr():<6} -> {targets}")

    print("\nThe engine runs what is ready, the highest number first, and each node once:")
    ran = 0

    def report(node: Any) -> Any:
        def hook(grad_inputs: tuple[Any, ...], grad_outputs: tuple[Any, ...]) -> None:
            nonlocal ran
            ran += 1
            given = [
                f"{gradient.item():g} to {names[target]}"
                for gradient, (target, _) in zip(grad_inputs, node.next_functions, strict=True)
                if gradient is not None
            ]
            deed = "gives " + ", ".join(given) if given else "adds it to .grad"
            print(f"  {ran}. {names[node]:<18} gets {grad_outputs[0].item():<4g} {deed}")

        return hook

    handles = [node.register_hook(report(node)) for node in nodes]
    loss.backward()
    for handle in handles:
        handle.remove()

    assert a.grad is not None and b.grad is not None
    print("\nWhat is in .grad now:")
    print(f"  a.grad = {a.grad.item():g}   2 (a b + a) (b + 1), which came along two ways")
    print(f"  b.grad = {b.grad.item():g}   2 (a b + a) a")


def graph_of(root: Any) -> list[Any]:
    """Return the nodes of a graph, each once, newest first."""
    found = {root: None}
    waiting = [root]
    while waiting:
        for node, _ in waiting.pop().next_functions:
            if node is not None and node not in found:
                found[node] = None
                waiting.append(node)
    return sorted(found, key=lambda node: node._sequence_nr(), reverse=True)


def name_nodes(nodes: list[Any], leaves: dict[str, Any]) -> dict[Any, str]:
    """Name each node after its class; the name of an AccumulateGrad node includes its leaf."""
    names = {}
    for node in nodes:
        names[node] = type(node).__name__
        for name, leaf in leaves.items():
            if getattr(node, "variable", None) is leaf:
                names[node] += f" of {name}"
    return names
