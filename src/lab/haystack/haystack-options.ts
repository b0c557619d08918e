import { type Random, seededRandom } from '../../selection/index.ts';
import type { BenchmarkSet } from '../benchmark-set.ts';

/** What is drawn, each from numbers of its own: what one draw takes does not move the others. */
const PURPOSES = ['recategorising', 'dealing', 'planning', 'showing', 'statements'] as const;

/** @param seed a whole number below 2^32 */
export function drawsFor(purpose: (typeof PURPOSES)[number], seed: number): Random {
  return seededRandom(seed + PURPOSES.indexOf(purpose) * 2 ** 32);
}

export const HAYSTACK_KINDS = ['news', 'conversation'] as const;
export type HaystackKind = (typeof HAYSTACK_KINDS)[number];

/** What a haystack is made of, by flag of the command. */
export interface HaystackOptions {
  readonly topic: string;
  readonly kind: HaystackKind;
  /** About so many. */
  readonly subtopics: number;
  /** Of a subtopic. */
  readonly insights: { readonly least: number; readonly most: number };
  readonly documents: number;
  /** Of a document, about. */
  readonly words: number;
  /** Documents that tell an insight, at least; not more than there are. */
  readonly least: number;
  /** Times that a document is put right, at most. */
  readonly edits: number;
  /** Times that a chapter of a conversation is written anew, at most. */
  readonly retries: number;
  /** Texts of documents on the topic, from which the outline is made; maybe none. */
  readonly seeds: readonly string[];
  readonly seed: number;
}

/** A set without the record of its making. */
export interface Haystack extends Omit<BenchmarkSet, 'made'> {
  /** Insights that fewer documents tell than were asked for. */
  readonly rare: readonly { readonly text: string; readonly documents: number }[];
}

/** A part of a topic, and what there is to know of it. */
export interface Subtopic {
  readonly name: string;
  /** A question that the insights answer. */
  readonly query: string;
  /** A sentence each, on one line. */
  readonly insights: readonly string[];
}

/** The insights of an outline, subtopic by subtopic. */
export interface PlacedInsight {
  readonly text: string;
  /** Place of its subtopic, from 0. */
  readonly subtopic: number;
}

export function insightsOf(subtopics: readonly Subtopic[]): PlacedInsight[] {
  return subtopics.flatMap(({ insights }, subtopic) => insights.map((text) => ({ text, subtopic })));
}

/** What happened, by name. */
export type Counts = Readonly<Record<string, number>>;
