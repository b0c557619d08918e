import { z } from 'zod';
import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { keptByGate, LEVEL } from '../../selection/index.ts';
import { partsText } from '../../summary/index.ts';
import { beginning, dateText, utf8Length } from '../../text/index.ts';
import type { Reading } from '../extract/extract.ts';
import { encodedText } from '../extract/points.ts';
import type { ReadDocument } from '../extract/read-documents.ts';
import type { Asking, Plan } from '../plan.ts';
import { orInstead, type Run } from '../run.ts';
import { intentOf } from './query.ts';
import { type DigestRanking, type RankedPoint, rankingKey } from './rank-points.ts';
import type { Ranking } from './ranking-task.ts';
import type { Question } from './split-intent.ts';

const MAX_GRADED = 100;

/** Has a model grade the most relevant points that the gate kept, if planned; falls back to the encoder's relevance. */
export async function grade(
  run: Run,
  { grader, options }: Plan,
  { documents, points, key }: Reading,
  { searched }: Question,
  ranking: DigestRanking,
): Promise<DigestRanking> {
  const shown = pointsToGrade(ranking);
  const { text: question, facets } = searched;
  if (grader === null || question === null || shown.length === 0) return ranking;
  const grading: Grading = {
    question,
    parts: facets.map(({ text }) => text),
    points: shown.map((i) => ({ ...points[i], relevance: ranking.values[i] })),
    documents,
  };
  const { grades, warnings } = await run.step('rank', 'grade', [key, facets, searched.language, shown], () =>
    orInstead<Graded>(
      run,
      'rank',
      () => gradeWithModel(grader, grading),
      (why) => ({
        grades: null,
        warnings: [`Grading by the language model failed: ${why}; the encoder's relevance was used instead.`],
      }),
    ),
  );
  if (grades === null) return { ...ranking, isDegraded: true, warnings };
  return {
    ...rankedBy(grades, shown, ranking, options.gate),
    intent: intentOf(searched, answeredByGrades(grades, facets.length)),
    isGraded: true,
    isDegraded: false,
    warnings,
    key: rankingKey(key, searched, grades),
  };
}

function pointsToGrade({ kept, values }: Ranking): number[] {
  return [...kept]
    .sort((a, b) => values[b] - values[a] || a - b)
    .slice(0, MAX_GRADED)
    .sort((a, b) => a - b);
}

/** Min relevance of each grade, and the range above it for the encoder's relevance. Other points stay below the threshold. */
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
  const passed = new Set(keptByGate(values, gate));
  // Points that only help are eligible if nothing answers.
  const best = answers.length > 0 ? 'answers' : 'helps';
  return {
    ...ranking,
    values,
    eligible: Uint8Array.from(values, (_, i) => Number(gradeOf.get(i) === best)),
    kept: ranking.kept.filter((i) => passed.has(i)),
    context: ranking.context?.filter((_, place) => passed.has(ranking.kept[place])) ?? null,
  };
}

/** Without an answering point no part is answered, whatever the model says. */
function answeredByGrades({ answers, unanswered }: Grades, parts: number): { readonly matched: boolean }[] {
  const open = unanswered.length === parts ? [] : unanswered;
  return Array.from({ length: parts }, (_, part) => ({ matched: answers.length > 0 && !open.includes(part) }));
}

export interface Grading {
  readonly question: string;
  readonly parts: readonly string[];
  readonly points: readonly (RankedPoint & { readonly relevance: number })[];
  readonly documents: readonly Pick<ReadDocument, 'document' | 'place'>[];
}

interface Grades {
  /** Indices into the points, ascending and disjoint. */
  readonly answers: readonly number[];
  readonly helps: readonly number[];
  readonly unanswered: readonly number[];
}

interface Graded {
  readonly grades: Grades | null;
  readonly warnings: readonly string[];
}

/** Share of the context for points; rules, question and answer take the rest. */
const SHARE = 0.5;
/** Max UTF-16 units shown of a text. */
const LONGEST = { point: 600, under: 150, title: 200 };
const AROUND = 8;
const TOKENS = { form: 100, each: 6 };

const numbers = z.array(z.unknown());
const GRADES = {
  name: 'grades',
  schema: z.object({ answers: numbers, helps: numbers, unanswered: numbers.catch([]) }),
  asked: z.object({ answers: z.array(z.int()), helps: z.array(z.int()), unanswered: z.array(z.int()) }),
};

