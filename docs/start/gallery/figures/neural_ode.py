"""The spiral, and the path that the learned field takes from the same start."""


def draw_paths(figure, names, output):
    torch, field, truth, h = (names[name] for name in ("torch", "field", "truth", "h"))
    states = [truth[:1]]
    with torch.no_grad():
        for step in range(len(truth) - 1):
            states.append(names["rk4"](field, states[-1], step * h, h))
    path = torch.cat(states)
    axes = figure.subplots()
    axes.plot(*truth.T.numpy(), color="C2", label="truth")
    axes.plot(*path.T.numpy(), "--", color="C1", label="learned")
    axes.plot(*truth[0].numpy(), "o", color="C2", label="start")
    axes.set(xlabel="$y_1$", ylabel="$y_2$", aspect="equal")
    figure.legend(loc="outside right center")
