"""How long the pole stays up."""

import re


def draw_lengths(figure, names, output):
    found = re.findall(r"episode (\d+): length (\d+) mean ([\d.]+)", output)
    episodes, lengths, means = (list(map(float, column)) for column in zip(*found, strict=True))
    axes = figure.subplots()
    axes.bar(episodes, lengths, width=episodes[0] / 2, alpha=0.4, label="this episode")
    axes.plot(episodes, means, "o-", color="C1", label="running mean")
    axes.set(xlabel="episode", ylabel="steps until the pole fell")
    axes.legend()
