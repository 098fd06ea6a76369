"""Runs what `bench/run/parallel/report` has built, and writes the figures into docs/parallel.md.

    python3 bench/run/parallel/page.py BUILD_DIRECTORY [-]      with `-`: runs nothing, the page only
"""
import datetime
import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bench"))

import report

BEGIN, END = "<!-- figures: bench/run/parallel/report -->\n", "<!-- end of figures -->\n"
# Its authors' times for ten epochs of MNIST (C. Elrod, N. Korsbo, C. Rackauckas, 2022).
PUBLISHED = [("SimpleChains, 4 cores (published)", "5.3 s"), ("SimpleChains, 32 cores (published)", "3.1 s"),
             ("SimpleChains, 18 cores with AVX-512 (published)", "1.23 s")]


def run(build):
    made = {"setting": report.setting(build), "date": datetime.datetime.now().strftime("%Y-%m-%d %H:%M"), "load": os.getloadavg()[0],
            "cores": len(os.sched_getaffinity(0))}
    for program in ("bench_parallel", "bench_epochs"):
        print("running", program, flush=True)
        made[program] = subprocess.run([build / "bench" / "run" / program], capture_output=True, text=True, check=True).stdout
    (build / "parallel.json").write_text(json.dumps(made))


def page(made):
    return "\n".join([
        f"{report.in_words([made['setting']])[0]} {made['cores']} cores. Run {made['date']}, at a load average of {made['load']:.1f}; written by `bench/run/parallel/report`.", "",
        made["bench_parallel"].strip(), "",
        "*Side by side* run two programs that share nothing, each on a core: what the machine gives to whatever is done with its cores. *Shared* is one program of two workers. Both are times as fast as",
        "one core; the medians of 61 ratios, measured in turns. Where they are equally small, as for `ba`, whose Jacobians are written to memory, cores share a bus. `mlp` has 100 KiB of gradients to add",
        "up for less than 0.1 ms of work. `small` is a network of 33 numbers that takes a hundred steps: many such models are trained side by side, one a thread.", "",
        "Ten epochs of LeNet without padding (SimpleChains' network; batches of 160, Adam, 60,000 drawn images of 28 × 28, their copying included):", "",
        made["bench_epochs"].strip(),
        *(f"| {name} | {time} | | |" for name, time in PUBLISHED), ""])


if __name__ == "__main__":
    build = ROOT / sys.argv[1]
    if "-" not in sys.argv[2:]:
        run(build)
    to = ROOT / "docs" / "parallel.md"
    text = to.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    to.write_text(text[:begin] + page(json.loads((build / "parallel.json").read_text())) + text[end:])
