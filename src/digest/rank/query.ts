import { isReranker, type RelevanceScorer } from '../../models/index.ts';
import type { Intent, Reader } from '../../summary/index.ts';
import { asks, language, languageAmong, STOP_WORDS, sentences } from '../../text/index.ts';
import { encodedText } from '../extract/points.ts';
import type { DateWindow, ReadDocument } from '../extract/read-documents.ts';
import type { EarlierReading, PlannedRequest, ResolvedReport } from '../request.ts';
import type { Ranking } from './ranking-task.ts';

export interface Facet {
  readonly text: string;
  /** The part with the statements before it. */
  readonly alone: string;
  /** The same with what it depends on: "How was it fixed? (Why do nodes fail)" */
  readonly asked: string;
}

export interface Query extends DateWindow {
  /** The question without the user story; null without an intent. */
  readonly text: string | null;
  readonly language: string;
  readonly facets: readonly Facet[];
  readonly background: string | null;
  readonly earlier: EarlierReading | null;
}

/** Reads an intent. Only the problem is searched; the user story goes to the writer. */
export function queryOf({ intent, earlier }: Pick<PlannedRequest, 'intent' | 'earlier'>, isSplit: boolean): Query {
  const report: Partial<ResolvedReport> = typeof intent === 'object' ? intent : { problem: intent ?? '' };
  const { problem = '', background = '', publishedAfter, publishedBefore } = report;
  const blank = !/[\p{L}\p{N}]/u.test(problem);
  return {
    text: blank ? null : problem.trim().replace(/\s+/g, ' '),
    language: language(problem),
    facets: blank ? [] : isSplit ? splitFacets(problem) : [whole(problem)],
    background: background.trim() || null,
    earlier: earlier ?? null,
    publishedAfter,
    publishedBefore,
  };
}

/** An intent with more facets is a list, and is searched as a whole. */
const MAX_FACETS = 6;
/** Min content words of a facet; "why does it matter" has none. */
const MIN_CONTENT = 2;
/** A second question within a sentence: "…, and what …", "…, how …", "…; …". */
const JOINTS =
  /\s*[;；]\s*|,?\s+(?:and|but|or|as well as)\s+(?=(?:how|what|why|who|whom|whose|when|where|which|whether)\b)|,\s+(?=(?:how|what|why)\b)/giu;
/** A part with at most this number of content words depends on the first part of its sentence: "why do the figures differ". */
const FEW_CONTENT = 3;
const ANAPHOR = /\b(?:it|its|they|them|their|he|him|his|she|her|this|that|these|those|each|one|there)\b/iu;
const MAX_SETTING_LENGTH = 25;

/** Splits an intent into its questions, with the statements before them. A dependent part ("… and why?") names the start of its sentence. */
export function splitFacets(intent: string): Facet[] {
  const parts = sentences(intent).flatMap(({ start, end }) => {
    const joined = intent.slice(start, end).split(JOINTS);
    const [first = '', ...others] = joined.map((part) => part.trim()).filter((part) => part !== '');
    const later = others.map((text) => ({ text, alone: text, asked: isDependent(text) ? after(first, text) : text }));
    return first === '' ? [] : [whole(first), ...later];
  });
  const facets = withSetting(parts);
  const canStand = facets.every(({ asked }) => contentWords(asked) >= MIN_CONTENT);
  if (facets.length <= 1 || facets.length > MAX_FACETS || !canStand) return [whole(intent)];
  return [...new Map(facets.map((facet) => [facet.asked, facet])).values()];
}

export function whole(intent: string): Facet {
  const text = intent.trim();
  return { text, alone: text, asked: text };
}

/** The form in which the sentence reader was trained on parts. */
function after(first: string, part: string): string {
  return `${part.charAt(0).toUpperCase()}${part.slice(1).replace(/\s*[?？]$/u, '')}? (${first})`;
}

function isDependent(part: string): boolean {
  return contentWords(part) <= FEW_CONTENT || ANAPHOR.test(part);
}

function withSetting(parts: readonly Facet[]): readonly Facet[] {
  const first = parts.findIndex(({ text }) => asks(text));
  const before = parts.slice(0, Math.max(0, first));
  const setting = before.map(({ text }) => text).join(' ');
  if (setting === '' || setting.split(/\s+/u).length > MAX_SETTING_LENGTH) return parts;
  return parts.slice(first).map(({ text, alone, asked }) => {
    return { text, alone: `${setting} ${alone}`, asked: `${setting} ${asked}` };
  });
}

function contentWords(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}']+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).length;
}

/** Whether the encoder is known not to support the language. */
export function isForeign(language: string, { profile }: RelevanceScorer): boolean {
  return language !== 'und' && profile.languages !== null && !profile.languages.includes(language);
}

/** Sets the language of the query from the documents if it is uncertain. */
export function inLanguageOf(query: Query, documents: readonly ReadDocument[]): Query {
  if (query.text === null) return query;
  const common = commonLanguage(documents);
  const texts = documents
    .filter(({ extraction }) => extraction?.language === common)
    .map(({ document }) => document.text);
  return { ...query, language: languageAmong(query.text, common, texts) };
}

/** The most frequent language; `und` if none is known. */
export function commonLanguage(documents: readonly ReadDocument[]): string {
  const counts = new Map<string, number>();
  for (const { extraction } of documents) {
    const known = extraction?.language ?? 'und';
    if (known !== 'und') counts.set(known, (counts.get(known) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return most?.[0] ?? 'und';
}

/** Whether the best point of each facet may answer it, and does for sure; in an unsupported language, whether they share a word. */
export function answeredBy(query: Query, { best }: Ranking, scorer: RelevanceScorer): Matched[] {
  return query.facets.map((_, f) => {
    const { value, mayAnswer, answers } = best[f];
    if (isReranker(scorer)) return { matched: value >= scorer.profile.matched };
    return isForeign(query.language, scorer) ? { matched: value > 0 } : { matched: mayAnswer, isSure: answers };
  });
}

type Matched = Pick<Intent['facets'][number], 'matched' | 'isSure'>;

export function intentOf(query: Query, answered: readonly Matched[]): Intent | null {
  if (query.text === null) return null;
  const facets = query.facets.map(({ text }, f) => ({ text, ...answered[f] }));
  return { text: query.text, facets, matched: facets.some(({ matched }) => matched) };
}

export function readerOf(
  { intent }: Pick<PlannedRequest, 'intent'>,
  { text, facets, background, earlier, language }: Query,
): Reader {
  const known = [background, ...(earlier?.points ?? []).map(encodedText)];
  return {
    question: text,
    facets: facets.map((facet) => facet.text),
    userStory: (typeof intent === 'object' && intent.userStory?.trim()) || null,
    background: known.filter(Boolean).join('\n') || null,
    language,
  };
}
