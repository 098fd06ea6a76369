#!/usr/bin/env python3
"""Writes etch as a single header, build/single_header/etch/etch.hpp: what <etch/static.hpp> has, compiled programs alone.

`--with nn,optim` adds parts (of tape, nn, optim, io, view): then it is <etch/etch.hpp> without the parts that are not named, and `io` adds the headers
for files, which need zlib and nlohmann-json. Prints the size and the CPU seconds that including it costs with g++ and clang++-19.
"""
import argparse
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

root = Path(__file__).resolve().parent.parent
library = root / "include/etch"
parts = ["tape", "nn", "optim", "io", "view"]

# A comment is none inside of a literal, and the ' of 1'000 begins none.
token = re.compile(r'"(?:\\.|[^"\\\n])*"|\b\d(?:\'?[\w.])*|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.S)
conditional = re.compile(r"\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b")
included = re.compile(r"#include <(etch/)?([^>]+)>")


def lines_of(header):
    """The lines of a header without comments, blank lines and `#pragma once`."""
    text = (library / header).read_text()
    assert 'R"' not in text, f"{header}: raw strings are not understood here"
    text = token.sub(lambda t: " " if t[0].startswith(("//", "/*")) else t[0], text)
    return [line.rstrip() for line in text.split("\n") if line.strip() and line != "#pragma once"]


def chosen_lines(wanted):
    """What a header would hold that includes the parts that are wanted."""
    if not wanted:
        return ["#include <etch/static.hpp>"]
    files = [f"#include <etch/io/{f.name}>" for f in sorted((library / "io").glob("*.hpp")) if "io" in wanted]
    unwanted = tuple(f"#include <etch/{part}/" for part in parts if part not in wanted)
    return [line for line in lines_of("etch.hpp") if not line.startswith(unwanted)] + files


def walk(lines):
    """Each line with the conditions that it stands under, and the header of etch that it includes, if it does."""
    conditions = []
    for line in lines:
        directive = conditional.match(line)
        if directive and directive[1] != "endif":
            conditions = conditions[: len(conditions) - (directive[1] in ("elif", "else"))] + [line.strip()]
        found = included.fullmatch(line.strip())
        ours = found[2] if found and found[1] and (library / found[2]).exists() else None
        yield line, tuple(conditions), ours, found
        if directive and directive[1] == "endif":
            conditions = conditions[:-1]


def always_included(lines, found):
    """The headers that are included under no condition."""
    for _, conditions, ours, _ in walk(lines):
        if ours and not conditions and ours not in found:
            found.add(ours)
            always_included(lines_of(ours), found)
    return found


class Amalgam:
    def __init__(self, wanted):
        lines = chosen_lines(wanted)
        self.always = always_included(lines, set())
        self.done = {}  # the conditions that each header was expanded under
        self.system = set()
        self.text = []  # None where the system's headers go: behind what has to stand before them
        self.expand(lines, ())

    def before(self, lines):
        """Expands headers that are included under no condition elsewhere, but here first under one."""
        for _, _, ours, _ in walk(lines):
            if ours in self.always:
                self.include(ours, ())
            elif ours:
                self.before(lines_of(ours))

    def include(self, header, outer):
        if header not in self.done:
            self.done[header] = outer
            self.expand(lines_of(header), outer)
        assert self.done[header] in ((), outer), f"{header} is included under two conditions"

    def expand(self, lines, outer):
        for at, (line, conditions, ours, found) in enumerate(walk(lines)):
            if conditional.match(line) and len(conditions) == 1 and not outer:
                self.before(lines[at : lines.index("#endif", at)])
            if ours:
                self.include(ours, outer + conditions)
            elif found and not found[1] and not outer + conditions:
                if not self.system:
                    self.text.append(None)
                self.system.add(found[2])
            else:
                self.text.append(line)

    def __str__(self):
        system = [f"#include <{name}>" for name in sorted(self.system, key=lambda name: (not re.search(r"[/.]", name), name))]
        return "\n".join(line for each in self.text for line in ([each] if each is not None else system)) + "\n"


def version():
    return re.search(r"^project\(.*?\bversion: '([^']*)'", (root / "meson.build").read_text(), re.S)[1]


def described(wanted):
    return "compiled programs" + "".join(f", {part}" for part in wanted)


def single_header(wanted):
    licence = "".join(f"// {line}".rstrip() + "\n" for line in (root / "LICENSE").read_text().splitlines())
    first = f"// etch {version()} in a single header: {described(wanted)}. SPDX-License-Identifier: BSL-1.0\n//\n"
    return f"{first}{licence}#pragma once\n{Amalgam(wanted)}"


def eigen_flags():
    return subprocess.run(["pkg-config", "--cflags", "eigen3"], capture_output=True, text=True).stdout.split()


def seconds(compiler, header):
    """User seconds of CPU for a unit that includes a header and nothing else."""
    with tempfile.TemporaryDirectory() as place:
        unit = Path(place) / "unit.cpp"
        unit.write_text(f'#include "{header}"\n')
        before = os.times().children_user
        subprocess.run([compiler, "-std=c++20", "-O2", *eigen_flags(), "-c", unit, "-o", Path(place) / "unit.o"], check=True)
        return os.times().children_user - before


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--with", dest="wanted", default="", metavar="PARTS", help="of " + ",".join(parts) + "; or all")
    options.add_argument("--output", type=Path, default=root / "build/single_header/etch/etch.hpp")
    options.add_argument("--untimed", action="store_true", help="only the size")
    given = options.parse_args()
    wanted = parts if given.wanted == "all" else [part for part in given.wanted.split(",") if part]
    if unknown := set(wanted) - set(parts):
        options.error(f"no part is named {', '.join(sorted(unknown))}; there are {', '.join(parts)}")

    text = single_header(wanted)
    given.output.parent.mkdir(parents=True, exist_ok=True)
    given.output.write_text(text)
    print(f"{given.output}: {described(wanted)}; {text.count(chr(10))} lines, {len(text.encode()) / 1000:.0f} kB")
    for compiler in ["g++", "clang++-19"]:
        if not given.untimed and shutil.which(compiler):
            print(f"{compiler} -O2: {seconds(compiler, given.output.resolve()):.1f} s to include")


if __name__ == "__main__":
    main()
