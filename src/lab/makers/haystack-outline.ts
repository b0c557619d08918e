import { z } from 'zod';
import { asData, BYTES_PER_TOKEN, type JsonForm } from '../../models/index.ts';
import { shuffled } from '../../selection/index.ts';
import { nameWords, numbersIn } from '../../summary/index.ts';
import { beginning, foldText, sentences, utf8Length } from '../../text/index.ts';
import { type AskedModel, itemAt, numbered, oneLine, readItems, readNumber } from './asked-model.ts';
import { drawsFor, type HaystackOptions } from './haystack-plan.ts';
import type { Counts } from './maker.ts';
import { batches } from './merge-points.ts';

export interface Subtopic {
  readonly name: string;
  readonly query: string;
  readonly insights: readonly string[];
}

interface PlacedInsight {
  readonly text: string;
  readonly subtopic: number;
}

export function insightsOf(subtopics: readonly Subtopic[]): PlacedInsight[] {
  return subtopics.flatMap(({ insights }, subtopic) => insights.map((text) => ({ text, subtopic })));
}

const line = z.string().transform(oneLine);
const insight = z.union([line, z.object({ insight: line }).transform((given) => given.insight)]);
const subtopic = z.object({
  name: line.pipe(z.string().min(1).max(300)),
  query: line.pipe(z.string().min(1).max(1000)),
  insights: z.array(z.unknown()),
});

/** Skips and counts unreadable parts; rejects an outline without subtopics. */
const OUTLINE: JsonForm<{ readonly subtopics: Subtopic[]; readonly counts: Counts }> = {
  name: 'haystack_outline',
  wholeItems: true,
  schema: z
    .object({ subtopics: z.array(z.unknown()) })
    .transform((given) => {
      const read = given.subtopics.flatMap((each) => subtopic.safeParse(each).data ?? []);
      const subtopics = read.map((each) => ({
        ...each,
        insights: each.insights.flatMap((text) => insight.safeParse(text).data ?? []),
      }));
      const givenInsights = read.reduce((sum, { insights }) => sum + insights.length, 0);
      const counts = {
        subtopicsGiven: read.length,
        unreadSubtopics: given.subtopics.length - read.length,
        insightsGiven: insightsOf(subtopics).length,
        unreadInsights: givenInsights - insightsOf(subtopics).length,
      };
      return { subtopics, counts };
    })
    .refine(({ subtopics }) => subtopics.length > 0, 'no subtopic has a name, a query and insights'),
  asked: z.object({
    subtopics: z.array(z.object({ name: z.string(), query: z.string(), insights: z.array(z.string()) })),
  }),
};

function without(subtopics: readonly Subtopic[], dropped: ReadonlySet<string>, least: number) {
  const left = subtopics.map((each) => ({ ...each, insights: each.insights.filter((text) => !dropped.has(text)) }));
  const kept = left.filter(({ insights }) => insights.length >= least);
  return { subtopics: kept, thin: left.length - kept.length };
}

function distinct<Item>(items: readonly Item[], textOf: (item: Item) => string, seen = new Set<string>()): Item[] {
  return items.filter((item) => {
    const { folded } = foldText(textOf(item));
    if (seen.has(folded)) return false;
    seen.add(folded);
    return true;
  });
}

const OUTLINE_TOKENS = { answer: 300, subtopic: 80, insight: 60 };

