#!/usr/bin/env python3
# The reference: a page for each group of headers, and an index of all names. Doxygen finds what is declared where;
# declarations and docstrings are shown as they stand in the headers.
# Usage: reference.py XML, where docs/generate/Doxyfile has put it; pages are written beside that folder.
import re
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "include/etch"
LAYOUT = tomllib.loads((Path(__file__).parent / "reference.toml").read_text())
PUBLIC = ["etch", "etch::nn", "etch::nn::init", "etch::nn::activation", "etch::manifold", "etch::optim", "etch::io", "etch::mpi", "etch::view", "etch::by_argument"]
# How operators are called in anchors.
OPERATORS = {"+": "plus", "-": "minus", "*": "times", "/": "divided", "=": "assign", "<": "less", ">": "greater", "!": "not", "&": "and", "|": "or"}
TYPES = ("class", "struct")


@dataclass
class Declared:
    """A declaration: where it stands, what it says, and what is said of it."""
    name: str
    kind: str
    header: str
    line: int
    text: str
    words: str
    body: str
    members: list


def lines_of(header):
    return (HEADERS / header).read_text().split("\n")


def belongs_above(line):
    """Whether a line is a part of the declaration that goes on below it: of what a template takes or requires."""
    line = re.sub(r"//.*", "", line).strip()
    return bool(line) and not line.startswith(("#", "ETCH_", "public:", "private:", "protected:")) and not line.endswith((";", "}", "{"))


def end_of(text, kind):
    """Where a declaration ends: before its body, its bases, or what initialises it; comments do not count."""
    text = re.sub(r"//.*", lambda comment: " " * len(comment[0]), text)
    depth, stop = 0, ";" if kind in ("enum", "concept") else ";{"
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and (c in stop or (c == ":" and ":" not in (text[i - 1], text[i + 1]) and kind not in ("enum", "concept", "variable"))):
            return i
    return len(text)


def declaration(name, kind, header, line, members=()):
    """What stands in a header around a line."""
    lines = lines_of(header)
    first = line - 1
    while belongs_above(lines[first - 1]):
        first -= 1
    words, above = [], first - 1
    if lines[above].startswith("#else"):
        above = max(i for i in range(above) if lines[i].startswith("#if"))
    if lines[above].startswith("#if"):
        above -= 1
    while lines[above].strip().startswith("///"):
        words.insert(0, re.sub(r"^\s*/// ?", "", lines[above]))
        above -= 1
    indent = len(lines[first]) - len(lines[first].lstrip())
    text = "\n".join(each[indent:] if not each[:indent].strip() else each for each in lines[first:first + 80])
    end = end_of(text, kind)
    shown = re.sub(r"\[\[(gnu::\w+|maybe_unused)\]\] ?", "", text[:end].rstrip())
    if kind == "function":
        shown = re.sub(r"\n {13,}", "\n    ", shown)
    if kind == "variable":
        shown = re.sub(r" = (.{40}.+|.*\n.*)$", "", re.sub(r" =\s+", " = ", shown), flags=re.S)
        words = words or re.findall(r"///< ?(.*)", text[end:].split("\n")[0])
    return Declared(name, kind, header, first + 1, shown, "\n".join(words).strip(), text[end:end + 200], list(members))


def place(element):
    location = element.find("location")
    return location.get("file").removeprefix("etch/"), int(location.get("line"))


def is_shown_member(member):
    return (member.get("prot") == "public" and member.get("kind") in ("function", "variable", "typedef")
            and member.findtext("name") not in LAYOUT["internal"]["members"] and "~" not in member.findtext("name"))


def members_of(compound):
    """What of a type is for its users, in the order of the header: all that is public, but types only if something is said of them."""
    found = []
    for member in compound.iter("memberdef"):
        header, line = place(member)
        if is_shown_member(member) and (HEADERS / header).exists():
            found.append(declaration(member.findtext("name"), member.get("kind"), header, line))
    found = sorted({(d.header, d.line): d for d in found}.values(), key=lambda d: d.line)
    return [d for d in found if not is_mistake(d) and (d.words or d.kind != "typedef") and not re.match(r"(friend|using)\b", d.text)]


