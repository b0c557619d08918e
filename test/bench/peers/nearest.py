"""Finds the nearest vectors with Faiss, exactly and by approximate indexes: python nearest.py MANIFEST.json

The manifest is {"vectors", "dimensions", "queries", "nearest", "copies", "seed", "out"}: files of little-endian float32 values by
row, of unit length. With copies, every vector stands that many times, the others turned away at random to a cosine of about 0.8,
so that a collection is as large as it is crowded. One JSON document goes to stdout: for each index its kind, the seconds to
build, megabytes, milliseconds a query, and the share of the exact nearest that it finds; the ids that it found go to
"<out>.<name>.i64", queries by row. Progress goes to stderr.
"""

import json
import os
import sys
import tempfile
import time

import faiss
import numpy as np

TURN = 0.75


def read(file, dimensions):
    return np.fromfile(file, dtype="<f4").reshape(-1, dimensions)


def turned(vectors, rng):
    noise = rng.standard_normal(vectors.shape, dtype=np.float32)
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    mixed = vectors + TURN * noise
    return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def indexes(dimensions, count):
    lists = int(4 * np.sqrt(count))
    inner = faiss.METRIC_INNER_PRODUCT
    yield "exact", "Flat, float32", faiss.IndexFlatIP(dimensions), [None]
    yield "eight-bit", "Flat, int8", faiss.IndexScalarQuantizer(dimensions, faiss.ScalarQuantizer.QT_8bit, inner), [None]
    coarse = faiss.IndexFlatIP(dimensions)
    ivf = faiss.IndexIVFScalarQuantizer(coarse, dimensions, lists, faiss.ScalarQuantizer.QT_8bit, inner)
    yield "inverted", f"IVF of {lists} lists, int8", ivf, [4, 16, 64]
    hnsw = faiss.IndexHNSWSQ(dimensions, faiss.ScalarQuantizer.QT_8bit, 16, inner)
    hnsw.hnsw.efConstruction = 80
    yield "graph", "HNSW of 16 links, int8", hnsw, [64, 512]


def megabytes(index):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "index")
        faiss.write_index(index, file)
        return os.path.getsize(file) / 2**20


def set_effort(index, effort):
    if effort is None:
        return ""
    if isinstance(index, faiss.IndexHNSW):
        index.hnsw.efSearch = effort
        return f"search list of {effort}"
    index.nprobe = effort
    return f"{effort} lists probed"


def main(manifest):
    rng = np.random.default_rng(manifest["seed"])
    dimensions, nearest = manifest["dimensions"], manifest["nearest"]
    base = read(manifest["vectors"], dimensions)
    queries = read(manifest["queries"], dimensions)
    vectors = np.concatenate([base, *(turned(base, rng) for _ in range(manifest["copies"] - 1))])
    figures = []
    truth = None
    for name, kind, index, efforts in indexes(dimensions, len(vectors)):
        print(f"{name}, {len(vectors)} vectors", file=sys.stderr)
        start = time.perf_counter()
        if not index.is_trained:
            index.train(vectors[rng.permutation(len(vectors))[: 64 * int(4 * np.sqrt(len(vectors)))]])
        index.add(vectors)
        built = time.perf_counter() - start
        for effort in efforts:
            said = set_effort(index, effort)
            index.search(queries[:1], nearest)
            start = time.perf_counter()
            found = np.concatenate([index.search(query[None], nearest)[1] for query in queries])
            spent = (time.perf_counter() - start) * 1000 / len(queries)
            if truth is None:
                truth = found
            recall = np.mean([len(set(own) & set(true)) / nearest for own, true in zip(found, truth)])
            key = name if effort is None else f"{name}-{effort}"
            found.astype("<i8").tofile(f"{manifest['out']}.{key}.i64")
            figures.append(
                {
                    "name": key,
                    "kind": ", ".join(filter(None, [kind, said])),
                    "built": built,
                    "megabytes": megabytes(index),
                    "ms": spent,
                    "recall": float(recall),
                }
            )
    print(json.dumps({"version": faiss.__version__, "threads": faiss.omp_get_max_threads(), "figures": figures}))


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        main(json.load(file))
