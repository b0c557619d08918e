import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { foundShares } from '../../src/evaluation/embedded/found-shares.ts';
import { curveOf, logistic } from '../../src/evaluation/embedded/match.ts';
import { agreementOfFacts, readBullet, wholePassage } from '../../src/evaluation/index.ts';
import { pearson } from '../../src/lab/validation/correlation.ts';
import type { LabelledSummary } from '../../src/lab/validation/judge-agreement.ts';
import { CAUTIOUS } from '../../src/models/encoders/calibrated.ts';
import { withoutTokens } from '../../src/models/encoders/without-tokens.ts';
import { transformersEncoder } from '../../src/models/index.node.ts';
import type { CoverageLevels, Encoder } from '../../src/models/index.ts';
import { onnxruntime } from '../../src/models/linear-algebra/onnxruntime.node.ts';
import { type RecallTask, windowRecalls } from '../../src/selection/index.ts';
import { openDatabase } from '../../src/store/index.node.ts';
import { storeCache } from '../../src/store/index.ts';

// Fits the embedded judge's curve and levels: npx tsx test/bench/calibrate-judge.ts [--data …]
const print = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/summhay-judgements.json' },
  },
});

/** One insight as people and the judge see it. */
interface Case {
  readonly topic: string;
  readonly human: number;
  readonly linked: number | null;
  /** Share found and agreement of facts, by bullet. */
  readonly bullets: readonly { readonly share: number; readonly facts: number }[];
}

interface Curve {
  readonly middle: number;
  readonly width: number;
}

async function casesOf(encoder: Encoder, summaries: readonly LabelledSummary[]): Promise<Case[]> {
  const product = await onnxruntime();
  const database = openDatabase(':memory:');
  const engine = {
    recall: (tasks: readonly RecallTask[]) => inOrder(tasks, (task) => windowRecalls(task, product)),
  };
  const cases: Case[] = [];
  for (const { topic = '', bullets, insights } of summaries) {
    const passages = bullets.map((bullet) => wholePassage(readBullet(bullet, new Set()).text));
    const tasks = insights.map(({ text }) => ({ reference: text, passages }));
    const found = await foundShares(tasks, { encoder, cache: storeCache(database), engine });
    insights.forEach(({ text, human, bullet }, i) => {
      const ofBullets = passages.map((passage, place) => ({
        share: found[i].shares[place],
        facts: agreementOfFacts(text, passage),
      }));
      cases.push({ topic, human, linked: human > 0 ? bullet : null, bullets: ofBullets });
    });
  }
  return cases;
}

async function inOrder<A, B>(items: readonly A[], make: (item: A) => Promise<B>): Promise<B[]> {
  const made: B[] = [];
  for (const item of items) made.push(await make(item));
  return made;
}

function best({ bullets }: Case, curve: Curve): { readonly score: number; readonly place: number } {
  return bullets.reduce(
    (most, { share, facts }, place) => {
      const score = logistic(share, curve) * facts;
      return score > most.score ? { score, place } : most;
    },
    { score: 0, place: -1 },
  );
}

/** The curve whose scores differ least from people's, squared. */
function fitCurve(cases: readonly Case[]): Curve {
  let [least, fitted] = [Infinity, { middle: 0, width: 1 }];
  for (let middle = 0.2; middle < 0.6; middle += 0.01) {
    for (let width = 0.03; width < 0.16; width += 0.01) {
      const error = cases.reduce((sum, each) => sum + (best(each, { middle, width }).score - each.human) ** 2, 0);
      if (error < least) [least, fitted] = [error, { middle, width }];
    }
  }
  return fitted;
}

/** The levels that correlate best with people, of those without bias. */
function fitLevels(cases: readonly Case[], curve: Curve): { half: number; full: number; r: number; bias: number } {
  const people = cases.map(({ human }) => human);
  const scores = cases.map((each) => best(each, curve).score);
  let fitted = { half: 0.5, full: 0.5, r: -1, bias: 0 };
  for (let half = 0.15; half < 0.6; half += 0.05) {
    for (let full = half + 0.1; full < 0.9; full += 0.05) {
      const levels: number[] = scores.map((score) => (score >= full ? 1 : score >= half ? 0.5 : 0));
      const r = pearson(levels, people) ?? -1;
      const bias = levels.reduce((sum, level, i) => sum + level - people[i], 0) / people.length;
      if (r > fitted.r && Math.abs(bias) < 0.02) fitted = { half, full, r, bias };
    }
  }
  return fitted;
}

