import { Layout } from './layout.ts';
import { numberSources } from './number-sources.ts';
import { renderText } from './render-text.ts';
import type { ComposeInput, Format, Summary, SummarySentence } from '../contract/summary.ts';

/** Numbers the sources of sentences that have their places, and lays them out as text. */
export function finishSummary(
  sentences: readonly SummarySentence[],
  { documents }: Pick<ComposeInput, 'documents'>,
): Summary {
  const sources = numberSources(sentences, documents);
  return { text: renderText(sentences, sources), sentences, sources };
}

/** The sentences of paragraphs with their places in the layout of a format. */
export function laidOut(paragraphs: readonly (readonly SummarySentence[])[], format: Format): SummarySentence[] {
  const layout = new Layout(format);
  return paragraphs.flatMap((sentences, paragraph) =>
    sentences.map((sentence) => layout.place(sentence, { paragraph })),
  );
}
