import { type AnyMetric, METRICS } from '../../evaluation/index.ts';

/** A figure of a text that systems are compared by: a column of a table. */
export interface ResultMetric {
  readonly key: string;
  /** Over a column. */
  readonly title: string;
  /** After the point. */
  readonly digits: number;
  /** Whether it is the same in every run, and so may be tested. */
  readonly isSteady: boolean;
  /** Whether it is averaged over the insights of all digests as one, as in SummHay, and not over digests. */
  readonly isPooled: boolean;
}

const metric = (
  key: string,
  title: string,
  digits: number,
  { isSteady = true, isPooled = false }: Partial<Pick<ResultMetric, 'isSteady' | 'isPooled'>> = {},
): ResultMetric => ({ key, title, digits, isSteady, isPooled });

/** The scores of a metric, its main one first. */
function scoresOf({ prefix, figures }: Pick<AnyMetric, 'prefix' | 'figures'>): ResultMetric[] {
  return figures
    .filter(({ isDescriptive }) => isDescriptive !== true)
    .toSorted((a, b) => Number(b.isMain === true) - Number(a.isMain === true))
    .map(({ name, title, fullTitle = title, over }) =>
      metric(`${prefix}.${name}`, fullTitle, 1, { isPooled: over !== undefined }),
    );
}

/** What a digest is scored by, and what it says of itself. Tokens, cost and latency are those of choosing and writing: all arms share what is read. */
export const RESULT_METRICS: readonly ResultMetric[] = [
  metric('labelled.joint', 'joint by labels', 1, { isPooled: true }),
  metric('labelled.coverage', 'coverage by labels', 1, { isPooled: true }),
  metric('labelled.citation', 'citation by labels', 1, { isPooled: true }),
  metric('labelled.precision', 'citation precision by labels', 1, { isPooled: true }),
  ...METRICS.flatMap(scoresOf),
  metric('passages.precision', 'in marked passages', 1),
  metric('passages.spread', 'marked passages told', 1),
  metric('input.words', 'words given', 0),
  metric('digest.selected', 'key points', 1),
  metric('digest.documentCoverage', 'documents', 3),
  metric('digest.citedDocuments', 'cited documents', 3),
  metric('digest.redundancy', 'redundancy', 3),
  metric('digest.relevance', 'relevance', 3),
  metric('digest.support', 'support', 3),
  metric('digest.compression', 'compression', 4),
  metric('digest.words', 'words', 0),
  metric('digest.wordsPerSentence', 'words/sentence', 1),
  metric('digest.tokens', 'tokens', 0),
  metric('digest.cost', 'cost', 4),
  metric('digest.latency', 'ms', 0, { isSteady: false }),
];

/** The figures of one digest by the key of the metric; null where it has none. */
export type Figures = Readonly<Record<string, number | null>>;

/** A text that a system answered a case with, scored. */
export interface ScoredText {
  readonly figures: Figures;
  /** Parts of the text that a figure is a mean of, if it is averaged over the parts of all texts. */
  readonly over: Readonly<Record<string, number>>;
  /** Words of each sentence, framing included, in order. */
  readonly sentenceWords: readonly number[];
  /** Whether a part failed, so that another run may do better. */
  readonly isPartial: boolean;
  /** Source coverage of each document in the order of the input, if scored; null for documents without questions. */
  readonly byPosition?: readonly (number | null)[] | null | undefined;
}

export const LATENCY = 'digest.latency';
const OF_MODELS: readonly string[] = ['digest.tokens', 'digest.cost'];

/**
 * The metrics to show: all that any digest has a figure of, or those of them that are wanted; of tokens and cost, where any
 * was spent or they are wanted.
 *
 * @param wanted keys; null for all
 */
export function metricsFor(
  all: readonly Figures[],
  wanted: readonly string[] | null,
  hasTimings: boolean,
): ResultMetric[] {
  const isThere = (key: string) => all.some((figures) => (figures[key] ?? null) !== null);
  const isSpent = (key: string) => all.some((figures) => (figures[key] ?? 0) > 0);
  return RESULT_METRICS.filter(({ key }) => {
    if (key === LATENCY) return hasTimings;
    if (wanted !== null) return wanted.includes(key) && isThere(key);
    return OF_MODELS.includes(key) ? isSpent(key) : isThere(key);
  });
}
