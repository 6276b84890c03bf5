"""A new sine, fitted from ten points by a few gradient steps from the learned weights."""


def draw_adaptation(figure, names, output):
    torch = names["torch"]
    network = names["network"]
    torch.manual_seed(12)
    draw = names["task"]()
    x, y = draw(10)
    line = torch.linspace(-5, 5, 200)[:, None]
    truth_x, truth_y = draw(400)
    order = truth_x[:, 0].argsort()
    axes = figure.subplots()
    axes.plot(truth_x[order].numpy(), truth_y[order].numpy(), color="C2", label="sine")
    axes.plot(x.numpy(), y.numpy(), "o", color="C2", label="ten points")
    for steps, style in ((0, ":"), (2, "--"), (10, "-")):
        adapted = names["adapt"](names["parameters"], x, y, steps)
        label = f"{steps} steps"
        axes.plot(
            line.numpy(), network(line, adapted).detach().numpy(), style, color="C0", label=label
        )
    axes.set(xlabel="$x$")
    figure.legend(loc="outside right center")
