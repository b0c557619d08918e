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
import type { HaystackOptions } from './haystack-documents.ts';
import { batches } from './merge-points.ts';

const filled = readLine.pipe(z.string().min(1));
const subtopicForm = z.object({ name: filled, query: filled, insights: readItems(readLine) });
const OUTLINE = listForm('haystack_outline', 'subtopics', subtopicForm);

interface Subtopic extends z.infer<typeof subtopicForm> {
  /** Name and query. */
  readonly text: string;
}

export interface Insight {
  readonly text: string;
  readonly subtopic: Subtopic;
}

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
  const shown = seeds.length === 0 ? '' : beginnings(seeds, SEED_SHARE * model.contextTokens);
  const values = {
    topic: asData('topic', topic),
    seeds: shown && `Documents on the topic. Plan subtopics and facts such as theirs:\n${shown}\n\n`,
    ...{ subtopics: String(most), least: String(least), most: String(maxInsights) },
  };
  const tokens = OUTLINE_TOKENS.answer + most * (OUTLINE_TOKENS.subtopic + maxInsights * OUTLINE_TOKENS.insight);
  const given = (await model.json('benchmark-outline', values, tokens, OUTLINE)) ?? [];
  const subtopics = distinct(given, ({ name }) => name)
    .slice(0, most)
    .map((each): Subtopic => ({ ...each, text: `${each.name} (${each.query})` }));

  let kept: readonly Insight[] = subtopics.flatMap((subtopic) => subtopic.insights.map((text) => ({ text, subtopic })));
  const drop = (reason: string, isDropped: (insight: Insight) => boolean) => {
    const left = kept.filter((each) => !isDropped(each));
    const thick = ofSubtopics(left).flatMap(({ insights }) => (insights.length < least ? [] : insights));
    model.count(reason, kept.length - left.length);
    model.count('inThinSubtopics', left.length - thick.length);
    kept = thick;
  };
  const different = ofSubtopics(distinct(kept, ({ text }) => text));
  const wanted = new Set(different.flatMap(({ insights }) => insights.slice(0, maxInsights)));
  drop('repeatedOrSurplus', (each) => !wanted.has(each));
  const left = ofSubtopics(kept).map(({ subtopic }) => subtopic);
  const like = await overlapping(left, topic, model);
  drop('inOverlappingSubtopics', ({ subtopic }) => like.has(subtopic));
  const lists = batches(kept, { items: COMPARED, bytes: LIST_SHARE * contextBytes });
  const alike = await Promise.all(lists.map((list) => overlapping(list, topic, model)));
  drop('overlapping', (each) => alike.some((gone) => gone.has(each)));
  const places = await recategorised(shuffled(kept, random), model);
  drop('recategorised', (each) => places.has(each) && places.get(each) !== each.subtopic);
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
): Promise<ReadonlySet<Item>> {
  const gone = new Set<Item>();
  if (items.length < 2) return gone;
  const values = { topic: asData('topic', topic), items: numbered('items', items) };
  const answer = await model.json('benchmark-overlap', values, 200 + 12 * items.length, OVERLAPS);
  for (const each of answer ?? []) {
    const [item, other] = [itemAt(items, each.item), itemAt(items, each.with)];
    if (item !== undefined && other !== undefined && item !== other && !gone.has(other)) gone.add(item);
  }
  return gone;
}

const PLACES = listForm('places', 'places', z.object({ insight: readNumber, subtopic: readNumber }));

/** Where the model sorts insights when it sees them without their subtopics; to none if they answer two queries or no query. */
async function recategorised(insights: readonly Insight[], model: AskedModel) {
  const subtopics = [...new Set(insights.map(({ subtopic }) => subtopic))];
  const places = new Map<Insight, Subtopic | undefined>();
  const sort = async (batch: readonly Insight[]) => {
    const values = { subtopics: numbered('subtopics', subtopics), insights: numbered('facts', batch) };
    const answer = await model.json('benchmark-recategorise', values, 100 + batch.length * 24, PLACES);
    for (const { insight: number, subtopic: place } of answer ?? []) {
      const insight = itemAt(batch, number);
      const isPlace = place >= 0 && place <= subtopics.length;
      if (insight !== undefined && isPlace && !places.has(insight)) places.set(insight, itemAt(subtopics, place));
    }
  };
  await Promise.all([...chunks(insights, SORTED)].map(sort));
  return places;
}
