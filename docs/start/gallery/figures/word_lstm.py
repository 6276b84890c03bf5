"""The perplexity: among how many words the network hesitates."""

import re


def draw_perplexity(figure, names, output):
    found = re.findall(r"epoch (\d+): .* perplexity ([\d.]+)", output)
    epochs, values = (list(map(float, column)) for column in zip(*found, strict=True))
    axes = figure.subplots()
    axes.plot(epochs, values, "o-", markersize=4)
    axes.axhline(len(names["vocabulary"]), color="C1", linestyle="--")
    axes.text(
        epochs[-1], len(names["vocabulary"]), "guessing ", color="C1", ha="right", va="bottom"
    )
    axes.set(xlabel="epoch", ylabel="perplexity", ylim=0)
