"""JAX as a rival: the problems of bench/run/instances.cpp, compared with etch, then timed, each call dispatched from Python.

    taskset -c CORE python3 bench/by_jax.py BUILD_DIRECTORY        writes BUILD_DIRECTORY/jax.json, which bench/report.py reads
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import time

os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as np

jax.config.update("jax_enable_x64", True)
REPETITIONS, SECONDS = 20, 0.05  # as bench/run/contest.cpp


def network(w1, b1, w2, b2, w3, b3, at):
    return (w3 @ np.tanh(w2 @ np.tanh(w1 @ at + b1) + b2) + b3)[0]


def laplacian(w1, b1, w2, b2, w3, b3, x):
    """By the second derivative along each axis, in forward mode."""
    def of_point(at):
        def u(z):
            return network(w1, b1, w2, b2, w3, b3, z)

        def second(axis):
            return jax.jvp(lambda z: jax.jvp(u, (z,), (axis,))[1], (at,), (axis,))[1]

        return sum(second(axis) for axis in np.eye(2))

    return jax.vmap(of_point, 1)(x)


def gradient(w1, b1, w2, b2, w3, b3, x):
    return jax.vmap(jax.grad(network, 6), (None,) * 6 + (1,), 1)(w1, b1, w2, b2, w3, b3, x)


def step(v):
    x, u = v[:12], v[12:]
    mass, arm, drag, gravity, (jx, jy, jz) = 0.5, 0.17, 0.016, 9.81, (2.3e-3, 2.8e-3, 4e-3)
    thrust = np.sum(u) / mass
    (sr, sp, sy), (cr, cp, cy), (p, q, r) = np.sin(x[6:9]), np.cos(x[6:9]), x[9:]
    turn = sr * q + cr * r
    return x + 0.01 * np.array([
        x[3], x[4], x[5], thrust * (cr * sp * cy + sr * sy), thrust * (cr * sp * sy - sr * cy), thrust * cr * cp - gravity,
        p + sp / cp * turn, cr * q - sr * r, turn / cp, ((jy - jz) * q * r + arm * (u[1] - u[3])) / jx,
        ((jz - jx) * p * r + arm * (u[2] - u[0])) / jy, ((jx - jy) * p * q + drag * (u[0] - u[1] + u[2] - u[3])) / jz])


def jacobian(x, u):
    return jax.jacfwd(step)(np.concatenate([x, u]))


def energy(x, b, a):
    u, root = b @ x, math.sqrt(2)
    return np.sum(x * np.log(x / (1 - u))) - x @ a @ x / (2 * root * u) * np.log((1 + (1 + root) * u) / (1 + (1 - root) * u))


def hessian(x, b, a, v):
    return jax.hessian(energy)(x, b, a)


def product(x, b, a, v):
    return jax.jvp(lambda z: jax.grad(energy)(z, b, a), (x,), (v,))[1]


SHAPES = {"w1": (64, 2), "w2": (64, 64), "w3": (1, 64), "a": (16, 16)}
# How many calls etch's program times as one.
PROBLEMS = {"laplacian": (laplacian, 1), "laplacian_gradient": (gradient, 1), "quadrotor": (jacobian, 1000), "hessian": (hessian, 1000),
            "hessian_product": (product, 1000)}


def array(numbers, shape):
    """The first index is the fastest, as in etch."""
    return np.array(numbers).reshape(shape, order="F")


def times_of(name, function, calls, instance):
    wanted = instance.pop("result")
    shapes = SHAPES | ({"x": (2, 1024)} if name.startswith("laplacian") else {})
    given = {key: array(numbers, shapes.get(key, (len(numbers),))) for key, numbers in instance.items()}
    compiled = jax.jit(function)
    result = compiled(**given)
    difference = float(np.max(np.abs(result - array(wanted, result.shape)))) / max(map(abs, wanted))
    print(f"{name}/jax: differs from etch by {difference:.1e} of the largest entry", flush=True)
    if not difference <= 1e-11:
        sys.exit("TOO MUCH")
    once = min(timed(compiled, given, 1) for _ in range(5))
    return [timed(compiled, given, math.ceil(SECONDS / once)) * calls for _ in range(REPETITIONS)]


def timed(compiled, given, n):
    start = time.process_time()
    for _ in range(n):
        compiled(**given).block_until_ready()
    return (time.process_time() - start) / n


build = pathlib.Path(sys.argv[1])
said = subprocess.run([build / "bench/run/bench_instances"], capture_output=True, check=True).stdout
instances = json.loads(said)
times = {name: times_of(name, *of, instances[name]) for name, of in PROBLEMS.items()}
(build / "jax.json").write_text(json.dumps({"version": jax.__version__, "times": times}))
for name, seconds in times.items():
    print(f"{name}/jax: {min(seconds) / PROBLEMS[name][1] * 1e6:.2f} µs a call")
