import { z } from 'zod';
import type { Span } from '../../text/index.ts';
import { documentText, id, intent, MAX_TEXT, place, reference, text } from './fields.ts';
import type { Loaded } from './loaded.ts';
import { issueReporter } from './report-issue.ts';

/** Published as a string: "10". */
const turn = z.union([
  place,
  z
    .string()
    .regex(/^\s*\d{1,9}\s*$/, 'must be the number of a turn')
    .transform(Number),
]);

const answered = { query: intent, answer: reference };

/** A meeting of QMSum (Zhong et al. 2021, github.com/Yale-LILY/QMSum, `data/ALL`). */
export const qmsumSchema = z
  .object({
    general_query_list: z.array(z.object(answered)),
    specific_query_list: z.array(
      z.object({ ...answered, relevant_text_span: z.array(z.tuple([turn, turn]).readonly()) }),
    ),
    meeting_transcripts: z.array(z.object({ speaker: text(1000), content: text(MAX_TEXT) })).min(1),
  })
  .superRefine(({ meeting_transcripts: turns }, context) => {
    const { length } = transcriptOf(turns).text;
    if (length > MAX_TEXT) {
      const message = `come to ${length} characters, and a document holds ${MAX_TEXT} at most`;
      context.addIssue({ code: 'custom', path: ['meeting_transcripts'], message });
    }
  });

type QmsumMeeting = z.output<typeof qmsumSchema>;

/**
 * A case for every query: the specific ones with the stretches of turns that people marked, each one passage, the general
 * ones, which ask of the whole meeting, with their summary alone. The published files mark some stretches that there are not
 * (`train/education_3.json` has one from turn 107 to 105): these are left out and counted.
 *
 * @param name id of the collection and of its one document, as the meetings have none
 */
export function loadQmsum(meeting: QmsumMeeting, name: string): Loaded {
  const { text, spans } = transcriptOf(meeting.meeting_transcripts);
  const general = meeting.general_query_list.map(({ query, answer }, index) => ({
    id: `${name}/general-${index + 1}`,
    collection: name,
    intent: query,
    questionKind: 'general',
    reference: answer,
  }));
  const specific = meeting.specific_query_list.map(({ query, answer, relevant_text_span: marked }, index) => {
    const stretches = marked.filter((stretch) => problemOfStretch(stretch, spans.length) === null);
    const passages = stretches.map((stretch) => ({ document: name, ...spanOfStretch(stretch, spans) }));
    return {
      id: `${name}/specific-${index + 1}`,
      collection: name,
      intent: query,
      questionKind: 'specific',
      ...(passages.length > 0 && { passages }),
      reference: answer,
    };
  });
  const marked = meeting.specific_query_list.flatMap(({ relevant_text_span: stretches }) => stretches);
  return {
    collection: { id: name, documents: [{ id: name, text }] },
    cases: [...general, ...specific],
    counts: {
      impossibleStretches: marked.filter((stretch) => problemOfStretch(stretch, spans.length) !== null).length,
    },
  };
}

/** "Speaker: content" a line, and where each turn stands in it, its line break left out. */
function transcriptOf(turns: readonly { readonly speaker: string; readonly content: string }[]): {
  readonly text: string;
  readonly spans: readonly Span[];
} {
  const spans: Span[] = [];
  let start = 0;
  const lines = turns.map(({ speaker, content }) => {
    const line = `${speaker}: ${content}`;
    spans.push({ start, end: start + line.length });
    start += line.length + 1;
    return `${line}\n`;
  });
  return { text: lines.join(''), spans };
}

/** From one turn to another, both of them included, counted from 0. */
type TurnStretch = readonly [from: number, to: number];

/** What is wrong with a stretch of so many turns; null where nothing is. */
function problemOfStretch([from, to]: TurnStretch, turns: number): string | null {
  if (to >= turns) return `ends with turn ${to}, and the last of the meeting is turn ${turns - 1}`;
  return from > to ? 'ends before it begins' : null;
}

/** Where a stretch stands: from the start of its first turn to the end of its last. */
function spanOfStretch([from, to]: TurnStretch, turns: readonly Span[]): Span {
  return { start: turns[from].start, end: turns[to].end };
}

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
