"""What the oracle expects of a loss at given numbers, and by how much correct programs may differ from it."""

import math
import random

import oracle as o
from arrays import Array, each, size_of
from losses import run_block

# Noise is drawn a few times; what moves by d in the worst of them may move by a multiple of it in a program that rounds elsewhere.
DRAWS, FACTOR = 2, 48
EPSILON = 2.0 ** -52


def evaluated(loss, inputs, directions, convention, noise):
    """Value and gradients of every kind as lists of (number, unknown); and whether anything on the way was no finite number."""
    t = o.Tape(convention, noise)
    env, variables = {}, []
    for (name, shape), numbers in zip(loss.arguments.items(), inputs):
        env[name] = Array(shape, [t.variable(v) for v in numbers])
        variables += env[name].entries
    results = run_block(t, loss.block, env)
    odd = any(isinstance(n, o.Node) and not math.isfinite(n.value) for n in t.records)

    def combined(parts):
        y = None
        for w, part in zip(loss.weights, parts):
            for e in part:
                e = o.mul(t, e, t.constant(w)) if e is not None else None
                y = e if y is None else y if e is None else o.add(t, y, e)
        return y
    out = {}
    primal = len(t.records)
    value = combined([r.entries for r in results])
    out['first'] = [value] + t.gradient(value, variables)
    t.records, t.differentiating = t.records[:primal], False

    alone = combined([results[0].entries])
    out['alone'] = [alone] + t.gradient(alone, variables)
    t.records, t.differentiating = t.records[:primal], False

    ys = [e for r in results for e in r.entries]
    moves = {x.index: t.constant(v) for x, v in zip(variables, (v for each in directions for v in each))}
    dys = t.along(ys, moves)
    parts, at = [], 0
    for r in results:
        parts.append(dys[at:at + len(r.entries)])
        at += len(r.entries)
    along = combined(parts)
    t.twice = True
    second = t.gradient(along, variables) if along is not None else [None] * len(variables)
    if along is not None and not math.isfinite(along.value):  # what follows from NaN and infinities is nobody's to say
        second = [o.undetermined(t)] * len(variables)
    out['along'] = [along] + dys + ys + second
    return {kind: [(0.0, False) if x is None else (x.value, x.unknown) for x in xs] for kind, xs in out.items()}, odd


def kind_of(v):
    return 'nan' if math.isnan(v) else 'inf' if v == math.inf else '-inf' if v == -math.inf else 'finite'


def expectation(loss, inputs, directions, seed):
    """For every kind a list of (value, tolerance); the tolerance is None where the value is not determined."""
    runs = []
    for convention in o.CONVENTIONS:
        runs.append(evaluated(loss, inputs, directions, convention, None))
        runs += [evaluated(loss, inputs, directions, convention, random.Random(seed + i)) for i in range(DRAWS)]
    expected = {}
    for kind in runs[0][0]:
        expected[kind] = []
        for variants in zip(*(run[kind] for run, _ in runs)):
            base = variants[0][0]
            kinds = {kind_of(v) for v, _ in variants}
            spread = max((abs(v - base) for v, _ in variants), default=0) if kinds == {'finite'} else 0
            determined = len(kinds) == 1 and not any(unknown for _, unknown in variants)
            # Sweeps back and forward multiply in other orders: where they meet infinities they may differ.
            determined = determined and (kind != 'along' or kinds == {'finite'})
            determined = determined and (kinds != {'finite'} or spread <= 1e-6 * abs(base) or spread < 1e-9)
            tolerance = FACTOR * max(spread, EPSILON * abs(base))
            expected[kind].append((base, tolerance if determined and tolerance < math.inf else None) if not math.isinf(base) else (base, 0.0 if determined else None))
    return expected, runs[0][1]


# ---- numbers to evaluate at ----

PLAIN = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0)
WILD = (math.inf, -math.inf, math.nan, 5e-324, 1e-310, -1e-310, 710.0, -750.0)


def draw_number(rng, mood):
    if mood == 'tame':
        return round(rng.uniform(0.25, 1.75), 3)
    if mood == 'mixed':
        return round(rng.uniform(-1.5, 1.5), 3)
    if mood == 'special':
        return rng.choice(PLAIN) if rng.random() < 0.6 else round(rng.uniform(-1.5, 1.5), 3)
    return rng.choice(WILD + PLAIN) if rng.random() < 0.35 else round(rng.uniform(-1.5, 1.5), 3)


def draw_points(loss, rng, count, seed):
    """Numbers at which much is determined: one tame set, then those where something on the way is no number and the results are."""
    points = []
    for i in range(4 * count):
        mood = ('tame', 'special', 'mixed', 'wild', 'special')[i % 5]
        inputs = [[draw_number(rng, mood) for _ in range(size_of(shape))] for shape in loss.arguments.values()]
        directions = [[rng.choice((1.0, -0.5, 0.75, 1.25)) for _ in numbers] for numbers in inputs]
        expected, odd = expectation(loss, inputs, directions, seed + 100 * i)
        checked = [(v, tol) for kind in ('first', 'along') for v, tol in expected[kind]]
        determined = sum(tol is not None for _, tol in checked) / len(checked)
        finite = sum(tol is not None and math.isfinite(v) for v, tol in checked) / len(checked)
        points.append((3 if i == 0 else determined + finite * (2 if odd else 0.5), i, inputs, directions, expected))
    points.sort(key=lambda p: (-p[0], p[1]))
    return [p[2:] for p in points[:count]]
