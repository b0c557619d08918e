import type { Digest } from './types.ts';

type Summary = Digest['summary'];
export type Sentence = Summary['sentences'][number];

/** Sentences that stand together, as running text. */
interface Paragraph {
  readonly kind: 'paragraph';
  readonly sentences: readonly Sentence[];
}

/** Items of one or more sentences, and what they stand under: "Still open", without its colon. */
interface List {
  readonly kind: 'list';
  readonly label: string | null;
  readonly items: readonly (readonly Sentence[])[];
}

/** The parts of a summary, in their order; its sentences are all there. */
export function layoutOf(summary: Summary): (Paragraph | List)[] {
  const parts: (
    | { kind: 'paragraph'; sentences: Sentence[] }
    | { kind: 'list'; label: string | null; items: Sentence[][] }
  )[] = [];
  let before: Sentence | null = null;
  for (const sentence of withPlaces(summary)) {
    const { paragraph, item, label = null } = sentence;
    const last = paragraph === before?.paragraph ? parts.at(-1) : undefined;
    if (item === undefined) {
      if (last?.kind === 'paragraph') last.sentences.push(sentence);
      else parts.push({ kind: 'paragraph', sentences: [sentence] });
    } else if (last?.kind !== 'list') parts.push({ kind: 'list', label, items: [[sentence]] });
    else if (item === before?.item) last.items.at(-1)?.push(sentence);
    else last.items.push([sentence]);
    before = sentence;
  }
  return parts;
}

/** Digests that were made before sentences had places have their layout in their text alone. */
function withPlaces({ text, sentences }: Summary): readonly Sentence[] {
  if (sentences.every(({ paragraph }) => paragraph !== undefined)) return sentences;
  let at = 0;
  let paragraph = 0;
  let item: number | undefined;
  return sentences.map((sentence, index) => {
    const found = text.indexOf(sentence.text, at);
    const before = found < 0 ? ' ' : text.slice(at, found);
    if (found >= 0) at = found + sentence.text.length;
    const isItem = /(?:^|\n)- $/.test(before);
    if (index > 0 && (before.includes('\n\n') || isItem !== (item !== undefined))) {
      paragraph++;
      item = undefined;
    }
    item = isItem ? (item ?? -1) + 1 : undefined;
    return { ...sentence, paragraph, item };
  });
}
