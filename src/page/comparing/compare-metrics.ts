import type { StoredDigest } from '../reading/stored-digest.ts';
import { sameValue } from './option-leaves.ts';
import { resolvedOptions } from './words-of-options.ts';

export type Side = 'left' | 'right';

/** A measure of both digests. */
export interface MetricRow {
  readonly name: string;
  /** In a few plain words. */
  readonly meaning: string;
  readonly left: string;
  readonly right: string;
  /** The right one less the left one; null where they cannot be compared. */
  readonly difference: string | null;
  /** Which side is better; null where neither is, or more is neither better nor worse. */
  readonly better: Side | null;
  /** Which way is better, or why nothing can be compared. */
  readonly note: string;
  /** Why they cannot be compared; null where they can. */
  readonly doubt: string | null;
}

interface Measure {
  readonly name: string;
  readonly meaning: string;
  readonly value: (stored: StoredDigest) => number | null;
  readonly write: (value: number) => string;
  readonly direction: 'more' | 'less' | null;
  /** Why two values say nothing beside each other; null where they do. */
  readonly incomparable?: (left: StoredDigest, right: StoredDigest) => string | null;
}

const percent = (value: number): string => `${Number((100 * value).toPrecision(3))}%`;
const short = (value: number): string => String(Number(value.toPrecision(3)));
const whole = (value: number): string => Math.round(value).toLocaleString('en');

const MEASURES: readonly Measure[] = [
  {
    name: 'Documents covered',
    meaning: 'share of the documents with a selected key point',
    value: ({ digest }) => digest.metrics.documentCoverage,
    write: percent,
    direction: 'more',
  },
  {
    name: 'Documents cited',
    meaning: 'share of the documents cited at all',
    value: ({ digest }) => digest.metrics.citedDocuments,
    write: percent,
    direction: 'more',
  },
  {
    name: 'Redundancy',
    meaning: 'how similar the selected key points are; 1 at most',
    value: ({ digest }) => digest.metrics.redundancy,
    write: short,
    direction: 'less',
    incomparable: (left, right) =>
      differ(left, right, ['engine.encoder', 'selection.kernel.similarity'], 'similarity is measured differently'),
  },
  {
    name: 'Relevance',
    meaning: 'how well the selected key points fit the question; 1 at most',
    value: ({ digest }) => digest.metrics.relevance,
    write: short,
    direction: 'more',
    incomparable: (left, right) =>
      sameValue(left.request.intent ?? null, right.request.intent ?? null)
        ? differ(
            left,
            right,
            [
              'engine.relevanceEncoder',
              'selection.relevance.encoder',
              'selection.relevance.surroundings',
              'selection.relevance.estimate',
            ],
            'relevance is measured differently',
          )
        : 'the questions differ',
  },
  {
    name: 'Compression',
    meaning: 'words of the summary for each word read',
    value: ({ digest }) => digest.metrics.compression,
    write: percent,
    direction: null,
  },
  {
    name: 'Words',
    meaning: 'length of the summary',
    value: ({ digest }) => digest.metrics.words,
    write: whole,
    direction: null,
  },
  {
    name: 'Words per sentence',
    meaning: 'how long its sentences are',
    value: ({ digest }) => digest.metrics.wordsPerSentence,
    write: short,
    direction: null,
  },
  {
    name: 'Objective',
    meaning: 'what the strategy maximises',
    value: ({ digest }) => digest.selection.objective,
    write: short,
    direction: 'more',
    incomparable: (left, right) => {
      const shared = [...resolvedOptions(left).keys()].filter((path) =>
        /^selection\.(?:strategy|kernel|relevance|salience|coverage|sources|background)|^engine\.encoder/.test(path),
      );
      const why = sameValue(left.request.intent ?? null, right.request.intent ?? null)
        ? differ(left, right, shared, 'strategy, kernel or weights differ')
        : 'the questions differ';
      return why;
    },
  },
];

/** The measures of two digests next to each other; those that neither has are left out. */
export function compareMetrics(left: StoredDigest, right: StoredDigest): MetricRow[] {
  return MEASURES.flatMap((measure) => {
    const [a, b] = [measure.value(left), measure.value(right)];
    return a === null && b === null ? [] : [rowOf(measure, a, b, measure.incomparable?.(left, right) ?? null)];
  });
}

function rowOf(measure: Measure, left: number | null, right: number | null, why: string | null): MetricRow {
  const { name, meaning, write, direction } = measure;
  const told = { name, meaning, left: notify(left, write), right: notify(right, write), doubt: why };
  if (why !== null) return { ...told, difference: null, better: null, note: `not comparable: ${why}` };
  const note = direction === null ? 'neither is better' : `${direction} is better`;
  if (left === null || right === null) return { ...told, difference: null, better: null, note };
  const difference = right - left;
  if (write(left) === write(right)) return { ...told, difference: 'none', better: null, note };
  const sign = difference > 0 ? '+' : '−';
  const size = write(Math.abs(difference));
  // Of shares the difference is in points of a hundred.
  const amount = size.endsWith('%') ? `${size.slice(0, -1)} pp` : size;
  const isRight = difference > 0 === (direction === 'more');
  return { ...told, difference: sign + amount, better: direction === null ? null : isRight ? 'right' : 'left', note };
}

function notify(value: number | null, write: (value: number) => string): string {
  return value === null ? '–' : write(value);
}

function differ(left: StoredDigest, right: StoredDigest, paths: readonly string[], why: string): string | null {
  const [ofLeft, ofRight] = [resolvedOptions(left), resolvedOptions(right)];
  return paths.every((path) => sameRounded(ofLeft.get(path), ofRight.get(path))) ? null : why;
}

/** Numbers that were worked out may differ by what rounding leaves. */
function sameRounded(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other) <= 1e-9 * Math.abs(one);
  return sameValue(one, other);
}
