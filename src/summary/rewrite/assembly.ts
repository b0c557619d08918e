import type { Citation, LeftOutReason, SummarySentence, Verification } from '../../contract/index.ts';
import type { Layout, Position } from '../layout.ts';
import { citeAll } from '../outline.ts';
import { holdsWords, liesWithin } from '../same-statements.ts';
import { countWords, spelt, speltWords } from '../sentence-text.ts';
import type { NumberedPoint } from './material.ts';

export type OnSentence = (sentence: SummarySentence) => void;

/** A sentence as the model wrote it, unchecked. */
export interface Drafted {
  readonly text: string;
  /** The documents that it cites, in its order. */
  readonly documents: readonly string[];
  /** The first passage that it cites; null if there is none of its words. */
  readonly citation: Citation | null;
}

export interface Slot {
  readonly cited: readonly NumberedPoint[];
  readonly position: Position;
  readonly text: string;
  /** Words set aside for it. */
  readonly room: number;
  /** Whether a sentence that stands says the same, so that only its sources are new. */
  readonly repeats: boolean;
  sentence: SummarySentence | null;
}

type Unplaced = 'repeated' | 'tooLong' | 'tooMany';

interface AssemblyOptions {
  readonly points: readonly NumberedPoint[];
  readonly words: number;
  /** Words reserved for naming the unanswered parts, until they are known. */
  readonly reserve: number;
  readonly sentences: number;
  readonly layout: Layout;
  readonly onSentence: OnSentence;
}

/** Maximum number of cited documents of a sentence that one of its points can replace. */
const MAX_STOOD_FOR = 2;

export type Assembly = ReturnType<typeof assembly>;

/**
 * Assembles the sentences of a draft in order, so that a reader sees accepted ones while others are judged. Keeps the
 * word limit. Adds points that no sentence cites, unless the writer left them out on purpose, as far as they fit (P3).
 */
