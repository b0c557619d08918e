import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * The SHA-256 of a text's exact UTF-8 bytes, as 64 lower-case hex digits: the identity of a document's content.
 * Synchronous, which `crypto.subtle` is not; the text must be well-formed (see `findLoneSurrogate`).
 */
export const contentHash: (text: string) => string = nativeHash() ?? portableHash;

/** The same wherever JavaScript runs. */
function portableHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** Node's own, which takes an eighth of the time; nothing is imported, so that this module runs everywhere. Null where it is not there. */
function nativeHash(): ((text: string) => string) | null {
  const hash = globalThis.process?.getBuiltinModule?.('node:crypto')?.hash;
  return typeof hash === 'function' ? (text) => hash('sha256', text) : null;
}
