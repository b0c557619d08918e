import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Citation } from '../../client/index.ts';
import type { StoredDigest } from './stored-digest.ts';

/** A quote that is open in its document. */
export interface Opened {
  readonly citation: Citation;
  /** Number of the opening; stepping to another quote is none. */
  readonly opening: number;
}

/** The digest that is read, and the source beside it. */
export interface Reading extends StoredDigest {
  readonly documentOf: (id: string) => KnownDocument;
  readonly opened: Opened | null;
  /** Opens a source at a quote. */
  open(citation: Citation, opener: HTMLElement): void;
  /** Steps to another quote in the open source. */
  goTo(citation: Citation): void;
  /** Closes the source, and gives the focus back to its opener. */
  close(): void;
}

const ReadingContext = createContext<Reading | null>(null);
export const ReadingProvider = ReadingContext.Provider;

export function useReading(): Reading {
  const reading = useContext(ReadingContext);
  if (reading === null) throw new TypeError('used outside of its provider');
  return reading;
}

/** A document of a digest without its text. */
export interface KnownDocument {
  readonly id: string;
  /** Its title; its id if it has none. */
  readonly name: string;
  /** Its address on the web; null if there is none that is safe to follow. */
  readonly link: string | null;
  readonly publishedAt: string | null;
  /** Its number among the sources; null if it is not cited. */
  readonly number: number | null;
}

/** Looks up the documents of a digest by their ids. */
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

/** An address that may become a link: of the web, and nothing that runs. */
export function webAddress(url: string | null | undefined): string | null {
  if (url == null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}
