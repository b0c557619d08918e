import { extractKeyPoints } from './extract/extract-key-points.ts';
import { prepareDocuments } from './extract/prepare-documents.ts';
import { makeDigest } from './make-digest.ts';
import { makeTable } from './table/make-table.ts';

/** Work that reads texts and a model's words by rules: on Node in threads that can be ended. */
export interface DigestWork {
  readonly makeDigest: typeof makeDigest;
  readonly makeTable: typeof makeTable;
  readonly extractKeyPoints: typeof extractKeyPoints;
  readonly prepareDocuments: typeof prepareDocuments;
}

export const HERE: DigestWork = { makeDigest, makeTable, extractKeyPoints, prepareDocuments };
