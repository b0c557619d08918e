import type { StoredDigest } from './stored-digest.ts';

/** What is known of a document of a digest, its text apart. */
export interface KnownDocument {
  readonly id: string;
  /** Its title; its id where it has none. */
  readonly name: string;
  /** Where it is on the web; null where its address is none that may be followed. */
  readonly link: string | null;
  readonly publishedAt: string | null;
  /** Its number among the sources; null where it is not cited. */
  readonly number: number | null;
}

/** Looks a document of a digest up by its id; one that is not known is known by its id alone. */
export function documentsOf({ digest, request }: StoredDigest): (id: string) => KnownDocument {
  const sources = new Map(digest.sources.map((source) => [source.document, source]));
  const asked = new Map(request.documents.map((document) => [document.id, document]));
  return (id) => {
    const { title, url, publishedAt } = asked.get(id) ?? {};
    const source = sources.get(id);
    return {
      id,
      name: named(title) ?? named(source?.title) ?? id,
      link: webAddress(url),
      publishedAt: publishedAt ?? null,
      number: source?.number ?? null,
    };
  };
}

/** The day of a date as documents have it: `2026-01-31`. */
export function dayOf(date: string | null): string | null {
  return date?.slice(0, 10) ?? null;
}

/** An address that may become a link: of the web, and nothing that runs. */
export function webAddress(url: string | null | undefined): string | null {
  if (url == null || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

function named(title: string | null | undefined): string | null {
  return title == null || title.trim() === '' ? null : title;
}
