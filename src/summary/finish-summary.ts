import { numberSources } from './number-sources.ts';
import { renderText } from './render-text.ts';
import type { ComposeInput, Summary, SummarySentence } from './summary.ts';

/** Numbers the sources of finished paragraphs and lays them out as text. */
export function finishSummary(
  paragraphs: readonly (readonly SummarySentence[])[],
  { documents, format }: Pick<ComposeInput, 'documents' | 'format'>,
): Summary {
  const sentences = paragraphs.flat();
  const sources = numberSources(sentences, documents);
  return { text: renderText(paragraphs, sources, format), sentences, sources };
}
