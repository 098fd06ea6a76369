"""The operations that random losses are made of: how each is written in C++, and what it is for the oracle.

Values are arrays of `oracle.Node`; operands of lower rank get axes of extent 1 behind their own."""

import math

import oracle as o
from arrays import Array, build, each, indices, size_of


class Op:
    def __init__(self, cpp, run, kind='smooth'):
        self.cpp, self.run, self.kind = cpp, run, kind


OPS = {}


def unary(name, f, kind='smooth', cpp=None):
    OPS[name] = Op(cpp or name + '({0})', lambda t, p, x: each(lambda e: f(t, e), x), kind)


for name in ('exp', 'expm1', 'log', 'log1p', 'sin', 'cos', 'tanh', 'sigmoid', 'softplus', 'atan', 'square', 'cube', 'sqrt', 'rsqrt'):
    unary(name, getattr(o, name))
unary('neg', o.neg, cpp='(-{0})')
unary('stop_gradient', o.stop_gradient)
unary('sign', o.sign)
unary('floor', o.floor)
unary('abs', o.absolute)
unary('relu', o.relu)
unary('leaky_relu', o.leaky_relu, cpp='leaky_relu({0}, 0.125)')
unary('clamp', lambda t, x: o.clamp(t, x, -1.0, 1.0), cpp='clamp({0}, -1.0, 1.0)')
for exponent in (1.5, 3, -1, 2.5, 2):
    unary('pow %g' % exponent, o.power(exponent) if exponent != -1 else lambda t, x: o.div(t, t.constant(1), x), cpp='pow({0}, %s)' % exponent)


def binary(name, cpp, f):
    OPS[name] = Op(cpp, lambda t, p, a, b: each(lambda x, y: f(t, x, y), a, b))


binary('add', '({0} + {1})', o.add)
binary('sub', '({0} - {1})', o.sub)
binary('mul', 'cwise_product({0}, {1})', o.mul)
binary('div', '({0} / {1})', o.div)
binary('max', 'max({0}, {1})', lambda t, a, b: a if a is b else o.largest(t, [a, b]))
binary('min', 'min({0}, {1})', lambda t, a, b: a if a is b else o.smallest(t, [a, b]))
binary('hypot', 'hypot({0}, {1})', lambda t, a, b: o.norm(t, [a, b]))
binary('logaddexp', 'logaddexp({0}, {1})', lambda t, a, b: o.logsumexp(t, [a, b]))
binary('xlogy', 'xlogy({0}, {1})', o.xlogy)
binary('atan2', 'atan2({0}, {1})', o.angle)
binary('pow', 'pow({0}, {1})', o.power_of)


def filled(t, p):
    return Array(p['shape'], [t.constant(p['c'])] * size_of(p['shape']))


OPS['plus full'] = Op('({0} + etch::full<{dims}>({c}))', lambda t, p, x: each(lambda a, b: o.add(t, a, b), x, filled(t, p)))
OPS['times full'] = Op('cwise_product(etch::full<{dims}>({c}), {0})', lambda t, p, x: each(lambda a, b: o.mul(t, a, b), x, filled(t, p)))
OPS['max full'] = Op('max({0}, etch::full<{dims}>({c}))', lambda t, p, x: each(lambda a, b: o.largest(t, [a, b]), x, filled(t, p)))
OPS['plus'] = Op('({0} + {c})', lambda t, p, x: each(lambda e: o.add(t, e, t.constant(p['c'])), x))
OPS['minus from'] = Op('({c} - {0})', lambda t, p, x: each(lambda e: o.sub(t, t.constant(p['c']), e), x))
OPS['times'] = Op('({0} * {c})', lambda t, p, x: each(lambda e: o.mul(t, e, t.constant(p['c'])), x))
OPS['over'] = Op('({c} / {0})', lambda t, p, x: each(lambda e: o.div(t, t.constant(p['c']), e), x))
OPS['maximum of literal'] = Op('max({0}, {c})', lambda t, p, x: each(lambda e: o.largest(t, [e, t.constant(p['c'])]), x))

COMPARISONS = {
    '<': lambda a, b: a < b, '<=': lambda a, b: a <= b, '>': lambda a, b: a > b, '>=': lambda a, b: a >= b, '==': lambda a, b: a == b,
    '!=': lambda a, b: a != b,
}


def compare(t, p, a, *b):
    f = COMPARISONS[p['compare']]

    def one(x, y):
        m = t.constant(1.0 if f(x.value, y.value) else 0.0)
        m.unknown = x.unknown or y.unknown
        return m
    return each(one, a, b[0] if b else Array((), [t.constant(p['c'])]))


OPS['compare'] = Op('({0} {compare} {1})', compare, 'mask')
OPS['compare with'] = Op('({0} {compare} {c})', compare, 'mask')
OPS['not'] = Op('(!{0})', lambda t, p, a: each(lambda x: t.constant(1.0 if x.value == 0 else 0.0), a), 'mask')
OPS['and'] = Op('({0} && {1})', lambda t, p, a, b: each(lambda x, y: t.constant(float(x.value != 0 and y.value != 0)), a, b), 'mask')
OPS['or'] = Op('({0} || {1})', lambda t, p, a, b: each(lambda x, y: t.constant(float(x.value != 0 or y.value != 0)), a, b), 'mask')


def choose(t, c, a, b):
    """What is taken, itself; an unknown condition makes it unknown."""
    y = a if c.value != 0 else b
    return t.record(y.value, (y,), (1,), exact=True, unknown=True) if c.unknown else y


