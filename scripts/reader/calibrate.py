"""Figures of a reader on packets that no training saw: calibrate.py CHECKPOINT|shipped

Per kind: average precision, first right, AUC of answerable against not, F1 at the best level; a logistic curve from score to probability, leave-one-kind-out,
with and without the question's best score and the sentence's length beside the score; its calibration by tenths.
"""
import gzip, hashlib, json, os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.environ.get('TESSERA_SHARED', os.path.join(HERE, '../../../shared')), 'tools/reader'))
import numpy as np, torch
from transformers import BertForTokenClassification
from reader import average_precision, auc, labels, shipped_model
from reading import read
torch.set_num_threads(1)
where = sys.argv[1]
model = shipped_model() if where == 'shipped' else BertForTokenClassification.from_pretrained(where, attn_implementation='eager')
model.eval()
held = [p for p in labels() if p['held']] + [p for p in map(json.loads, gzip.open(HERE + '/labels.jsonl.gz', 'rt')) if int(hashlib.sha1(p['id'].encode()).hexdigest(), 16) % 100 < 8]
rows, per = [], {}
for p in held:
    n = sum(len(d['sentences']) for d in p['documents'])
    lens = np.array([len(s.split()) for d in p['documents'] for s in d['sentences']])
    for q in p['questions']:
        v = np.concatenate(read(model, q['q'], [d['sentences'] for d in p['documents']], [d['title'] for d in p['documents']]))
        gold = np.zeros(n, bool); gold[[k - 1 for k in q['answers']]] = True
        rows.append((p['kind'], v, gold, lens)); per.setdefault(p['kind'], []).append((v, gold))
def figures(own):
    yes = [v.max() for v, g in own if g.any()]; no = [v.max() for v, g in own if not g.any()]
    ap = [average_precision(v, g) for v, g in own if g.any()]; first = [g[v.argmax()] for v, g in own if g.any()]
    best = max(np.linspace(-3, 3, 25), key=lambda t: np.mean([2 * ((v > t) & g).sum() / max(1, (v > t).sum() + g.sum()) for v, g in own if g.any()]))
    f1 = np.mean([2 * ((v > best) & g).sum() / max(1, (v > best).sum() + g.sum()) for v, g in own if g.any()])
    return f'AP {np.mean(ap):.3f}  first {np.mean(first):.3f}  AUC {auc(yes, no) if yes and no else float("nan"):.3f}  F1 {f1:.3f} at {best:.2f}  ({len(own)} questions)'
for kind, own in sorted(per.items()): print(f'{kind:16}', figures(own))
print(f'{"all":16}', figures([x for own in per.values() for x in own]))
def fit(X, y, steps=400):
    w = np.zeros(X.shape[1]); 
    for _ in range(steps):
        p = 1 / (1 + np.exp(-X @ w)); H = (X * (p * (1 - p))[:, None]).T @ X + 1e-3 * np.eye(len(w)); step = np.linalg.solve(H, X.T @ (p - y)); w -= step
        if abs(step).max() < 1e-8: break
    return w
kinds = sorted(per)
data = {k: (np.concatenate([np.stack([np.ones(len(v)), v, np.full(len(v), v.max()), np.log(l + 1)], 1) for kk, v, g, l in rows if kk == k]), np.concatenate([g for kk, v, g, l in rows if kk == k]).astype(float)) for k in kinds}
for name, cols in [('score', [0, 1]), ('score, best', [0, 1, 2]), ('score, best, length', [0, 1, 2, 3])]:
    ll, P, Y = [], [], []
    for k in kinds:
        X = np.concatenate([data[o][0][:, cols] for o in kinds if o != k]); y = np.concatenate([data[o][1] for o in kinds if o != k])
        w = fit(X, y); p = 1 / (1 + np.exp(-data[k][0][:, cols] @ w)); t = data[k][1]; ll.append(-(t * np.log(p + 1e-9) + (1 - t) * np.log(1 - p + 1e-9)).mean()); P.append(p); Y.append(t)
    P, Y = np.concatenate(P), np.concatenate(Y)
    w = fit(np.concatenate([data[o][0][:, cols] for o in kinds]), np.concatenate([data[o][1] for o in kinds]))
    bins = [(f'{Y[(P >= a) & (P < a + .1)].mean():.2f}' if ((P >= a) & (P < a + .1)).any() else '-') for a in np.arange(0, 1, .1)]
    print(f'{name:22} left-out log loss {np.mean(ll):.4f}  weights {np.round(w, 3)}  right by tenth of probability: {" ".join(bins)}')
