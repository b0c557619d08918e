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

const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Characters of an ISO date. */
const DAY = 10;

/**
 * "Thursday 19 May 2011" of an ISO date or date-time, the same in every runtime: the day where it was written, which "yesterday" counts
 * from, whatever it was in Greenwich. What cannot be read stays as it is.
 */
export function dateText(iso: string): string {
  const date = new Date(iso.slice(0, DAY));
  if (Number.isNaN(date.getTime())) return iso;
  return `${WEEKDAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** The URL of a text; null where it is none. `URL.canParse` of Node 20 turns names such as "bücher.de" away once it is compiled. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/**
 * Lets other requests run: the driver under a database may be synchronous. Of timers Node runs one that is set while another is
 * late before it looks for anything else, so that those alone do not end a turn of its event loop.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
