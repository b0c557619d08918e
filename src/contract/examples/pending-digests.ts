const ID = 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071';
const CREATED_AT = '2026-11-21T09:30:00.000Z';

/** Digests without an answer. */
export const QUEUED = { id: ID, status: 'queued', progress: null, createdAt: CREATED_AT };
export const RUNNING = {
  id: ID,
  status: 'running',
  progress: { stage: 'extract', done: 3, total: 10, document: 'council' },
  createdAt: CREATED_AT,
};
export const CANCELLED = { id: ID, status: 'cancelled', progress: null, createdAt: CREATED_AT };
export const FAILED = {
  id: ID,
  status: 'failed',
  progress: { stage: 'write', done: 0, total: 1 },
  createdAt: CREATED_AT,
  error: {
    type: 'urn:tessera:problem:model-call-failed',
    title: 'A model could not be asked',
    status: 502,
    detail: 'The model did not answer in time.',
  },
};
