"""Smaller losses that fail in the same form: statements are left out, and their values replaced by earlier ones of the same shape."""

import copy

from arrays import size_of
from expect import expectation
from losses import walk, without_unused


def renamed(block, old, new):
    for s in walk(block.statements):
        s.args = [new if a == old else a for a in s.args]
        if s.body:
            s.body.results = [new if r == old else r for r in s.body.results]
    block.results = [new if r == old else r for r in block.results]


def tidied(loss, inputs, directions):
    """Without what the results do not need; None where they need no argument."""
    b = loss.block
    b.statements = without_unused(b.statements, b.results)
    read = {a for s in walk(b.statements) for a in s.args} | {r for s in walk(b.statements) if s.body for r in s.body.results} | set(b.results)
    kept = [i for i, name in enumerate(loss.arguments) if name in read]
    names = list(loss.arguments)
    loss.arguments = {names[i]: loss.arguments[names[i]] for i in kept}
    b.params = list(loss.arguments.items())
    return (loss, [inputs[i] for i in kept], [directions[i] for i in kept]) if kept else None


def shapes_of(loss, inputs):
    """The shape of every value outside of loops."""
    import oracle as o
    from arrays import Array
    from losses import run_block
    t = o.Tape()
    env = {n: Array(shape, [t.variable(v) for v in xs]) for (n, shape), xs in zip(loss.arguments.items(), inputs)}
    run_block(t, copy.deepcopy(loss.block), env)
    return {n: x.shape for n, x in env.items()}


def candidates(loss, inputs, directions):
    """Losses with one thing less, each with its numbers."""
    shapes = shapes_of(loss, inputs)
    found = []

    def attempt(change):
        smaller = copy.deepcopy(loss)
        change(smaller)
        tidy = tidied(smaller, inputs, directions)
        if tidy:
            try:
                smaller.shapes = [shapes_of(smaller, tidy[1])[r] for r in smaller.block.results]
                found.append(tidy)
            except Exception:  # shapes that no longer fit
                pass
    for i in range(len(loss.weights)):
        if len(loss.weights) > 1:
            attempt(lambda l, i=i: (l.weights.pop(i), l.block.results.pop(i)))
        if loss.weights[i] != 1:
            attempt(lambda l, i=i: l.weights.__setitem__(i, 1.0))
    order = list(loss.arguments) + [n for s in loss.block.statements for n in s.names]
    for s in reversed(loss.block.statements):
        for n in s.names:
            for other in order[:order.index(n)]:
                if shapes.get(other) == shapes.get(n):
                    attempt(lambda l, n=n, other=other: renamed(l.block, n, other))
    for at, s in enumerate(walk(loss.block.statements)):
        if not s.body:
            continue
        names = [n for n, _ in s.body.params] + [n for inner in s.body.statements for n in inner.names]
        for n in names[len(s.body.params):]:
            for other in names[:names.index(n)]:
                def change(l, at=at, n=n, other=other):
                    body = list(walk(l.block.statements))[at].body
                    renamed(body, n, other)
                attempt(change)
        if s.p.get('keep'):
            attempt(lambda l, at=at: list(walk(l.block.statements))[at].p.__setitem__('keep', ''))
    return found


def size(loss):
    return sum(1 for _ in walk(loss.block.statements)) * 10 + len(loss.weights) + sum(size_of(s) for s in loss.arguments.values()) / 100 + sum(
        w != 1 for w in loss.weights) + sum(bool(s.p.get('keep')) for s in walk(loss.block.statements))


def shrunk(loss, point, form, fails, rounds=12):
    """The smallest loss found of which `fails(list of (loss, point, forms))` says True."""
    inputs, directions = point[:2]
    for _ in range(rounds):
        smaller = sorted(candidates(loss, inputs, directions), key=lambda c: size(c[0]))[:10]
        smaller = [c for c in smaller if size(c[0]) < size(loss)]
        if not smaller:
            break
        verdicts = fails([(l, (xs, ds, expectation(l, xs, ds, 1)[0]), [form]) for l, xs, ds in smaller])
        best = [c for c, v in zip(smaller, verdicts) if v]
        if not best:
            break
        loss, inputs, directions = best[0]
    return loss, (inputs, directions, expectation(loss, inputs, directions, 1)[0])
