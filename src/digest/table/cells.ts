import type { FoundCell } from '../../contract/index.ts';
import type { Reading } from '../extract/extract.ts';
import type { ReadDocument } from '../extract/read-documents.ts';

export interface Said extends FoundCell {
  /** The document's own wording. */
  readonly stated: string;
}

export const NOT_SAID: Said = { answered: false, sure: false, text: '', quote: null, stated: '' };

/** Called with each cell once it is filled. */
export type TellCell = (document: string, column: number, cell: FoundCell) => void;

export interface Filled {
  readonly documents: readonly ReadDocument[];
  /** A row per document, with a cell per question. */
  readonly rows: readonly (readonly Said[])[];
  readonly reused: Reading['reused'];
  readonly warnings: readonly string[];
}
