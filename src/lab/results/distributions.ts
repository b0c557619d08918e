import { mean } from '../../evaluation/index.ts';
import { quantile } from './estimate.ts';
import type { ScoredText } from './metrics.ts';

export interface Distribution {
  readonly n: number;
  /** Null, like all quantiles, without values. */
  readonly mean: number | null;
  readonly quantiles: Readonly<Record<QuantileName, number | null>>;
  /** Per bin; the last bin includes its upper end. */
  readonly counts: readonly number[];
}

export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly bins: number;
  /** Whether values lie beyond the end; the last bin counts them. */
  readonly isCut: boolean;
}

const QUANTILES = { min: 0, p10: 0.1, p25: 0.25, p50: 0.5, p75: 0.75, p90: 0.9, max: 1 } as const;
type QuantileName = keyof typeof QUANTILES;

/** Quantiles (linear interpolation) and a histogram; the outer bins count values beyond the scale. */
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

/** Max multiple of the median on the scale: outliers would compress the rest. */
const FAR = 4;

/** A scale from 0 over all values except outliers, with about `bins` bins of a width of 1, 2 or 5 times a power of ten. */
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

/** Tells better systems from merely longer ones; `documents` is the share with a selected point. */
export const LENGTHS = ['documents', 'words', 'wordsPerSentence'] as const;
export type LengthName = (typeof LENGTHS)[number];

export type Distributions = Readonly<Record<LengthName, Distribution>>;

const BINS = 16;
const SHARES: Scale = { from: 0, to: 1, bins: 20, isCut: false };

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
