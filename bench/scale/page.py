"""Runs what `bench/scale/report` has built, and fills the figures and predictions into scale.md: docs/scale.md.

    python3 bench/scale/page.py BUILD_DIRECTORY [-]      with `-`: runs nothing, the page only
"""
import datetime
import json
import math
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import report

MACHINES = [1, 2, 4, 8, 16, 64, 256, 1000]
RANKS = [1, 2, 3, 4]
LINKS = {"shared": "shared memory, 2 ranks of this machine", "loopback": "TCP over loopback, 2 ranks of this machine"}
# Not measured: what is sold as 25 Gbit/s Ethernet.
NOMINAL = ("25 Gbit/s Ethernet, nominal", 20e-6, 8 / 25e9)
MODELS = {"digits": "784 → 32 → 10, of `train_digits_mpi`", "wide": "784 → 512 → 512 → 10"}


def mpirun(build, ranks, words, link):
    of = {"shared": "self,vader", "loopback": "self,tcp"}[link]
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl", of, "-n", str(ranks), build / "bench" / "scale" / "measure", *words]
    print("running on", ranks, "ranks,", link, *words, flush=True)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"measure failed:\n{done.stdout}\n{done.stderr}")
    figures = {}
    for line in done.stdout.splitlines():
        name, *numbers = line.split()
        figures[name] = [float(x) for x in numbers] if len(numbers) > 1 else float(numbers[0])
    return figures


def run(build):
    made = {"setting": report.setting(build), "date": datetime.datetime.now().strftime("%Y-%m-%d %H:%M"), "cores": len(os.sched_getaffinity(0)),
            "load": os.getloadavg()[0],
            "messages": {link: mpirun(build, 2, ["messages"], link) for link in LINKS},
            "steps": {str(p): mpirun(build, p, [], "shared") for p in RANKS}}
    (build / "scale.json").write_text(json.dumps(made))


def alpha_beta(messages):
    """Latency, from the shortest message; seconds a byte, from the longest."""
    times = {int(name.split(".")[1]): t for name, t in messages.items() if name.startswith("message.")}
    alpha, longest = times[min(times)], max(times)
    return alpha, (times[longest] - alpha) / longest


def ring(p, n, alpha, beta, gamma):
    return 2 * (p - 1) * alpha + (p - 1) / p * n * (2 * beta + gamma)


def tree(p, n, alpha, beta, gamma):
    return math.ceil(math.log2(p)) * (alpha + n * (beta + gamma))


def halving(p, n, alpha, beta, gamma):
    return 2 * math.ceil(math.log2(p)) * alpha + (p - 1) / p * n * (2 * beta + gamma)


def mean(p, leaves, *link):
    """The best algorithm for each leaf."""
    return sum(min(f(p, n, *link) for f in (ring, tree, halving)) for n in leaves) if p > 1 else 0.0


def by(f, p, leaves, *link):
    return sum(f(p, n, *link) for n in leaves) if p > 1 else 0.0


def model(name, figures, links, gamma):
    one = {key.split(".", 1)[1]: value for key, value in figures["1"].items() if key.startswith(name + ".")}
    compute, leaves = one["compute"], one["leaf_bytes"]
    text = (f"**{MODELS[name]}.** {one['flops'] / 1e6:,.1f} million operations a step with a batch of 128 on each machine, gradient {report.memory(one['gradient_bytes'])} "
            f"in {one['leaves']:.0f} leaves, {one['flops'] / one['gradient_bytes']:,.0f} operations a byte. Gradient and update on one machine {report.time(compute)}, "
            f"{one['flops'] / compute / 1e9:.1f} GFLOP/s, measured.\n\n")
    rows = []
    for p in MACHINES:
        row = [f"{p:,}"]
        for _, alpha, beta in links:
            link = (alpha, beta, gamma)
            best = mean(p, leaves, *link)
            row += [report.time(t) if p > 1 else "–" for t in (by(ring, p, leaves, *link), by(tree, p, leaves, *link), best)]
            row += [report.time(compute + best), f"{100 * compute / (compute + best):.0f} %"]
        rows.append(row)
    head = ["machines"]
    for words, _, _ in links:
        head += [f"{words}: ring", "tree", "best a leaf", "step", "efficiency"]
    return text + report.table(head, rows).rstrip()


def check(made, alpha, beta, gamma):
    rows = []
    for name in MODELS:
        for p in RANKS[1:]:
            own = made["steps"][str(p)]
            alone = made["steps"]["1"][name + ".compute"]
            reduced, step = own[name + ".mean"], own[name + ".step"]
            best = mean(p, own[name + ".leaf_bytes"], alpha, beta, gamma)
            predicted = alone * max(1.0, p / made["cores"]) + best
            rows.append([MODELS[name].split(",")[0], str(p), report.time(best), report.time(reduced), f"{report.significant(reduced / best, 2)} ×",
                         report.time(predicted), report.time(step), f"{report.significant(step / predicted, 2)} ×"])
    return report.table(["", "ranks", "mean, predicted", "measured", "ratio", "step, predicted", "measured", "ratio"], rows).rstrip()


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2:] != ["-"]:
        run(build)
    made = json.loads((build / "scale.json").read_text())
    measured = {link: alpha_beta(made["messages"][link]) for link in LINKS}
    gamma = made["messages"]["shared"]["seconds_per_summed_byte"]
    rows = [(LINKS[link], *measured[link]) for link in LINKS] + [NOMINAL]
    links = "\n".join(f"| {words} | {report.time(alpha)} | {report.significant(1e-9 / beta)} GB/s |" for words, alpha, beta in rows)
    figures = {"setting": f"{report.in_words([made['setting']])[0]} Run {made['date']}, at a load average of {made['load']:.1f}.", "links": links,
               "gamma": f"{report.significant(1e-9 / gamma)} GB/s", "cores": str(made["cores"]), "check": check(made, *measured["shared"], gamma)}
    short = [("loopback", *measured["loopback"]), ("25 Gbit/s", *NOMINAL[1:])]
    page = (HERE / "scale.md").read_text()
    page = re.sub(r"\{\{model ([a-z]+)\}\}", lambda m: model(m[1], made["steps"], short, gamma), page)
    page = re.sub(r"\{\{([a-z]+)\}\}", lambda m: figures[m[1]], page)
    (report.ROOT / "docs" / "scale.md").write_text(page)
    print("docs/scale.md")


main()
