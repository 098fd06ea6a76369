"""Random losses: statements over arrays, as C++ and for the oracle, and how they are drawn."""

import oracle as o
from arrays import Array, broadcast_shape, build, indices, size_of
from vocabulary import COMPARISONS, OPS, moved

KEEP = ('', ', etch::keep_carries', ', etch::keep_every<2>', ', etch::keep_recursive<%d>')
LOOPS = ('repeat', 'scan', 'map', 'sum_map', 'checkpoint')


class Block:
    """Statements with names for what they are given, and which values they return."""

    def __init__(self, params, statements, results):
        self.params, self.statements, self.results = params, statements, results


class Statement:
    def __init__(self, names, op, args, p=None, body=None):
        self.names, self.op, self.args, self.p, self.body = names, op, args, p or {}, body


class Loss:
    def __init__(self, arguments, block, weights):
        self.arguments, self.block, self.weights = arguments, block, weights  # arguments: name -> shape


# ---- for the oracle ----

def run_block(t, block, env):
    for s in block.statements:
        for name, value in zip(s.names, run_statement(t, s, env)):
            env[name] = value
    return [env[name] for name in block.results]


def column(x, k):
    return build(x.shape[:-1], lambda at: x[at + (k,)])


def stacked(ys):
    return Array(ys[0].shape + (len(ys),), [e for y in ys for e in y.entries])


def run_statement(t, s, env):
    xs = [env[a] for a in s.args]
    if s.op not in LOOPS:
        return [OPS[s.op].run(t, s.p, *xs)]

    def body(*values):
        return run_block(t, s.body, {**env, **dict(zip([name for name, _ in s.body.params], values))})
    if s.op == 'repeat':
        for _ in range(s.p['count']):
            xs = body(*xs)
        return xs
    if s.op == 'checkpoint':
        return body(*xs)
    steps = xs[-1].shape[-1]
    if s.op == 'scan':
        carry, ys = xs[0], []
        for k in range(steps):
            carry, *y = body(carry, column(xs[1], k))
            ys.append(y)
        return [carry] + [stacked([y[i] for y in ys]) for i in range(len(ys[0]))]
    results = [body(*(column(x, k) for x in xs)) for k in range(steps)]
    if s.op == 'map':
        return [stacked(list(ys)) for ys in zip(*results)]
    return [Array(ys[0].shape, [o.total(t, list(es)) for es in zip(*(y.entries for y in ys))]) for ys in zip(*results)]


# ---- as C++ ----

def number(c):
    text = repr(float(c))
    return '(%s)' % text if text.startswith('-') else text


def block_text(block, indent, carries=None):
    pad = '  ' * indent
    lines = [line for s in block.statements for line in statement_text(s, indent)]
    results = ', '.join(block.results)
    if carries == 'scan' and len(block.results) == 2:
        results = 'etch::step{%s}' % results
    elif len(block.results) > 1:
        results = 'std::tuple(%s)' % results
    return lines + ['%sreturn %s;' % (pad, results)]


def statement_text(s, indent):
    pad = '  ' * indent
    if s.op not in LOOPS:
        p = {'c': number(s.p['c'])} if 'c' in s.p else {}
        if 'shape' in s.p:
            p['dims'] = ', '.join(map(str, s.p['shape']))
        if 'at' in s.p:
            p['i'] = ', '.join(map(str, s.p['at']))
        return ['%sauto const %s = %s;' % (pad, s.names[0], OPS[s.op].cpp.format(*s.args, **{**s.p, **p}))]
    params = ', '.join('auto ' + name for name, _ in s.body.params)
    f = '[&](%s) {\n%s\n%s}' % (params, '\n'.join(block_text(s.body, indent + 1, s.op)), pad)
    args = ', '.join(s.args)
    call = {
        'repeat': lambda: 'etch::repeat<%d>(%s, %s%s)' % (s.p['count'], f, args, s.p['keep']),
        'scan': lambda: 'etch::scan(%s, %s%s)' % (f, args, s.p['keep']),
        'map': lambda: 'etch::map(%s, %s)' % (f, args),
        'sum_map': lambda: 'etch::sum_map(%s, %s)' % (f, args),
        'checkpoint': lambda: 'etch::checkpoint(%s)(%s)' % (f, args),
    }[s.op]()
    if len(s.names) == 1:
        return ['%sauto const %s = %s;' % (pad, s.names[0], call)]
    parts = ('{0}.carry', '{0}.y') if s.op == 'scan' else ('std::get<0>({0})', 'std::get<1>({0})')
    both = s.names[0] + '_' + s.names[1]
    return ['%sauto const %s = %s;' % (pad, both, call)] + [
        '%sauto const %s = %s;' % (pad, name, each.format(both)) for name, each in zip(s.names, parts)]


