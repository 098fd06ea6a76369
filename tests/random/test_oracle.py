#!/usr/bin/env python3
"""The oracle itself: against differences of its values, against derivatives known in closed form, and where zeros, infinities and NaN meet."""

import math
import random

import oracle as o
import vocabulary
from arrays import Array
from expect import draw_number, evaluated, expectation
from losses import Block, Loss, Statement, draw_loss

passed = failed = 0


def check(what, true):
    global passed, failed
    if true:
        passed += 1
    else:
        failed += 1
        print('FAILED', what)


def derivatives(f, *numbers):
    """The value of f, and its first derivatives, None where nothing arrives."""
    t = o.Tape()
    xs = [t.variable(v) for v in numbers]
    y = f(t, *xs)
    return [y.value] + [None if g is None else g.value for g in t.gradient(y, xs)]


def same(a, b):
    return a is b or a == b or (a is not None and b is not None and math.isnan(a) and math.isnan(b))


# Closed forms, and the table of promises.
for name, f, numbers, expected in (
        ('sin(x) x', lambda t, x: o.mul(t, o.sin(t, x), x), (0.5,), [math.sin(0.5) * 0.5, math.cos(0.5) * 0.5 + math.sin(0.5)]),
        ('relu at 0', o.relu, (0.0,), [0, None]),
        ('abs of NaN', o.absolute, (math.nan,), [math.nan, math.nan]),
        ('sqrt at -0', o.sqrt, (-0.0,), [0, math.inf]),
        ('log at -0', o.log, (-0.0,), [-math.inf, math.inf]),
        ('log below 0', o.log, (-1.0,), [math.nan, math.nan]),
        ('x sqrt(x) at 0', lambda t, x: o.mul(t, x, o.sqrt(t, x)), (0.0,), [0, math.nan]),
        ('x^1.5 at 0', o.power(1.5), (0.0,), [0, 0]),
        ('1 / x at 0', lambda t, x: o.div(t, t.constant(1), x), (0.0,), [math.inf, -math.inf]),
        ('max of equals', lambda t, a, b: o.largest(t, [a, b]), (2.0, 2.0), [2, 0.5, 0.5]),
        ('max beside NaN', lambda t, a, b: o.largest(t, [a, b]), (1.0, math.nan), [math.nan] * 3),
        ('clamp at its bound', lambda t, x: o.clamp(t, x, -1.0, 1.0), (1.0,), [1, 1]),
        ('norm of zeros', lambda t, a, b: o.norm(t, [a, b]), (0.0, 0.0), [0, None, None]),
        ('logsumexp of -inf', lambda t, a, b: o.logsumexp(t, [a, b]), (-math.inf, -math.inf), [-math.inf, None, None]),
        ('not taken', lambda t, x: o.mul(t, x, x) if x.value > 0 else t.constant(3), (-2.0,), [3, None]),
        ('stopped', lambda t, x: o.mul(t, x, o.stop_gradient(t, x)), (3.0,), [9, 3])):
    got = derivatives(f, *numbers)
    check('%s: %s' % (name, got), all(same(a, b) or a is not None and b is not None and abs(a - b) < 1e-15 for a, b in zip(got, expected)))

# Every smooth function against differences, at first and second order.
for name, op in vocabulary.OPS.items():
    if name in ('stop_gradient', 'sign', 'floor') or op.kind == 'mask' or '{1}' in op.cpp or '{0}' not in op.cpp or '<' in op.cpp:
        continue
    for v in (0.37, 0.81):
        def value(x, order):
            t = o.Tape()
            a = t.variable(x)
            y = op.run(t, {'c': 2.0, 'at': (0,)}, Array((1,), [a])).entries[0]
            for _ in range(order):
                y = t.gradient(y, [a])[0] or t.constant(0)
            return y.value
        h = 1e-6
        for order in (1, 2):
            if name == 'norm' and order == 2:
                continue
            difference = (value(v + h, order - 1) - value(v - h, order - 1)) / (2 * h)
            check('%s, order %d at %g' % (name, order, v), abs(value(v, order) - difference) < 1e-7 * max(1, abs(difference)))

# Whole losses: gradients against differences of values, the sweep forward against the sweep back, wherever a value is smooth.
rng = random.Random(5)
for i in range(150):
    loss = draw_loss(random.Random(i))
    inputs = [[draw_number(rng, 'tame') for _ in range(math.prod(s))] for s in loss.arguments.values()]
    moves = [[rng.choice((1.0, -0.5)) for _ in xs] for xs in inputs]
    want, _ = expectation(loss, inputs, moves, i)
    if any(tol is None for _, tol in want['first']):
        continue
    value, along = want['first'][0][0], want['along'][0]
    product = sum(g * d for (g, _), d in zip(want['first'][1:], (d for ds in moves for d in ds)))
    if along[1] is not None and math.isfinite(product):
        check('loss %d: forward %r, back %r' % (i, along[0], product), abs(product - along[0]) <= 1e-9 * max(1, abs(product), abs(value)))

# A mismatch is found: a loss that is multiplied by 1 + 1e-12 is another.
loss = Loss({'x': (2,)}, Block([('x', (2,))], [Statement(['y'], 'exp', ['x'])], ['y']), [1.0])
(value, tolerance), *_ = expectation(loss, [[0.3, 0.4]], [[1.0, 1.0]], 1)[0]['first']
check('tolerance', 0 < tolerance < 1e-12 * value and abs(value - math.exp(0.3) - math.exp(0.4)) < tolerance)

# Noise moves what rounds, and nothing else.
out, _ = evaluated(loss, [[0.0, -math.inf]], [[1.0, 1.0]], o.NOTHING, random.Random(1))
check('exact values', [v for v, _ in out['first']] == [1, 1, 0])

print('%d passed, %d failed' % (passed, failed))
raise SystemExit(failed != 0)
