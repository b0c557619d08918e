import { quotesFrom } from '../client/index.ts';
import type { Digest } from '../contract/index.ts';

/** A source with the quotes that it is cited by, each once, in the order of the document. */
interface QuotedSource {
  readonly number: number;
  readonly title: string;
  readonly quotes: readonly string[];
}

/** The sources that a digest cites, by number. */
export function quotedSources(digest: Digest): QuotedSource[] {
  return digest.sources.map(({ number, document, title }) => {
    const quotes = new Set(quotesFrom(digest, document).map(({ text }) => text));
    return { number, title: title ?? document, quotes: [...quotes] };
  });
}

/** What has to be told of a digest beside its text: warnings, and documents that were not read. */
export function notesOf({ warnings, documents }: Digest): string[] {
  return [...warnings, ...documents.flatMap(({ id, error }) => (error === null ? [] : [`${id}: ${error.message}`]))];
}
