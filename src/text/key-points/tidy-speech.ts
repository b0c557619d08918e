import { BROKEN_OFF, repair } from './repairs.ts';
import { tidy } from './tidy.ts';

const BREAK_MARK = /\s*\{disfmarker\}/gi;
const NOISE =
  /\{[^{}\n]{1,40}\}|\[[^[\]\n]{1,40}\]|<[^<>\n]{1,40}>|\((?:laughter|laughs|inaudible|crosstalk|applause|pause|coughs?|unclear|indiscernible|interruption)[^()\n]{0,20}\)/gi;
/** "wh- what": a word cut off with a dash and begun again. */
const CUT_OFF = /(?<![\p{L}'’])(\p{L}{1,6})\s?[-–—]+\s+(?=\1\p{L})/giu;
const FILLER =
  /(?<![\p{L}\p{N}'’-])(?:u[hm]+|uhm|erm|er|ehm|eh|hmm*|mm+(?:-hmm*)?|mhm|uh ?- ?huh|mm ?- ?hmm*|huh|ah)(?![\p{L}\p{N}'’-])(?:\s*,(?=\s))?/giu;
const ASIDE = /(^|[,.;]\s*|\s)(?:you know|i mean|you see)\s*,/giu;
/** Words that only take the turn: "Yeah , so , well ," */
const LEAD_IN =
  /^(?:(?:okay|ok|'kay|yeah|yep|yes|well|right|alright|all right|oh|so|and so|and then|and|now|anyway|hey|sure|mm)\b\s*(?:[,.]\s*|(?=(?:so|well|okay|ok|yeah|and|i|we|you|it|the|that ?'s|this|there|they|if|what)\b)|(?<=^(?:well|yeah|okay|oh) )(?!known|over|aware|done)))+/iu;
const LETTERS = /\b((?:[A-Z]_){1,8})(s\b)?/g;
const CLITIC = / ('(?:s|re|ve|ll|d|m)|n't)\b/gi;

/**
 * A turn's words as a reader should see them: without noise marks, fillers, stutters and tokenised spacing. What was
 * a sentence's beginning keeps its capital when words before it go.
 *
 * @param answers whether a question stands above, so that "yes" and "no" say something
 */
export function tidySpeech(quote: string, answers = false): string {
  const spoken = quote.replace(CUT_OFF, '').replace(BREAK_MARK, ` ${BROKEN_OFF} `).replace(NOISE, ' ');
  const words = tidy(spoken).replace(FILLER, ' ').replace(CLITIC, '$1').replace(LETTERS, spelled);
  const fluent = repair(
    words
      .replace(/ - (?=\p{L})/gu, '-')
      .replace(ASIDE, '$1')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const spaced = spacing(fluent.replace(/" ([^"]{1,300}?) "/g, '"$1"'));
  const text = spacing(spaced.replace(LEAD_IN, (words) => (answers ? (/\byes\b\W*/iu.exec(words)?.[0] ?? '') : '')));
  return startsUpper(quote) ? text.replace(/^["“'‘(]*\p{Ll}/u, (first) => first.toUpperCase()) : text;
}

function spelled(_: string, letters: string, plural = ''): string {
  return letters.replaceAll('_', '') + plural;
}

/** Whether the first letter of a turn's sentence, noise marks aside, is a capital. */
export function startsUpper(quote: string): boolean {
  const first = /\p{L}/u.exec(quote.slice(0, 200).replace(NOISE, ''))?.[0];
  return first !== undefined && /\p{Lu}/u.test(first);
}

function spacing(text: string): string {
  return text
    .replace(/\s+([,.;:!?])/g, '$1')
    .replace(/([,;:])(?:\s*[,;:])+/g, '$1')
    .replace(/,\s*([.!?])/g, '$1')
    .replace(/^[\s,.;:!?–—-]+|[\s,;:–—-]+$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
