import type { Block } from './blocks.ts';
import { isDisfluent } from './disfluency.ts';
import type { Span } from './document.ts';
import { fieldLabel } from './labels.ts';
import { isQuestion } from './question.ts';

/** A longer question is cut to its last sentence. In UTF-16 units. */
const LONGEST = 240;
/** Sentences after a question in the midst of a paragraph that it may be answered by. */
const REACH = 2;
/** Words of a question that the next speaker is taken to answer, where people talk: "Right?" asks nothing. */
const FEWEST_WORDS = 4;
/** Sentences of a turn that are read as the answer; later ones speak for themselves. */
const NEAR = 5;
/** Question lines from which a text is a list of questions: each then reaches to the next. */
const LIST = 2;

interface Carried {
  readonly question: Span;
  readonly answers: boolean;
  /** The turn that it was asked in, where it waits for another's. */
  readonly turn?: number;
  /** The turn that answers. */
  readonly answeredIn?: number;
  /** Further paragraphs that it reaches to. */
  readonly paragraphs?: number;
}

/** Finds the question that a sentence answers; asked for sentence by sentence, in order. */
export class Questions {
  private readonly text: string;
  private readonly blocks: readonly Block[];
  private readonly split: readonly (readonly Span[])[];
  private readonly spoken: boolean;
  private readonly reach: number;
  private carried: Carried | undefined;
  private at = -1;
  /** Sentences of the answering turn so far. */
  private told = 0;
  private inner: { span: Span; left: number } | undefined;

  constructor(text: string, blocks: readonly Block[], split: readonly (readonly Span[])[]) {
    this.text = text;
    this.blocks = blocks;
    this.split = split;
    this.spoken = blocks.some(({ kind }) => kind === 'turn') && isDisfluent(text);
    const lines = blocks.filter((block, n) => block.kind === 'prose' && !block.role && this.onlyAsks(n)).length;
    this.reach = lines >= LIST ? Number.POSITIVE_INFINITY : 1;
  }

  /** A heading ends what was asked above it, and may itself ask. */
  heading(paragraph: number): void {
    this.at = paragraph;
    const spans = this.split[paragraph] ?? [];
    const [first, last] = [spans[0], spans.at(-1)];
    const question = first && last && this.asks(last) ? { start: first.start, end: last.end } : undefined;
    this.carried = question && { question, answers: true, paragraphs: 1 };
    this.inner = undefined;
  }

  /** The question that stands before a sentence, and whether the sentence is meant to answer it. */
  before(paragraph: number, n: number): { question?: Span; answers?: boolean } {
    while (this.at < paragraph) this.enter(++this.at);
    const spans = this.split[paragraph] ?? [];
    const span = spans[n];
    if (!span) return {};
    if (this.asks(span)) {
      const isRun = this.inner !== undefined && this.asks(spans[n - 1]);
      const start = (isRun && this.inner?.span.start) || span.start;
      const opens = n === 0 || (isRun && this.inner?.left === Number.POSITIVE_INFINITY);
      const joined = span.end - start > LONGEST ? span : { start, end: span.end };
      this.inner = { span: joined, left: opens ? Number.POSITIVE_INFINITY : REACH };
      return {};
    }
    const { inner, carried } = this;
    if (inner && inner.left-- > 0) return { question: inner.span, answers: !this.spoken && inner.left > REACH };
    if (!carried) return {};
    const isNear = carried.turn === undefined || this.blocks[paragraph]?.role === 'answer' || this.told++ < NEAR;
    return { question: carried.question, answers: carried.answers && isNear };
  }

  /** Comes to a block: what was asked in the one before may be answered here. */
  private enter(n: number): void {
    this.inner = undefined;
    const block = this.blocks[n];
    if (!block) return;
    const before = this.blocks[n - 1];
    const asked = before && this.askedAtEnd(n - 1, before);
    if (asked) {
      this.carried = this.carry(asked, before, n);
      this.told = 0;
    }
    const { carried } = this;
    if (!carried) return;
    if (carried.turn !== undefined) {
      if (block.turn === carried.turn) return;
      const answeredIn = carried.answeredIn ?? block.turn;
      const isOwn =
        block.turn !== answeredIn || (before?.speaker !== undefined && block.speaker === this.speakerOf(carried.turn));
      this.carried = isOwn ? undefined : { ...carried, answeredIn };
    } else if (block.kind !== 'item' && block.kind !== 'table') {
      const paragraphs = (carried.paragraphs ?? 0) - 1;
      this.carried = paragraphs < 0 ? undefined : { ...carried, paragraphs };
    }
  }

  private carry(question: Span, block: Block, n: number): Carried | undefined {
    const next = this.blocks[n];
    if (!next) return undefined;
    if (block.role === 'question') return { question, answers: true, turn: block.turn };
    if (block.kind === 'turn') {
      if (next.turn === block.turn) return undefined;
      const words = this.text.slice(question.start, question.end).split(/\s+/u).length;
      return this.spoken && words < FEWEST_WORDS ? undefined : { question, answers: !this.spoken, turn: block.turn };
    }
    if (block.kind === 'item') {
      return next.kind === 'prose' || next.indent > block.indent
        ? { question, answers: true, paragraphs: 1 }
        : undefined;
    }
    if (this.isField(n - 1) && this.isField(n)) return undefined;
    if (this.onlyAsks(n - 1)) return { question, answers: true, paragraphs: this.reach };
    return next.kind === 'item' ? { question, answers: true, paragraphs: 0 } : undefined;
  }

  /** What a block asks at its end: the whole of a labelled question, the run of questions of any other. */
  private askedAtEnd(n: number, block: Block): Span | undefined {
    const spans = this.split[n] ?? [];
    const last = spans.at(-1);
    if (!last) return undefined;
    if (block.role === 'question') {
      if (this.blocks[n + 1]?.turn === block.turn) return undefined;
      let from = n;
      while (this.blocks[from - 1]?.turn === block.turn) from--;
      const start = this.split[from]?.[0]?.start ?? last.start;
      return last.end - start > LONGEST ? last : { start, end: last.end };
    }
    if (block.kind === 'heading' || block.role === 'answer' || !this.asks(last)) return undefined;
    let start = last.start;
    for (const span of [...spans].reverse()) {
      if (!this.asks(span) || last.end - span.start > LONGEST) break;
      start = span.start;
    }
    return { start, end: last.end };
  }

  private isField(n: number): boolean {
    const first = this.split[n]?.[0];
    return first !== undefined && fieldLabel(this.text, first) !== undefined;
  }

  private onlyAsks(n: number): boolean {
    const spans = this.split[n] ?? [];
    return spans.length > 0 && spans.every((span) => this.asks(span));
  }

  private asks(span: Span | undefined): boolean {
    return span !== undefined && isQuestion(this.text.slice(Math.max(span.start, span.end - 12), span.end));
  }

  private speakerOf(turn: number): string | undefined {
    return this.speakers().get(turn);
  }

  private known: Map<number, string> | undefined;

  private speakers(): Map<number, string> {
    this.known ??= new Map(
      this.blocks.flatMap(({ turn, speaker }) => (speaker === undefined ? [] : [[turn, speaker]])),
    );
    return this.known;
  }
}
