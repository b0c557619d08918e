import { WORDY } from '../documents/characters.ts';
import type { Span } from '../documents/document.ts';
import { isQuestion } from '../documents/question.ts';
import { isByline } from './boilerplate.ts';
import { leaning } from './leaning.ts';
import { tidy } from './tidy.ts';
import { tidySpeech } from './tidy-speech.ts';

/** What a key point is told to stand under, at most: the innermost are kept. */
const MOST = 4;
const LONGEST = 300;
/** A connective shorter than this has nothing beside it. */
const SHORTEST = 10;

/** Texts of what sentences of a document stand under; each place is tidied once. */
export function underTexts(
  view: string,
  { english, spoken }: { english: boolean; spoken: boolean },
): (under: readonly Span[], text: string) => readonly string[] | undefined {
  const texts = new Map<number, string>();
  const textAt = ({ start, end }: Span): string => {
    const known = texts.get(start);
    if (known !== undefined) return known;
    const quote = view.slice(start, Math.min(end, start + LONGEST + 1));
    const text = shownText(spoken ? tidySpeech(quote, true) : tidy(quote));
    // "But:" leads into a list without saying to what.
    const shown = text.length < SHORTEST && leaning(text, { english, lower: false }) === 'connective' ? '' : text;
    texts.set(start, shown);
    return shown;
  };
  return (under, text) => {
    const kept: string[] = [];
    let left = LONGEST;
    for (const span of [...under].reverse()) {
      const entry = textAt(span);
      if (entry === '' || kept.includes(entry) || isSame(entry, text)) continue;
      if (kept.length >= MOST || entry.length > left) break;
      kept.unshift(entry);
      left -= entry.length;
    }
    return kept.length > 0 ? kept : undefined;
  };
}

function shownText(tidied: string): string {
  const text = tidied.replace(/\s+#+$/, '');
  if (!WORDY.test(text) || isByline(text)) return '';
  return isQuestion(text) ? text : text.replace(/[\s:：.。]+$/u, '');
}

function isSame(entry: string, text: string): boolean {
  const plain = (each: string) =>
    each
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return plain(entry) === plain(text);
}
