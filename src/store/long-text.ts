/**
 * D1 holds rows and takes parameters of at most 2 MB. A text of more UTF-8 bytes than this is kept in parts of at most as
 * many: JSON, in which rows travel, makes six bytes of one at worst.
 */
export const PART_BYTES = 300_000;

/** A text as it is kept: whole, without parts, or in parts, its place left empty. */
interface KeptText {
  readonly text: string;
  readonly parts: readonly string[];
}

/** A text as it is kept. Parts end between code points, and are the same whenever the same text is cut. */
export function cutText(text: string): KeptText {
  if (3 * text.length <= PART_BYTES) return { text, parts: [] }; // no code unit has more bytes
  const encoder = new TextEncoder();
  const scratch = new Uint8Array(PART_BYTES);
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    // Reads whole code points only: a pair that the slice splits would need more room than is left.
    const { read } = encoder.encodeInto(text.slice(at, at + PART_BYTES), scratch);
    parts.push(text.slice(at, at + read));
    at += read;
  }
  return parts.length === 1 ? { text, parts: [] } : { text: '', parts };
}
