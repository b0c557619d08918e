import { z } from 'zod';
import { BYTES_PER_TOKEN, ModelCallError, RULES_TOKENS } from '../../models/index.ts';
import {
  type DraftSentence,
  endSentence,
  NO_NOTES,
  namingValues,
  plainText,
  type Writer,
} from '../../summary/index.ts';
import { contentHash, type ExtractedKeyPoint, quoteAligner, tidy, type UnverifiedKeyPoint } from '../../text/index.ts';
import type { Checkpoints } from '../checkpoints.ts';
import type { DigestDeps } from '../digest-deps.ts';
import type { Point } from '../extract/points.ts';
import {
  inRequestOrder,
  type OnDocument,
  type ReadDocument,
  type ReadDocuments,
  readDocuments,
} from '../extract/read-documents.ts';
import type { Asking, DigestPlan } from '../plan-digest.ts';
import type { Query } from '../rank/intent.ts';
import { naiveMaterial } from './naive-material.ts';
import { readerOf } from './reader.ts';

const VERSION = 'naive@1';
const ANSWER_TOKENS = 4096;
/** Share of the context that documents may fill; the published arm fills what rules and answer leave. */
export const NAIVE_SHARE = 0.55;

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

/** A digest by one prompt over the documents, the baseline: what its answer quotes takes the place of key points. */
export interface NaivePipeline {
  /** Asks the model, and gives the documents with the quotes of its answer that they hold as key points. */
  read(query: Query, onProgress: OnDocument): Promise<ReadDocuments>;
  /** Writes the sentences of the answer from those points. */
  writer(points: readonly Point[]): { readonly name: string; readonly writer: Writer };
  warnings(): readonly string[];
}

export function naivePipeline(
  plan: DigestPlan,
  { model, prompts }: Asking<'naive'>,
  deps: DigestDeps,
  steps: Checkpoints,
): NaivePipeline {
  const sentences: { readonly text: string; readonly places: readonly string[] }[] = [];
  const warnings: string[] = [];

  return {
    async read(query, onProgress) {
      const given = await readDocuments(plan.request.documents, query, plan.extractor, deps, onProgress);
      const readable = inRequestOrder(given.documents.filter(({ status }) => status === 'ok'));
      const maxTokens = Math.min(ANSWER_TOKENS, Math.floor(model.contextTokens / 3));
      const shownTokens =
        plan.options.preset === 'published'
          ? model.contextTokens - maxTokens - RULES_TOKENS
          : NAIVE_SHARE * model.contextTokens;
      const { text: shown, left } = await naiveMaterial(readable, query, plan, shownTokens * BYTES_PER_TOKEN, deps);
      if (left > 0)
        warnings.push(
          query.text === null
            ? `${left} passages of the documents did not fit the model's prompt.`
            : `The ${left} least relevant passages of the documents did not fit the model's prompt.`,
        );
      const { settings } = model;
      const extractor = `${VERSION}/${settings.model}/${contentHash(JSON.stringify([prompts.naive.hash, settings, shown])).slice(0, 16)}`;
      try {
        const { maxWords } = plan.options;
        const values = { ...namingValues(readerOf(plan.request, query), maxWords), documents: shown };
        const answer = await steps.step('naive', extractor, () =>
          model.askFor({ prompt: prompts.naive, values, maxTokens }, ANSWER),
        );
        const { quoted, lost } = quotedFrom(answer, readable);
        if (lost > 0)
          warnings.push(
            `${lost} quotes in the model's answer are not in the documents that it named and were dropped.`,
          );
        for (const { text, quotes } of answer.sentences) {
          sentences.push({ text, places: quotes.flatMap((quote) => quoted.placesOf(quote)) });
        }
        return { ...given, extractor, documents: given.documents.map((document) => quoted.into(document)) };
      } catch (failure) {
        if (!(failure instanceof ModelCallError)) throw failure;
        deps.reportFailure(failure, { stage: 'write', document: '' });
        const error = { code: 'extraction-failed', message: failure.message };
        const failed = given.documents.map(
          (document): ReadDocument =>
            document.status === 'ok' ? { ...document, status: 'failed', error, extraction: null } : document,
        );
        return { ...given, extractor, documents: failed };
      }
    },
    writer(points) {
      const idOf = new Map(points.map(({ id, document, start }) => [placeOf(document, start), id]));
      return {
        name: 'naive',
        writer: {
          drafts: ({ points: numbered }) => {
            const numberOf = new Map(numbered.map(({ number, own }) => [own.keyPoints[0], number]));
            const numbersOf = (places: readonly string[]): number[] =>
              places.flatMap((place) => numberOf.get(idOf.get(place) ?? '') ?? []);
            const drafted = sentences.map(({ text, places }) => ({
              text: endSentence(plainText(text)),
              numbers: [...new Set(numbersOf(places))],
              paragraph: 0,
            }));
            return [
              {
                sentences: given(drafted),
                notes: () => NO_NOTES,
                text: () => sentences.map(({ text }) => text).join(' '),
              },
            ];
          },
          again: null,
        },
      };
    },
    warnings: () => warnings,
  };
}

/** The quotes of an answer at their places in the documents. */
function quotedFrom({ sentences }: Answer, shown: readonly ReadDocument[]) {
  const aligners = new Map(shown.map((read, index) => [index + 1, quoteAligner(read.document.text)]));
  const found = new Map<string, Map<number, ExtractedKeyPoint>>();
  const lost = new Map<string, Map<string, UnverifiedKeyPoint>>();
  const places = new Map<string, string[]>();
  for (const { quotes, text } of sentences) {
    for (const { document: number, quote } of quotes) {
      const read = shown[number - 1];
      if (read === undefined) continue;
      const { id, text: whole } = read.document;
      const spans = aligners.get(number)?.align(quote)?.spans ?? [];
      if (spans.length === 0) {
        const others = lost.get(id) ?? new Map<string, UnverifiedKeyPoint>();
        lost.set(id, others.set(JSON.stringify([text, quote]), { text, quote }));
      }
      for (const span of spans) {
        const points = found.get(id) ?? new Map<number, ExtractedKeyPoint>();
        const known = points.get(span.start);
        // Quotes that begin at one place are one: the longest.
        if (known === undefined || known.end < span.end) {
          points.set(span.start, { ...span, text: tidy(whole.slice(span.start, span.end)), selfContained: 1 });
        }
        found.set(id, points);
        places.set(spelt(number, quote), [...(places.get(spelt(number, quote)) ?? []), placeOf(id, span.start)]);
      }
    }
  }
  const count = sentences
    .flatMap(({ quotes }) => quotes)
    .filter((quote) => !places.has(spelt(quote.document, quote.quote)));
  return {
    lost: count.length,
    quoted: {
      placesOf: ({ document, quote }: { document: number; quote: string }) => places.get(spelt(document, quote)) ?? [],
      into(read: ReadDocument): ReadDocument {
        if (read.status !== 'ok' || read.extraction === null) return read;
        const { id } = read.document;
        const keyPoints = [...(found.get(id)?.values() ?? [])].sort((a, b) => a.start - b.start);
        const extraction = { ...read.extraction, keyPoints, unverified: [...(lost.get(id)?.values() ?? [])] };
        return { ...read, status: keyPoints.length > 0 ? 'ok' : 'empty', extraction };
      },
    },
  };
}

function spelt(document: number, quote: string): string {
  return JSON.stringify([document, quote]);
}

function placeOf(document: string, start: number): string {
  return JSON.stringify([document, start]);
}

async function* given(sentences: readonly DraftSentence[]): AsyncGenerator<DraftSentence> {
  yield* sentences;
}
