import type { VariantOptions } from '../../contract/index.ts';

export const PUBLISHED_ARMS = [
  'naive',
  'naive-relevant',
  'all-key-points',
  'llm-selected',
  'llm-selected-relevant',
  'random',
  'extracted-sentences',
  'dpp',
  'dpp-relevant',
] as const;
export type PublishedArm = (typeof PUBLISHED_ARMS)[number];

const SAMPLED = { temperature: 0.7 };
const WRITING = { ...SAMPLED, prompt: 'published-write' };
const SELECTING = (prompt: string) => ({ ...SAMPLED, prompt });
const NOT_RELEVANT = { form: 'exponential', weight: 0 } as const;

/** Uses key points that a model extracts in one call per document (appendices A.2 and A.3). */
function ofKeyPoints(selection: VariantOptions['selection'], select?: string): VariantOptions {
  return {
    ...IN_FULL,
    selection: { preset: 'published', ...selection },
    engine: {
      extractor: 'llm',
      extraction: { rounds: 1 },
      writer: 'llm',
      stages: {
        extract: { ...SAMPLED, prompt: 'published-extract' },
        ...(select !== undefined && { select: SELECTING(select) }),
        write: WRITING,
      },
    },
  };
}

function ofDocuments(prompt: string): VariantOptions {
  return {
    ...IN_FULL,
    selection: { preset: 'published', strategy: 'naive' },
    engine: { writer: 'llm', stages: { write: { ...SAMPLED, prompt } } },
  };
}

const IN_FULL: VariantOptions = { summary: { format: 'report', maxWords: null } };

export const PUBLISHED_OPTIONS: Readonly<Record<PublishedArm, VariantOptions>> = {
  naive: ofDocuments('published-naive'),
  'naive-relevant': ofDocuments('published-naive-relevant'),
  'all-key-points': ofKeyPoints({ strategy: 'all' }),
  'llm-selected': ofKeyPoints({ strategy: 'llm' }, 'published-select'),
  'llm-selected-relevant': ofKeyPoints({ strategy: 'llm' }, 'published-select-relevant'),
  random: ofKeyPoints({ strategy: 'random', relevance: NOT_RELEVANT }),
  'extracted-sentences': {
    ...IN_FULL,
    selection: { preset: 'published', strategy: 'dpp-sample', relevance: NOT_RELEVANT },
    engine: { extractor: 'sentences', writer: 'llm', stages: { write: WRITING } },
  },
  dpp: ofKeyPoints({ strategy: 'dpp-sample', relevance: NOT_RELEVANT }),
  'dpp-relevant': ofKeyPoints({ strategy: 'dpp-sample' }),
};
