import { endsInQuestion, isDisfluent } from '../words.ts';
import type { Block, BlockKind } from './blocks.ts';
import type { Span } from './document.ts';
import { boldHead, fieldLabel, hasRunInHeads, runInHead } from './labels.ts';
import type { TableRow } from './marked-lines.ts';

/** A longer question is cut to its last sentence. In UTF-16 units. */
const MAX_QUESTION_LENGTH = 240;
/** Number of sentences that stand under a question of their own paragraph. */
const REACH = 2;
/** Minimum number of words of a question in speech. */
const MIN_WORDS = 4;
/** Number of sentences of a turn that are meant to answer the question of another. */
const NEAR = 5;
/** From this number of paragraphs of questions alone, each question covers everything up to the next one. */
const LIST = 2;

/** A question at the end of a block. */
interface OpenQuestion {
  readonly question: Span;
  /** Whether what follows is meant to answer it. */
  readonly answers: boolean;
  /** The turn that asks; the next turn may answer. */
  readonly turn?: number;
  readonly answeredIn?: number;
  /** Number of further paragraphs that it covers, outside of turns. */
  readonly paragraphs?: number;
}

/** Finds the question that a sentence stands under. Blocks are entered in order. */
function questionsOf(text: string, blocks: readonly Block[], split: readonly (readonly Span[])[]) {
  const asks = ({ start, end }: Span) => endsInQuestion(text.slice(start, end));
  const onlyAsks = (n: number) => split[n].length > 0 && split[n].every(asks);
  const isField = (n: number) => split[n].length > 0 && fieldLabel(text, split[n][0]) !== undefined;
  const isSpoken = blocks.some(({ kind }) => kind === 'turn') && isDisfluent(text);
  const lists = blocks.filter((block, n) => block.kind === 'prose' && !block.role && onlyAsks(n)).length;
  const reach = lists >= LIST ? Number.POSITIVE_INFINITY : 1;
  const speakers = new Map(
    blocks.flatMap(({ turn, speaker }) => (speaker === undefined ? [] : [[turn, speaker] as const])),
  );
  let open: OpenQuestion | undefined;
  /** Number of sentences so far that stand under the question of another turn. */
  let covered = 0;
  /** The last question of the paragraph, and how many of its sentences still stand under it. */
  let inner: { span: Span; left: number } | undefined;

  /** The question at the end of a block: all of a labelled question, else the final run of questions. */
  function askedAtEnd(n: number): Span | undefined {
    const { kind, role, turn } = blocks[n];
    const last = split[n].at(-1);
    if (last === undefined) return undefined;
    let { start } = last;
    if (role === 'question') {
      if (blocks[n + 1]?.turn === turn) return undefined;
      let first = n;
      while (blocks[first - 1]?.turn === turn) first--;
      start = split[first][0]?.start ?? start;
      return last.end - start > MAX_QUESTION_LENGTH ? last : { start, end: last.end };
    }
    if (kind === 'heading' || role === 'answer' || !asks(last)) return undefined;
    for (const span of split[n].toReversed()) {
      if (!asks(span) || last.end - span.start > MAX_QUESTION_LENGTH) break;
      start = span.start;
    }
    return { start, end: last.end };
  }

  /** The question at the end of block n as the next block finds it; undefined if that does not answer it. */
  function opened(question: Span, n: number): OpenQuestion | undefined {
    const [block, next] = [blocks[n], blocks[n + 1]];
    if (block.role === 'question') return { question, answers: true, turn: block.turn };
    if (block.kind === 'turn') {
      if (next.turn === block.turn) return undefined;
      const words = text.slice(question.start, question.end).split(/\s+/u).length;
      return isSpoken && words < MIN_WORDS ? undefined : { question, answers: !isSpoken, turn: block.turn };
    }
    if (block.kind === 'item') {
      const isBelow = next.kind === 'prose' || next.indent > block.indent;
      return isBelow ? { question, answers: true, paragraphs: 1 } : undefined;
    }
    if (isField(n) && isField(n + 1)) return undefined;
    if (onlyAsks(n)) return { question, answers: true, paragraphs: reach };
    return next.kind === 'item' ? { question, answers: true, paragraphs: 0 } : undefined;
  }

  /** The open question as block n leaves it; undefined once it is answered. */
  function stillOpen(asked: OpenQuestion, n: number): OpenQuestion | undefined {
    const { kind, turn, speaker } = blocks[n];
    if (asked.turn === undefined) {
      if (kind === 'item' || kind === 'table') return asked;
      const paragraphs = (asked.paragraphs ?? 0) - 1;
      return paragraphs < 0 ? undefined : { ...asked, paragraphs };
    }
    const { answeredIn = turn } = asked;
    const isAsker = blocks[n - 1]?.speaker !== undefined && speaker === speakers.get(asked.turn);
    return turn !== answeredIn || isAsker ? undefined : { ...asked, answeredIn };
  }

  return {
    asks,
    enter(n: number): void {
      inner = undefined;
      const question = n === 0 ? undefined : askedAtEnd(n - 1);
      if (question !== undefined) {
        open = opened(question, n - 1);
        covered = 0;
      }
      open = open && stillOpen(open, n);
    },
    enterHeading(whole: Span, last: Span): void {
      open = asks(last) ? { question: whole, answers: true, paragraphs: 1 } : undefined;
      inner = undefined;
    },
    /** The question above a sentence of block n, and whether the sentence is meant to answer it. */
    above(n: number, place: number): { question?: Span; answers?: boolean } {
      const span = split[n][place];
      if (asks(span)) {
        const isRun = inner !== undefined && asks(split[n][place - 1]);
        const start = (isRun && inner?.span.start) || span.start;
        const opens = place === 0 || (isRun && inner?.left === Number.POSITIVE_INFINITY);
        const joined = span.end - start > MAX_QUESTION_LENGTH ? span : { start, end: span.end };
        inner = { span: joined, left: opens ? Number.POSITIVE_INFINITY : REACH };
        return {};
      }
      if (inner && inner.left-- > 0) return { question: inner.span, answers: !isSpoken && inner.left > REACH };
      if (!open) return {};
      const isNear = open.turn === undefined || blocks[n].role === 'answer' || covered++ < NEAR;
      return { question: open.question, answers: open.answers && isNear };
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

/** The sentences of all blocks, each with what it stands under. */
export function outline(text: string, blocks: readonly Block[], split: readonly (readonly Span[])[]): Sentence[] {
  const questions = questionsOf(text, blocks, split);
  const hasHeads = hasRunInHeads(text, blocks, split);
  const headings: { level: number; span: Span; paragraph: number }[] = [];
  /** List items above an item, outermost first. */
  let parents: { indent: number; span: Span }[] = [];
  let lead: Lead | undefined;

  return blocks.flatMap((block, paragraph): Sentence[] => {
    questions.enter(paragraph);
    const spans = split[paragraph];
    const [first, last] = [spans[0], spans.at(-1)];
    if (last === undefined) return [];
    const { kind, speaker, row, role, caption, level = 0, indent } = block;
    const whole = { start: first.start, end: last.end };
    if (kind === 'heading') {
      while ((headings.at(-1)?.level ?? -1) >= level) headings.pop();
      const under = spansOf(headings);
      headings.push({ level, span: whole, paragraph });
      [parents, lead] = [[], undefined];
      questions.enterHeading(whole, last);
      return spans.map((span) => ({ ...span, kind, paragraph, caption, under }));
    }

    if (endsList(blocks, paragraph, headings.at(-1)?.paragraph)) headings.pop();
    parents = kind === 'item' ? parents.filter((parent) => parent.indent < indent) : [];
    if (kind !== 'item' && kind !== 'table' && lead && (!lead.lines || block.afterGap)) lead = undefined;
    const outer = [...spansOf(headings), ...(block.notes ?? []), ...(lead ? [lead.span] : []), ...spansOf(parents)];
    const bold = boldHead(text, block);
    const field = role || row || bold ? undefined : fieldLabel(text, first);
    const head = !field && !bold && hasHeads && runInHead(text, block, spans);
    const label = bold?.span ?? field ?? (head ? first : undefined);
    const leads = LEADS.test(text.slice(last.start, last.end).slice(-8)) && followedByList(blocks, paragraph);

    const next = blocks[paragraph + 1];
    if (leads && last.end - last.start <= MAX_LEAD_LENGTH) {
      lead = { span: last, lines: kind !== 'item' && next?.kind !== 'item' };
    }
    const isParent = kind === 'item' && next?.kind === 'item' && next.indent > indent;
    if (isParent && whole.end - whole.start <= MAX_LEAD_LENGTH) {
      parents = [...parents.slice(-MAX_PARENTS), { indent, span: whole }];
    }
    return spans.map((span, n) => {
      const { question, answers } = questions.above(paragraph, n);
      const asks = role === 'question' || questions.asks(span);
      const under = [...outer, ...(label && n > 0 ? [label] : []), ...(question && !asks ? [question] : [])];
      return {
        ...span,
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
      };
    });
  });
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
