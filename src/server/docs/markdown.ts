import { codeBlock, type Html, html, joined } from './html.ts';

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^[\]]+)\]\((https?:\/\/[^\s()]+)\)/g;
const FENCE = /^\s*```/;
const BULLET = /^\s*[-*+]\s+/;
const NUMBER = /^\s*\d{1,9}[.)]\s+/;
const HEADING = /^#{1,6}\s+/;

/** Paragraphs, lists, fenced code and what `inlineMarkdown` knows; everything else stays text. */
export function markdown(text: string): Html {
  const lines = text.split(/\r\n?|\n/);
  const blocks: Html[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = endOfBlock(lines, at);
    if (lines[at].trim() !== '') blocks.push(block(lines.slice(at, end)));
    at = end;
  }
  return html`${blocks}`;
}

/** Code, bold text and links to the web within a line. */
export function inlineMarkdown(text: string): Html {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, code, bold, label, address] = match;
    parts.push(text.slice(end, match.index));
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (bold !== undefined) parts.push(html`<strong>${inlineMarkdown(bold)}</strong>`);
    else parts.push(html`<a href="${address}" rel="noreferrer">${label}</a>`);
    end = match.index + all.length;
  }
  return html`${parts}${text.slice(end)}`;
}

/** The line after the block that starts at a line; a blank line is a block of its own. */
function endOfBlock(lines: readonly string[], start: number): number {
  const first = lines[start];
  const until = (ends: (line: string) => boolean) => {
    const found = lines.findIndex((line, index) => index > start && ends(line));
    return found === -1 ? lines.length : found;
  };
  if (FENCE.test(first)) return Math.min(until((line) => FENCE.test(line)) + 1, lines.length);
  if (first.trim() === '' || HEADING.test(first)) return start + 1;
  const marker = [BULLET, NUMBER].find((each) => each.test(first));
  const other = [BULLET, NUMBER, HEADING, FENCE].filter((each) => each !== marker);
  return until((line) => line.trim() === '' || other.some((each) => each.test(line)));
}

function block(lines: readonly string[]): Html {
  const [first] = lines;
  if (FENCE.test(first)) return codeBlock(lines.slice(1, FENCE.test(lines.at(-1) ?? '') ? -1 : undefined).join('\n'));
  if (BULLET.test(first)) return html`<ul>${items(lines, BULLET)}</ul>`;
  if (NUMBER.test(first)) return html`<ol>${items(lines, NUMBER)}</ol>`;
  if (HEADING.test(first)) return html`<p><strong>${inlineMarkdown(first.replace(HEADING, ''))}</strong></p>`;
  return html`<p>${inlineMarkdown(lines.join('\n'))}</p>`;
}

/** Items of a list; a line without a marker continues the item before it. */
function items(lines: readonly string[], marker: RegExp): Html {
  const texts: string[] = [];
  for (const line of lines) {
    if (marker.test(line)) texts.push(line.replace(marker, ''));
    else texts.push(`${texts.pop() ?? ''}\n${line.trim()}`);
  }
  return joined(
    texts.map((text) => html`<li>${inlineMarkdown(text)}</li>`),
    '\n',
  );
}
