# page: docs/compile_time.md, all figures from the measurements.
from measure import ROOT
from plots import BASE, PER_NODE, QUANTITIES
from programs import FAMILIES

ADVICE = """## Shorter builds

- **A precompiled header** saves most of what the header costs, as the table shows. Meson: `executable(..., cpp_pch: 'pch/etch.hpp')`, where that file
  includes `<etch/etch.hpp>`. CMake: `target_precompile_headers(app PRIVATE <etch/etch.hpp>)`. To clang, Meson has to be told to instantiate there
  what every unit would instantiate again, `cpp_args: ['-Xclang', '-fpch-instantiate-templates']`; CMake does so by itself.
- **g++ without its garbage collector**: `--param=ggc-min-heapsize=4194304` (KiB). g++ 12 keeps freed memory in a list, and walks that list for
  whatever is larger than 4 KiB. Units with large programs compile much faster without, and need more memory.
- **`<etch/static.hpp>`** instead of `<etch/etch.hpp>` is for units of compiled programs alone: no tape, layers, optimisers, manifolds, sparse derivatives or views. What is
  wanted of these is included beside it, such as `<etch/nn/dense.hpp>`.
- **`nn::repeated<N, Layer>`** for equal layers one after the other: they are compiled once, as a loop ([models.md](models.md#layers)).AS_LOOP
- **The tape's code once in a program**: `<etch/tape/extern.hpp>` in all units and `<etch/tape/instantiate.hpp>` in one ([tape.md](tape.md)).
- **One set of vector instructions**: `-march=native`, or `-DETCH_NO_DISPATCH` where registers of 16 bytes will do. Without either, heavy
  kernels are compiled three times, for registers of 16, 32 and 64 bytes, which takes longer and is more code.
- **A limit on constant evaluation** ends large programs ([which ones](#programs-that-compilers-refuse)); `-fconstexpr-steps=100000000` (clang)
  and `-fconstexpr-ops-limit=1000000000` (g++) raise it.

"""
SEPARATE = """## A program in a file of its own

A program is compiled again whenever its unit is, so it costs least in a unit that nothing else is in, behind a header that includes nothing of
etch. Its interface are plain functions of the project's own; no macro is needed, since `etch::view_as<A>(pointer)` takes memory for the argument
that it holds, in its place. Its callers then compile as if there were no etchAPART.

`step.hpp`:

```cpp
%(step.hpp)s```

`step.cpp`:

```cpp
%(step.cpp)s```

`main.cpp`:

```cpp
%(main.cpp)s```

Memory for `view_as` begins at a multiple of 64 bytes, else `etch::on_mistake` is called; a pointer to another type of numbers does not compile.
Tensors are read as they lie, the first index fastest; in a struct each tensor begins at a multiple of 64 bytes, so a model takes
`sizeof(model_type)` bytes, and what lies between its tensors stays what it was, or zero. All that is said of calls holds here: nothing is
allocated, a gradient may lie where an argument does, and two targets may not overlap ([errors.md](errors.md#gradient_targets_overlap)). A program
holds its workspace: `thread_local` as here, each thread has its own; a project that has its own threads makes it `static`, or a member of what it
hands out. `initialise`, `save` and a step of an optimiser are further plain functions in `step.cpp`.

""" % {name: (ROOT / "tests/separate" / name).read_text() for name in ("step.hpp", "step.cpp", "main.cpp")}
HINDRANCES = """Much of a program's time is constant evaluation of the passes, which go over a graph many times; the rest is what the compiler does
for each kernel: a call, its template arguments, its code. Layers of different widths are kernels of their own, so there most is code.
"""


def rows_of(data, family, compiler=None, size=None):
    return [r for r in data["rows"] if r["family"] == family and compiler in (None, r["compiler"]) and size in (None, r["size"])]


def named(row):
    return f"{FAMILIES[row['family']].words}, {FAMILIES[row['family']].sized(row['size'])}"


def line_through(points):
    """The straight line through points (x, y) with the least squares, in words."""
    if len({x for x, _ in points}) < 2:
        return "—"
    mean_x, mean_y = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return f"{1000 * slope:.1f} ms a node {'+' if mean_y >= slope * mean_x else '-'} {abs(mean_y - slope * mean_x):.1f} s"


def cost(row):
    if row["failure"]:
        return f"{row['failure'] if row['failure'].startswith('>') else 'fails'} | |"
    return f"{row['seconds']:.1f} | {row['mebibytes']:.0f} | {row['code'] / 1024:.0f}"


def unit_table(data):
    """The small units; empty where they were not measured."""
    if not data["base"]:
        return ""
    compilers = list(data["compilers"])
    text = ""
    for words in data["base"][compilers[0]]:
        units = [data["base"][c][words] for c in compilers]
        cells = [u["failure"] or f"{u['seconds']:.1f} s, {u['mebibytes']:.0f} MiB" for u in units]
        text += f"| {words} | {' | '.join(cells)} |\n"
        if "precompiled" in units[0]:
            text += "| — behind a precompiled header | " + " | ".join(f"{u['precompiled']:.1f} s" for u in units) + " |\n"
    return text


