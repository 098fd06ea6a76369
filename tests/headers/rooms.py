#!/usr/bin/env python3
# Rooms of include/etch: usage rooms.py INCLUDE_FOLDER
# A header includes only its own room and those above it in the list of include/etch/README.md; no header includes itself through others; and what
# stands above `compile` knows no program.
import re
import sys
from pathlib import Path

library = Path(sys.argv[1]) / "etch"
rooms = re.findall(r"^\| `(\w+)/` ", (library / "README.md").read_text(), re.M)
headers = {str(f.relative_to(library)): f.read_text() for f in sorted(library.rglob("*.hpp"))}
includes = {name: re.findall(r"^#include <etch/([^>]*\.hpp)>", text, re.M) for name, text in headers.items()}
faults = []

for name in headers:
    if "/" in name and name.split("/")[0] not in rooms:
        faults.append(f"{name}: its room is not in the list")
    for included in includes[name]:
        if included not in headers:
            faults.append(f"{name} includes {included}, which does not exist")
        elif "/" in name and "/" in included and rooms.index(included.split("/")[0]) > rooms.index(name.split("/")[0]):
            faults.append(f"{name} includes {included}, of a room below its own in the list")

done, path = set(), []


def visit(name):
    if name in path:
        faults.append("in a circle: " + " -> ".join([*path[path.index(name):], name]))
    elif name not in done and name in includes:
        path.append(name)
        for included in includes[name]:
            visit(included)
        path.pop()
        done.add(name)


for name in headers:
    visit(name)

for name, text in headers.items():
    code = re.sub(r"//.*", "", text)
    if name.split("/")[0] in rooms[: rooms.index("compile")] and re.search(r"\bProgram\b", code):
        faults.append(f"{name} knows a Program")

print(*faults, sep="\n", end="\n" if faults else "")
print(f"{3 - bool(faults)} passed, {int(bool(faults))} failed")
sys.exit(bool(faults))
