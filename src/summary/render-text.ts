import type { Format, Source, SummarySentence } from './summary.ts';

/**
 * Lays paragraphs out as text: every sentence followed by its markers, in ascending order ("… [1][3]"). In `bullets` a
 * cited sentence is a line of its own that opens with "- "; framing stays a plain line. A `brief` is one paragraph.
 */
export function renderText(
  paragraphs: readonly (readonly SummarySentence[])[],
  sources: readonly Source[],
  format: Format,
): string {
  const numbers = new Map(sources.map((source) => [source.document, source.number]));
  const line = (sentence: SummarySentence) => sentence.text + markers(sentence, numbers);
  const bullet = (sentence: SummarySentence) => (sentence.framing ? '' : '- ') + line(sentence);
  const laid = format === 'brief' ? [paragraphs.flat()] : paragraphs;
  return laid
    .filter((sentences) => sentences.length > 0)
    .map((sentences) => (format === 'bullets' ? sentences.map(bullet).join('\n') : sentences.map(line).join(' ')))
    .join('\n\n');
}

function markers(sentence: SummarySentence, numbers: ReadonlyMap<string, number>): string {
  if (sentence.citations.length === 0) return '';
  const cited = new Set(sentence.citations.map((citation) => numbers.get(citation.document) ?? 0));
  return ` ${[...cited]
    .sort((a, b) => a - b)
    .map((number) => `[${number}]`)
    .join('')}`;
}
