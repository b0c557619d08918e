import { CHANGE, NEW_EXPERIMENT } from '../experiments.ts';

const { key, status, ...DEFINITION } = NEW_EXPERIMENT;
const PERIOD = { startedAt: '2026-11-21T09:30:00.000Z', stoppedAt: null };
const EXPERIMENT = {
  key,
  ...DEFINITION,
  version: 1,
  status,
  traffic: 1,
  salt: key,
  createdAt: PERIOD.startedAt,
  ...PERIOD,
};

const NEW_VERSION = {
  variants: [
    { name: 'control', weight: 0.8, options: {} },
    { name: 'short', weight: 0.2, options: { summary: { maxWords: 60 } } },
  ],
  newVersion: true,
};

const OUTCOMES = [
  { eventId: 'evt-1', subject: 'user-123', metric: 'source-opened', at: '2026-11-21T09:35:00Z' },
  { eventId: 'evt-2', subject: 'user-123', metric: 'complaint', value: 0 },
];

const NOT_IGNORED = { beforeExposure: 0, afterStop: 0, overridden: 0 };
const RECORDED = {
  accepted: 2,
  duplicates: 1,
  ignored: NOT_IGNORED,
  problems: [{ index: 3, pointer: '/outcomes/3/subject', detail: 'was not exposed to a variant of this experiment' }],
};

const interval = (low: number, high: number) => ({ low, high });
const COMPARED = { variant: 'short', test: 'two-proportion-z', degreesOfFreedom: null, better: true };

function arm(variant: string, n: number, mean: number, variance: number, conversions: number) {
  return { variant, n, mean, variance, conversions, active: conversions };
}

const CLICKS = {
  key: 'source-opened',
  type: 'binomial',
  direction: 'increase',
  role: 'goal',
  arms: [arm('control', 2028, 0.2825, 0.2028, 573), arm('short', 1973, 0.33, 0.2212, 651)],
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
  arms: [arm('control', 2028, 0.02022, 0.01982, 41), arm('short', 1973, 0.01977, 0.01939, 39)],
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
      sequential: { interval: interval(-0.01391, 0.01301), liftInterval: interval(-0.6805, 0.636), significant: false },
      significant: false,
      stillNeeded: null,
    },
  ],
  guardrail: [{ variant: 'short', verdict: 'unclear' }],
};

const RESULTS = {
  key,
  version: 1,
  status: 'running',
  alpha: 0.05,
  correction: 'holm',
  sampleRatio: {
    observed: CLICKS.arms.map(({ variant, n }) => ({ variant, subjects: n, expected: 2000.5 })),
    statistic: 0.7561,
    p: 0.3846,
    mismatch: false,
  },
  exposed: 4001,
  overridden: 0,
  ignored: { ...NOT_IGNORED, duplicates: 1 },
  metrics: [CLICKS, COMPLAINTS],
  verdict: 'winner',
  basis: 'sequential',
  conclusion:
    '"short" beats the control "control": "source-opened" rises by 0.0474 (95% interval of the change: 0.00314 to 0.0917, valid at every look); guardrails not settled yet: "complaint".',
  dataVersion: 4005,
};

/** Examples of requests and answers, by name. */
export const EXPERIMENT_EXAMPLES = {
  requests: { running: { summary: 'That runs at once', value: NEW_EXPERIMENT } },
  changes: {
    hypothesis: { summary: 'What may change at any time', value: CHANGE },
    newVersion: { summary: 'Other variants, in a new version', value: NEW_VERSION },
  },
  exposures: { subject: { summary: 'A subject', value: { subject: 'user-123' } } },
  outcomes: { outcomes: { summary: 'Of one subject', value: { outcomes: OUTCOMES } } },
  experiment: { experiment: { summary: 'An experiment', value: EXPERIMENT } },
  stopped: {
    experiment: {
      summary: 'An experiment',
      value: { ...EXPERIMENT, status: 'stopped', stoppedAt: '2026-12-05T09:30:00.000Z' },
    },
  },
  withVersions: {
    experiment: {
      summary: 'An experiment',
      value: { ...EXPERIMENT, versions: [{ version: 1, status: 'running', ...PERIOD }] },
    },
  },
  page: { page: { summary: 'A page', value: { experiments: [EXPERIMENT], next: null } } },
  assignments: {
    assigned: { summary: 'To a variant', value: { key, version: 1, variant: 'control', reason: 'assigned' } },
    none: { summary: 'To none', value: { key, version: 1, variant: null, reason: 'stopped' } },
  },
  recorded: { recorded: { summary: 'With one that was not kept', value: RECORDED } },
  results: { results: { summary: 'Of an experiment that runs', value: RESULTS } },
};
