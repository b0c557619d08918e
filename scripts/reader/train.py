"""Trains the reader: python train.py SECONDS OUT [--rate 6e-5] [--from CHECKPOINT] [--resume] [--mix 45,35,20,0] [--threads 2]

Draws each question from four pools, by the shares of --mix: ../shared/data/reader-labels.jsonl (packets `held` only choose), labels.jsonl.gz and
files of the same form named by --more, public sets in that form named by --earlier ("folder/*.jsonl"), and claims.jsonl.gz, asked as "Stated: …". 8% of the
packets, by a hash of their ids, are set aside. Keeps an average of the weights, evaluates that, and saves the best; --resume goes on after a stop.
"""
import argparse, copy, glob, gzip, hashlib, json, math, os, random, sys, time
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.environ.get('TESSERA_SHARED', os.path.join(HERE, '../../../shared')), 'tools/reader'))
import numpy as np, torch
import torch.nn.functional as F
from transformers import BertForTokenClassification
from reader import TITLE, QUESTION, SENTENCE, average_precision, auc, ids, labels, scores, shipped_model, windows
from reading import WINDOW, context, read

A = argparse.ArgumentParser(); A.add_argument('seconds', type=float); A.add_argument('out'); A.add_argument('--rate', type=float, default=6e-5)
A.add_argument('--from', dest='start'); A.add_argument('--resume', action='store_true'); A.add_argument('--mix', default='45,35,20,0'); A.add_argument('--threads', type=int, default=1)
A.add_argument('--batch', type=int, default=3); A.add_argument('--checks', type=int, default=12); A.add_argument('--more', default=''); A.add_argument('--earlier', default=''); A.add_argument('--heldmost', type=int, default=16)
a = A.parse_args()
rng = random.Random(7); torch.manual_seed(7); torch.set_num_threads(a.threads)
os.makedirs(a.out, exist_ok=True)
log = open(os.path.join(a.out, 'log.txt'), 'a')
def say(*x):
    print(*x, flush=True); print(*x, file=log, flush=True)

def lines(pattern): return [json.loads(l) for f in sorted(glob.glob(pattern)) for l in (gzip.open(f, 'rt') if f.endswith('.gz') else open(f))]
def is_held(p): return int(hashlib.sha1(p['id'].encode()).hexdigest(), 16) % 100 < 8
def pools():
    shared, new, claims, earlier = labels(), lines(HERE + '/labels.jsonl.gz') + lines(a.more), lines(HERE + '/claims.jsonl.gz'), lines(a.earlier)
    train = [[p for p in shared if not p['held']], [p for p in new if not is_held(p)], earlier, [p for p in claims if not is_held(p)]]
    held = {'shared': [p for p in shared if p['held']], 'new': [p for p in new if is_held(p)], 'claims': [p for p in claims if is_held(p)]}
    # an earlier set cannot tell whether nothing answers: no questions of type none, no null option
    return [[(p, q, k == 2) for p in own for q in p['questions'] if q['answers'] or k != 2] for k, own in enumerate(train)], held

def asked(q): return ('Stated: ' if q['type'] == 'claim' else '') + q['q']

@torch.no_grad()
def check(model, held):
    model.eval(); out = {}
    for name, packets in held.items():
        ap, first, yes, no, f1, probs = [], [], [], [], [], []
        for p in sorted(packets, key=lambda p: hashlib.sha1(p['id'].encode()).hexdigest())[:a.heldmost]:
            for q in p['questions']:
                v = np.concatenate(read(model, asked(q), [d['sentences'] for d in p['documents']], [d['title'] for d in p['documents']]))
                gold = np.zeros(len(v), bool); gold[[k - 1 for k in q['answers']]] = True
                (yes if gold.any() else no).append(v.max()); probs.append((v, gold))
                if gold.any(): ap.append(average_precision(v, gold)); first.append(gold[v.argmax()]); f1.append(2 * ((v > 0) & gold).sum() / max(1, (v > 0).sum() + gold.sum()))
        if ap: out[name] = tuple(round(float(x), 3) for x in (np.mean(ap), np.mean(first), auc(yes, no) if yes and no else 0, np.mean(f1)))
    model.train(); return out

def passes_of(packet, q, earlier=False):
    answers, helps, at = set(q['answers']), set(q['helps']), 1
    claim = q['type'] == 'claim'
    question, passes, target, weight = ids(asked(q), QUESTION), [], [], []
    for d in packet['documents']:
        S = [ids(s) for s in d['sentences']]
        if rng.random() < .3: S = [s[:rng.randint(40, SENTENCE)] for s in S]
        r = rng.random(); title = context(d['title'] if r < (.9 if claim else .8) else None, d['sentences'] if r < (.3 if claim else .75) or .8 <= r < .9 else [])
        for x, y in windows(question, title, S, budget=rng.randint(110, WINDOW), overlap=False):
            passes.append((question, title, S[x:y]))
            soft = .1 if claim else .2 if answers else .05
            target.append([1. if at + k in answers else soft if at + k in helps else 0. for k in range(x, y)])
            weight.append([(1. if claim else .7) if at + k in helps and at + k not in answers else 1. for k in range(x, y)])
        at += len(S)
    return passes, target, weight

