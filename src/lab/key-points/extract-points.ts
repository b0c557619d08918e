import type { SourceDocument } from '../../text/documents/document.ts';
import { extractWithModel } from '../../digest/extract/extract-with-model.ts';
import type { AskedModel } from '../asking/asked-model.ts';
import { inTurn } from '../asking/in-turn.ts';
import { isUnanswerable } from '../asking/or-nothing.ts';
import { comparePoints, type DocumentOrder, type PlacedPoint, spansOf } from './placed-point.ts';

/** What documents say to a question. */
export interface ExtractedPoints {
  /** In order of the documents, then of the places. */
  readonly points: readonly PlacedPoint[];
  /** Statements with quotes that their document does not hold. */
  readonly unverified: number;
  /** Parts of documents whose reading ended with an answer that could not be read, or a question that was not taken. */
  readonly unread: number;
}

/**
 * The key points of each document that help to answer a question (Qi et al. 2024, section 3.3): several rounds over each
 * part, each point with the words that state it.
 *
 * @param rounds most rounds over each part, the first included
 * @throws ModelCallError where a call failed otherwise than for what it asked
 */
export async function extractPoints(
  question: string,
  documents: readonly SourceDocument[],
  rounds: number,
  model: AskedModel,
): Promise<ExtractedPoints> {
  const prompts = { first: model.prompt('extract-for-question'), more: model.prompt('extract-more-for-question') };
  const order: DocumentOrder = new Map(documents.map(({ id }, place) => [id, place]));
  const read = await inTurn(
    documents.map((document) => async () => {
      const { keyPoints, unverified, failures } = await extractWithModel(document, {
        model,
        prompts,
        rounds,
        question,
      });
      const other = failures.find((failure) => !isUnanswerable(failure));
      if (other !== undefined) throw other;
      const points = keyPoints.map((point): PlacedPoint => {
        const spans = [point, ...(point.moreQuotes ?? [])].map(({ start, end }) => ({
          document: document.id,
          start,
          end,
        }));
        return { text: point.text, spans: spansOf([{ text: point.text, spans }], order) };
      });
      return { points, unverified: unverified.length, unread: failures.length };
    }),
  );
  return {
    points: read.flatMap(({ points }) => points).sort(comparePoints(order)),
    unverified: read.reduce((sum, { unverified }) => sum + unverified, 0),
    unread: read.reduce((sum, { unread }) => sum + unread, 0),
  };
}