function graded(cases: readonly Case[], curve: Curve): number {
  return (
    pearson(
      cases.map((each) => best(each, curve).score),
      cases.map(({ human }) => human),
    ) ?? Number.NaN
  );
}

/** How well given levels do. */
function asJudged(cases: readonly Case[], curve: Curve, { half, full }: CoverageLevels): string {
  const people = cases.map(({ human }) => human);
  const found = cases.map((each) => best(each, curve));
  const levels: number[] = found.map(({ score }) => (score >= full ? 1 : score >= half ? 0.5 : 0));
  const bias = levels.reduce((sum, level, i) => sum + level - people[i], 0) / people.length;
  const linkable = cases.flatMap(({ linked }, i) => (linked === null ? [] : [found[i].place === linked]));
  const linked = linkable.filter(Boolean).length / linkable.length;
  const r = (pearson(levels, people) ?? Number.NaN).toFixed(3);
  return `graded ${graded(cases, curve).toFixed(3)} levels ${r} linked ${(100 * linked).toFixed(1)}% bias ${bias.toFixed(3)}`;
}

/** What an endpoint would give of it: sentence vectors alone. */
function sentencesOf(encoder: Encoder): Encoder {
  const profile = { ...encoder.profile, id: `${encoder.profile.id}/sentences`, tokenDimensions: 0 };
  return {
    profile,
    encode: async (texts) =>
      (await encoder.encode(texts)).map(({ sentence }) => ({ ...withoutTokens(sentence.length), sentence })),
  };
}

/** What unrelated texts have in common with some models. */
const COMMON = 0.6;

/** Sentence vectors whose cosines all run high, with the thresholds of an encoder that nobody measured. */
function highVectorsOf(encoder: Encoder): Encoder {
  const { profile, encode } = sentencesOf(encoder);
  const sentenceDimensions = profile.sentenceDimensions + 1;
  const raised = (sentence: Float32Array) =>
    Float32Array.from([...sentence.map((value) => value * Math.sqrt(1 - COMMON)), Math.sqrt(COMMON)]);
  return {
    profile: { ...profile, id: `${profile.id}/high`, sentenceDimensions, calibration: CAUTIOUS },
    encode: async (texts) =>
      (await encode(texts)).map((encoding) => ({ ...encoding, sentence: raised(encoding.sentence) })),
  };
}

const summaries: LabelledSummary[] = JSON.parse(readFileSync(values.data, 'utf8'));
const embedded = await transformersEncoder();
const encoders: [string, Encoder][] = [
  ['tokens', embedded],
  ['sentence vectors', sentencesOf(embedded)],
  ['sentence vectors that run high', highVectorsOf(embedded)],
];
for (const [name, encoder] of encoders) {
  const cases = await casesOf(encoder, summaries);
  const curve = fitCurve(cases);
  const levels = fitLevels(cases, curve);
  const linkable = cases.filter(({ linked }) => linked !== null);
  const linked = linkable.filter((each) => best(each, curve).place === each.linked).length / linkable.length;
  print(
    `${name}: middle ${curve.middle.toFixed(2)} width ${curve.width.toFixed(2)} graded ${graded(cases, curve).toFixed(3)} linked ${(100 * linked).toFixed(1)}%`,
  );
  print(
    `  half ${levels.half.toFixed(2)} full ${levels.full.toFixed(2)} levels ${levels.r.toFixed(3)} bias ${levels.bias.toFixed(3)}`,
  );
  const { coverage } = encoder.profile.calibration;
  const own = curveOf(encoder.profile.tokenDimensions > 0 ? 'tokens' : 'vectors', coverage);
  print(
    `  as the judge has it (${own.middle}, ${own.width}, ${coverage.half}, ${coverage.full}): ${asJudged(cases, own, coverage)}`,
  );
  for (const topic of new Set(cases.map((each) => each.topic))) {
    const [own, others] = [cases.filter((each) => each.topic === topic), cases.filter((each) => each.topic !== topic)];
    const fitted = fitCurve(others);
    const elsewhere = fitLevels(others, fitted);
    const people = own.map(({ human }) => human);
    const told = own
      .map((each) => best(each, fitted).score)
      .map((score) => (score >= elsewhere.full ? 1 : score >= elsewhere.half ? 0.5 : 0));
    print(
      `  ${topic.slice(0, 30)}… with the curve of the others (${fitted.middle.toFixed(2)}, ${fitted.width.toFixed(2)}): graded ${graded(own, fitted).toFixed(3)} levels ${(pearson(told, people) ?? Number.NaN).toFixed(3)}`,
    );
  }
}
process.exit(0);
