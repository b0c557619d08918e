import type { Line } from './lines.ts';

export type LineKind = 'plain' | 'heading' | 'underline' | 'item' | 'table' | 'fence' | 'rule';

const HEADING = /^(#{1,6})\s+(?=\S)/;
const QUOTED = /^(?:>\s?)+/;
const ITEM =
  /^(?:[-*+•‣◦▪●–—·・]\s+|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4})[.)]\s+|[一二三四五六七八九十]{1,3}、)(?=\S)/u;
/** "A. Smith" opens prose, not a list: a lettered or numbered point needs its bracket, or a number. */
const INITIAL = /^[A-Z]\.\s/;
const FENCE = /^(?:```|~~~)/;
const RULE = /^(?:[-*_=]\s?){3,}$/;
const UNDERLINE = /^(?:={3,}|-{3,})$/;

/** A word of letters, as nearly every line begins with: no marker. */
const PLAIN = /^\p{L}{1,5}(?:[\s,]|$)|^\p{L}{6}/u;

/** How much of a line is looked at: enough for every marker. */
const HEAD = 40;
/** A line behind a heading sign that is longer, or so long and of several sentences, is a paragraph. */
const LONGEST_HEADING = 200;
const LONGEST_WITH_STOPS = 80;
const STOP_WITHIN = /[.!?。！？]["'”’)]*\s+\p{Lu}|[。！？]./u;

/** What a line's first characters make of it, where its content starts, and a heading's level. */
export function lineKind(text: string, line: Line): { kind: LineKind; start: number; level?: number } {
  if (PLAIN.test(text.slice(line.start, Math.min(line.end, line.start + 6))))
    return { kind: 'plain', start: line.start };
  const quoted = QUOTED.exec(text.slice(line.start, Math.min(line.end, line.start + HEAD)))?.[0].length ?? 0;
  const start = line.start + quoted;
  const head = text.slice(start, Math.min(line.end, start + HEAD));
  if (FENCE.test(head)) return { kind: 'fence', start };
  if (line.end - start <= HEAD && UNDERLINE.test(head) && !line.afterGap) {
    return { kind: 'underline', start, level: head.startsWith('=') ? 1 : 2 };
  }
  if (line.end - start <= 2 * HEAD && RULE.test(text.slice(start, line.end))) return { kind: 'rule', start };
  if (head.startsWith('|')) return { kind: 'table', start };
  const heading = HEADING.exec(head);
  if (heading) {
    const content = start + heading[0].length;
    return isParagraph(text, content, line.end)
      ? { kind: 'plain', start: content }
      : { kind: 'heading', start: content, level: heading[1]?.length ?? 1 };
  }
  const item = INITIAL.test(head) ? null : ITEM.exec(head);
  if (item) return { kind: 'item', start: start + item[0].length };
  return { kind: 'plain', start };
}

function isParagraph(text: string, start: number, end: number): boolean {
  if (end - start > LONGEST_HEADING) return true;
  return end - start > LONGEST_WITH_STOPS && STOP_WITHIN.test(text.slice(start, end));
}
