import { CHANGE, NEW_EXPERIMENT } from '../experiments.ts';

export const EXPERIMENTS_REQUESTS = {
  running: { summary: 'That runs at once', value: NEW_EXPERIMENT },
};

const NEW_VERSION = {
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

const { status: _, ...DEFINITION } = NEW_EXPERIMENT;

export const EXPERIMENT = {
  ...DEFINITION,
  version: 1,
  status: 'running',
  traffic: 1,
  salt: 'shorter-digests',
  createdAt: '2026-11-21T09:30:00.000Z',
  startedAt: '2026-11-21T09:30:00.000Z',
  stoppedAt: null,
};

export const STOPPED = { ...EXPERIMENT, status: 'stopped', stoppedAt: '2026-12-05T09:30:00.000Z' };

export const WITH_VERSIONS = {
  ...EXPERIMENT,
  versions: [{ version: 1, status: 'running', startedAt: '2026-11-21T09:30:00.000Z', stoppedAt: null }],
};

export const EXPERIMENTS = { experiments: [EXPERIMENT], next: null };

export const ASSIGNMENTS = {
  assigned: {
    summary: 'To a variant',
    value: { key: 'shorter-digests', version: 1, variant: 'control', reason: 'assigned' },
  },
  none: {
    summary: 'To none',
    value: { key: 'shorter-digests', version: 1, variant: null, reason: 'stopped' },
  },
};

export const RECORDED = {
  recorded: {
    summary: 'With one that was not kept',
    value: {
      accepted: 2,
      duplicates: 1,
      ignored: { beforeExposure: 0, afterStop: 0, overridden: 0 },
      problems: [
        { index: 3, pointer: '/outcomes/3/subject', detail: 'was not exposed to a variant of this experiment' },
      ],
    },
  },
};

const interval = (low: number, high: number) => ({ low, high });
const COMPARED = { variant: 'short', test: 'two-proportion-z', degreesOfFreedom: null, better: true };

const CLICKS = {
  key: 'source-opened',
  type: 'binomial',
  direction: 'increase',
  role: 'goal',
  arms: [
    { variant: 'control', n: 2028, mean: 0.2825, variance: 0.2028, conversions: 573, active: 573 },
    { variant: 'short', n: 1973, mean: 0.33, variance: 0.2212, conversions: 651, active: 651 },
  ],
  comparisons: [
    {
      ...COMPARED,
      difference: 0.04741,
      interval: interval(0.01887, 0.07595),
      lift: 0.1678,
      liftInterval: interval(0.05847, 0.2771),
      statistic: 3.254,
      p: 0.001139,
      adjustedP: 0.001139,
      sequential: {
        interval: interval(0.00314, 0.09168),
        liftInterval: interval(-0.001789, 0.3374),
        significant: true,
      },
      significant: true,
      stillNeeded: 14206,
    },
  ],
  guardrail: null,
};

const COMPLAINTS = {
  key: 'complaint',
  type: 'binomial',
  direction: 'decrease',
  role: 'guardrail',
  arms: [
    { variant: 'control', n: 2028, mean: 0.02022, variance: 0.01982, conversions: 41, active: 41 },
    { variant: 'short', n: 1973, mean: 0.01977, variance: 0.01939, conversions: 39, active: 39 },
  ],
  comparisons: [
    {
      ...COMPARED,
      difference: -0.0004501,
      interval: interval(-0.009125, 0.008224),
      lift: -0.02226,
      liftInterval: interval(-0.4466, 0.4021),
      statistic: -0.1017,
      p: 0.919,
      adjustedP: null,
      sequential: {
        interval: interval(-0.01391, 0.01301),
        liftInterval: interval(-0.6805, 0.636),
        significant: false,
      },
      significant: false,
      stillNeeded: null,
    },
  ],
  guardrail: [{ variant: 'short', verdict: 'unclear' }],
};

export const RESULTS = {
  key: 'shorter-digests',
  version: 1,
  status: 'running',
  alpha: 0.05,
  correction: 'holm',
  sampleRatio: {
    observed: [
      { variant: 'control', subjects: 2028, expected: 2000.5 },
      { variant: 'short', subjects: 1973, expected: 2000.5 },
    ],
    statistic: 0.7561,
    p: 0.3846,
    mismatch: false,
  },
  exposed: 4001,
  overridden: 0,
  ignored: { beforeExposure: 0, afterStop: 0, overridden: 0, duplicates: 1 },
  metrics: [CLICKS, COMPLAINTS],
  verdict: 'winner',
  basis: 'sequential',
  conclusion:
    '"short" beats the control "control": "source-opened" rises by 0.0474 (95% interval of the change: 0.00314 to 0.0917, valid at every look); guardrails not settled yet: "complaint".',
  dataVersion: 4005,
};
