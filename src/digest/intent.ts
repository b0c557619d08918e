import { language } from '../documents/language.ts';
import { isReranker, type RelevanceScorer } from '../encoders/reranker.ts';
import type { Intent } from '../summary/summary.ts';
import type { DateWindow } from './date-window.ts';
import { splitFacets } from './facets.ts';
import type { Ranking } from './ranking-task.ts';
import type { DigestRequest, EarlierReading, ReportRequest } from './request.ts';

/** What a request asks, in the parts that the stages need. */
export interface Query extends DateWindow {
  /** Null without an intent. */
  readonly text: string | null;
  /** What is asked, without who asks; null without an intent. */
  readonly question: string | null;
  /** ISO 639-3 code, or `und`. */
  readonly language: string;
  readonly facets: readonly string[];
  /** What the reader knows already; null where nothing is given. */
  readonly background: string | null;
  /** What the reader knows from an earlier digest. */
  readonly earlier: EarlierReading | null;
}

/** Reads the intent of a request: a sentence, or a report request whose query is problem and user story. */
export function queryOf({ intent, earlier }: Pick<DigestRequest, 'intent' | 'earlier'>, parted: boolean): Query {
  const report: Partial<ReportRequest> = typeof intent === 'object' ? intent : {};
  const text = typeof intent === 'string' ? intent : [report.problem, report.userStory].filter(Boolean).join('\n');
  const { background, publishedAfter, publishedBefore } = report;
  const blank = !/[\p{L}\p{N}]/u.test(text);
  const question = (typeof intent === 'string' ? intent : (report.problem ?? '')).trim().replace(/\s+/g, ' ');
  return {
    text: blank ? null : text.trim().replace(/\s+/g, ' '),
    question: blank ? null : question || null,
    language: language(text),
    facets: blank ? [] : parted ? splitFacets(text) : [text.trim()],
    background: background?.trim() ? background : null,
    earlier: earlier ?? null,
    publishedAfter,
    publishedBefore,
  };
}

/** The intent as the writer needs it: which of its facets any key point speaks to. Null without an intent. */
export function intentOf(query: Query, ranking: Ranking, encoder: RelevanceScorer): Intent | null {
  if (query.text === null) return null;
  const speaksTo = evidence(ranking, encoder, DOUBT);
  const facets = query.facets.map((text, f) => ({ text, matched: speaksTo(ranking.best[f]) }));
  return { text: query.question ?? query.text, facets, matched: facets.some(({ matched }) => matched) };
}

/** Whether any key point is nearer to what is asked than the nearest of so many unrelated ones would be. */
export function isNear(ranking: Ranking, encoder: RelevanceScorer): boolean {
  return ranking.best.length === 0 || ranking.best.some(evidence(ranking, encoder, 0));
}

/** Above the level of chance by less than this, a digest says that nothing speaks to the question, and gives the nearest. */
const DOUBT = 0.05;
/** What a share of the facet's words adds to the cosine: a rare word in common is evidence that vectors may miss. */
const WORDS = 0.5;

/**
 * Whether the best that was found for a facet speaks to it. A reranker knows the level of its own scores; a cosine has to be
 * above what chance gives: about the largest of n draws from those of unrelated statements (the normal distribution's
 * extreme value).
 */
function evidence(
  { values }: Ranking,
  scorer: RelevanceScorer,
  doubt: number,
): (best: Ranking['best'][number]) => boolean {
  if (isReranker(scorer)) return ({ cosine }) => cosine >= scorer.profile.matched;
  const { mean, deviation } = scorer.profile.calibration.unrelated;
  const level = mean + deviation * Math.sqrt(2 * Math.log(Math.max(2, values.length))) + doubt;
  return ({ cosine, words }) => cosine + WORDS * words >= level;
}
