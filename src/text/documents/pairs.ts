import type { Span } from './document.ts';

/** A quotation or aside longer than this holds sentences of its own. In UTF-16 units. */
const LONGEST = 240;
const CLOSE: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '“': '”',
  '„': '“”',
  '«': '»',
  '「': '」',
  '『': '』',
  '（': '）',
  '【': '】',
  '《': '》',
  // Code.
  '`': '`',
};
const INTERESTING = new Set('()[]"“”„«»「」『』（）【】《》`');

/**
 * The short quotations and parentheses of a stretch of text, each from its opening to its closing mark, in order of
 * their openings. Marks without a partner nearby are ignored, so that one stray quote does not swallow a page.
 */
export function pairs(text: string, start: number, end: number): Span[] {
  const found: Span[] = [];
  const open: { mark: string; at: number }[] = [];
  for (let at = start; at < end; at++) {
    const mark = text.charAt(at);
    if (!INTERESTING.has(mark)) continue;
    while (open[0] && at - open[0].at > LONGEST) open.shift();
    const partner = open.findLastIndex((o) => (mark === '"' ? o.mark === '"' : CLOSE[o.mark]?.includes(mark)));
    if (partner >= 0 && !(mark === '"' && opensQuote(text, at) && !opensQuote(text, open[partner]?.at ?? at))) {
      found.push({ start: open[partner]?.at ?? at, end: at + 1 });
      open.length = partner;
    } else if (mark === '"' || CLOSE[mark]) {
      open.push({ mark, at });
      if (open.length > 16) open.shift();
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** A straight quote with white space before it and none after. */
function opensQuote(text: string, at: number): boolean {
  return /(?:^|[\s([—–-])$/u.test(text.charAt(at - 1)) && /\S/.test(text.charAt(at + 1));
}
