import { asData } from '../../models/index.ts';
import { type SourceDocument, utf8Length, windows } from '../../text/index.ts';

/** What a model is shown of a collection. */
interface Beginnings {
  readonly text: string;
  /** Documents of which the end is not shown. */
  readonly cut: number;
  /** Documents of which nothing is shown. */
  readonly notShown: number;
}

/** Bytes of the lines around a document, and the fewest of it that tell anything. */
const AROUND = 100;
const LEAST = 200;

/**
 * Titles and beginnings of documents, within so many UTF-8 bytes: each has the same room, and what short ones leave of theirs is
 * shared by the longer ones. Of more documents than there is room for, some at even distances are shown.
 */
export function beginnings(documents: readonly SourceDocument[], bytes: number): Beginnings {
  const whole = documents.map(({ title, text }) => (title === undefined ? text : `${title}\n\n${text}`));
  const most = Math.max(1, Math.floor(bytes / (AROUND + LEAST)));
  const count = Math.min(most, whole.length);
  const shown = Array.from({ length: count }, (_, place) => whole[Math.floor((place * whole.length) / count)]);
  const sizes = shown.map((text) => utf8Length(text));
  const level = levelOf(sizes, bytes - AROUND * count);
  const texts = shown.map((text, place) => {
    if (sizes[place] <= level) return asData('document', text, place + 1);
    const [first] = windows(text, { bytes: level, overlapBytes: 0 });
    return asData('document', `${first === undefined ? '' : text.slice(0, first.end)} […]`, place + 1);
  });
  return {
    text: texts.join('\n\n'),
    cut: sizes.filter((size) => size > level).length,
    notShown: whole.length - shown.length,
  };
}

/** The size to which the larger ones are cut, so that all together fit. */
function levelOf(sizes: readonly number[], bytes: number): number {
  let left = bytes;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [place, size] of ascending.entries()) {
    const level = Math.floor(left / (ascending.length - place));
    if (size > level) return Math.max(LEAST, level);
    left -= size;
  }
  return Math.max(LEAST, ascending.at(-1) ?? 0);
}
