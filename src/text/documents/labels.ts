import type { Span } from './document.ts';

/** "Key: value" or "**Key**: value": some words without a stop, a colon, and something after it. */
const FIELD = /^[*_]{0,3}["“]?[\p{L}\p{N}(][^:：!?\n]{0,60}?(?:：|[*_]{0,3}:[*_]{0,3}(?=\s))[*_]{0,3}\s*(?=\S)/u;
const MAX_WORDS = 6;

/** The label of a sentence that opens with one, without its colon. */
export function fieldLabel(text: string, { start, end }: Span): Span | undefined {
  const opening = text.slice(start, Math.min(end, start + 90));
  if (!opening.includes(':') && !opening.includes('：')) return undefined;
  const match = FIELD.exec(opening)?.[0];
  if (match === undefined || match.length >= end - start) return undefined;
  const label = match.replace(/[*_]*[:：][*_]*\s*$/u, '');
  if (/\p{Ll}\.\s/u.test(label) || label.split(/\s+/u).length > MAX_WORDS || label.length > 50) return undefined;
  return { start, end: start + label.length };
}

/** "**3. Harbour: north quay.** The surveyor …": what opens a paragraph in bold type and ends there. */
const BOLD = /^(\*\*|__)\s*(?:\d{1,3}[.)]\s*)?([^*_\n]{2,80}?)(?:[.:]\s*\1|\s*\1[.:])\s+(?=\S)/u;

/** What a label may open: prose or an item, outside questions and answers. */
interface Labelled extends Span {
  readonly kind: string;
  readonly role?: string | undefined;
}

/** The heading that a paragraph of prose opens with in bold type, and where what stands under it begins. */
export function boldHead(text: string, { start, end, kind, role }: Labelled): { span: Span; end: number } | undefined {
  if (kind !== 'prose' || role || !/[*_]/.test(text.charAt(start))) return undefined;
  const match = BOLD.exec(text.slice(start, Math.min(end, start + 120)));
  if (match === null) return undefined;
  const [whole, , label] = match;
  const from = start + whole.indexOf(label);
  return { span: { start: from, end: from + label.length }, end: start + whole.length };
}

const HEAD = /^[\p{Lu}\p{Lo}][^.,;:!?\d]{1,30}\.$/u;
const MAX_HEAD_WORDS = 3;

/** Whether a block opens with a label of its own: "Safety. Two people fell." */
export function runInHead(text: string, { kind, role }: Labelled, spans: readonly Span[]): boolean {
  const [first] = spans;
  if (!first || spans.length < 2 || (kind !== 'prose' && kind !== 'item') || role || first.end - first.start > 40)
    return false;
  const sentence = text.slice(first.start, first.end);
  return HEAD.test(sentence) && sentence.split(/\s+/u).length <= MAX_HEAD_WORDS;
}

/** Share of paragraphs, or of items, that must open so: one short sentence is no label. */
const SHARE = 0.3;

/** Whether labels of this kind are a habit of a text. */
export function hasRunInHeads(text: string, blocks: readonly Labelled[], split: readonly (readonly Span[])[]): boolean {
  return (['prose', 'item'] as const).some((kind) => {
    const own = blocks.flatMap((block, n) => (block.kind === kind && !block.role ? [split[n] ?? []] : []));
    const several = own.filter((spans) => spans.length > 1);
    const headed = blocks.filter((block, n) => block.kind === kind && runInHead(text, block, split[n] ?? []));
    return headed.length >= 2 && headed.length >= SHARE * several.length;
  });
}
