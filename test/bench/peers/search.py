"""Times what a Python pipeline does for a question: python search.py MANIFEST.json

The manifest is {"scans": [{"n", "file"}], "dimensions", "runs"} with "rerank": {"file", "vectors", "models", "question", "read",
"picks"}: files of little-endian float32 unit vectors by row, and one of JSON [[title, opening, sentence]]. One JSON document
goes to stdout, progress to stderr.
"""

import json
import os
import sys
import time
from importlib.metadata import version
from statistics import median

import numpy as np
import onnxruntime as ort
from tokenizers import Tokenizer

NEAREST = 456
BATCH = 32
LIMIT = 208
OPENING = 32


def timed(work, runs):
    """The median time of the work in milliseconds, after one run to warm up."""
    work()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return median(times)


def vectors_of(file, dimensions):
    """Unit vectors by row."""
    return np.fromfile(file, dtype="<f4").reshape(-1, dimensions)


def nearest(vectors, query, count):
    """The nearest rows by an exact scan, the nearest first."""
    cosines = vectors @ query
    best = np.argpartition(-cosines, count)[:count]
    return best[np.argsort(-cosines[best])]


def model(folder):
    """A tokenizer and a session on all cores."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = os.cpu_count()
    session = ort.InferenceSession(os.path.join(folder, "onnx", "model_quantized.onnx"), options)
    return Tokenizer.from_file(os.path.join(folder, "tokenizer.json")), session


def encoded(tokenizer, session, text):
    """The mean vector of a text, of unit length."""
    ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
    feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    names = {given.name for given in session.get_inputs()}
    (hidden,) = session.run(None, {name: value for name, value in feeds.items() if name in names})[:1]
    mean = hidden[0].mean(axis=0)
    return mean / np.linalg.norm(mean)


def reranked(tokenizer, session, question, passages):
    """Scores of passages by a cross-encoder in padded batches, as sentence-transformers makes them, the longest first."""
    opened = [" ".join(opening.split()[:OPENING]) for _, opening, _ in passages]
    pairs = [(question, f"{title} . {opening} {text}") for (title, _, text), opening in zip(passages, opened)]
    tokens = tokenizer.encode_batch(pairs)
    order = sorted(range(len(tokens)), key=lambda i: -len(tokens[i].ids))
    scores = np.zeros(len(tokens))
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        width = min(LIMIT, max(len(tokens[i].ids) for i in batch))
        ids, mask, types = (np.zeros((len(batch), width), dtype=np.int64) for _ in range(3))
        for row, i in enumerate(batch):
            own = tokens[i].ids[:width]
            ids[row, : len(own)] = own
            mask[row, : len(own)] = 1
            types[row, : len(own)] = tokens[i].type_ids[: len(own)]
        (logits,) = session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": types})
        scores[batch] = logits[:, 1:, 0].max(axis=1)
    return scores


def diverse(scores, vectors, picks, weight=0.7):
    """Maximal marginal relevance (Carbonell and Goldstein 1998)."""
    relevance = (scores - scores.min()) / max(1e-9, np.ptp(scores))
    similar = vectors @ vectors.T
    chosen, most = [], np.zeros(len(scores))
    while len(chosen) < picks:
        gains = weight * relevance - (1 - weight) * most
        gains[chosen] = -np.inf
        chosen.append(int(np.argmax(gains)))
        most = np.maximum(most, similar[chosen[-1]])
    return chosen


def main():
    """Measures what the manifest on the command line names."""
    with open(sys.argv[1], encoding="utf-8") as file:
        manifest = json.load(file)
    dimensions, runs = manifest["dimensions"], manifest["runs"]
    scans = []
    for entry in manifest["scans"]:
        vectors = vectors_of(entry["file"], dimensions)
        print(f"python: a scan of {len(vectors)}", file=sys.stderr, flush=True)
        scans.append({"n": len(vectors), "ms": timed(lambda rows=vectors: nearest(rows, rows[0], NEAREST), runs)})
    asked = manifest["rerank"]
    with open(asked["file"], encoding="utf-8") as file:
        passages = json.load(file)
    vectors = vectors_of(asked["vectors"], dimensions)
    encoder = model(os.path.join(asked["models"], "all-MiniLM-L6-v2"))
    reader = model(os.path.join(asked["models"], "reader"))

    def answer():
        best = nearest(vectors, encoded(*encoder, asked["question"]), asked["read"])
        scores = reranked(*reader, asked["question"], [passages[i] for i in best])
        return [int(best[i]) for i in diverse(scores, vectors[best], asked["picks"])]

    print(f"python: a question over {len(passages)} sentences", file=sys.stderr, flush=True)
    figures = {"scans": scans, "rerank": {"ms": timed(answer, runs), "picks": answer()}}
    figures["versions"] = {name: version(name) for name in ("numpy", "onnxruntime", "tokenizers")}
    print(json.dumps(figures, allow_nan=False))


if __name__ == "__main__":
    main()