export function assembly({ points, words, reserve, sentences, layout, onSentence }: AssemblyOptions) {
  const uncited = new Set(points);
  const slots: Slot[] = [];
  const said = new Set<string>();
  const tried = new Set<string>();
  const standing: SummarySentence[] = [];
  const reasons = new Map<NumberedPoint, LeftOutReason>();
  const borneOut = new Set<string | null>();
  const laid: SummarySentence[] = [];
  let [left, kept, free, emitted] = [words, reserve, sentences, 0];
  let list: string | null = null;

  /** Keeps a list's label while a sentence stands under it. */
  function lay(sentence: SummarySentence, { label, ...position }: Position): void {
    const isKept = label !== undefined && borneOut.has(listOf({ ...position, label }));
    const placed = layout(sentence, isKept ? { ...position, label } : position);
    laid.push(placed);
    onSentence(placed);
  }

  function state(sentence: SummarySentence, cited: readonly NumberedPoint[]): void {
    said.add(spelt(sentence.text));
    for (const point of cited) uncited.delete(point);
    standing.push(sentence);
  }

  /** Whether a sentence that stands cites the quote of a point, and holds its words. */
  function isQuoted({ quoteText }: NumberedPoint, { verification, citations: [own] }: SummarySentence): boolean {
    const holds = ({ text, citations }: SummarySentence) =>
      citations.some((cited) => liesWithin(own, cited)) && holdsWords(text, quoteText);
    return verification === 'verbatim' && standing.some(holds);
  }

  /** Adds the sources of a repetition to the sentence that says the same, unless a reader has that already. */
  function corroborate(text: string, cited: readonly NumberedPoint[]): void {
    const slot = slots.slice(emitted).find(({ sentence }) => sentence !== null && spelt(sentence.text) === spelt(text));
    if (slot?.sentence == null) return;
    const { keyPoints, citations } = citeAll(text, [slot.sentence, ...cited.map((point) => point.own)]);
    standing.splice(standing.indexOf(slot.sentence), 1);
    slot.sentence = { ...slot.sentence, keyPoints, citations };
    state(slot.sentence, cited);
  }

  function own(point: NumberedPoint, ownOf: (point: NumberedPoint) => SummarySentence): SummarySentence[] {
    const sentence = ownOf(point);
    const cost = countWords(sentence.text);
    if (!uncited.has(point) || cost > left - kept) return [];
    const isSaid = said.has(spelt(sentence.text)) || isQuoted(point, sentence);
    if (isSaid || free === 0) {
      reasons.set(point, isSaid ? 'said' : 'sentences');
      return [];
    }
    left -= cost;
    free--;
    state(sentence, [point]);
    return [sentence];
  }

  /** Replacement for a rejected sentence: its point with the most similar wording; none for a transition that cites many documents. */
  function standIn({ cited, text }: Slot, ownOf: (point: NumberedPoint) => SummarySentence): SummarySentence[] {
    free++;
    for (const point of cited) if (!reasons.has(point)) reasons.set(point, 'unsupported');
    if (new Set(cited.map(({ document }) => document)).size > MAX_STOOD_FOR) return [];
    const words = speltWords(text);
    const shared = ({ text: own }: NumberedPoint) => [...speltWords(own)].filter((word) => words.has(word)).length;
    for (const point of cited.toSorted((one, two) => shared(two) - shared(one))) {
      const found = own(point, ownOf);
      if (found.length > 0) return found;
    }
    return [];
  }

  function missing(leftOut: ReadonlySet<NumberedPoint>): NumberedPoint[] {
    const drafted = new Set(slots.flatMap(({ sentence, cited }) => (sentence === null ? cited : [])));
    return points.filter((point) => point.helps && !leftOut.has(point) && uncited.has(point) && !drafted.has(point));
  }

  return {
    /**
     * A slot for a sentence, unless it does not fit or was tried. A repetition takes no room: if it holds, its sources count.
     * @param isFirm whether it is final; a sentence still to be judged may use reserved words
     */
    place(text: string, cited: readonly NumberedPoint[], position: Position, isFirm = false): Slot | Unplaced {
      const attempt = JSON.stringify([spelt(text), cited.map(({ number }) => number)]);
      if (tried.has(attempt)) return 'repeated';
      if (said.has(spelt(text))) {
        tried.add(attempt);
        return { cited, position, text, room: 0, repeats: true, sentence: null };
      }
      if (free === 0) {
        for (const point of cited) reasons.set(point, 'sentences');
        return 'tooMany';
      }
      const room = countWords(text);
      const next = listOf(position);
      const over = next === list ? 0 : countWords(position.label ?? '');
      if (room + over > left - (isFirm ? kept : 0)) return 'tooLong';
      list = next;
      tried.add(attempt);
      left -= room + over;
      free--;
      const slot: Slot = { cited, position, text, room, repeats: false, sentence: null };
      slots.push(slot);
      return slot;
    },
    fill(slot: Slot, text: string, cited: readonly NumberedPoint[], verification: Verification): Unplaced | null {
      const more = countWords(text) - slot.room;
      if (slot.sentence !== null) return 'repeated';
      if (said.has(spelt(text))) {
        corroborate(text, cited);
        return 'repeated';
      }
      if (more > left - kept) return 'tooLong';
      left -= more;
      slot.sentence = citeAll(
        text,
        cited.map((point) => point.own),
        verification,
      );
      state(slot.sentence, cited);
      borneOut.add(listOf(slot.position));
      for (let next = slots[emitted]; next?.sentence != null; next = slots[++emitted])
        lay(next.sentence, next.position);
      return null;
    },
    /** Sets the words to keep free. @returns open slots that had to go, the last first */
    reserve(needed: number): ReadonlySet<Slot> {
      kept = needed;
      const gone = new Set<Slot>();
      for (const slot of slots.slice(emitted).reverse()) {
        if (left >= kept || slot.sentence !== null) continue;
        left += slot.room;
        free++;
        gone.add(slot);
        slots.splice(slots.indexOf(slot), 1);
      }
      return gone;
    },
    missing: (leftOut: ReadonlySet<NumberedPoint>) => missing(leftOut).slice(0, free),
    /**
     * Fills empty slots with points in their own wording, if `standsIn`, and adds missing points, except those left out
     * on purpose.
     */
    finish(ownOf: (point: NumberedPoint) => SummarySentence, leftOut: ReadonlySet<NumberedPoint>, standsIn: boolean) {
      for (const { sentence, room } of slots) if (sentence === null) left += room;
      let replaced = 0;
      for (const slot of slots.slice(emitted)) {
        const settled = slot.sentence !== null ? [slot.sentence] : standsIn ? standIn(slot, ownOf) : [];
        if (slot.sentence === null) replaced += settled.length;
        for (const each of settled) lay(each, slot.position);
      }
      const added = missing(leftOut).flatMap((point) => own(point, ownOf));
      const helping = points.filter((point) => point.helps && !leftOut.has(point));
      const isEmpty = () => added.length + laid.length === 0;
      if (isEmpty()) added.push(...helping.flatMap((point) => own(point, ownOf)));
      if (isEmpty() && helping.length > 0) {
        // A limit too small for any point still admits the shortest one.
        const lengths = helping.map((point) => countWords(ownOf(point).text));
        const shortest = helping[lengths.indexOf(Math.min(...lengths))];
        uncited.delete(shortest);
        added.push(ownOf(shortest));
      }
      const paragraph = (slots.at(-1)?.position.paragraph ?? -1) + 1;
      for (const each of added) lay(each, { paragraph });
      const reasonOf = (point: NumberedPoint): LeftOutReason => {
        const reason = reasons.get(point);
        if (reason !== 'said' && leftOut.has(point)) return 'writer';
        return reason ?? (point.helps ? 'words' : 'level');
      };
      return {
        sentences: laid,
        replaced,
        added: added.length,
        leftOut: [...uncited].map((point) => ({ point, reason: reasonOf(point) })),
      };
    },
  };
}

/** Names the list that stands under a label in a paragraph; null if there is none. */
export function listOf({ paragraph, label }: Position): string | null {
  return label === undefined ? null : `${paragraph} ${label}`;
}
