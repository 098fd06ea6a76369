#!/usr/bin/env python3
# Recipes of packages parse and have the version of meson.build, and the single header is enough for README's program: usage packages.py ROOT COMPILER...
import ast
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

root, compiler = Path(sys.argv[1]), sys.argv[2:]
recipes = root / "packaging"
sys.dont_write_bytecode = True
sys.path.insert(0, str(recipes))
import single_header

passed, failed = 0, 0


def result(what, holds, why=""):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print(f"failed: {what}", why, sep="\n" if why else "")


def parses(file):
    try:
        json.loads(file.read_text()) if file.suffix == ".json" else ast.parse(file.read_text())
        return True
    except (SyntaxError, ValueError):
        return False


for file in sorted(f for f in recipes.rglob("*") if f.suffix in (".json", ".py")):
    result(f"{file.relative_to(root)} parses", parses(file))

# Where a recipe has to say the version. The others read it: packaging/conan from meson.build, CMake from namespace.hpp.
version = single_header.version()
numbers = dict(re.findall(r"define ETCH_VERSION_(\w+) (\d+)", (root / "include/etch/base/namespace.hpp").read_text()))
result("namespace.hpp has the version", ".".join(numbers[n] for n in ("MAJOR", "MINOR", "PATCH")) == version)
for name, pattern in {
    "vcpkg/ports/etch/vcpkg.json": r'^  "version": "([^"]*)"',
    "spack/package.py": r'^    version\("([^"]*)"\)',
    "debian/changelog": r"\Aetch \(([^)]*)\)",
    "compiler_explorer.md": r"^ *- ([\d.]+)$|/etch/v([\d.]+)/|\.version=([\d.]+)",
}.items():
    found = re.findall(pattern, (recipes / name).read_text(), re.M)
    said = {number for each in found for number in ([each] if isinstance(each, str) else each) if number}
    result(f"packaging/{name} has the version", said == {version}, f"it says {sorted(said)}, meson.build {version}")

with tempfile.TemporaryDirectory() as place:
    header = Path(place) / "etch/etch.hpp"
    header.parent.mkdir()
    header.write_text(single_header.single_header(["nn", "optim"]))
    text = header.read_text()
    result("the single header includes no other of etch", re.findall(r"#include <etch/.*", text) == ["#include <etch/compile_with_std_c++20>"])
    result("the single header has one #pragma once", text.count("#pragma once") == 1)
    result("the single header of all parts is larger", len(single_header.single_header(single_header.parts)) > len(text))

    def block(language):
        return re.search(rf"^```{language}\n(.*?)^```", (root / "README.md").read_text(), re.M | re.S)[1]

    program = Path(place) / "line.cpp"
    program.write_text(block("cpp"))
    built = subprocess.run([*compiler, "-std=c++20", "-w", "-I", place, *single_header.eigen_flags(), program, "-o", program.with_suffix("")],
                           capture_output=True, text=True)
    result("README's program builds with the single header", built.returncode == 0, built.stderr[:3000])
    if built.returncode == 0:
        printed = subprocess.run([program.with_suffix("")], capture_output=True, text=True).stdout
        result("README's program prints the same", printed == block("text"), printed)

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
