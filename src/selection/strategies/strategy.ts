import type { z } from 'zod';
import type { Dpp } from '../dpp/dpp.ts';
import type { Random } from '../dpp/random.ts';
import type { AgreementOptions } from '../kernel/agreement.ts';
import type { Bonus, Coverage, CoverageOptions } from '../kernel/coverage.ts';
import type { Kernel, KernelOptions } from '../kernel/kernel.ts';
import type { Objective } from './objective.ts';
import type { SupportOptions } from './support.ts';

export type Size = { readonly keyPoints: number } | { readonly words: number } | 'auto';

export type SizeKind = 'keyPoints' | 'words' | 'auto' | 'none';

/** Of strategies that pick one item after the other and can stop after any of them. */
export const ONE_BY_ONE = {
  sizes: ['keyPoints', 'words', 'auto'],
  isSequential: true,
  isSampled: false,
} satisfies Partial<Strategy>;

export interface SharedOptions {
  readonly size: Size | null;
  readonly seed: number;
  readonly kernel: KernelOptions & { readonly idf: number };
  readonly relevance: { readonly form: 'exponential' | 'score'; readonly weight: number };
  readonly salience: { readonly weight: number; readonly threshold: number };
  readonly coverage: CoverageOptions;
  readonly sources: { readonly weight: number };
  /** A digest cites the points that repeat a selected one (`states`), or the related ones as well. */
  readonly support: SupportOptions & AgreementOptions & { readonly cites?: 'states' | 'related' };
  readonly background: { readonly weight: number };
  readonly refine: boolean;
}

export interface SampledKernel {
  readonly dpp: Dpp;
  readonly clippedMass: number;
  /** Trace that an approximation leaves unexplained; 0 if exact. */
  readonly residual: number;
  readonly totalVariation: number | null;
  readonly landmarks: number | null;
}

export interface StrategyInput {
  readonly kernel: Kernel;
  readonly items: readonly number[];
  /** Row i of S; not to be changed. */
  readonly similarityRow: (i: number) => Promise<Float32Array>;
  readonly coverage: Coverage | null;
  readonly newBonus: () => Bonus | null;
  readonly newObjective: () => Objective;
  readonly dpp: () => Promise<SampledKernel>;
  readonly relevance: Float64Array;
  readonly limit: number;
  readonly fits: (item: number, picked: readonly number[]) => boolean;
  readonly chosen: readonly number[];
  readonly random: Random;
  readonly options: SharedOptions;
}

export type StoppedBy = 'size' | 'words' | 'rank' | 'exhausted' | 'draw' | 'budget';

export interface StrategyResult {
  readonly items: readonly number[];
  readonly stoppedBy: StoppedBy;
  /** Of an exact search: whether nothing better exists, by how much a set could be better, and the clipped share. */
  readonly proof?: { readonly proven: boolean; readonly gap: number; readonly clippedMass: number };
  readonly newObjective?: () => Objective;
}

interface OwnOptions<Own> {
  readonly key: string;
  readonly request: z.ZodOptional<z.ZodObject>;
  readonly answer: z.ZodObject;
  readonly defaults: Own;
}

export interface Strategy<Own = void> {
  readonly objective: string;
  readonly source: string;
  readonly sizes: readonly SizeKind[];
  /** Whether items are picked one after the other, each with a gain; otherwise a set is chosen, ranked by relevance. */
  readonly isSequential: boolean;
  readonly isSampled: boolean;
  readonly needs?: { readonly matrix?: boolean; readonly coverage?: boolean };
  readonly own?: OwnOptions<Own>;
  select(input: StrategyInput, own: Own): Promise<StrategyResult>;
}
