import { z } from 'zod';
import type { Span } from '../../text/index.ts';
import { intent, MAX_TEXT, place, reference, text } from './fields.ts';
import type { Loaded } from './loaded.ts';
import { problemOfStretch, spanOfStretch } from './turn-stretch.ts';

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
