import { z } from 'zod';
import type { Format } from '../contract/index.ts';
import { asData, BYTES_PER_TOKEN, RULES_TOKENS } from '../models/index.ts';
import { endSentence, NO_NOTES, namingValues, plainText, readerShown, type Writer } from '../summary/index.ts';
import {
  contentHash,
  counted,
  type ExtractedKeyPoint,
  groupBy,
  quoteAligner,
  tidy,
  type UnverifiedKeyPoint,
  utf8Length,
  windows,
} from '../text/index.ts';
import { documentProgress, encodePoints, type Reading } from './extract/extract.ts';
import type { Point } from './extract/points.ts';
import { inRequestOrder, type ReadDocument, readDocuments } from './extract/read-documents.ts';
import type { Asking, Plan } from './plan.ts';
import { type Query, readerOf } from './rank/query.ts';
import type { RequestDocument } from './request.ts';
import { orInstead, type Run } from './run.ts';

const VERSION = 'naive@1';
const ANSWER_TOKENS = 4096;
/** Share of the context for documents. The published arm fills all but rules and answer. */
export const NAIVE_SHARE = 0.55;
const PASSAGE_BYTES = 1500;
const AROUND = 160;

const ANSWER = {
  name: 'digest',
  schema: z.object({
    sentences: z.array(
      z.object({
        text: z.string(),
        quotes: z.array(z.object({ document: z.int(), quote: z.string() })),
      }),
    ),
  }),
};
type Answer = z.infer<typeof ANSWER.schema>;

/** The baseline: one prompt over the documents. Valid quotes of the answer become key points; its sentences become the draft. */
export async function extractNaively(
  run: Run,
  plan: Plan,
  naive: Asking<'naive'>,
  documents: readonly RequestDocument[],
  query: Query,
): Promise<Reading> {
  const { model, prompts } = naive;
  const given = await run.time('extract', () =>
    readDocuments(documents, query, plan.extractor, run, documentProgress(run)),
  );
  const readable = inRequestOrder(given.documents.filter(({ status }) => status === 'ok'));
  const maxTokens = Math.min(ANSWER_TOKENS, Math.floor(model.contextTokens / 3));
  const shownTokens =
    plan.options.preset === 'published'
      ? model.contextTokens - maxTokens - RULES_TOKENS
      : NAIVE_SHARE * model.contextTokens;
  const { text: shown, left } = shownDocuments(readable, shownTokens * BYTES_PER_TOKEN);
  const { settings } = model;
  const asked = contentHash(JSON.stringify([prompts.naive.hash, settings, shown])).slice(0, 16);
  const extractor = `${VERSION}/${settings.model}/${asked}`;
  const { format, maxWords } = plan.options;
  const naming = namingValues(readerShown(readerOf(plan.request, query), prompts.naive), maxWords);
  const bullets = bulletsOf(plan);
  const isLong = format === 'bullets' && bullets !== null && maxWords === null;
  const values = { ...naming, ...(isLong && { length: '' }), form: formOf(format, bullets), documents: shown };
  const ask = () => model.askFor({ prompt: prompts.naive, values, maxTokens }, ANSWER);
  let error: ReadDocument['error'] = null;
  const answer = await orInstead<Answer>(
    run,
    'write',
    () => run.step('extract', 'naive', extractor, ask),
    (why) => {
      error = { code: 'extraction-failed', message: `${why}.` };
      return { sentences: [] };
    },
  );
  const quotes = findQuotes(answer, readable);
  tellDrafted(answer, quotes, readable, run);
  const read = given.documents.map((document): ReadDocument => {
    if (document.status !== 'ok') return document;
    return error === null ? withQuotes(document, quotes) : { ...document, status: 'failed', error, extraction: null };
  });
  const reading = await encodePoints(run, plan, { ...given, extractor, documents: read });
  const lost = `${quotes.lost === 1 ? 'One quote' : `${quotes.lost} quotes`} in the model's answer ${quotes.lost === 1 ? 'is' : 'are'} not in the documents that it named, and dropped.`;
  return {
    ...reading,
    writer: { name: 'naive', writer: answerWriter(answer, quotes, reading.points) },
    warnings: [
      ...(left > 0 ? [`${counted(left, 'passage')} of the documents did not fit the model's prompt.`] : []),
      ...(quotes.lost > 0 ? [lost] : []),
    ],
  };
}

function bulletsOf({ request: { selection } }: Plan): number | null {
  const size = selection?.size;
  return typeof size === 'object' && 'keyPoints' in size ? size.keyPoints : null;
}

/** SummHay's baseline is told how many bullets to write, and to cite all their sources (Laban et al. 2024, section 3.3). */
function formOf(format: Format, bullets: number | null): string {
  if (format === 'brief') return 'Write three sentences at most.';
  if (format === 'report') return '';
  const count = bullets === null ? '' : `, exactly ${bullets} of them`;
  // As many words as the paper asks for.
  const length = bullets === null ? '' : ' Write 200 to 300 words in all.';
  return `Write a list of bullets${count}: each of the "sentences" is one bullet, which tells one finding and has a quote from every document that tells it.${length}`;
}

