import type { DigestInput } from '../client/index.ts';

/** Options of a digest as they are sent. */
export type DigestOptions = Pick<DigestInput, 'selection' | 'summary' | 'engine'>;
