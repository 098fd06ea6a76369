#!/usr/bin/env python3
# Prints straight_line N: a generic lambda of two numbers with N statements, each an operation of its own: usage straight_line.py N
# Each takes one or two of the last values; a value that none has taken is taken by the last that could, so all of them count.
import random
import sys

WINDOW = 12  # a statement sees so many values before it


def statements(count):
    draw = random.Random(count)
    lines = ["auto v0 = x;", "auto v1 = y;"]
    untaken = {0, 1}
    for v in range(2, count + 2):
        seen = range(max(0, v - WINDOW), v)
        first = seen[0] if seen[0] in untaken else draw.choice(seen)
        second = draw.choice([other for other in seen if other != first])
        form = draw.choice(["v{0} * v{1}", "v{0} + v{1}", "v{0} - v{1}", "sin(v{0})", "tanh(v{0})", "v{0} * {2}", "v{0} + {2}"])
        untaken -= {first, second} if "{1}" in form else {first}
        untaken.add(v)
        lines.append(f"auto v{v} = {form.format(first, second, draw.randrange(1, 100) / 100)};")
    lines.append(f"return {' + '.join(f'v{v}' for v in sorted(untaken))};")
    return "inline constexpr auto statements = [](auto x, auto y) {\n" + "".join(f"  {line}\n" for line in lines) + "};\n"


if __name__ == "__main__":
    print(statements(int(sys.argv[1])), end="")
