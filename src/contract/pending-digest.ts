import { z } from '@hono/zod-openapi';
import { STAGES } from './choices.ts';
import { nextCursor, type TypeOf } from './fields.ts';
import { problemSchema } from './service.ts';
import { sentenceSchema } from './summary.ts';

export const PENDING_STATUSES = ['queued', 'running', 'cancelled', 'failed'] as const;
const ID = 'dig_3f0c8a52d6b14e6f9a1b7c2d4e5f6071';
const CREATED_AT = '2026-11-21T09:30:00.000Z';
const id = z.string().openapi({ example: ID });
const createdAt = z.iso.datetime().openapi({ example: CREATED_AT });

export const QUEUED = { id: ID, status: 'queued', progress: null, createdAt: CREATED_AT };
export const RUNNING = {
  ...QUEUED,
  status: 'running',
  progress: { stage: 'extract', done: 3, total: 10, document: 'council' },
};
export const CANCELLED = { ...QUEUED, status: 'cancelled' };
export const FAILED = {
  ...QUEUED,
  status: 'failed',
  progress: { stage: 'write', done: 0, total: 1 },
  error: {
    type: 'urn:tessera:problem:model-call-failed',
    title: 'Language model request failed',
    status: 502,
    detail: 'The language model did not respond in time.',
  },
};

const error = problemSchema.optional().openapi({ description: 'Why the digest failed.' });

/** The digest is stored and will be made. */
export const acceptedSchema = z.object({
  id: z.string(),
  /** `/v1/digests/{id}`. */
  location: z.string(),
});
export type Accepted = TypeOf<typeof acceptedSchema>;

export const progressSchema = z.object({
  stage: z.enum(STAGES),
  done: z.int(),
  total: z.int(),
  /** The last document read. */
  document: z.string().optional(),
});
export type Progress = TypeOf<typeof progressSchema>;

/** A finished sentence of the summary; a repeated index replaces the earlier sentence. */
export const sentenceEventSchema = sentenceSchema.extend({
  index: z.int().min(0),
  /** Numbers of the cited sources. */
  sources: z.array(z.int()),
});
export type SentenceEvent = TypeOf<typeof sentenceEventSchema>;

export const pendingDigestSchema = z
  .object({
    id,
    status: z.enum(PENDING_STATUSES),
    progress: progressSchema
      .nullable()
      .openapi({ description: 'Progress of the current stage; null before the work starts.' }),
    createdAt,
    error,
  })
  .openapi('PendingDigest', { example: RUNNING });
export type PendingDigest = TypeOf<typeof pendingDigestSchema>;

/** Max titles in a list entry. */
export const LISTED_TITLES = 10;

/** A page of the caller's digests, newest first. */
export const digestListSchema = z
  .object({
    digests: z.array(
      z.object({
        id,
        status: z.string().openapi({ description: 'Of the digest, or of the work on it.' }),
        intent: z.string().nullable().openapi({ description: 'The question; null if the digest has none.' }),
        documents: z
          .int()
          .min(0)
          .nullable()
          .openapi({ description: 'Number of documents; null if the request is not stored.' }),
        titles: z.array(z.string()).openapi({
          description: `Titles of the first ${LISTED_TITLES} documents; the id of a document without a title.`,
        }),
        createdAt,
        finishedAt: createdAt
          .nullable()
          .openapi({ description: 'When the digest was finished, cancelled or failed; null until then.' }),
        error,
      }),
    ),
    next: nextCursor,
  })
  .openapi('DigestList', {
    example: {
      digests: [
        {
          id: ID,
          status: 'completed',
          intent: 'What did the congestion charge change?',
          documents: 3,
          titles: ['Council report', 'Study of the transport institute', 'press'],
          createdAt: CREATED_AT,
          finishedAt: '2026-11-21T09:30:01.000Z',
        },
      ],
      next: null,
    },
  });
export type DigestList = TypeOf<typeof digestListSchema>;
