#!/usr/bin/env python3
"""Writes units of C++ that compare random losses with the oracle: generate.py --seed 1 --units 4 --losses 6 FOLDER.

A loss is named SEED:INDEX; `--only SEED:INDEX` writes a unit of that one alone."""

import argparse
import pathlib
import random

from emit import unit_text
from expect import draw_points
from losses import draw_loss

FORMS = ('static', 'tape', 'apply', 'alone', 'along static', 'along tape', 'along apply', 'mask', 'constant')


def draw(seed, index, points=4, avoid=(), forms=None):
    """The loss SEED:INDEX, the points it is evaluated at, and how it is run."""
    rng = random.Random('%d:%d' % (seed, index))
    loss = draw_loss(rng, avoid)
    drawn = draw_points(loss, rng, points, seed * 100003 + index)
    return loss, drawn, forms or draw_forms(rng, loss, drawn)


def draw_forms(rng, loss, points):
    """Each costs compile time: a loss is always run as a program and on a tape, and in some of the other ways."""
    more = ['apply', 'along static', 'along tape', 'along apply']
    if len(loss.arguments) > 1:
        more.append('mask%d' % rng.randrange(len(loss.arguments)))
    if len(loss.weights) > 1:
        more.append('alone')
    more.append('constant%d' % rng.randrange(len(points)))
    return ['static', 'tape'] + rng.sample(more, 2)


def label(seed, index):
    return '%d:%d' % (seed, index)


def write_unit(path, seed, numbers, **options):
    path.write_text(unit_text([(i, label(seed, i), *draw(seed, i, **options)) for i in numbers]))


def add_options(parser):
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--losses', type=int, default=6, help='in each unit')
    parser.add_argument('--points', type=int, default=4, help='sets of numbers for each loss')
    parser.add_argument('--avoid', default='', help='names of operations, and of kinds of statement, separated by commas')
    parser.add_argument('--forms', default='', help='ways to run, separated by commas, of: ' + ', '.join(FORMS))


def options_of(given):
    return {'points': given.points, 'avoid': given.avoid.split(','), 'forms': given.forms.split(',') if given.forms else None}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument('--units', type=int, default=4)
    parser.add_argument('--only', help='SEED:INDEX')
    parser.add_argument('folder', type=pathlib.Path)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.only:
        seed, index = map(int, given.only.split(':'))
        write_unit(given.folder / 'unit_0.cpp', seed, [index], **options_of(given))
    else:
        for u in range(given.units):
            write_unit(given.folder / ('unit_%d.cpp' % u), given.seed, range(u * given.losses, (u + 1) * given.losses), **options_of(given))


if __name__ == '__main__':
    main()
