import { extractKeyPoints } from './extract/extract-key-points.ts';
import { prepareDocument } from './extract/prepare-document.ts';
import { makeDigest } from './make-digest.ts';

/** Work that reads texts and a model's words by rules: on Node in threads that can be ended. */
export interface DigestWork {
  readonly makeDigest: typeof makeDigest;
  readonly extractKeyPoints: typeof extractKeyPoints;
  readonly prepareDocument: typeof prepareDocument;
}

export const HERE: DigestWork = { makeDigest, extractKeyPoints, prepareDocument };