def step_loss(model, items):
    parts = [passes_of(*item) for item in items]
    passes = [x for p, _, _ in parts for x in p]
    order = sorted(range(len(passes)), key=lambda i: sum(map(len, passes[i][2])) + len(passes[i][0]))
    z = [None] * len(passes)
    for k in range(0, len(order), 24):
        own = order[k:k + 24]
        with torch.autocast('cpu', torch.bfloat16): got = scores(model, [passes[i] for i in own])
        for row, i in zip(got, own): z[i] = row[:len(passes[i][2])]
    loss, at = 0., 0
    for (p, target, weight), (_, _, earlier) in zip(parts, items):
        v = torch.cat(z[at:at + len(p)]); at += len(p)
        y = torch.tensor(sum(target, [])); w = torch.tensor(sum(weight, []))
        bce = (F.binary_cross_entropy_with_logits(v, y, reduction='none') * w).mean()
        logp = F.log_softmax(torch.cat([torch.full((1,), -1e4 if earlier else 0.), v]), -1); hard = (y > .5).float()
        listwise = -(hard / hard.sum() * logp[1:]).sum() if hard.sum() else -logp[0]
        loss = loss + (1 if earlier else 4) * bce + .5 * listwise
    return loss / len(items)

def load(path): return BertForTokenClassification.from_pretrained(path, attn_implementation='eager', hidden_dropout_prob=.05, attention_probs_dropout_prob=0., classifier_dropout=0.)
state_path = os.path.join(a.out, 'state.pt')
model = load(os.path.join(a.out, 'last')) if a.resume else load(a.start) if a.start else shipped_model()
average = load(os.path.join(a.out, 'average')) if a.resume else copy.deepcopy(model)
model.bert.embeddings.word_embeddings.weight.requires_grad_(False); model.train()
params = [p for p in model.parameters() if p.requires_grad]
optimiser = torch.optim.AdamW([dict(params=[p for p in params if p.ndim > 1], weight_decay=.01), dict(params=[p for p in params if p.ndim < 2], weight_decay=0)], lr=a.rate, betas=(.9, .98))
spent, step, done, best = 0., 0, 0, -1.
if a.resume:
    s = torch.load(state_path, weights_only=False); optimiser.load_state_dict(s['optimiser']); spent, step, done, best = s['spent'], s['step'], s['done'], s['best']
mix = [float(x) for x in a.mix.split(',')]
train, held = pools(); queues = [[] for _ in train]
say(time.strftime('%H:%M'), [len(t) for t in train], {k: sum(len(p['questions']) for p in v) for k, v in held.items()}, 'batch', a.batch, 'rate', a.rate)
if not a.resume: say('before', check(average, held))
def draw():
    global train, held
    k = rng.choices(range(4), [m if t else 0 for m, t in zip(mix, train)])[0]
    if not queues[k]:
        train, held = pools(); queues[k] = train[k][:]; rng.shuffle(queues[k])
    return queues[k].pop()
mean = None
while spent < a.seconds:
    began = time.time()
    rate = a.rate * min(1, (step + 1) / 60) * max(.03, .5 * (1 + math.cos(math.pi * min(1, spent / a.seconds))))
    for group in optimiser.param_groups: group['lr'] = rate
    optimiser.zero_grad(); loss = step_loss(model, [draw() for _ in range(a.batch)]); loss.backward()
    torch.nn.utils.clip_grad_norm_(params, 1.); optimiser.step(); step += 1
    with torch.no_grad():
        decay = min(.998, (1 + step) / (20 + step))
        for p, q in zip(average.parameters(), model.parameters()): p.lerp_(q, 1 - decay)
    mean = loss.item() if mean is None else .98 * mean + .02 * loss.item(); spent += time.time() - began
    if step % 100 == 0: say(f'{spent:.0f} s, step {step}, loss {mean:.3f}, {spent / step / a.batch:.2f} s a question')
    if spent / a.seconds > (done + 1) / a.checks:
        done += 1; now = check(average, held); say(time.strftime('%H:%M'), f'step {step}', now)
        score = float(np.mean([v[0] + v[2] for k, v in now.items() if k != 'claims']) + (now['claims'][0] if 'claims' in now else 0) * .5)
        if score > best: best = score; average.save_pretrained(a.out + '/best')
        model.save_pretrained(a.out + '/last'); average.save_pretrained(a.out + '/average')
        torch.save(dict(optimiser=optimiser.state_dict(), spent=spent, step=step, done=done, best=best), state_path)
say('end, best', best)