/**
 * Asks a language model which points answer a question and which help, in one call. Drops the least relevant points that do not fit. A
 * point in both lists answers. @throws ModelCallError
 */
export async function gradeWithModel(grader: Asking<'grade'>, grading: Grading): Promise<Graded & { grades: Grades }> {
  const { points, parts } = grading;
  const { model, prompts } = grader;
  const shown = fitting(grading, SHARE * model.contextTokens * BYTES_PER_TOKEN);
  const answer = await model.askFor(
    {
      prompt: prompts.grade,
      values: {
        question: asData('question', grading.question),
        parts: partsText(parts),
        points: asData('key points', pointsText(shown, grading)),
      },
      maxTokens: Math.min(Math.floor(model.contextTokens / 4), TOKENS.form + TOKENS.each * shown.length),
    },
    GRADES,
  );
  const named = (list: readonly unknown[]) => [...new Set(list.map((item) => numberIn(item) - 1))];
  const [answers, helps, unanswered] = [answer.answers, answer.helps, answer.unanswered].map(named);
  const isShown = (place: number) => shown[place] !== undefined;
  const pointsAt = (places: readonly number[]) =>
    places
      .filter(isShown)
      .map((place) => shown[place])
      .sort((a, b) => a - b);
  const unknown = new Set([...answers, ...helps].filter((place) => !isShown(place))).size;
  const notShown = points.length - shown.length;
  return {
    grades: {
      answers: pointsAt(answers),
      helps: pointsAt(helps.filter((place) => !answers.includes(place))),
      unanswered: [...parts.keys()].filter((part) => unanswered.includes(part)),
    },
    warnings: [
      ...(unknown > 0 ? [`The model graded ${unknown} key points that are not in the list; they were ignored.`] : []),
      ...(notShown > 0
        ? [`The ${notShown} least relevant key points to be graded did not fit the model's prompt.`]
        : []),
    ],
  };
}

/** NaN, which names no point, for anything but a number or a string of digits. */
function numberIn(item: unknown): number {
  if (typeof item === 'number') return item;
  return typeof item === 'string' && /^\s*\d{1,9}\s*$/.test(item) ? Number(item) : Number.NaN;
}

function pointsText(batch: readonly number[], { points, documents }: Grading): string {
  const lines = batch.map((index, place) => {
    const { documentIndex } = points[index];
    const isFirst = place === 0 || points[batch[place - 1]].documentIndex !== documentIndex;
    const heading = isFirst ? `${place === 0 ? '' : '\n'}${headingOf(documentIndex, documents)}:\n` : '';
    return `${heading}${place + 1}. ${shownText(points[index])}`;
  });
  return lines.join('\n');
}

function headingOf(index: number, documents: Grading['documents']): string {
  const { document, place } = documents[index];
  const { title, publishedAt } = document;
  const name = title === undefined ? `Document ${place + 1}` : `“${beginning(inOneLine(title), LONGEST.title)}”`;
  return publishedAt === undefined ? name : `${name}, ${dateText(publishedAt)}`;
}

/** Adds the nearest heading or question: "The time clock." means nothing alone. */
function shownText(point: RankedPoint): string {
  const nearest = point.under?.at(-1) ?? '';
  const under = nearest === '' ? '' : `(${beginning(inOneLine(nearest), LONGEST.under)}) `;
  return under + beginning(inOneLine(encodedText(point)), LONGEST.point);
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** As many of the most relevant points as fit, in request order. */
function fitting({ points, documents }: Grading, bytes: number): number[] {
  const placeOf = (index: number): number => documents[points[index].documentIndex].place;
  const order = [...points.keys()].sort((a, b) => points[b].relevance - points[a].relevance || a - b);
  const headed = new Set<number>();
  let left = bytes;
  const shown = order.filter((index) => {
    const { documentIndex } = points[index];
    const heading = headed.has(documentIndex) ? 0 : utf8Length(headingOf(documentIndex, documents)) + AROUND;
    headed.add(documentIndex);
    left -= utf8Length(shownText(points[index])) + AROUND + heading;
    return left >= 0;
  });
  return shown.sort((a, b) => placeOf(a) - placeOf(b) || a - b);
}
