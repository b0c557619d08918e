import { z } from 'zod';
import { packed } from '../../evaluation/index.ts';
import { asData, type JsonForm } from '../../models/index.ts';
import { quoteAligner, type Span, utf8Length } from '../../text/index.ts';
import { type AskedModel, nullIfUnanswerable } from '../asking/asked-model.ts';
import { numbered } from '../asking/one-line.ts';
import { readItems, readNumber } from '../asking/read-items.ts';

const FOUND = {
  name: 'found_insights',
  wholeItems: true,
  schema: z.object({ found: readItems(z.object({ insight: readNumber, quote: z.string() })) }),
  asked: z.object({ found: z.array(z.object({ insight: z.int(), quote: z.string() })) }),
} satisfies JsonForm<unknown>;

/** What a document was read to tell. */
export interface InsightsFound {
  /** Where each insight that it tells is told, by its place. */
  readonly told: ReadonlyMap<number, readonly Span[]>;
  /** Insights said to be told with words that the document does not hold, which counts as not told. */
  readonly unfounded: number;
}

/** An insight as it is shown. */
export interface ShownInsight {
  readonly text: string;
  /** Its place among all. */
  readonly place: number;
}

const TOKENS = { answer: 300, found: 120 };
/** Insights told beside the planned ones that an answer has room for. */
const SPARE = 6;
/** Bytes of prompt and document that a token stands for: few, so that what is shown surely fits. */
const BYTES_PER_TOKEN = 3;
const MIN_ROOM = 2000;
/** Bytes of the prompt, a little more than they are, and of what `packed` adds to an insight. */
const BYTES = { prompt: 1500, beside: 100 };

/**
 * Which of all insights a text tells, with the words that show it (Laban et al. 2024, section 3.2): those that it should,
 * and the others between them. As many as fit are asked for in one call.
 *
 * @param shown in an order that does not tell which ones the text should tell
 * @param planned how many it should tell
 * @returns null where a call gave nothing that could be read
 */
export async function findInsights(
  model: AskedModel,
  text: string,
  shown: readonly ShownInsight[],
  planned: number,
): Promise<InsightsFound | null> {
  const prompt = model.prompt('benchmark-find-insights');
  const taken = [prompt.system, prompt.user, text].reduce((sum, each) => sum + utf8Length(each), 0);
  const { maxTokens, bytes } = roomFor(planned, taken, model.contextTokens);
  const lists = packed(shown, bytes);
  const answers = await Promise.all(
    lists.map(async (list) => {
      const values = {
        insights: asData('facts', numbered(list.map((each) => each.text))),
        document: asData('document', text),
      };
      const answer = await nullIfUnanswerable(model.askFor({ prompt, values, maxTokens }, FOUND));
      return answer?.found.flatMap(({ insight, quote }) => {
        const meant = insight >= 1 ? list.at(insight - 1) : undefined;
        return meant === undefined ? [] : [{ place: meant.place, quote }];
      });
    }),
  );
  return answers.includes(undefined)
    ? null
    : founded(
        text,
        answers.flatMap((answer) => answer ?? []),
      );
}

/**
 * Calls that one reading takes: for the estimate alone.
 *
 * @param insightBytes UTF-8 bytes of an insight
 * @param textBytes of the text that is read
 */
export function findingCalls(
  {
    insights,
    insightBytes,
    planned,
    textBytes,
  }: Readonly<Record<'insights' | 'insightBytes' | 'planned' | 'textBytes', number>>,
  contextTokens: number,
): number {
  const { bytes } = roomFor(planned, BYTES.prompt + textBytes, contextTokens);
  return Math.ceil(insights / Math.max(1, Math.floor(bytes / (insightBytes + BYTES.beside))));
}

/** Tokens of the answer, and bytes of the list of insights. @param taken bytes of the prompt and the text */
function roomFor(planned: number, taken: number, contextTokens: number): { maxTokens: number; bytes: number } {
  const maxTokens = Math.min(TOKENS.answer + (planned + SPARE) * TOKENS.found, Math.floor(contextTokens / 2));
  return { maxTokens, bytes: Math.max(MIN_ROOM, BYTES_PER_TOKEN * (contextTokens - maxTokens) - taken) };
}

function founded(text: string, found: readonly { readonly place: number; readonly quote: string }[]): InsightsFound {
  const aligner = quoteAligner(text);
  const told = new Map<number, readonly Span[]>();
  for (const { place, quote } of found) {
    const spans = (aligner.align(quote)?.spans ?? []).map(({ start, end }) => ({ start, end }));
    if (spans.length > 0 && !told.has(place)) told.set(place, spans);
  }
  const unfounded = new Set(found.flatMap(({ place }) => (told.has(place) ? [] : [place])));
  return { told: new Map([...told].sort(([a], [b]) => a - b)), unfounded: unfounded.size };
}
