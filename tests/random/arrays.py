"""Small arrays of anything: a shape and the entries in memory order, the first index fastest."""

import itertools


def size_of(shape):
    n = 1
    for extent in shape:
        n *= extent
    return n


def indices(shape):
    """All indices in memory order."""
    return [at[::-1] for at in itertools.product(*(range(n) for n in reversed(shape)))]


class Array:
    __slots__ = ('shape', 'entries')

    def __init__(self, shape, entries):
        assert size_of(shape) == len(entries), (shape, len(entries))
        self.shape, self.entries = tuple(shape), list(entries)

    @property
    def rank(self):
        return len(self.shape)

    def __getitem__(self, at):
        place, step = 0, 1
        for i, n in zip(at, self.shape):
            place += i * step
            step *= n
        return self.entries[place]

    def of_rank(self, rank):
        """With axes of extent 1 behind its own."""
        return Array(self.shape + (1,) * (rank - self.rank), self.entries)

    def broadcast(self, shape):
        x = self.of_rank(len(shape))
        return Array(shape, [x[tuple(0 if n == 1 else i for i, n in zip(at, x.shape))] for at in indices(shape)])


def build(shape, f):
    """The array whose entry at each index is `f(index)`."""
    return Array(shape, [f(at) for at in indices(shape)])


def broadcast_shape(a, b):
    """The shape that two shapes have together, or None."""
    rank = max(len(a), len(b))
    a, b = a + (1,) * (rank - len(a)), b + (1,) * (rank - len(b))
    if any(m != n and 1 not in (m, n) for m, n in zip(a, b)):
        return None
    return tuple(max(m, n) for m, n in zip(a, b))


def each(f, *arrays):
    """`f` of entries that meet, operands broadcast."""
    shape = ()
    for a in arrays:
        shape = broadcast_shape(shape, a.shape)
    return Array(shape, [f(*xs) for xs in zip(*(a.broadcast(shape).entries for a in arrays))])
