"""Derivatives of scalars, defined by running: the oracle that random losses are compared with. It shares no code with etch.

A `Tape` records scalar operations at concrete numbers. A branch that is not taken is not recorded, so what `select` does not take cannot
arrive; a derivative that no path leads to is None, `nothing`, which is not the number 0. Sweeps record what they compute, so that derivatives
can be differentiated again.

Two things are measured by evaluating several times. `noise` moves every rounded result by an ulp or two, and shows by how much the results
move: that is the error that correct programs may differ by, and where an infinity, NaN or branch changes, the result is not determined. The
`convention` says what happens where the promises leave a choice: whether the zero derivative of a kink, of an entry that a view leaves out, or
of the smaller operand of `max`, is nothing, the number 0, or a product with 0 (which is NaN where an infinity arrives)."""

import math
from fractions import Fraction

INF, NAN = math.inf, math.nan
NOTHING, LITERAL, PRODUCT = 'nothing', 'literal', 'product'
CONVENTIONS = (NOTHING, LITERAL, PRODUCT)
ZERO = object()  # the derivative at a kink and of what is left out: 0, as the convention says


class Node:
    __slots__ = ('index', 'value', 'operands', 'partials', 'inexact', 'unknown')

    def __init__(self, index, value, operands, partials, inexact, unknown):
        self.index, self.value, self.operands, self.partials = index, value, operands, partials
        self.inexact, self.unknown = inexact, unknown


def is_extreme(v):
    return v != 0 and math.isfinite(v) and not 1e-140 < abs(v) < 1e140


class Tape:
    def __init__(self, convention=NOTHING, noise=None):
        self.convention, self.noise = convention, noise
        self.records = []
        self.differentiating = False

    # ---- numbers ----

    def constant(self, value):
        """A number that does not depend on anything."""
        return Node(-1, float(value), (), None, False, False)

    def variable(self, value):
        return self.record(float(value), (), (), exact=True)

    def record(self, value, operands, partials, exact=False, unknown=False):
        """An operation: `partials(self)` gives a derivative for each operand, a Node, a number, ZERO or None."""
        unknown = unknown or any(x.unknown for x in operands)
        inexact = any(x.inexact for x in operands)
        if not exact:
            finite = all(math.isfinite(x.value) for x in operands)
            if self.differentiating and (is_extreme(value) or (math.isinf(value) and finite and all(x.value != 0 for x in operands))):
                unknown = True
            if finite and math.isfinite(value):
                inexact = True
                value = self.moved(value, operands)
        node = Node(len(self.records), value, operands, partials, inexact, unknown)
        self.records.append(node)
        return node

    def moved(self, value, operands):
        if self.noise is None:
            return value
        if value == 0:  # what cancels leaves a rounding error, if products and sums are contracted; a zero's sign is anybody's
            scale = max((abs(x.value) for x in operands if x.inexact), default=0.0)
            return scale * self.noise.uniform(-4e-16, 4e-16) if scale else math.copysign(0.0, self.noise.uniform(-1, 1))
        moved = value * (1 + self.noise.uniform(-4.5e-16, 4.5e-16))
        return value if math.isinf(moved) else moved

    def left_out(self, outputs, rest):
        """What a view leaves out gets a zero as soon as anything arrives at the view."""
        if self.convention != NOTHING and rest:
            self.records.append((tuple(outputs), tuple(rest)))

    # ---- sweeps ----

    def scaled(self, g, partial):
        if partial is None:
            return None
        if partial is ZERO:
            if self.convention == NOTHING:
                return None
            return self.constant(0) if self.convention == LITERAL else mul(self, g, self.constant(0))
        if isinstance(partial, Node):
            return mul(self, g, partial)
        return g if partial == 1 else mul(self, g, self.constant(partial))

    def gradient(self, y, wrt):
        """The derivatives of `y` by the nodes `wrt`, each a Node or None."""
        self.differentiating = True
        adjoint = {y.index: self.constant(1)} if y.index >= 0 else {}
        for at in range(len(self.records) - 1, -1, -1):
            node = self.records[at]
            if isinstance(node, tuple):
                if any(x.index in adjoint for x in node[0]):
                    for x in node[1]:
                        self.arrive(adjoint, x, self.constant(0))
                continue
            g = adjoint.get(at)
            if g is None or not node.operands:
                continue
            for x, partial in zip(node.operands, node.partials(self) if callable(node.partials) else node.partials):
                if x.index >= 0:
                    self.arrive(adjoint, x, self.scaled(g, partial))
        return [adjoint.get(x.index) for x in wrt]

    def arrive(self, adjoint, x, contribution):
        if contribution is None or x.index < 0:
            return
        before = adjoint.get(x.index)
        adjoint[x.index] = contribution if before is None else add(self, before, contribution)

    def along(self, ys, directions):
        """The derivatives of `ys` where each node of the dictionary `directions` moves by a number node: a sweep forward."""
        self.differentiating = True
        tangent = {}
        for at in range(len(self.records)):
            node = self.records[at]
            if isinstance(node, tuple):
                continue
            total = directions.get(at)
            if node.operands and any(x.index in tangent for x in node.operands):
                for x, partial in zip(node.operands, node.partials(self) if callable(node.partials) else node.partials):
                    t = tangent.get(x.index)
                    part = None if t is None or x.index < 0 else self.scaled(t, partial)
                    if part is not None:
                        total = part if total is None else add(self, total, part)
            if total is not None:
                tangent[at] = total
        return [tangent.get(y.index) if y.index >= 0 else None for y in ys]


