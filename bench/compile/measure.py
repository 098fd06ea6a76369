# measure: one run of a compiler, in CPU seconds, bytes of memory and bytes of code.
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ERROR = re.compile(r"(?:fatal error|error|internal compiler error): (.*)")


def include_flags():
    eigen = subprocess.run(["pkgconf", "--cflags", "eigen3"], capture_output=True, text=True).stdout.replace("-I", "-isystem ").split()
    return ["-std=c++20", f"-I{ROOT / 'include'}", *(eigen or ["-isystem", "/usr/include/eigen3"])]


def version(compiler):
    return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def without_arguments(name):
    """Compilers' long names, their template arguments left out."""
    while (shorter := re.sub(r"<[^<>]*>", "\0", name)) != name:
        name = shorter
    return name.replace("\0", "<…>")


def first_sentence(said, most=200):
    """What a compiler says of its first error; where that is an assertion, what this one says."""
    errors = [found.group(1) for line in said.splitlines() if (found := ERROR.search(line))]
    if not errors:
        return said.strip().splitlines()[-1][:most] if said.strip() else "says nothing"
    errors[0] = re.sub(r"^static assertion failed(?: due to requirement '.*?')?: (?=etch: )", "", errors[0])
    sentence = without_arguments(errors[0].split(" [-W")[0])
    return sentence if len(sentence) <= most else sentence[: most - 2].rsplit(" ", 1)[0] + " …"


class Run:
    """A run of a compiler: CPU seconds in user mode, the largest resident memory of its processes in MiB, what it says, why it failed, if so."""

    def __init__(self, command, limit=None):
        limited = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))) if limit else None
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=limited) as process:
            self.said = process.stderr.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds, self.mebibytes = used.ru_utime, used.ru_maxrss / 1024
        self.failure = None
        if process.returncode != 0:
            late = limit and used.ru_utime + used.ru_stime > limit - 1
            self.failure = f"> {limit} s" if late else first_sentence(self.said)


def succeeded(run):
    if run.failure is not None:
        sys.exit(f"{run.failure}\n{run.said[-3000:]}")
    return run


def code_bytes(file):
    """Bytes of machine code in an object."""
    sections = subprocess.run(["size", "-A", file], capture_output=True, text=True, check=True).stdout
    return sum(int(size) for size in re.findall(r"^\.text\S* +([0-9]+)", sections, re.M))


def node_count(file):
    """Nodes of value and gradient, as one.cpp has its object say."""
    symbols = subprocess.run(["nm", "-S", file], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^\S+ ([0-9a-f]+) \S program_nodes$", symbols, re.M)
    return int(found.group(1), 16) if found else None


def object_of(command, limit=None):
    """A run of a compiler, with `code` and `nodes` of what it writes."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "one.o")
        run = Run([*command, "-c", "-o", file], limit)
        run.code, run.nodes = (code_bytes(file), node_count(file)) if run.failure is None else (None, None)
    return run
