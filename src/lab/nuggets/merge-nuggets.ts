import { z } from 'zod';
import { asData, BYTES_PER_TOKEN, type JsonForm } from '../../models/index.ts';
import { type AskedModel, nullIfUnanswerable } from '../asking/asked-model.ts';
import { numbered, oneLine } from '../asking/one-line.ts';
import { readItems, readNumber } from '../asking/read-items.ts';
import type { PassageSpan } from '../benchmark-set.ts';
import { batches } from '../key-points/aggregate-points.ts';
import type { FoundNugget } from './find-nuggets.ts';

/** One answer, with the words of every document that is said to attest it. */
interface MergedAnswer {
  readonly text: string;
  readonly spans: readonly PassageSpan[];
}

export interface MergedNugget {
  readonly question: string;
  readonly importance: 'vital' | 'okay';
  readonly answers: readonly MergedAnswer[];
}

const answer = z.object({ text: z.string(), from: z.array(readNumber) });
const item = z.object({
  question: z.string(),
  importance: z.enum(['vital', 'okay']).catch('okay'),
  answers: readItems(answer),
});
const MERGED: JsonForm<z.infer<typeof item>[]> = {
  name: 'merged',
  schema: z.object({ nuggets: readItems(item) }).transform(({ nuggets }) => nuggets),
  asked: z.object({
    nuggets: z.array(
      z.object({
        question: z.string(),
        importance: z.enum(['vital', 'okay']),
        answers: z.array(z.object({ text: z.string(), from: z.array(z.int()) })),
      }),
    ),
  }),
  wholeItems: true,
};

/** Share of the context that the list may fill: the answer repeats most of it. */
const LIST_SHARE = 0.3;
const MAX_LISTED = 120;
const ANSWER_SHARE = 0.45;

/**
 * Merges what documents gave. Every found nugget comes to stand in one answer of one merged nugget: where the model names it
 * twice the first counts, and where it does not name it, it is a nugget by itself, and okay.
 *
 * @returns in the order of the first that each is made of, with what had to be repaired
 * @throws ModelCallError where a call failed otherwise than for what it asked
 */
export async function mergeNuggets(
  found: readonly FoundNugget[],
  request: string,
  model: AskedModel,
): Promise<{ readonly nuggets: readonly MergedNugget[]; readonly repaired: number }> {
  const lines = found.map((nugget) => ({ nugget, text: `${nugget.question} / ${nugget.answer}` }));
  const room = { points: MAX_LISTED, bytes: LIST_SHARE * model.contextTokens * BYTES_PER_TOKEN };
  const merged = await Promise.all(
    batches(lines, room).map(async (batch) => {
      const values = {
        request: asData('request', request),
        nuggets: asData('nuggets', numbered(batch.map(({ text }) => text))),
      };
      const maxTokens = Math.floor(ANSWER_SHARE * model.contextTokens);
      const asked = model.askFor({ prompt: model.prompt('benchmark-merge-nuggets'), values, maxTokens }, MERGED);
      const own = batch.map(({ nugget }) => nugget);
      return repaired((await nullIfUnanswerable(asked)) ?? [], own);
    }),
  );
  const places = new Map(found.map((nugget, place) => [nugget, place]));
  const all = merged.flatMap(({ nuggets }) => nuggets);
  const firstOf = (parts: readonly FoundNugget[]) => Math.min(...parts.map((part) => places.get(part) ?? 0));
  return {
    nuggets: all.toSorted((a, b) => firstOf(a.parts) - firstOf(b.parts)).map(({ parts: _, ...nugget }) => nugget),
    repaired: merged.reduce((sum, each) => sum + each.repaired, 0),
  };
}

interface Built extends MergedNugget {
  readonly parts: readonly FoundNugget[];
}

function repaired(given: readonly z.infer<typeof item>[], own: readonly FoundNugget[]) {
  const taken = new Set<number>();
  let wrong = 0;
  const take = (number: number): boolean => {
    const isFree = number >= 1 && number <= own.length && !taken.has(number);
    if (isFree) taken.add(number);
    else wrong++;
    return isFree;
  };
  const nuggets = given.flatMap(({ question, importance, answers }): Built[] => {
    const built = answers.flatMap(({ text, from }) => {
      const parts = from.filter(take).map((number) => own[number - 1]);
      return parts.length === 0 ? [] : [{ text: oneLine(text) || parts[0].answer, parts }];
    });
    if (built.length === 0) return [];
    const parts = built.flatMap((each) => each.parts);
    const told = built.map(({ text, parts: of }) => ({ text, spans: of.flatMap(({ spans }) => spans) }));
    return [{ question: oneLine(question) || parts[0].question, importance, answers: told, parts }];
  });
  const alone = own.filter((_, place) => !taken.has(place + 1));
  return {
    nuggets: [
      ...nuggets,
      ...alone.map(
        (nugget): Built => ({
          question: nugget.question,
          importance: 'okay',
          answers: [{ text: nugget.answer, spans: nugget.spans }],
          parts: [nugget],
        }),
      ),
    ],
    repaired: wrong + alone.length,
  };
}
