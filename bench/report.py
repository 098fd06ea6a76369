"""Runs the benchmarks that `bench/report` has built, and makes docs/benchmarks.md and its pictures of the results.

    python3 bench/report.py BUILD_DIRECTORY [PROBLEM ...]      without problems: all of them; with `-`: none, the page of the last results only
"""
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time as clock

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plot

matplotlib.rcParams["svg.hashsalt"] = "etch"  # the same picture for the same results
ROOT = pathlib.Path(__file__).resolve().parent.parent
COLOURS = {"etch": "#3a7bd5", "hand": "#d0602a", "eigen": "#4c9a50", "openblas": "#8a5fb0", "onednn": "#c8a000", "torch": "#b03050",
           "casadi": "#207878", "jax": "#d06090", "adolc": "#707070", "sacado": "#a0a0a0", "ceres": "#8c564b", "cppad": "#404040"}
SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


def output_of(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


# ---- running ----


def setting(build):
    """What the numbers depend on besides the code."""
    command = json.loads((build / "compile_commands.json").read_text())[0]["command"].split()
    flags = [f for f in command if f.startswith(("-O", "-m", "-std", "-f")) and not f.startswith("-fdiagnostics")]
    model = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return {"commit": output_of("git", "rev-parse", "--short", "HEAD"), "changed": output_of("git", "status", "--porcelain", "include", "bench/run", "bench/answers") != "",
            "compiler": output_of("g++", "--version").splitlines()[0], "flags": " ".join(dict.fromkeys(flags)),
            "processor": model[0] if model else "unknown", "kernel": " ".join(os.uname()[i] for i in (0, 2, 4))}


def programs(build):
    return {p.name.removeprefix("bench_"): p for p in sorted(build.glob("bench/run/**/bench_*"))
            if p.is_file() and os.access(p, os.X_OK) and p.name not in ("bench_chain_memory", "bench_fan_out_memory", "bench_epochs", "bench_identity", "bench_instances", "bench_parallel")}


def run_one(build, program, to):
    """Runs a program that `bench/run/contest.hpp` drives, pinned to one core, and writes what it says, with the setting, to `to`."""
    print("running", program.name, flush=True)
    to.parent.mkdir(exist_ok=True)
    core = str(max(os.sched_getaffinity(0)))
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", ETCH_SHARED=os.environ.get("ETCH_SHARED", str(ROOT.parent / "shared")))
    done = subprocess.run(["taskset", "-c", core, program, f"--benchmark_out={to}", "--benchmark_out_format=json"], env=environment,
                          cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        to.unlink(missing_ok=True)
        sys.exit(f"{program.name} failed:\n{done.stdout}\n{done.stderr}")
    made = json.loads(to.read_text())
    made["setting"] = setting(build)
    to.write_text(json.dumps(made))


def run(build, wanted):
    chosen = [(name, program) for name, program in programs(build).items() if not wanted or name in wanted]
    start = clock.monotonic()
    for done, (name, program) in enumerate(chosen):
        left = f", about {(clock.monotonic() - start) / done * (len(chosen) - done) / 60:.0f} min left" if done else ""
        print(f"[{done + 1}/{len(chosen)}{left}] ", end="")
        run_one(build, program, build / "results" / (name + ".json"))
    if not wanted or {"laplacian", "quadrotor", "hessian"} & set(wanted):
        run_jax(build)


def run_jax(build):
    """Runs bench/by_jax.py where the first python3 in PATH, such as that of a virtual environment, has JAX."""
    (build / "jax.json").unlink(missing_ok=True)
    if subprocess.run(["python3", "-c", "import jax"], capture_output=True, check=False).returncode == 0:
        print("running JAX", flush=True)
        subprocess.run(["taskset", "-c", str(max(os.sched_getaffinity(0))), "python3", ROOT / "bench" / "by_jax.py", build], check=True)


# ---- reading ----


class Row:
    """One rival's times in seconds, and what was counted."""

    def __init__(self):
        self.times, self.counters = [], {}

    @property
    def least(self):
        return min(self.times)

    @property
    def median(self):
        return statistics.median(self.times)


def read(results):
    """Problems, each with its rows, in the order of the programs' names; and the programs' contexts."""
    problems, files = {}, []
    for path in sorted(results.glob("*.json")):
        made = json.loads(path.read_text())
        files.append(made)
        here = {}
        for b in sorted(made["benchmarks"], key=lambda b: b["family_index"]):  # they ran in random order
            if b["run_type"] != "iteration":
                continue
            problem, _, rival = b["run_name"].rpartition("/")
            row = here.setdefault(problem, {}).setdefault(rival, Row())
            row.times.append(b["cpu_time"] * SECONDS[b["time_unit"]])
            row.counters.update({k: b[k] for k in ("flops", "bytes", "workspace", "allocations", "peak_bytes", "element", "instructions") if k in b})
        peaks = here.pop("peak")
        for problem, rows in here.items():
            problems[problem] = {"rows": rows, "peaks": peaks, "context": made["context"], "program": path.stem}
    return problems, files


def add_jax(problems, file):
    """JAX's times, where bench/by_jax.py has written them: in rows beside the others; the sentence that the page says of them."""
    if not file.exists():
        return "skipped: jax: JAX is not installed"
    measured = json.loads(file.read_text())
    for name, times in measured["times"].items():
        if name in problems:
            problems[name]["rows"].setdefault("jax", Row()).times.extend(times)
    return f"`jax` is JAX {measured['version']}: functions under `jit`, dispatched from Python call by call, in a run of its own (`bench/by_jax.py`)."


def rate(row):
    """(number, unit) of a row's speed: flops where they are counted, otherwise bytes."""
    if "flops" in row.counters:
        return row.counters["flops"] / row.least * 1e-9, "GFLOP/s"
    if "bytes" in row.counters:
        return row.counters["bytes"] / row.least * 1e-9, "GB/s"
    return None, ""


def peak(problem, row):
    """The machine's peak for the row, as measured beside it: of the floating-point unit, or of the memory that holds the data."""
    peaks, c = problem["peaks"], row.counters
    if "flops" in c:
        p = peaks["double" if c.get("element") == 8 else "float"]
        return p.counters["flops"] / p.least * 1e-9
    sizes = {f"L{x['level']}": x["size"] for x in problem["context"]["caches"] if x["type"] != "Instruction"}
    level = next((l for l in ("L1", "L2") if c["bytes"] <= sizes.get(l, 0)), "memory")
    return peaks[level].counters["bytes"] / peaks[level].least * 1e-9


# ---- writing ----


def significant(x, digits=3):
    if x is None:
        return "–"
    if x == 0:
        return "0"
    text = f"{x:,.{max(0, digits - 1 - math.floor(math.log10(abs(x))))}f}"
    return text


def time(seconds):
    unit = next((u for u in ("s", "ms", "µs") if seconds >= 0.9995 * SECONDS[u]), "ns")
    return f"{significant(seconds / SECONDS[unit])} {unit}"


def memory(n):
    if n is None:
        return "–"
    return f"{significant(n / 2**20)} MiB" if n >= 2**20 else f"{significant(n / 2**10)} KiB" if n >= 1024 else f"{n:.0f} B"


def per_cent(x):
    return "–" if x is None else f"{100 * x:.0f} %"


def table(head, rows):
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *rows]) + "\n"


