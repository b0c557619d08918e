import { mean } from '../../evaluation/index.ts';
import { quantile } from './estimate.ts';
import type { ScoredText } from './metrics.ts';

/** Distribution of some values. */
export interface Distribution {
  readonly n: number;
  /** Null, with all quantiles, without values. */
  readonly mean: number | null;
  readonly quantiles: Readonly<Record<QuantileName, number | null>>;
  /** Values in each bin of the scale; the last bin has its upper end too. */
  readonly counts: readonly number[];
}

/** Bins of equal width. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly bins: number;
  /** Whether there are values beyond its end, which the last bin counts too. */
  readonly isCut: boolean;
}

const QUANTILES = { min: 0, p10: 0.1, p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9, max: 1 } as const;
type QuantileName = keyof typeof QUANTILES;

/** Quantiles (linear between neighbours) and a histogram; values beyond the scale fall into its first and last bins. */
export function distributionOf(values: readonly number[], { from, to, bins }: Scale): Distribution {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted.length === 0 ? null : quantile(sorted, share));
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    const bin = Math.floor((bins * (value - from)) / (to - from));
    counts[Math.min(Math.max(bin, 0), bins - 1)]++;
  }
  const { min, p10, p25, p50, p75, p90, max } = QUANTILES;
  return {
    n: values.length,
    mean: mean(values),
    quantiles: { min: at(min), p10: at(p10), p25: at(p25), p50: at(p50), p75: at(p75), p90: at(p90), max: at(max) },
    counts,
  };
}

/** Times the median: a histogram that reached any farther would show little of the others. */
const FAR = 4;

/**
 * A scale from 0 that holds all values, but for those far beyond the median, in about so many bins, each as wide as 1, 2
 * or 5 times a power of ten.
 */
export function scaleFor(values: readonly number[], bins: number): Scale {
  const sorted = values.toSorted((a, b) => a - b);
  const largest = sorted.at(-1) ?? 0;
  if (largest <= 0) return { from: 0, to: bins, bins, isCut: false };
  const usual = FAR * quantile(sorted, 0.5);
  const most = usual > 0 ? Math.min(largest, usual) : largest;
  const rough = most / bins;
  const power = 10 ** Math.floor(Math.log10(rough));
  const width = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough * (1 - 1e-12)) ?? 10 * power;
  const count = Math.max(1, Math.ceil(most / width - 1e-12));
  return { from: 0, to: count * width, bins: count, isCut: largest > count * width * (1 + 1e-12) };
}

/**
 * Tells whether a system is better or merely longer: the share of the documents that hold a selected point and the words of
 * the text, a value per text, and the words of sentences, a value per sentence.
 */
export const LENGTHS = ['documents', 'words', 'wordsPerSentence'] as const;
export type LengthName = (typeof LENGTHS)[number];

export type Distributions = Readonly<Record<LengthName, Distribution>>;

const BINS = 16;
const SHARES: Scale = { from: 0, to: 1, bins: 20, isCut: false };

/** Scales that all systems share, so that their histograms can be compared. */
export function scalesOf(texts: readonly ScoredText[]): Readonly<Record<LengthName, Scale>> {
  return {
    documents: SHARES,
    words: scaleFor(valuesOf(texts, 'words'), BINS),
    wordsPerSentence: scaleFor(valuesOf(texts, 'wordsPerSentence'), BINS),
  };
}

export function distributionsOf(
  texts: readonly ScoredText[],
  scales: Readonly<Record<LengthName, Scale>>,
): Distributions {
  const [documents, words, wordsPerSentence] = LENGTHS.map((name) =>
    distributionOf(valuesOf(texts, name), scales[name]),
  );
  return { documents, words, wordsPerSentence };
}

function valuesOf(texts: readonly ScoredText[], name: LengthName): number[] {
  if (name === 'wordsPerSentence') return texts.flatMap(({ sentenceWords }) => sentenceWords);
  const key = name === 'words' ? 'digest.words' : 'digest.documentCoverage';
  return texts.flatMap(({ figures }) => figures[key] ?? []);
}
