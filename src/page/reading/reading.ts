import type { Citation } from '../../client/index.ts';
import { requiredContext } from '../context.tsx';
import type { StoredDigest } from './stored-digest.ts';

export interface Reading extends StoredDigest {
  /** Ids of the digests of its thread, in order, itself among them. */
  readonly thread: readonly string[];
  readonly documentOf: (id: string) => KnownDocument;
  /** A new object each time one is opened. */
  readonly opened: Citation | null;
  open(citation: Citation, opener: HTMLElement): void;
  /** Closes the source and restores the focus to its opener. */
  close(): void;
}

export const [ReadingProvider, useReading] = requiredContext<Reading>();

export interface KnownDocument {
  readonly id: string;
  readonly name: string;
  /** Web address; null if none is safe to follow. */
  readonly link: string | null;
  readonly publishedAt: string | null;
  /** Number among the sources; null if it is not cited. */
  readonly number: number | null;
}

export function documentsOf({ digest, request }: StoredDigest): (id: string) => KnownDocument {
  const sources = new Map(digest.sources.map((source) => [source.document, source]));
  const asked = new Map(request.documents.map((document) => [document.id, document]));
  return (id) => {
    const { title, url, publishedAt = null } = asked.get(id) ?? {};
    const source = sources.get(id);
    return {
      id,
      name: title?.trim() ? title : source?.title?.trim() ? source.title : id,
      link: webAddress(url),
      publishedAt,
      number: source?.number ?? null,
    };
  };
}

/** An http(s) address; null for anything that may run code. */
export function webAddress(url: string | null | undefined): string | null {
  if (url == null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
