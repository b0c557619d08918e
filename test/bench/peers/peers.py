"""Times the Python peers of the DPP code on given kernels: python peers.py MANIFEST.json

The manifest is {"kernels": [{"name", "n", "file"}], "picks", "fixedSize", "runs", "seed"}; each file holds n * n
little-endian float64 values by row, of a symmetric positive semi-definite kernel. One JSON document goes to stdout, progress
to stderr.
"""

import json
import os
import platform
import sys
import time
from importlib.metadata import version
from statistics import median

import numpy as np
from dppy.finite_dpps import FiniteDPP

LONG_MS = 5000
LONG_RUNS = 2
SHORT_RUNS = 100
SMALLEST_GAIN = 1e-10
SHIFTS = (0.0, 1e-9, 1e-8, 1e-7)


def greedy_map(kernel, picks):
    """Chen, Zhang and Zhou (2018), algorithm 1: each pick adds a row to an incremental Cholesky factor of the kernel."""
    rows = np.zeros((picks, kernel.shape[0]))
    gains = np.diag(kernel).copy()
    items = []
    while len(items) < picks:
        best = np.argmax(gains)
        if gains[best] < SMALLEST_GAIN:
            break
        count = len(items)
        items.append(int(best))
        if len(items) == picks:
            break
        row = (kernel[best] - rows[:count, best] @ rows[:count]) / np.sqrt(gains[best])
        rows[count] = row
        gains -= row**2
        gains[best] = -np.inf
    return items


def timed(work, runs):
    """The median time of the work, over fewer runs where one is long; DPPy's own words where it refuses the work."""
    times = []
    try:
        while len(times) < runs:
            start = time.perf_counter()
            work()
            times.append((time.perf_counter() - start) * 1000)
            if times[-1] > LONG_MS and len(times) >= LONG_RUNS:
                break
    except ValueError as error:
        return {"ms": None, "runs": 0, "refused": str(error)}
    return {"ms": median(times), "runs": len(times)}


def decomposed(kernel, rng):
    """A DPP that holds its eigendecomposition, its kernel and what was added on the diagonal for DPPy to take it.

    DPPy refuses a kernel with an eigenvalue below -1e-8, which rounding alone can bring about.
    """
    for shift in SHIFTS:
        shifted = kernel + shift * np.eye(len(kernel)) if shift > 0 else kernel
        dpp = FiniteDPP("likelihood", L=shifted)
        try:
            dpp.sample_exact(mode="GS", random_state=rng)
            return dpp, shifted, shift
        except ValueError as error:
            if "not all >= 0" not in str(error):
                raise
    raise ValueError(f"DPPy refuses the kernel even with {SHIFTS[-1]} on its diagonal")


def read_kernel(file, n):
    """The kernel of a file, made exactly symmetric, and whether that changed it."""
    values = np.fromfile(file, dtype="<f8")
    if values.size != n * n:
        raise ValueError(f"{file}: {values.size} values instead of {n} * {n}")
    kernel = values.astype(float, copy=False).reshape(n, n)
    symmetric = (kernel + kernel.T) / 2
    return symmetric, not np.array_equal(symmetric, kernel)


def measure(entry, manifest):
    """All figures of one kernel. A first draw is of a new object each time, so that nothing is kept from the one before."""
    runs, size = manifest["runs"], manifest["fixedSize"]
    rng = np.random.RandomState(manifest["seed"])
    kernel, symmetrised = read_kernel(entry["file"], entry["n"])
    eigenvalues = np.maximum(np.linalg.eigvalsh(kernel), 0)
    figures = {
        "name": entry["name"],
        "n": entry["n"],
        "expectedSize": float(np.sum(eigenvalues / (1 + eigenvalues))),
        "greedy": timed(lambda: greedy_map(kernel, manifest["picks"]), SHORT_RUNS),
    }
    figures["greedy"]["items"] = greedy_map(kernel, manifest["picks"])

    kept, accepted, shift = decomposed(kernel, rng)

    def fresh():
        return FiniteDPP("likelihood", L=accepted)

    def draw(dpp):
        return dpp.sample_exact(mode="GS", random_state=rng)

    def draw_fixed(dpp):
        return dpp.sample_exact_k_dpp(size=size, mode="GS", random_state=rng)

    figures["firstDraw"] = timed(lambda: draw(fresh()), runs)
    figures["furtherDraw"] = timed(lambda: draw(kept), runs)
    figures["firstFixed"] = timed(lambda: draw_fixed(fresh()), runs)
    timed(lambda: draw_fixed(kept), 1)  # keeps the symmetric polynomials of its eigenvalues
    figures["furtherFixed"] = timed(lambda: draw_fixed(kept), SHORT_RUNS)

    notes = ["made symmetric"] if symmetrised else []
    if shift > 0:
        notes.append(f"{shift:g} added on the diagonal for DPPy")
    if notes:
        figures["note"] = "; ".join(notes)
    return figures


def threads():
    """The threads that OpenBLAS, which the numpy and scipy wheels bring along, takes: what the environment says, else all."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    for name in ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"):
        if os.environ.get(name, "").isdigit() and int(os.environ[name]) > 0:
            return min(int(os.environ[name]), cores)
    return cores


def main():
    """Measures the kernels of the manifest that the command line names."""
    with open(sys.argv[1], encoding="utf-8") as file:
        manifest = json.load(file)
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    versions = {"python": platform.python_version(), "blas": f"{blas['name']} {blas['version']}"}
    versions.update({name: version(name) for name in ("numpy", "scipy", "dppy")})
    kernels = []
    for entry in manifest["kernels"]:
        print(f"python: {entry['name']}, {entry['n']} items", file=sys.stderr, flush=True)
        kernels.append(measure(entry, manifest))
    print(json.dumps({"versions": versions, "threads": threads(), "kernels": kernels}, allow_nan=False))


if __name__ == "__main__":
    main()