def order(rows):
    known = list(COLOURS)
    return sorted(rows, key=lambda r: (known.index(r) if r in known else len(known), r))


def notes(name):
    """What is said of a problem that misses its goal: in its folder, for a second problem of a folder in notes_<what follows the name>.md."""
    folder, _, rest = name.rpartition("_")
    for path in (f"{name}/notes.md", f"{folder}/notes_{rest}.md"):
        if (ROOT / "bench" / "run" / path).exists():
            return " ".join((ROOT / "bench" / "run" / path).read_text().split())
    return ""


def row_of(problems, name, rival):
    """A rival's row, or None; `problem/rival` is one of another problem."""
    other, _, rival = rival.rpartition("/")
    return problems.get(other or name, {"rows": {}})["rows"].get(rival)


def breakable(name):
    """The name of a problem or rival, which a narrow column of a table may break."""
    return name.replace("_", "_<wbr>").replace("/", "/<wbr>")


def goal_row(name, goal, problems):
    """A line of the table of goals: (cells, whether nothing is to be said of it)."""
    problem, against = problems.get(name), next(iter(goal["rivals"]))
    ratio = goal["reach"] / goal["rivals"][against]
    wanted = f"≤ {significant(ratio)} × {breakable(against)}"
    if problem is None or "etch" not in problem["rows"]:
        return [breakable(name), goal["work"], "not measured", "–", wanted, "–", "–", "–", "–"], True
    rows, calls = problem["rows"], goal.get("calls", 1)
    etch = rows["etch"]
    best = min((r for r in ("hand", "onednn", "openblas", "eigen") if r in rows), key=lambda r: rows[r].least, default=None)
    beside = row_of(problems, name, against)

    def by_hand():
        if best is not None:
            return f"{best} {time(rows[best].least / calls)}, etch {significant(etch.least / rows[best].least)} ×"
        other = row_of(problems, name, goal.get("beside", ""))
        return "–" if other is None else f"{breakable(goal['beside'])} {time(other.least / calls)}, etch {significant(etch.least / other.least)} ×"

    is_ratio = etch.least / beside.least if beside else None
    speed, unit = rate(etch)
    share = speed / peak(problem, etch) if speed else None
    shares = per_cent(share)
    if "peak" in goal and unit == "GFLOP/s":
        wanted_share = etch.counters["flops"] / calls / (goal["reach"] * SECONDS[goal["unit"]]) * 1e-9 / goal["peak"]
        shares += f" (goal: {per_cent(wanted_share)})"
    space = etch.counters.get("workspace")
    spaces = memory(space) + (f" (goal: ≤ {memory(goal['workspace'])})" if "workspace" in goal else "")
    small = "workspace" not in goal or (space is not None and space <= goal["workspace"])
    frugal = etch.counters.get("allocations", 0) == 0
    reached = is_ratio is not None and is_ratio <= ratio and small and frugal
    return [breakable(name), goal["work"], f"{time(etch.least / calls)} ({time(etch.median / calls)})",
            by_hand(), wanted,
            "rival absent" if is_ratio is None else f"{significant(is_ratio)} ×", "–" if is_ratio is None else significant(is_ratio / ratio, 2), shares,
            f"{etch.counters.get('allocations', 0):.0f}, {spaces}"], reached


