import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { shuffled } from '../../selection/index.ts';
import { nameWords, numbersIn } from '../../summary/index.ts';
import { sentences } from '../../text/index.ts';
import { type AskedModel, nullIfUnanswerable } from '../asking/asked-model.ts';
import { numbered, oneLine } from '../asking/one-line.ts';
import { readItems, readNumber } from '../asking/read-items.ts';
import {
  type Counts,
  drawsFor,
  type HaystackOptions,
  insightsOf,
  type PlacedInsight,
  type Subtopic,
} from './haystack-options.ts';

const PLACES = {
  name: 'places',
  wholeItems: true,
  schema: z.object({ places: readItems(z.object({ insight: readNumber, subtopic: readNumber })) }),
  asked: z.object({ places: z.array(z.object({ insight: z.int(), subtopic: z.int() })) }),
} satisfies JsonForm<unknown>;

/** Insights in one question. */
export const RECATEGORISED_AT_ONCE = 20;
const SORTED_TOKENS = { answer: 100, insight: 24 };

/**
 * Asks for every insight which subtopic it belongs to, and drops those that are put elsewhere than they came from: they
 * could be told to answer two queries, or none (Laban et al. 2024, section 3.2). Where the answer says nothing of one, it
 * stays.
 */
export async function recategorise(
  model: AskedModel,
  subtopics: readonly Subtopic[],
  { seed, insights: { least } }: HaystackOptions,
): Promise<{ readonly subtopics: readonly Subtopic[]; readonly counts: Counts }> {
  const all = shuffled(insightsOf(subtopics), drawsFor('recategorising', seed));
  const places = new Map<PlacedInsight, number>();
  await inBatches(all, RECATEGORISED_AT_ONCE, async (batch) => {
    const names = subtopics.map(({ name, query }) => `${name} (${query})`);
    const question = {
      prompt: model.prompt('benchmark-recategorise'),
      values: {
        subtopics: asData('subtopics', numbered(names)),
        insights: asData('facts', numbered(batch.map(({ text }) => text))),
      },
      maxTokens: SORTED_TOKENS.answer + batch.length * SORTED_TOKENS.insight,
    };
    const answer = await nullIfUnanswerable(model.askFor(question, PLACES));
    for (const { insight, subtopic } of answer?.places ?? []) {
      const meant = insight >= 1 ? batch.at(insight - 1) : undefined;
      const isPlace = subtopic >= 0 && subtopic <= subtopics.length;
      if (meant !== undefined && isPlace && !places.has(meant)) places.set(meant, subtopic - 1);
    }
  });
  const foreign = all.filter((each) => places.has(each) && places.get(each) !== each.subtopic);
  // Each is in one subtopic, as none is there twice.
  const dropped = new Set(foreign.map(({ text }) => text));
  const left = subtopics.map((each) => ({ ...each, insights: each.insights.filter((text) => !dropped.has(text)) }));
  const kept = left.filter(({ insights }) => insights.length >= least);
  return {
    subtopics: kept,
    counts: {
      recategorised: foreign.length,
      uncategorised: all.length - places.size,
      subtopicsLeftThin: left.length - kept.length,
    },
  };
}

/** Does something with every so many items, side by side. @returns what came of it, in their order */
function inBatches<Item, Done>(
  items: readonly Item[],
  size: number,
  work: (batch: readonly Item[]) => Promise<Done>,
): Promise<Done[]> {
  const batches = Array.from({ length: Math.ceil(items.length / size) }, (_, place) =>
    items.slice(place * size, (place + 1) * size),
  );
  return Promise.all(batches.map(work));
}

const DAY_OR_MONTH =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|april|june|july|aug(?:ust)?|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|\b(?:March|May)\b/iu;
/** A verb, not a month. */
const SMALL_MONTH = /^(?:march|may)$/u;
/** Longer ones are passages. */
const LONGEST = 500;

/**
 * Whether an insight is one sentence that holds a number, a date or an entity (Laban et al. 2024, section 3.2): what a text
 * can be seen to tell or not. "One" and "first" alone are no numbers, and a capital that opens a sentence makes no name.
 */
export function isSpecific(insight: string): boolean {
  if (insight.length > LONGEST || sentences(insight).length !== 1) return false;
  return hasNumber(insight) || hasDate(insight) || hasName(insight);
}

function hasNumber(text: string): boolean {
  return numbersIn(text).some(({ weak }) => !weak);
}

function hasDate(text: string): boolean {
  const [found] = DAY_OR_MONTH.exec(text) ?? [];
  return found !== undefined && !SMALL_MONTH.test(found);
}

function hasName(text: string): boolean {
  return nameWords(text).some(({ kind, opens }) => kind !== 'plain' && (!opens || kind !== 'capital'));
}

const AGAIN = {
  name: 'insights_again',
  wholeItems: true,
  schema: z.object({
    insights: readItems(z.object({ number: readNumber, insight: z.string().transform(oneLine) })),
  }),
  asked: z.object({ insights: z.array(z.object({ number: z.int(), insight: z.string() })) }),
} satisfies JsonForm<unknown>;

/** Sent back in one question. */
export const SHARPENED_AT_ONCE = 25;
const SHARP_TOKENS = { answer: 100, insight: 80 };

/**
 * The subtopics with those insights written again that are not specific; where they are not better then, as they were.
 *
 * @param most insights that a subtopic may have: no more of it are sent back
 */
export async function sharpenInsights(
  model: AskedModel,
  topic: string,
  subtopics: readonly Subtopic[],
  most: number,
): Promise<{ readonly subtopics: readonly Subtopic[]; readonly sentBack: number }> {
  const vague = subtopics.flatMap(({ insights }, subtopic) => {
    const unspecific = insights.filter((text) => !isSpecific(text));
    return [...new Set(unspecific)].slice(0, most).map((text) => ({ text, subtopic }));
  });
  const better = new Map<string, string>();
  await inBatches(vague, SHARPENED_AT_ONCE, async (batch) => {
    const lines = batch.map(({ text, subtopic }) => `(${subtopics[subtopic].name}) ${text}`);
    const question = {
      prompt: model.prompt('benchmark-outline-again'),
      values: { topic: asData('topic', topic), insights: asData('facts', numbered(lines)) },
      maxTokens: Math.min(
        SHARP_TOKENS.answer + batch.length * SHARP_TOKENS.insight,
        Math.floor(model.contextTokens / 2),
      ),
    };
    const answer = await nullIfUnanswerable(model.askFor(question, AGAIN));
    for (const { number, insight } of answer?.insights ?? []) {
      const meant = batch.at(number - 1);
      if (number >= 1 && meant !== undefined && isSpecific(insight)) better.set(keyOf(meant), insight);
    }
  });
  return {
    subtopics: subtopics.map((each, subtopic) => ({
      ...each,
      insights: each.insights.map((text) => better.get(keyOf({ text, subtopic })) ?? text),
    })),
    sentBack: vague.length,
  };
}

function keyOf({ text, subtopic }: { readonly text: string; readonly subtopic: number }): string {
  return `${subtopic} ${text}`;
}
