import type { LeftOutReason, SummarySentence, Verification } from '../../contract/index.ts';
import { countWords } from '../count-words.ts';
import type { Layout, Position } from '../layout.ts';
import { citeAll } from '../outline.ts';
import { holdsWords, liesWithin } from '../same-statements.ts';
import { spelt, speltWords } from '../sentence-text.ts';
import type { NumberedPoint } from './material.ts';

/** Told of every sentence once it stands and all before it do. */
export type OnSentence = (sentence: SummarySentence) => void;

/** A place in the text for one sentence of a draft. */
export interface Slot {
  /** What the draft cites there: what the summary loses where the place stays empty. */
  readonly cited: readonly NumberedPoint[];
  readonly position: Position;
  /** As it was drafted. */
  readonly text: string;
  /** Words that are kept for it. */
  room: number;
  /** What stood but was too long for it when it came: other places may stay empty. */
  spare: {
    readonly text: string;
    readonly cited: readonly NumberedPoint[];
    readonly verification: Verification;
  } | null;
  sentence: SummarySentence | null;
}

/** Why a sentence is not in the text: it was said before, the words that are left do not hold it, or no more are wanted. */
export type Unplaced = 'repeated' | 'tooLong' | 'tooMany';

interface AssemblyOptions {
  /** In the order in which they are added. */
  readonly points: readonly NumberedPoint[];
  /** Words that the text may hold. */
  readonly words: number;
  /** Words of these that are kept for what nobody speaks to, until it is known. */
  readonly reserve: number;
  /** Sentences that it may hold. */
  readonly sentences: number;
  /** Gives what is told its place. */
  readonly layout: Layout;
  readonly onSentence: OnSentence;
}

/**
 * Puts a text together from the sentences of a draft in their order, so that what stands can be read while the rest is judged.
 * Words are counted as they are spent, and the bound is kept. What no sentence cites and the writer did not leave out is added
 * as far as there is room: nothing selected is lost silently (P3).
 */
export interface Assembly {
  /**
   * A place for a sentence, unless it was said or tried already, or has no room.
   *
   * @param isFirm whether it stands as it is: one that is to be judged may take words of the reserve
   */
  place(text: string, cited: readonly NumberedPoint[], position: Position, isFirm?: boolean): Slot | Unplaced;
  /** Sets the reserve, now that it is known; gives the last places that have no room beside it, and are no more. */
  reserve(words: number): ReadonlySet<Slot>;
  /** Takes the label from the list of a place: something in it is not borne out. */
  unlabel(slot: Slot): void;
  /** Fills a place that is empty, with what stands under its label; says why where it does not. */
  fill(slot: Slot, text: string, cited: readonly NumberedPoint[], verification: Verification): Unplaced | null;
  /** Points that no sentence cites, and that would be added: as many as there are sentences left. */
  missing(leftOut: ReadonlySet<NumberedPoint>): readonly NumberedPoint[];
  /**
   * Fills what is empty with a point as it stands, and adds those that are missing. A label of a list stays where a sentence
   * stands under it.
   *
   * @param ownOf the sentence of a point as it may stand
   * @param leftOut what the writer left out
   */
  finish(ownOf: (point: NumberedPoint) => SummarySentence, leftOut: ReadonlySet<NumberedPoint>): Assembled;
}

interface Assembled {
  /** With their places in the layout. */
  readonly sentences: readonly SummarySentence[];
  /** How those stand that were too long at first, and found room that others left. */
  readonly late: readonly Verification[];
  /** Places that a point took in its own wording. */
  readonly replaced: number;
  /** Points that no sentence of the draft cited. */
  readonly added: number;
  readonly leftOut: readonly { readonly point: NumberedPoint; readonly reason: LeftOutReason }[];
}

export function assembly({ points, words, reserve, sentences, layout, onSentence }: AssemblyOptions): Assembly {
  const uncited = new Set(points);
  const slots: Slot[] = [];
  const said = new Set<string>();
  const tried = new Set<string>();
  /** The sentences that stand, by the documents that they cite. */
  const standing = new Map<string, SummarySentence[]>();
  const twice = new Set<NumberedPoint>();
  const failed = new Set<NumberedPoint>();
  const crowded = new Set<NumberedPoint>();
  let left = words;
  let kept = reserve;
  let free = sentences;
  const laid: SummarySentence[] = [];
  /** The list of the last slot, by what it stands under, and such lists that a sentence was held with. */
  let list: string | null = null;
  const borneOut = new Set<string>();
  const unlabelled = new Set<string>();
  /** Slots that are laid out. */
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

  /** The sentences of points that are still owed, as far as there is room for them. */
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

  /** Points that may be told where the writer passed them over. */
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

  /**
   * What stands in for a sentence that failed: the point of it that says most of the same; nothing for one that led over many
   * documents into what follows.
   */
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
      // A bound that holds no point at all tells the best.
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

/** Documents that a sentence tells of at most, if one point of it still says what it is about. */
const MAX_STOOD_FOR = 2;

/** Whether a point would print its quote where a sentence holds it that cites the same words, or more of them. */
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
