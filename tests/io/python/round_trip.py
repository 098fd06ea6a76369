# Python reads what the library writes, and the other way round: usage round_trip.py EXCHANGE, the program of exchange.cpp.
# Files of safetensors are read and written here by the letter of their format, and by Python's library too where it is installed.
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

PROGRAM = 0x0123456789ABCDEF
SHAPE = (2, 3, 2, 2)
TYPES = {"BOOL": "bool", "I8": "int8", "U8": "uint8", "I16": "int16", "U16": "uint16", "I32": "int32", "U32": "uint32",
         "I64": "int64", "U64": "uint64", "F32": "float32", "F64": "float64"}
MODEL = {"layers.0.weight": ((2, 3), "float32"), "layers.0.bias": ((2,), "float32"), "layers.1.weight": ((2, 3), "float32"),
         "layers.1.bias": ((2,), "float32"), "image": (SHAPE, "float64"), "words": ((3, 2), "int32"), "others.0": ((), "float64"),
         "others.1": ((5,), "bool"), "rows": ((2, 3), "float32")}
passed = failed = 0


def check(what, fact):
    global passed, failed
    passed, failed = passed + bool(fact), failed + (not fact)
    if not fact:
        print(what, "came differently")


def entries(leaf, shape, dtype):
    """The array whose entries say where they stand, as exchange.cpp has it."""
    number = numpy.zeros(shape, dtype="int64")
    for axis, index in enumerate(numpy.indices(shape)):
        number = number + index * 10**axis
    if dtype == "bool":
        return (leaf + number) % 3 == 0
    if dtype.startswith("float"):
        return (leaf + number / 8).astype(dtype)
    return (leaf + number).astype(dtype)


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and numpy.array_equal(a, b)


def read_safetensors(file):
    raw = file.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    metadata = header.pop("__metadata__", {})
    arrays = {}
    for name, t in header.items():
        begin, end = t["data_offsets"]
        flat = numpy.frombuffer(raw[8 + length + begin : 8 + length + end], dtype=TYPES[t["dtype"]])
        arrays[name] = flat.reshape(t["shape"])
    return arrays, metadata


def write_safetensors(file, arrays, metadata):
    header, data = {"__metadata__": metadata}, b""
    for name, a in arrays.items():
        dtype = next(k for k, v in TYPES.items() if v == str(a.dtype))
        raw = numpy.ascontiguousarray(a).tobytes()
        header[name] = {"dtype": dtype, "shape": list(a.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(text)) + text + data)


def check_model(what, arrays, program):
    check(what + ": names", sorted(arrays) == sorted(MODEL))
    check(what + ": program", program == PROGRAM)
    for leaf, (name, (shape, dtype)) in enumerate(MODEL.items(), start=1):
        check(what + ": " + name, same(arrays[name], entries(leaf, shape, dtype)))


def read_all(folder):
    for dtype in TYPES.values():
        for rank in range(5):
            name = f"{dtype}_{rank}"
            shape = (3,) if rank == 1 else SHAPE[:rank]
            check(name, same(numpy.load(folder / (name + ".npy")), entries(1, shape, dtype)))
    check("Fortran's order", numpy.load(folder / "float32_2.npy").flags.f_contiguous)
    archive = dict(numpy.load(folder / "model.npz"))
    check_model("model.npz", archive, int(archive.pop("__program__")))
    arrays, metadata = read_safetensors(folder / "model.safetensors")
    check_model("model.safetensors", arrays, int(metadata["etch.program"], 16))
    with open(folder / "table.csv", encoding="ascii") as table:
        check("header of table.csv", table.readline() == "up,down\n")
    check("table.csv", numpy.array_equal(numpy.loadtxt(folder / "table.csv", delimiter=",", skiprows=1), entries(1, (2, 3), "float32").T))
    if safetensors is not None:
        check_model("model.safetensors by the library", safetensors.load_file(folder / "model.safetensors"), PROGRAM)


def write_all(folder):
    arrays = {name: entries(leaf, *kind) for leaf, (name, kind) in enumerate(MODEL.items(), start=1)}
    for order, arranged in (("c", numpy.ascontiguousarray), ("f", numpy.asfortranarray)):
        for dtype in TYPES.values():
            for rank in range(5):
                shape = (3,) if rank == 1 else SHAPE[:rank]
                a = entries(1, shape, dtype)
                numpy.save(folder / f"{order}_{dtype}_{rank}.npy", arranged(a) if rank > 0 else a)
        model = {name: arranged(a) if a.ndim > 0 else a for name, a in arrays.items()}
        model["__program__"] = numpy.uint64(PROGRAM)
        numpy.savez(folder / f"{order}_plain.npz", **model)
        numpy.savez_compressed(folder / f"{order}_compressed.npz", **model)
    metadata = {"etch.program": f"{PROGRAM:016x}", "format": "np"}
    write_safetensors(folder / "own.safetensors", arrays, metadata)
    if safetensors is not None:
        safetensors.save_file({k: numpy.ascontiguousarray(v).reshape(v.shape) for k, v in arrays.items()}, folder / "library.safetensors", metadata)
    numpy.savetxt(folder / "table.csv", arrays["layers.0.weight"].T, delimiter=",", header="up,down", comments="")


try:
    import safetensors.numpy as safetensors
except ImportError:
    safetensors = None
    print("skipped: Python's own safetensors, which is not installed")

with tempfile.TemporaryDirectory() as name:
    there, back = Path(name) / "there", Path(name) / "back"
    there.mkdir()
    back.mkdir()
    subprocess.run([sys.argv[1], "write", there], check=True)
    read_all(there)
    write_all(back)
    reading = subprocess.run([sys.argv[1], "read", back], stdout=subprocess.PIPE, text=True)
    *complaints, count = reading.stdout.splitlines() or ["0 passed, 1 failed"]
    for line in complaints:
        print(line)
    check("what Python wrote", reading.returncode == 0 and count.endswith(" 0 failed"))
    passed += int(count.split()[0]) if reading.returncode == 0 else 0
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
