import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Citation } from '../../client/index.ts';
import type { KnownDocument } from './digest-documents.ts';
import type { StoredDigest } from './stored-digest.ts';

/** A quote that is looked at in its document. */
export interface Opened {
  readonly citation: Citation;
  /** Counts what was opened, not what was gone on to from there. */
  readonly opening: number;
}

/** A digest that is read, and the source that lies open beside it. */
export interface Reading extends StoredDigest {
  readonly documentOf: (id: string) => KnownDocument;
  readonly opened: Opened | null;
  /** Opens a source at a quote. */
  open(citation: Citation, opener: HTMLElement): void;
  /** Goes on to another quote from a source that is open. */
  goTo(citation: Citation): void;
  /** Closes the source; the focus goes back to what opened it. */
  close(): void;
}

const ReadingContext = createContext<Reading | null>(null);
export const ReadingProvider = ReadingContext.Provider;

export function useReading(): Reading {
  const reading = useContext(ReadingContext);
  if (reading === null) throw new TypeError('used outside of its provider');
  return reading;
}
