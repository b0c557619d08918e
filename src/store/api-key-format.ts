import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const PREFIX = 'tsr_';
const SECRET_BYTES = 32;
/** Enough base-62 digits for 256 bits. */
const SECRET_DIGITS = 43;
/** Enough base-62 digits for 32 bits. */
const CHECKSUM_DIGITS = 6;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `tsr_`, 43 digits, `_`, 6 digits of checksum. Secret scanners may look for it. */
export const API_KEY_PATTERN = /^tsr_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/;

/**
 * A new key.
 *
 * @param secret 32 random bytes
 * @throws RangeError for another number of bytes
 */
export function makeApiKey(secret: Uint8Array = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))): string {
  if (secret.length !== SECRET_BYTES) throw new RangeError(`A key is made of ${SECRET_BYTES} bytes.`);
  const rest = `${PREFIX}${base62(BigInt(`0x${bytesToHex(secret)}`), SECRET_DIGITS)}_`;
  return rest + checksum(rest);
}

/**
 * Whether a text has the form of a key and its checksum: a mistyped key is known as such without a look at the database.
 * The checksum is no secret, so that nothing is lost if the time tells where it is wrong.
 */
export function isApiKey(text: string): boolean {
  return API_KEY_PATTERN.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_DIGITS)));
}

/** What is kept of a key: SHA-256 as 64 hex digits. A key has 256 random bits, so that nobody can try them all. */
export function hashApiKey(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(key)));
}

/** What is shown of a key, to tell keys apart. */
export function shownPrefix(key: string): string {
  return key.slice(0, 12);
}

/** CRC-32 of the characters before it. */
function checksum(text: string): string {
  return base62(BigInt(crc32(utf8ToBytes(text))), CHECKSUM_DIGITS);
}

function base62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text;
}

/** CRC-32 as of zip and PNG. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