def detail(name, problem, calls):
    lines = []
    etch = problem["rows"].get("etch")
    for rival in order(problem["rows"]):
        row = problem["rows"][rival]
        speed, unit = rate(row)
        lines.append([rival, time(row.least / calls), time(row.median / calls), f"{significant(speed)} {unit}" if speed else "–",
                      per_cent(speed / peak(problem, row)) if speed else "–",
                      f"{significant(row.least / etch.least)}" if etch else "–",
                      f"{row.counters['allocations'] / calls:,.0f}" if "allocations" in row.counters else "–", memory(row.counters.get("peak_bytes")),
                      f"{row.counters['instructions'] / calls:,.0f}" if "instructions" in row.counters else "–"])
    head = ["rival", "minimum", "median", "speed", "of the peak", "÷ etch", "allocations a call", "memory", "instructions a call"]
    counted = any("instructions" in row.counters for row in problem["rows"].values())
    return table(head if counted else head[:-1], lines if counted else [line[:-1] for line in lines])


INK = "#7d848d"  # text and axes, on light pages and on dark ones
LIBRARIES = ("eigen", "openblas", "onednn")  # the same gradients by hand on these libraries' products


def canvas(width, height):
    """A picture without a background: its page may be light or dark."""
    figure, axes = plot.subplots(figsize=(width, height))
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(INK)
    axes.tick_params(colors=INK, which="both", length=0)
    axes.grid(axis="x", color=INK, alpha=0.25)
    axes.set_axisbelow(True)
    return figure, axes


def label(axes, text):
    axes.set_xlabel(text, color=INK)


def legend(axes, left=0.0):
    """In the order of colours, etch first: what is drawn last lies on top."""
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], ncol=len(labels), loc="lower left", bbox_to_anchor=(left, 1), frameon=False, fontsize=9, labelcolor=INK,
                handletextpad=0.1, columnspacing=1.1)


def times(axes, exponents):
    """A logarithmic axis whose ticks are 1 ×, 10 ×, ..."""
    axes.set_xscale("log")
    axes.set_xticks([10.0**e for e in exponents], [f"{10**e:,} ×" for e in exponents])
    axes.minorticks_off()


