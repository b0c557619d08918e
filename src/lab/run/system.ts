import { z } from 'zod';
import { LIMITS, text, type VariantOptions } from '../../contract/index.ts';
import { groupBy } from '../../text/index.ts';
import { type BenchmarkSet, span } from '../benchmark-set.ts';
import { BadRecordsError, checkRecords, type TextFile } from '../check-records.ts';
import { type DocumentOrder, ORDERS } from '../results/positions.ts';
import type { Retrieval } from '../retrieval/retrieval.ts';

export type System = DigestSystem | FileSystem;

export interface DigestSystem {
  readonly name: string;
  readonly options: VariantOptions;
  /** Writes no digest: all that the labels say of the given documents, with their citations. */
  readonly perfect?: true | undefined;
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

const name = text(500).min(1);
const documentIds = z.array(name).max(LIMITS.documents);
const passage = span.refine(({ start, end }) => start < end, 'ends before it begins');

/** An output of another system. Sentences of `bullets` have markers that cite ids: "… [d1, d2]". */
export const outputSchema = z
  .strictObject({
    set: name.optional(),
    case: name,
    /** For a file with outputs of several systems; other systems are skipped. */
    system: name.optional(),
    sentences: z
      .array(z.strictObject({ text: text(20_000), documents: documentIds, quote: passage.nullable().optional() }))
      .max(10_000)
      .optional(),
    bullets: z.array(text(20_000)).max(10_000).optional(),
    /** Quotes of the selected key points, by rank; those of the sentences if absent. */
    picks: z.array(passage).max(10_000).optional(),
    /** Null or absent if the system decides. */
    asked: z.int().min(0).nullable().optional(),
    /** In order; the whole collection if absent. */
    given: documentIds.optional(),
    order: z.enum(ORDERS).optional(),
    cost: z.number().min(0).optional(),
  })
  .refine(({ sentences, bullets }) => (sentences === undefined) !== (bullets === undefined), {
    message: 'needs either "sentences" or "bullets"',
  });
export type OutputRecord = z.output<typeof outputSchema>;

export interface GivenOutput extends Pick<OutputRecord, 'picks' | 'asked' | 'given' | 'cost'> {
  readonly sentences: NonNullable<OutputRecord['sentences' | 'bullets']>;
}

/** The different texts of all systems over a set, by case. @throws BadRecordsError with every problem */
export function pooledOutputs(file: TextFile, set: string): ReadonlyMap<string, readonly string[]> {
  const { placed, problems } = checkRecords([file], outputSchema);
  if (problems.length > 0) throw new BadRecordsError(problems, 'made');
  const ofSet = placed.filter(({ record }) => record.set === undefined || record.set === set);
  const byCase = groupBy(ofSet, ({ record }) => record.case);
  const textIn = ({ sentences, bullets = [] }: OutputRecord) =>
    (sentences?.map((sentence) => sentence.text) ?? bullets).join('\n');
  return new Map([...byCase].map(([id, own]) => [id, [...new Set(own.map(({ record }) => textIn(record)))]]));
}

export function outputKey(set: string, caseId: string): string {
  return JSON.stringify([set, caseId]);
}

export function isFileSystem(system: System): system is FileSystem {
  return 'outputs' in system;
}

export interface RunSet extends BenchmarkSet {
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
