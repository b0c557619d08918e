import { WORDY } from '../documents/characters.ts';
import type { Span } from '../documents/document.ts';
import { isQuestion } from '../documents/question.ts';
import { tidy } from './tidy.ts';

/** What a key point is told to stand under, at most: the innermost are kept. */
const MOST = 4;
const LONGEST = 300;

/** Texts of what sentences of a document stand under; each place is tidied once. */
export function underTexts(view: string): (under: readonly Span[], text: string) => readonly string[] | undefined {
  const texts = new Map<number, string>();
  const textAt = ({ start, end }: Span): string => {
    const known = texts.get(start);
    if (known !== undefined) return known;
    const shown = shownText(view.slice(start, Math.min(end, start + LONGEST + 1)));
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

function shownText(quote: string): string {
  const text = tidy(quote).replace(/\s+#+$/, '');
  if (!WORDY.test(text)) return '';
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
