import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { transformersEncoder } from '../../src/models/index.node.ts';
import type { Encoder, EncoderProfile, Encoding } from '../../src/models/index.ts';
import { inverseTokenFrequency, inverseWordFrequency, tokenSupport, wordSupport } from '../../src/selection/index.ts';
import { sentenceChecker } from '../../src/summary/index.ts';
import { supportScore } from '../../src/summary/verify/check-sentence.ts';
import { cosineWith, STRETCH_BELOW, STRETCH_OF_WORDS, WORDS_ALONE } from '../../src/summary/verify/sentence-checker.ts';
import { HELD_OUT, HELD_OUT_REFERENCE, HONEST, PAIRS, type Pair, REFERENCE, WRONG } from '../summary/verify/pairs.ts';

/** The tables go to standard output. */
const print = (line: string) => process.stdout.write(`${line}\n`);

// Prints the tables of docs/decisions/support.md: npx tsx test/bench/calibrate-support.ts [--data …]
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/summhay-judgements.json' },
  },
});

interface Judged {
  readonly topic: string;
  readonly bullets: readonly string[];
  readonly insights: readonly { readonly text: string; readonly human: number; readonly bullet: number | null }[];
}

type Measure = 'tokens' | 'words and cosine' | 'words';

const LEVELS = [0.4, 0.45, 0.5, 0.55, 0.58, 0.6, 0.65, 0.7, 0.75, 0.8];
const SETS: readonly (readonly [string, readonly Pair[], readonly string[]])[] = [
  ['own pairs', PAIRS, REFERENCE],
  ['held out', HELD_OUT, HELD_OUT_REFERENCE],
];

/** Encodes every text once. */
function cached(encoder: Encoder): (text: string) => Promise<Encoding> {
  const known = new Map<string, Promise<Encoding>>();
  return (text) => {
    const made = known.get(text) ?? encoder.encode([text]).then(([one]) => one);
    known.set(text, made);
    return made;
  };
}

interface Score {
  readonly score: number;
  /** Recall of the worst stretch. */
  readonly weakest: number;
}

/** Scores hypotheses in premises, by measure. */
async function scorer(encoder: Encoder, reference: readonly string[], encode: (text: string) => Promise<Encoding>) {
  const tokenWeight = inverseTokenFrequency(await Promise.all(reference.map(encode)));
  const wordWeight = inverseWordFrequency(reference);
  return async (measure: Measure, hypothesis: string, premises: readonly string[]): Promise<Score> => {
    const words = wordSupport(hypothesis, premises, wordWeight);
    if (measure === 'words') return { score: words.recall, weakest: words.weakest };
    const [own, ...others] = await Promise.all([hypothesis, ...premises].map(encode));
    if (measure === 'words and cosine') {
      return { score: supportScore(words.recall, cosineWith(own, others)), weakest: words.weakest };
    }
    const tokens = tokenSupport(own, others, encoder.profile.tokenDimensions, tokenWeight);
    return { score: tokens.recall, weakest: tokens.weakest };
  };
}

/** The levels in use: of the whole and of its worst stretch. */
function levelsOf({ calibration: { supported } }: EncoderProfile, measure: Measure): [number, number] {
  if (measure === 'tokens') return [supported.tokens, supported.tokens - STRETCH_BELOW];
  return [measure === 'words' ? WORDS_ALONE : supported.words, STRETCH_OF_WORDS];
}

const withoutMarkers = (bullet: string) => bullet.replace(/^[-•*\s]+/, '').replace(/\s*\[[\d,\s[\]]+\]/g, '');

/** Scores of insights by the coverage that people gave, in the bullet they chose; the best bullet where they chose none. */
async function judgedScores(encoder: Encoder, measure: Measure, reverse: boolean): Promise<Map<number, Score[]>> {
  const data: readonly Judged[] = JSON.parse(readFileSync(values.data, 'utf8'));
  const encode = cached(encoder);
  const scores = new Map<number, Score[]>([1, 0.5, 0].map((human) => [human, []]));
  for (const topic of new Set(data.map((summary) => summary.topic))) {
    const summaries = data.filter((summary) => summary.topic === topic);
    const reference = summaries.flatMap(({ bullets }) => bullets.map(withoutMarkers));
    const score = await scorer(encoder, reference, encode);
    for (const { bullets, insights } of summaries) {
      const premises = bullets.map(withoutMarkers);
      for (const { text, human, bullet } of insights) {
        const chosen = bullet === null ? (human === 0 ? premises : []) : [premises[bullet]];
        const found = await Promise.all(
          chosen.map((premise) => (reverse ? score(measure, premise, [text]) : score(measure, text, [premise]))),
        );
        const [best] = found.sort((a, b) => b.score - a.score);
        if (best !== undefined) scores.get(human)?.push(best);
      }
    }
  }
  return scores;
}

