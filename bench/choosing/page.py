"""Runs what `bench/choosing/report` has built, and fills the figures into choosing.md: docs/choosing.md.

    python3 bench/choosing/page.py BUILD_DIRECTORY [-]      with `-`: runs nothing, the page only

A table stands in the text as {{table PROBLEM}}. What has no figure is an error.
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import report

# Rows of the tables, in words; the first of each problem is what the others are compared with.
FORMS = {"recurrent": {"scan": "`scan`", "unrolled": "a static program, each step drawn", "bounded": "`scan` over 24 steps with `select`, 20 of which count",
                       "blocks": "a tape with blocks: `apply` of a step", "tensors": "a tape with tensors", "scalars": "a tape with scalars"},
         "scalar": {"unrolled": "a static program, each step drawn", "repeat": "`repeat<50>`",
                    "bounded": "`repeat<60>` with `select`, 50 of which count", "scalars": "a tape with scalars",
                    "blocks": "a tape with blocks: `apply` of a step", "tensors": "a tape with tensors of one entry"}}


def compile_seconds(build):
    """How long each file took when it was compiled last, as ninja noted."""
    seconds = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        found = re.search(r"bench/choosing/choosing\.p/([a-z]+)_([a-z]+)\.cpp\.o$", output)
        if found:
            seconds[".".join([*found.groups(), "compile"])] = (int(end) - int(begin)) / 1000
    return seconds


def run(build):
    program = build / "bench" / "choosing" / "choosing"
    print("running", program.name, flush=True)
    done = subprocess.run(["taskset", "-c", str(max(os.sched_getaffinity(0))), program], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{program.name} failed:\n{done.stdout}\n{done.stderr}")
    figures = {name: float(number) for name, number in re.findall(r"^([a-z.]+) (\S+)$", done.stdout, re.MULTILINE)}
    made = {"setting": report.setting(build), "date": datetime.datetime.now().strftime("%Y-%m-%d %H:%M"), "figures": figures | compile_seconds(build)}
    (build / "choosing.json").write_text(json.dumps(made))


def table(problem, figures):
    first = next(iter(FORMS[problem]))
    rows = []
    for form, words in FORMS[problem].items():
        of = f"{problem}.{form}."
        entries = figures[of + "entries"]
        rows.append([words, f"{report.significant(figures[of + 'seconds'] / figures[f'{problem}.{first}.seconds'])} ×", report.time(figures[of + "seconds"]),
                     report.memory(figures[of + "bytes"]), f"{entries:,.0f}" if entries > 0 else "–", report.significant(figures[of + "compile"])])
    return report.table(["", "time", "value and gradient", "memory", "entries", "seconds to compile"], rows).rstrip()


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2:] != ["-"]:
        run(build)
    made = json.loads((build / "choosing.json").read_text())
    setting = f"{report.in_words([made['setting']])[0]} Run {made['date']}."
    page = (HERE / "choosing.md").read_text().replace("{{setting}}", setting)
    page = re.sub(r"\{\{table ([a-z]+)\}\}", lambda m: table(m[1], made["figures"]), page)
    (report.ROOT / "docs" / "choosing.md").write_text(page)
    print("docs/choosing.md")


main()
