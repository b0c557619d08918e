import type { CallUsage } from '../../models/index.ts';
import type { PassageSpan } from '../benchmark-set.ts';
import type { Figures } from '../comparison/metrics.ts';

/** What a system said to a case. */
export interface SystemOutput {
  /** Without framing. */
  readonly sentences: readonly OutputSentence[];
  /** Quotes of the selected key points, by rank; null for systems that tell none. */
  readonly picks: readonly PassageSpan[] | null;
  /** Key points that were asked for; null where the system decides. */
  readonly asked: number | null;
  /** Ids of the documents that it was given, in order. */
  readonly given: readonly string[];
  /** Figures that need no reference. */
  readonly figures: Figures;
  /** Words of each sentence of the whole summary, in order. */
  readonly sentenceWords: readonly number[];
  /** Whether something of it failed, so that another run may do better. */
  readonly isPartial: boolean;
  readonly usage: CallUsage;
}

export interface OutputSentence {
  readonly text: string;
  /** Ids of the documents that it cites, each once. */
  readonly documents: readonly string[];
  /** Quote of the key point that it tells; null where that is not known. */
  readonly quote: PassageSpan | null;
}
