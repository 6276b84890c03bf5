"""The edges of the graph, before and after its nodes are sorted by the predicted group."""


def draw_edges(figure, names, output):
    torch, model = names["torch"], names["model"]
    features, adjacency = names["features"], names["adjacency"]
    model.eval()
    with torch.no_grad():
        group = model(features, adjacency).argmax(dim=1)
    order = group.argsort()
    ink = figure.text(0, 0, "").get_color()
    left, right = figure.subplots(1, 2)
    for axes, title, matrix in (
        (left, "as given", adjacency),
        (right, "sorted by predicted group", adjacency[order][:, order]),
    ):
        rows, columns = torch.nonzero(matrix, as_tuple=True)
        axes.scatter(columns.numpy(), rows.numpy(), s=0.7, c=ink, linewidths=0, rasterized=True)
        axes.set(
            title=title,
            xticks=[],
            yticks=[],
            aspect="equal",
            xlim=(0, len(matrix)),
            ylim=(len(matrix), 0),
        )
