import type { Preset } from '../contract/index.ts';
import { isReranker, type RelevanceScorer } from '../models/index.ts';
import { languageName } from '../text/index.ts';
import type { Reading } from './extract/extract.ts';
import type { DateWindow, ReadDocument, ReadDocuments } from './extract/read-documents.ts';
import type { Plan } from './plan.ts';
import type { GradedRanking } from './rank/grade.ts';
import { isForeign, type Query } from './rank/query.ts';
import type { Question } from './rank/split-intent.ts';
import type { EarlierReading } from './request.ts';
import type { Selected } from './select/select.ts';
import type { Written } from './write.ts';

export function warningsOf(
  { options, request, naive }: Plan,
  question: Question,
  reading: Reading,
  ranking: GradedRanking,
  selected: Selected,
  written: Written,
): string[] {
  const { documents } = reading;
  const { searched } = question;
  return [
    ...dateWarnings(documents, question.query),
    ...earlierWarnings(documents, request.earlier),
    ...languageWarnings(documents, searched, options.relevanceEncoder),
    ...(ranking.isGraded ? [] : levelWarnings(searched, options.relevanceEncoder, options.estimate)),
    ...question.warnings,
    ...ranking.warnings,
    ...(naive === null ? extractionWarnings(reading, options.preset) : []),
    ...selected.warnings,
    ...reading.warnings,
    ...written.warnings,
  ];
}

function dateWarnings(documents: readonly ReadDocument[], { publishedAfter, publishedBefore }: DateWindow): string[] {
  if (publishedAfter === undefined && publishedBefore === undefined) return [];
  if (documents.every(({ excluded }) => excluded === 'date')) {
    return ['Every document lies outside the date window; none was read.'];
  }
  const undated = documents.filter(({ document }) => document.publishedAt === undefined).length;
  if (undated === 0) return [];
  const subject = undated === 1 ? 'One document has' : `${undated} documents have`;
  return [`${subject} no publication date and ${undated === 1 ? 'was' : 'were'} read regardless of the date window.`];
}

function earlierWarnings(documents: readonly ReadDocument[], earlier: EarlierReading | undefined): string[] {
  if (earlier === undefined) return [];
  const known = documents.filter(({ excluded }) => excluded === 'known').length;
  if (known === 0) return [];
  if (known === documents.length) {
    return [`Nothing is new: every document was read for ${earlier.digest} or before.`];
  }
  const were = known === 1 ? 'One document was' : `${known} documents were`;
  return [`${were} read for ${earlier.digest} or before, and not again.`];
}

/** In an unsupported language, relevance depends on shared words. */
function languageWarnings(documents: readonly ReadDocument[], query: Query, encoder: RelevanceScorer): string[] {
  const warnings: string[] = [];
  const fallback = `which the encoder "${encoder.profile.id}" does not support; relevance is based on shared words`;
  if (isForeign(query.language, encoder)) {
    warnings.push(`The intent is in ${languageName(query.language)}, ${fallback}.`);
  }
  const foreign = documents.flatMap(({ extraction }) =>
    extraction !== null && isForeign(extraction.language, encoder) ? [languageName(extraction.language)] : [],
  );
  if (foreign.length > 0) {
    const count = foreign.length === 1 ? 'One document is' : `${foreign.length} documents are`;
    warnings.push(`${count} in ${[...new Set(foreign)].sort().join(', ')}, ${fallback}.`);
  }
  return warnings;
}

function levelWarnings(query: Query, scorer: RelevanceScorer, isEstimate: boolean): string[] {
  if (query.text === null || !isEstimate || isReranker(scorer) || scorer.profile.calibration.relevance !== null)
    return [];
  return [
    `The encoder "${scorer.profile.id}" has no calibrated relevance: key points are ranked, but it is unknown whether they answer the question.`,
  ];
}

/** Warn if a larger share of a model's key points has no valid quote. */
const POOR = 0.5;

/** Warns if many key points have no valid quote; in a published arm, which should lose none, if any has. */
export function extractionWarnings({ documents }: Pick<ReadDocuments, 'documents'>, preset: Preset): string[] {
  const extractions = documents.flatMap(({ extraction }) => extraction ?? []);
  const unverified = extractions.reduce((sum, extraction) => sum + extraction.unverified.length, 0);
  const all = extractions.reduce((sum, extraction) => sum + extraction.keyPoints.length, unverified);
  const isPoor = unverified > POOR * all;
  if (unverified === 0 || !(isPoor || preset === 'published')) return [];
  const discarded = `${unverified} of the ${all} key points from the language model have quotes that are not in the documents; they were discarded.`;
  return [isPoor ? `${discarded} The extractor "sentences" may work better.` : discarded];
}
