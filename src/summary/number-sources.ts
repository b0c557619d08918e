import type { RequestedDocument, Source, SummarySentence } from '../contract/summary.ts';

/** Numbers the cited documents 1, 2, 3… in the order in which a reader meets them. */
export function numberSources(
  sentences: readonly SummarySentence[],
  documents: readonly RequestedDocument[],
): readonly Source[] {
  const titles = new Map(documents.map(({ id, title }) => [id, title]));
  const cited = new Set(sentences.flatMap((sentence) => sentence.citations.map((citation) => citation.document)));
  return [...cited].map((document, index) => {
    const title = titles.get(document);
    return title === undefined ? { number: index + 1, document } : { number: index + 1, document, title };
  });
}
