import type { DigestOptions } from '../digest-options.ts';
import { tidy } from '../parts/change-options.ts';

/** Two ways to make a digest, which a press fills in. */
export interface PairPreset {
  readonly name: string;
  /** What the right side is called, where the left one is there already. */
  readonly otherName: string;
  readonly line: string;
  readonly left: (base: DigestOptions) => DigestOptions;
  readonly right: (base: DigestOptions) => DigestOptions;
}

const selecting = (base: DigestOptions, selection: DigestOptions['selection']): DigestOptions =>
  tidy({ ...base, selection });
const ownStrategy = (base: DigestOptions): DigestOptions['selection'] => ({
  ...base.selection,
  preset: undefined,
  size:
    base.selection?.strategy === undefined && base.selection?.preset !== undefined ? undefined : base.selection?.size,
});

export const PAIR_PRESETS: readonly PairPreset[] = [
  {
    name: 'Default against published',
    otherName: 'As published',
    line: 'The defaults of this service, and the selection of the paper.',
    left: (base) => selecting(base, undefined),
    right: (base) => selecting(base, { preset: 'published' }),
  },
  {
    name: 'DPP against MMR',
    otherName: 'With MMR',
    line: 'The default strategy, and the classic one: relevant and unlike what was selected before.',
    left: (base) => selecting(base, { ...ownStrategy(base), strategy: 'dpp-map' }),
    right: (base) => selecting(base, { ...ownStrategy(base), strategy: 'mmr' }),
  },
  {
    name: 'With and without the question’s weight',
    otherName: 'Without the question’s weight',
    line: 'Key points near the question come first, or only variety counts.',
    left: (base) => base,
    right: (base) => selecting(base, { ...base.selection, relevance: { ...base.selection?.relevance, weight: 0 } }),
  },
];
