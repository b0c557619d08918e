import type { VariantOptions } from '../../contract/index.ts';
import type { ResolvedReport } from '../../digest/index.ts';
import type { BenchmarkCase, BenchmarkSet, PassageSpan } from '../benchmark-set.ts';
import type { DocumentOrder } from '../results/positions.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';

export type System = DigestSystem | FileSystem;

export interface DigestSystem {
  readonly name: string;
  readonly options: VariantOptions;
  /** Scores the model's draft; the summary if absent. */
  readonly text?: 'draft' | undefined;
  readonly retrieval?: Retrieval | undefined;
  /** System whose number of key points this one copies for each case; absent if the options set it. */
  readonly sizedBy?: string | undefined;
  readonly needsModel: boolean;
  readonly cell?: { readonly summariser: string; readonly retriever: string } | undefined;
  /** Systems of a family differ only in document order. */
  readonly family?: { readonly family: string; readonly order: DocumentOrder } | undefined;
}

export interface FileSystem {
  readonly name: string;
  readonly outputs: Map<string, GivenOutput>;
  readonly family?: DigestSystem['family'];
}

export interface GivenOutput {
  /** With markers that cite ids, "… [d1, d2]", or with separate citations. */
  readonly sentences: readonly (
    | string
    | { readonly text: string; readonly documents: readonly string[]; readonly quote?: PassageSpan | null | undefined }
  )[];
  /** Quotes of the selected key points, by rank; those of the sentences if absent. */
  readonly picks?: readonly PassageSpan[] | undefined;
  /** Null or absent if the system decides. */
  readonly asked?: number | null | undefined;
  /** Ids of the given documents, in order; the whole collection if absent. */
  readonly given?: readonly string[] | undefined;
  readonly cost?: number | undefined;
}

export function outputKey(set: string, caseId: string): string {
  return JSON.stringify([set, caseId]);
}

export function isFileSystem(system: System): system is FileSystem {
  return 'outputs' in system;
}

export interface RunCase extends BenchmarkCase {
  /** The full report request, of which the intent is the problem statement. */
  readonly report?: ResolvedReport | undefined;
}

export interface RunSet extends BenchmarkSet {
  readonly cases: readonly RunCase[];
  /** Number of key points of each digest; `insights` takes that of the case; set by the options if absent. */
  readonly keyPoints?: number | 'insights' | undefined;
}

/** What a run is made of: sets, and the systems to run over them. */
export interface RunFiles {
  /** File that names the systems. */
  readonly path: string;
  readonly name: string;
  readonly sets: readonly RunSet[];
  readonly systems: readonly System[];
  readonly baseline: string;
  /** Null for all. */
  readonly metrics: readonly string[] | null;
}
