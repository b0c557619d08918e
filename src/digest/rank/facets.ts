import { asks, STOP_WORDS } from '../../selection/index.ts';
import { sentences } from '../../text/index.ts';

/** A part of an intent that can be answered by itself. */
export interface Facet {
  /** As the reader put it. */
  readonly text: string;
  /** The same with what it leans on, which is what is looked for: "Why do nodes fail how was it fixed?" */
  readonly asked: string;
}

/** More facets than this are a list, of which the whole intent speaks better. */
const MAX = 6;
/** Words of its own that a facet needs; "why does it matter" has none. */
const MIN_CONTENT = 2;
/** Where a sentence asks a second thing: "…, and what …", "…, how …", "…; …". */
const JOINTS =
  /\s*[;；]\s*|,?\s+(?:and|but|or|as well as)\s+(?=(?:how|what|why|who|whom|whose|when|where|which|whether)\b)|,\s+(?=(?:how|what|why)\b)/giu;
/** A part of a sentence with no more of them leaves to the first part what it is about: "why do the figures differ". */
const FEW_CONTENT = 3;
/** What stands for something that was named before. */
const ANAPHOR = /\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|each|one|there)\b/iu;

/** Words up to which statements before a question are its setting; more are a story with matters of its own. */
const MAX_SETTING_LENGTH = 25;

/**
 * The parts of an intent that can be answered one by one: its sentences, and the questions joined in one sentence. One
 * facet, the intent itself, where there is nothing to part. What is said before the questions ("I am resigning. What …?")
 * is asked with each, and the first part of a sentence with those after it that name nothing of their own ("… and why?").
 */
export function splitFacets(intent: string): Facet[] {
  const parts = sentences(intent).flatMap(({ start, end }) => {
    const joined = intent.slice(start, end).split(JOINTS);
    const [first = '', ...others] = joined.map((part) => part.trim()).filter((part) => part !== '');
    const leaning = others.map((text) => ({ text, asked: leans(text) ? `${first} ${text}` : text }));
    return first === '' ? [] : [{ text: first, asked: first }, ...leaning];
  });
  const facets = withSetting(parts);
  const canStand = facets.every(({ asked }) => contentWords(asked) >= MIN_CONTENT);
  return facets.length > 1 && facets.length <= MAX && canStand ? distinct(facets) : [whole(intent)];
}

/** An intent as its only facet. */
export function whole(intent: string): Facet {
  return { text: intent.trim(), asked: intent.trim() };
}

function leans(part: string): boolean {
  return contentWords(part) <= FEW_CONTENT || ANAPHOR.test(part);
}

function withSetting(parts: readonly Facet[]): readonly Facet[] {
  const first = parts.findIndex(({ text }) => asks(text));
  const before = parts.slice(0, Math.max(0, first));
  const setting = before.map(({ text }) => text).join(' ');
  if (setting === '' || setting.split(/\s+/u).length > MAX_SETTING_LENGTH) return parts;
  return parts.slice(first).map(({ text, asked }) => ({ text, asked: `${setting} ${asked}` }));
}

function distinct(facets: readonly Facet[]): Facet[] {
  return [...new Map(facets.map((facet) => [facet.asked, facet])).values()];
}

function contentWords(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).length;
}