def save(figure, name, says):
    """Writes a picture, and says in words what it shows."""
    path = ROOT / "docs" / "images" / name
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None}, transparent=True)
    plot.close(figure)
    return f"![{says}](images/{name})\n"


def draw_by_hand(problems, goals):
    """How much more time etch takes than the version by hand: a bar for each problem, with its figure."""
    names = [n for n in goals if n in problems and {"etch", "hand"} <= problems[n]["rows"].keys()][::-1]
    ratios = [problems[n]["rows"]["etch"].least / problems[n]["rows"]["hand"].least for n in names]
    figure, axes = canvas(9, 0.26 * len(names) + 0.8)
    most = 3
    axes.barh(names, [min(r, most) for r in ratios], 0.62, color=COLOURS["etch"])
    for i, r in enumerate(ratios):
        axes.text((1 if 0.8 < r < 1 else min(r, most)) + 0.03, i, f"{r:.2f} ×" if r <= most else f"{r:.1f} × (beyond the axis)", va="center", fontsize=8, color=INK)
    axes.axvline(1, color=COLOURS["hand"], linewidth=1.5)
    axes.set_xlim(0, most + 0.4)
    axes.set_xticks([0, 1, 2, 3], ["0", "as by hand", "2 ×", "3 ×"])
    label(axes, "etch's time in multiples of that of the version by hand, with registers as vectors; linear axis")
    return save(figure, "benchmarks_by_hand.svg", "How much time etch takes for each problem, in multiples of the version by hand")


def draw_rivals(problems, goals):
    """How much slower libraries and tools are than etch: a line for each problem."""
    shown = [r for r in COLOURS if r != "hand"]
    names = [n for n in goals if n in problems and {"etch"} < problems[n]["rows"].keys() & set(shown)][::-1]
    figure, axes = canvas(9, 0.3 * len(names) + 0.8)
    for rival in reversed(shown):
        points = [(problems[n]["rows"][rival].least / problems[n]["rows"]["etch"].least, i) for i, n in enumerate(names) if rival in problems[n]["rows"]]
        if points:
            marker = "D" if rival == "etch" else "s" if rival in LIBRARIES else "o"
            axes.scatter(*zip(*points), color=COLOURS[rival], label=rival, zorder=4 if rival == "etch" else 3, marker=marker, s=36)
    for i, n in enumerate(names):
        most = max(problems[n]["rows"][r].least for r in shown if r in problems[n]["rows"]) / problems[n]["rows"]["etch"].least
        axes.plot([1, max(1, most)], [i, i], color=INK, alpha=0.35, linewidth=1, zorder=1)
    times(axes, range(5))
    axes.set_yticks(range(len(names)), names)
    label(axes, "time in multiples of etch's, to the right slower; logarithmic axis")
    legend(axes, -0.12)
    return save(figure, "benchmarks.svg", "The least time of libraries and tools for each problem, in multiples of etch's")


def draw_products(products):
    """Which share of the machine's peak the products of matrices reach: a line for each product."""
    rivals = order({r for p in products.values() for r in p["rows"]})
    names = list(products)[::-1]
    figure, axes = canvas(9, 0.34 * len(names) + 0.8)
    for rival in reversed(rivals):
        points = [(rate(products[n]["rows"][rival])[0] / peak(products[n], products[n]["rows"][rival]) * 100, i) for i, n in enumerate(names)
                  if rival in products[n]["rows"]]
        axes.scatter(*zip(*points), color=COLOURS.get(rival, INK), label=rival, zorder=4 if rival == "etch" else 3,
                     marker="D" if rival == "etch" else "s" if rival in LIBRARIES else "o", s=44)
    axes.set_xlim(0, 104)
    axes.set_yticks(range(len(names)), names)
    axes.hlines(range(len(names)), 0, 100, color=INK, alpha=0.2, linewidth=1)
    label(axes, "% of the peak of the arithmetic unit, to the right faster; linear axis")
    legend(axes)
    return save(figure, "benchmarks_products.svg", "The speed of products of matrices by each rival, as a share of the machine's peak")


def in_words(settings):
    """A sentence for each different setting."""
    different = {json.dumps(s, sort_keys=True): s for s in settings}.values()
    return [f"{s['processor']}, {s['kernel']}; {s['compiler']}, `{s['flags']}`; commit {s['commit']}{' with changes' if s['changed'] else ''}."
            for s in different]