def lines_table(data, families):
    compilers = list(data["compilers"])
    text = ""
    for family in [f for f in families if len(FAMILIES[f].sizes) > 1]:
        lines = [line_through([(r["nodes"], r["seconds"]) for r in rows_of(data, family, c) if not r["failure"]]) for c in compilers]
        text += f"| {FAMILIES[family].words}: straight line through all sizes | " + " | ".join(lines) + " |\n"
    return text + "| aimed at, at most | " + " | ".join(f"{PER_NODE:g} ms a node + {BASE:g} s" for _ in compilers) + " |\n"


def jacobians_table(data):
    """What a Jacobian takes beside the gradient of the same function."""
    text, compilers = "", list(data["compilers"])
    for family in ("flight_by_rows", "flight_by_columns", "flight_of_numbers"):
        times = [[rows[0]["seconds"] for f in (family, "flight_gradient") if (rows := rows_of(data, f, c, 1)) and not rows[0]["failure"]] for c in compilers]
        if any(times):
            text += f"| {FAMILIES[family].words}: times the gradient | " + " | ".join(f"{t[0] / t[1]:.1f}" if len(t) == 2 else "—" for t in times) + " |\n"
    return text + "| aimed at, at most | " + " | ".join("1.5" for _ in compilers) + " |\n" if text else ""


def as_loop(data):
    """What nn::repeated saves, as measured."""
    text = ""
    for compiler in data["compilers"]:
        both = [[r for r in rows_of(data, family, compiler, size) if not r["failure"]] for family in ("repeated", "array")
                for size in FAMILIES[family].sizes[-1:]]
        if all(both):
            (loop,), (array,) = both
            text += (f" {loop['size']} dense layers of one width take {compiler} {loop['seconds']:.1f} s as a loop and {array['seconds']:.1f} s as"
                     f" an array, and are {loop['code'] / 1024:.0f} KiB of code instead of {array['code'] / 1024:.0f} KiB.")
    return text


def apart(data):
    words = "`main.cpp` of a program in a file of its own, below"
    if not data["base"] or any(data["base"][c][words]["failure"] for c in data["base"]):
        return ""
    return f": `main.cpp` below takes {max(data['base'][c][words]['seconds'] for c in data['base']):.2f} s at most"


def refusals(data):
    failed = [r for r in data["rows"] if r["failure"]]
    text = "## Programs that compilers refuse\n\n"
    if not failed:
        return text + f"None of the programs, within {data['limit']} s each.\n\n"
    text += "A program that is refused is said to fail; this is the compiler's first sentence. "
    text += "Limits on constant evaluation are raised.\n\n" if data["raised"] else "Limits on constant evaluation are the compilers' own.\n\n"
    text += "| program | nodes | compiler | after | sentence |\n|---|---|---|---|---|\n"
    for r in failed:
        sentence = "longer than it may take" if r["failure"].startswith(">") else "`" + r["failure"].replace("|", "\\|").replace("`", "'") + "`"
        text += f"| {named(r)} | {r['nodes'] or '—'} | {r['compiler']} | {r['seconds']:.0f} s | {sentence} |\n"
    return text + "\n"


def programs_table(data, families):
    compilers = list(data["compilers"])
    text = "## All programs\n\nUser CPU seconds, peak memory in MiB, and machine code of the object in KiB.\n\n"
    text += "| family | size | nodes | " + " | ".join(f"{c}, s | MiB | KiB" for c in compilers) + " |\n"
    text += "|---|---|---|" + "---|---|---|" * len(compilers) + "\n"
    for family in families:
        for size in sorted({r["size"] for r in rows_of(data, family)}):
            rows = [rows_of(data, family, c, size)[0] for c in compilers]
            start = [FAMILIES[family].words, FAMILIES[family].sized(size), str(rows[0]["nodes"] or "—")]
            text += f"| {' | '.join(start + [cost(row) for row in rows])} |\n"
    return text


def page(data):
    families = [family for family in FAMILIES if rows_of(data, family)]
    text = "# Compile time\n\n"
    text += "Written by `bench/compile/report`; the programs are in `bench/compile`. "
    text += f"User CPU seconds (the least of {data['runs']}) and peak memory of compiling one program, "
    text += f"value and gradient, with `{' '.join(data['flags'])}`"
    text += " and a raised limit on constant evaluation.\n\n" if data["raised"] else " and the compilers' own limits on constant evaluation.\n\n"
    fastest = ", ".join(f"{c} {seconds:.2f} s" for c, seconds in data["reference"].items())
    text += "Machines are slower at times, so each program is compiled next to a unit without etch, the reference of `bench/compile/gate`: "
    text += f"seconds are the quotient times the reference's least time ({fastest}).\n\n"
    text += f"Machine: {data['machine']}. Commit: {data['commit']}. Compilers: {'; '.join(data['compilers'].values())}.\n\n"
    text += "".join(f"![{label}](images/compile_{quantity}.svg)\n\n" for quantity, label in QUANTITIES.items())
    text += "| | " + " | ".join(data["compilers"]) + " |\n|---|" + "---|" * len(data["compilers"]) + "\n"
    text += unit_table(data) + lines_table(data, families) + jacobians_table(data) + "\n" + HINDRANCES + "\n"
    text += ADVICE.replace("AS_LOOP", as_loop(data)) + SEPARATE.replace("APART", apart(data))
    return text + refusals(data) + programs_table(data, families)
