# programs: the families of families.hpp, their sizes, and how one is compiled.
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from measure import HERE
from straight_line import statements


class Family(NamedTuple):
    words: str
    unit: str  # what OPERATIONS counts
    sizes: list
    gate: int  # the size that the gate compiles

    def sized(self, size):
        return f"{size} {self.unit if size != 1 else self.unit.removesuffix('s')}"


FAMILIES = {
    "chain": Family("unrolled chain", "operations", [30, 100, 300], 12),
    "fan_out": Family("wide fan-out", "operations", [30, 100, 300], 12),
    "scalar": Family("scalar code in a loop", "operations", [30, 100, 300], 15),
    "straight_line": Family("scalar code, statement by statement", "statements", [100, 300, 1000, 3000], 100),
    "scan": Family("scan", "operations", [30, 100, 300], 12),
    "equal_widths": Family("dense layers of one width", "operations", [30, 100], 12),
    "widths": Family("dense layers, each of a width of its own", "operations", [10, 30, 60], 6),
    "repeated": Family("equal layers, nn::repeated", "layers", [8, 50], 8),
    "array": Family("equal layers, an array", "layers", [8, 50], 8),
    "lstm": Family("LSTM over a sequence", "layers", [1, 2], 1),
    "gpt": Family("decoder-only transformer", "blocks", [1, 2, 4, 8, 16], 1),
    "flight_gradient": Family("a quadrotor's steps, gradient", "steps", [1], 1),
    "flight_by_rows": Family("a quadrotor's steps, Jacobian by rows", "steps", [1], 1),
    "flight_by_columns": Family("a quadrotor's steps, Jacobian by columns", "steps", [1], 1),
    "flight_of_numbers": Family("a quadrotor's steps, number by number, Jacobian by rows", "steps", [1], 1),
    "resnet": Family("ResNet-18 at quarter width", "blocks", [2, 8], 1),
}


@contextmanager
def source_of(family, operations):
    """The source of a program, with its definitions: what follows a compiler's flags."""
    with tempfile.TemporaryDirectory() as folder:
        definitions = [f"-DFAMILY={family}", f"-DOPERATIONS={operations}"]
        if family == "straight_line":
            file = Path(folder) / "statements.hpp"
            file.write_text(statements(operations))
            definitions.append(f'-DSTATEMENTS="{file}"')
        yield [*definitions, str(HERE / "one.cpp")]
