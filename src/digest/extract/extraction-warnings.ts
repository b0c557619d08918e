import type { Preset } from '../../contract/index.ts';
import type { ReadDocuments } from './read-documents.ts';

/** Share of a model's key points that may quote what no document holds before the digest says so. */
const POOR = 0.5;

/**
 * Says where a model that extracted was of little use: most of what it quoted stands in no document. A published arm, which is to
 * lose nothing that the model found, says so of every key point.
 */
export function extractionWarnings({ documents }: ReadDocuments, preset: Preset): string[] {
  const sum = (count: (extraction: NonNullable<(typeof documents)[number]['extraction']>) => number): number =>
    documents.reduce((total, { extraction }) => total + (extraction === null ? 0 : count(extraction)), 0);
  const unverified = sum((extraction) => extraction.unverified.length);
  const all = unverified + sum((extraction) => extraction.keyPoints.length);
  const isPoor = unverified > POOR * all;
  if (unverified === 0 || !(isPoor || preset === 'published')) return [];
  const discarded = `${unverified} of the ${all} key points from the language model have quotes that are not in the documents; they were discarded.`;
  return [isPoor ? `${discarded} The extractor "sentences" may work better.` : discarded];
}
