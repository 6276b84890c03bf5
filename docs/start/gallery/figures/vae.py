"""Digits, their reconstructions, and what the decoder makes of random codes."""


def draw_digits(figure, names, output):
    torch, model, images = names["torch"], names["model"], names["images"]
    torch.manual_seed(3)
    with torch.no_grad():
        rebuilt = model(images[:8])[0]
        sampled = model.decode(torch.randn(8, 8))
    rows = (("digits", images[:8]), ("rebuilt", rebuilt), ("sampled", sampled))
    for line, (title, shown) in zip(figure.subplots(3, 8), rows, strict=True):
        for axes, image in zip(line, shown, strict=True):
            axes.imshow(image.view(8, 8).numpy(), cmap="gray", vmin=0, vmax=1)
            axes.set(xticks=[], yticks=[])
        line[0].set_ylabel(title)
