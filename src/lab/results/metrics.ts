import { type AnyMetric, METRICS } from '../../evaluation/index.ts';

export interface ResultMetric {
  readonly key: string;
  readonly title: string;
  readonly digits: number;
  /** Whether it is the same in every run, so that it can be tested. */
  readonly isSteady: boolean;
  /** Whether it is averaged over the insights of all digests, as in SummHay, rather than over digests. */
  readonly isPooled: boolean;
}

const metric = (
  key: string,
  title: string,
  digits: number,
  { isSteady = true, isPooled = false }: Partial<Pick<ResultMetric, 'isSteady' | 'isPooled'>> = {},
): ResultMetric => ({ key, title, digits, isSteady, isPooled });

function scoresOf({ prefix, figures }: Pick<AnyMetric, 'prefix' | 'figures'>): ResultMetric[] {
  return figures
    .filter(({ isDescriptive }) => isDescriptive !== true)
    .toSorted((a, b) => Number(b.isMain === true) - Number(a.isMain === true))
    .map(({ name, title, fullTitle = title, over }) =>
      metric(`${prefix}.${name}`, fullTitle, 1, { isPooled: over !== undefined }),
    );
}

/** Scores, then the digest's own figures. Tokens, cost and latency cover selecting and writing only, as all arms share the reading. */
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

export type Figures = Readonly<Record<string, number | null>>;

export interface ScoredText {
  readonly figures: Figures;
  /** Number of parts behind each figure that is micro-averaged. */
  readonly over: Readonly<Record<string, number>>;
  readonly sentenceWords: readonly number[];
  readonly isPartial: boolean;
  /** Source coverage by document, in input order; null for documents without questions. */
  readonly byPosition?: readonly (number | null)[] | null | undefined;
}

export const LATENCY = 'digest.latency';
const OF_MODELS: readonly string[] = ['digest.tokens', 'digest.cost'];

/** The requested metrics that any digest has (null for all); tokens and cost only if nonzero or requested. */
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
