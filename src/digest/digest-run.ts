import type { Progress } from '../contract/index.ts';
import type { OnSentence } from '../summary/index.ts';
import type { Checkpoints, Ledger } from './checkpoints.ts';

/** Who wants to know of a digest while it is made. */
export interface DigestListeners {
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Told of every sentence of the summary once it stands, in order. */
  readonly onSentence?: OnSentence | undefined;
}

/** How one attempt at a digest runs. */
export interface DigestRun extends DigestListeners {
  readonly id: string;
  /** What attempts before left; nothing by default. */
  readonly checkpoints?: (ledger: Ledger) => Checkpoints;
}

export function newDigestId(): string {
  return `dig_${crypto.randomUUID().replaceAll('-', '')}`;
}
