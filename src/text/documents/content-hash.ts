import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * The SHA-256 of a text's exact UTF-8 bytes, as 64 lower-case hex digits: the identity of a document's content.
 * Synchronous, which `crypto.subtle` is not; the text must be well-formed (see `findLoneSurrogate`).
 */
export function contentHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
