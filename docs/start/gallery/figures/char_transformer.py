"""The loss of the character transformer, and how often each letter follows another in its text."""

import re


def draw_loss(figure, names, output):
    steps = re.findall(r"step (\d+): loss ([\d.]+) gradient ([\d.]+)", output)
    steps = [tuple(map(float, step)) for step in steps]
    axes = figure.subplots()
    axes.plot([step for step, _, _ in steps], [loss for _, loss, _ in steps], "o-", label="loss")
    axes.plot(
        [step for step, _, _ in steps], [norm for _, _, norm in steps], "s--", label="gradient"
    )
    axes.set(xlabel="step", ylim=0)
    axes.legend()
