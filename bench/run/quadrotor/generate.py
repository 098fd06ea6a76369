"""Writes the C of the step's Jacobian, as CasADi generates it: generate.py C_FILE."""
import pathlib
import sys

import casadi
from casadi import cos, sin, vertcat

SECONDS, MASS, ARM, DRAG, GRAVITY = 0.01, 0.5, 0.17, 0.016, 9.81
INERTIA = (2.3e-3, 2.8e-3, 4e-3)


def step(x, u):
    thrust = (u[0] + u[1] + u[2] + u[3]) / MASS
    sr, cr, sp, cp, sy, cy = sin(x[6]), cos(x[6]), sin(x[7]), cos(x[7]), sin(x[8]), cos(x[8])
    p, q, r = x[9], x[10], x[11]
    turn = sr * q + cr * r
    rates = vertcat(x[3], x[4], x[5],
                    thrust * (cr * sp * cy + sr * sy), thrust * (cr * sp * sy - sr * cy), thrust * cr * cp - GRAVITY,
                    p + sp / cp * turn, cr * q - sr * r, turn / cp,
                    ((INERTIA[1] - INERTIA[2]) * q * r + ARM * (u[1] - u[3])) / INERTIA[0],
                    ((INERTIA[2] - INERTIA[0]) * p * r + ARM * (u[2] - u[0])) / INERTIA[1],
                    ((INERTIA[0] - INERTIA[1]) * p * q + DRAG * (u[0] - u[1] + u[2] - u[3])) / INERTIA[2])
    return x + SECONDS * rates


x, u = casadi.SX.sym("x", 12), casadi.SX.sym("u", 4)
jacobian = casadi.densify(casadi.jacobian(step(x, u), vertcat(x, u)))
to = pathlib.Path(sys.argv[1]).resolve()
generator = casadi.CodeGenerator(to.name)
generator.add(casadi.Function("casadi_quadrotor", [x, u], [jacobian]))
generator.generate(str(to.parent) + "/")
