import { z } from 'zod';
import { asData, BYTES_PER_TOKEN, type JsonForm } from '../../models/index.ts';
import { countWords } from '../../summary/index.ts';
import { quoteAligner, type SourceDocument, type Span, utf8Length, windows } from '../../text/index.ts';
import { type AskedModel, nullIfUnanswerable } from '../asking/asked-model.ts';
import { oneLine } from '../asking/one-line.ts';
import { readItems } from '../asking/read-items.ts';
import type { PassageSpan } from '../benchmark-set.ts';

/** A question with the answer of one document, and the words that attest it. */
export interface FoundNugget {
  readonly question: string;
  readonly answer: string;
  readonly document: string;
  readonly spans: readonly PassageSpan[];
}

/** What one document gave. */
interface FoundNuggets {
  readonly nuggets: readonly FoundNugget[];
  readonly counts: Readonly<Record<'incomplete' | 'longAnswers' | 'unquoted' | 'unread', number>>;
}

const item = z.object({
  question: z.string(),
  answer: z.union([z.string(), z.number().transform(String)]),
  quote: z.string(),
});
const FOUND: JsonForm<z.infer<typeof item>[]> = {
  name: 'nuggets',
  schema: z.object({ nuggets: readItems(item) }).transform(({ nuggets }) => nuggets),
  asked: z.object({ nuggets: z.array(z.object({ question: z.string(), answer: z.string(), quote: z.string() })) }),
  wholeItems: true,
};

/** Words of an answer at most, as for questions. */
const MAX_ANSWER_WORDS = 14;
/** Share of the context that a part of a document may fill. */
const DOCUMENT_SHARE = 0.4;
const TOKENS_PER_NUGGET = 90;

/** The parts of a document that are read one by one. */
export function partsOf({ text }: Pick<SourceDocument, 'text'>, contextTokens: number): readonly Span[] {
  return windows(text, { bytes: Math.max(1, DOCUMENT_SHARE * contextTokens * BYTES_PER_TOKEN), overlapBytes: 0 });
}

/**
 * The nuggets of one document: one call for each part of it. What quotes words that the document does not hold is dropped.
 *
 * @param count nuggets of the document at most, shared out to its parts by their length
 * @throws ModelCallError where a call failed otherwise than for what it asked
 */
export async function findNuggets(
  document: SourceDocument,
  request: string,
  count: number,
  model: AskedModel,
): Promise<FoundNuggets> {
  const parts = partsOf(document, model.contextTokens);
  const answers = await Promise.all(
    parts.map(({ start, end }) => {
      const shown = document.text.slice(start, end);
      const share = Math.max(1, Math.round((count * utf8Length(shown)) / utf8Length(document.text)));
      const title = document.title === undefined ? '' : `${document.title}\n\n`;
      const values = {
        request: asData('request', request),
        document: asData('document', title + shown),
        count: String(share),
      };
      const maxTokens = Math.min(200 + TOKENS_PER_NUGGET * share, Math.floor(model.contextTokens / 3));
      const asked = model.askFor({ prompt: model.prompt('benchmark-nuggets'), values, maxTokens }, FOUND);
      return nullIfUnanswerable(asked);
    }),
  );
  const aligner = quoteAligner(document.text);
  const counts = { incomplete: 0, longAnswers: 0, unquoted: 0, unread: 0 };
  const nuggets: FoundNugget[] = [];
  for (const answer of answers) {
    if (answer === null) counts.unread++;
    for (const given of answer ?? []) {
      const [question, told] = [oneLine(given.question), oneLine(given.answer)];
      const spans = aligner.align(given.quote)?.spans ?? [];
      if (question === '' || told === '') counts.incomplete++;
      else if (countWords(told) > MAX_ANSWER_WORDS) counts.longAnswers++;
      else if (spans.length === 0) counts.unquoted++;
      else {
        const placed = spans.map(({ start, end }) => ({ document: document.id, start, end }));
        nuggets.push({ question, answer: told, document: document.id, spans: placed });
      }
    }
  }
  return { nuggets: nuggets.slice(0, count), counts };
}
