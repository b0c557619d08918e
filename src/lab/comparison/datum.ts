import type { ResolvedRequest } from '../../digest/index.ts';
import type { Insight, SourceQuestion } from '../../evaluation/index.ts';

/** One thing to digest: what every arm is asked, and what its digest should tell where that is known. */
export interface Datum extends Pick<ResolvedRequest, 'documents' | 'intent'> {
  readonly id: string;
  /** Scored by SummHay. */
  readonly insights?: readonly Insight[] | undefined;
  /** Scored by source coverage. */
  readonly questions?: readonly SourceQuestion[] | undefined;
}
