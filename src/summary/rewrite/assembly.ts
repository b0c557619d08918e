import type { LeftOutReason, SummarySentence, Verification } from '../../contract/index.ts';
import { countWords } from '../count-words.ts';
import type { Layout, Position } from '../layout.ts';
import { citeAll } from '../outline.ts';
import { holdsWords, liesWithin } from '../same-statements.ts';
import { spelt, speltWords } from '../sentence-text.ts';
import type { NumberedPoint } from './material.ts';

export type OnSentence = (sentence: SummarySentence) => void;

export interface Slot {
  readonly cited: readonly NumberedPoint[];
  readonly position: Position;
  readonly text: string;
  room: number;
  /** Accepted but too long at first; it may fit if other slots stay empty. */
  spare: {
    readonly text: string;
    readonly cited: readonly NumberedPoint[];
    readonly verification: Verification;
  } | null;
  sentence: SummarySentence | null;
}

export type Unplaced = 'repeated' | 'tooLong' | 'tooMany';

interface AssemblyOptions {
  readonly points: readonly NumberedPoint[];
  readonly words: number;
  /** Words reserved for naming the unanswered parts, until they are known. */
  readonly reserve: number;
  readonly sentences: number;
  readonly layout: Layout;
  readonly onSentence: OnSentence;
}

/**
 * Assembles the sentences of a draft in order, so that a reader sees accepted ones while others are judged. Keeps the
 * word limit. Adds points that no sentence cites, unless the writer left them out on purpose, as far as they fit (P3).
 */
export interface Assembly {
  /**
   * A slot for a sentence, unless it is a repetition or does not fit.
   * @param isFirm whether it is final; a sentence still to be judged may use reserved words
   */
  place(text: string, cited: readonly NumberedPoint[], position: Position, isFirm?: boolean): Slot | Unplaced;
  reserve(words: number): ReadonlySet<Slot>;
  unlabel(slot: Slot): void;
  fill(slot: Slot, text: string, cited: readonly NumberedPoint[], verification: Verification): Unplaced | null;
  missing(leftOut: ReadonlySet<NumberedPoint>): readonly NumberedPoint[];
  /**
   * Fills empty slots with points in their own wording and adds missing points. Keeps a list's label while a sentence
   * stands under it.
   * @param ownOf the verified sentence of a point
   * @param leftOut points that the writer left out on purpose
   */
  finish(ownOf: (point: NumberedPoint) => SummarySentence, leftOut: ReadonlySet<NumberedPoint>): Assembled;
}

interface Assembled {
  readonly sentences: readonly SummarySentence[];
  readonly late: readonly Verification[];
  readonly replaced: number;
  readonly added: number;
  readonly leftOut: readonly { readonly point: NumberedPoint; readonly reason: LeftOutReason }[];
}

