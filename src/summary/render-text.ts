import type { Source, SummarySentence } from '../contract/summary.ts';

/**
 * Lays sentences out as text by their paragraphs and items: every sentence is followed by its markers, in ascending order
 * ("… [1][3]"), an item of a list opens a line with "- ", and what a list stands under is a line of its own before it.
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

function markers(sentence: SummarySentence, numbers: ReadonlyMap<string, number>): string {
  if (sentence.citations.length === 0) return '';
  const cited = new Set(sentence.citations.map((citation) => numbers.get(citation.document) ?? 0));
  return ` ${[...cited]
    .sort((a, b) => a - b)
    .map((number) => `[${number}]`)
    .join('')}`;
}
