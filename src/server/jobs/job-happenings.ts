/** What becomes of jobs, as it is counted. */
export const JOB_HAPPENINGS = [
  'queued',
  'started',
  'done',
  'failed',
  'cancelled',
  'retried',
  'taken-over',
  'handed-back',
] as const;
export type JobHappening = (typeof JOB_HAPPENINGS)[number];
