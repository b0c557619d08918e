import { citeAll } from '../cite-point.ts';
import { countWords } from '../count-words.ts';
import { spelt } from '../sentence-text.ts';
import type { SummarySentence } from '../summary.ts';
import type { NumberedPoint } from './material.ts';

/** Told of every sentence once it stands and all before it do. */
export type OnSentence = (sentence: SummarySentence) => void;

/** A place in the text for one sentence of a draft. */
export interface Slot {
  /** What the draft cites there. */
  readonly cited: readonly NumberedPoint[];
  /** What the summary loses where the place stays empty. */
  readonly owed: readonly NumberedPoint[];
  readonly paragraph: number;
  sentence: SummarySentence | null;
}

export interface AssemblyOptions {
  readonly format: 'report' | 'bullets';
  readonly points: readonly NumberedPoint[];
  /** Numbers by theme, the order of what is added in the end. */
  readonly paragraphs: readonly (readonly number[])[];
  /** Words that the text may hold. */
  readonly words: number;
  readonly onSentence: OnSentence;
}

/**
 * Puts a text together from checked sentences in the order in which they come, so that what stands can be read while the
 * rest is written. Words are counted as they are spent, and what is left always holds the own wording of every selected
 * point that no sentence cites yet: in the end nothing selected is missing (P3), and the bound is kept.
 */
export interface Assembly {
  /** A place for a sentence; null for one that was said or tried already, or whose bullet is there already. */
  place(text: string, cited: readonly NumberedPoint[], paragraph: number): Slot | null;
  /** Fills a place; false where it is filled, the sentence too long for the words that are left, or a bullet not on its point. */
  fill(slot: Slot, text: string, cited: readonly NumberedPoint[], support: number | null): boolean;
  /** Fills what is empty with the own wording of the points, and adds those that no sentence cites. */
  finish(): Assembled;
}

export interface Assembled {
  readonly paragraphs: readonly (readonly SummarySentence[])[];
  /** Places that points took in their own wording. */
  readonly replaced: number;
  /** Points that no sentence of the draft had a place for. */
  readonly added: number;
}

export function assembly({ format, points, paragraphs, words, onSentence }: AssemblyOptions): Assembly {
  const uncited = new Set(points.filter(({ isSelected }) => isSelected));
  const bullets = new Map(
    [...uncited].map((point) => [point, { cited: [point], owed: [point], paragraph: 0, sentence: null }]),
  );
  const slots: Slot[] = format === 'bullets' ? [...bullets.values()] : [];
  const drafted = new Set<Slot>();
  const said = new Set<string>();
  const tried = new Set<string>();
  let left = words;
  for (const { ownWords } of uncited) left -= ownWords;
  let told = 0;

  function tell(): void {
    for (let sentence = slots[told]?.sentence; sentence != null; sentence = slots[told]?.sentence) {
      onSentence(sentence);
      told++;
    }
  }

  function settle(slot: Slot): SummarySentence[] {
    if (slot.sentence !== null) return [slot.sentence];
    const owed = slot.owed.filter((point) => uncited.delete(point)).sort((a, b) => a.number - b.number);
    return owed.map(({ own }) => own);
  }

  return {
    place(text, cited, paragraph) {
      const attempt = JSON.stringify([spelt(text), cited.map(({ number }) => number)]);
      if (said.has(spelt(text)) || tried.has(attempt)) return null;
      tried.add(attempt);
      if (format === 'report') {
        slots.push({ cited, owed: cited.filter(({ isSelected }) => isSelected), paragraph, sentence: null });
        drafted.add(slots[slots.length - 1]);
        return slots[slots.length - 1];
      }
      const bullet = cited.map((point) => bullets.get(point)).find((slot) => slot !== undefined);
      if (bullet === undefined || bullet.sentence !== null) return null;
      drafted.add(bullet);
      return bullet;
    },
    fill(slot, text, cited, support) {
      const isFirst = slot.sentence === null && !said.has(spelt(text));
      const owed = format === 'bullets' ? slot.owed : cited;
      const spared = owed.filter((point) => uncited.has(point));
      const cost = spared.reduce((rest, { ownWords }) => rest - ownWords, countWords(text));
      const isOnPoint = format === 'report' || slot.owed.every((point) => cited.includes(point));
      if (!isFirst || !isOnPoint || cost > left) return false;
      left -= cost;
      for (const point of spared) uncited.delete(point);
      said.add(spelt(text));
      slot.sentence = citeAll(
        text,
        cited.map(({ own }) => own),
        support,
      );
      tell();
      return true;
    },
    finish() {
      const placed: SummarySentence[][] = [];
      let replaced = 0;
      slots.forEach((slot, index) => {
        const settled = settle(slot);
        if (slot.sentence === null && drafted.has(slot)) replaced += settled.length;
        placed[slot.paragraph] = [...(placed[slot.paragraph] ?? []), ...settled];
        if (index >= told) for (const sentence of settled) onSentence(sentence);
      });
      const rest = paragraphs.map((numbers) =>
        numbers.map((number) => points[number - 1]).filter((point) => uncited.has(point)),
      );
      for (const { own } of rest.flat()) onSentence(own);
      const bare = slots.filter((slot) => slot.sentence === null && !drafted.has(slot)).length;
      return {
        paragraphs: [...placed, ...rest.map((theme) => theme.map(({ own }) => own))].filter((each) => each?.length > 0),
        replaced,
        added: rest.flat().length + bare,
      };
    },
  };
}