def is_mistake(d):
    """Whether an overload is there to say that it is none."""
    return bool(re.match(r"\s*(\{\s*(return )?(etch::)?error::|= delete)", d.body)) or "= delete" in d.text or "= default" in d.text


def is_internal(d):
    """Whether an overload is of terms, graphs or the like, which only the library sees, or the layout calls the name internal."""
    return (re.search(r"\bterms?\b|requires detail::term_|\b(operands|graph_view|anatomy|box_caption)\b", d.text)
            or d.name in LAYOUT["internal"]["names"] or (d.header in LAYOUT["names"] and d.name not in LAYOUT["names"][d.header]))


def unqualified(name):
    return re.sub(r" ?<[^<]*(<[^<]*>[^<]*)*>$", "", name) if "operator" not in name else name


def declared(xml):
    """All declarations of public namespaces: qualified name, declaration."""
    for file in sorted(xml.glob("*.xml")):
        for compound in ElementTree.parse(file).getroot().findall("compounddef"):
            kind, full = compound.get("kind"), compound.findtext("compoundname")
            outer, _, name = unqualified(full).rpartition("::")
            if kind in TYPES + ("concept",) and outer in PUBLIC:
                header, line = place(compound)
                yield f"{outer}::{name}", declaration(name, kind, header, line, members_of(compound) if kind in TYPES else ())
            elif kind == "namespace" and full in PUBLIC:
                for member in compound.iter("memberdef"):
                    if "::" not in member.findtext("name") and "<" not in member.findtext("name").replace("operator<", ""):
                        yield f"{full}::{member.findtext('name')}", declaration(member.findtext("name"), member.get("kind"), *place(member))
            elif kind == "file":
                for member in compound.iter("memberdef"):
                    if member.get("kind") == "define" and re.match(r"ETCH_(?!DETAIL|NAMESPACE|ABI|VECTORS|ALLOCATES)", member.findtext("name")):
                        d = declaration(member.findtext("name"), "define", *place(member))
                        d.text = member.findtext("name") + ("(Struct, ...)" if member.find("param") is not None else "")
                        yield d.name, d


def page_of(header):
    """The place of a header among all pages; none where it is internal."""
    for i, page in enumerate(LAYOUT["page"]):
        if header in page["headers"]:
            return i, page["headers"].index(header)
    if header in LAYOUT["internal"]["headers"] or header.split("/")[0] + "/" in LAYOUT["internal"]["headers"]:
        return None
    sys.exit(f"docs/generate/reference.toml does not know {header}")


def anchor(qualified):
    name = qualified.removeprefix("etch::")
    if "operator" in name:
        return "operator-" + "-".join(OPERATORS[c] for c in name.partition("operator")[2])
    return name.replace("::", "-")