def page(problems, files, of_jax):
    goals = json.loads((ROOT / "bench" / "targets.json").read_text())["goals"]
    products = {n: p for n, p in problems.items() if p["program"] == "products"}
    out = ["# Benchmarks\n", "Made by `./bench/report` from the results of its last run; no number here is typed by hand.\n"]
    out += [s + "\n" for s in in_words(f["setting"] for f in files)]
    dates = sorted(f["context"]["date"][:16].replace("T", " ") for f in files)
    out.append(f"Run from {dates[0]} to {dates[-1]}, on one core, value **and** gradient in one call, the gradients of all rivals compared first. "
               f"Rivals take turns: {len(next(iter(next(iter(problems.values()))['rows'].values())).times)} repetitions in random order, of which minimum and "
               "median are given, in time of the processor. `hand` is the best that could be written by hand for the problem, with registers "
               "as vectors; `eigen`, `openblas` and `onednn` are the same gradients by hand on these libraries' products; `slices` is naive on "
               "purpose ([answers.md](answers.md)). Peaks are measured in the same process. Allocations are calls of malloc and its kin after the first call; memory is what a first call adds to a "
               "process, besides code. Instructions are counted step by step, where a call has few.\n")
    kernels = sorted({f["context"]["openblas"] for f in files if "openblas" in f["context"]})
    if kernels:
        out.append(f"OpenBLAS, which libtorch uses too, ran its kernels for {', '.join(kernels)}; variables of the environment that choose lesser ones are cleared, and the heap is kept warm "
                   "(`MALLOC_MMAP_THRESHOLD_`, `MALLOC_TRIM_THRESHOLD_`).\n")
    skipped = sorted({s for f in files for s in f["context"].get("skipped", "").split("; ") if s})
    out += [f"skipped: {s}\n" for s in skipped]
    out.append(of_jax + "\n")
    best = {}
    for p in problems.values():
        for name, row in p["peaks"].items():
            best[name] = min(best.get(name, row), row, key=lambda r: r.least)
    out.append("Peaks: " + ", ".join(f"{significant(rate(r)[0])} {rate(r)[1]} ({n})" for n, r in sorted(best.items())) + ".\n")

    out.append("## Goals\n")
    out.append("A goal is a ratio to the rival named, in the same run. Where the arithmetic unit is the bound, the goal's share of the peak of the "
               "machine it was set on is given beside the share here. Times are minimum (median). The column *÷ goal* is the ratio measured "
               "divided by the one that is the goal: 1 or less reaches it.\n")
    lines, causes = [], []
    for name, goal in goals.items():
        cells, reached = goal_row(name, goal, problems)
        lines.append(cells)
        if not reached and notes(name):
            causes.append(f"- **{name}**: {notes(name)}")
    out.append(table(["problem", "work", "etch", "best by hand here", "goal", "measured", "÷ goal", "of the peak", "allocations, workspace"], lines))
    if causes:
        out += ["### Where a goal is not reached, and why\n", "\n".join(causes) + "\n"]
    out.append(draw_by_hand(problems, goals))
    out.append(draw_rivals(problems, goals))
    if products:
        rivals = order({r for p in products.values() for r in p["rows"]})
        out.append("## Products alone\n")
        out.append("GFLOP/s, and the share of the peak; float unless said.\n")
        out.append(table(["product", *rivals], [[n] + [f"{significant(rate(p['rows'][r])[0])} ({per_cent(rate(p['rows'][r])[0] / peak(p, p['rows'][r]))})" if r in p["rows"] else "–"
                                                      for r in rivals] for n, p in products.items()]))
        out.append(draw_products(products))
    out.append("## Every problem\n")
    for name in [n for n in goals if n in problems] + [n for n in problems if n not in goals and n not in products]:
        goal = goals.get(name, {})
        out.append(f"### {name}\n")
        if goal:
            out.append(goal["work"] + "\n")
        out.append(detail(name, problems[name], goal.get("calls", 1)))
    (ROOT / "docs" / "benchmarks.md").write_text("\n".join(out))


if __name__ == "__main__":
    build_directory, chosen = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    if chosen != ["-"]:
        run(build_directory, chosen)
    found, files = read(build_directory / "results")
    page(found, files, add_jax(found, build_directory / "jax.json"))
    print("docs/benchmarks.md")
