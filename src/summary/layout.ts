import type { Format, Source, Summary, SummarySentence } from '../contract/index.ts';
import { citationMarkers } from '../text/index.ts';
import type { ComposeInput, DescribedDocument } from './input.ts';

export interface Position {
  readonly paragraph: number;
  readonly item?: number | undefined;
  readonly label?: string | undefined;
}

/**
 * Assigns sentences, in order, their places in the layout of a format, so that a streamed text matches the final one.
 * In `bullets` each cited sentence is an item unless it shares a requested one; a `brief` is one paragraph without
 * lists.
 */
export function layoutOf(format: Format) {
  let paragraph = -1;
  let item: number | undefined;
  let before: Position | null = null;

  function goesOn(position: Position, isItem: boolean): boolean {
    if (before === null || position.label !== before.label) return false;
    if (item !== undefined && !isItem) return false;
    if (format !== 'bullets') return position.paragraph === before.paragraph;
    return isItem ? item !== undefined : position.paragraph === before.paragraph;
  }

  return (sentence: SummarySentence, position: Position): SummarySentence => {
    if (format === 'brief') return { ...sentence, paragraph: 0 };
    const isItem = position.item !== undefined || (format === 'bullets' && !sentence.framing);
    const isSameItem = before !== null && isItem && position.item !== undefined && position.item === before.item;
    if (!goesOn(position, isItem)) {
      paragraph++;
      item = undefined;
    }
    if (!isItem) item = undefined;
    else if (item === undefined) item = 0;
    else if (!isSameItem) item++;
    before = position;
    if (item === undefined) return { ...sentence, paragraph };
    return { ...sentence, paragraph, item, ...(position.label !== undefined && { label: position.label }) };
  };
}

export type Layout = ReturnType<typeof layoutOf>;

export function finishSummary(
  sentences: readonly SummarySentence[],
  { documents }: Pick<ComposeInput, 'documents'>,
): Summary {
  const sources = numberSources(sentences, documents);
  return { text: renderText(sentences, sources), sentences, sources };
}

export function laidOut(paragraphs: readonly (readonly SummarySentence[])[], format: Format): SummarySentence[] {
  const place = layoutOf(format);
  return paragraphs.flatMap((sentences, paragraph) => sentences.map((sentence) => place(sentence, { paragraph })));
}

/** Numbers the cited documents 1, 2, 3… in the order in which a reader meets them. */
function numberSources(
  sentences: readonly SummarySentence[],
  documents: readonly DescribedDocument[],
): readonly Source[] {
  const described = new Map(documents.map((each) => [each.id, each]));
  const cited = new Set(sentences.flatMap((sentence) => sentence.citations.map((citation) => citation.document)));
  return [...cited].map((document, index) => {
    const { title, publishedAt } = described.get(document) ?? {};
    const facts = { ...(title !== undefined && { title }), ...(publishedAt !== undefined && { publishedAt }) };
    return { number: index + 1, document, ...facts };
  });
}

/**
 * Renders sentences by paragraph and item. Markers follow each sentence in ascending order ("… [1][3]"), list items
 * begin with "- ", and a list's label is a line before it, without markers: its list has them.
 */
export function renderText(sentences: readonly SummarySentence[], sources: readonly Source[]): string {
  const numbers = new Map(sources.map((source) => [source.document, source.number]));
  let text = '';
  let before: SummarySentence | null = null;
  for (const sentence of sentences) {
    const { paragraph, item, label } = sentence;
    const isNext = before === null || paragraph !== before.paragraph;
    const isOpening = item !== undefined && (isNext || item !== before?.item);
    if (before !== null) text += isNext ? '\n\n' : isOpening ? '\n' : ' ';
    if (isNext && label !== undefined) text += `${label}:\n`;
    text += `${isOpening ? '- ' : ''}${sentence.text}${markers(sentence, numbers)}`;
    before = sentence;
  }
  return text;
}

function markers({ citations }: SummarySentence, numbers: ReadonlyMap<string, number>): string {
  const cited = new Set(citations.map((each) => numbers.get(each.document) ?? 0));
  if (cited.size === 0) return '';
  return ` ${citationMarkers([...cited].sort((a, b) => a - b))}`;
}
