"""Writes the C of the error of an observation and its Jacobian in tangent coordinates, as CasADi generates it: generate.py C_FILE."""
import pathlib
import sys

import casadi

FOCAL = 500
pose, point, seen, step = (casadi.SX.sym(name, size) for name, size in (("pose", 7), ("point", 3), ("seen", 2), ("step", 6)))


def turned(q, p):
    t = 2 * casadi.cross(q[:3], p)
    return p + q[3] * t + casadi.cross(q[:3], t)


def reprojection(to, q, p):
    at = to + turned(q, p)
    return FOCAL / at[2] * at[:2] - seen


q = pose[3:]
half = step[3:] / 2
cosine = 1 - casadi.sumsqr(half) / 2  # of the step, to second order
moved = casadi.vertcat(q[3] * half + cosine * q[:3] + casadi.cross(q[:3], half), q[3] * cosine - casadi.dot(q[:3], half))
stepped = reprojection(pose[:3] + turned(q, step[:3]), moved, point)
jacobian = casadi.substitute(casadi.jacobian(stepped, casadi.vertcat(step, point)), step, casadi.SX.zeros(6))
error = reprojection(pose[:3], q, point)
to = pathlib.Path(sys.argv[1]).resolve()
generator = casadi.CodeGenerator(to.name)
generator.add(casadi.Function("casadi_bundle_jacobian", [pose, point, seen], [error, casadi.densify(jacobian)], {"cse": True}))
generator.generate(str(to.parent) + "/")
