import { z } from 'zod';
import { asData, BYTES_PER_TOKEN, type Prompt, type StageModel } from '../../models/index.ts';
import { partsText } from '../../summary/index.ts';
import { beginning, dateText, groups, utf8Length } from '../../text/index.ts';
import { encodedText } from '../extract/points.ts';
import type { ReadDocument } from '../extract/read-documents.ts';
import type { RankedPoint } from './rank-points.ts';

export interface Grading {
  readonly model: StageModel;
  readonly prompt: Prompt;
  readonly question: string;
  /** The parts that the question has. */
  readonly parts: readonly string[];
  /** In canonical order. */
  readonly points: readonly (RankedPoint & { readonly relevance: number })[];
  readonly documents: readonly ReadDocument[];
}

/** What a model said of some points. */
export interface Grades {
  /** Indices into the points, ascending, each in one list at most. */
  readonly answers: readonly number[];
  readonly helps: readonly number[];
  /** Indices of the parts that nothing answers. */
  readonly unanswered: readonly number[];
  /** Numbers in its answers that no point it was shown has. */
  readonly unknown: number;
  /** Points that the prompts had no room for. */
  readonly notShown: number;
}

/** Share of the context that the points may fill; the rules, the question and the answer need the rest. */
const SHARE = 0.5;
const MAX_CALLS = 2;
/** What is shown of a text, in UTF-16 units: what a point says stands at its beginning. */
const LONGEST = { point: 600, under: 150, title: 200 };
/** Bytes of a line beside its text. */
const AROUND = 8;
/** Share of the points that is tried where all are too many. */
const STEP = 0.9;
/** Tokens of the answer: for the form, and for each number. */
const TOKENS = { form: 100, each: 6 };

const numbers = z.array(z.unknown());
const GRADES = {
  name: 'grades',
  schema: z.object({ answers: numbers, helps: numbers, unanswered: numbers.catch([]) }),
  asked: z.object({ answers: z.array(z.int()), helps: z.array(z.int()), unanswered: z.array(z.int()) }),
};

/**
 * Has a language model say which points answer a question and which help to: one call, or two where the context is too small
 * for one; what two do not hold either is not shown, the least relevant first. A point in both lists answers.
 *
 * @throws ModelCallError
 */
export async function gradeWithModel(grading: Grading): Promise<Grades> {
  const { model, points, parts } = grading;
  const batches = batchesOf(grading, SHARE * model.contextTokens * BYTES_PER_TOKEN);
  const found = await Promise.all(batches.map((batch) => gradeBatch(batch, grading)));
  const shown = batches.flat();
  const answers = new Set(found.flatMap((each) => each.answers));
  const helps = new Set(found.flatMap((each) => each.helps).filter((index) => !answers.has(index)));
  return {
    answers: [...answers].sort((a, b) => a - b),
    helps: [...helps].sort((a, b) => a - b),
    // What one call does not show may stand in the other.
    unanswered: [...parts.keys()].filter((part) => found.every((each) => each.unanswered.has(part))),
    unknown: found.reduce((sum, each) => sum + each.unknown, 0),
    notShown: points.length - shown.length,
  };
}

async function gradeBatch(batch: readonly number[], { model, prompt, question, parts, points, documents }: Grading) {
  const answer = await model.askFor(
    {
      prompt,
      values: {
        question: asData('question', question),
        parts: partsText(parts),
        points: asData('key points', pointsText(batch, points, documents)),
      },
      maxTokens: Math.min(Math.floor(model.contextTokens / 4), TOKENS.form + TOKENS.each * batch.length),
    },
    GRADES,
  );
  const named = (list: readonly unknown[]) => [...new Set(list.map(numberIn))];
  const [answers, helps] = [named(answer.answers), named(answer.helps)];
  const isShown = (number: number) => batch[number - 1] !== undefined;
  const pointsAt = (list: readonly number[]) => list.filter(isShown).map((number) => batch[number - 1]);
  return {
    answers: pointsAt(answers),
    helps: pointsAt(helps),
    unanswered: new Set(named(answer.unanswered).map((number) => number - 1)),
    unknown: new Set([...answers, ...helps].filter((number) => !isShown(number))).size,
  };
}

/** A number as it is or as a word of digits; NaN for anything else, which names nothing. */
function numberIn(item: unknown): number {
  if (typeof item === 'number') return item;
  return typeof item === 'string' && /^\s*\d{1,9}\s*$/.test(item) ? Number(item) : Number.NaN;
}

/** The points of one call by their numbers in it, under what tells their documents apart. */
function pointsText(batch: readonly number[], points: Grading['points'], documents: readonly ReadDocument[]): string {
  const lines = batch.map((index, place) => {
    const { documentIndex } = points[index];
    const isFirst = place === 0 || points[batch[place - 1]].documentIndex !== documentIndex;
    const heading = isFirst ? `${place === 0 ? '' : '\n'}${headingOf(documentIndex, documents)}:\n` : '';
    return `${heading}${place + 1}. ${shownText(points[index])}`;
  });
  return lines.join('\n');
}

function headingOf(index: number, documents: readonly ReadDocument[]): string {
  const { document, place } = documents[index];
  const { title, publishedAt } = document;
  const name = title === undefined ? `Document ${place + 1}` : `“${beginning(inOneLine(title), LONGEST.title)}”`;
  return publishedAt === undefined ? name : `${name}, ${dateText(publishedAt)}`;
}

/** A point with the nearest heading or question that it stands under: "The time clock." says nothing without. */
function shownText(point: Grading['points'][number]): string {
  const nearest = point.under?.at(-1) ?? '';
  const under = nearest === '' ? '' : `(${beginning(inOneLine(nearest), LONGEST.under)}) `;
  return under + beginning(inOneLine(encodedText(point)), LONGEST.point);
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Indices of the points of each call, in the order of the request: as many of the most relevant as the calls hold, of so many bytes each. */
function batchesOf(grading: Grading, bytes: number): number[][] {
  const { points, documents } = grading;
  const placeOf = (index: number): number => documents[points[index].documentIndex].place;
  const order = [...points.keys()].sort((a, b) => points[b].relevance - points[a].relevance || a - b);
  let batches: number[][];
  let most = order.length;
  do {
    const shown = order.slice(0, most).sort((a, b) => placeOf(a) - placeOf(b) || a - b);
    batches = filled(shown, grading, bytes);
    most = Math.floor(most * STEP);
  } while (batches.length > MAX_CALLS);
  return batches;
}

function filled(shown: readonly number[], { points, documents }: Grading, bytes: number): number[][] {
  const batches = groups(shown, bytes, (index, batch) => {
    const { documentIndex } = points[index];
    const before = batch.at(-1);
    const isHeaded = before !== undefined && points[before].documentIndex === documentIndex;
    const heading = isHeaded ? 0 : utf8Length(headingOf(documentIndex, documents)) + AROUND;
    return utf8Length(shownText(points[index])) + AROUND + heading;
  });
  return [...batches];
}
