import { sentences } from '../../text/index.ts';

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
 * Whether a text is the wording of one of the quotes: the quote, or whole sentences of it. A speaker's name in front of it does
 * not matter.
 *
 * @param speakers what may stand in front with a colon
 */
export function isVerbatim(text: string, quotes: readonly string[], speakers: readonly string[]): boolean {
  const speaker = speakers.find((name) => name !== '' && text.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  const targets = [text, ...(speaker === undefined ? [] : [text.slice(speaker.length + 1)])]
    .map(folded)
    .filter((candidate) => candidate !== '');
  return quotes.some((quote) => {
    const whole = folded(quote);
    return targets.some(
      (candidate) => whole === candidate || (whole.includes(candidate) && isRunOfSentences(candidate, quote)),
    );
  });
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
