import type { SourceDocument } from '../../text/documents/document.ts';
import { sentences } from '../../text/documents/sentences.ts';
import { utf8Length } from '../../text/documents/windows.ts';

export interface Taken {
  readonly documents: readonly SourceDocument[];
  /** The last of them, where it was cut. */
  readonly cut: SourceDocument | null;
}

/**
 * The first documents that fit a budget, and of the next one as many of its first sentences as still fit; the code of Laban
 * et al. 2024 cuts there between tokens. A larger budget takes the same and more.
 *
 * @param documents in the order in which they are wanted
 * @param bytes the most, in UTF-8, of all their texts
 */
export function takeWithinBudget(documents: readonly SourceDocument[], bytes: number): Taken {
  let left = bytes;
  for (const [count, document] of documents.entries()) {
    const size = utf8Length(document.text);
    if (size > left) {
      const whole = documents.slice(0, count);
      const text = beginningWithin(document.text, left);
      const cut = text === '' ? null : { ...document, text };
      return { documents: cut === null ? whole : [...whole, cut], cut };
    }
    left -= size;
  }
  return { documents, cut: null };
}

/** As many whole sentences from the start of a text as fit; empty where the first does not. */
function beginningWithin(text: string, bytes: number): string {
  let [end, size] = [0, 0];
  for (const sentence of sentences(text)) {
    size += utf8Length(text, end, sentence.end);
    if (size > bytes) break;
    end = sentence.end;
  }
  return text.slice(0, end);
}
