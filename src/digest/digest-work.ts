import { extractKeyPoints } from './extract/extract-key-points.ts';
import { prepareDocument } from './extract/prepare-document.ts';
import { makeDigest } from './make-digest.ts';

/** Work that reads texts and a model's words by rules: on Node in threads that can be ended. */
export interface DigestWork {
  readonly makeDigest: typeof makeDigest;
  /** The answer as JSON in UTF-8, which may be long: whoever extracts writes it. */
  readonly extractKeyPoints: (...given: Parameters<typeof extractKeyPoints>) => Promise<Uint8Array<ArrayBuffer>>;
  readonly prepareDocument: typeof prepareDocument;
}

export const HERE: DigestWork = {
  makeDigest,
  extractKeyPoints: async (...given) => new TextEncoder().encode(JSON.stringify(await extractKeyPoints(...given))),
  prepareDocument,
};
