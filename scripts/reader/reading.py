"""How the reader reads a document: in overlapping windows, each under the document's title and the beginning of its text."""
import numpy as np, torch
from reader import QUESTION, TITLE, ids, scores, windows

WINDOW, OPENING = 208, 32  # tokens; the second those of a document's beginning

def context(title, sentences):
    """Token ids of what a passage stands under: its document's title and the beginning of its text, either of which may be left out."""
    own, start = ids(title, TITLE) if title else [], []
    for s in sentences:
        if len(start) < OPENING: start = start + ids(s)
    return own + ([1012] if own and start else []) + start[:OPENING] or None

@torch.no_grad()
def read(model, question, documents, titles):
    """One array of scores a document, with its context in front of every window."""
    q, out = ids(question, QUESTION), []
    for sentences, title in zip(documents, titles):
        under, S = context(title, sentences), [ids(s) for s in sentences]
        spans = windows(q, under, S, budget=WINDOW); total, count = np.zeros(len(S)), np.zeros(len(S))
        for (x, y), row in zip(spans, scores(model, [(q, under, S[x:y]) for x, y in spans]).numpy()): total[x:y] += row[:y - x]; count[x:y] += 1
        out.append(total / np.maximum(count, 1))
    return out
