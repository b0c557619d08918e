import { type AnyMetric, METRICS } from '../../evaluation/index.ts';

export interface ResultMetric {
  readonly key: string;
  readonly title: string;
  readonly digits: number;
  /** Whether it is averaged over the insights of all digests, as in SummHay, rather than over digests. */
  readonly isPooled: boolean;
}

const metric = (key: string, title: string, digits: number, isPooled = false): ResultMetric => {
  return { key, title, digits, isPooled };
};

function scoresOf({ prefix, figures }: Pick<AnyMetric, 'prefix' | 'figures'>): ResultMetric[] {
  return figures
    .filter(({ isDescriptive }) => isDescriptive !== true)
    .toSorted((a, b) => Number(b.isMain === true) - Number(a.isMain === true))
    .map(({ name, title, fullTitle = title, over }) => metric(`${prefix}.${name}`, fullTitle, 1, over !== undefined));
}

/** Scores, then the digest's own figures. Tokens and cost cover selecting and writing only, as all arms share the reading. */
export const RESULT_METRICS: readonly ResultMetric[] = [
  metric('labelled.joint', 'joint by labels', 1, true),
  metric('labelled.coverage', 'coverage by labels', 1, true),
  metric('labelled.citation', 'citation by labels', 1, true),
  metric('labelled.precision', 'citation precision by labels', 1, true),
  metric('labelled.recall', 'citation recall by labels', 1, true),
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
];

export type Figures = Readonly<Record<string, number | null>>;

export interface ScoredText {
  readonly figures: Figures;
  /** Number of parts behind each figure that is micro-averaged. */
  readonly over: Readonly<Record<string, number>>;
  readonly isPartial: boolean;
  /** Source coverage by document, in input order; null for documents without questions. */
  readonly byPosition?: readonly (number | null)[] | null | undefined;
}

const OF_MODELS: readonly string[] = ['digest.tokens', 'digest.cost'];

/** The requested metrics that any digest has (null for all); tokens and cost only if nonzero or requested. */
export function metricsFor(all: readonly Figures[], wanted: readonly string[] | null): ResultMetric[] {
  return RESULT_METRICS.filter(({ key }) => {
    if (wanted?.includes(key) === false) return false;
    const isCounted = wanted === null && OF_MODELS.includes(key);
    return all.some(({ [key]: value = null }) => value !== null && (value > 0 || !isCounted));
  });
}
