import type { VariantOptions } from '../../contract/index.ts';

/** One set of options of a comparison. */
export interface Arm {
  readonly name: string;
  readonly options: VariantOptions;
  /** Whether it is left out, with a note, where no language model is configured. */
  readonly needsModel: boolean;
}

/** What is compared: every arm over every datum. */
export interface Comparison {
  readonly name: string;
  /** In the order in which tables list them. */
  readonly arms: readonly Arm[];
  /** The arm that the others are held against. */
  readonly baseline: string;
  /** Keys of the metrics to show and to test; null for all that there are figures of. */
  readonly metrics: readonly string[] | null;
}
