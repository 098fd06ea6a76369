"""Writes the C of the Hessians of Rosenbrock's function, as CasADi generates it: generate.py C_FILE."""
import pathlib
import sys

import casadi

to = pathlib.Path(sys.argv[1]).resolve()
generator = casadi.CodeGenerator(to.name)
for variables in (10, 100):
    x = casadi.SX.sym("x", variables)
    here, after = x[:-1], x[1:]
    hessian, _ = casadi.hessian(100 * casadi.sumsqr(after - here**2) + casadi.sumsqr(1 - here), x)
    generator.add(casadi.Function(f"casadi_rosenbrock_{variables}", [x], [casadi.densify(hessian)]))
generator.generate(str(to.parent) + "/")
