import { sentences } from '../../documents/sentences.ts';
import { standingBehind } from './embedding.ts';

/** White space, case, kinds of quotes and dashes, and end punctuation do not matter. */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‚‛`´]/gu, "'")
    .replace(/[“”„‟«»]/gu, '"')
    .replace(/\s*[—―]\s*/gu, ' - ')
    .replace(/[‐-―−]/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim()
    .replace(/^["'\s]+|[\s\p{Sentence_Terminal}…"']+$/gu, '');
}

/**
 * Whether a sentence is wording of one of the quotes: a quote or whole sentences of it, or a part, which can leave out that
 * it is denied; `embedded` is a part that the quote only puts forward, as what somebody says or is told to say. What does not
 * begin where a clause of the quote begins is no part. A speaker's name in front of it does not matter.
 *
 * @param speakers what may stand in front with a colon
 */
export function isVerbatim(
  text: string,
  quotes: readonly string[],
  speakers: readonly string[],
): 'whole' | 'part' | 'embedded' | null {
  const speaker = speakers.find((name) => name !== '' && text.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  const wanted = [text, ...(speaker === undefined ? [] : [text.slice(speaker.length + 1)])]
    .map(folded)
    .filter((candidate) => candidate !== '');
  let [part, embedded] = [false, false];
  for (const quote of quotes) {
    const whole = folded(quote);
    for (const candidate of wanted) {
      if (whole === candidate) return 'whole';
      const place = placeIn(candidate, whole);
      if (place === null) continue;
      if (isRunOfSentences(candidate, quote)) return 'whole';
      if (place === 'open') part = true;
      else embedded = true;
    }
  }
  return part ? 'part' : embedded ? 'embedded' : null;
}

/** Contained, not beginning or ending inside a word: openly somewhere, or only within what is put forward. */
function placeIn(part: string, whole: string): 'open' | 'embedded' | null {
  let found: 'embedded' | null = null;
  for (let at = whole.indexOf(part); at >= 0; at = whole.indexOf(part, at + 1)) {
    const [before, after] = [whole.slice(0, at), whole.slice(at + part.length)];
    const isCut = /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(part);
    if (isCut || /^[.,]?[\p{L}\p{M}\p{N}]/u.test(after)) continue;
    const standing = standingBehind(before);
    if (standing === 'open') return 'open';
    found ??= standing;
  }
  return found;
}

function isRunOfSentences(candidate: string, quote: string): boolean {
  const spans = sentences(quote);
  return spans.some((first, i) => {
    for (const last of spans.slice(i)) {
      const run = folded(quote.slice(first.start, last.end));
      if (run.length >= candidate.length) return run === candidate;
    }
    return false;
  });
}