const rangeOf = (values: readonly number[]) => `${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)}`;
const percent = (share: number) => (100 * share).toFixed(0).padStart(3);
const shareFrom = (scores: readonly Score[], level: number, stretch = -1) =>
  scores.filter(({ score, weakest }) => score >= level && weakest >= stretch).length / scores.length;

/** Chance that a fully covered insight scores higher than one that is not covered. */
function separation(above: readonly Score[], below: readonly Score[]): number {
  let won = 0;
  for (const { score: a } of above) for (const { score: b } of below) won += a > b ? 1 : a === b ? 0.5 : 0;
  return won / (above.length * below.length);
}

async function printJudged(encoder: Encoder, measure: Measure): Promise<void> {
  for (const reverse of [false, true]) {
    const scores = await judgedScores(encoder, measure, reverse);
    const [full = [], partial = [], none = []] = [1, 0.5, 0].map((human) => scores.get(human));
    print(
      `\n${measure}, ${reverse ? 'bullet in insight' : 'insight in bullet'}; ` +
        `${full.length}/${partial.length}/${none.length}; AUC full-none ${separation(full, none).toFixed(3)}, partial-none ${separation(partial, none).toFixed(3)}`,
    );
    print('| level | full | partial | none |');
    for (const level of LEVELS) {
      print(`| ${level} | ${[full, partial, none].map((list) => percent(shareFrom(list, level))).join(' | ')} |`);
    }
    const [level, stretch] = levelsOf(encoder.profile, measure);
    const shares = [full, partial, none].map((list) => percent(shareFrom(list, level, stretch)));
    print(`| ${level}, stretch ${stretch.toFixed(2)} | ${shares.join(' | ')} |`);
  }
}

async function printPairs(encoder: Encoder, measure: Measure): Promise<void> {
  const profile: EncoderProfile = {
    ...encoder.profile,
    ...(measure !== 'tokens' && { tokenDimensions: 0 }),
    ...(measure === 'words' && { languages: [] }),
  };
  const [level] = levelsOf(profile, measure);
  for (const [set, pairs, reference] of SETS) {
    const score = await scorer(encoder, reference, cached(encoder));
    const scores = await Promise.all(pairs.map(({ sentence, quotes }) => score(measure, sentence, quotes)));
    const checker = sentenceChecker({ encode: (texts) => encoder.encode(texts), profile, reference });
    const verdicts = await checker.check(
      pairs.map(({ sentence, quotes }) => ({ text: sentence, quotes, allowedNames: [], language: 'eng' })),
    );
    print(
      `\n${measure}, level ${level}, ${set}\n| kind | pairs | scores | worst stretches | above the level | supported |`,
    );
    for (const kind of [...HONEST, ...WRONG]) {
      const own = pairs.flatMap((pair, i) => (pair.kind === kind ? [i] : []));
      const above = own.filter((i) => scores[i].score >= level).length;
      const supported = own.filter((i) => verdicts[i].supported).length;
      const ranges = [rangeOf(own.map((i) => scores[i].score)), rangeOf(own.map((i) => scores[i].weakest))];
      print(`| ${kind} | ${own.length} | ${ranges.join(' | ')} | ${above} | ${supported} |`);
      const wrong = own.filter((i) => verdicts[i].supported !== (HONEST as readonly string[]).includes(kind));
      for (const i of wrong) print(`  ${scores[i].score.toFixed(2)} [${verdicts[i].reasons}] ${pairs[i].sentence}`);
    }
  }
}

const encoder = await transformersEncoder();
for (const measure of ['tokens', 'words and cosine', 'words'] as const) {
  await printJudged(encoder, measure);
  await printPairs(encoder, measure);
}
