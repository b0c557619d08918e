import { isDisfluent, isQuestion } from '../words.ts';
import type { Block, BlockKind } from './blocks.ts';
import type { Span } from './document.ts';
import { boldHead, fieldLabel, hasRunInHeads, runInHead } from './labels.ts';
import type { TableRow } from './marked-lines.ts';

/** A longer question is cut to its last sentence. In UTF-16 units. */
const LONGEST = 240;
const REACH = 2;
const MIN_WORDS = 4;
const NEAR = 5;
const LIST = 2;

interface Carried {
  readonly question: Span;
  readonly answers: boolean;
  readonly turn?: number;
  readonly answeredIn?: number;
  readonly paragraphs?: number;
}

/** Finds the question that a sentence answers; called for each heading and sentence in order. */
function questionsOf(text: string, blocks: readonly Block[], split: readonly (readonly Span[])[]) {
  const asks = (span: Span | undefined) =>
    span !== undefined && isQuestion(text.slice(Math.max(span.start, span.end - 12), span.end));
  const onlyAsks = (n: number) => {
    const spans = split[n] ?? [];
    return spans.length > 0 && spans.every(asks);
  };
  const isField = (n: number) => {
    const first = split[n]?.[0];
    return first !== undefined && fieldLabel(text, first) !== undefined;
  };
  const spoken = blocks.some(({ kind }) => kind === 'turn') && isDisfluent(text);
  const lines = blocks.filter((block, n) => block.kind === 'prose' && !block.role && onlyAsks(n)).length;
  const reach = lines >= LIST ? Number.POSITIVE_INFINITY : 1;
  const speakers = new Map(
    blocks.flatMap(({ turn, speaker }) => (speaker === undefined ? [] : [[turn, speaker] as const])),
  );
  let carried: Carried | undefined;
  let at = -1;
  let answered = 0;
  let inner: { span: Span; left: number } | undefined;

  const enter = (n: number) => {
    inner = undefined;
    const block = blocks[n];
    if (!block) return;
    const before = blocks[n - 1];
    const asked = before && askedAtEnd(n - 1, before);
    if (asked) {
      carried = carry(asked, before, n);
      answered = 0;
    }
    if (!carried) return;
    if (carried.turn !== undefined) {
      if (block.turn === carried.turn) return;
      const answeredIn = carried.answeredIn ?? block.turn;
      const isOwn =
        block.turn !== answeredIn || (before?.speaker !== undefined && block.speaker === speakers.get(carried.turn));
      carried = isOwn ? undefined : { ...carried, answeredIn };
    } else if (block.kind !== 'item' && block.kind !== 'table') {
      const paragraphs = (carried.paragraphs ?? 0) - 1;
      carried = paragraphs < 0 ? undefined : { ...carried, paragraphs };
    }
  };

  const carry = (question: Span, block: Block, n: number): Carried | undefined => {
    const next = blocks[n];
    if (!next) return undefined;
    if (block.role === 'question') return { question, answers: true, turn: block.turn };
    if (block.kind === 'turn') {
      if (next.turn === block.turn) return undefined;
      const words = text.slice(question.start, question.end).split(/\s+/u).length;
      return spoken && words < MIN_WORDS ? undefined : { question, answers: !spoken, turn: block.turn };
    }
    if (block.kind === 'item') {
      const isBelow = next.kind === 'prose' || next.indent > block.indent;
      return isBelow ? { question, answers: true, paragraphs: 1 } : undefined;
    }
    if (isField(n - 1) && isField(n)) return undefined;
    if (onlyAsks(n - 1)) return { question, answers: true, paragraphs: reach };
    return next.kind === 'item' ? { question, answers: true, paragraphs: 0 } : undefined;
  };

  /** The question at the end of a block: all of a labelled question, else the final run of questions. */
  const askedAtEnd = (n: number, block: Block): Span | undefined => {
    const spans = split[n] ?? [];
    const last = spans.at(-1);
    if (!last) return undefined;
    if (block.role === 'question') {
      if (blocks[n + 1]?.turn === block.turn) return undefined;
      let from = n;
      while (blocks[from - 1]?.turn === block.turn) from--;
      const start = split[from]?.[0]?.start ?? last.start;
      return last.end - start > LONGEST ? last : { start, end: last.end };
    }
    if (block.kind === 'heading' || block.role === 'answer' || !asks(last)) return undefined;
    let start = last.start;
    for (const span of [...spans].reverse()) {
      if (!asks(span) || last.end - span.start > LONGEST) break;
      start = span.start;
    }
    return { start, end: last.end };
  };

  return {
    heading(paragraph: number): void {
      at = paragraph;
      const spans = split[paragraph] ?? [];
      const [first, last] = [spans[0], spans.at(-1)];
      const question = first && last && asks(last) ? { start: first.start, end: last.end } : undefined;
      carried = question && { question, answers: true, paragraphs: 1 };
      inner = undefined;
    },

    /** The question before a sentence, and whether the sentence is meant to answer it. */
    before(paragraph: number, n: number): { question?: Span; answers?: boolean } {
      while (at < paragraph) enter(++at);
      const spans = split[paragraph] ?? [];
      const span = spans[n];
      if (!span) return {};
      if (asks(span)) {
        const isRun = inner !== undefined && asks(spans[n - 1]);
        const start = (isRun && inner?.span.start) || span.start;
        const opens = n === 0 || (isRun && inner?.left === Number.POSITIVE_INFINITY);
        const joined = span.end - start > LONGEST ? span : { start, end: span.end };
        inner = { span: joined, left: opens ? Number.POSITIVE_INFINITY : REACH };
        return {};
      }
      if (inner && inner.left-- > 0) return { question: inner.span, answers: !spoken && inner.left > REACH };
      if (!carried) return {};
      const isNear = carried.turn === undefined || blocks[paragraph]?.role === 'answer' || answered++ < NEAR;
      return { question: carried.question, answers: carried.answers && isNear };
    },
  };
}