# ---- operations on scalars ----

def is_exact_product(a, b, r):
    return r != 0 and all(map(math.isfinite, (a, b, r))) and Fraction(a) * Fraction(b) == Fraction(r)


def add(t, a, b):
    v = a.value + b.value
    exact = math.isfinite(v) and (v != 0 and Fraction(a.value) + Fraction(b.value) == Fraction(v) or
                                  v == 0 and not (a.inexact or b.inexact))
    # Sums of products may be computed as products of sums: (m + n) inf is an infinity where m inf + n inf is NaN.
    unknown = math.isnan(v) and not (math.isfinite(a.value) or math.isfinite(b.value))
    return t.record(v, (a, b), (1, 1), exact=exact and v != 0 or exact and t.noise is None, unknown=unknown)


def sub(t, a, b):
    return add(t, a, neg(t, b))


def neg(t, a):
    return t.record(-a.value, (a,), (-1,), exact=True)


def mul(t, a, b):
    v = a.value * b.value
    return t.record(v, (a, b), (b, a), exact=is_exact_product(a.value, b.value, v))


def quotient(a, b):
    if b != 0:
        return a / b
    if a == 0 or math.isnan(a):
        return NAN
    return math.copysign(INF, a) * math.copysign(1, b)


def div(t, a, b):
    v = quotient(a.value, b.value)
    exact = b.value != 0 and is_exact_product(v, b.value, a.value)
    y = t.record(v, (a, b), None, exact=exact)
    y.partials = lambda t: (div(t, t.constant(1), b), neg(t, mul(t, div(t, t.constant(1), b), y)))
    return y


def guarded(f, pole=NAN):
    def g(x):
        if math.isnan(x):
            return NAN
        try:
            return f(x)
        except OverflowError:
            return INF
        except ValueError:
            return pole
    return g


def natural_log(x):
    return -INF if x == 0 else INF if x == INF else guarded(math.log)(x)


def function(value, partial, exact_at=()):
    """A smooth function of one number; `partial(t, x, y)` is its derivative."""
    def apply(t, x):
        v = value(x.value)
        y = t.record(v, (x,), None, exact=x.value in exact_at or v == 0 and x.value == 0)
        y.partials = lambda t: (partial(t, x, y),)
        return y
    return apply


def const(c):
    return lambda t: t.constant(c)


def unsigned(t, x):
    """x, with +0 for -0: poles at 0 are met from inside the domain."""
    return x if x.value != 0 else t.record(0.0, (x,), (1,), exact=True)


def inverse_or_nan(t, x, inside):
    return div(t, t.constant(1), unsigned(t, x)) if inside else t.constant(NAN)


def sigmoid_value(x):
    return 1 / (1 + math.exp(-x)) if x >= 0 else guarded(math.exp)(x) / (1 + guarded(math.exp)(x)) if x == x else NAN


def softplus_value(x):
    return NAN if x != x else max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def power_value(a, b):
    if b == 0:
        return 1.0
    if a < 0 and b != int(b):
        return NAN
    if a == 0 and b < 0:
        return INF
    try:
        return math.pow(a, b)
    except OverflowError:
        return INF


