import type { Block, BlockKind } from './blocks.ts';
import type { Span } from './document.ts';
import { boldHead, fieldLabel, hasRunInHeads, runInHead } from './labels.ts';
import type { TableRow } from './marked-lines.ts';
import { isQuestion } from './question.ts';
import { Questions } from './questions.ts';

export type SentenceKind = BlockKind;

/** One sentence of a document, markers of its block (bullet, heading signs, speaker label) left out of the span. */
export interface Sentence extends Span {
  readonly kind: SentenceKind;
  /** Index of the block it stands in: a paragraph, heading, list item, or stretch of a turn. */
  readonly paragraph: number;
  /** Who speaks, in a transcript. */
  readonly speaker?: string | undefined;
  /** What it stands under, outermost first: headings, what leads into its list, the label of its line, the question before it. */
  readonly under?: readonly Span[] | undefined;
  /** Whether the last of these is a question that it answers. */
  readonly answers?: boolean | undefined;
  /** Whether it asks. */
  readonly asks?: boolean | undefined;
  /** Whether it leads into a list. */
  readonly leads?: boolean | undefined;
  /** Whether it opens with a label: "Costs: 61,500 per house." */
  readonly field?: boolean | undefined;
  /** Whether it is a label of one or two words, with its text after it: "Safety. Two people fell." */
  readonly head?: boolean | undefined;
  readonly row?: TableRow | undefined;
  /** Of a heading, whether it may be a caption. */
  readonly caption?: boolean | undefined;
}

const LEADS = /[:：]["'”’)\]*_\s]*$/u;
/** A longer one says something of its own. */
const LONGEST_LEAD = 200;
/** Items that an item of a nested list is told to stand under, beside its own. */
const MOST_PARENTS = 3;

interface Lead {
  readonly span: Span;
  /** Whether lines without marks stand under it too, as far as no gap comes. */
  readonly lines: boolean;
}

/** The sentences of blocks, each with what it stands under. One pass over the text. */
export function outline(text: string, blocks: readonly Block[], split: readonly (readonly Span[])[]): Sentence[] {
  const found: Sentence[] = [];
  const headings: { level: number; span: Span; paragraph: number }[] = [];
  const questions = new Questions(text, blocks, split);
  const heads = hasRunInHeads(text, blocks, split);
  let parents: { indent: number; span: Span }[] = [];
  let lead: Lead | undefined;
  for (const [paragraph, block] of blocks.entries()) {
    const spans = split[paragraph] ?? [];
    const [first, last] = [spans[0], spans.at(-1)];
    if (!first || !last) continue;
    const { kind, speaker, row, role, caption } = block;
    const whole = { start: first.start, end: last.end };
    if (kind === 'heading') {
      while ((headings.at(-1)?.level ?? -1) >= (block.level ?? 0)) headings.pop();
      found.push(...spans.map((span) => ({ ...span, kind, paragraph, caption, under: spansOf(headings) })));
      headings.push({ level: block.level ?? 0, span: whole, paragraph });
      [parents, lead] = [[], undefined];
      questions.heading(paragraph);
      continue;
    }
    if (endsList(blocks, paragraph, headings.at(-1)?.paragraph)) headings.pop();
    if (kind === 'item') parents = parents.filter(({ indent }) => indent < block.indent);
    else if (lead && (!lead.lines || block.afterGap) && kind !== 'table') lead = undefined;
    if (kind !== 'item') parents = [];
    const outer = [...spansOf(headings), ...(block.notes ?? []), ...(lead ? [lead.span] : []), ...spansOf(parents)];
    const bold = boldHead(text, block);
    const field = role || row || bold ? undefined : fieldLabel(text, first);
    const head = !field && !bold && heads && runInHead(text, block, spans);
    const label = bold?.span ?? field ?? (head ? first : undefined);
    const leads =
      LEADS.test(text.slice(Math.max(last.start, last.end - 8), last.end)) && followedByList(blocks, paragraph);
    for (const [n, span] of spans.entries()) {
      const { question, answers } = questions.before(paragraph, n);
      const asks = role === 'question' || isQuestion(text.slice(Math.max(span.start, span.end - 12), span.end));
      const under = [...outer, ...(label && n > 0 ? [label] : []), ...(question && !asks ? [question] : [])];
      found.push({
        start: span.start,
        end: span.end,
        kind: bold !== undefined && span.end <= bold.end ? 'heading' : kind,
        paragraph,
        speaker,
        under: under.length > 0 ? under : undefined,
        answers: answers && !asks,
        asks,
        leads: leads && span === last,
        field: field !== undefined && n === 0,
        head: head && n === 0,
        row,
      });
    }
    if (leads && last.end - last.start <= LONGEST_LEAD) {
      lead = { span: last, lines: kind !== 'item' && blocks[paragraph + 1]?.kind !== 'item' };
    }
    if (kind === 'item' && isNested(blocks[paragraph + 1], block) && whole.end - whole.start <= LONGEST_LEAD) {
      parents = [...parents.slice(-MOST_PARENTS), { indent: block.indent, span: whole }];
    }
  }
  return found;
}

/**
 * Whether a block after a gap comes after the list that the innermost heading stood directly above: where the heading is
 * a guess, it was the list's.
 */
function endsList(blocks: readonly Block[], n: number, heading: number | undefined): boolean {
  const [block, before] = [blocks[n], blocks[n - 1]];
  if (heading === undefined || block?.kind !== 'prose' || !block.afterGap || before?.kind !== 'item') return false;
  const [title, first] = [blocks[heading], blocks[heading + 1]];
  return title?.guess === true && first?.kind === 'item' && !first.afterGap;
}

function isNested(next: Block | undefined, { indent }: Block): boolean {
  return next?.kind === 'item' && next.indent > indent;
}

function spansOf(entries: readonly { readonly span: Span }[]): Span[] {
  return entries.map(({ span }) => span);
}

/** Whether items, rows, or lines without a gap come after a block that ends in a colon. */
function followedByList(blocks: readonly Block[], n: number): boolean {
  const [block, next] = [blocks[n], blocks[n + 1]];
  if (!block || !next || next.role !== block.role || next.speaker !== block.speaker) return false;
  if (next.kind === 'item') return block.kind !== 'item' || next.indent > block.indent;
  if (next.kind === 'table' || next.kind === 'code') return true;
  return next.kind === 'prose' && block.kind === 'prose' && !next.afterGap && block.lineCount === 1;
}
