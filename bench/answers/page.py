"""Runs what `bench/answers/report` has built, and fills the figures into answers.md: docs/answers.md.

    python3 bench/answers/page.py BUILD_DIRECTORY [-]      with `-`: runs nothing, the page only

A figure stands in the text as {{FORM NAME}} or {{FORM NAME / NAME}}; a table as {{table NAME}}. Whatever has no figure is an error.
"""
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import report

RIVALS = ["sum_squares", "sum_atan2", "mlp", "lenet", "lstm", "gru"]  # problems of bench/run whose results are quoted
CONTESTS = ["asked", "primal"]
THREADS = [1, 4]
PICTURES = {"chain_memory": "answers_chain.svg", "fan_out_memory": "answers_fan_out.svg"}


# ---- running ----


def figures_of(program, *arguments, pinned=True):
    """The figures that a program prints, one a line: a name with a dot, and a number."""
    print("running", program.name, *arguments, flush=True)
    on_one_core = ["taskset", "-c", str(max(os.sched_getaffinity(0)))] if pinned else []
    done = subprocess.run([*on_one_core, program, *map(str, arguments)], cwd=report.ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{program.name} failed:\n{done.stdout}\n{done.stderr}")
    found = re.findall(r"^([a-z_0-9]+(?:\.[a-z_0-9]+)+) (-?[0-9.]+(?:e[-+]?[0-9]+)?)$", done.stdout, re.MULTILINE)
    if not found:
        sys.exit(f"{program.name} prints no figures:\n{done.stdout}")
    return {name: float(number) for name, number in found}


def run(build):
    to = build / "answers"
    to.mkdir(exist_ok=True)
    programs = build / "bench" / "answers"
    figures = figures_of(programs / "answers_facts")
    for first in (0, 1):
        for threads in THREADS:
            figures |= figures_of(programs / "answers_first_use", first, threads, pinned=False)
    figures |= figures_of(build / "bench/run/chain/bench_chain_memory", to)
    shutil.move(to / "memory.svg", to / "chain_memory.svg")
    figures |= figures_of(build / "bench/run/fan_out/bench_fan_out_memory", to / "fan_out_memory")
    date = datetime.datetime.now().strftime("%Y-%m-%d %H:%M")
    (to / "figures").write_text(json.dumps({"setting": report.setting(build), "date": date, "figures": figures}))
    for name in CONTESTS:
        report.run_one(build, programs / f"answers_{name}", to / f"{name}.json")
    for name in RIVALS:
        program, results = report.programs(build)[name], build / "results" / f"{name}.json"
        if not results.exists() or results.stat().st_mtime < program.stat().st_mtime:
            report.run(build, [name])


# ---- reading ----


class Figures:
    """Every figure by its name: those that programs print, and `problem/rival.least` and its kin of contests."""

    def __init__(self, build):
        made = json.loads((build / "answers" / "figures").read_text())
        self.numbers = made["figures"]
        own, own_files = report.read(build / "answers")
        others, other_files = report.read(build / "results")
        others = {n: p for n, p in others.items() if n in RIVALS}
        other_files = [f for f in other_files if any(b["run_name"].rpartition("/")[0] in RIVALS for b in f["benchmarks"])]
        self.problems = own | others
        for problem, content in self.problems.items():
            for rival, row in content["rows"].items():
                for key, number in {"least": row.least, "median": row.median, **row.counters}.items():
                    self.numbers[f"{problem}/{rival}.{key}"] = number
        self.settings = [made["setting"], *(f["setting"] for f in own_files + other_files)]
        self.dates = sorted([made["date"]] + [f["context"]["date"][:16].replace("T", " ") for f in own_files + other_files])
        self.skipped = sorted({s for f in other_files for s in f["context"].get("skipped", "").split("; ") if s})

    def __getitem__(self, name):
        if name not in self.numbers:
            sys.exit(f"no figure: {name}")
        return self.numbers[name]

    def has(self, name):
        return name in self.numbers

    def times(self, name):
        return f"{report.time(self[name + '.least'])} ({report.time(self[name + '.median'])})"


# ---- writing ----


def flops(n):
    return f"{report.significant(n * 1e-9)} GFLOP"


def first_use(f):
    lines = []
    for threads in THREADS:
        for first in (0, 1):
            of = f"first_use.{first}.{threads}."
            lines.append([("one", "other")[first], str(threads), f"{2 * threads * f[of + 'updates']:,.0f}", f"{f[of + 'allocations_one']:.0f}",
                          f"{f[of + 'allocations_other']:.0f}", "equal in every bit" if f[of + "equal"] == 1 else sys.exit("models differ")])
    return report.table(["used first", "threads", "gradients and updates", "allocations, loss `one`", "allocations, loss `other`", "models"], lines)


def asked(f):
    rows = [("W, b", "an argument", "weights", "weights"), ("W, b", "a struct of its own", "weights", "struct"),
            ("W, b", "captured by an inner lambda", "weights", "closure"),
            ("W, b by name", "the struct that holds W and b too", "same_struct", "same_struct"), ("W, b, x", "an argument", "all", "all")]
    lines = [[wanted, where, flops(f[f"asked.{facts}.flops"]), report.memory(f[f"asked.{facts}.workspace"]), f"{f[f'asked.{facts}.nodes']:.0f}",
              f"{f[f'asked/{timed}.allocations']:.0f}", f.times(f"asked/{timed}")] for wanted, where, facts, timed in rows]
    return report.table(["gradients in", "x is", "work", "workspace", "values in the program", "allocations", "time"], lines)


def gates(f):
    def both(key):
        return [f"{f[f'gates.{cell}.{key}']:,.0f}" for cell in ("lstm", "gru")]

    def pair(there, back):
        return [f"{a}, {b}" for a, b in zip(both(there), both(back))]

    lines = [["kernels a step of both layers, there and back", *pair("kernels_there", "kernels_back")],
             ["of which products", *pair("products_there", "products_back")],
             ["element-wise loops over a cell's gates, there and back", *pair("loops_there", "loops_back")],
             ["slices copied", *both("copied_slices")],
             ["buffers for a cell's gate adjoints", *both("joined")],
             ["adjoints of gates, both layers; of these written in their place", *pair("parts", "parts_in_place")],
             ["kept for the way back, a step", *(report.memory(f[f"gates.{cell}.kept_a_step"]) for cell in ("lstm", "gru"))],
             ["workspace, 16 steps", *(report.memory(f[f"gates.{cell}.workspace"]) for cell in ("lstm", "gru"))]]
    return report.table(["etch's program", "LSTM", "GRU"], lines)


def recurrent(f):
    lines = []
    for rival in report.order(set(f.problems["lstm"]["rows"]) & set(f.problems["gru"]["rows"])):
        line = [rival]
        for cell in ("lstm", "gru"):
            of = f"{cell}/{rival}"
            line += [f.times(of), report.significant(f[of + ".least"] / f[f"{cell}/etch.least"]), f"{f[of + '.allocations']:,.0f}", report.memory(f[of + ".peak_bytes"])]
        lines.append(line)
    return report.table(["", "LSTM", "÷ etch", "allocations", "memory", "GRU", "÷ etch", "allocations", "memory"], lines)


def primal(f):
    lines = []
    for name in ("mlp", "lenet", "sum_squares", "sum_atan2"):
        of = f"primal_{name}"
        more = f.has(f"{of}/with_image.least")
        allocations = sum(f[f"{of}/{each}.allocations"] for each in ["value", "gradient"] + ["with_image"] * more)
        lines.append([name, f.times(f"{of}/value"), f.times(f"{of}/gradient"), report.significant(f[f"{of}/gradient.least"] / f[f"{of}/value.least"]),
                      f.times(f"{of}/with_image") if more else "", report.significant(f[f"{of}/with_image.least"] / f[f"{of}/value.least"]) if more else "",
                      f"{allocations:.0f}"])
    return report.table(["", "value", "and gradient", "÷ value", "and in the image", "÷ value", "allocations, all calls"], lines)


def rivals(f):
    names = ("mlp", "lenet", "sum_squares", "sum_atan2")
    lines = []
    for rival in report.order({r for n in names for r in f.problems[n]["rows"]}):
        cells = []
        for n in names:
            of = f"{n}/{rival}"
            cells.append(f"{report.time(f[of + '.least'])}, {report.significant(f[of + '.least'] / f[n + '/etch.least'])} ×, {f[of + '.allocations']:,.0f}"
                         if f.has(of + ".least") else "–")
        lines.append([rival, *cells])
    return report.table(["", *names], lines)


def memories(f):
    def line(words, of):
        etch, hand = f[of + ".etch.peak"], f[of + ".hand.peak"]
        return [words, report.memory(etch), report.memory(hand), report.significant(etch / hand, 4)]

    return report.table(["most resident at once", "etch", "by hand", "ratio"],
                        [line(f"chain, {n} steps", f"chain_memory.{n}") for n in (25, 50, 100)] + [line("recurrent network, 100 steps", "fan_out_memory")])


TABLES = {"first_use": first_use, "asked": asked, "gates": gates, "recurrent": recurrent, "primal": primal, "rivals": rivals, "memories": memories}
FORMS = {"time": report.time, "memory": report.memory, "count": lambda n: f"{n:,.0f}", "number": report.significant,
         "distance": lambda n: f"{n:.0e}", "per_cent": report.per_cent}


def filled(words, f):
    """What stands for {{words}}."""
    if words == "setting":
        told = report.in_words(f.settings) + [f"Skipped: {s}." for s in f.skipped]
        return "\n\n".join(told + [f"Run from {f.dates[0]} to {f.dates[-1]}."])
    form, _, names = words.partition(" ")
    if form == "table" and names in TABLES:
        return TABLES[names](f).rstrip()
    if form not in FORMS:
        sys.exit(f"neither a form nor a table: {words}")
    name, _, by = names.partition(" / ")
    return FORMS[form](f[name] / f[by] if by else f[name])


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2:] != ["-"]:
        run(build)
    f = Figures(build)
    text = (HERE / "answers.md").read_text()
    page = re.sub(r"\{\{([^{}]+)\}\}", lambda m: filled(m[1].strip(), f), text)
    images = report.ROOT / "docs" / "images"
    for picture, name in PICTURES.items():
        shutil.copyfile(build / "answers" / f"{picture}.svg", images / name)
    (report.ROOT / "docs" / "answers.md").write_text(page)
    print("docs/answers.md")


main()
