import { type SourceDocument, type Span, sentences } from '../../text/index.ts';
import { bm25Scores } from '../retrieval/score-documents.ts';

/** Documents that an answer is checked against beside those that it was taken from, at most. */
export const OTHER_DOCUMENTS = 5;

/** A document that may attest an answer, and its sentence that is nearest to the answer. */
interface OtherDocument {
  readonly document: SourceDocument;
  readonly nearest: Span;
}

/** The documents of a case with their sentences, which many answers are compared with. */
export interface SearchedDocuments {
  readonly documents: readonly SourceDocument[];
  readonly texts: readonly string[];
  readonly sentences: readonly (readonly Span[])[];
  readonly sentenceTexts: readonly (readonly string[])[];
}

export function searchedDocuments(documents: readonly SourceDocument[]): SearchedDocuments {
  const spans = documents.map(({ text }) => sentences(text));
  return {
    documents,
    texts: documents.map(({ text }) => text),
    sentences: spans,
    sentenceTexts: documents.map(({ text }, i) => spans[i].map(({ start, end }) => text.slice(start, end))),
  };
}

/**
 * The documents that may attest an answer which was taken from others: those nearest by the words of question and answer (BM25), the
 * nearest first. One that shares no word with them is not asked about.
 *
 * @param taken ids of the documents that the answer was taken from
 */
export function otherDocuments(
  question: string,
  answer: string,
  taken: ReadonlySet<string>,
  { documents, texts, sentences: spans, sentenceTexts }: SearchedDocuments,
): OtherDocument[] {
  const query = `${question} ${answer}`;
  const scores = bm25Scores(query, texts);
  const near = documents.flatMap(({ id }, place) => (scores[place] > 0 && !taken.has(id) ? [place] : []));
  return near
    .toSorted((a, b) => scores[b] - scores[a] || a - b)
    .slice(0, OTHER_DOCUMENTS)
    .flatMap((place) => {
      const nearness = bm25Scores(query, sentenceTexts[place]);
      const best = nearness.indexOf(Math.max(...nearness));
      return best < 0 ? [] : [{ document: documents[place], nearest: spans[place][best] }];
    });
}
