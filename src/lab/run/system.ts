import type { VariantOptions } from '../../contract/index.ts';
import type { ResolvedReport } from '../../digest/index.ts';
import { TesseraError } from '../../text/index.ts';
import type { BenchmarkCase, BenchmarkSet, PassageSpan } from '../benchmark-set.ts';
import type { DocumentOrder } from '../results/positions.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';

/** What answers the cases of a benchmark: the service by some options, or whoever wrote a file. */
export type System = DigestSystem | FileSystem;

/** Digests by one set of options. */
export interface DigestSystem {
  readonly name: string;
  readonly options: VariantOptions;
  /** Where it is what the model wrote, as it came, that is scored; the summary where absent. */
  readonly text?: 'draft' | undefined;
  /** What of the documents it is given; all of them where absent. */
  readonly retrieval?: Retrieval | undefined;
  /** Name of the system that selected as many key points of the same case as this one is to; its options say so where absent. */
  readonly sizedBy?: string | undefined;
  /** Whether it is left out, with a note, where no language model is configured. */
  readonly needsModel: boolean;
  /** Its place in a matrix of what summarises by what retrieves, where it is one of several that differ in that alone. */
  readonly cell?: { readonly summariser: string; readonly retriever: string } | undefined;
  /** What it is but for the order of its documents, where it is one of three that differ in that alone. */
  readonly family?: { readonly family: string; readonly order: DocumentOrder } | undefined;
}

/** Another system's outputs, by set and case. */
interface FileSystem {
  readonly name: string;
  readonly outputs: ReadonlyMap<string, GivenOutput>;
  /** What it is but for the order of its documents, as its file says. */
  readonly family?: DigestSystem['family'];
}

interface GivenSentence {
  readonly text: string;
  /** Ids that it cites. */
  readonly documents: readonly string[];
  /** Where the words stand that it rests on, so that it can be scored by labels. */
  readonly quote?: PassageSpan | null | undefined;
}

/** What another system said. */
export interface GivenOutput {
  /** With markers that cite ids, "… [d1, d2]", or with what it cites beside it. */
  readonly sentences: readonly (string | GivenSentence)[];
  /** Quotes of the key points that it chose, in its order; those of the sentences where absent. */
  readonly picks?: readonly PassageSpan[] | undefined;
  /** Key points that it was asked for; null or absent where it decides. */
  readonly asked?: number | null | undefined;
  /** Ids of the documents in the order in which it was given them; the collection's where absent. */
  readonly given?: readonly string[] | undefined;
  /** In the currency of the price table. */
  readonly cost?: number | undefined;
}

/** Names the output of a file system to a case of a set. */
export function outputKey(set: string, caseId: string): string {
  return JSON.stringify([set, caseId]);
}

export function isFileSystem(system: System): system is FileSystem {
  return 'outputs' in system;
}

export interface RunCase extends BenchmarkCase {
  /** What the reader wants to know in full, of which the intent is the problem. */
  readonly report?: ResolvedReport | undefined;
}

/** A set as it is run. */
export interface RunSet extends BenchmarkSet {
  readonly cases: readonly RunCase[];
  /** Key points that digests are asked for: a number, as many as the case has insights, or what their options say. */
  readonly keyPoints?: number | 'insights' | undefined;
}

/** A system asks for what this service does not have, or what a case does not tell. */
export class UnusableSystemError extends TesseraError {
  readonly code = 'unusable-system';
  /** Its name. */
  readonly system: string;
  /** Into the system, as a configuration says it. */
  override readonly pointer: string;

  constructor(system: string, pointer: string, problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.system = system;
    this.pointer = pointer;
  }
}