# ---- drawn ----

SINGULAR = ('log', 'sqrt', 'rsqrt', 'pow 1.5', 'pow -1', 'log1p', 'pow 2.5')
SMOOTH = ('exp', 'expm1', 'sin', 'cos', 'tanh', 'sigmoid', 'softplus', 'atan', 'square', 'cube', 'neg', 'pow 2', 'pow 3')
BINARY = ('hypot', 'logaddexp', 'xlogy', 'atan2', 'pow')
PIECES = ('abs', 'relu', 'leaky_relu', 'clamp', 'sign', 'floor', 'stop_gradient', 'stop_gradient')


class Drawing:
    """Values by name and shape, and the statements that made them."""

    def __init__(self, rng, avoid=(), names=None):
        self.rng, self.avoid = rng, avoid
        self.names = names if names is not None else iter('v%d' % i for i in range(10000))
        self.values, self.masks, self.statements = {}, {}, []  # names -> dummies
        self.used = set()
        self.depth = 0

    def inner(self):
        """A drawing for the body of a loop, which captures."""
        d = Drawing(self.rng, self.avoid, self.names)
        d.values, d.depth = dict(self.values), self.depth + 1
        return d

    def add(self, op, args, p=None, body=None, count=1):
        names = [next(self.names) for _ in range(count)]
        s = Statement(names, op, args, p, body)
        env = {**self.values, **self.masks}
        results = run_statement(DUMMY, s, env)
        if any(size_of(r.shape) > 24 or r.rank > 3 for r in results):
            return None
        self.statements.append(s)
        self.used.update(args)
        for name, r in zip(names, results):
            (self.masks if op in OPS and OPS[op].kind == 'mask' else self.values)[name] = Array(r.shape, [o.Node(-1, 1.0, (), None, False, False)] * len(r.entries))
        return names[0] if count == 1 else names

    def any(self, accept=lambda x: True):
        names = [n for n, x in self.values.items() if accept(x)]
        if not names:
            return None
        recent = names[-4:]
        return self.rng.choice(recent if self.rng.random() < 0.6 else names)

    def shape(self, name):
        return (self.values.get(name) or self.masks.get(name)).shape

    def beside(self, name):
        """A value that broadcasts with `name`."""
        return self.any(lambda x: broadcast_shape(x.shape, self.shape(name)) is not None)

    def statement(self):
        """One more value, or None."""
        kinds = {'unary': 5, 'binary': 5, 'literal': 2, 'view': 4, 'reduction': 2.5, 'product': 1, 'guard': 4, 'select': 1, 'loop': 2.5}
        if self.depth:
            kinds['loop'] = 0.4 if self.depth < 2 else 0
        kinds = {k: w for k, w in kinds.items() if k not in self.avoid}
        kind = self.rng.choices(list(kinds), list(kinds.values()))[0]
        return getattr(self, kind)()

    def unary(self, x=None):
        x = x or self.any()
        family = self.rng.choices((SMOOTH, SINGULAR, PIECES), (5, 2, 2))[0]
        op = self.rng.choice([name for name in family if name not in self.avoid] or SMOOTH)
        return self.add(op, [x])

    def binary(self, x=None):
        x = x or self.any()
        args = [x, self.beside(x)]
        self.rng.shuffle(args)
        ops = [op for op in ('add', 'sub', 'mul', 'div') * 3 + ('max', 'min') * 2 + BINARY if op not in self.avoid]
        return self.add(self.rng.choice(ops), args)

    def literal(self, x=None):
        op = self.rng.choice(('plus', 'minus from', 'times', 'over', 'maximum of literal'))
        x, c = x or self.any(), self.rng.choice((0.5, 1.0, 2.0, -1.5, 3.0))
        if self.shape(x) and self.rng.random() < 0.25:
            return self.add(self.rng.choice(('plus full', 'times full', 'max full')), [x], {'c': c, 'shape': self.shape(x)})
        return self.add(op, [x], {'c': c})

    def view(self, x=None):
        x = x or self.any(lambda v: v.rank > 0)
        if x is None or not self.shape(x):
            return None
        s, rng = self.shape(x), self.rng
        axis = rng.randrange(len(s))
        kind = rng.choice(('index', 'index', 'slice', 'reshape', 'flatten', 'transpose', 'broadcast', 'reverse', 'diagonal', 'row', 'col', 'concat', 'stack', 'cumsum'))
        if kind in self.avoid:
            return None
        if kind == 'index':
            return self.add(kind, [x], {'at': tuple(rng.randrange(n) for n in s)})
        if kind == 'slice':
            begin = rng.randrange(s[axis])
            step = rng.choice((1, 1, 2))
            count = rng.randint(1, (s[axis] - begin - 1) // step + 1)
            return self.add(kind, [x], {'axis': axis, 'begin': begin, 'count': count, 'step': step})
        if kind == 'reshape':
            shapes = [t for t in ((size_of(s),), (2, size_of(s) // 2), (size_of(s) // 2, 2), (1, size_of(s)), (size_of(s), 1)) if size_of(t) == size_of(s) and 0 not in t]
            return self.add(kind, [x], {'shape': rng.choice(shapes)})
        if kind == 'broadcast':
            if len(s) > 1 and 1 not in s:
                return None
            t = tuple(n if n > 1 else rng.choice((1, 2, 3)) for n in s)
            return self.add(kind, [x], {'shape': t if len(t) > 1 else t + (rng.choice((2, 3)),)})
        if kind in ('row', 'col', 'diagonal', 'transpose') and len(s) != 2:
            return None
        if kind in ('row', 'col'):
            return self.add(kind, [x], {'begin': rng.randrange(s[0 if kind == 'row' else 1])})
        if kind in ('reverse', 'cumsum'):
            return self.add(kind, [x], {'axis': axis})
        if kind in ('concat', 'stack'):
            y = self.any(lambda v: v.rank == len(s) and v.shape[1:] == s[1:] and (kind == 'concat' or v.shape == s))
            return self.add(kind, [x, y]) if y and len(s) < 3 else None
        return self.add(kind, [x])

    def reduction(self, x=None):
        x = x or self.any(lambda v: v.rank > 0)
        if x is None or not self.shape(x):
            return None
        op = self.rng.choice(('sum', 'sum', 'mean', 'max entry', 'min entry', 'prod', 'norm', 'logsumexp', 'softmax', 'variance', 'stddev'))
        if op in self.avoid:
            return None
        if op == 'softmax' or self.rng.random() < 0.6:
            return self.add(op, [x])
        return self.add(op + ' along', [x], {'axis': self.rng.randrange(len(self.shape(x)))})

    def product(self, x=None):
        a = x or self.any(lambda v: v.rank in (1, 2))
        if a is None or not 0 < len(self.shape(a)) < 3:
            return None
        n = self.shape(a)[-1]
        if len(self.shape(a)) == 1:
            b = self.any(lambda v: v.shape == (n,))
            return self.add('dot', [a, b])
        b = self.any(lambda v: v.rank in (1, 2) and v.shape[0] == n)
        return self.add('matmul', [a, b]) if b else None

    def mask(self, x):
        op = self.rng.choice(('>', '>', '>', '<', '>=', '<=', '==', '!='))
        y = self.beside(x)
        if self.rng.random() < 0.8 or y == x:
            m = self.add('compare with', [x], {'compare': op, 'c': self.rng.choice((0.0, 0.0, 0.0, 0.5, 1.0))})
        else:
            m = self.add('compare', [x, y], {'compare': op})
        if m and self.rng.random() < 0.1:
            m = self.add('not', [m])
        elif m and self.rng.random() < 0.15:
            others = [k for k, v in self.masks.items() if broadcast_shape(v.shape, self.shape(m)) is not None]
            m = self.add(self.rng.choice(('and', 'or')), [m, self.rng.choice(others)])
        return m

    def chosen(self, m, w):
        """A choice between `w` and something else."""
        if broadcast_shape(self.shape(m), self.shape(w)) is None:
            return None
        kind = self.rng.choice(('select literal', 'select literal', 'select literal first', 'select', 'select other'))
        if kind.startswith('select literal'):
            return self.add(kind, [m, w], {'c': self.rng.choice((0.0, 0.0, 1.0))})
        y = self.any(lambda v: broadcast_shape(v.shape, broadcast_shape(self.shape(m), self.shape(w))) is not None)
        return self.add('select', [m, w, y] if kind == 'select' else [m, y, w])

    def select(self):
        x = self.any()
        return self.chosen(self.mask(x), x)

    def guard(self):
        """Something that is singular at some u, where a mask made of u does not take it."""
        rng = self.rng
        u = self.any(lambda v: v.rank < 3)
        m = self.mask(u)
        w = self.add(rng.choice([s for s in SINGULAR if s not in self.avoid] or SMOOTH), [u]) if rng.random() < 0.8 else self.literal(u)
        for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
            if w is None:
                return None
            kinds = [k for k in ('unary', 'binary', 'binary', 'view', 'reduction', 'again', 'loop_over') if k not in self.avoid]
            kind = rng.choice(kinds)
            if kind == 'again':  # an intermediate value that is used twice
                other = self.unary(w)
                w = self.add(rng.choice(('mul', 'add', 'div')), [w, other]) or w
            else:
                w = getattr(self, kind)(w) or w
            if w is not None and isinstance(w, list):
                w = w[0]
        if broadcast_shape(self.shape(m), self.shape(w)) is None:
            v = u
            while self.shape(v):
                v = self.add('index', [v], {'at': tuple(rng.randrange(n) for n in self.shape(v))})
            m = self.mask(v)
        return self.chosen(m, w)

    # ---- loops ----

    def loop_over(self, x):
        return self.loop(x)

    def loop(self, x=None):
        rng = self.rng
        if self.depth > 1:
            return None
        x = x or self.any(lambda v: v.rank < 3)
        s = self.shape(x)
        kinds = [k for k in (('repeat', 'checkpoint', 'scan', 'map', 'sum_map') if s else ('repeat', 'checkpoint')) if k not in self.avoid]
        if not kinds:
            return None
        kind = rng.choice(kinds)
        d = self.inner()

        def param(shape):
            name = next(self.names)
            d.values[name] = Array(shape, [o.Node(-1, 1.0, (), None, False, False)] * size_of(shape))
            return name
        args, p = [x], {'keep': rng.choice(KEEP)} if kind in ('repeat', 'scan') else {}
        carry = None
        if kind == 'repeat':
            p['count'] = rng.randint(2, 4)
            carry, params = s, [param(s)]
        elif kind == 'scan':
            init = self.any(lambda v: v.rank < 3)
            carry = self.shape(init)
            args = [init, x]
            params = [param(carry), param(s[:-1])]
        elif kind == 'checkpoint':
            more = self.any(lambda v: v.rank < 3)
            args = [x, more] if rng.random() < 0.4 else [x]
            params = [param(self.shape(a)) for a in args]
        else:
            more = self.any(lambda v: v.rank > 0 and v.shape[-1] == s[-1] and v.rank < 3)
            args = [x, more] if more and rng.random() < 0.4 else [x]
            params = [param(self.shape(a)[:-1]) for a in args]
        if '%d' in p.get('keep', ''):
            p['keep'] %= 8 * size_of(carry) * rng.randint(1, 2)  # one carry or two
        made = []
        for _ in range(rng.randint(1, 4)):
            y = d.statement()
            made += [y] if isinstance(y, str) else y or []
        made = [y for y in made if y in d.values and size_of(d.shape(y)) <= 6]
        if not made:
            return None
        count = 2 if rng.random() < 0.3 else 1
        results = [made[-1]] + [rng.choice(made)] * (count - 1)
        if carry is not None:
            joined = d.add('add', [params[0], made[-1]]) if broadcast_shape(carry, d.shape(made[-1])) == carry else None
            if joined is None:
                reduced = d.add('mean', [made[-1]])
                joined = d.add(rng.choice(('add', 'mul')), [params[0], reduced])
            if rng.random() < 0.5:
                joined = d.add('tanh', [joined])
            results[0] = joined
            if kind == 'repeat':
                results, count = results[:1], 1
        if kind in ('map', 'sum_map') and any(len(d.shape(r)) > 1 for r in results):
            return None
        if any(len(d.shape(r)) > 2 for r in results):
            return None
        inside = {n for st in walk(d.statements) for n in st.args} | set(results)
        if kind in ('map', 'sum_map', 'checkpoint') and not inside & set(params):
            return None
        self.used |= inside & set(self.values)
        body = Block([(n, d.shape(n)) for n in params], d.statements, results)
        return self.add(kind, args, p, body, count)


def walk(statements):
    for s in statements:
        yield s
        if s.body:
            yield from walk(s.body.statements)


DUMMY = o.Tape()


def without_unused(statements, results):
    """Only what `results` need."""
    needed, kept = set(results), []
    for s in reversed(statements):
        if not needed & set(s.names):
            continue
        kept.append(s)
        needed.update(s.args)
        if s.body:
            s.body.statements = without_unused(s.body.statements, s.body.results)
            needed.update(n for inner in walk(s.body.statements) for n in inner.args)
            needed.update(s.body.results)
    return kept[::-1]


def draw_loss(rng, avoid=()):
    d = Drawing(rng, avoid)
    arguments = {'s': (), 'x': (rng.randint(2, 4),)}
    if rng.random() < 0.6:
        arguments['m'] = (arguments['x'][0], rng.randint(2, 3)) if rng.random() < 0.6 else (2, arguments['x'][0])
    for name, shape in arguments.items():
        d.values[name] = Array(shape, [o.Node(-1, 1.0, (), None, False, False)] * size_of(shape))
    wanted = rng.randint(3, 9)
    while len(d.statements) < wanted:
        d.statement()
    made = [n for s in d.statements for n in s.names if n in d.values]
    loose = [n for n in made if n not in d.used] or made[-1:]
    results = loose[-3:]
    if 'equal results' not in avoid and rng.random() < 0.5:  # results that are equal, stopped, or stand beside stopped ones
        y = results[-1]
        kind = rng.choice(('twice', 'stopped', 'times stopped', 'sign'))
        if kind == 'twice':
            results.append(y)
        elif kind == 'stopped':
            results.append(d.add('stop_gradient', [y]))
        elif kind == 'sign':
            results.append(d.add('sign', [y]))
        else:
            results.append(d.add('mul', [rng.choice(made), d.add('stop_gradient', [y])]) if broadcast_shape(d.shape(made[-1]), d.shape(y)) == () else
                           d.add('mul', [y, d.add('stop_gradient', [y])]))
        rng.shuffle(results)
    results = [r for r in results if r]
    block = Block(list(arguments.items()), without_unused(d.statements, results), results)
    read = {n for s in walk(block.statements) for n in s.args} | {n for s in walk(block.statements) if s.body for n in s.body.results} | set(results)
    arguments = {n: shape for n, shape in arguments.items() if n in read}
    if not arguments:
        return draw_loss(rng, avoid)
    block.params = list(arguments.items())
    shapes = [d.shape(r) for r in results]
    loss = Loss(arguments, block, [rng.choice((1.0, 0.5, -2.0, 1.5)) for _ in results])
    loss.shapes = shapes
    return loss
