import { z } from 'zod';
import { asData, BYTES_PER_TOKEN } from '../../models/index.ts';
import { shuffled } from '../../selection/index.ts';
import { foldText, groupBy, type SourceDocument } from '../../text/index.ts';
import {
  type AskedModel,
  itemAt,
  listForm,
  numbered,
  readItems,
  readLine,
  readNumber,
  shownParts,
} from './asked-model.ts';
import { drawsFor, type HaystackOptions } from './haystack-plan.ts';
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

/**
 * Plans subtopics with insights (Laban et al. 2024, section 3.2 and appendix A.1.2). Insights that are repeated,
 * overlapping or sorted to another subtopic are dropped, and with them subtopics that are left with too few.
 */
export async function askOutline(model: AskedModel, { topic, seeds, seed, ...options }: HaystackOptions) {
  const { least, most } = options.insights;
  const values = {
    ...{ topic: asData('topic', topic), seeds: seedText(seeds, model.contextTokens) },
    ...{ subtopics: String(options.subtopics), least: String(least), most: String(most) },
  };
  const answerTokens =
    OUTLINE_TOKENS.answer + options.subtopics * (OUTLINE_TOKENS.subtopic + most * OUTLINE_TOKENS.insight);
  const maxTokens = Math.min(answerTokens, Math.floor(model.contextTokens / 2));
  const given = (await model.json('benchmark-outline', values, maxTokens, OUTLINE)) ?? [];
  const named = distinct(given, ({ name }) => name).slice(0, options.subtopics);

  const counts: Record<string, number> = {
    subtopicsGiven: given.length,
    surplusSubtopics: given.length - named.length,
  };
  let kept = named.flatMap((subtopic) => subtopic.insights.map((text): Insight => ({ text, subtopic })));
  counts.insightsGiven = kept.length;
  counts.inThinSubtopics = 0;
  const drop = (reason: string, isDropped: (insight: Insight) => boolean) => {
    const left = kept.filter((each) => !isDropped(each));
    const thick = ofSubtopics(left).filter(({ insights }) => insights.length >= least);
    counts[reason] = kept.length - left.length;
    kept = thick.flatMap(({ insights }) => insights);
    counts.inThinSubtopics += left.length - kept.length;
  };
  const different = new Set(distinct(kept, ({ text }) => text));
  drop('repeatedInsights', (each) => !different.has(each));
  const wanted = new Set(ofSubtopics(kept).flatMap(({ insights }) => insights.slice(0, most)));
  drop('surplusInsights', (each) => !wanted.has(each));
  const names = ofSubtopics(kept).map(({ subtopic }) => ({ text: `${subtopic.name} (${subtopic.query})`, subtopic }));
  const like = new Set((await overlapping(names, topic, model)).map(({ subtopic }) => subtopic));
  drop('inOverlappingSubtopics', ({ subtopic }) => like.has(subtopic));
  const room = { items: COMPARED, bytes: LIST_SHARE * model.contextTokens * BYTES_PER_TOKEN };
  const lists = await Promise.all(batches(kept, room).map((list) => overlapping(list, topic, model)));
  const alike = new Set(lists.flat());
  drop('overlappingInsights', (each) => alike.has(each));
  const places = await recategorised(shuffled(kept, drawsFor('recategorising', seed)), model);
  counts.uncategorised = kept.length - places.size;
  drop('recategorised', (each) => places.has(each) && places.get(each) !== each.subtopic);
  return { insights: kept, counts };
}

/** In the order of their first insights. */
export function ofSubtopics(insights: readonly Insight[]) {
  return [...groupBy(insights, ({ subtopic }) => subtopic)].map(([subtopic, own]) => ({ subtopic, insights: own }));
}

function distinct<Item>(items: readonly Item[], textOf: (item: Item) => string): Item[] {
  return [...groupBy(items, (item) => foldText(textOf(item)).folded).values()].map(([first]) => first);
}

const SEED_SHARE = 0.3;

/** The beginnings of seed documents. */
function seedText(seeds: readonly SourceDocument[], contextTokens: number): string {
  if (seeds.length === 0) return '';
  const bytes = (SEED_SHARE * contextTokens * BYTES_PER_TOKEN) / seeds.length;
  const shown = seeds.flatMap((document) => shownParts(document, bytes).slice(0, 1));
  const blocks = shown.map((part) => part.shown).join('\n\n');
  return `Documents on the topic. Plan subtopics and facts such as theirs:\n${blocks}\n\n`;
}

/** Insights in one question, when sorted to subtopics, and when compared with each other. */
export const [SORTED, COMPARED] = [20, 60];
const LIST_SHARE = 0.4;

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
  const starts = Array.from({ length: Math.ceil(insights.length / SORTED) }, (_, place) => place * SORTED);
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
  await Promise.all(starts.map((start) => sort(insights.slice(start, start + SORTED))));
  return places;
}