one = const(1)
exp = function(guarded(math.exp), lambda t, x, y: y, (0.0, -INF, INF))
expm1 = function(guarded(math.expm1), lambda t, x, y: add(t, y, one(t)), (-INF, INF))
log = function(natural_log, lambda t, x, y: inverse_or_nan(t, x, not x.value < 0), (1.0,))
log1p = function(lambda x: -INF if x == -1 else guarded(math.log1p)(x),
                 lambda t, x, y: t.constant(NAN) if x.value < -1 else div(t, one(t), add(t, one(t), x)))
sin = function(guarded(math.sin), lambda t, x, y: cos(t, x))
cos = function(guarded(math.cos), lambda t, x, y: neg(t, sin(t, x)), (0.0,))
tanh = function(guarded(math.tanh), lambda t, x, y: sub(t, one(t), mul(t, y, y)), (INF, -INF))
sigmoid = function(sigmoid_value, lambda t, x, y: mul(t, y, sub(t, one(t), y)), (0.0, INF, -INF))
softplus = function(softplus_value, lambda t, x, y: sigmoid(t, x), (INF, -INF))
atan = function(guarded(math.atan), lambda t, x, y: div(t, one(t), add(t, one(t), mul(t, x, x))))
square = function(lambda x: x * x, lambda t, x, y: mul(t, t.constant(2), x))
cube = function(lambda x: x * x * x, lambda t, x, y: mul(t, t.constant(3), mul(t, x, x)))
root = guarded(math.sqrt)
sqrt = function(root, lambda t, x, y: t.constant(NAN) if x.value < 0 else div(t, t.constant(0.5), unsigned(t, y)), (1.0, 4.0))
positive_rsqrt = function(lambda x: quotient(1.0, root(x)), lambda t, x, y: div(t, y, mul(t, t.constant(-2), x)))


def rsqrt(t, x):
    """At -0 either infinity will do."""
    y = positive_rsqrt(t, x)
    y.unknown = y.unknown or x.value == 0 and math.copysign(1, x.value) < 0
    return y


def power(exponent):
    """x to a constant power; at 0 right to every order, since the exponents fall by one."""
    def partial(t, x, y):
        return mul(t, t.constant(exponent), x if exponent == 2 else power(exponent - 1)(t, x))
    return function(lambda x: power_value(x, exponent), partial, (0.0, 1.0)) if exponent not in (0, 1) else (
        (lambda t, x: t.constant(1)) if exponent == 0 else (lambda t, x: x))


def stop_gradient(t, x):
    y = t.constant(x.value)
    y.inexact, y.unknown = x.inexact, x.unknown
    return y


def sign(t, x):
    v = x.value
    y = t.constant(v if v == 0 or v != v else math.copysign(1, v))
    y.unknown = x.unknown
    return y


def floor(t, x):
    y = t.constant(math.floor(x.value) if math.isfinite(x.value) else x.value)
    y.unknown = x.unknown or x.inexact and math.isfinite(x.value) and abs(x.value - round(x.value)) < 1e-9
    return y


def piece(t, x, value, partial):
    """A piece of a function that is linear there. The sign of a zero is anybody's."""
    if value == 0 and t.noise is not None:
        value = math.copysign(0.0, t.noise.uniform(-1, 1))
    return t.record(value, (x,), (partial,), exact=True)


def absolute(t, x):
    v = x.value
    return piece(t, x, abs(v), 1 if v > 0 else -1 if v < 0 else NAN if v != v else ZERO)


def relu(t, x):
    v = x.value
    return piece(t, x, v if not v <= 0 else 0.0, 1 if v > 0 else NAN if v != v else ZERO)


def leaky_relu(t, x, slope=0.125):
    return x if x.value > 0 else mul(t, x, t.constant(slope))


def clamp(t, x, low, high):
    v = x.value
    return piece(t, x, low if v < low else high if v > high else v, ZERO if v < low or v > high else NAN if v != v else 1)


def extremum(t, xs, better):
    """The largest or smallest of several: ties share evenly, NaN wins."""
    if any(x.value != x.value for x in xs):
        return t.record(NAN, tuple(xs), (NAN,) * len(xs), exact=True)
    best = xs[0].value
    for x in xs:
        if better(x.value, best):
            best = x.value
    hits = sum(x.value == best for x in xs)
    if best == 0 and t.noise is not None:
        best = math.copysign(0.0, t.noise.uniform(-1, 1))
    return t.record(best, tuple(xs), tuple(1 / hits if x.value == best else ZERO for x in xs), exact=True)


