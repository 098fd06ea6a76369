# What MkDocs does here besides: pages that lie outside of docs/ and the reference come into the site where they are, links
# between files of the repository become links between pages, and GitHub's dialect of Markdown becomes Python-Markdown's.
import logging
import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
LOG = logging.getLogger("mkdocs.hooks")
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changes.md",
    "bench/run/README.md": "benchmark_runs.md",
    "examples/README.md": "examples/index.md",
    "include/etch/README.md": "rooms.md",
    "include/etch/op/README.md": "adding_an_op.md",
    "include/etch/rewrite/README.md": "adding_a_pass.md",
    "include/etch/tape/README.md": "inside_the_tape.md",
    "CONTRIBUTING.md": "contributing.md",
    "template/README.md": "template.md",
    "packaging/README.md": "packages.md",
    "packaging/compiler_explorer.md": "compiler_explorer.md",
}
LESSONS = {f"examples/{path.name}": f"examples/{path.stem}.md" for path in sorted((ROOT / "examples").glob("[0-9][0-9]_*.cpp"))}
LINK = re.compile(r"(?<!`)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")


def in_repository(page):
    """The file of the repository that a page of the site is made from; none for the reference."""
    made_from = {uri: path for path, uri in (PAGES | LESSONS).items()}
    return made_from.get(page, None if page.startswith(("reference/", "source/")) else f"docs/{page}")


def in_site(path):
    """The page, or the file, of the site that a file of the repository becomes."""
    if (ROOT / path / "README.md").exists():
        path = f"{path}/README.md"
    if path.startswith("docs/") and Path(path).suffix in (".md", ".svg", ".png"):
        return path.removeprefix("docs/")
    return (PAGES | LESSONS).get(path, f"source/{path}.md")


def target(link, path):
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), link))


def fenced(path):
    language = {".hpp": "cpp", ".cpp": "cpp", ".py": "python", ".sh": "sh"}.get(Path(path).suffix, "text")
    return f"````{language}\n{(ROOT / path).read_text().rstrip()}\n````\n"


def lesson(path):
    """A lesson: what its first comment says in words, then its code."""
    text = (ROOT / path).read_text()
    comment = re.match(r"(//.*\n)+", text)[0]
    words = re.sub(r"(?m)^// ?", "", comment)
    words = re.sub(r"^Lesson \d+: ", "", re.sub(r"(?m)^  (?=\S)", "\n    ", words))
    words = words[0].upper() + words[1:]
    title = re.match(r"[^.:(]*[^.:( ]", words)[0].replace("\n", " ")
    code = f"```cpp\n{text.removeprefix(comment).rstrip()}\n```\n"
    return f"---\nhide: [toc]\n---\n# Lesson {int(Path(path).name[:2])}: {title}\n\n{words}\n{code}\nHow to build and run it: [lessons](README.md).\n"


def on_files(files, config):
    made = {uri: (ROOT / path).read_text() for path, uri in PAGES.items()} | {uri: lesson(path) for path, uri in LESSONS.items()}
    made |= {f"reference/{path.name}": path.read_text() for path in sorted((ROOT / "build/reference").glob("*.md"))}
    pages = made | {file.src_uri: file.content_string for file in files.documentation_pages()}
    for uri, text in pages.items():
        for link, _ in LINK.findall(text) if in_repository(uri) else ():
            path = target(link, in_repository(uri))
            if in_site(path).startswith("source/") and (ROOT / path).is_file():
                made[in_site(path)] = f"---\nsearch:\n  exclude: true\n---\n# {path}\n\n{fenced(path)}"
    for uri, text in made.items():
        files.append(File.generated(config, uri, content=text))
    return files


def outside_of_code(markdown, change):
    parts = re.split(r"(?ms)^( *```.*?^ *```$)", markdown)
    return "".join(part if i % 2 else change(part) for i, part in enumerate(parts))


def on_page_markdown(markdown, page, config, files):
    uri = page.file.src_uri
    path = in_repository(uri)
    if uri == "index.md":
        page.meta["hide"] = ["navigation"]  # it is alone in its group

    def relink(found):
        to = in_site(target(found[1], path))
        return f"]({posixpath.relpath(to, posixpath.dirname(uri) or '.')}{found[2] or ''})"

    def change(text):
        text = LINK.sub(relink, text) if path else text
        # Files are pages here: the words of a link to one need no ending.
        text = re.sub(r"\[(?:docs/)?(\w+)\.md\](?=\()", lambda name: f"[{name[1].replace('_', ' ')}]", text)
        text = text.replace("\n# ", "\n## ")  # a page has one heading of the first level
        # In a table, a bar in code is written `\|`.
        return re.sub(r"(?m)^\|.*$", lambda row: re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row[0]), text)

    # The name behind a fence's language tells the tests which program it is.
    return re.sub(r"(?m)^( *```\w+) .*$", r"\1", outside_of_code(markdown, change))


def on_page_content(html, page, config, files):
    if html.count("<h1") != 1:
        LOG.warning("%s has %d headings of the first level", page.file.src_uri, html.count("<h1"))
    for picture in re.findall(r"<img [^>]*>", html):
        if not re.search(r'alt="[^"]+"', picture):
            LOG.warning("%s: %s has no alternative text", page.file.src_uri, picture)
    return html