export function assembly({ points, words, reserve, sentences, layout, onSentence }: AssemblyOptions): Assembly {
  const uncited = new Set(points);
  const slots: Slot[] = [];
  const said = new Set<string>();
  const tried = new Set<string>();
  const standing = new Map<string, SummarySentence[]>();
  const twice = new Set<NumberedPoint>();
  const failed = new Set<NumberedPoint>();
  const crowded = new Set<NumberedPoint>();
  let left = words;
  let kept = reserve;
  let free = sentences;
  const laid: SummarySentence[] = [];
  let list: string | null = null;
  const borneOut = new Set<string>();
  const unlabelled = new Set<string>();
  let emitted = 0;

  function lay(sentence: SummarySentence, { label, ...position }: Position): void {
    const under = listOf({ ...position, label }) ?? '';
    const isKept = borneOut.has(under) && !unlabelled.has(under);
    const placed = layout.place(sentence, isKept ? { ...position, label } : position);
    laid.push(placed);
    onSentence(placed);
  }

  function emit(): void {
    for (let slot = slots[emitted]; slot?.sentence != null; slot = slots[emitted]) {
      lay(slot.sentence, slot.position);
      emitted++;
    }
  }

  function set(
    slot: Slot,
    text: string,
    cited: readonly NumberedPoint[],
    verification: Verification,
  ): 'repeated' | 'tooLong' | null {
    const more = countWords(text) - slot.room;
    if (slot.sentence !== null || said.has(spelt(text))) return 'repeated';
    if (more > left - kept) return 'tooLong';
    left -= more;
    slot.room = 0;
    for (const point of cited) uncited.delete(point);
    said.add(spelt(text));
    const own = cited.map((point) => point.own);
    slot.sentence = citeAll(text, own, verification);
    stand(slot.sentence);
    const under = listOf(slot.position);
    if (under !== null) borneOut.add(under);
    return null;
  }

  function stand(sentence: SummarySentence): void {
    for (const document of new Set(sentence.citations.map((cited) => cited.document))) {
      const others = standing.get(document);
      if (others === undefined) standing.set(document, [sentence]);
      else others.push(sentence);
    }
  }

  function own(owed: readonly NumberedPoint[], ownOf: (point: NumberedPoint) => SummarySentence): SummarySentence[] {
    return owed.flatMap((point) => {
      const sentence = ownOf(point);
      const cost = countWords(sentence.text);
      if (!uncited.has(point) || cost > left - kept) return [];
      if (said.has(spelt(sentence.text)) || isQuotedBy(standing.get(point.document) ?? [], point, sentence)) {
        twice.add(point);
        return [];
      }
      if (free === 0) {
        crowded.add(point);
        return [];
      }
      said.add(spelt(sentence.text));
      uncited.delete(point);
      left -= cost;
      free--;
      stand(sentence);
      return [sentence];
    });
  }

  const helping = (leftOut: ReadonlySet<NumberedPoint>): NumberedPoint[] =>
    points.filter((point) => point.helps && !leftOut.has(point));

  function anyway(
    leftOut: ReadonlySet<NumberedPoint>,
    ownOf: (point: NumberedPoint) => SummarySentence,
  ): SummarySentence[] {
    const [best] = helping(leftOut);
    if (best === undefined) return [];
    uncited.delete(best);
    return [ownOf(best)];
  }

  /** Replacement for a rejected sentence: its point with the most similar wording; none for a transition that cites many documents. */
  function standsIn({ cited, text }: Slot, ownOf: (point: NumberedPoint) => SummarySentence): SummarySentence[] {
    free++;
    for (const point of cited) failed.add(point);
    const documents = new Set(cited.map(({ document }) => document));
    const words = speltWords(text);
    const shared = ({ text: own }: NumberedPoint) => [...speltWords(own)].filter((word) => words.has(word)).length;
    const open = cited.filter((point) => uncited.has(point)).toSorted((one, two) => shared(two) - shared(one));
    if (documents.size > MAX_STOOD_FOR) return [];
    for (const point of open) {
      const sentences = own([point], ownOf);
      if (sentences.length > 0) return sentences;
    }
    return [];
  }

  function reasonOf(point: NumberedPoint, leftOut: ReadonlySet<NumberedPoint>): LeftOutReason {
    if (twice.has(point)) return 'said';
    if (leftOut.has(point)) return 'writer';
    if (crowded.has(point)) return 'sentences';
    if (failed.has(point)) return 'unsupported';
    return point.helps ? 'words' : 'level';
  }

  const owed = (leftOut: ReadonlySet<NumberedPoint>): NumberedPoint[] => {
    const drafted = new Set(slots.filter(({ sentence }) => sentence === null).flatMap(({ cited }) => cited));
    return helping(leftOut).filter((point) => uncited.has(point) && !drafted.has(point));
  };

  return {
    place(text, cited, position, isFirm = false) {
      const attempt = JSON.stringify([spelt(text), cited.map(({ number }) => number)]);
      if (said.has(spelt(text)) || tried.has(attempt)) return 'repeated';
      if (free === 0) {
        for (const point of cited) crowded.add(point);
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
      const slot: Slot = { cited, position, text, room, spare: null, sentence: null };
      slots.push(slot);
      return slot;
    },
    fill(slot, text, cited, verification) {
      const unfit = set(slot, text, cited, verification);
      if (unfit === 'tooLong') slot.spare = { text, cited, verification };
      if (unfit === null) emit();
      return unfit;
    },
    reserve(needed) {
      kept = needed;
      const gone = new Set<Slot>();
      for (let s = slots.length - 1; s >= emitted && left < kept; s--) {
        const slot = slots[s];
        if (slot.sentence !== null) continue;
        left += slot.room;
        free++;
        gone.add(slot);
        slots.splice(s, 1);
      }
      return gone;
    },
    unlabel({ position }) {
      unlabelled.add(listOf(position) ?? '');
    },
    missing: (leftOut) => owed(leftOut).slice(0, free),
    finish(ownOf, leftOut) {
      for (const slot of slots) {
        if (slot.sentence !== null) continue;
        left += slot.room;
        slot.room = 0;
      }
      const late: Verification[] = [];
      for (const slot of slots) {
        if (slot.spare === null || slot.sentence !== null) continue;
        const { text, cited, verification } = slot.spare;
        if (set(slot, text, cited, verification) === null) late.push(verification);
      }
      let replaced = 0;
      for (const slot of slots.slice(emitted)) {
        const { sentence, position } = slot;
        const settled = sentence === null ? standsIn(slot, ownOf) : [sentence];
        if (sentence === null) replaced += settled.length;
        for (const each of settled) lay(each, position);
      }
      const added = own(owed(leftOut), ownOf);
      // A limit too small for any point still admits the best one.
      const isEmpty = () => added.length + laid.length === 0;
      if (isEmpty()) added.push(...own(helping(leftOut), ownOf));
      if (isEmpty()) added.push(...anyway(leftOut, ownOf));
      const after = (slots.at(-1)?.position.paragraph ?? -1) + 1;
      for (const each of added) lay(each, { paragraph: after });
      return {
        sentences: laid,
        late,
        replaced,
        added: added.length,
        leftOut: [...uncited].map((point) => ({ point, reason: reasonOf(point, leftOut) })),
      };
    },
  };
}

/** Names the list that stands under a label in a paragraph; null if there is none. */
export function listOf({ paragraph, label }: Position): string | null {
  return label === undefined ? null : `${paragraph} ${label}`;
}

/** Maximum number of cited documents of a sentence that one of its points can replace. */
const MAX_STOOD_FOR = 2;

function isQuotedBy(
  standing: readonly SummarySentence[],
  { quoteText }: NumberedPoint,
  { verification, citations: [own] }: SummarySentence,
): boolean {
  if (verification !== 'verbatim') return false;
  return standing.some(
    ({ text, citations }) => citations.some((cited) => liesWithin(own, cited)) && holdsWords(text, quoteText),
  );
}
