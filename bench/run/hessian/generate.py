"""Writes the C of the energy's Hessian and of products with it, as CasADi generates it: generate.py C_FILE."""
import math
import pathlib
import sys

import casadi

COMPONENTS, ROOT = 16, math.sqrt(2)
x, b, v = (casadi.SX.sym(name, COMPONENTS) for name in "xbv")
a = casadi.SX.sym("a", COMPONENTS, COMPONENTS)
u, q = casadi.dot(b, x), casadi.dot(x, a @ x)
energy = casadi.dot(x, casadi.log(x / (1 - u))) - q / (2 * ROOT * u) * casadi.log((1 + (1 + ROOT) * u) / (1 + (1 - ROOT) * u))
hessian = casadi.hessian(energy, x)[0]
product = casadi.jtimes(casadi.gradient(energy, x), x, v)
to = pathlib.Path(sys.argv[1]).resolve()
generator = casadi.CodeGenerator(to.name)
generator.add(casadi.Function("casadi_hessian", [x, b, a], [hessian]))
generator.add(casadi.Function("casadi_hessian_product", [x, b, a, v], [product]))
generator.generate(str(to.parent) + "/")
