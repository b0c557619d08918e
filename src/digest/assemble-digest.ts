import type { EncodedTexts } from '../encoders/encoded-texts.ts';
import { SENTENCE_EXTRACTOR_ID } from '../keypoints/extract-sentences.ts';
import type { SelectionOptions } from '../selection/options.ts';
import type { Selection } from '../selection/select.ts';
import type { Summary } from '../summary/summary.ts';
import type { Digest, DigestStatus, DigestTimings } from './digest.ts';
import type { Engine } from './engine.ts';
import type { Query } from './intent.ts';
import { metricsOf } from './metrics.ts';
import type { ResolvedOptions } from './options.ts';
import type { Point } from './points.ts';
import type { Ranking } from './ranking-task.ts';
import { documentStatus, type ReadDocuments } from './read-documents.ts';
import { receipt } from './receipt.ts';
import { factsAnswer, optionsAnswer, outcomeAnswer, type SelectionAnswer } from './selection-answer.ts';

/** What the stages of a digest left. */
export interface Stages {
  readonly id: string;
  readonly options: ResolvedOptions;
  readonly query: Query;
  readonly read: ReadDocuments;
  readonly points: readonly Point[];
  readonly encoded: EncodedTexts;
  readonly ranking: Ranking;
  /** Indices into `points` of the items that the selection saw. */
  readonly kept: readonly number[];
  readonly selection: Selection;
  readonly selectionOptions: SelectionOptions;
  readonly summary: Summary;
  readonly warnings: readonly string[];
  readonly timings: DigestTimings;
}

/** Puts the answer together from what the stages left. */
export function assembleDigest(stages: Stages, engine: Engine): Digest {
  const { options, query, read, points, encoded, ranking, kept, selection, summary } = stages;
  const { documents } = read;
  const keyPoints = receipt(points, ranking, kept, selection, stages.selectionOptions.strategy, summary);
  return {
    id: stages.id,
    status: statusOf(documents.map(({ status }) => status)),
    summary: { text: summary.text, sentences: summary.sentences },
    sources: summary.sources,
    keyPoints,
    documents: documents.map(documentStatus),
    selection: selectionOf(stages),
    engine: {
      extractor: SENTENCE_EXTRACTOR_ID,
      encoder: options.kernelEncoder.profile.id,
      relevanceEncoder: options.relevanceEncoder.profile.id,
      matrix: engine.matrix,
      writer: 'compose',
    },
    prompts: {},
    warnings: stages.warnings,
    metrics: metricsOf(documents, keyPoints, summary, query.text !== null),
    usage: {
      promptTokens: 0,
      completionTokens: 0,
      requests: 0,
      cost: 0,
      reusedExtractions: read.reused,
      reusedEncodings: encoded.reused,
    },
    timings: stages.timings,
    offsetUnit: 'utf16',
  };
}

function statusOf(statuses: readonly string[]): DigestStatus {
  const failed = statuses.filter((status) => status === 'failed').length;
  if (failed === 0) return 'completed';
  return failed === statuses.length ? 'failed' : 'partial';
}

function selectionOf({ options, selectionOptions, query, ranking, kept, selection, points }: Stages): SelectionAnswer {
  return {
    ...optionsAnswer(options, selectionOptions, selection, {
      gate: query.text === null ? null : options.gate,
      surroundings: ranking.surroundings,
      facets: query.facets,
      encoder: options.relevanceEncoder.profile.id,
    }),
    ...factsAnswer(selection),
    ...outcomeAnswer(selection),
    gate: { kept: kept.length, dropped: points.length - kept.length },
  };
}
