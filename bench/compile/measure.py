# measure: one run of a compiler, in CPU seconds and bytes of memory.
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def include_flags():
    eigen = subprocess.run(["pkgconf", "--cflags", "eigen3"], capture_output=True, text=True).stdout.replace("-I", "-isystem ").split()
    return ["-std=c++20", f"-I{ROOT / 'include'}", *(eigen or ["-isystem", "/usr/include/eigen3"])]


def version(compiler):
    return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def compiled(command):
    """Runs a compiler. Returns its CPU seconds in user mode, the largest resident memory of its processes in MiB, and what it prints."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        said = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{said[-3000:]}")
    return used.ru_utime, used.ru_maxrss / 1024, said