/** The documents for one prompt: whole if they fit, otherwise the first passage of every one, then the second, and so on. */
function shownDocuments(documents: readonly ReadDocument[], budget: number) {
  const passages = documents.flatMap(({ document }) =>
    windows(document.text, { bytes: PASSAGE_BYTES, overlapBytes: 0 }).map(({ start, end }, place) => ({
      document,
      place,
      text: document.text.slice(start, end),
    })),
  );
  let left = budget;
  const shown = passages
    .toSorted((a, b) => a.place - b.place)
    .filter(({ place, text }) => {
      left -= utf8Length(text) + (place === 0 ? AROUND : 0);
      return left >= 0;
    });
  const blocks = documents.flatMap(({ document }, number) => {
    const own = shown.filter((passage) => passage.document === document);
    const title = document.title === undefined ? '' : `${document.title}\n\n`;
    return own.length === 0
      ? []
      : [asData('document', title + own.map(({ text }) => text).join('\n[…]\n'), number + 1)];
  });
  return { text: blocks.join('\n\n'), left: passages.length - shown.length };
}

/** Told here, since sentences whose quotes are nowhere reach no writer. */
function tellDrafted(
  { sentences }: Answer,
  found: FoundQuotes,
  shown: readonly ReadDocument[],
  { onDrafted }: Run,
): void {
  for (const { text, quotes } of sentences) {
    const [cited] = placesOf(quotes, found).map(({ document, points: [{ text, start, end }] }) => ({
      document,
      quote: { text, start, end },
    }));
    const documents = quotes.flatMap(({ document }) => shown[document - 1]?.document.id ?? []);
    onDrafted?.({
      text: endSentence(plainText(text)),
      documents: [...new Set(documents)],
      citation: cited ?? null,
    });
  }
}

type FoundQuotes = ReturnType<typeof findQuotes>;

function findQuotes({ sentences }: Answer, shown: readonly ReadDocument[]) {
  const aligners = shown.map(({ document }) => quoteAligner(document.text));
  /** The points of each quote, by number of the document and quote. */
  const places = new Map<string, { document: string; points: ExtractedKeyPoint[] }>();
  const unverified = new Map<string, UnverifiedKeyPoint & { document: string }>();
  let lost = 0;
  for (const { text, quotes } of sentences) {
    for (const { document: number, quote } of quotes) {
      const read = shown[number - 1];
      const spans = read === undefined ? [] : (aligners[number - 1].align(quote)?.spans ?? []);
      if (spans.length === 0) lost++;
      if (read === undefined) continue;
      const { id: document, text: whole } = read.document;
      const points = spans.map((span) => ({
        ...span,
        text: tidy(whole.slice(span.start, span.end)),
        selfContained: 1,
      }));
      if (points.length > 0) places.set(keyOf(number, quote), { document, points });
      else unverified.set(keyOf(document, text, quote), { text, quote, document });
    }
  }
  return { places, unverified: [...unverified.values()], lost };
}

function keyOf(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts);
}

function withQuotes(read: ReadDocument, { places, unverified }: FoundQuotes): ReadDocument {
  if (read.extraction === null) return read;
  const { id } = read.document;
  const byStart = new Map<number, ExtractedKeyPoint>();
  for (const point of [...places.values()].flatMap(({ document, points }) => (document === id ? points : []))) {
    // Keep the longest quote that begins at a place.
    if ((byStart.get(point.start)?.end ?? 0) < point.end) byStart.set(point.start, point);
  }
  const keyPoints = [...byStart.values()].sort((a, b) => a.start - b.start);
  const others = unverified.flatMap(({ document, ...point }) => (document === id ? [point] : []));
  const extraction = { ...read.extraction, keyPoints, unverified: others };
  return { ...read, status: keyPoints.length > 0 ? 'ok' : 'empty', extraction };
}

function placesOf(quotes: Answer['sentences'][number]['quotes'], { places }: FoundQuotes) {
  return quotes.flatMap(({ document, quote }) => places.get(keyOf(document, quote)) ?? []);
}

function answerWriter({ sentences }: Answer, found: FoundQuotes, points: readonly Point[]): Writer {
  const idOf = new Map(points.map(({ id, document, start }) => [keyOf(document, start), id]));
  // What is told twice is told once, from all its documents.
  const told = [...groupBy(sentences, ({ text }) => text.trim())].map(([text, same]) => {
    return { text, quotes: same.flatMap(({ quotes }) => quotes) };
  });
  return {
    drafts: ({ points: numbered }) => {
      const numberOf = new Map(numbered.map(({ number, own }) => [own.keyPoints[0], number]));
      async function* drafted() {
        for (const { text, quotes } of told) {
          const ids = placesOf(quotes, found).flatMap((place) =>
            place.points.map(({ start }) => idOf.get(keyOf(place.document, start))),
          );
          const numbers = [...new Set(ids.flatMap((id) => numberOf.get(id ?? '') ?? []))];
          yield { text: endSentence(plainText(text)), numbers, paragraph: 0 };
        }
      }
      const text = (): string => sentences.map((sentence) => sentence.text).join(' ');
      return [{ sentences: drafted(), notes: () => NO_NOTES, text }];
    },
    again: null,
  };
}
