import { countWords } from '../summary/count-words.ts';
import type { Summary } from '../contract/summary.ts';
import type { DigestKeyPoint, DigestMetrics } from '../contract/digest.ts';
import type { ReadDocument } from './extract/read-documents.ts';

/** The digest's own measures, cheap enough for every request. */
export function metricsOf(
  documents: readonly ReadDocument[],
  keyPoints: readonly DigestKeyPoint[],
  summary: Summary,
  hasIntent: boolean,
): DigestMetrics {
  const selected = keyPoints.filter((point) => point.selected);
  const read = documents.filter(({ status }) => status === 'ok' || status === 'empty');
  const share = (ids: Set<string>): number => (read.length === 0 ? 0 : ids.size / read.length);
  const words = summary.sentences.reduce((sum, sentence) => sum + countWords(sentence.text), 0);
  const sourceWords = read.reduce((sum, { extraction }) => sum + (extraction?.words ?? 0), 0);
  return {
    documentCoverage: share(new Set(selected.map(({ document }) => document))),
    citedDocuments: share(new Set(summary.sources.map(({ document }) => document))),
    redundancy: mean(selected.flatMap(({ nearest }) => (nearest === null ? [] : [nearest.similarity]))),
    relevance: hasIntent ? mean(selected.flatMap(({ relevance }) => (relevance === null ? [] : [relevance]))) : null,
    compression: sourceWords === 0 ? 0 : words / sourceWords,
    words,
    wordsPerSentence: summary.sentences.length === 0 ? 0 : words / summary.sentences.length,
  };
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
