#!/usr/bin/env python3
# Links between pages lead somewhere, and pictures say in words what they show: usage links.py ROOT
import re
import subprocess
import sys
from pathlib import Path

root = Path(sys.argv[1])
names = subprocess.run(["git", "-C", root, "ls-files", "*.md"], capture_output=True, text=True, check=True).stdout.split()
# A page in bench of the name of one in docs is what that one is written from.
pages = [root / name for name in names if not (name.startswith("bench/") and f"docs/{Path(name).name}" in names)]


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)


def anchors(page):
    """The anchors of a page's headings, as they are made from words."""
    found = []
    for heading in re.findall(r"^#+ +(.*)$", without_code(page.read_text()), re.M):
        words = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")
        found.append(f"{words}-{found.count(words)}" if words in found else words)
    return found


links, broken = 0, []
for page in pages:
    for picture in re.findall(r"!\[\s*\]\(([^)]*)\)", without_code(page.read_text())):
        broken.append(f"{page.relative_to(root)}: {picture}: no alternative text")
    for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", without_code(page.read_text()))):
        if re.match(r"[a-z]+:", link):
            continue
        links += 1
        file, _, anchor = link.partition("#")
        to = (page.parent / file).resolve() if file else page
        if not to.exists():
            broken.append(f"{page.relative_to(root)}: {link}: no such file")
        elif anchor and anchor not in anchors(to):
            broken.append(f"{page.relative_to(root)}: {link}: no such heading")
for each in broken:
    print(each)
print(f"{links - len(broken)} passed, {len(broken)} failed")
sys.exit(bool(broken) or links == 0)