/** One sentence of a document, without the markers of its block (bullet, heading signs, speaker label). */
export interface Sentence extends Span {
  readonly kind: BlockKind;
  readonly paragraph: number;
  readonly speaker?: string | undefined;
  /** Headings, list lead-in, label and question above the sentence, outermost first. */
  readonly under?: readonly Span[] | undefined;
  readonly answers?: boolean | undefined;
  readonly asks?: boolean | undefined;
  readonly leads?: boolean | undefined;
  readonly field?: boolean | undefined;
  readonly head?: boolean | undefined;
  readonly row?: TableRow | undefined;
  readonly caption?: boolean | undefined;
}

const LEADS = /[:：]["'”’)\]*_\s]*$/u;
/** A longer lead-in is a statement. */
const MAX_LEAD_LENGTH = 200;
const MAX_PARENTS = 3;

interface Lead {
  readonly span: Span;
  /** Whether it also covers lines without marks, up to the next gap. */
  readonly lines: boolean;
}

export function outline(text: string, blocks: readonly Block[], split: readonly (readonly Span[])[]): Sentence[] {
  const found: Sentence[] = [];
  const headings: { level: number; span: Span; paragraph: number }[] = [];
  const questions = questionsOf(text, blocks, split);
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
    const next = blocks[paragraph + 1];
    if (leads && last.end - last.start <= MAX_LEAD_LENGTH) {
      lead = { span: last, lines: kind !== 'item' && next?.kind !== 'item' };
    }
    if (
      kind === 'item' &&
      next?.kind === 'item' &&
      next.indent > block.indent &&
      whole.end - whole.start <= MAX_LEAD_LENGTH
    ) {
      parents = [...parents.slice(-MAX_PARENTS), { indent: block.indent, span: whole }];
    }
  }
  return found;
}

/** Whether a block after a gap follows the list of the innermost heading: a guessed heading covers only its list. */
function endsList(blocks: readonly Block[], n: number, heading: number | undefined): boolean {
  const [block, before] = [blocks[n], blocks[n - 1]];
  if (heading === undefined || block?.kind !== 'prose' || !block.afterGap || before?.kind !== 'item') return false;
  const [title, first] = [blocks[heading], blocks[heading + 1]];
  return title?.guess === true && first?.kind === 'item' && !first.afterGap;
}

function spansOf(entries: readonly { readonly span: Span }[]): Span[] {
  return entries.map(({ span }) => span);
}

function followedByList(blocks: readonly Block[], n: number): boolean {
  const [block, next] = [blocks[n], blocks[n + 1]];
  if (!block || !next || next.role !== block.role || next.speaker !== block.speaker) return false;
  if (next.kind === 'item') return block.kind !== 'item' || next.indent > block.indent;
  if (next.kind === 'table' || next.kind === 'code') return true;
  return next.kind === 'prose' && block.kind === 'prose' && !next.afterGap && block.lineCount === 1;
}
