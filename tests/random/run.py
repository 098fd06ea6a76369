#!/usr/bin/env python3
"""Random losses for a time: run.py --seconds 600 [--seed 1] [--compiler 'g++ -std=c++20 -O1'] [--shrink].

Unit after unit is written, compiled and run. Of each loss that fails, what it printed is shown; with --shrink, a smaller one that fails too.
`run.py --only 1:23 --shrink` looks at loss 23 of seed 1 alone."""

import argparse
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

from emit import text_of, unit_text
from generate import add_options, draw, label, options_of
from shrink import shrunk

ROOT = pathlib.Path(__file__).resolve().parents[2]


def compiled_and_run(compiler, folder, losses):
    """What the unit printed, or None and what the compiler did."""
    source, program = folder / 'unit.cpp', folder / 'unit'
    source.write_text(unit_text(losses))
    done = subprocess.run(compiler + [str(source), '-o', str(program)], capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr
    return subprocess.run([str(program)], capture_output=True, text=True), ''


def failing(output):
    """(loss, form, point) of each failure."""
    return re.findall(r'^FAILED (\S+), ([^,]+), point (\d+)', output, re.M)


class Hunt:
    def __init__(self, given, folder):
        self.given, self.folder, self.compiler = given, folder, shlex.split(given.compiler)
        self.compiler += ['-I%s/include' % given.tree, '-I%s/tests' % ROOT, '-isystem', '/usr/include/eigen3']
        self.losses = self.passed = self.failed = 0

    def unit(self, losses):
        """Compiles and runs; where a unit does not compile, its losses one by one."""
        done, errors = compiled_and_run(self.compiler, self.folder, losses)
        if done is None and len(losses) > 1:
            for each in losses:
                self.unit([each])
        elif done is None:
            self.failed += 1
            first = next((line for line in errors.splitlines() if 'error' in line), errors[:300])
            print('FAILED %s: it does not compile: %s\n%s' % (losses[0][1], first[:600], text_of(losses[0][2])), flush=True)
        else:
            self.losses += len(losses)
            counts = re.search(r'(\d+) passed, (\d+) failed', done.stdout)
            if not counts:
                self.failed += 1
                print('FAILED: ended with %d\n%s%s' % (done.returncode, done.stdout, done.stderr), flush=True)
                return
            self.passed += int(counts[1])
            self.failed += int(counts[2])
            print(re.sub(r'\d+ passed, \d+ failed\n', '', done.stdout), end='', flush=True)
            if self.given.shrink:
                for name in dict.fromkeys(each[0] for each in failing(done.stdout)):
                    self.shrink(losses, *next(each for each in failing(done.stdout) if each[0] == name))

    def shrink(self, losses, name, form, point):
        _, _, loss, points, _ = next(each for each in losses if each[1] == name)

        def fails(attempts):
            done, _ = compiled_and_run(self.compiler, self.folder, [(i, str(i), l, [p], forms) for i, (l, p, forms) in enumerate(attempts)])
            found = {int(each[0]) for each in failing(done.stdout)} if done else set()
            return [i in found for i in range(len(attempts))]
        forms = next(each[4] for each in losses if each[1] == name)
        form = next(f for f in forms if f == form or f.startswith('constant') and form == 'constant')
        if form.startswith('constant') or form.startswith('mask'):
            form = 'static'
        smaller, at = shrunk(loss, points[int(point)], form, fails)
        print('SMALLER %s, %s: weights %s, inputs %s, directions %s\n%s' % (name, form, smaller.weights, at[0], at[1], text_of(smaller)), flush=True)
        done, _ = compiled_and_run(self.compiler, self.folder, [(0, 'smaller', smaller, [at], [form])])
        print('\n'.join(done.stdout.splitlines()[:2]) if done else '', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('--compiler', default=os.environ.get('CXX', 'g++') + ' -std=c++20 -O1 -march=native -w')
    parser.add_argument('--only', help='SEED:INDEX: this loss alone, once')
    parser.add_argument('--tree', default=ROOT, help='whose include/ is tested')
    parser.add_argument('--shrink', action='store_true')
    given = parser.parse_args()
    end, index = time.monotonic() + given.seconds, 0
    with tempfile.TemporaryDirectory() as folder:
        hunt = Hunt(given, pathlib.Path(folder))
        if given.only:
            seed, i = map(int, given.only.split(':'))
            hunt.unit([(i, given.only, *draw(seed, i, **options_of(given)))])
            end = 0
        while time.monotonic() < end:
            numbers = range(index, index + given.losses)
            hunt.unit([(i, label(given.seed, i), *draw(given.seed, i, **options_of(given))) for i in numbers])
            index += given.losses
    print('%d losses: %d passed, %d failed' % (hunt.losses, hunt.passed, hunt.failed))
    sys.exit(hunt.failed != 0)


if __name__ == '__main__':
    main()
