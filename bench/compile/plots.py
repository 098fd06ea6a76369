# plots: what compiling costs against the size of a program, one small plot for each family.
from programs import FAMILIES

QUANTITIES = {"seconds": "user CPU seconds", "mebibytes": "peak memory, MiB", "code": "machine code, KiB"}
SCALES = {"code": 1 / 1024}
PER_NODE, BASE = 5.0, 4.0  # what is aimed at: milliseconds for a node, seconds for a program without any


def drawn(axes, family, data, quantity):
    for style, compiler in zip(("o-", "s--"), data["compilers"]):
        rows = [r for r in data["rows"] if (r["family"], r["compiler"]) == (family, compiler)]
        points = sorted((r["nodes"], r[quantity] * SCALES.get(quantity, 1)) for r in rows if r["failure"] is None)
        axes.plot([x for x, _ in points], [y for _, y in points], style, markersize=4, label=compiler)
    failures = [f"{FAMILIES[family].sized(r['size'])} with {r['compiler']}: {r['failure'] if r['failure'].startswith('>') else 'fails'}"
                for r in data["rows"] if r["family"] == family and r["failure"]]
    axes.text(0.04, 0.96, "\n".join(failures), transform=axes.transAxes, fontsize=6, verticalalignment="top")
    if quantity == "seconds":
        most = max((r["nodes"] for r in data["rows"] if r["family"] == family and r["nodes"]), default=0)
        axes.plot([0, most], [BASE, BASE + PER_NODE / 1000 * most], ":", color="gray", label=f"{BASE:g} s + {PER_NODE:g} ms a node")
    axes.set_title(FAMILIES[family].words, fontsize=8)
    axes.tick_params(labelsize=7)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.margins(y=0.25)
    axes.grid(alpha=0.3)


def plot(data, folder):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    matplotlib.rcParams.update({"svg.hashsalt": "etch", "svg.fonttype": "none"})
    families = [family for family in FAMILIES if any(r["family"] == family for r in data["rows"])]
    columns = min(3, len(families))
    lines = -(-len(families) // columns)
    for quantity, label in QUANTITIES.items():
        figure, grid = plt.subplots(lines, columns, figsize=(3.2 * columns + 0.3, 2.3 * lines + 0.5), squeeze=False)
        for i, axes in enumerate(grid.flat):
            if i < len(families):
                drawn(axes, families[i], data, quantity)
            else:
                axes.set_visible(False)
        figure.supxlabel("nodes of value and gradient", fontsize=8)
        figure.supylabel(label, fontsize=8)
        figure.legend(*grid.flat[0].get_legend_handles_labels(), loc="upper right", ncols=3, fontsize=7, frameon=False)
        figure.tight_layout(rect=(0, 0, 1, 1 - 0.25 / (2.3 * lines + 0.5)))
        figure.savefig(folder / f"compile_{quantity}.svg", metadata={"Date": None})
        plt.close(figure)