/** Laban et al. 2024, section 3.2: unspecific insights are rewritten once, then dropped, as are duplicates and small subtopics. */
export async function askOutline(model: AskedModel, options: HaystackOptions) {
  const { topic, subtopics: wanted, insights } = options;
  const values = {
    topic: asData('topic', topic),
    seeds: seedText(options.seeds, model.contextTokens),
    ...{ subtopics: String(wanted), least: String(insights.least), most: String(insights.most) },
  };
  const answerTokens =
    OUTLINE_TOKENS.answer + wanted * (OUTLINE_TOKENS.subtopic + insights.most * OUTLINE_TOKENS.insight);
  const maxTokens = Math.min(answerTokens, Math.floor(model.contextTokens / 2));
  const outline = await model.json('benchmark-outline', values, maxTokens, OUTLINE);
  const given = outline?.subtopics ?? [];
  const named = distinct(given, ({ name }) => name).slice(0, wanted);
  const sharpened = await sharpenInsights(model, topic, named, insights.most);
  const seen = new Set<string>();
  const counts = { unspecific: 0, repeatedInsights: 0, surplusInsights: 0 };
  const clean = sharpened.subtopics.map((each) => {
    const specific = each.insights.filter(isSpecific);
    const different = distinct(specific, (text) => text, seen);
    const kept = different.slice(0, insights.most);
    counts.unspecific += each.insights.length - specific.length;
    counts.repeatedInsights += specific.length - different.length;
    counts.surplusInsights += different.length - kept.length;
    return { ...each, insights: kept };
  });
  const { subtopics: thick, thin } = without(clean, new Set(), insights.least);
  const apart = await dropOverlaps(model, topic, thick, insights.least);
  const sorted = await recategorise(model, apart.subtopics, options);
  const surplusSubtopics = given.length - named.length;
  return {
    subtopics: sorted.subtopics,
    counts: {
      ...{ subtopicsGiven: 0, unreadSubtopics: 0, insightsGiven: 0, unreadInsights: 0, ...outline?.counts },
      ...{ surplusSubtopics, sentBack: sharpened.sentBack, ...counts, thinSubtopics: thin },
      ...apart.counts,
      ...sorted.counts,
    },
  };
}

const SEED_SHARE = 0.3;

function seedText(seeds: readonly string[], contextTokens: number): string {
  if (seeds.length === 0) return '';
  const bytes = (SEED_SHARE * contextTokens * BYTES_PER_TOKEN) / seeds.length;
  const shown = seeds.map((text) => {
    const size = utf8Length(text);
    return size <= bytes ? text : `${beginning(text, Math.floor((text.length * bytes) / size))} …`;
  });
  const blocks = shown.map((text, place) => asData('document', text, place + 1)).join('\n\n');
  return `Documents on the topic. Plan subtopics and facts such as theirs:\n${blocks}\n\n`;
}

const DAY_OR_MONTH =
  /\b(?:jan(?:uary)?|feb(?:ruary)?|april|june|july|aug(?:ust)?|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/iu;
const MARCH_OR_MAY = /\b(?:March|May|MARCH|MAY)\b/u;
const MAX_INSIGHT_LENGTH = 500;

/**
 * Whether an insight is one sentence with a number, date or entity (Laban et al. 2024, section 3.2). "One" and "first"
 * are no numbers; a sentence's initial capital makes no name.
 */
export function isSpecific(text: string): boolean {
  if (text.length > MAX_INSIGHT_LENGTH || sentences(text).length !== 1) return false;
  if (numbersIn(text).some(({ weak }) => !weak) || DAY_OR_MONTH.test(text) || MARCH_OR_MAY.test(text)) return true;
  return nameWords(text).some(({ kind, opens }) => kind !== 'plain' && (!opens || kind !== 'capital'));
}

const AGAIN = {
  name: 'insights_again',
  wholeItems: true,
  schema: z.object({ insights: readItems(z.object({ number: readNumber, insight: line })) }),
  asked: z.object({ insights: z.array(z.object({ number: z.int(), insight: z.string() })) }),
} satisfies JsonForm<unknown>;
const SHARPENED = 25;
export const [SORTED, COMPARED] = [20, 60];

async function sharpenInsights(model: AskedModel, topic: string, subtopics: readonly Subtopic[], most: number) {
  const vague = subtopics.flatMap(({ insights }, place) => {
    const unspecific = new Set(insights.filter((text) => !isSpecific(text)));
    return [...unspecific].slice(0, most).map((text) => ({ text, subtopic: place }));
  });
  const better = subtopics.map(() => new Map<string, string>());
  await inBatches(vague, SHARPENED, async (batch) => {
    const lines = batch.map((each) => `(${subtopics[each.subtopic].name}) ${each.text}`);
    const values = { topic: asData('topic', topic), insights: asData('facts', numbered(lines)) };
    const maxTokens = Math.min(100 + batch.length * 80, Math.floor(model.contextTokens / 2));
    const answer = await model.json('benchmark-outline-again', values, maxTokens, AGAIN);
    for (const { number, insight: sharper } of answer?.insights ?? []) {
      const meant = itemAt(batch, number);
      if (meant !== undefined && isSpecific(sharper)) better[meant.subtopic].set(meant.text, sharper);
    }
  });
  const sharper = subtopics.map((each, place) => ({
    ...each,
    insights: each.insights.map((text) => better[place].get(text) ?? text),
  }));
  return { subtopics: sharper, sentBack: vague.length };
}

async function inBatches<Item>(
  items: readonly Item[],
  size: number,
  work: (batch: readonly Item[]) => Promise<void>,
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, place) => place * size);
  await Promise.all(starts.map((start) => work(items.slice(start, start + size))));
}

