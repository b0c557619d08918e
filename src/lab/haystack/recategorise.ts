import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import { shuffled } from '../../selection/index.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { nullIfUnanswerable } from '../asking/null-if-unanswerable.ts';
import { numbered } from '../asking/one-line.ts';
import { readItems, readNumber } from '../asking/read-items.ts';
import { drawsFor } from './draws.ts';
import {
  type Counts,
  type HaystackOptions,
  insightsOf,
  type PlacedInsight,
  type Subtopic,
} from './haystack-options.ts';
import { inBatches } from './in-batches.ts';

const PLACES = {
  name: 'places',
  wholeItems: true,
  schema: z.object({ places: readItems(z.object({ insight: readNumber, subtopic: readNumber })) }),
  asked: z.object({ places: z.array(z.object({ insight: z.int(), subtopic: z.int() })) }),
} satisfies JsonForm<unknown>;

/** Insights in one question. */
export const RECATEGORISED_AT_ONCE = 20;
const TOKENS = { answer: 100, insight: 24 };

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
      maxTokens: TOKENS.answer + batch.length * TOKENS.insight,
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
