import { z } from 'zod';
import { asData, type JsonForm } from '../../models/index.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { nullIfUnanswerable } from '../asking/null-if-unanswerable.ts';
import { numbered, oneLine } from '../asking/one-line.ts';
import { readItems, readNumber } from '../asking/read-items.ts';
import type { Subtopic } from './haystack-options.ts';
import { inBatches } from './in-batches.ts';
import { isSpecific } from './is-specific.ts';

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
const TOKENS = { answer: 100, insight: 80 };

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
      maxTokens: Math.min(TOKENS.answer + batch.length * TOKENS.insight, Math.floor(model.contextTokens / 2)),
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