const OVERLAPS = {
  name: 'overlaps',
  wholeItems: true,
  schema: z.object({ overlaps: readItems(z.object({ item: readNumber, with: readNumber })) }),
  asked: z.object({ overlaps: z.array(z.object({ item: z.int(), with: z.int() })) }),
} satisfies JsonForm<unknown>;
const LIST_SHARE = 0.4;

/** Drops subtopics, then insights, that overlap with an earlier one (Laban et al. 2024, section 3.2). */
async function dropOverlaps(model: AskedModel, topic: string, subtopics: readonly Subtopic[], least: number) {
  const overlapping = async <Item extends { readonly text: string }>(items: readonly Item[]): Promise<Item[]> => {
    if (items.length < 2) return [];
    const values = { topic: asData('topic', topic), items: asData('items', numbered(items.map(({ text }) => text))) };
    const answer = await model.json('benchmark-overlap', values, 200 + 12 * items.length, OVERLAPS);
    const gone = new Set<Item>();
    for (const pair of answer?.overlaps ?? []) {
      const [item, other] = [itemAt(items, pair.item), itemAt(items, pair.with)];
      if (item !== undefined && other !== undefined && item !== other && !gone.has(other)) gone.add(item);
    }
    return [...gone];
  };
  const names = subtopics.map((each) => ({ text: `${each.name} (${each.query})`, subtopic: each }));
  const goneSubtopics = new Set(await overlapping(names));
  const apart = names.filter((each) => !goneSubtopics.has(each)).map((each) => each.subtopic);
  const room = { items: COMPARED, bytes: LIST_SHARE * model.contextTokens * BYTES_PER_TOKEN };
  const goneInsights = (await Promise.all(batches(insightsOf(apart), room).map(overlapping))).flat();
  const { subtopics: kept, thin } = without(apart, new Set(goneInsights.map(({ text }) => text)), least);
  const counts = {
    overlappingSubtopics: goneSubtopics.size,
    overlappingInsights: goneInsights.length,
    subtopicsOverlappedThin: thin,
  };
  return { subtopics: kept, counts };
}

const PLACES = {
  name: 'places',
  wholeItems: true,
  schema: z.object({ places: readItems(z.object({ insight: readNumber, subtopic: readNumber })) }),
  asked: z.object({ places: z.array(z.object({ insight: z.int(), subtopic: z.int() })) }),
} satisfies JsonForm<unknown>;

/** Drops insights that the model assigns to another subtopic: they could answer two queries, or none (Laban et al. 2024, section 3.2). */
async function recategorise(
  model: AskedModel,
  subtopics: readonly Subtopic[],
  { seed, insights: { least } }: HaystackOptions,
) {
  const all = shuffled(insightsOf(subtopics), drawsFor('recategorising', seed));
  const places = new Map<PlacedInsight, number>();
  await inBatches(all, SORTED, async (batch) => {
    const values = {
      subtopics: asData('subtopics', numbered(subtopics.map(({ name, query }) => `${name} (${query})`))),
      insights: asData('facts', numbered(batch.map(({ text }) => text))),
    };
    const answer = await model.json('benchmark-recategorise', values, 100 + batch.length * 24, PLACES);
    for (const { insight: number, subtopic: place } of answer?.places ?? []) {
      const meant = itemAt(batch, number);
      const isPlace = place >= 0 && place <= subtopics.length;
      if (meant !== undefined && isPlace && !places.has(meant)) places.set(meant, place - 1);
    }
  });
  const foreign = all.filter((each) => places.has(each) && places.get(each) !== each.subtopic);
  const { subtopics: kept, thin } = without(subtopics, new Set(foreign.map(({ text }) => text)), least);
  const uncategorised = all.length - places.size;
  return { subtopics: kept, counts: { recategorised: foreign.length, uncategorised, subtopicsLeftThin: thin } };
}
