import { z } from 'zod';
import { asData, BYTES_PER_TOKEN, ModelCallError } from '../../models/index.ts';
import { countWords, foreignIn, plainText, quotedText, unsupportedNumbers } from '../../summary/index.ts';
import { contentHash, type QuoteAligner, quoteAligner, type Span, utf8Length, windows } from '../../text/index.ts';
import { documentProgress } from '../extract/extract.ts';
import { aboutText, WINDOW_OVERLAP } from '../extract/extract-with-model.ts';
import { sentenceExtractor } from '../extract/extractor.ts';
import { readDocuments } from '../extract/read-documents.ts';
import type { Asking } from '../plan.ts';
import type { RequestDocument } from '../request.ts';
import type { Run } from '../run.ts';
import { type Filled, NOT_SAID, type Said, type TellCell } from './cells.ts';

/** Part of cache keys: raise the number with every change of how answers are read. */
const VERSION = 'table@1';
/** Of a document in one call: models overlook more in longer ones. */
const MAX_BYTES = 64_000;
const MIN_BYTES = 2000;
/** Share of the context for the document. */
const SHARE = 0.5;
/** Tokens of an answer: the JSON, and each cell with its quote. */
const TOKENS = { form: 100, each: 200 };
/** A longer answer gives way to its quote. */
const MAX_WORDS = 30;
/** Documents named in a warning. */
const MAX_NAMED = 5;

const CELLS = {
  name: 'cells',
  schema: z.object({
    cells: z.array(
      z.object({
        question: z.coerce.number(),
        said: z.boolean().catch(true),
        answer: z.string().catch(''),
        quote: z.string().catch(''),
      }),
    ),
  }),
  asked: z.object({
    cells: z.array(z.object({ question: z.int(), said: z.boolean(), answer: z.string(), quote: z.string() })),
  }),
};
type ModelCell = z.infer<typeof CELLS.schema>['cells'][number];

/**
 * Has a model answer all questions from each document, in one call where it fits. An answer stands only with a quote that the document
 * contains and that has its numbers; any other cell is empty, with a warning.
 * @throws ModelCallError if every call failed
 */
export async function fillByModel(
  run: Run,
  asking: Asking<'table'>,
  questions: readonly string[],
  documents: readonly RequestDocument[],
  tell: TellCell,
): Promise<Filled> {
  const read = await readDocuments(documents, {}, sentenceExtractor(run.engine), run, documentProgress(run));
  const rows = await Promise.all(
    read.documents.map(async ({ document }) => {
      const { answers, ...calls } = await askDocument(run, asking, questions, document);
      run.signal?.throwIfAborted();
      const cells = answers.map((answer) => answer ?? NOT_SAID);
      for (const [column, cell] of cells.entries()) tell(document.id, column, cell);
      return { ...calls, id: document.id, cells, hasRefused: answers.includes(null) };
    }),
  );
  const failures = rows.flatMap((row) => row.failures);
  if (failures.length > 0 && failures.length === rows.reduce((sum, row) => sum + row.parts, 0)) throw failures[0];
  const unread = rows.filter((row) => row.failures.length > 0);
  const refused = rows.filter(({ hasRefused }) => hasRefused);
  const warnings = [
    ...(unread.length > 0 ? [`The language model did not read all of ${namesOf(unread)}: ${failures[0].message}`] : []),
    ...(refused.length > 0
      ? [
          `Cells are empty where the language model gave no answer, or one that its quote does not hold: ${namesOf(refused)}.`,
        ]
      : []),
  ];
  const reused = { reusedExtractions: read.reused, reusedEncodings: 0 };
  return { documents: read.documents, rows: rows.map(({ cells }) => cells), reused, warnings };
}

function namesOf(rows: readonly { readonly id: string }[]): string {
  const names = rows.map(({ id }) => `“${id}”`);
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The first part of the document whose answer stands gives the cell. @returns an answer per question, null if refused, the parts, and failed calls */
async function askDocument(run: Run, asking: Asking<'table'>, questions: readonly string[], document: RequestDocument) {
  const { text } = document;
  const listed = asData(
    'questions',
    questions.map((question, column) => `${column + 1}. ${inOneLine(question)}`).join('\n'),
  );
  const room = SHARE * asking.model.contextTokens * BYTES_PER_TOKEN - utf8Length(listed);
  const bytes = Math.floor(Math.max(MIN_BYTES, Math.min(MAX_BYTES, room)));
  const parts = windows(text, { bytes, overlapBytes: Math.floor(WINDOW_OVERLAP * bytes) });
  const aligner = quoteAligner(text);
  const failures: ModelCallError[] = [];
  const read = await Promise.all(
    parts.map(async (part) => {
      try {
        const values = {
          questions: listed,
          about: aboutText(document),
          document: asData('document', text.slice(part.start, part.end)),
        };
        const given = await askPart(run, asking, questions.length, values);
        return questions.map((_, column) => answerOf(given.get(column + 1), text, part, aligner));
      } catch (failure) {
        if (!(failure instanceof ModelCallError)) throw failure;
        run.reportFailure(failure, { stage: 'write', document: document.hash ?? contentHash(text) });
        failures.push(failure);
        return [];
      }
    }),
  );
  const answers = questions.map((_, column) => {
    const own = read.flatMap((each) => (each.length === 0 ? [] : [each[column]]));
    return own.find((answer) => answer?.answered) ?? (own.includes(null) ? null : NOT_SAID);
  });
  return { answers, parts: parts.length, failures };
}

/** The cells by the number of their question. Kept for equal parts and questions. @throws ModelCallError */
async function askPart(
  { cache }: Pick<Run, 'cache'>,
  { model, prompts }: Asking<'table'>,
  count: number,
  values: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<number, ModelCell>> {
  const key = contentHash(JSON.stringify([VERSION, prompts.table.hash, model.settings, values]));
  const kept = (await cache.readJudgements([key])).get(key);
  const maxTokens = Math.min(Math.floor(model.contextTokens / 4), TOKENS.form + TOKENS.each * count);
  // Only this function writes keys of this version.
  const { cells }: z.infer<typeof CELLS.schema> =
    kept === undefined ? await model.askFor({ prompt: prompts.table, values, maxTokens }, CELLS) : JSON.parse(kept);
  if (kept === undefined) await cache.saveJudgements([{ key, kind: 'table', verdict: JSON.stringify({ cells }) }]);
  return new Map(cells.toReversed().map((cell) => [cell.question, cell]));
}

/** @returns null if the model left the question out, or its answer does not stand */
function answerOf(cell: ModelCell | undefined, text: string, part: Span, aligner: QuoteAligner): Said | null {
  if (cell === undefined) return null;
  const answer = plainText(cell.answer);
  if (!cell.said || answer === '') return NOT_SAID;
  const [span] = aligner.align(cell.quote, part.start, part.end)?.spans ?? [];
  if (span === undefined) return null;
  const quote = { text: text.slice(span.start, span.end), start: span.start, end: span.end };
  const stated = quotedText({ quote });
  if (unsupportedNumbers(answer, [quote.text]).length > 0 || foreignIn(answer, [quote.text]) !== null) return null;
  return {
    answered: true,
    sure: true,
    text: countWords(answer) > MAX_WORDS ? plainText(stated) : answer,
    quote,
    stated,
  };
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
