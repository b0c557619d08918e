import type { OrderedReport } from './digest-order.ts';
import type { DigestRequest, ExperimentPart } from './digest-request.ts';
/** The key points of a digest in the directions in which their sentence vectors differ most. */
export interface DigestMap {
  /** Id of the digest. */
  readonly digest: string;
  /** Id of the encoder that the vectors are of. */
  readonly encoder: string;
  /** How many directions: as many as were asked for, or as the points have. */
  readonly dimensions: number;
  /** Share of the variance that lies in them. */
  readonly explained: number;
  /** Those with a relevance, in the order of the digest. */
  readonly points: readonly MappedPoint[];
}

/** Where a key point lies among those of its digest. */
export interface MappedPoint {
  /** Of the key point. */
  readonly id: string;
  /** Coordinates in the directions of the map, to four decimals. */
  readonly vector: readonly number[];
}

export type Asked<Field extends 'selection' | 'summary' | 'engine'> = NonNullable<DigestRequest[Field]> | null;

/** The request that a digest was made by, or is to be; what was not given, or is not known, is null. */
export interface KeptRequest {
  /** Id of the digest. */
  readonly digest: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Without a background in words once the digest has ended: it is not kept beyond. */
  readonly intent: string | OrderedReport | null;
  /** Id of the collection whose documents they were at the time. */
  readonly collection: string | null;
  /** In the order of the request, or of the collection. */
  readonly documents: readonly RequestedDocument[];
  /** With the options of the variant, where it is part of an experiment, as the next two. */
  readonly selection: Asked<'selection'>;
  readonly summary: Asked<'summary'>;
  readonly engine: Asked<'engine'>;
  readonly experiment: Omit<ExperimentPart, 'subject'> | null;
}

/** A document of a request, without its text; what was not given, or is not known, is null. */
export interface RequestedDocument {
  readonly id: string;
  readonly title: string | null;
  readonly url: string | null;
  readonly publishedAt: string | null;
  readonly weight: number | null;
  /** UTF-16 code units of its text; null where that is not kept. */
  readonly characters: number | null;
}

/** A document of a digest, with its text as the digest read it; what was not given, or is not known, is null. */
export interface SourceText {
  readonly id: string;
  readonly title: string | null;
  readonly url: string | null;
  readonly publishedAt: string | null;
  /** What all offsets of the digest point into. */
  readonly text: string;
}
