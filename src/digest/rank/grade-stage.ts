import { ModelCallError } from '../../models/index.ts';
import { LEVEL, passGate } from '../../selection/index.ts';
import type { DigestContext } from '../digest-context.ts';
import type { EncodedPoints } from '../extract/extract-and-encode.ts';
import type { Asking } from '../plan-digest.ts';
import { type Grades, gradeWithModel } from './grade-with-model.ts';
import { answeredBy, type Query } from './intent.ts';
import type { Ranking } from './ranking-task.ts';

/** Relevance as the digest goes on with it. */
interface Graded {
  readonly ranking: Ranking;
  /** Whether each facet is answered. */
  readonly answered: readonly boolean[];
  /** Whether a model graded the points; else relevance is the encoder's. */
  readonly isGraded: boolean;
  /** Whether a model that was to grade them failed. */
  readonly isDegraded: boolean;
  readonly warnings: readonly string[];
}

type Outcome = { readonly grades: Grades | null; readonly warnings: readonly string[] };

/** Points that a model is shown at most. */
const MAX_GRADED = 100;

/**
 * Has a model grade the most relevant points past the gate, where the request wants it to; where that fails relevance stays
 * the encoder's.
 *
 * @param given names the points
 */
export async function gradeStage(
  { plan: { grader, options }, deps, steps, clock }: DigestContext,
  { read: { documents }, points }: EncodedPoints,
  query: Query,
  ranking: Ranking,
  given: string,
): Promise<Graded> {
  const asEncoded = {
    ranking,
    answered: answeredBy(query, ranking, options.relevanceEncoder),
    isGraded: false,
    isDegraded: false,
    warnings: [],
  };
  const shown = pointsToGrade(ranking);
  if (grader === null || query.text === null || shown.length === 0) return asEncoded;
  const { text: question, facets } = query;
  const { grades, warnings } = await clock.time('rank', () =>
    steps.step('grade', [query, given, shown], () =>
      gradesOf(grader, deps.reportFailure, {
        question,
        parts: facets.map(({ text }) => text),
        points: shown.map((i) => ({ ...points[i], relevance: ranking.values[i] })),
        documents,
      }),
    ),
  );
  if (grades === null) return { ...asEncoded, isDegraded: true, warnings };
  return {
    ranking: rankedBy(grades, shown, ranking, options.gate),
    answered: answeredByGrades(grades, facets.length),
    isGraded: true,
    isDegraded: false,
    warnings,
  };
}

/** The most relevant points past the gate, ascending. */
function pointsToGrade({ kept, values }: Ranking): number[] {
  return [...kept]
    .sort((a, b) => values[b] - values[a] || a - b)
    .slice(0, MAX_GRADED)
    .sort((a, b) => a - b);
}

async function gradesOf(
  { model, prompts }: Asking<'grade'>,
  reportFailure: DigestContext['deps']['reportFailure'],
  asked: Omit<Parameters<typeof gradeWithModel>[0], 'model' | 'prompt'>,
): Promise<Outcome> {
  try {
    const grades = await gradeWithModel({ ...asked, model, prompt: prompts.grade });
    const { unknown, notShown } = grades;
    const warnings = [
      ...(unknown > 0 ? [`The model graded ${unknown} key points that are not in the list; they were ignored.`] : []),
      ...(notShown > 0
        ? [`The ${notShown} least relevant key points to be graded did not fit the model's prompts.`]
        : []),
    ];
    return { grades, warnings };
  } catch (failure) {
    if (!(failure instanceof ModelCallError)) throw failure;
    reportFailure(failure, { stage: 'rank', document: '' });
    const why = failure.message.replace(/\.$/, '');
    const warning = `Grading by the language model failed: ${why}; the encoder's relevance was used instead.`;
    return { grades: null, warnings: [warning] };
  }
}

/**
 * Relevance of what answers, of what helps, and of all else: where each begins, and how far the encoder's relevance raises it.
 * What is neither stays under the level.
 */
const RELEVANCE = {
  answers: { from: 0.8, span: 0.2 },
  helps: { from: 0.5, span: 0.3 },
  rest: { from: 0, span: LEVEL.absolute },
};

function rankedBy(
  { answers, helps }: Grades,
  shown: readonly number[],
  ranking: Ranking,
  gate: number | null,
): Ranking {
  const gradeOf = new Map<number, keyof typeof RELEVANCE>([
    ...helps.map((place) => [shown[place], 'helps'] as const),
    ...answers.map((place) => [shown[place], 'answers'] as const),
  ]);
  const values = ranking.values.map((value, i) => {
    const { from, span } = RELEVANCE[gradeOf.get(i) ?? 'rest'];
    return from + span * Math.min(1, Math.max(0, value));
  });
  const past = new Set(passGate(values, gate));
  const places = ranking.kept.flatMap((index, place) => (past.has(index) ? [place] : []));
  // What only helps to understand an answer is told where a writer has a use for it, or where there is nothing else.
  const grade = answers.length > 0 ? 'answers' : 'helps';
  return {
    ...ranking,
    values,
    passes: Uint8Array.from(values, (_, i) => Number(gradeOf.get(i) === grade)),
    kept: places.map((place) => ranking.kept[place]),
    context: ranking.context && places.map((place) => (ranking.context ?? [])[place]),
  };
}

/** Only a point that answers does, whatever is said of the parts; what helps to understand an answer is none. */
function answeredByGrades({ answers, unanswered }: Grades, parts: number): boolean[] {
  const open = unanswered.length === parts ? [] : unanswered;
  return Array.from({ length: parts }, (_, part) => answers.length > 0 && !open.includes(part));
}
