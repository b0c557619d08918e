import { z } from 'zod';
import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { keptByGate, LEVEL, topOfFacets } from '../../selection/index.ts';
import { partsText } from '../../summary/index.ts';
import { beginning, contentHash, counted, dateText, groups, utf8Length } from '../../text/index.ts';
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

/**
 * Has a model grade points, if planned: the most relevant that the gate kept, or all where it reads documents in parts. Falls back to the
 * encoder's relevance, also for a part whose call failed.
 */
export async function grade(
  run: Run,
  { grader, options, readsInParts, budget }: Plan,
  { documents, points, key }: Reading,
  { searched }: Question,
  ranking: DigestRanking,
): Promise<DigestRanking> {
  const { text: question, facets } = searched;
  const shown = readsInParts ? [...points.keys()] : pointsToGrade(ranking);
  if (grader === null || question === null || shown.length === 0) return ranking;
  const grading: Grading = {
    question,
    parts: facets.map(({ text }) => text),
    points: shown.map((i) => ({ ...points[i], relevance: ranking.values[i] })),
    documents,
  };
  const { grades, unread, warnings } = await run.step('rank', 'grade', [key, facets, searched.language, shown], () =>
    gradeWithModel(run, grader, grading, budget),
  );
  const isDegraded = unread.length > 0;
  const narrowed = <R extends Ranking>(given: R): R => (readsInParts ? withinMaxKept(given, options) : given);
  if (grades === null) return { ...narrowed(ranking), isDegraded, warnings };
  const helps = [...grades.helps, ...unread.filter((place) => ranking.eligible[shown[place]] === 1)];
  return {
    ...narrowed(rankedBy({ ...grades, helps }, shown, ranking, readsInParts ? LEVEL.absolute : options.gate)),
    intent: intentOf(searched, answeredByGrades(grades, facets.length)),
    isGraded: true,
    isDegraded,
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

/** Without a gate, which a model that reads everything must not have, more are kept than a kernel compares. */
function withinMaxKept<R extends Ranking>(ranking: R, { maxKept }: Pick<Plan['options'], 'maxKept'>): R {
  const kept = topOfFacets(ranking.kept, ranking, maxKept);
  const places = new Map(ranking.kept.map((index, place) => [index, place]));
  const { context } = ranking;
  return { ...ranking, kept, context: context && kept.map((index) => context[places.get(index) ?? 0]) };
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
  ranking: DigestRanking,
  gate: number | null,
): DigestRanking {
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

/** Places in the points of a grading. */
interface Grades {
  readonly answers: readonly number[];
  readonly helps: readonly number[];
  readonly unanswered: readonly number[];
  /** How many numbers named no point. */
  readonly unknown: number;
}

/** Share of the context for points; rules, question and answer take the rest. */
const SHARE = 0.5;
/** Models miss some of a longer list, and may not answer with as many numbers. */
const MAX_BYTES = 64_000;
/** Max UTF-16 units shown of a text. */
const LONGEST = { point: 600, under: 150, title: 200 };
const AROUND = 8;
const TOKENS = { form: 100, each: 6 };
/** Part of cache keys: raise the number with every change of how answers are read. */
const VERSION = 'grade@1';

const numbers = z.array(z.unknown());
const GRADES = {
  name: 'grades',
  schema: z.object({ answers: numbers, helps: numbers, unanswered: numbers.catch([]) }),
  asked: z.object({ answers: z.array(z.int()), helps: z.array(z.int()), unanswered: z.array(z.int()) }),
};

/**
 * Asks a language model which points answer a question and which help, part by part of what fits its context, the most relevant part
 * first. A point in both lists answers; a part of the question is open if every call says so. Answers are kept for equal parts.
 * @param budget max tokens of all parts
 * @returns null for grades if every call failed; `unread` are the places of points whose call failed or that the budget left out
 */
export async function gradeWithModel(
  run: Pick<Run, 'cache' | 'reportFailure' | 'progress'>,
  grader: Asking<'grade'>,
  grading: Grading,
  budget: number,
): Promise<{ grades: Grades | null; unread: readonly number[]; warnings: readonly string[] }> {
  const bytes = Math.min(MAX_BYTES, SHARE * grader.model.contextTokens * BYTES_PER_TOKEN);
  const best = (batch: readonly number[]) => Math.max(...batch.map((place) => grading.points[place].relevance));
  // In the order of the request, so that a document that is added changes the last part alone.
  const placeOf = (index: number) => grading.documents[grading.points[index].documentIndex].place;
  const order = [...grading.points.keys()].sort((a, b) => placeOf(a) - placeOf(b) || a - b);
  const batches = [...groups(order, bytes, (place, batch) => bytesOf(place, batch, grading))];
  const byRelevance = batches.toSorted((a, b) => best(b) - best(a));
  const most = Math.max(1, Math.floor((budget * BYTES_PER_TOKEN) / bytes));
  let done = 0;
  // How many calls there will be, before the first.
  run.progress('rank', 0, Math.min(most, batches.length));
  const answers = await Promise.all(
    byRelevance.slice(0, most).map(async (batch) => {
      const graded = await orInstead<Grades | string>(
        run,
        'rank',
        () => gradeBatch(run.cache, grader, grading, batch),
        (why) => why,
      );
      run.progress('rank', ++done, Math.min(most, batches.length));
      return [batch, graded] as const;
    }),
  );
  const read = answers.flatMap(([, graded]) => (typeof graded === 'string' ? [] : [graded]));
  const failed = answers.flatMap(([batch, graded]) => (typeof graded === 'string' ? [{ batch, why: graded }] : []));
  const leftOut = byRelevance.slice(most);
  const placesBy = (pick: (each: Grades) => readonly number[]) => read.flatMap(pick).sort((a, b) => a - b);
  const scope = failed.length < batches.length ? ` of ${failed.length} of ${batches.length} parts` : '';
  const unknown = read.reduce((sum, each) => sum + each.unknown, 0);
  return {
    grades:
      read.length === 0
        ? null
        : {
            answers: placesBy(({ answers }) => answers),
            helps: placesBy(({ helps }) => helps),
            unanswered: read[0].unanswered.filter((part) => read.every(({ unanswered }) => unanswered.includes(part))),
            unknown,
          },
    unread: [...failed.map(({ batch }) => batch), ...leftOut].flat(),
    warnings: [
      ...(unknown > 0 ? [`The model graded ${counted(unknown, 'key point')} not in the list; ignored.`] : []),
      ...(failed.length > 0
        ? [`Grading${scope} by the language model failed: ${failed[0].why}; the encoder's relevance was used instead.`]
        : []),
      ...(leftOut.length > 0
        ? [`The model did not read ${leftOut.length} of ${batches.length} parts: the budget is ${budget} tokens.`]
        : []),
    ],
  };
}

/** @throws ModelCallError */
async function gradeBatch(
  cache: Run['cache'],
  { model, prompts }: Asking<'grade'>,
  grading: Grading,
  batch: readonly number[],
): Promise<Grades> {
  const { question, parts } = grading;
  const values = {
    question: asData('question', question),
    parts: partsText(parts),
    points: asData('key points', pointsText(batch, grading)),
  };
  const key = contentHash(JSON.stringify([VERSION, prompts.grade.hash, model.settings, values]));
  const kept = (await cache.readJudgements([key])).get(key);
  const maxTokens = Math.min(Math.floor(model.contextTokens / 4), TOKENS.form + TOKENS.each * batch.length);
  // Only this function writes keys of this version.
  const answer: z.infer<typeof GRADES.schema> =
    kept === undefined ? await model.askFor({ prompt: prompts.grade, values, maxTokens }, GRADES) : JSON.parse(kept);
  if (kept === undefined) await cache.saveJudgements([{ key, kind: 'grade', verdict: JSON.stringify(answer) }]);
  const numbersIn = (list: readonly unknown[]) => [...new Set(list.map((item) => numberIn(item) - 1))];
  const placesOf = (list: readonly unknown[]) => numbersIn(list).flatMap((shown) => batch[shown] ?? []);
  const answers = placesOf(answer.answers);
  const open = numbersIn(answer.unanswered);
  const all = numbersIn([...answer.answers, ...answer.helps]);
  return {
    answers,
    helps: placesOf(answer.helps).filter((place) => !answers.includes(place)),
    unanswered: [...parts.keys()].filter((number) => open.includes(number)),
    unknown: all.filter((shown) => batch[shown] === undefined).length,
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

function bytesOf(place: number, batch: readonly number[], { points, documents }: Grading): number {
  const { documentIndex } = points[place];
  const last = batch.at(-1);
  const isHeaded = last === undefined || points[last].documentIndex !== documentIndex;
  const heading = isHeaded ? utf8Length(headingOf(documentIndex, documents)) + AROUND : 0;
  return utf8Length(shownText(points[place])) + AROUND + heading;
}
