"""Images that the generator makes, beside images of the data set."""


def draw_images(figure, names, output):
    torch, images = names["torch"], names["images"]
    generator = names["generator"]
    generator.eval()
    torch.manual_seed(0)
    with torch.no_grad():
        made = generator(torch.randn(16, 16, 1, 1))
    left, right = figure.subfigures(1, 2)
    for half, title, shown in ((left, "of the data set", images[:16]), (right, "generated", made)):
        half.suptitle(title)
        for axes, image in zip(half.subplots(4, 4).flat, shown, strict=True):
            axes.imshow(image[0].numpy(), cmap="gray", vmin=-1, vmax=1)
            axes.set_axis_off()
