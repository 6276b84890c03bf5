"""All eigenvalues of the Hessian, and those that the power iteration found."""

import re


def draw_eigenvalues(figure, names, output):
    torch, hessian = names["torch"], names["hessian"]
    values = torch.linalg.eigvalsh(hessian).flip(0).numpy()
    found = [float(value) for value in re.findall(r"eigenvalue \d: (.*)", output)]
    axes = figure.subplots()
    axes.bar(range(1, len(values) + 1), values, label="from the whole matrix")
    axes.plot(range(1, len(found) + 1), found, "D", color="C1", label="by power iteration")
    axes.set(xlabel="number", ylabel="eigenvalue")
    axes.legend()
