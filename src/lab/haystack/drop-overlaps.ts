import { z } from 'zod';
import { asData, BYTES_PER_TOKEN, type JsonForm } from '../../models/index.ts';
import { type AskedModel, nullIfUnanswerable } from '../asking/asked-model.ts';
import { numbered } from '../asking/one-line.ts';
import { readItems, readNumber } from '../asking/read-items.ts';
import { batches } from '../key-points/aggregate-points.ts';
import type { Counts, Subtopic } from './haystack-options.ts';

const OVERLAPS = {
  name: 'overlaps',
  wholeItems: true,
  schema: z.object({ overlaps: readItems(z.object({ item: readNumber, with: readNumber })) }),
  asked: z.object({ overlaps: z.array(z.object({ item: z.int(), with: z.int() })) }),
} satisfies JsonForm<unknown>;

/** Insights in one question. */
export const COMPARED_AT_ONCE = 60;
const TOKENS = { answer: 200, item: 12 };
/** Share of the context that the list may fill. */
export const LIST_SHARE = 0.4;

/**
 * Drops subtopics, and then insights, that a model finds to overlap with one that stays (Laban et al. 2024, section 3.2). Insights that
 * share words are asked for together, where not all fit one question. Of two items that are each said to go for the other the first stays.
 *
 * @param least insights that a subtopic keeps, or goes too
 */
export async function dropOverlaps(
  model: AskedModel,
  topic: string,
  subtopics: readonly Subtopic[],
  least: number,
): Promise<{ readonly subtopics: readonly Subtopic[]; readonly counts: Counts }> {
  const names = subtopics.map((subtopic) => ({ text: `${subtopic.name} (${subtopic.query})`, subtopic }));
  const overlapping = await overlappingIn(model, topic, names);
  const apart = names.filter((each) => !overlapping.has(each)).map(({ subtopic }) => subtopic);
  const insights = apart.flatMap((subtopic) => subtopic.insights.map((text) => ({ text, subtopic })));
  const room = { points: COMPARED_AT_ONCE, bytes: LIST_SHARE * model.contextTokens * BYTES_PER_TOKEN };
  const found = await Promise.all(batches(insights, room).map((batch) => overlappingIn(model, topic, batch)));
  // Each is in one subtopic, as none is there twice.
  const dropped = new Set(found.flatMap((items) => [...items].map(({ text }) => text)));
  const left = apart.map((each) => ({ ...each, insights: each.insights.filter((text) => !dropped.has(text)) }));
  const kept = left.filter((each) => each.insights.length >= least);
  return {
    subtopics: kept,
    counts: {
      overlappingSubtopics: overlapping.size,
      overlappingInsights: dropped.size,
      subtopicsOverlappedThin: left.length - kept.length,
    },
  };
}

/** The items that overlap with one that stays; none where the answer cannot be read. */
async function overlappingIn<Item extends { readonly text: string }>(
  model: AskedModel,
  topic: string,
  items: readonly Item[],
): Promise<Set<Item>> {
  const gone = new Set<Item>();
  if (items.length < 2) return gone;
  const question = {
    prompt: model.prompt('benchmark-overlap'),
    values: { topic: asData('topic', topic), items: asData('items', numbered(items.map(({ text }) => text))) },
    maxTokens: TOKENS.answer + TOKENS.item * items.length,
  };
  const answer = await nullIfUnanswerable(model.askFor(question, OVERLAPS));
  for (const pair of answer?.overlaps ?? []) {
    const [item, other] = [items.at(pair.item - 1), items.at(pair.with - 1)];
    const isMeant = pair.item >= 1 && pair.with >= 1 && item !== undefined && other !== undefined && item !== other;
    if (isMeant && !gone.has(other)) gone.add(item);
  }
  return gone;
}