OPS['select'] = Op('select({0}, {1}, {2})', lambda t, p, c, a, b: each(lambda x, y, z: choose(t, x, y, z), c, a, b))
OPS['select literal'] = Op('select({0}, {1}, {c})', lambda t, p, c, a: each(lambda x, y: choose(t, x, y, t.constant(p['c'])), c, a))
OPS['select literal first'] = Op('select({0}, {c}, {1})', lambda t, p, c, a: each(lambda x, y: choose(t, x, t.constant(p['c']), y), c, a))


# ---- views ----

def view(pick):
    """A view: entries of its operand, of which it may leave some out."""
    def run(t, p, x):
        y = pick(x, p)
        places = {}  # nodes of their own, so that `left_out` can tell whether something arrives here
        for e in y.entries:
            if id(e) not in places:
                places[id(e)] = e if e.index < 0 else t.record(e.value, (e,), (1,), exact=True)
        t.left_out([e for e in places.values() if e.index >= 0], [e for e in x.entries if id(e) not in places and e.index >= 0])
        return Array(y.shape, [places[id(e)] for e in y.entries])
    return run


def moved(at, axis, i):
    return at[:axis] + (i,) + at[axis + 1:]


def part(x, p):
    axis = p['axis']
    return build(moved(x.shape, axis, p['count']), lambda at: x[moved(at, axis, p['begin'] + at[axis] * p['step'])])


def transposed(x):
    x = x.of_rank(2)
    return build(x.shape[::-1], lambda at: x[at[::-1]])


def joined(t, p, a, b):
    """One after the other along axis 0."""
    n = a.shape[0]
    return build((n + b.shape[0],) + a.shape[1:], lambda at: a[at] if at[0] < n else b[(at[0] - n,) + at[1:]])


OPS['index'] = Op('{0}({i})', view(lambda x, p: Array((), [x[p['at']]])))
OPS['slice'] = Op('etch::slice<{axis}, {begin}, {count}, {step}>({0})', view(part))
OPS['reshape'] = Op('etch::reshape<{dims}>({0})', view(lambda x, p: Array(p['shape'], x.entries)))
OPS['flatten'] = Op('flatten({0})', view(lambda x, p: Array((len(x.entries),), x.entries)))
OPS['transpose'] = Op('transpose({0})', view(lambda x, p: transposed(x)))
OPS['broadcast'] = Op('etch::broadcast<{dims}>({0})', view(lambda x, p: x.broadcast(p['shape'])))
OPS['reverse'] = Op('etch::reverse<{axis}>({0})',
                    view(lambda x, p: build(x.shape, lambda at: x[moved(at, p['axis'], x.shape[p['axis']] - 1 - at[p['axis']])])))
OPS['diagonal'] = Op('diagonal({0})', view(lambda x, p: build((min(x.shape),), lambda at: x[at * 2])))
OPS['row'] = Op('etch::row<{begin}>({0})', view(lambda x, p: build((1, x.shape[1]), lambda at: x[p['begin'], at[1]])))
OPS['col'] = Op('etch::col<{begin}>({0})', view(lambda x, p: build((x.shape[0], 1), lambda at: x[at[0], p['begin']])))
OPS['concat'] = Op('etch::concat<0>({0}, {1})', joined)
OPS['stack'] = Op('etch::stack<0>({0}, {1})', lambda t, p, a, b: build((2,) + a.shape, lambda at: (a, b)[at[0]][at[1:]]))


# ---- reductions, running sums, products ----

def along_axis(f):
    def run(t, p, x):
        axis = p.get('axis')
        if axis is None:
            return Array((), [f(t, x.entries)])
        return build(moved(x.shape, axis, 1), lambda at: f(t, [x[moved(at, axis, k)] for k in range(x.shape[axis])]))
    return run


REDUCTIONS = {'sum': o.total, 'mean': o.mean, 'max entry': o.largest, 'min entry': o.smallest, 'prod': o.product, 'norm': o.norm,
              'logsumexp': o.logsumexp, 'variance': o.variance, 'stddev': o.spread_of}
for name, f in REDUCTIONS.items():
    stem = name.split()[0]
    OPS[name] = Op('etch::' + stem + '({0})', along_axis(f))
    OPS[name + ' along'] = Op('etch::' + stem + '<{axis}>({0})', along_axis(f))


def softmax(t, p, x):
    y = o.logsumexp(t, x.entries)
    return each(lambda e: o.exp(t, o.sub(t, e, y)), x)


def cumsum(t, p, x):
    axis, sums = p['axis'], {}
    for at, e in zip(indices(x.shape), x.entries):
        sums[at] = e if at[axis] == 0 else o.add(t, sums[moved(at, axis, at[axis] - 1)], e)
    return build(x.shape, sums.get)


def matmul(t, p, a, b):
    """Products of matrices multiply zeros too: what arrives anywhere arrives everywhere, if zeros are numbers."""
    columns = b.of_rank(2)
    y = build((a.shape[0], columns.shape[1]),
              lambda at: o.total(t, [o.mul(t, a[at[0], k], columns[k, at[1]]) for k in range(a.shape[1])]))
    if any(not math.isfinite(e.value) for e in a.entries + b.entries):
        y = each(lambda e: t.record(e.value, (e,), (1,), exact=True, unknown=True), y)
    t.left_out([e for e in y.entries if e.index >= 0], [e for e in a.entries + b.entries if e.index >= 0])
    return y if b.rank == 2 else Array((y.shape[0],), y.entries)


OPS['softmax'] = Op('softmax({0})', softmax)
OPS['cumsum'] = Op('etch::cumsum<{axis}>({0})', cumsum)
OPS['dot'] = Op('dot({0}, {1})', lambda t, p, a, b: Array((), [o.total(t, [o.mul(t, x, y) for x, y in zip(a.entries, b.entries)])]))
OPS['matmul'] = Op('({0} * {1})', matmul)
