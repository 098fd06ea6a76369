"""Writes the C of the chain's value, gradient and Hessian, as CasADi generates it: generate.py C_FILE."""
import pathlib
import sys

import casadi

VARIABLES = 1000
x = casadi.SX.sym("x", VARIABLES)
here, after = x[:-1], x[1:]
value = 100 * casadi.sumsqr(after - here**2) + casadi.sumsqr(1 - here)
hessian, gradient = casadi.hessian(value, x)
to = pathlib.Path(sys.argv[1]).resolve()
generator = casadi.CodeGenerator(to.name)
generator.add(casadi.Function("casadi_sparse_hessian", [x], [value, gradient, hessian]))
generator.generate(str(to.parent) + "/")
