import type { Line } from './lines.ts';

export type LineKind = 'plain' | 'heading' | 'underline' | 'item' | 'table' | 'fence' | 'rule';

const HEADING = /^#{1,6}\s+(?=\S)/;
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

/** What a line's first characters make of it, and where its content starts. */
export function lineKind(text: string, line: Line): { kind: LineKind; start: number } {
  if (PLAIN.test(text.slice(line.start, Math.min(line.end, line.start + 6))))
    return { kind: 'plain', start: line.start };
  const quoted = QUOTED.exec(text.slice(line.start, Math.min(line.end, line.start + HEAD)))?.[0].length ?? 0;
  const start = line.start + quoted;
  const head = text.slice(start, Math.min(line.end, start + HEAD));
  if (FENCE.test(head)) return { kind: 'fence', start };
  if (line.end - start <= HEAD && UNDERLINE.test(head) && !line.afterGap) return { kind: 'underline', start };
  if (line.end - start <= 2 * HEAD && RULE.test(text.slice(start, line.end))) return { kind: 'rule', start };
  if (head.startsWith('|')) return { kind: 'table', start };
  const heading = HEADING.exec(head);
  if (heading) return { kind: 'heading', start: start + heading[0].length };
  const item = INITIAL.test(head) ? null : ITEM.exec(head);
  if (item) return { kind: 'item', start: start + item[0].length };
  return { kind: 'plain', start };
}
