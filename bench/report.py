"""Runs the benchmarks that `bench/report` has built, and makes docs/benchmarks.md and its pictures of the results.

    python3 bench/report.py BUILD_DIRECTORY [PROBLEM ...]      without problems: all of them; with `-`: none, the page only
"""
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plot

matplotlib.rcParams["svg.hashsalt"] = "etch"  # the same picture for the same results
ROOT = pathlib.Path(__file__).resolve().parent.parent
COLOURS = {"etch": "#2060b0", "hand": "#d0602a", "eigen": "#4c9a50", "openblas": "#8a5fb0", "onednn": "#c8a000", "torch": "#b03050",
           "casadi": "#207878", "jax": "#d06090", "adolc": "#707070", "sacado": "#a0a0a0"}
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
            if p.is_file() and os.access(p, os.X_OK) and p.name not in ("bench_chain_memory", "bench_fan_out_memory", "bench_identity", "bench_instances")}


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
    for name, program in programs(build).items():
        if not wanted or name in wanted:
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


def goal_row(name, goal, problems):
    """A line of the table of goals: (cells, whether nothing is to be said of it)."""
    problem, against = problems.get(name), next(iter(goal["rivals"]))
    ratio = goal["reach"] / goal["rivals"][against]
    wanted = f"≤ {significant(ratio)} × {against}"
    if problem is None or "etch" not in problem["rows"]:
        return [name, goal["work"], wanted, "–", "–", "–", "–", "–", "not measured"], True
    rows, calls = problem["rows"], goal.get("calls", 1)
    etch = rows["etch"]
    best = min((r for r in ("hand", "onednn", "openblas", "eigen") if r in rows), key=lambda r: rows[r].least, default=None)
    beside = row_of(problems, name, against)
    is_ratio = etch.least / beside.least if beside else None
    speed, unit = rate(etch)
    share = speed / peak(problem, etch) if speed else None
    shares = per_cent(share)
    reached_share = False
    if "peak" in goal and unit == "GFLOP/s":
        wanted_share = etch.counters["flops"] / calls / (goal["reach"] * SECONDS[goal["unit"]]) * 1e-9 / goal["peak"]
        reached_share = share >= wanted_share
        shares += f" (goal: {per_cent(wanted_share)})"
    space = etch.counters.get("workspace")
    spaces = memory(space) + (f" (goal: ≤ {memory(goal['workspace'])})" if "workspace" in goal else "")
    small = "workspace" not in goal or (space is not None and space <= goal["workspace"])
    frugal = etch.counters.get("allocations", 0) == 0
    reached = is_ratio is not None and is_ratio <= ratio and small and frugal
    verdict = "reached" if reached else "rival absent" if is_ratio is None else "**missed**" + (", reached as a share of the peak" if reached_share else "")
    return [name, goal["work"], wanted, "–" if is_ratio is None else f"{significant(is_ratio)} ×",
            f"{time(etch.least / calls)} ({time(etch.median / calls)})",
            "–" if best is None else f"{best} {time(rows[best].least / calls)}, etch {significant(etch.least / rows[best].least)} ×", shares,
            f"{etch.counters.get('allocations', 0):.0f}, {spaces}", verdict], reached


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


def save(figure, name, says):
    """Writes a picture, and says in words what it shows."""
    path = ROOT / "docs" / "images" / name
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    plot.close(figure)
    return f"![{says}](images/{name})\n"


def draw_ratios(problems, goals):
    """Every rival's time in multiples of etch's, one line a problem."""
    names = [n for n in goals if n in problems and "etch" in problems[n]["rows"]][::-1]
    figure, axes = plot.subplots(figsize=(9, 0.38 * len(names) + 1.2))
    for rival, colour in COLOURS.items():
        points = [(problems[n]["rows"][rival].least / problems[n]["rows"]["etch"].least, i) for i, n in enumerate(names) if rival in problems[n]["rows"]]
        if points:
            axes.scatter(*zip(*points), color=colour, label=rival, zorder=3, marker="D" if rival == "etch" else "o", s=30)
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), names)
    axes.axvline(1, color="#2060b0", linewidth=0.8)
    axes.grid(axis="x", which="both", color="#e4e4e4")
    axes.set_xlabel("minimum time in multiples of etch's: to the right is slower")
    axes.legend(ncol=len(COLOURS), loc="upper center", bbox_to_anchor=(0.45, -0.18 if len(names) < 12 else -0.09), frameon=False, fontsize=8)
    return save(figure, "benchmarks.svg", "The least time of every rival for each problem, in multiples of etch's")


def draw_products(products):
    rivals = order({r for p in products.values() for r in p["rows"]})
    figure, axes = plot.subplots(figsize=(10, 3.6))
    for k, rival in enumerate(rivals):
        values = [rate(p["rows"][rival])[0] / peak(p, p["rows"][rival]) * 100 if rival in p["rows"] else 0 for p in products.values()]
        axes.bar([i + k / (len(rivals) + 1) for i in range(len(products))], values, 1 / (len(rivals) + 1), color=COLOURS.get(rival, "#444444"), label=rival)
    axes.set_xticks([i + 0.35 for i in range(len(products))], [n.replace(", ", "\n").replace("double ", "double\n") for n in products], fontsize=7)
    axes.set_ylabel("% of the measured peak")
    axes.grid(axis="y", color="#e4e4e4")
    axes.set_axisbelow(True)
    axes.legend(ncol=len(rivals), loc="upper center", bbox_to_anchor=(0.5, 1.15), frameon=False, fontsize=8)
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
               "machine it was set on is given beside the share here. Times are minimum (median).\n")
    lines, causes = [], []
    for name, goal in goals.items():
        cells, reached = goal_row(name, goal, problems)
        lines.append(cells)
        if not reached and notes(name):
            causes.append(f"- **{name}**: {notes(name)}")
    out.append(table(["problem", "work", "goal", "is", "etch", "best by hand here", "of the peak", "allocations, workspace", ""], lines))
    if causes:
        out += ["### What is missed, and why\n", "\n".join(causes) + "\n"]
    out.append(draw_ratios(problems, goals))
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