def words_for_page(text):
    """A docstring as Markdown: what looks like HTML is none, and a page that it names is a link."""
    parts = re.split(r"(`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        parts[i] = parts[i].replace("&", "&amp;").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
        parts[i] = re.sub(r"(?<![/\w])(\w[\w\\]*)\.md(#[-\w\\]+)?", linked, parts[i])
    return "".join(parts)


def linked(found):
    page, heading = (part.replace("\\", "") for part in found.groups(""))
    return f"[{page.replace('_', ' ')}](../{page}.md{heading})"


def paragraphs(text):
    """Words line by line; what is set in by four blanks is code and stays as it is."""
    blocks = re.split(r"(?m)((?:^    .*\n?)+)", text)
    blocks[1::2] = [f"```cpp\n{re.sub('(?m)^    ', '', block).rstrip()}\n```\n" for block in blocks[1::2]]
    blocks[::2] = [words_for_page(block) for block in blocks[::2]]
    return "\n".join(blocks)


def first_sentence(text):
    text = re.sub(r"\s+", " ", text)
    found = re.search(r"(?<!\.)(?<!\b[A-Z])\.(?= |$)", text)  # initials end no sentence
    return text[:found.start()] if found else text.rstrip(".")


def grouped(declarations):
    """Declarations with words of their own, each with those without that follow it."""
    groups = []
    for d in declarations:
        if d.words or not groups:
            groups.append([d])
        else:
            groups[-1].append(d)
    return groups


def code(declarations):
    return "```cpp\n" + "\n".join(d.text + ("" if d.kind in ("concept", "define") else ";") for d in declarations) + "\n```\n"


def type_members(d):
    """Data in one piece, then what has words, then the rest."""
    data = [m for m in d.members if m.kind == "variable" and not m.text.startswith("static")]
    others = [m for m in d.members if m not in data]
    named = {m.name for m in others if m.words}
    text = ""
    if data:
        said = "\n".join("".join(f"// {line}\n" for line in m.words.split("\n") if line) + m.text + ";" for m in data)
        text += f"Data:\n\n```cpp\n{said}\n```\n\n"
    for group in grouped(sorted((m for m in others if m.name in named), key=lambda m: min(o.line for o in others if o.name == m.name))):
        text += f"{code(group)}\n{paragraphs(group[0].words)}\n\n"
    rest = [m for m in others if m.name not in named]
    return text + (f"Further members:\n\n{code(rest)}\n" if rest else "")


def entry(qualified, declarations, umbrella):
    shown = qualified.removeprefix("etch::")
    headers = sorted({d.header for d in declarations}, key=[d.header for d in declarations].index)
    includes = dict.fromkeys("etch.hpp" if header in umbrella else header for header in headers)
    text = f"## `{shown}` {{ #{anchor(qualified)} }}\n\n"
    for group in grouped(declarations):
        text += f"{code(group)}\n{paragraphs(group[0].words)}\n\n" + "".join(type_members(d) for d in group if d.kind in TYPES)
    included = ", ".join(f"`#include <etch/{include}>`" for include in includes)
    places = ", ".join(f"`etch/{header}`" for header in headers)
    return text + f"<small>{included}; declared in {places}</small>\n\n"


def included_by(header, found):
    """All headers that a header brings along, whatever macros are defined."""
    for other in re.findall(r"#include <etch/(.*\.hpp)>", re.sub(r"(?ms)^#if .*?^#endif", "", (HEADERS / header).read_text())):
        if other not in found:
            found.add(other)
            included_by(other, found)
    return found


def public_names(xml):
    names = {}
    for qualified, d in declared(xml):
        if page_of(d.header) is not None and not is_mistake(d) and not is_internal(d) and not re.search(r"\) ->", d.text):
            names.setdefault(qualified, []).append(d)
    for qualified, declarations in names.items():
        # The same place is found in every namespace and file that it belongs to.
        declarations[:] = {(page_of(d.header), d.line): d for d in declarations}.values()
        declarations.sort(key=lambda d: (page_of(d.header), d.line))
    return names


def main(xml):
    names = public_names(xml)
    without = [f"{d[0].header}:{d[0].line} {name}" for name, d in sorted(names.items()) if not any(each.words for each in d)]
    if without:
        print("\n".join(sorted(without)))
        sys.exit(f"{len(without)} public names have no docstring")
    umbrella = included_by("etch.hpp", set())
    index = []
    for i, page in enumerate(LAYOUT["page"]):
        here = sorted((n for n in names if page_of(names[n][0].header)[0] == i), key=lambda n: (page_of(names[n][0].header), names[n][0].line))
        text = f"# {page['title']}\n\n{words_for_page(page['text'])}\n\n" + "".join(entry(n, names[n], umbrella) for n in here)
        (xml.parent / f"{page['file']}.md").write_text(text)
        for n in here:
            said = next(d.words for d in names[n] if d.words)
            index.append((n.removeprefix("etch::"), f"{page['file']}.md#{anchor(n)}", first_sentence(said)))
    text = f"# Reference\n\nEvery public name, {len(index)} in all, without the `etch::` before it.\n\n| name | what it is |\n|---|---|\n"
    for shown, link, sentence in sorted(index, key=lambda each: (not each[0][0].isalpha(), "operator" in each[0], each[0].lower())):
        text += f"| [`{shown}`]({link}) | {words_for_page(sentence)} |\n"
    (xml.parent / "index.md").write_text(text)
    print(f"{len(index)} public names on {len(LAYOUT['page'])} pages")


main(Path(sys.argv[1]))
