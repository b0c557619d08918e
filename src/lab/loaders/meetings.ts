import { z } from 'zod';
import { documentText, id, intent, place, reference } from './fields.ts';
import type { Loaded } from './loaded.ts';
import { issueReporter } from './report-issue.ts';
import { problemOfStretch, spanOfStretch } from './turn-stretch.ts';

const pair = z.tuple([place, place]).readonly();

/** A transcript with the places of its turns, and queries with the turns that people marked as relevant. */
export const meetingSchema = z
  .object({
    id,
    text: documentText,
    turns: z.array(pair).min(1),
    queries: z.array(z.object({ intent, reference: reference.optional(), relevantTurns: z.array(pair) })),
  })
  .superRefine(({ text, turns, queries }, context) => {
    const report = issueReporter(context);
    turns.forEach(([start, end], index) => {
      if (start > end) report(['turns', index], 'ends before it begins');
      if (end > text.length) report(['turns', index], 'ends behind the text');
    });
    queries.forEach(({ relevantTurns }, index) => {
      relevantTurns.forEach((stretch, number) => {
        const problem = problemOfStretch(stretch, turns.length);
        if (problem !== null) report(['queries', index, 'relevantTurns', number], problem);
      });
    });
  });

type Meeting = z.output<typeof meetingSchema>;

/** A case for every query; its passages are the marked stretches, each one of them whole. */
export function loadMeeting({ id, text, turns, queries }: Meeting): Loaded {
  const spans = turns.map(([start, end]) => ({ start, end }));
  return {
    collection: { id, documents: [{ id, text }] },
    cases: queries.map((query, index) => ({
      id: `${id}/${index + 1}`,
      collection: id,
      intent: query.intent,
      passages: query.relevantTurns.map((stretch) => ({ document: id, ...spanOfStretch(stretch, spans) })),
      ...(query.reference !== undefined && { reference: query.reference }),
    })),
    counts: {},
  };
}
