import type { ReadDocuments } from './read-documents.ts';

/** Share of a model's key points that may quote what no document holds before the digest says so. */
const POOR = 0.5;

/** Says where a model that extracted was of little use: most of what it quoted stands in no document. */
export function extractionWarnings({ documents }: ReadDocuments): string[] {
  const sum = (count: (extraction: NonNullable<(typeof documents)[number]['extraction']>) => number): number =>
    documents.reduce((total, { extraction }) => total + (extraction === null ? 0 : count(extraction)), 0);
  const unverified = sum((extraction) => extraction.unverified.length);
  const all = unverified + sum((extraction) => extraction.keyPoints.length);
  if (unverified === 0 || unverified <= POOR * all) return [];
  return [
    `${unverified} of the ${all} key points from the language model have quotes that are not in the documents; they were discarded. The extractor "sentences" may work better.`,
  ];
}
