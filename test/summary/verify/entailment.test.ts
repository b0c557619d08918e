import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { holdPoints, type SelectedPoint, type Verifier } from '../../../src/summary/index.ts';
import { alarmsOf, type Judge } from '../../../src/summary/verify/judge-twice.ts';

/** Labelled pairs beside the checkout, where they are there: nothing of them is in the project. */
const FILE = '../shared/data/entailment.json';
const PAIRS = z.array(
  z.object({
    id: z.string(),
    evidence: z.string(),
    context: z.string(),
    claim: z.string(),
    supported: z.boolean(),
    kind: z.string(),
  }),
);
const pairs = existsSync(FILE) ? PAIRS.parse(JSON.parse(readFileSync(FILE, 'utf8'))) : [];

const points = pairs.map(({ id, claim, evidence, context }): SelectedPoint => {
  const at = context.indexOf(evidence);
  const [before, after] = at < 0 ? ['', ''] : [context.slice(0, at), context.slice(at + evidence.length)];
  return {
    id,
    document: 'd',
    text: claim,
    quote: { text: evidence, start: 0, end: evidence.length },
    inContext: [{ text: evidence, before, after }],
    isWorded: true,
    relevance: 1,
    salience: 1,
    rank: 1,
    facet: null,
    supports: [],
  };
});

/** Shares of honest claims and of lies that keep their wording, in percent. */
async function keptBy(verifier: Verifier) {
  const { points: held } = await holdPoints(points, [{ id: 'd' }], verifier);
  const share = (supported: boolean) => {
    const of = pairs.map((_, index) => index).filter((index) => pairs[index].supported === supported);
    return (100 * of.filter((index) => held[index].text === pairs[index].claim).length) / of.length;
  };
  return { honest: share(true), lies: share(false), held };
}

const byLabel: Judge = async (claims) =>
  claims.map(({ text }) => {
    const supported = pairs.some((pair) => pair.claim === text && pair.supported);
    return { supported, wrong: '', idle: [] };
  });

describe.skipIf(pairs.length === 0)('claims of a model, half of them lies', () => {
  it('stand as a judge says, every one of them', async () => {
    expect(await keptBy({ mode: 'judge', judge: byLabel })).toMatchObject({ honest: 100, lies: 0 });
  });

  it('by rules give way to their quotes, unless they are verbatim', async () => {
    const { lies, held } = await keptBy({ mode: 'rules' });
    expect(lies).toBe(0);
    expect(held.every(({ verification }) => verification === 'verbatim')).toBe(true);
  });

  it('off stand, and say that nobody verified them', async () => {
    const { honest, lies, held } = await keptBy({ mode: 'off' });
    expect([honest, lies]).toEqual([100, 100]);
    expect(held.filter(({ verification }) => verification === 'unverified').length).toBeGreaterThan(290);
  });

  it('alarms are raised for most changed numbers and names, and few honest claims', () => {
    const raised = (kinds: (kind: string, supported: boolean) => boolean) => {
      const of = pairs.filter(({ kind, supported }) => kinds(kind, supported));
      const alarmed = of.filter((pair) => {
        const point = points[pairs.indexOf(pair)];
        return alarmsOf({ text: pair.claim, passages: [{ document: 'd', quotes: point.inContext ?? [] }] }).length > 0;
      });
      return alarmed.length / of.length;
    };
    expect(raised((kind) => kind === 'number-changed' || kind === 'name-changed')).toBeGreaterThan(0.6);
    expect(raised((_, supported) => supported)).toBeLessThan(0.1);
  });
});
