import type { ExperimentChanges, NewExperiment } from '../experiment.ts';

export const NEW_EXPERIMENT: NewExperiment & { readonly status: 'running' } = {
  key: 'shorter-digests',
  hypothesis: 'Readers open more sources when digests are short.',
  variants: [
    { name: 'control', weight: 0.5, options: {} },
    { name: 'short', weight: 0.5, options: { selection: { size: { keyPoints: 5 } }, summary: { maxWords: 100 } } },
  ],
  metrics: [{ key: 'source-opened', type: 'binomial', direction: 'increase', minimumEffect: 0.05 }],
  guardrails: [{ key: 'complaint', type: 'binomial', direction: 'decrease', minimumEffect: null, margin: 0.1 }],
  status: 'running',
};

const IN_LAYER: NewExperiment = {
  key: 'strategies',
  hypothesis: 'Readers finish digests that a DPP selects.',
  variants: [
    { name: 'mmr', weight: 0.2, options: { selection: { strategy: 'mmr' } } },
    { name: 'dpp', weight: 0.8, options: { selection: { strategy: 'dpp-map' } } },
  ],
  metrics: [{ key: 'share-read', type: 'ratio', direction: 'increase', minimumEffect: null }],
  traffic: 0.5,
  layer: { key: 'selection', from: 0, to: 0.4 },
};

export const EXPERIMENTS_REQUESTS = {
  running: { summary: 'That runs at once', value: NEW_EXPERIMENT },
  layer: { summary: 'A draft, for a part of the traffic that other experiments leave alone', value: IN_LAYER },
};

export const CHANGE: ExperimentChanges = { hypothesis: 'Readers open more sources when digests have 100 words.' };

const NEW_VERSION: ExperimentChanges & { readonly newVersion: true } = {
  variants: [
    { name: 'control', weight: 0.8, options: {} },
    { name: 'short', weight: 0.2, options: { summary: { maxWords: 60 } } },
  ],
  newVersion: true,
};

export const CHANGES = {
  hypothesis: { summary: 'What may change at any time', value: CHANGE },
  newVersion: { summary: 'Other variants, in a new version', value: NEW_VERSION },
};

export const EXPOSURES = { subject: { summary: 'A subject', value: { subject: 'user-123' } } };

export const OUTCOMES = {
  outcomes: {
    summary: 'Of one subject',
    value: {
      outcomes: [
        { eventId: 'evt-1', subject: 'user-123', metric: 'source-opened', at: '2026-11-21T09:35:00Z' },
        { eventId: 'evt-2', subject: 'user-123', metric: 'complaint', value: 0 },
      ],
    },
  },
};
