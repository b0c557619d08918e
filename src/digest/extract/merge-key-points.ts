import { type FoundQuote, wordsOf } from '../../text/index.ts';

export interface QuotedStatement {
  readonly text: string;
  readonly spans: readonly FoundQuote[];
}

/** Punctuation around a word, without currency, percent and minus signs. */
const AROUND = /^["'“”„‘’«»()[\]{}¿¡]+|["'“”„‘’«»()[\]{},;:.!?…]+$/gu;

/**
 * Merges statements of several readings that have the same words. Keeps the first with the quotes of all. What only
 * nearly has the same words is left to the kernel.
 *
 * @returns in reading order
 */
export function mergeStatements(statements: readonly QuotedStatement[]): QuotedStatement[] {
  const merged = new Map<string, QuotedStatement>();
  for (const { text, spans } of statements) {
    const spelling = wordsOf(text)
      .map((word) => word.toLowerCase().replaceAll('’', "'").replace(AROUND, ''))
      .join(' ');
    const first = merged.get(spelling) ?? { text, spans: [] };
    merged.set(spelling, { text: first.text, spans: inOrder([...first.spans, ...spans]) });
  }
  return [...merged.values()].sort((a, b) => comparePlaces(a.spans[0], b.spans[0]) || (a.text < b.text ? -1 : 1));
}

/** Drops spans inside others and sorts by start, the longer first, then verbatim ones. */
function inOrder(spans: readonly FoundQuote[]): FoundQuote[] {
  const kept: FoundQuote[] = [];
  const isRepaired = ({ status }: FoundQuote) => Number(status === 'repaired');
  for (const span of [...spans].sort((a, b) => comparePlaces(a, b) || isRepaired(a) - isRepaired(b))) {
    if (!kept.some(({ start, end }) => start <= span.start && span.end <= end)) kept.push(span);
  }
  return kept;
}

function comparePlaces(a: FoundQuote, b: FoundQuote): number {
  return a.start - b.start || b.end - a.end;
}
