import { z } from 'zod';
import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { type Random, shuffled } from '../../selection/index.ts';
import { chunks, foldText, groupBy } from '../../text/index.ts';
import {
  type AskedModel,
  beginnings,
  itemAt,
  listForm,
  numbered,
  readItems,
  readLine,
  readNumber,
} from './asked-model.ts';
import type { HaystackOptions } from './haystack-plan.ts';
import { batches } from './merge-points.ts';

interface Subtopic {
  readonly name: string;
  readonly query: string;
}

export interface Insight {
  readonly text: string;
  readonly subtopic: Subtopic;
}

const filled = readLine.pipe(z.string().min(1));
const OUTLINE = listForm(
  'haystack_outline',
  'subtopics',
  z.object({ name: filled, query: filled, insights: readItems(readLine) }),
);
const OUTLINE_TOKENS = { answer: 300, subtopic: 80, insight: 60 };
const SEED_SHARE = 0.3;
/** Insights in one question, when sorted to subtopics, and when compared with each other. */
export const [SORTED, COMPARED] = [20, 60];
const LIST_SHARE = 0.4;

/**
 * Plans subtopics with insights (Laban et al. 2024, section 3.2 and appendix A.1.2). Insights that are repeated,
 * overlapping or sorted to another subtopic are dropped, and with them subtopics that are left with too few.
 */
export async function askOutline(
  model: AskedModel,
  { topic, seeds, subtopics: most, insights: { least, most: maxInsights } }: HaystackOptions,
  random: Random,
): Promise<readonly Insight[]> {
  const contextBytes = model.contextTokens * BYTES_PER_TOKEN;
  const shown = seeds.length === 0 ? '' : beginnings(seeds, SEED_SHARE * contextBytes);
  const values = {
    topic: asData('topic', topic),
    seeds: shown && `Documents on the topic. Plan subtopics and facts such as theirs:\n${shown}\n\n`,
    ...{ subtopics: String(most), least: String(least), most: String(maxInsights) },
  };
  const tokens = OUTLINE_TOKENS.answer + most * (OUTLINE_TOKENS.subtopic + maxInsights * OUTLINE_TOKENS.insight);
  const given = (await model.json('benchmark-outline', values, tokens, OUTLINE)) ?? [];
  const named = distinct(given, ({ name }) => name).slice(0, most);
  const all = named.flatMap((subtopic) => subtopic.insights.map((text): Insight => ({ text, subtopic })));

  let kept: readonly Insight[] = all;
  const keep = (left: readonly Insight[], dropped: string) => {
    const thick = ofSubtopics(left).flatMap(({ insights }) => (insights.length < least ? [] : insights));
    model.count(dropped, kept.length - left.length);
    model.count('inThinSubtopics', left.length - thick.length);
    kept = thick;
  };
  keep(
    distinct(all, ({ text }) => text),
    'repeatedInsights',
  );
  keep(
    ofSubtopics(kept).flatMap(({ insights }) => insights.slice(0, maxInsights)),
    'surplusInsights',
  );
  const parts = ofSubtopics(kept).map(({ subtopic }) => ({ text: `${subtopic.name} (${subtopic.query})`, subtopic }));
  const like = new Set((await overlapping(parts, topic, model)).map(({ subtopic }) => subtopic));
  keep(
    kept.filter(({ subtopic }) => !like.has(subtopic)),
    'inOverlappingSubtopics',
  );
  const lists = batches(kept, { items: COMPARED, bytes: LIST_SHARE * contextBytes });
  const alike = new Set((await Promise.all(lists.map((list) => overlapping(list, topic, model)))).flat());
  keep(
    kept.filter((each) => !alike.has(each)),
    'overlappingInsights',
  );
  const places = await recategorised(shuffled(kept, random), model);
  keep(
    kept.filter((each) => !places.has(each) || places.get(each) === each.subtopic),
    'recategorised',
  );
  return kept;
}

/** In the order of their first insights. */
export function ofSubtopics(insights: readonly Insight[]) {
  return [...groupBy(insights, ({ subtopic }) => subtopic)].map(([subtopic, own]) => ({ subtopic, insights: own }));
}

function distinct<Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] {
  return [...groupBy(items, (item) => foldText(textOf(item)).folded).values()].map(([first]) => first);
}

const OVERLAPS = listForm('overlaps', 'overlaps', z.object({ item: readNumber, with: readNumber }));

/** Items that overlap with one that stays. */
async function overlapping<Item extends { readonly text: string }>(
  items: readonly Item[],
  topic: string,
  model: AskedModel,
): Promise<Item[]> {
  if (items.length < 2) return [];
  const values = { topic: asData('topic', topic), items: asData('items', numbered(items.map(({ text }) => text))) };
  const answer = await model.json('benchmark-overlap', values, 200 + 12 * items.length, OVERLAPS);
  const gone = new Set<number>();
  for (const { item, with: other } of answer ?? []) {
    if (item !== other && other > 0 && other <= items.length && !gone.has(other)) gone.add(item);
  }
  return items.filter((_, place) => gone.has(place + 1));
}

const PLACES = listForm('places', 'places', z.object({ insight: readNumber, subtopic: readNumber }));

/** Where the model sorts insights when it sees them without their subtopics; to none if they answer two queries or no query. */
async function recategorised(insights: readonly Insight[], model: AskedModel) {
  const subtopics = [...new Set(insights.map(({ subtopic }) => subtopic))];
  const places = new Map<Insight, Subtopic | undefined>();
  const sort = async (batch: readonly Insight[]) => {
    const values = {
      subtopics: asData('subtopics', numbered(subtopics.map(({ name, query }) => `${name} (${query})`))),
      insights: asData('facts', numbered(batch.map(({ text }) => text))),
    };
    const answer = await model.json('benchmark-recategorise', values, 100 + batch.length * 24, PLACES);
    for (const { insight: number, subtopic: place } of answer ?? []) {
      const meant = itemAt(batch, number);
      const isPlace = place >= 0 && place <= subtopics.length;
      if (meant !== undefined && isPlace && !places.has(meant)) places.set(meant, itemAt(subtopics, place));
    }
  };
  await Promise.all([...chunks(insights, SORTED)].map(sort));
  return places;
}
