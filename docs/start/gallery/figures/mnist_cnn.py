"""How often each digit of the test images was read as which."""


def draw_confusion(figure, names, output):
    torch, model, split = names["torch"], names["model"], names["split"]
    images, labels = names["images"][split:], names["labels"][split:]
    model.eval()
    with torch.no_grad():
        guesses = model(images).argmax(dim=1)
    counts = torch.bincount(labels * 10 + guesses, minlength=100).view(10, 10).numpy()
    axes = figure.subplots()
    axes.imshow(counts, cmap="Blues", vmax=40)
    for row in range(10):
        for column in range(10):
            if count := counts[row, column]:
                colour = "white" if count > 20 else "#24292f"
                axes.text(column, row, count, ha="center", va="center", color=colour, fontsize=7.5)
    axes.set(xlabel="read as", ylabel="digit", xticks=range(10), yticks=range(10))
