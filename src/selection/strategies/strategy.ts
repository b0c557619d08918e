import type { z } from 'zod';
import type { Dpp } from '../dpp/dpp.ts';
import type { Random } from '../dpp/random.ts';
import type { Coverage } from '../kernel/coverage.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Reference } from '../kernel/reference.ts';
import type { Bonus } from './bonus.ts';
import type { GreedyObjective, Objective } from './objective.ts';
import type { SharedOptions } from './options.ts';

/** The DPP of a kernel, with what was left out to get it. */
export interface SampledKernel {
  readonly dpp: Dpp;
  /** Share of the absolute trace that lay in negative eigenvalues; null where they were not looked at. */
  readonly clippedMass: number | null;
  /** Trace that an approximation leaves unexplained; 0 where there is none. */
  readonly residual: number;
  /** Bound on the total variation distance of a draw from the DPP of the kernel; null where none is known. */
  readonly totalVariation: number | null;
  /** How many items an approximation is made of; null for none. */
  readonly landmarks: number | null;
}

/** What a strategy sees: items in canonical order, so that a lower index wins a tie. */
export interface StrategyInput {
  readonly kernel: Kernel;
  /** Row i of S; not to be changed. */
  readonly similarityRow: (i: number) => Promise<Float32Array>;
  /** S of the items that sums run over with all items; only for strategies that say they need it. */
  readonly reference: () => Reference;
  /** Coverage; only for strategies that say they need it, null otherwise where its weight is 0. */
  readonly coverage: Coverage | null;
  /** What the objective adds to log det, of nothing picked; null where nothing is added. */
  readonly newBonus: () => Bonus | null;
  /** An objective with nothing picked. */
  readonly newObjective: () => GreedyObjective;
  /** The DPP of the kernel, made when first asked for. */
  readonly dpp: () => Promise<SampledKernel>;
  /** One per item. */
  readonly relevance: Float64Array;
  /** Most items to pick. */
  readonly limit: number;
  /** Whether an item may be picked after `picked` items; false ends the selection. */
  readonly fits: (item: number, picked: readonly number[]) => boolean;
  /** What a language model chose. */
  readonly chosen?: readonly number[] | undefined;
  readonly random: Random;
  readonly options: SharedOptions;
}

export type StoppedBy = 'size' | 'words' | 'rank' | 'exhausted' | 'draw' | 'budget';

export interface StrategyResult {
  /** In rank order where the strategy is sequential. */
  readonly items: readonly number[];
  readonly stoppedBy: StoppedBy;
  /** Of an exact search: whether nothing better exists, how much better a set could be, and what was clipped. */
  readonly proof?: { readonly proven: boolean; readonly gap: number; readonly clippedMass: number };
  /** What the items are measured by, where that is the positive semi-definite part of the kernel. */
  readonly newObjective?: () => Objective;
}

export type SizeKind = 'keyPoints' | 'words' | 'auto' | 'none';

/** Groups in which strategies are offered to readers, with their titles. */
export const GROUPS = {
  different: 'Relevant and different',
  drawn: 'Random samples',
  baseline: 'Baselines',
  model: 'By a language model',
} as const;

/** Options of one strategy alone, resolved as `Own`. */
interface OwnOptions<Own> {
  /** Where they stand in `selection`. */
  readonly key: string;
  /** Every field optional, with its range. */
  readonly request: z.ZodOptional<z.ZodObject>;
  /** As the answer reports them. */
  readonly answer: z.ZodObject;
  readonly defaults: Own;
  /** What readers are told each field is. */
  readonly labels: { readonly [Field in keyof Own]: string };
}

/** A way to choose among items, and all that the API, the page and the documentation say of it. */
export interface Strategy<Own = void> {
  /** For readers: a name, and a sentence. */
  readonly title: string;
  readonly line: string;
  readonly group: keyof typeof GROUPS;
  /** For callers, in `docs/api.md`. */
  readonly chooses: string;
  /** What it chooses, in a sentence. */
  readonly objective: string;
  /** For n items, k picks and m references. */
  readonly cost: string;
  /** Where it was published. */
  readonly source: string;
  readonly sizes: readonly SizeKind[];
  /** Whether items are picked one after the other, so that each has a gain; others choose a set, ranked by relevance. */
  readonly isSequential: boolean;
  /** Whether it draws at random, so that several draws of one kernel make sense. */
  readonly isSampled: boolean;
  /** What has to be there beside rows of the kernel. */
  readonly needs: { readonly matrix?: boolean; readonly reference?: boolean; readonly coverage?: boolean };
  /** Absent where it has none. */
  readonly own?: OwnOptions<Own>;
  select(input: StrategyInput, own: Own): Promise<StrategyResult>;
}

/** The sizes of strategies that pick one after the other. */
export const ANY_SIZE: readonly SizeKind[] = ['keyPoints', 'words', 'auto'];
