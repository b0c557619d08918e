import { isReranker, type RelevanceScorer } from '../../models/index.ts';
import type { Intent } from '../../summary/index.ts';
import { language } from '../../text/index.ts';
import type { DateWindow } from '../extract/date-window.ts';
import { isForeign } from '../extract/languages.ts';
import type { EarlierReading, ResolvedReport, ResolvedRequest } from '../resolved-request.ts';
import { constraintsIn, keptConstraints, withoutConstraints } from '../write/constraints.ts';
import { type Facet, splitFacets, whole } from './facets.ts';
import type { Ranking } from './ranking-task.ts';

/** What a request asks, in the parts that the stages need. */
export interface Query extends DateWindow {
  /** What is asked, without who asks; null without an intent. */
  readonly text: string | null;
  /** ISO 639-3 code, or `und`. */
  readonly language: string;
  readonly facets: readonly Facet[];
  /** What the reader says of the text that is wanted, in the problem or the background; not searched. */
  readonly constraints: readonly string[];
  /** What the reader knows already; null where nothing is given. */
  readonly background: string | null;
  /** What the reader knows from an earlier digest. */
  readonly earlier: EarlierReading | null;
}

/**
 * Reads the intent of a request: a sentence, or a report request. Only its problem is what documents are searched for, without its
 * constraints; those, and who asks and what for (`userStory`), are for the writer (`readerOf`).
 */
export function queryOf({ intent, earlier }: Pick<ResolvedRequest, 'intent' | 'earlier'>, parted: boolean): Query {
  const report: Partial<ResolvedReport> = typeof intent === 'object' ? intent : {};
  const problem = typeof intent === 'string' ? intent : (report.problem ?? '');
  const kept = keptConstraints(intent);
  const { asked, constraints } = constraintsIn(problem);
  const background = withoutConstraints(report.background?.trim() ?? '');
  const { publishedAfter = kept.publishedAfter, publishedBefore = kept.publishedBefore } = report;
  const blank = !/[\p{L}\p{N}]/u.test(asked);
  return {
    text: blank ? null : asked.trim().replace(/\s+/g, ' '),
    language: language(asked),
    facets: blank ? [] : parted ? splitFacets(asked) : [whole(asked)],
    constraints: [...constraints, ...background.constraints],
    background: background.asked || null,
    earlier: earlier ?? null,
    publishedAfter,
    publishedBefore,
  };
}

/** Whether each facet of the intent is answered, as far as relevance tells. */
export function answeredBy(query: Query, ranking: Ranking, encoder: RelevanceScorer): boolean[] {
  return query.facets.map((_, f) => isAnswered(ranking.best[f], query, encoder));
}

/**
 * The intent as the writer needs it. Null without an intent.
 *
 * @param answered whether any key point answers each of its facets
 */
export function intentOf(query: Query, answered: readonly boolean[]): Intent | null {
  if (query.text === null) return null;
  const facets = query.facets.map(({ text }, f) => ({ text, matched: answered[f] }));
  return { text: query.text, facets, matched: facets.some(({ matched }) => matched) };
}

/**
 * Whether the best that was found for a facet answers it. A reranker knows the level of its own scores; a probability says
 * something only where the encoder's cosines were measured, so that one that is not calibrated never says no. In a language
 * that it does not know, no means that no word is shared.
 */
function isAnswered({ value, answers }: Ranking['best'][number], query: Query, scorer: RelevanceScorer): boolean {
  if (isReranker(scorer)) return value >= scorer.profile.matched;
  return isForeign(query.language, scorer) ? value > 0 : answers;
}

/** Says where nothing is known of how well points answer, because the encoder's cosines were never measured. */
export function levelWarnings(query: Query, scorer: RelevanceScorer, isEstimate: boolean): string[] {
  if (query.text === null || !isEstimate || isReranker(scorer) || scorer.profile.calibration.relevance !== null)
    return [];
  return [
    `The encoder "${scorer.profile.id}" has no calibrated relevance: key points are ranked, but it is unknown whether they answer the question.`,
  ];
}