def largest(t, xs):
    return extremum(t, xs, lambda a, b: a > b)


def smallest(t, xs):
    return extremum(t, xs, lambda a, b: a < b)


def total(t, xs):
    y = xs[0]
    for x in xs[1:]:
        y = add(t, y, x)
    return y


def product(t, xs):
    y = xs[0]
    for x in xs[1:]:
        y = mul(t, y, x)
    return y


def logsumexp(t, xs):
    m = max((x.value for x in xs if x.value == x.value), default=NAN)
    if any(x.value != x.value for x in xs) or m == -INF:
        p = ZERO if m == -INF and not any(x.value != x.value for x in xs) else NAN
        return t.record(-INF if p is ZERO else NAN, tuple(xs), (p,) * len(xs), exact=True)
    if m == INF:
        y = t.record(INF, tuple(xs), None, exact=True)
        y.partials = lambda t: tuple(undetermined(t) for x in xs)
        return y
    y = t.record(m + math.log(math.fsum(math.exp(x.value - m) for x in xs)), tuple(xs), None)
    y.partials = lambda t: tuple(exp(t, sub(t, x, y)) for x in xs)
    return y


def undetermined(t):
    y = t.constant(NAN)
    y.unknown = True
    return y


def norm(t, xs):
    """The Euclidean norm; 0 with derivative 0 at 0, where second derivatives are not determined."""
    vs = [x.value for x in xs]
    if all(v == 0 for v in vs):
        y = t.record(0.0, tuple(xs), None, exact=True)
        y.partials = lambda t: (ZERO,) * len(xs) if not t.twice else tuple(undetermined(t) for x in xs)
        return y
    odd = any(not math.isfinite(v) or is_extreme(v) for v in vs)
    y = t.record(NAN if odd else math.hypot(*vs), tuple(xs), None, unknown=odd)
    y.partials = lambda t: tuple(div(t, x, y) for x in xs)
    return y


def spread_of(t, xs):
    """The standard deviation; 0 with derivative 0 where all are equal."""
    if all(x.value == xs[0].value and math.isfinite(x.value) for x in xs):
        y = t.record(0.0, tuple(xs), None, exact=True)
        y.partials = lambda t: (ZERO,) * len(xs) if not t.twice else tuple(undetermined(t) for x in xs)
        return y
    return sqrt(t, variance(t, xs))


def mean(t, xs):
    return div(t, total(t, xs), t.constant(len(xs)))


def variance(t, xs):
    m = mean(t, xs)
    return mean(t, [square(t, sub(t, x, m)) for x in xs])


def xlogy(t, a, b):
    """a log(b), and 0 where a is 0."""
    if a.value != 0:
        return mul(t, a, log(t, b))
    y = t.record(0.0, (a, b), None, exact=True, unknown=not b.value >= 0)
    y.partials = lambda t: (log(t, b), ZERO if b.value == 0 else div(t, a, b))
    return y


def power_of(t, a, b):
    """a to the power b."""
    u, v = a.value, b.value
    odd = not (math.isfinite(u) and math.isfinite(v)) or u == 0 > v or is_extreme(u) or is_extreme(v)
    y = t.record(NAN if odd else power_value(u, v), (a, b), None, unknown=odd)

    def partials(t):
        by_base = ZERO if v == 0 else mul(t, b, power_of(t, a, sub(t, b, one(t))))
        return by_base, NAN if u < 0 else ZERO if u == 0 else mul(t, y, log(t, a))
    if not odd:
        y.partials = partials
    else:
        y.partials = lambda t: (undetermined(t), undetermined(t))
    return y


def angle(t, a, b):
    """atan2(a, b)."""
    u, v = a.value, b.value
    odd = not (math.isfinite(u) and math.isfinite(v)) or u == 0 == v
    y = t.record(NAN if odd else math.atan2(u, v), (a, b), None, unknown=odd)

    def partials(t):
        h = add(t, mul(t, a, a), mul(t, b, b))
        return div(t, b, h), neg(t, div(t, a, h))
    y.partials = partials
    return y


Tape.twice = False
